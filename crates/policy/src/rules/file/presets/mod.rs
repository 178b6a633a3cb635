//! Starting points: what holds where a person's own rules say nothing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use handraise_redaction::UserRedaction;

use super::rule::rules_of;
use crate::rules::DEFAULT_TIMEOUT_SECONDS;
use crate::rules::confine::ConfineSettings;
use crate::rules::policy::Policy;
use crate::rules::preset::Preset;
use crate::rules::protection::Protections;
use crate::rules::rule::Rule;
use crate::rules::rule_set::RuleSet;

const PRACTICAL_TEXT: &str = include_str!("practical.toml");
const WORKSPACE_TEXT: &str = include_str!("workspace.toml");
const NOTHING_LOST_TEXT: &str = include_str!("nothing_lost.toml");

static PRACTICAL: LazyLock<RuleSet> = LazyLock::new(|| of_preset(&[PRACTICAL_TEXT, NOTHING_LOST_TEXT]));
static WORKSPACE: LazyLock<RuleSet> = LazyLock::new(|| of_preset(&[PRACTICAL_TEXT, WORKSPACE_TEXT, NOTHING_LOST_TEXT]));

/// Without its rules, which a test holds to be readable, a preset asks about more.
fn of_preset(texts: &[&str]) -> RuleSet {
    texts.iter().flat_map(|text| rules_of(text)).map(Rule::of_preset).collect()
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
            rules: rules_of_preset(preset),
            agents: BTreeMap::new(),
            redaction: UserRedaction::default(),
            trusted_servers: Vec::new(),
            confine: ConfineSettings::default(),
            authzen: None,
            opentelemetry: None,
            protections: Protections::default(),
        }
    }
}

/// The rules of `preset`, which stand in front of a person's own.
fn rules_of_preset(preset: Preset) -> RuleSet {
    match preset {
        Preset::Practical => PRACTICAL.clone(),
        Preset::Workspace => WORKSPACE.clone(),
        Preset::Strict | Preset::Autonomous => RuleSet::default(),
    }
}

#[cfg(test)]
mod tests;
