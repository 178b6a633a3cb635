//! The OpenAPI 3.1 document, assembled from the wire types' schemas and the table of routes.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::{
    Access, AnswerRequest, ApprovalPage, ApprovalRequest, ApprovalResult, BatchRequest, BatchResult, Challenge,
    ChallengeProof, ConfinedCommand, Credential, DecisionRequest, DecisionResponse, DenyAllRequest, DenyAllResponse,
    EvaluationResult, Event, Grant, Health, KeptCalls, ModeRequest, ModeState, PolicyCheck, PolicyEtag, PolicyText,
    PolicyView, Preview, PreviewRequest, Problem, PutBackRequest, PutBackResult, QuestionList, QuestionRequest,
    QuestionResult, ROUTES, Revealed, Route, SessionList, Suggestions, SurfaceList, WallsReport,
};

/// What a requester is held to, for people who read the document.
const LIMITS: &str = "Limits. A body has at most 1 MiB, the arguments of a call at most 2 000 values. Of one credential, \
250 requests can wait for a person, 50 of them in one session (and one batch of up to 64 more), with 16 MiB of \
arguments together; every credential has room for 50, whatever the others have. In the long run a credential may make \
200 calls and send 4 MiB of arguments in a second; 5 000 calls and 64 MiB at once. More is refused with 429, \
`too_many_requests` and `Retry-After`. Requesters share the gate in turn: a call waits for at most one call of each \
other one.\n\n\
An approval is handed out once: to whoever waits for it. A requester that went away can come back with its idempotency \
key within 60 seconds. One that was answered 202 uses the approval by redeeming it, within 15 minutes of the \
decision; looking does not use it. Of two that wait with the same key, only the later one gets the answer.";

/// The OpenAPI 3.1 document of this version of the API.
#[must_use]
pub fn openapi() -> Value {
    let mut paths = Map::new();
    for route in ROUTES {
        let item = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Value::Object(item) = item {
            item.insert(route.method.as_str().to_lowercase(), operation(route));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Handraise",
            "version": "1",
            "description": format!("The local API of Handraise. Served on 127.0.0.1 and on a Unix socket only.\n\n{LIMITS}"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" }
        },
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {
                "requester": { "type": "http", "scheme": "bearer", "description": "May ask." },
                "approver": { "type": "http", "scheme": "bearer", "description": "May decide." }
            }
        }
    })
}

fn schemas() -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    generator.subschema_for::<AnswerRequest>();
    generator.subschema_for::<ApprovalPage>();
    generator.subschema_for::<ApprovalRequest>();
    generator.subschema_for::<ApprovalResult>();
    generator.subschema_for::<BatchRequest>();
    generator.subschema_for::<BatchResult>();
    generator.subschema_for::<Challenge>();
    generator.subschema_for::<ChallengeProof>();
    generator.subschema_for::<Credential>();
    generator.subschema_for::<DecisionRequest>();
    generator.subschema_for::<DecisionResponse>();
    generator.subschema_for::<DenyAllRequest>();
    generator.subschema_for::<DenyAllResponse>();
    generator.subschema_for::<EvaluationResult>();
    generator.subschema_for::<Event>();
    generator.subschema_for::<Grant>();
    generator.subschema_for::<Health>();
    generator.subschema_for::<ConfinedCommand>();
    generator.subschema_for::<WallsReport>();
    generator.subschema_for::<KeptCalls>();
    generator.subschema_for::<ModeRequest>();
    generator.subschema_for::<ModeState>();
    generator.subschema_for::<PolicyCheck>();
    generator.subschema_for::<PolicyEtag>();
    generator.subschema_for::<PolicyText>();
    generator.subschema_for::<PolicyView>();
    generator.subschema_for::<Preview>();
    generator.subschema_for::<PreviewRequest>();
    generator.subschema_for::<Problem>();
    generator.subschema_for::<PutBackRequest>();
    generator.subschema_for::<PutBackResult>();
    generator.subschema_for::<QuestionList>();
    generator.subschema_for::<QuestionRequest>();
    generator.subschema_for::<QuestionResult>();
    generator.subschema_for::<Revealed>();
    generator.subschema_for::<SessionList>();
    generator.subschema_for::<Suggestions>();
    generator.subschema_for::<SurfaceList>();
    let mut schemas = generator.take_definitions(true);
    let list = |of: &str| json!({ "type": "array", "items": reference(of) });
    schemas.insert("Grants".to_owned(), list("Grant"));
    schemas.insert("Credentials".to_owned(), list("Credential"));
    Value::Object(schemas)
}

fn operation(route: &Route) -> Value {
    let security = match route.access {
        Access::Anyone => json!([]),
        Access::Requester => json!([{ "requester": [] }]),
        Access::Approver => json!([{ "approver": [] }]),
        Access::Both => json!([{ "requester": [] }, { "approver": [] }]),
    };
    let query = route.query.iter().map(|(name, meaning)| {
        json!({ "name": name, "in": "query", "description": meaning, "schema": { "type": "string" } })
    });
    let header = route.header.iter().map(|(name, meaning)| {
        json!({ "name": name, "in": "header", "description": meaning, "required": true, "schema": { "type": "string" } })
    });
    let in_path = route
        .path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }));
    let parameters: Vec<Value> = in_path.chain(query).chain(header).collect();
    let answer = route.answer.map_or_else(|| json!({}), reference);
    let mut operation = json!({
        "summary": route.summary,
        "security": security,
        "parameters": parameters,
        "responses": {
            "200": { "description": "Done", "content": { route.media_type: { "schema": answer } } },
            "default": {
                "description": "Refused",
                "content": { "application/problem+json": { "schema": reference("Problem") } }
            }
        }
    });
    if let (Access::Requester | Access::Both, Some(Value::Object(responses))) =
        (route.access, operation.get_mut("responses"))
    {
        let header = json!({ "description": "Seconds after which to try again", "schema": { "type": "integer" } });
        let refused = json!({
            "description": "Too much is going on at once",
            "headers": { "Retry-After": header },
            "content": { "application/problem+json": { "schema": reference("Problem") } }
        });
        responses.insert("429".to_owned(), refused);
    }
    if let (Some(body), Value::Object(operation)) = (route.body, &mut operation) {
        let content = json!({ "required": true, "content": { "application/json": { "schema": reference(body) } } });
        operation.insert("requestBody".to_owned(), content);
    }
    operation
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}
