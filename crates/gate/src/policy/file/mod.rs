//! `policy.toml`, version 1.

mod diagnostic;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use diagnostic::{Diagnostic, Severity, TextSpan};

use super::{
    Action, AgentPolicy, InvalidPattern, LONGEST_TIMEOUT_SECONDS, PartialRiskActions, Policy, Preset, Rule, RuleSet,
};

/// A policy file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The policy that it holds.
    pub policy: Policy,
    /// What its author should look at, in the order of the text.
    pub warnings: Vec<Diagnostic>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum InvalidPolicy {
    /// No TOML, an unknown key, a wrong type. The text names line and column.
    #[error("{0}")]
    Syntax(String),
    /// A version that this program does not know.
    #[error("policy version {0} is not known here; this program reads version 1")]
    Version(u32),
    /// A rule's pattern.
    #[error("rule {number} of {table}: {error}")]
    Pattern {
        /// `the policy` or the agent's table.
        table: String,
        /// Position in its table, from 1.
        number: usize,
        /// What is wrong.
        error: InvalidPattern,
    },
    /// A time-out that is no duration between one second and one day.
    #[error("timeout `{0}`: write a number with a unit, as \"90s\", \"5m\" or \"1h\", from 1s to 24h")]
    Timeout(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    #[serde(default)]
    preset: Preset,
    unknown_tools: Option<Action>,
    timeout: Option<String>,
    #[serde(default)]
    risk: RiskTable,
    #[serde(default, rename = "rule")]
    rules: Vec<RuleTable>,
    #[serde(default, rename = "agent")]
    agents: BTreeMap<String, AgentTable>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RiskTable {
    read_only: Option<Action>,
    write: Option<Action>,
    destructive: Option<Action>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleTable {
    pattern: String,
    action: Action,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentTable {
    timeout: Option<String>,
    #[serde(default)]
    risk: RiskTable,
    #[serde(default, rename = "rule")]
    rules: Vec<RuleTable>,
}

/// Reads a whole policy file, or refuses it whole.
///
/// # Errors
/// Everything that is wrong with it, in the order of the text, each with its place and the remedy.
pub fn parse(text: &str) -> Result<Loaded, Vec<Diagnostic>> {
    read(text).map(|policy| Loaded { policy, warnings: Vec::new() }).map_err(|error| {
        vec![Diagnostic {
            severity: Severity::Error,
            code: "policy::syntax".to_owned(),
            message: error.to_string(),
            span: 0..0,
            line: 1,
            column: 1,
            help: None,
            rule: None,
        }]
    })
}

fn read(text: &str) -> Result<Policy, InvalidPolicy> {
    let file: File = toml::from_str(text).map_err(|error| InvalidPolicy::Syntax(error.to_string()))?;
    if file.version != 1 {
        return Err(InvalidPolicy::Version(file.version));
    }
    let base = Policy::from_preset(file.preset);
    let agents = file
        .agents
        .into_iter()
        .map(|(name, table)| {
            let policy = AgentPolicy {
                risk: table.risk.actions(),
                timeout_seconds: table.timeout.as_deref().map(timeout_seconds).transpose()?,
                rules: rules(&format!("[agent.{name}]"), table.rules)?,
            };
            Ok((name, policy))
        })
        .collect::<Result<_, InvalidPolicy>>()?;
    Ok(Policy {
        preset: file.preset,
        unknown_tools: file.unknown_tools.unwrap_or(base.unknown_tools),
        timeout_seconds: match file.timeout {
            Some(text) => timeout_seconds(&text)?,
            None => base.timeout_seconds,
        },
        risk: file.risk.actions().over(base.risk),
        rules: rules("the policy", file.rules)?,
        agents,
        ..base
    })
}

impl RiskTable {
    fn actions(self) -> PartialRiskActions {
        PartialRiskActions { read_only: self.read_only, write: self.write, destructive: self.destructive }
    }
}

fn rules(table: &str, rules: Vec<RuleTable>) -> Result<RuleSet, InvalidPolicy> {
    rules
        .into_iter()
        .enumerate()
        .map(|(index, rule)| {
            Rule::new(&rule.pattern, rule.action, rule.reason).map_err(|error| InvalidPolicy::Pattern {
                table: table.to_owned(),
                number: index + 1,
                error,
            })
        })
        .collect()
}

/// Reads `90s`, `5m`, `1h` as seconds.
fn timeout_seconds(text: &str) -> Result<u32, InvalidPolicy> {
    let refuse = || InvalidPolicy::Timeout(text.to_owned());
    let duration: jiff::SignedDuration = text.parse().map_err(|_| refuse())?;
    let seconds = u32::try_from(duration.as_secs()).map_err(|_| refuse())?;
    if (1..=LONGEST_TIMEOUT_SECONDS).contains(&seconds) { Ok(seconds) } else { Err(refuse()) }
}
