//! Pausing, and what a person is asked on.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Mode;

/// Longest pause that ends by itself, in seconds: a day.
pub const MAX_PAUSE: u32 = 86_400;

/// The mode in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ModeState {
    /// The mode.
    pub mode: Mode,
    /// When it ends by itself and the policy decides again; absent: when a person ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "string")]
    pub until: Option<Timestamp>,
}

/// A mode to put in force.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct ModeRequest {
    /// The mode.
    pub mode: Mode,
    /// For how long, in seconds: 1 to 86 400. Absent: until a person ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 86_400))]
    pub seconds: Option<u32>,
}

/// One way to put a request before a person, and whether it works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SurfaceState {
    /// Which.
    pub kind: SurfaceKind,
    /// A person can be reached on it.
    pub works: bool,
    /// One or more sentences for a person: what is there, or what is missing and what to do.
    pub detail: String,
}

/// A kind of surface. Clients show one that they do not know by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceKind {
    /// Notifications of the desktop.
    Notifications,
    /// The icon in the tray, and its menu.
    Tray,
    /// The prompt window.
    Window,
    /// The terminal that `handraise serve` runs in.
    Terminal,
}

/// Every way to put a request before a person that the running program has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SurfaceList {
    /// In the order of their kinds.
    pub surfaces: Vec<SurfaceState>,
}
