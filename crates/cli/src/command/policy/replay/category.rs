//! What a call is about that a person refused.

use handraise_policy::{Request, RiskLevel, ToolClass};
use handraise_shell::{ChangesElsewhere, Part, StateChange, changes, state_change_of};
use serde::Serialize;

/// The worst that a call does. Ordered: what counts most comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Category {
    /// It publishes something, or changes something on another machine.
    Publish,
    /// It removes files.
    Delete,
    /// It throws work away, rewrites it, or goes to another branch.
    Discard,
    /// It edits a file.
    Edit,
    /// Another command.
    Command,
    /// A call of another tool.
    Other,
}

/// Sub-commands of git that throw work away, rewrite it, or go to another branch.
const DISCARDING: &[&str] = &["checkout", "switch", "restore", "reset", "rebase", "clean", "revert"];

impl Category {
    /// The category of `request`, of the risk `level`.
    pub(super) fn of(request: &Request, level: RiskLevel) -> Self {
        match (&request.command, request.class) {
            (Some(line), _) => {
                let parts = line.parts.iter().map(of_part);
                let worst = parts.min().unwrap_or(Self::Command);
                if level == RiskLevel::Destructive { worst.min(Self::Discard) } else { worst }
            }
            (None, ToolClass::Shell) => Self::Command,
            (None, ToolClass::FileWrite) => Self::Edit,
            (None, _) => Self::Other,
        }
    }

    /// Whether nearly all of what a person refused of it has to be asked about: publishing, discarding, deleting.
    pub(super) fn has_to_be_asked(self) -> bool {
        self <= Self::Discard
    }

    /// Its name in a sentence.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Delete => "delete",
            Self::Discard => "discard or switch",
            Self::Edit => "edits",
            Self::Command => "other commands",
            Self::Other => "other tools",
        }
    }
}

fn of_part(part: &Part) -> Category {
    if changes(part, false).elsewhere == ChangesElsewhere::Changes {
        return Category::Publish;
    }
    let settled = part.settled();
    let words: Vec<&str> = settled.as_ref().unwrap_or(part).exact_words().collect();
    let state_change = state_change_of(part).map(|call| call.state_change);
    match (state_change, words.as_slice()) {
        (Some(StateChange::Removes | StateChange::Cleans), _)
        | (_, ["rm" | "rmdir" | "unlink" | "shred", ..] | ["git", "rm", ..]) => Category::Delete,
        (
            Some(
                StateChange::Resets
                | StateChange::Restores
                | StateChange::DropsStash
                | StateChange::ClearsStashes
                | StateChange::DeletesBranches,
            ),
            _,
        ) => Category::Discard,
        (_, ["git", command, ..]) if DISCARDING.contains(command) => Category::Discard,
        _ => Category::Command,
    }
}
