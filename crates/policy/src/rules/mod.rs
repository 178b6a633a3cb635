//! Declarative rules: the last matching rule wins, then the default action of the risk level.
//!
//! Architecture invariant: nothing is allowed but by a rule or a default that says `allow`, for every
//! part of the call; what is not understood, has no place or is protected never is.

mod condition;
mod decide;
mod decision;
mod difference;
mod explain;
mod file;
mod in_force;
mod miss;
mod preset;
mod protection;
mod redaction;
mod rule;
mod rule_set;
mod situation;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use condition::InvalidPattern;
pub use decision::{PartDecision, PartKind, PolicyDecision, RuleText};
pub use difference::difference;
pub use explain::{ConsideredRule, Explanation, PartExplanation};
pub(crate) use file::MAX_COMMAND_LINE;
pub use file::{Diagnostic, Loaded, Severity, TextSpan, nearest, parse, parse_at};
pub use in_force::{PolicyDifference, PolicyInForce, SettingChange};
use miss::Miss;
pub use preset::Preset;
pub use protection::{PROJECT_SETTINGS, ProtectedPath, Protection, Protections};
pub use redaction::{RedactionPattern, RedactionSettings};
use rule::Applies;
pub use rule::Rule;
pub use rule_set::RuleSet;

use crate::{Request, RiskLevel};

/// How long a person has to answer unless the policy says otherwise, in seconds.
pub const DEFAULT_TIMEOUT_SECONDS: u32 = 300;
/// The longest time-out that can be asked for: one day, in seconds.
pub const MAX_TIMEOUT_SECONDS: u32 = 86_400;

/// What the policy says about a call. Ordered by strictness, so that the strictest is the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Let it pass without asking.
    Allow,
    /// Ask a person.
    Ask,
    /// Refuse without asking.
    Deny,
}

/// The action for each risk level when no rule matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RiskActions {
    /// For [`RiskLevel::ReadOnly`].
    pub read_only: Action,
    /// For [`RiskLevel::Write`].
    pub write: Action,
    /// For [`RiskLevel::Destructive`].
    pub destructive: Action,
}

/// The whole policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The starting point that was chosen.
    pub preset: Preset,
    /// Action for tools that nobody declared or classified.
    pub unknown_tools: Action,
    /// Seconds that a person has to answer.
    pub timeout_seconds: u32,
    /// Defaults per risk level.
    pub risk: RiskActions,
    /// In file order; the last match wins.
    pub rules: RuleSet,
    /// Per-agent tables, evaluated after the general rules.
    pub agents: BTreeMap<String, AgentPolicy>,
    /// The table `[redaction]`.
    pub redaction: RedactionSettings,
    /// MCP servers whose hint that a tool only reads is believed.
    pub trusted_servers: Vec<String>,
    /// Files that no rule gives away. Set by the owner of the gate, never by a file.
    pub protections: Protections,
}

/// What a `[agent.NAME]` table changes for that agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentPolicy {
    /// Defaults per risk level that differ.
    pub risk: PartialRiskActions,
    /// Seconds that a person has to answer.
    pub timeout_seconds: Option<u32>,
    /// Rules after the general ones.
    pub rules: RuleSet,
}

/// Risk defaults of which some may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartialRiskActions {
    /// For [`RiskLevel::ReadOnly`].
    pub read_only: Option<Action>,
    /// For [`RiskLevel::Write`].
    pub write: Option<Action>,
    /// For [`RiskLevel::Destructive`].
    pub destructive: Option<Action>,
}

impl Default for Policy {
    fn default() -> Self {
        Self::from_preset(Preset::default())
    }
}

impl Policy {
    /// The policy that consists of `preset` alone.
    #[must_use]
    pub fn from_preset(preset: Preset) -> Self {
        let (risk, unknown_tools) = preset.actions();
        Self {
            preset,
            unknown_tools,
            timeout_seconds: DEFAULT_TIMEOUT_SECONDS,
            risk,
            rules: preset.rules(),
            agents: BTreeMap::new(),
            redaction: RedactionSettings::default(),
            trusted_servers: Vec::new(),
            protections: Protections::default(),
        }
    }

    /// Rules in all tables, without those of the preset.
    #[must_use]
    pub fn rule_count(&self) -> usize {
        self.rules.iter().filter(|rule| !rule.is_of_preset).count()
            + self.agents.values().map(|table| table.rules.len()).sum::<usize>()
    }

    /// Seconds that a person has for `request`: its own wish, else its agent's table, else the
    /// general value; never longer than its transport can wait.
    #[must_use]
    pub fn timeout_seconds_for(&self, request: &Request) -> u32 {
        let table = request.agent_name().and_then(|name| self.agents.get(name));
        let configured = table.and_then(|table| table.timeout_seconds).unwrap_or(self.timeout_seconds);
        request
            .timeout_seconds
            .unwrap_or(configured)
            .min(request.longest_wait_seconds.unwrap_or(u32::MAX))
            .clamp(1, MAX_TIMEOUT_SECONDS)
    }
}

impl RiskActions {
    /// The action for `level`.
    #[must_use]
    pub fn get(self, level: RiskLevel) -> Action {
        match level {
            RiskLevel::ReadOnly => self.read_only,
            RiskLevel::Write => self.write,
            RiskLevel::Destructive => self.destructive,
        }
    }
}

#[cfg(test)]
mod tests;
