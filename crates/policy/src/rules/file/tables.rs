//! The tables of the file around its rules.

use std::collections::BTreeMap;

use jiff::Timestamp;
use toml::de::{DeTable, DeValue};

use super::authzen::read_authzen;
use super::confine::read_confine;
use super::lint::lint;
use super::reader::{Reader, Value};
use super::redaction::read_redaction;
use super::rule::{ACTIONS, read_rules};
use super::telemetry::read_telemetry;
use crate::rules::MAX_TIMEOUT_SECONDS;
use crate::rules::action::{Action, PartialRiskActions};
use crate::rules::policy::{AgentPolicy, Policy};
use crate::rules::preset::Preset;
use crate::rules::rule_set::RuleSet;

const FILE_KEYS: &[&str] = &[
    "version",
    "preset",
    "unknown_tools",
    "timeout",
    "risk",
    "trusted_servers",
    "redaction",
    "confine",
    "authzen",
    "opentelemetry",
    "rule",
    "agent",
];
const AGENT_KEYS: &[&str] = &["timeout", "risk", "rule"];
const RISK_KEYS: &[&str] = &["read_only", "write", "destructive"];
const PRESETS: &[(&str, Preset)] = &[
    ("practical", Preset::Practical),
    ("strict", Preset::Strict),
    ("autonomous", Preset::Autonomous),
    ("workspace", Preset::Workspace),
];
/// A tool that nobody knows runs no command line that could be confined.
const UNKNOWN_TOOLS: &[(&str, Action)] = &[("allow", Action::Allow), ("ask", Action::Ask), ("deny", Action::Deny)];
/// The version that this program reads.
const VERSION: &str = "1";

/// Reads the file's top level. With an error in the reader the policy is of no use.
pub(super) fn read_file(reader: &mut Reader<'_>, file: &DeTable<'_>, now: Option<Timestamp>) -> Policy {
    reader.check_keys(file, "the policy", FILE_KEYS);
    check_version(reader, file);
    let preset = file.get("preset").and_then(|value| reader.word("preset", value, PRESETS)).unwrap_or_default();
    let base = Policy::from_preset(preset);
    let unknown_tools = file.get("unknown_tools").and_then(|value| reader.word("unknown_tools", value, UNKNOWN_TOOLS));
    let timeout = file.get("timeout").and_then(|value| read_timeout(reader, value));
    let trusted = file.get("trusted_servers").map(|value| reader.texts("trusted_servers", value));
    Policy {
        unknown_tools: unknown_tools.unwrap_or(base.unknown_tools),
        timeout_seconds: timeout.unwrap_or(base.timeout_seconds),
        risk: read_risk(reader, file).over(base.risk),
        rules: base.rules.followed_by(read_rule_set(reader, file, now)),
        agents: file.get("agent").map(|value| read_agents(reader, value, now)).unwrap_or_default(),
        redaction: file.get("redaction").map(|value| read_redaction(reader, value)).unwrap_or_default(),
        trusted_servers: trusted.unwrap_or_default(),
        confine: file.get("confine").map(|value| read_confine(reader, value)).unwrap_or_default(),
        opentelemetry: file.get("opentelemetry").and_then(|value| read_telemetry(reader, value)),
        authzen: file.get("authzen").and_then(|value| read_authzen(reader, value)),
        ..base
    }
}

fn check_version(reader: &mut Reader<'_>, file: &DeTable<'_>) {
    let Some(value) = file.get("version") else {
        let help = Some("write `version = 1` at the top".to_owned());
        reader.error("missing_version", 0..0, "the file does not say its version".to_owned(), help);
        return;
    };
    match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 && number.as_str() == VERSION => {}
        DeValue::Integer(number) => {
            let message = format!("version {} is not known here", number.as_str());
            let help = "this program reads `version = 1`; a newer file needs a newer program".to_owned();
            reader.error("unknown_version", value.span(), message, Some(help));
        }
        _ => {
            let help = Some("write `version = 1`".to_owned());
            reader.error("wrong_type", value.span(), "`version` must be a number".to_owned(), help);
        }
    }
}

fn read_rule_set(reader: &mut Reader<'_>, table: &DeTable<'_>, now: Option<Timestamp>) -> RuleSet {
    let Some(value) = table.get("rule") else { return RuleSet::default() };
    let rules = read_rules(reader, value);
    lint(reader, &rules, now);
    rules.into_iter().map(|read| read.rule).collect()
}

fn read_risk(reader: &mut Reader<'_>, table: &DeTable<'_>) -> PartialRiskActions {
    let Some(risk) = table.get("risk").and_then(|value| reader.table("risk", value)) else {
        return PartialRiskActions::default();
    };
    reader.check_keys(risk, "[risk]", RISK_KEYS);
    let mut action = |key: &str| risk.get(key).and_then(|value| reader.word(key, value, ACTIONS));
    PartialRiskActions { read_only: action("read_only"), write: action("write"), destructive: action("destructive") }
}

fn read_agents(reader: &mut Reader<'_>, value: &Value<'_>, now: Option<Timestamp>) -> BTreeMap<String, AgentPolicy> {
    let Some(tables) = reader.table("agent", value) else { return BTreeMap::new() };
    let mut agents = BTreeMap::new();
    for (name, value) in tables {
        let place = format!("agent.{}", name.get_ref());
        if name.get_ref().trim().is_empty() {
            let help = "write `[agent.claude-code]`, with the name of an agent".to_owned();
            reader.error("empty_name", name.span(), "the agent has no name".to_owned(), Some(help));
        }
        let Some(table) = reader.table(&place, value) else { continue };
        reader.check_keys(table, &format!("[{place}]"), AGENT_KEYS);
        let policy = AgentPolicy {
            risk: read_risk(reader, table),
            timeout_seconds: table.get("timeout").and_then(|value| read_timeout(reader, value)),
            rules: read_rule_set(reader, table, now),
        };
        agents.insert(name.get_ref().to_string(), policy);
    }
    agents
}

fn read_timeout(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<u32> {
    let help = "write a number with a unit, as \"90s\", \"5m\" or \"1h\", from 1s to 24h";
    reader.seconds(value, MAX_TIMEOUT_SECONDS, help)
}
