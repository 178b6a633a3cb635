//! The policy's answers to the vectors that the libraries for other languages are held to as well.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use handraise_gate::policy::parse;
use handraise_gate::{
    AgentIdentity, Annotations, ArgumentsHash, PathFacts, ProcessTree, ProjectFacts, Request, RequestId, RiskLevel,
    ScriptFacts, Subject, ToolClass,
};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

const VECTORS: &str = include_str!("../../../sdk/vectors/policy.jsonl");
/// Calls of tools that every agent calls the same are known by `handraise-agents`, which this crate does
/// not know: `handraise policy eval` is held to them by the test of the Python package.
const KNOWN_TOOLS: [&str; 2] = ["known-", "shell-"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    preset: Option<String>,
    unknown_tools: Option<String>,
    #[serde(default)]
    risk: Map<String, Value>,
    #[serde(default)]
    rules: Vec<Value>,
    #[serde(default)]
    agents: Map<String, Value>,
    agent: Option<String>,
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
    long_argument: Option<LongArgument>,
    risk_level: Option<RiskLevel>,
    expect: Expectation,
}

/// An argument that would make the file unreadable.
#[derive(Deserialize)]
struct LongArgument {
    name: String,
    unit: String,
    count: usize,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Expectation {
    Invalid { invalid: bool },
    Decision { action: String, rule: Option<String> },
}

impl Case {
    /// The policy file that says the same.
    fn file(&self) -> String {
        let agents: Map<String, Value> = self
            .agents
            .iter()
            .map(|(name, table)| {
                let rules = table.get("rules").cloned().unwrap_or_else(|| json!([]));
                let risk = table.get("risk").cloned().unwrap_or_else(|| json!({}));
                (name.clone(), json!({ "risk": risk, "rule": rules }))
            })
            .collect();
        let mut file = json!({ "version": 1, "risk": self.risk, "rule": self.rules, "agent": agents });
        for (key, value) in [("preset", &self.preset), ("unknown_tools", &self.unknown_tools)] {
            if let Some(value) = value {
                file.as_object_mut().unwrap().insert(key.to_owned(), json!(value));
            }
        }
        toml::to_string(&file).unwrap()
    }

    fn request(&self) -> Request {
        let mut arguments = self.arguments.clone();
        if let Some(LongArgument { name, unit, count }) = &self.long_argument {
            arguments.insert(name.clone(), json!(unit.repeat(*count)));
        }
        Request {
            id: RequestId(Uuid::nil()),
            requester: "default".to_owned(),
            agent: self.agent.clone().map(|name| AgentIdentity { name, verified: true }),
            session: None,
            user: None,
            tool: self.tool.clone(),
            server: None,
            arguments_hash: ArgumentsHash::of(&arguments).unwrap(),
            arguments,
            class: ToolClass::Other,
            subject: Subject::Arguments,
            command: None,
            files: Vec::new(),
            paths: PathFacts::default(),
            project_code: ProjectFacts::default(),
            scripts: ScriptFacts::default(),
            project: None,
            home: None,
            declared_risk: self.risk_level,
            table_risk: None,
            annotations: Annotations::default(),
            intent: None,
            summary: None,
            description: None,
            tags: Vec::new(),
            cwd: None,
            batch: None,
            trace_id: None,
            idempotency_key: None,
            timeout_seconds: None,
            longest_wait_seconds: None,
            accepts_edits: true,
            is_masked: false,
            unseen: None,
            require_approval: false,
            hook_phase: None,
            origin: None,
            processes: ProcessTree::default(),
        }
    }

    fn answer(&self) -> Expectation {
        let Ok(loaded) = parse(&self.file()) else { return Expectation::Invalid { invalid: true } };
        let decision = loaded.policy.decide(&self.request(), Timestamp::UNIX_EPOCH);
        let action = serde_json::to_value(decision.action).unwrap().as_str().unwrap().to_owned();
        Expectation::Decision { action, rule: decision.rule.map(|rule| rule.text().to_owned()) }
    }
}

#[test]
fn every_vector_has_its_answer() {
    // Not `lines`: U+2028 stands in some of them, and only `\n` ends one.
    let cases: Vec<Case> =
        VECTORS.split('\n').filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect();
    let cases: Vec<&Case> =
        cases.iter().filter(|case| !KNOWN_TOOLS.iter().any(|kind| case.id.starts_with(kind))).collect();
    assert!(cases.len() >= 100, "only {} vectors", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let answer = case.answer();
            (answer != case.expect).then(|| format!("{}: {answer:?} instead of {:?}", case.id, case.expect))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
