//! A change that nobody confirmed.

use super::*;
use Action::{Allow, Ask, Deny};

const OLD: &str = concat!(
    "version = 1\n",
    "[[rule]]\npattern = \"look\"\naction = \"allow\"\n[[rule]]\npattern = \"wipe\"\naction = \"deny\"\n"
);
const RULES: &str =
    "[[rule]]\npattern = \"look\"\naction = \"allow\"\n[[rule]]\npattern = \"wipe\"\naction = \"deny\"\n";

fn changed(new: &str) -> (PolicyInForce, PolicyDifference) {
    let (old, new) = (policy(OLD), policy(new));
    let difference = difference(&old, &new);
    (PolicyInForce { confirmed: old, unconfirmed: Some(new) }, difference)
}

fn action(in_force: &PolicyInForce, tool: &str) -> Action {
    in_force.decide(&request(tool, "{}"), at(0)).action
}

#[test]
fn a_new_allow_rule_waits_for_a_person() {
    let (in_force, difference) = changed(&format!("{OLD}[[rule]]\npattern = \"edit\"\naction = \"allow\"\n"));
    assert_eq!(action(&in_force, "edit"), Ask);
    assert_eq!(action(&in_force, "look"), Allow);
    assert!(difference.loosens);
    let added: Vec<(&str, Option<u32>)> = difference.added.iter().map(|r| (r.text.as_str(), r.line)).collect();
    assert_eq!(added, [("edit", Some(8))]);
}

#[test]
fn a_new_denial_holds_at_once() {
    let (in_force, difference) = changed(&format!("{OLD}[[rule]]\npattern = \"look\"\naction = \"deny\"\n"));
    assert_eq!(action(&in_force, "look"), Deny);
    assert!(!difference.loosens);
}

#[test]
fn a_denial_that_is_gone_stays_until_a_person_agrees() {
    let (in_force, difference) = changed("version = 1\n[[rule]]\npattern = \"look\"\naction = \"allow\"\n");
    assert_eq!(action(&in_force, "wipe"), Deny);
    assert!(difference.loosens);
    assert_eq!(difference.removed.len(), 1);
}

#[test]
fn a_looser_default_waits_for_a_person() {
    let (in_force, difference) = changed(&format!("version = 1\npreset = \"autonomous\"\n{}", RULES));
    assert_eq!(action(&in_force, "edit"), Ask);
    assert!(difference.loosens);
    let keys: Vec<&str> = difference.settings.iter().map(|change| change.key.as_str()).collect();
    assert_eq!(keys, ["risk.write", "risk.destructive", "unknown_tools"]);
}

#[test]
fn what_only_tightens_needs_nobody() {
    for new in [
        OLD.to_owned(),
        format!("# words\n{OLD}"),
        format!("version = 1\nunknown_tools = \"deny\"\n{}", RULES),
        "version = 1\n[[rule]]\npattern = \"wipe\"\naction = \"deny\"\n".to_owned(),
        format!("version = 1\ntimeout = \"1m\"\n{}", RULES),
        format!("version = 1\nredaction = {{ keys = [\"pin\"] }}\n{}", RULES),
    ] {
        assert!(!changed(&new).1.loosens, "{new}: {:?}", changed(&new).1);
    }
}

#[test]
fn what_may_loosen_needs_a_person() {
    let turned = "version = 1\n[[rule]]\npattern = \"wipe\"\naction = \"deny\"\n[[rule]]\npattern = \"look\"\naction = \"allow\"\n";
    assert_eq!(changed(turned).1.moved.len(), 2);
    for new in [
        turned.to_owned(),
        format!("{OLD}[[rule]]\npattern = \"*\"\naction = \"ask\"\n"),
        format!("{OLD}[agent.codex]\nrisk = {{ write = \"allow\" }}\n"),
        format!("{OLD}[agent.codex]\nrule = [{{ pattern = \"*\", action = \"allow\" }}]\n"),
        format!("version = 1\ntrusted_servers = [\"x\"]\n{}", RULES),
    ] {
        assert!(changed(&new).1.loosens, "{new}");
    }
}

#[test]
fn what_either_policy_asks_about_is_asked_about() {
    let one = |command: &str, action: &str| {
        format!("[[rule]]\ntool = \"shell\"\ncommand = \"{command}\"\naction = \"{action}\"\n")
    };
    let text = |make: &str, npm: &str| format!("version = 1\n{}{}", one("make *", make), one("npm *", npm));
    let in_force =
        PolicyInForce { confirmed: policy(&text("ask", "allow")), unconfirmed: Some(policy(&text("allow", "ask"))) };
    let request = shell("make all && npm test");
    let decision = in_force.decide(&request, at(0));
    let asked: Vec<&str> =
        decision.asked_parts(request.command.as_ref().unwrap()).map(|part| part.text.as_str()).collect();
    assert_eq!((decision.action, asked), (Ask, vec!["make all", "npm test"]));
}
