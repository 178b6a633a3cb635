//! "Exactly this" as a rule: what a person approved for a project or for good, and nothing beside it.

use super::*;
use crate::{Breadth, GrantChoice, Scope, choices, rule_from_approval};

fn decided(request: &Request) -> PolicyDecision {
    Policy::from_preset(Preset::Strict).decide(request, at(0))
}

fn exact_rule(request: &Request) -> Option<String> {
    Some(rule_from_approval(request, &decided(request), Breadth::Exact, Scope::Always)?.toml)
}

fn remembers(request: &Request, scope: Scope) -> String {
    let choices = choices(request, &decided(request)).into_iter();
    let exact = |choice: &GrantChoice| (choice.scope, choice.breadth) == (scope, Breadth::Exact);
    choices.filter(exact).map(|choice| choice.remembers).collect()
}

#[test]
fn exactly_a_compound_command_is_the_whole_line_and_none_of_its_parts() {
    for line in [
        "cd core && cargo test -q && git push origin main",
        "cargo build; git push origin main",
        "git log --oneline | tee notes.txt",
        "make > build.log",
        "git commit -m 'is it *done*?' && git push",
    ] {
        let asked = shell(line);
        let rule = exact_rule(&asked).unwrap_or_else(|| panic!("{line}"));
        assert!(rule.contains("command_line = "), "{rule}");
        assert_eq!(by(&rule, &asked), Action::Allow, "{line}\n{rule}");
        let parts = asked.command.iter().flat_map(|line| &line.parts).map(|part| part.text.clone());
        let others = [format!("{line} && touch x"), format!("touch x; {line}"), line.replace(' ', "  ")];
        for other in parts.filter(|part| part != line && !part.starts_with("git log")).chain(others) {
            let action = by(&format!("preset = \"strict\"\n{rule}"), &shell(&other));
            assert_eq!(action, Action::Ask, "{other:?} by\n{rule}");
        }
        let said = remembers(&asked, Scope::Always);
        assert!(said.starts_with("Exactly this whole command line, in every project: "), "{said}");
    }
}

#[test]
fn exactly_a_simple_command_is_that_command() {
    let asked = shell("git push origin main");
    let rule: toml::Table = toml::from_str(&exact_rule(&asked).unwrap()).unwrap();
    let wanted = toml::toml! {
        [[rule]]
        tool = "shell"
        command = "git push origin main"
        action = "allow"
    };
    assert_eq!(rule, wanted);
    assert_eq!(
        remembers(&asked, Scope::Project),
        "Exactly git push origin main, alone or beside others, in this project"
    );
}

#[test]
fn a_rule_about_a_file_says_that_any_content_passes() {
    let said = remembers(&write("notes.txt"), Scope::Always);
    assert_eq!(said, format!("Writing {PROJECT}/notes.txt, whatever is written, in every project"));
}

#[test]
fn a_whole_line_that_was_not_understood_or_may_run_something_else_next_time_is_not_allowed_by_its_text() {
    for line in ["git push `cat branch` && make", "git push $(cat branch) && make"] {
        assert_eq!(exact_rule(&shell(line)), None, "{line}");
    }
    let line = "git push `cat branch` && make";
    let rule = format!("[[rule]]\ntool = \"shell\"\ncommand_line = {line:?}\naction = \"allow\"");
    assert_eq!(by(&rule, &shell(line)), Action::Ask);
}

#[test]
fn a_whole_line_is_denied_with_other_blanks_too_and_its_parts_are_not() {
    let rule = "[[rule]]\ncommand_line = \"make && git push\"\naction = \"deny\"";
    assert_eq!(by(rule, &shell("make  &&\tgit push")), Action::Deny);
    assert_eq!(by(rule, &shell("git push")), Action::Ask);
}

#[test]
fn a_command_line_of_a_rule_is_seen_whole() {
    for (line, code) in [
        ("", "policy::bad_command_line"),
        (" ", "policy::bad_command_line"),
        ("ls \\u202e", "policy::bad_command_line"),
    ] {
        let text = format!("version = 1\n[[rule]]\ncommand_line = \"{line}\"\naction = \"allow\"");
        let errors = parse(&text).unwrap_err();
        assert!(errors.iter().any(|error| error.code == code), "{errors:?}");
    }
}
