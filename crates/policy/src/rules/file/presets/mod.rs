//! Starting points: what holds where a person's own rules say nothing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use handraise_redaction::UserRedaction;
use handraise_shell::CommandPattern;

use super::rule::rules_of;
use crate::rules::DEFAULT_TIMEOUT_SECONDS;
use crate::rules::action::Action;
use crate::rules::condition::Conditions;
use crate::rules::confine::ConfineSettings;
use crate::rules::policy::Policy;
use crate::rules::preset::Preset;
use crate::rules::protection::Protections;
use crate::rules::rule::Rule;
use crate::rules::rule_set::RuleSet;

/// A part of a preset.
enum Rules {
    /// A policy.
    Policy(&'static str),
    /// On each line, but for comments, a pattern of a command that is confined.
    Confined(&'static str),
}

const PRACTICAL_RULES: &[Rules] = &[FIRST, NOTHING_LOST];
const WORKSPACE_RULES: &[Rules] = &[
    FIRST,
    Rules::Policy(include_str!("workspace.toml")),
    Rules::Confined(include_str!("workspace_confined.txt")),
    Rules::Policy(include_str!("workspace_asks.toml")),
    NOTHING_LOST,
];
const FIRST: Rules = Rules::Policy(include_str!("practical.toml"));
const NOTHING_LOST: Rules = Rules::Policy(include_str!("nothing_lost.toml"));

static PRACTICAL: LazyLock<RuleSet> = LazyLock::new(|| of_preset(PRACTICAL_RULES));
static WORKSPACE: LazyLock<RuleSet> = LazyLock::new(|| of_preset(WORKSPACE_RULES));

/// Without its rules, which a test holds to be readable, a preset asks about more.
fn of_preset(parts: &[Rules]) -> RuleSet {
    parts.iter().flat_map(Rules::read).map(Rule::of_preset).collect()
}

impl Rules {
    fn read(&self) -> Vec<Rule> {
        match self {
            Self::Policy(text) => rules_of(text),
            Self::Confined(text) => patterns(text)
                .filter_map(|pattern| CommandPattern::parse(pattern).ok())
                .map(|pattern| Conditions { command: Some(pattern), ..Conditions::default() })
                .map(|conditions| Rule::with(conditions, Action::Confine, None, false, None))
                .collect(),
        }
    }
}

/// The lines of `text` that are no comment.
fn patterns(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
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
