//! The starting points of a policy.

use crate::rules::action::{Action, RiskActions};

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
}
