//! Decisions taken apart.

use super::*;
use Action::{Allow, Ask};

const RULES: &str = "version = 1\npreset = \"strict\"\n\
    [[rule]]\ntool = \"shell\"\ncommand = \"find *\"\naction = \"allow\"\n\
    [[rule]]\ntool = \"shell\"\ncommand = \"find *\"\nagents = \"codex\"\naction = \"ask\"\n";

#[test]
fn every_rule_that_was_looked_at_says_why_it_did_not_match() {
    let explanation = policy(RULES).explain(&shell("find . -delete"), at(0));
    assert_eq!(explanation.action, Ask);
    let part = &explanation.parts[0];
    assert_eq!(part.text, "find . -delete");
    let considered: Vec<(Option<u32>, bool, bool)> =
        part.considered.iter().map(|rule| (rule.rule.line, rule.matched, rule.decided)).collect();
    assert_eq!(considered, [(Some(3), false, false), (Some(7), false, false)]);
    assert!(part.considered[0].because.as_ref().unwrap().contains("-delete"), "{part:#?}");
    assert_eq!(part.considered[1].because.as_deref(), Some("the agent is not named"));
}

#[test]
fn the_rule_that_decided_is_named() {
    let explanation = policy(RULES).explain(&shell("find . -name x"), at(0));
    assert_eq!(explanation.action, Allow);
    assert_eq!(explanation.rule.unwrap().text, "tool = \"shell\", command = \"find *\"");
    assert!(explanation.parts[0].considered[0].decided);
}

#[test]
fn an_explanation_and_a_decision_agree() {
    let policy = policy(RULES);
    for line in ["find . -name x", "find . -delete", "ls; find .", "$(x)", "> a", "cat < b > c"] {
        let (request, now) = (shell(line), at(0));
        let (decision, explanation) = (policy.decide(&request, now), policy.explain(&request, now));
        assert_eq!(decision.action, explanation.action, "{line}");
        let parts: Vec<_> = explanation.parts.iter().map(|part| (part.kind, part.text.clone(), part.action)).collect();
        let decided: Vec<_> = decision.parts.iter().map(|part| (part.kind, part.text.clone(), part.action)).collect();
        assert_eq!(parts, decided, "{line}");
    }
}
