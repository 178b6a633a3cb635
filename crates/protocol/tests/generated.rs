//! The committed generated files are those that the wire types give today, and real messages fit them.

#![expect(clippy::disallowed_methods, reason = "what was committed lies in files")]
#![expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use serde_json::{Value, json};

fn committed(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn openapi_is_fresh() {
    let now = serde_json::to_string_pretty(&handraise_protocol::openapi()).unwrap() + "\n";
    assert_eq!(committed("openapi.json"), now, "run `make generate`");
}

#[test]
fn typescript_is_fresh() {
    let path = "../../sdk/typescript/src/generated/protocol.ts";
    assert_eq!(committed(path), handraise_protocol::typescript(), "run `make generate`");
}

#[test]
fn names_of_secrets_are_fresh_in_every_language() {
    let typescript = committed("../../sdk/typescript/src/generated/secret-names.ts");
    assert_eq!(typescript, handraise_protocol::secret_names_typescript(), "run `make generate`");
    let python = committed("../../sdk/python/src/handraise/_secret_names.py");
    assert_eq!(python, handraise_protocol::secret_names_python(), "run `make generate`");
}

/// A validator for one schema of the OpenAPI document.
fn validator(schema: &str) -> jsonschema::Validator {
    let mut document = handraise_protocol::openapi();
    document["$ref"] = json!(format!("#/components/schemas/{schema}"));
    jsonschema::validator_for(&document).unwrap()
}

#[test]
fn real_messages_fit_the_document() {
    let request = json!({
        "tool": "Bash", "arguments": { "command": "npm test" }, "agent": "claude-code",
        "session": "s1", "risk": "write", "annotations": { "destructiveHint": false }, "timeout_seconds": 60
    });
    assert!(validator("ApprovalRequest").is_valid(&request));
    serde_json::from_value::<handraise_protocol::ApprovalRequest>(request).unwrap();

    let typo: Value = json!({ "tool": "Bash", "arguements": {} });
    assert!(!validator("ApprovalRequest").is_valid(&typo));
    let error = serde_json::from_value::<handraise_protocol::ApprovalRequest>(typo).unwrap_err();
    assert!(error.to_string().contains("arguements"), "{error}");

    let decision = json!({ "decision": "approve", "scope": "session", "arguments_hash": "ab" });
    assert!(validator("DecisionRequest").is_valid(&decision));
}

#[test]
fn every_schema_that_a_route_names_exists() {
    let document = handraise_protocol::openapi();
    for route in handraise_protocol::ROUTES {
        for name in [route.body, route.answer].into_iter().flatten() {
            assert!(document["components"]["schemas"][name].is_object(), "{name} of {}", route.path);
        }
    }
}
