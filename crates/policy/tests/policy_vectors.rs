//! The policy's answers to the vectors that the libraries for other languages are held to as well.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use handraise_policy::rules::parse;
use handraise_policy::{
    AgentIdentity, Annotations, ArgumentsHash, Confinable, PathFacts, ProcessTree, ProjectFacts, Request, RequestId,
    RiskLevel, ScriptFacts, Subject, TaskFacts, ToolClass,
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
    /// The keys of a policy file, without its version where that is not what the case is about.
    policy: Map<String, Value>,
    call: Call,
    expect: Expectation,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
    long_argument: Option<LongArgument>,
    /// As the API calls it.
    risk: Option<String>,
    agent: Option<String>,
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
    Invalid {
        invalid: bool,
    },
    /// The libraries refuse this key by its name, since only the engine answers it: here the policy is read.
    Unsupported {
        unsupported: String,
    },
    Decision {
        action: String,
        rule: Option<String>,
    },
}

impl Case {
    /// The policy file that says the same.
    fn file(&self) -> String {
        let mut file = self.policy.clone();
        file.entry("version").or_insert(json!(1));
        toml::to_string(&file).unwrap()
    }

    fn request(&self) -> Request {
        let mut arguments = self.call.arguments.clone();
        if let Some(LongArgument { name, unit, count }) = &self.call.long_argument {
            arguments.insert(name.clone(), json!(unit.repeat(*count)));
        }
        Request {
            id: RequestId(Uuid::nil()),
            requester: "default".to_owned(),
            agent: self.call.agent.clone().map(|name| AgentIdentity { name, verified: true }),
            session: None,
            user: None,
            tool: self.call.tool.clone(),
            server: None,
            arguments_hash: ArgumentsHash::of(&arguments).unwrap(),
            arguments,
            class: ToolClass::Other,
            subject: Subject::Arguments,
            command: None,
            files: Vec::new(),
            paths: PathFacts::default(),
            project_code: ProjectFacts::default(),
            tasks: TaskFacts::default(),
            checkouts: handraise_policy::CheckoutFacts::default(),
            scripts: ScriptFacts::default(),
            project: None,
            home: None,
            declared_risk: self.call.risk.as_deref().map(|risk| RiskLevel::from_word(risk).unwrap()),
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
            confinable: Confinable::default(),
            is_kept: true,
            is_redacted: false,
            unseen: None,
            decision_point: None,
            require_approval: false,
            hook_phase: None,
            provenance: None,
            processes: ProcessTree::default(),
        }
    }

    fn answer(&self) -> Expectation {
        let Ok(loaded) = parse(&self.file()) else { return Expectation::Invalid { invalid: true } };
        if let Expectation::Unsupported { unsupported } = &self.expect {
            return Expectation::Unsupported { unsupported: unsupported.clone() };
        }
        let decision = loaded.policy.decide(&self.request(), Timestamp::UNIX_EPOCH);
        let action = format!("{:?}", decision.action).to_lowercase();
        Expectation::Decision { action, rule: decision.rule.map(|rule| rule.text().to_owned()) }
    }
}

fn cases() -> Vec<Case> {
    // Not `lines`: U+2028 may stand in one of them, and only `\n` ends one.
    VECTORS.split('\n').filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_vector_has_its_answer() {
    let cases = cases();
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

/// The keys that the engine knows in one place, as its message about a key that there is not names them.
fn keys(file: &str) -> BTreeSet<String> {
    let errors = parse(file).unwrap_err();
    let help = errors.iter().find_map(|found| found.help.clone()).unwrap();
    let (_, keys) = help.split_once(" are ").unwrap();
    keys.split(", ").map(str::to_owned).collect()
}

/// A key that is added to the policy is answered by the libraries, or refused: nothing is left out.
#[test]
fn every_key_of_the_policy_is_in_a_vector() {
    let cases = cases();
    let refused: BTreeSet<&str> = cases
        .iter()
        .filter_map(|case| match &case.expect {
            Expectation::Unsupported { unsupported } => Some(unsupported.as_str()),
            Expectation::Invalid { .. } | Expectation::Decision { .. } => None,
        })
        .collect();
    let places = [
        ("zzzzzzzzzzzz = 1", ["version", "preset", "unknown_tools", "risk", "rule", "agent"].as_slice()),
        ("[agent.ann]\nzzzzzzzzzzzz = 1", &["risk", "rule"]),
        ("[[rule]]\nzzzzzzzzzzzz = 1\naction = 'ask'", &["pattern", "action", "reason", "final"]),
    ];
    for (file, answered) in places {
        let known = keys(&format!("version = 1\n{file}\n"));
        let missing: Vec<&String> =
            known.iter().filter(|key| !answered.contains(&key.as_str()) && !refused.contains(key.as_str())).collect();
        assert!(missing.is_empty(), "no vector says what the libraries do with {missing:?}: {file}");
    }
}
