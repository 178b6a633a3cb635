//! What the rules say about a whole command line is never laxer than what they say about its pieces.
//!
//! The input is a command line and then rules, divided by NUL; the first byte of a rule says what
//! it does: `d` deny, `k` ask, anything else allow.

use super::{now, requoted, shell_request, toml_string};
use handraise_policy::{Action, Policy};
use handraise_shell::{CommandLine, Shell};

const MAX_RULES: usize = 8;
const UNINVITED: &str = "evil_program_x";

/// What holds of every text.
pub fn check(text: &str) {
    let mut pieces = text.split('\0');
    let command = pieces.next().unwrap_or_default();
    let rules = pieces.take(MAX_RULES).filter_map(rule).collect::<Vec<_>>();
    let Some(policy) = with_rules(&rules) else { return };
    let action = decide(&policy, command);

    a_rule_that_denies_never_loosens(&rules, command, action);
    if action == Action::Allow {
        every_piece_is_allowed(&policy, command);
        nothing_more_is_allowed(&policy, command);
    }
}

/// One rule as it stands in the file.
fn rule(piece: &str) -> Option<String> {
    let mut characters = piece.chars();
    let action = match characters.next()? {
        'd' => "deny",
        'k' => "ask",
        _ => "allow",
    };
    Some(rule_text(characters.as_str(), action))
}

fn rule_text(command: &str, action: &str) -> String {
    format!("[[rule]]\ntool = \"shell\"\ncommand = {}\naction = \"{action}\"\n", toml_string(command))
}

fn with_rules(rules: &[String]) -> Option<Policy> {
    handraise_policy::rules::parse(&format!("version = 1\n{}", rules.concat())).ok().map(|loaded| loaded.policy)
}

fn decide(policy: &Policy, command: &str) -> Action {
    policy.decide(&shell_request(command), now()).action
}

fn a_rule_that_denies_never_loosens(rules: &[String], command: &str, action: Action) {
    let program = CommandLine::analyse(command, Shell::Bash).parts.first().and_then(requoted);
    for pattern in [program.as_deref(), Some("git *"), Some("rm *")].into_iter().flatten() {
        let denying = [rule_text(pattern, "deny")];
        for more in [[&denying[..], rules].concat(), [rules, &denying[..]].concat()] {
            if let Some(policy) = with_rules(&more) {
                assert!(decide(&policy, command) >= action, "denying {pattern:?} made it laxer");
            }
        }
    }
}

fn every_piece_is_allowed(policy: &Policy, command: &str) {
    let line = CommandLine::analyse(command, Shell::Bash);
    assert_eq!(line.obstacle, None, "allowed without being understood");
    for part in &line.parts {
        let alone = requoted(part);
        if let Some(alone) = alone.filter(|text| CommandLine::analyse(text, Shell::Bash).obstacle.is_none()) {
            assert_eq!(decide(policy, &alone), Action::Allow, "{alone} is not allowed alone");
        }
    }
}

/// Whatever comes after an allowed line needs a rule of its own.
fn nothing_more_is_allowed(policy: &Policy, command: &str) {
    if command.ends_with('\\') || decide(policy, UNINVITED) == Action::Allow {
        return;
    }
    for glue in ["\n", " | ", " && ", "\n$(", " > "] {
        // Behind a comment, only a new line is still a command.
        if command.contains('#') && !glue.starts_with('\n') {
            continue;
        }
        let longer = format!("{command}{glue}{UNINVITED}");
        assert_ne!(decide(policy, &longer), Action::Allow, "{longer:?}");
    }
}
