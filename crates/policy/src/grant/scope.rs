//! How far an answer reaches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How far a person's answer reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// This call only.
    #[default]
    Once,
    /// The next fifteen minutes of the session.
    Minutes,
    /// The rest of the session.
    Session,
    /// This project folder, as a policy rule.
    Project,
    /// For good, as a policy rule.
    Always,
}
