//! What a built-in final rule says.

use crate::path::Protection;
use crate::rules::action::Action;

/// What a built-in rule says about one part of a call. No rule and no grant loosens it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) struct Guard {
    pub(in crate::rules) action: Action,
    pub(in crate::rules) protection: Protection,
    /// One sentence in the place of [`Protection::sentence`].
    pub(super) says: Option<&'static str>,
}

impl Guard {
    /// One sentence for a person and for the model: why the answer is so.
    pub(in crate::rules) fn sentence(self) -> &'static str {
        self.says.unwrap_or_else(|| self.protection.sentence(self.action))
    }
}

impl Protection {
    /// One sentence for a person and for the model: why the answer is `action`. A file is often not named
    /// as such, but may be reached: by a folder above it, a glob, a script, text for a program that runs.
    #[must_use]
    pub fn sentence(self, action: Action) -> &'static str {
        match (self, action) {
            (Self::Own, Action::Deny) => "It changes, or may change, Handraise's own files, and no call may.",
            (Self::Own, _) => "It may change Handraise's own files, so a person is asked each time.",
            (Self::Secret, Action::Deny) => {
                "It reaches, or may reach, Handraise's tokens or the copies that it keeps of files, and no call may."
            }
            (Self::Secret, _) => {
                "It may reach Handraise's tokens or the copies that it keeps of files, so a person is asked each time."
            }
            (Self::Agent, _) => {
                "It may change what says how an agent is watched or what it runs by itself (settings, hooks, skills, \
                 commands), so a person is asked each time."
            }
            (Self::Decision, _) => "Only a person decides, in Handraise itself: no call does it for them.",
            (Self::Credential, _) => "It may read a file that holds credentials, so a person is asked each time.",
        }
    }

    /// What holds for what is surely reached.
    pub(super) fn guard(self) -> Guard {
        let action = match self {
            Self::Own | Self::Secret | Self::Decision => Action::Deny,
            Self::Agent | Self::Credential => Action::Ask,
        };
        Guard { action, protection: self, says: None }
    }

    /// What holds for what may be reached.
    pub(super) fn asks(self) -> Guard {
        Guard { action: Action::Ask, protection: self, says: None }
    }
}
