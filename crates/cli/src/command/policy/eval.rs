//! `handraise policy eval`: many calls against many policies, for scripts and large tests.

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use handraise_display::{line, show};
use handraise_policy::rules::{Diagnostic, Explanation, parse};
use handraise_policy::{Policy, Preset};
use handraise_protocol::{Action, ApprovalRequest, CanBeUndone, Finding, PartKind, Reach, RiskLevel, Walls};
use handraise_server::DryRun;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::command::{FolderArguments, filter};

/// Longest text of a part, in characters; the rest is counted.
const MAX_TEXT: usize = 8 * 1024;
/// Policies that are kept, so that thousands of lines with the same one read it once.
const MAX_POLICIES: usize = 64;

/// Decide calls without anybody being asked: JSON lines in, JSON lines out
///
/// Each line is {"policy": TOML text, "request": {…}} or {"rules": […], "request": {…}}. A rule is a
/// command pattern that is allowed, or an object with the keys of a `[[rule]]`; with `rules`, whatever
/// no rule matches is asked about. The request is what POST /v1/approvals takes. The answer is
/// {"action","risk","reach","can_be_undone","effect","rule","parts","findings","lint"}, with "walls" where the action is
/// "confine". A folder that does not exist counts as an empty project.
#[derive(Debug, Args)]
pub(crate) struct Eval {}

#[derive(Deserialize)]
struct Line {
    policy: Option<String>,
    rules: Option<Vec<Value>>,
    request: Map<String, Value>,
}

#[derive(Serialize)]
struct Evaluated {
    action: Action,
    risk: RiskLevel,
    reach: Reach,
    can_be_undone: CanBeUndone,
    /// Both in words.
    effect: String,
    rule: Option<String>,
    parts: Vec<EvaluatedPart>,
    findings: Vec<Finding>,
    lint: Vec<handraise_protocol::Diagnostic>,
    why: String,
    /// What it runs inside of, where the action is `confine`.
    #[serde(skip_serializing_if = "Option::is_none")]
    walls: Option<Walls>,
}

#[derive(Serialize)]
struct EvaluatedPart {
    kind: PartKind,
    text: String,
    action: Action,
    risk: RiskLevel,
    reach: Reach,
    can_be_undone: CanBeUndone,
    rule: Option<String>,
    why: String,
}

type Known = Arc<(Policy, Vec<Diagnostic>)>;

impl Eval {
    /// Runs the filter. A line that cannot be used is answered with `ask`, as the gate would.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let dry_run = DryRun::new(&folders.folders()?);
        let mut policies: HashMap<String, Known> = HashMap::new();
        let refused = Map::from_iter([("action".to_owned(), json!("ask"))]);
        filter::run(&refused, |Line { policy, rules, request }| {
            let text = policy_text(policy, rules)?;
            let known = match policies.get(&text) {
                Some(known) => Arc::clone(known),
                None => {
                    let known = load(&dry_run, &text);
                    if policies.len() >= MAX_POLICIES {
                        policies.clear();
                    }
                    policies.insert(text, Arc::clone(&known));
                    known
                }
            };
            let (policy, lint) = &*known;
            let findings = findings(&request);
            let request = dry_run.request(wire(request)?).map_err(|problem| anyhow::anyhow!(problem.detail))?;
            let explanation = policy.explain(&request, Timestamp::now());
            Ok(answer(explanation, findings, lint.clone()))
        })
    }
}

/// The policy with what its author should know. With one that cannot be used everything asks, as in
/// the gate.
fn load(dry_run: &DryRun, text: &str) -> Known {
    let (policy, lint) = match parse(text) {
        Ok(loaded) => (loaded.policy, loaded.warnings),
        Err(diagnostics) => (Policy::from_preset(Preset::Strict), diagnostics),
    };
    Arc::new((dry_run.protect(policy), lint))
}

fn policy_text(policy: Option<String>, rules: Option<Vec<Value>>) -> anyhow::Result<String> {
    match (policy, rules) {
        (Some(text), None) => Ok(text),
        (None, rules) => {
            let rules = rules.unwrap_or_default().into_iter().map(|rule| match rule {
                Value::String(command) => json!({ "tool": "shell", "command": command, "action": "allow" }),
                rule => rule,
            });
            let file = json!({ "version": 1, "preset": "strict", "rule": rules.collect::<Vec<_>>() });
            toml::to_string(&file).context("the rules cannot be written as TOML")
        }
        (Some(_), Some(_)) => bail!("give either `policy` or `rules`"),
    }
}

/// The request as the API takes it. `command` and `shell` may stand beside `tool`, for short.
fn wire(mut request: Map<String, Value>) -> anyhow::Result<ApprovalRequest> {
    let short: Vec<(&str, Value)> =
        ["command", "shell"].into_iter().filter_map(|key| Some((key, request.remove(key)?))).collect();
    if !short.is_empty() {
        request.entry("tool").or_insert_with(|| json!("shell"));
        let arguments = request.entry("arguments").or_insert_with(|| json!({}));
        let Value::Object(arguments) = arguments else { bail!("`arguments` is not an object") };
        arguments.extend(short.into_iter().map(|(key, value)| (key.to_owned(), value)));
    }
    serde_json::from_value(Value::Object(request)).context("the request cannot be taken")
}

/// What is odd about the texts of a call.
fn findings(request: &Map<String, Value>) -> Vec<Finding> {
    fn odd(text: &str) -> impl Iterator<Item = Finding> {
        show(text).findings.into_iter().map(Finding::from)
    }
    fn collect(value: &Value, found: &mut Vec<Finding>) {
        match value {
            Value::String(text) => found.extend(odd(text)),
            Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
            Value::Object(fields) => fields.iter().for_each(|(key, value)| {
                found.extend(odd(key));
                collect(value, found);
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut found = Vec::new();
    request.values().for_each(|value| collect(value, &mut found));
    found
}

fn answer(explanation: Explanation, findings: Vec<Finding>, lint: Vec<Diagnostic>) -> Evaluated {
    let parts = explanation.parts.into_iter().map(|part| EvaluatedPart {
        kind: part.kind.into(),
        text: line(&part.text, MAX_TEXT),
        action: part.action.into(),
        risk: part.risk.level.into(),
        reach: part.effect.reach().into(),
        can_be_undone: part.effect.can_be_undone().into(),
        rule: part.rule.map(|rule| rule.text),
        why: part.why,
    });
    Evaluated {
        action: explanation.action.into(),
        risk: explanation.risk.level.into(),
        reach: explanation.effect.reach().into(),
        can_be_undone: explanation.effect.can_be_undone().into(),
        effect: explanation.effect.sentence(explanation.project.as_deref()),
        rule: explanation.rule.map(|rule| rule.text),
        parts: parts.collect(),
        findings,
        lint: lint.into_iter().map(Into::into).collect(),
        why: explanation.why,
        walls: explanation.walls.map(Into::into),
    }
}
