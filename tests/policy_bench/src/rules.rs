//! The same rules for every engine, and the calls that they are asked about.

use std::fmt::Write as _;

/// Sub-commands of one program that have a rule.
const RULES_PER_PROGRAM: usize = 10;

/// One rule: this sub-command of this program passes, or is refused.
pub struct Rule {
    pub program: String,
    pub sub_command: String,
    pub allow: bool,
}

/// One command line, as an agent writes it and as an engine that reads no command lines must be told.
pub struct Call {
    pub line: &'static str,
    /// Program and operands of each simple command.
    pub simple: &'static [(&'static str, &'static str)],
}

/// Both halves have a rule.
pub const COVERED: Call =
    Call { line: "cargo test -p core && git status", simple: &[("cargo", "test -p core"), ("git", "status")] };
/// No rule is about it.
pub const UNKNOWN: Call = Call { line: "unheard-of --flag value", simple: &[("unheard-of", "--flag value")] };
/// Whether each of these passes with any number of rules.
pub const SAMPLE: &[(Call, bool)] = &[
    (COVERED, true),
    (UNKNOWN, false),
    (Call { line: "git status", simple: &[("git", "status")] }, true),
    (Call { line: "git statuses", simple: &[("git", "statuses")] }, false),
    (Call { line: "git push origin", simple: &[("git", "push origin")] }, false),
    (Call { line: "git status && git push origin", simple: &[("git", "status"), ("git", "push origin")] }, false),
    (Call { line: "tool-0 task-0 now", simple: &[("tool-0", "task-0 now")] }, true),
    (Call { line: "tool-0 task-1 now", simple: &[("tool-0", "task-1 now")] }, false),
    (Call { line: "tool-0 task-10 now", simple: &[("tool-0", "task-10 now")] }, false),
];

/// `count` rules, every second of which allows; those for the calls above stand in the middle.
pub fn rules(count: usize) -> Vec<Rule> {
    let rule = |program: &str, sub_command: &str, allow| Rule {
        program: program.to_owned(),
        sub_command: sub_command.to_owned(),
        allow,
    };
    let mut rules: Vec<Rule> = (0..count - 3)
        .map(|number| {
            let (program, task) = (number / RULES_PER_PROGRAM, number % RULES_PER_PROGRAM);
            rule(&format!("tool-{program}"), &format!("task-{task}"), task % 2 == 0)
        })
        .collect();
    let middle = rules.len() / 2;
    let asked_about = [rule("cargo", "test", true), rule("git", "status", true), rule("git", "push", false)];
    rules.splice(middle..middle, asked_about);
    rules
}

/// The rules when all are about sub-commands of `git`: the worst case for an index by program.
pub fn rules_of_one_program(count: usize) -> Vec<Rule> {
    let mut rules = rules(count);
    for (number, rule) in rules.iter_mut().enumerate().filter(|(_, rule)| rule.program.starts_with("tool-")) {
        rule.program = "git".to_owned();
        rule.sub_command = format!("task-{number}");
    }
    rules
}

/// The rules as a policy file in which nothing else passes.
pub fn as_policy_file(rules: &[Rule]) -> String {
    let mut text = String::from("version = 1\npreset = \"strict\"\n");
    for Rule { program, sub_command, allow } in rules {
        let action = if *allow { "allow" } else { "deny" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "[[rule]]\ntool = \"shell\"\ncommand = \"{program} {sub_command} *\"\naction = \"{action}\""
        );
    }
    text
}
