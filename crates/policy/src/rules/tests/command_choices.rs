//! Simple commands of a line that an answer covers without the others.

use super::*;
use crate::{Breadth, Coverage, GrantChoice, Scope, choices, choices_of_commands, rule_from_approval};

fn decided(request: &Request) -> PolicyDecision {
    Policy::from_preset(Preset::Strict).decide(request, at(0))
}

fn always(choices: Vec<GrantChoice>) -> Option<GrantChoice> {
    choices.into_iter().find(|choice| (choice.scope, choice.breadth) == (Scope::Always, Breadth::Prefix))
}

fn patterns(choice: &GrantChoice) -> Vec<(&str, &[usize])> {
    choice.commands.iter().map(|one| (one.remembers.as_str(), one.positions.as_slice())).collect()
}

fn draft(request: &Request, commands: &[usize]) -> Option<String> {
    let coverage = Coverage { breadth: Breadth::Prefix, commands: Some(commands) };
    Some(rule_from_approval(request, &decided(request), coverage, Scope::Always)?.toml)
}

#[test]
fn each_command_can_be_remembered_without_the_others() {
    let asked = shell("cargo test -q && make lint && cargo test --doc");
    let choice = always(choices(&asked, &decided(&asked))).unwrap();
    assert_eq!(patterns(&choice), [("cargo test *", [0, 2].as_slice()), ("make lint *", [1].as_slice())]);
    assert!(choices_of_commands(&asked, &decided(&asked)).is_empty());
    let rules: String = choice.commands.iter().filter_map(|one| one.rule.clone()).collect::<Vec<_>>().join("\n");
    assert_eq!(choice.rule, Some(rules), "together they write what the whole answer writes");
    assert!(choice.editable_rule.is_none() && choice.commands.iter().all(|one| one.editable_rule.is_some()));

    let lint = draft(&asked, &[1]).unwrap();
    let strict = format!("preset = \"strict\"\n{lint}");
    assert_eq!(by(&strict, &shell("make lint")), Action::Allow);
    assert_eq!(by(&strict, &asked), Action::Ask, "the others are asked about again");
    assert_eq!(draft(&asked, &[0]), draft(&asked, &[0, 2]), "one pattern covers both");
}

#[test]
fn where_some_must_not_be_left_open_the_others_can_be_remembered_by_name_only() {
    let asked = shell("cargo test -q && git push origin main");
    let decision = decided(&asked);
    assert_eq!(always(choices(&asked, &decision)), None);
    assert_eq!(rule_from_approval(&asked, &decision, Breadth::Prefix, Scope::Always), None);
    let choice = always(choices_of_commands(&asked, &decision)).unwrap();
    assert_eq!(patterns(&choice), [("cargo test *", [0].as_slice())]);
    assert_eq!(choice.remembers, "Every cargo test *, in every project");
    assert_eq!(choice.rule, choice.commands[0].rule);
    for wrong in [&[1][..], &[0, 1], &[], &[7]] {
        assert_eq!(draft(&asked, wrong), None, "{wrong:?}");
    }
}

#[test]
fn there_is_nothing_to_choose_where_one_pattern_covers_all_or_none_may_be_left_open() {
    for line in ["cargo test -q", "cargo test -q && cargo test --doc", "git push && git push --tags"] {
        let asked = shell(line);
        let decision = decided(&asked);
        let all = choices(&asked, &decision).into_iter().chain(choices_of_commands(&asked, &decision));
        assert!(all.into_iter().all(|choice| choice.commands.is_empty()), "{line}");
    }
    let allowed = shell("git status && cargo test -q");
    let practical = Policy::from_preset(Preset::Practical).decide(&allowed, at(0));
    let choice = always(choices(&allowed, &practical)).unwrap();
    assert!(choice.commands.is_empty(), "what passes is not asked about: {:?}", choice.commands);
}

#[test]
fn what_destroys_is_not_remembered_in_part_either() {
    let asked = shell("cargo test -q && rm -rf build");
    let practical = Policy::from_preset(Preset::Strict).decide(&asked, at(0));
    assert_eq!(practical.risk.level, RiskLevel::Destructive);
    assert!(choices_of_commands(&asked, &practical).is_empty());
}
