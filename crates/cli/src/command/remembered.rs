//! What an approval remembers beyond its call, and for which commands of a line.

use handraise_display::line;
use handraise_protocol::{Action, Approval, DecisionRequest, Scope, ScopeChoice, ScopeCommands, SubjectView};

use crate::show;

/// Characters of a line of a rule that are shown.
const MAX_RULE_LINE: usize = 1000;

/// What the commands of a line that are left out come to.
const OTHERS: &str = "The other commands of the line are asked about again.";

/// What an approval would remember, as the server offers it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remembered<'a> {
    approval: &'a Approval,
    choice: &'a ScopeChoice,
}

impl<'a> Remembered<'a> {
    /// What `request` would remember; `None` where nothing is, or the server offers it in other words.
    pub(super) fn of(approval: &'a Approval, request: &DecisionRequest) -> Option<Self> {
        let is_meant = |choice: &&ScopeChoice| choice.scope == request.scope && choice.breadth == request.breadth;
        Some(Self { approval, choice: approval.scopes.iter().find(is_meant)? })
    }

    /// Commands of the line can be chosen.
    pub(super) fn is_chosen(self) -> bool {
        !self.choice.commands.is_empty()
    }

    /// The positions of all commands that can be chosen, as a decision names them.
    pub(super) fn all(self) -> Vec<u32> {
        self.choice.commands.iter().flat_map(|one| &one.commands).copied().collect()
    }

    /// The positions of the commands that have these numbers. What one pattern covers is covered together.
    ///
    /// # Errors
    /// A sentence that says which numbers there are.
    pub(super) fn numbered(self, numbers: &[u32]) -> Result<Vec<u32>, String> {
        let mut chosen: Vec<u32> = Vec::new();
        for number in numbers {
            let position = number.checked_sub(1);
            let is_meant = |one: &&ScopeCommands| position.is_some_and(|position| one.commands.contains(&position));
            let Some(one) = self.choice.commands.iter().find(is_meant) else {
                return Err(self.no_such(*number));
            };
            for position in &one.commands {
                if !chosen.contains(position) {
                    chosen.push(*position);
                }
            }
        }
        Ok(chosen)
    }

    fn no_such(self, number: u32) -> String {
        let offered: Vec<String> = self.choice.commands.iter().map(numbers).collect();
        match offered.as_slice() {
            [] => "This answer remembers no commands one by one: leave the numbers out.".to_owned(),
            offered => format!("Command {number} cannot be remembered by itself; what can is {}.", offered.join(", ")),
        }
    }

    /// What is remembered of the commands at `positions`, and whether the others are asked about again.
    pub(super) fn said(self, positions: Option<&[u32]>) -> String {
        let how_long = how_long(self.choice.scope);
        let Some(positions) = positions else {
            let rule = self.choice.rule.as_deref().into_iter().flat_map(rule_lines);
            return lines(format!("Remembered {how_long}: {}.", self.choice.remembers), rule);
        };
        let covered = self.choice.commands.iter().filter(|one| one.commands.iter().any(|at| positions.contains(at)));
        let covered: Vec<&ScopeCommands> = covered.collect();
        let patterns = covered.iter().map(|one| format!("every {}", one.remembers)).collect::<Vec<_>>().join(" and ");
        let rules = covered.iter().filter_map(|one| one.rule.as_deref()).flat_map(rule_lines);
        let others = self.leaves_asked(positions).then(|| OTHERS.to_owned());
        lines(format!("Remembered {how_long}: {patterns}."), rules.chain(others))
    }

    /// The commands that can be chosen, each with its number, what is remembered of it, and the rule that it writes.
    pub(super) fn offered(self) -> Vec<String> {
        let how_long = how_long(self.choice.scope);
        let mut shown = vec![String::new(), format!("Each of these can be remembered {how_long}, without the others:")];
        for one in &self.choice.commands {
            shown.push(format!("{:>6}  every {}", numbers(one), one.remembers));
            shown.extend(one.rule.as_deref().into_iter().flat_map(rule_lines));
        }
        if self.leaves_asked(&self.all()) {
            shown.push(OTHERS.to_owned());
        }
        shown
    }

