//! The whole policy.

use std::collections::BTreeMap;

use handraise_redaction::UserRedaction;

use super::MAX_TIMEOUT_SECONDS;
use super::action::{Action, PartialRiskActions, RiskActions};
use super::confine::ConfineSettings;
use super::decision_point::DecisionPoint;
use super::preset::Preset;
use super::protection::Protections;
use super::rule_set::RuleSet;
use super::telemetry::TelemetryTarget;
use crate::Request;

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
    pub redaction: UserRedaction,
    /// MCP servers whose hint that a tool only reads is believed.
    pub trusted_servers: Vec<String>,
    /// The table `[confine]`: the walls of what runs confined.
    pub confine: ConfineSettings,
    /// The table `[authzen]`: an external decision point that may tighten what the rest says.
    pub authzen: Option<DecisionPoint>,
    /// The table `[opentelemetry]`: who is told about calls and decisions.
    pub opentelemetry: Option<TelemetryTarget>,
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

impl Policy {
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
