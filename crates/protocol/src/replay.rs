//! What the presets would have done with the calls of the past: what `handraise policy replay --compare` prints with
//! `--json` and `--progress`, as far as the guide of the first start shows it. No part of the API: only transcripts are
//! read, and only for the user at this machine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Preset;

/// The presets beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PresetComparison {
    /// Each agent with a transcript; empty: there is none on this machine.
    pub agents: Vec<ReplayedAgent>,
    /// Each preset.
    pub presets: Vec<ReplayedPreset>,
}

/// An agent whose calls were replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ReplayedAgent {
    /// As `claude-code`.
    pub agent: String,
    /// As `Claude Code`.
    pub display_name: String,
    /// Calls that were read.
    pub calls: u32,
}

/// What one preset comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ReplayedPreset {
    /// Which.
    pub preset: Preset,
    /// With each kind of person.
    pub rows: Vec<ReplayedRow>,
}

/// What a preset comes to with one kind of person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ReplayedRow {
    /// Which calls.
    pub calls: ReplayedCalls,
    /// The person answers for the session, or else each call once.
    pub remembers: bool,
    /// With the rules that the first third of the sessions suggests.
    pub suggested: bool,
    /// The calls, and what was done with them.
    pub all: ReplayCounts,
    /// Those that a person refused then, and what was done with them.
    pub refused: ReplayCounts,
}

/// Which calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ReplayedCalls {
    /// All of them.
    All,
    /// Those of the sessions that nothing is learned from.
    Rest,
}

/// Calls, and what was done with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ReplayCounts {
    /// All of them.
    pub calls: u32,
    /// A person was asked.
    pub asked: u32,
    /// Denied at once.
    pub denied: u32,
    /// Run at once inside walls.
    pub confined: u32,
}

/// How far a replay is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum ReplayProgress {
    /// Transcripts are being read.
    Reading {
        /// Calls so far.
        calls: u32,
    },
    /// The calls are put before one preset after the other.
    Replaying {
        /// Steps that are done.
        done: u32,
        /// All steps.
        steps: u32,
    },
}
