//! Redaction against the corpora of secrets and look-alikes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use handraise_redaction::Redactor;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    kind: String,
    text: String,
    secret_spans: Vec<String>,
    must_redact: bool,
}

fn cases(lines: &str) -> Vec<Case> {
    lines.lines().filter(|line| !line.trim().is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The cases that fail, each with what it became.
fn failures(cases: &[Case]) -> Vec<String> {
    let redactor = Redactor::new([7; 32]);
    let mut failures = Vec::new();
    for case in cases {
        let got = redactor.text(&case.text).text;
        let leaks = case.secret_spans.iter().any(|span| got.contains(span.as_str()));
        let expected = if case.must_redact { "no secret left" } else { "unchanged" };
        let fails = if case.must_redact { leaks || case.secret_spans.is_empty() } else { got != case.text };
        if fails {
            failures.push(format!(
                "{} {}: expected {expected}\n  from {:?}\n  got  {got:?}",
                case.id, case.kind, case.text
            ));
        }
    }
    failures
}

#[test]
fn every_secret_of_the_corpus_is_redacted_and_no_look_alike_is_touched() {
    let failures = failures(&cases(include_str!("data/secrets.jsonl")));
    assert!(failures.is_empty(), "{} cases fail\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_further_secret_is_redacted_and_no_further_look_alike_is_touched() {
    let failures = failures(&cases(include_str!("data/secrets_more.jsonl")));
    assert!(failures.is_empty(), "{} cases fail\n{}", failures.len(), failures.join("\n"));
}
