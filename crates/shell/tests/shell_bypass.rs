//! Command lines that try to get past an allow rule, and ordinary ones that must not be held up.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use handraise_shell::RiskLevel;
use handraise_shell::risk::classify_command;
use handraise_shell::{CommandLine, CommandPattern, Shell};
use serde_json::Value;

const CORPUS: &str = include_str!("data/shell_bypass.jsonl");
const MORE: &str = include_str!("data/shell_bypass_more.jsonl");
/// Programs that stand in neither of the others, from their manuals.
const PROGRAMS: &str = include_str!("data/shell_bypass_programs.jsonl");

/// Cases that must not pass unasked and of which a file on the disk decides: what reads it is tried elsewhere.
const ON_DISK: &[(&str, &str)] = &[
    ("s2-041", "the settings of the repository in `vendor/lib`"),
    ("s2-062", "the program that the repository's settings name for signatures"),
];

/// How much of the ordinary commands may be asked about.
const MAX_CORE: f64 = 0.02;
const MAX_STRETCH: f64 = 0.25;

struct Case(Value);

impl Case {
    fn text(&self, key: &str) -> &str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    fn patterns(&self) -> Vec<CommandPattern> {
        let rules = self.0.get("rules").and_then(Value::as_array).unwrap();
        rules.iter().filter_map(|rule| CommandPattern::parse(rule.as_str().unwrap()).ok()).collect()
    }

    fn is_allowed(&self, shell: Shell) -> bool {
        let patterns = self.patterns();
        let line = CommandLine::analyse(self.text("command"), shell);
        line.obstacle.is_none()
            && !line.parts.is_empty()
            && line.parts.iter().all(|part| patterns.iter().any(|pattern| pattern.covers(part)))
    }

    /// What an answer is judged by, for a failure.
    fn describe(&self) -> String {
        let line = CommandLine::analyse(self.text("command"), Shell::Bash);
        let refusals: Vec<String> = self
            .patterns()
            .iter()
            .flat_map(|pattern| line.parts.iter().filter_map(|part| pattern.refusal(part)))
            .collect();
        let words: Vec<Vec<&str>> =
            line.parts.iter().map(|part| part.words.iter().map(|word| word.text.as_str()).collect()).collect();
        format!(
            "{} rules {} command {:?}: obstacle {:?}, parts {words:?}, refusals {refusals:?}",
            self.text("id"),
            self.0.get("rules").unwrap(),
            self.text("command").chars().take(200).collect::<String>(),
            line.obstacle
        )
    }
}

fn cases() -> Vec<Case> {
    [CORPUS, MORE, PROGRAMS]
        .into_iter()
        .flat_map(str::lines)
        .map(|line| Case(serde_json::from_str(line).unwrap()))
        .collect()
}

#[test]
fn nothing_gets_past_a_rule_even_when_the_shell_is_not_told() {
    let mut failures = Vec::new();
    let is_tried_here = |id: &str| !ON_DISK.iter().any(|(on_disk, _)| *on_disk == id);
    let cases = cases();
    for case in cases.iter().filter(|case| case.text("must") == "not-allow" && is_tried_here(case.text("id"))) {
        // A case for bash has to hold in bash and where the shell is not known, one for zsh there too.
        let named = Shell::of("shell", Some(case.text("shell")));
        if case.is_allowed(Shell::of("shell", None)) || case.is_allowed(named) {
            failures.push(case.describe());
        }
    }
    assert!(failures.is_empty(), "{} allowed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn ordinary_commands_are_not_held_up() {
    for (tier, most) in [("core", MAX_CORE), ("stretch", MAX_STRETCH)] {
        let cases: Vec<Case> =
            cases().into_iter().filter(|case| case.text("must") == "may-allow" && case.text("tier") == tier).collect();
        for shell in [Shell::Bash, Shell::Zsh, Shell::Unknown] {
            let failures: Vec<String> =
                cases.iter().filter(|case| !case.is_allowed(shell)).map(Case::describe).collect();
            let count = |number: usize| f64::from(u32::try_from(number).unwrap());
            let share = count(failures.len()) / count(cases.len());
            let all = failures.join("\n");
            assert!(share <= most, "{} of {} {tier} not allowed in {shell:?}:\n{all}", failures.len(), cases.len());
        }
    }
}

/// The practical preset lets pass what only looks, and asks about the rest.
#[test]
fn what_must_not_pass_without_a_rule_does_not_only_look() {
    let looks = |case: &&Case| {
        let line = CommandLine::analyse(case.text("command"), Shell::Bash);
        classify_command(&line).level == RiskLevel::ReadOnly
    };
    let cases = cases();
    let wrong: Vec<&str> = cases
        .iter()
        .filter(|case| case.0.get("default_too").and_then(Value::as_bool) == Some(true))
        .filter(|case| case.text("class") == "looks-only")
        .filter(|case| !ON_DISK.iter().any(|(id, _)| *id == case.text("id")))
        .filter(looks)
        .map(|case| case.text("command"))
        .collect();
    assert!(wrong.is_empty(), "{} pass unasked:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn rules_that_are_too_broad_are_warned_about_and_others_are_not() {
    let mut failures = Vec::new();
    for case in cases() {
        let Some(expected) = case.0.get("rule_lint").and_then(Value::as_bool) else { continue };
        // The second collection marks the rules that are too broad and says nothing of the others.
        if case.text("id").starts_with("s2-") && !expected {
            continue;
        }
        let rules = case.0.get("rules").and_then(Value::as_array).unwrap();
        // A rule that is refused is told about as well.
        let warned = rules.iter().any(|rule| {
            CommandPattern::parse(rule.as_str().unwrap()).map_or(true, |pattern| !pattern.warnings().is_empty())
        });
        if warned != expected {
            failures.push(format!(
                "{} {}: warned {warned}, expected {expected}",
                case.text("id"),
                case.0.get("rules").unwrap()
            ));
        }
    }
    assert!(failures.is_empty(), "{} wrong:\n{}", failures.len(), failures.join("\n"));
}