    /// The line is asked about again when an answer covers the commands at `positions`.
    fn leaves_asked(self, positions: &[u32]) -> bool {
        let SubjectView::Command(command) = &self.approval.subject else { return false };
        let asks = |action: Action| action != Action::Allow;
        let is_covered = |at: Option<u32>| at.is_some_and(|at| positions.contains(&at));
        command.parts.iter().any(|part| asks(part.action) && !is_covered(part.command))
    }
}

/// What an answer of this scope covers in time, and that it becomes a rule.
fn how_long(scope: Scope) -> &'static str {
    match scope {
        Scope::Once => "for this call only",
        Scope::Minutes => "for fifteen minutes of this session",
        Scope::Session => "for the rest of this session",
        Scope::Project => "in this project from now on, as a rule",
        Scope::Always => "everywhere from now on, as a rule",
    }
}

/// `1, 3`: the numbers of commands, which count from one.
fn numbers(one: &ScopeCommands) -> String {
    one.commands.iter().map(|position| position.saturating_add(1).to_string()).collect::<Vec<_>>().join(", ")
}

fn rule_lines(rule: &str) -> impl Iterator<Item = String> {
    let rows = rule.lines().filter(|row| !row.is_empty());
    rows.map(|row| format!("{}{}", show::MARGIN, line(row, MAX_RULE_LINE)))
}

/// The rule of the person's own that is written instead of the usual one.
pub(super) fn own_rule(scope: Scope, rule: &str) -> String {
    lines(format!("This rule is written, {}:", how_long(scope)), rule_lines(rule))
}

fn lines(first: String, others: impl Iterator<Item = String>) -> String {
    std::iter::once(first).chain(others).collect::<Vec<_>>().join("\n")
}

/// `cargo test -q && make lint && cargo test --doc && git push`, where all but the last can be remembered.
#[cfg(test)]
pub(super) fn tickable() -> Approval {
    use handraise_protocol::{Breadth, RiskLevel};

    let one = |commands: &[u32], remembers: &str| ScopeCommands {
        commands: commands.to_vec(),
        remembers: remembers.to_owned(),
        rule: Some(format!("[[rule]]\ncommand = \"{remembers}\"\n")),
        editable_rule: None,
    };
    let choice = |scope| ScopeChoice {
        scope,
        breadth: Breadth::Prefix,
        remembers: "Every cargo test * and every make lint *".to_owned(),
        rule: None,
        editable_rule: None,
        commands: vec![one(&[0, 2], "cargo test *"), one(&[1], "make lint *")],
    };
    let mut approval = super::watch::sample(1, RiskLevel::Write, "cargo test -q && make lint && cargo test --doc");
    approval.scopes = vec![choice(Scope::Session), choice(Scope::Always)];
    approval
}

/// An approval that remembers with any operands.
#[cfg(test)]
pub(super) fn by_prefix(scope: Scope) -> DecisionRequest {
    use handraise_protocol::{Breadth, Decision};

    let approval = super::watch::sample(1, handraise_protocol::RiskLevel::Write, "make");
    DecisionRequest { breadth: Breadth::Prefix, ..super::answer::decision(&approval, Decision::Approve, scope, None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_said_with_its_rules() {
        let approval = tickable();
        let remembered = Remembered::of(&approval, &by_prefix(Scope::Always)).unwrap();
        assert_eq!(
            remembered.said(Some(&[1])),
            "Remembered everywhere from now on, as a rule: every make lint *.\n  │ [[rule]]\n  │ command = \"make lint *\""
        );
        let offered = remembered.offered().join("\n");
        for words in ["  1, 3  every cargo test *", "     2  every make lint *", "  │ command = \"cargo test *\""] {
            assert!(offered.contains(words), "{words}: {offered}");
        }
        assert_eq!(remembered.all(), [0, 2, 1]);
        assert!(
            remembered.numbered(&[4]).unwrap_err().contains("what can is 1, 3, 2"),
            "{:?}",
            remembered.numbered(&[4])
        );
    }

    #[test]
    fn nothing_is_chosen_where_the_answer_is_another_one() {
        let approval = tickable();
        assert!(Remembered::of(&approval, &by_prefix(Scope::Minutes)).is_none());
        let exact = DecisionRequest { breadth: handraise_protocol::Breadth::Exact, ..by_prefix(Scope::Always) };
        assert!(Remembered::of(&approval, &exact).is_none());
    }
}
