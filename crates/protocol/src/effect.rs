//! Where what a call changes lands, and whether it can be undone.

use handraise_policy as policy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire_enum::wire_enum;

wire_enum! {
    /// How far what a call changes reaches. Ordered: farther is greater.
    #[serde(rename_all = "snake_case")]
    pub enum Reach = policy::Reach {
        /// It only looks, on this machine.
        Nothing,
        /// Files below the project folder, or the agent's own plans and drafts.
        Project,
        /// This machine, or nobody can tell.
        Machine,
        /// Another machine: it talks to one, even if only to look.
        Outside,
    }
}

wire_enum! {
    /// Whether what a call changes can be undone. Ordered: worse is greater.
    #[serde(rename_all = "snake_case")]
    pub enum CanBeUndone = policy::CanBeUndone {
        /// It changes nothing.
        NotNeeded,
        /// What was there is kept where it changes something, as git does.
        ByItself,
        /// It changes nothing but the files that it names in the project, which Handraise keeps first.
        Yes,
        /// Not all of it, or nobody can tell.
        No,
    }
}

/// What a call changes, or one part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Effect {
    /// How far it reaches.
    pub reach: Reach,
    /// Whether it can be undone.
    pub can_be_undone: CanBeUndone,
    /// Both in words for a person, safe for any surface: "Changes files in shopfront. Handraise can undo it."
    pub sentence: String,
}

impl Effect {
    /// `effect` of a call in the project folder `project`.
    #[must_use]
    pub fn of(effect: policy::Effect, project: Option<&str>) -> Self {
        Self {
            reach: effect.reach().into(),
            can_be_undone: effect.can_be_undone().into(),
            sentence: effect.sentence(project),
        }
    }
}
