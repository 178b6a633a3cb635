//! What the documents show of the policy is what the program reads.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use handraise_policy::rules::parse;

/// The blocks of `document` that are marked as `language`.
fn blocks<'a>(document: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    document.split(&fence).skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect()
}

#[test]
fn every_policy_in_the_documents_can_be_used_as_it_stands() {
    let documents = [
        ("README.md", include_str!("../../../README.md")),
        ("docs/policy.md", include_str!("../../../docs/policy.md")),
        ("docs/always-asked.md", include_str!("../../../docs/always-asked.md")),
        ("docs/authzen.md", include_str!("../../../docs/authzen.md")),
        ("docs/opentelemetry.md", include_str!("../../../docs/opentelemetry.md")),
    ];
    for (name, document) in documents {
        let policies = blocks(document, "toml");
        assert!(!policies.is_empty(), "{name}");
        for policy in policies {
            let loaded = parse(policy).map_err(|diagnostics| format!("{name}: {diagnostics:?}"));
            let warnings = loaded.unwrap().warnings;
            assert_eq!(warnings, [], "{name}");
        }
    }
}

#[test]
fn the_policy_that_a_new_user_gets_can_be_used_with_every_comment_taken_away() {
    let text = include_str!("../../server/src/policy_file/starting_policy.toml");
    parse(text).unwrap();
    let commented = |line: &&str| {
        let rest = line.strip_prefix("# ").unwrap_or_default();
        rest.starts_with('[')
            || rest
                .split_once('=')
                .is_some_and(|(key, _)| key.trim().chars().all(|c| c.is_ascii_lowercase() || c == '_'))
    };
    let examples: String = text
        .lines()
        .filter(|line| !line.starts_with('#') || commented(line))
        .map(|line| format!("{}\n", line.strip_prefix("# ").unwrap_or(line)))
        .collect();
    parse(&examples).map_err(|diagnostics| format!("{diagnostics:?}\n{examples}")).unwrap();
}
