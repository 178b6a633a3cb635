//! Files that decide who decides: Handraise's own, and the settings that hook an agent up to it.

mod credential;
mod deciding;
mod guard;
mod settings;
mod text;

pub(super) use credential::credential_words;
pub(super) use guard::Guard;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use settings::PROJECT_SETTINGS;
use ts_rs::TS;

/// Whose file is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// Handraise's own files, socket and start at login: changed only in Handraise, never by a call.
    Own,
    /// Tokens of Handraise: never read by a call either.
    Secret,
    /// Hook and settings files of an agent: a person is asked each time.
    Agent,
    /// Deciding in a person's place: never done by a call.
    Decision,
    /// Files that hold credentials: a person is asked each time one is read, unless a rule spells it out.
    Credential,
}

/// A file, or a folder with everything in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProtectedPath {
    /// Absolute, without symbolic links where it exists.
    pub path: String,
    /// Whose.
    pub protection: Protection,
}

/// The built-in final rules. No policy file takes any of them away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protections {
    /// Handraise's own files and folders: [`Protection::Own`] and [`Protection::Secret`].
    pub own: Vec<ProtectedPath>,
    /// The agents' hook and settings files of this user: [`Protection::Agent`].
    pub agents: Vec<ProtectedPath>,
}
