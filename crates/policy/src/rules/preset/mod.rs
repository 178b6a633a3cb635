//! Starting points: what holds where a person's own rules say nothing.

use std::sync::LazyLock;

use crate::rules::action::{Action, RiskActions};
use crate::rules::file::rule::rules_of;
use crate::rules::rule::Rule;
use crate::rules::rule_set::RuleSet;

/// A starting point that rules refine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preset {
    /// Reading passes, and so do the agents' own drafts and what git only notes down. Writing asks. What is declared to destroy is refused; what only looks
    /// as if it did is asked about.
    #[default]
    Practical,
    /// Everything asks.
    Strict,
    /// Everything passes but what leaves the project, acts later, escalates or destroys.
    Autonomous,
    /// As `practical`, and besides what lands in the project and loses nothing passes: edits of ordinary files, local
    /// work of git.
    Workspace,
}

impl Preset {
    /// Actions by risk level, and for tools that nobody knows.
    pub(super) fn actions(self) -> (RiskActions, Action) {
        let (read_only, write, destructive, unknown) = match self {
            Self::Practical | Self::Workspace => (Action::Allow, Action::Ask, Action::Deny, Action::Ask),
            Self::Strict => (Action::Ask, Action::Ask, Action::Ask, Action::Ask),
            Self::Autonomous => (Action::Allow, Action::Allow, Action::Allow, Action::Allow),
        };
        (RiskActions { read_only, write, destructive }, unknown)
    }

    /// Its rules, which stand in front of a person's own.
    pub(super) fn rules(self) -> RuleSet {
        match self {
            Self::Practical => PRACTICAL.clone(),
            Self::Workspace => WORKSPACE.clone(),
            Self::Strict | Self::Autonomous => RuleSet::default(),
        }
    }
}

const PRACTICAL_TEXT: &str = include_str!("practical.toml");
const WORKSPACE_TEXT: &str = include_str!("workspace.toml");
const NOTHING_LOST_TEXT: &str = include_str!("nothing_lost.toml");

static PRACTICAL: LazyLock<RuleSet> = LazyLock::new(|| of_preset(&[PRACTICAL_TEXT, NOTHING_LOST_TEXT]));
static WORKSPACE: LazyLock<RuleSet> = LazyLock::new(|| of_preset(&[PRACTICAL_TEXT, WORKSPACE_TEXT, NOTHING_LOST_TEXT]));

/// Without its rules, which a test holds to be readable, a preset asks about more.
fn of_preset(texts: &[&str]) -> RuleSet {
    texts.iter().flat_map(|text| rules_of(text)).map(Rule::of_preset).collect()
}

#[cfg(test)]
mod tests;
