//! Commands in which a rule that denies or asks has to find its program, and others that only look as if.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use handraise_shell::{CommandLine, CommandPattern, MayRun, RuleMatch, Shell};
use serde_json::Value;

const CORPUS: &str = include_str!("data/deny_rules.jsonl");

struct Case {
    rule: String,
    line: String,
    /// `yes`: it surely runs; `perhaps`: a person is asked; `found`: one of both; `no`.
    expected: String,
}

fn cases() -> Vec<Case> {
    let case = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap().to_owned();
        Case { rule: text("rule"), line: text("line"), expected: text("expected") }
    };
    CORPUS.lines().map(case).collect()
}

fn touch(case: &Case, shell: Shell) -> RuleMatch {
    let pattern = CommandPattern::parse(&case.rule).unwrap();
    let line = CommandLine::analyse(&case.line, shell);
    match line.obstacle {
        Some(_) => pattern.touch(&MayRun::of_line(&line)),
        None => line.parts.iter().map(|part| pattern.touch(&MayRun::of_part(part))).max().unwrap_or(RuleMatch::No),
    }
}

/// The cases of which `is_wrong`, in words.
fn wrong(is_wrong: impl Fn(&str, RuleMatch) -> bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases() {
        for shell in [Shell::Unknown, Shell::Bash] {
            let touch = touch(&case, shell);
            if is_wrong(&case.expected, touch) {
                wrong.push(format!("{} | {} is {touch:?} in {shell:?}, not {}", case.rule, case.line, case.expected));
            }
        }
    }
    wrong
}

#[test]
fn a_denied_program_is_not_missed_inside_of_another_command() {
    let missed = wrong(|expected, touch| expected != "no" && touch == RuleMatch::No);
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn what_surely_runs_a_denied_program_is_denied_and_what_only_may_is_asked_about() {
    let unsure = wrong(|expected, touch| match expected {
        "yes" => touch == RuleMatch::Perhaps,
        "perhaps" => touch == RuleMatch::Yes,
        _ => false,
    });
    assert!(unsure.is_empty(), "{} wrong:\n{}", unsure.len(), unsure.join("\n"));
}

#[test]
fn a_command_that_only_mentions_a_denied_program_is_left_alone() {
    let stopped = wrong(|expected, touch| expected == "no" && touch != RuleMatch::No);
    assert!(stopped.is_empty(), "{} stopped:\n{}", stopped.len(), stopped.join("\n"));
}
