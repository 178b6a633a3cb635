//! Every recorded message of every agent: what is read from it, or which answer is given in its words.
//! The manifest names them all, so that none is left out.

#![expect(clippy::disallowed_methods, reason = "what was recorded lies in files")]
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that panics fails, which is what it is for"
)]

mod support;

use std::collections::BTreeSet;

use handraise_agents::{Agent, HookCall, HookMessage, HookOutput, acp};
use handraise_protocol::{RiskLevel, Status, ToolClass};
use serde_json::{Map, Value, json};
use support::{edited, fixtures, result};

/// Questions that do not come through a hook but to the client of an agent. They belong to whoever
/// is that client.
const OTHER_CHANNELS: &[(&str, &str)] = &[
    ("acp/", "whoever stands between agent and client; see the tests below"),
    ("mcp/", "the MCP server of the SDK"),
    ("claude-code/can_use_tool", "hosts of Claude Code's SDK"),
    ("claude-code/permission-prompt-tool", "an MCP tool of the SDK"),
    ("cline/requestToolApproval", "hosts of Cline's SDK"),
    ("codex/item_", "clients of Codex's app-server"),
    ("codex/mcpServer_", "clients of Codex's app-server"),
    ("goose/tool_confirmation", "clients of Goose's server"),
    ("qwen-code/serve_", "clients of `qwen serve`"),
];

/// Answers that an agent would take and never gets.
const NEVER_GIVEN: &[(&str, &str)] = &[
    ("claude-code/Elicitation.allow", "answers a question for the person"),
    ("claude-code/Elicitation.deny", "answers a question for the person"),
    ("claude-code/PermissionRequest.always.", "widens the agent's own rules, which Handraise could not take back"),
    (
        "claude-code/PermissionRequest.always-session",
        "widens the agent's own rules, which Handraise could not take back",
    ),
    ("claude-code/PermissionRequest.deny-interrupt", "ends the whole turn"),
    ("claude-code/PreToolUse.ask.", "leaves the call to somebody else"),
    ("claude-code/PreToolUse.askuserquestion.modify", "answers a question for the person"),
    ("claude-code/PreToolUse.defer", "leaves the call to somebody else"),
    ("cline/PreToolUse.ask", "Cline ignores it and runs the tool"),
    ("copilot-cli/preToolUse.ask", "leaves the call to somebody else"),
    ("cursor/beforeMCPExecution.ask", "leaves the call to somebody else"),
    ("cursor/beforeShellExecution.ask", "leaves the call to somebody else"),
    ("cursor/preToolUse.ask", "Cursor does not enforce it"),
    ("gemini-cli/BeforeTool.ask", "turns a denial by Gemini's own policy into a question"),
    ("gemini-cli/BeforeTool.stop", "ends the whole run"),
    ("opencode/permission_asked.always", "widens the agent's own rules, which Handraise could not take back"),
    ("qwen-code/PreToolUse.ask", "is a denial where nobody sits at the terminal"),
    ("amp/plugin_tool_call.synthesize", "makes up a result that the tool has not had"),
];

struct Recorded {
    file: String,
    event: String,
    kind: String,
    is_process: bool,
}

fn recorded() -> Vec<Recorded> {
    let manifest: Value = serde_json::from_slice(&std::fs::read(fixtures().join("manifest.json")).unwrap()).unwrap();
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap().to_owned();
    let entry = |entry: &Value| Recorded {
        file: text(entry, "file"),
        event: text(entry, "event"),
        kind: text(entry, "kind"),
        is_process: entry["transport"] == "process-result",
    };
    manifest["files"].as_array().unwrap().iter().map(entry).collect()
}

impl Recorded {
    fn agent(&self) -> &'static dyn Agent {
        handraise_agents::agent(self.file.split('/').next().unwrap()).unwrap()
    }

    fn value(&self) -> Value {
        serde_json::from_slice(&std::fs::read(fixtures().join(&self.file)).unwrap()).unwrap()
    }

    fn is_in(&self, list: &[(&str, &str)]) -> bool {
        list.iter().any(|(prefix, _)| self.file.starts_with(prefix))
    }

    /// What the hook of this message's event would hand over.
    fn input(&self) -> Vec<u8> {
        let agent = self.agent().name();
        let names = [
            self.file.replace(&format!(".{}.json", self.kind), ".input.json"),
            format!("{agent}/{}.input.json", self.event),
        ];
        let bytes = names.iter().find_map(|name| std::fs::read(fixtures().join(name)).ok()).unwrap();
        if self.file.contains(".legacy.") {
            let legacy = json!({
                "type": "permission.updated",
                "properties": { "id": "per_1", "type": "bash", "pattern": "npm publish", "sessionID": "ses_1",
                    "messageID": "msg_1", "callID": "call_1", "title": "npm publish", "metadata": {} },
            });
            return legacy.to_string().into_bytes();
        }
        if self.event != "delegate" {
            return bytes;
        }
        let environment = |name: &str| match name {
            "AGENT" => Some("amp".to_owned()),
            "AGENT_TOOL_NAME" => Some("Bash".to_owned()),
            "AGENT_TOOL_USE_ID" => Some("toolu_1".to_owned()),
            "AMP_THREAD_ID" => Some("T-1".to_owned()),
            _ => None,
        };
        self.agent().message(bytes, &environment)
    }

    fn call(&self) -> HookCall {
        match self.agent().parse(&self.input()).unwrap() {
            HookMessage::Ask(call) => *call,
            other => panic!("{} asks nothing: {other:?}", self.file),
        }
    }

    fn answer(&self) -> HookOutput {
        let (agent, value) = (self.agent(), self.value());
        match self.kind.as_str() {
            "allow" => agent.render(&self.call(), &result(&self.call(), Status::Approved, None)),
            "deny" if self.file.contains(".error.") => agent.failure(&self.input(), "Handraise is not running"),
            "deny" => agent.render(&self.call(), &result(&self.call(), Status::Denied, Some("no"))),
            "modify" => {
                let call = self.call();
                assert!(call.accepts_edits, "{}", self.file);
                agent.render(&call, &edited(&call, changed(&value).clone()))
            }
            "ask" | "pass" => agent.pass(),
            "process" => agent.failure(b"what is this", "no"),
            kind => panic!("{}: {kind}", self.file),
        }
    }
}

/// The changed arguments, wherever the agent wants them.
fn changed(answer: &Value) -> &Map<String, Value> {
    const PLACES: &[&str] = &[
        "/hookSpecificOutput/updatedInput",
        "/hookSpecificOutput/decision/updatedInput",
        "/hookSpecificOutput/tool_input",
        "/modifiedArgs",
        "/updated_input",
        "/overrideInput",
        "/input",
    ];
    PLACES.iter().find_map(|place| answer.pointer(place)?.as_object()).unwrap()
}

/// `value` with every text for people or the model replaced.
fn without_words(value: &Value) -> Value {
    const WORDS: &[&str] =
        &["agent_message", "errorMessage", "message", "permissionDecisionReason", "reason", "stderr", "user_message"];
    match value {
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| match value {
                Value::String(text) if WORDS.contains(&key.as_str()) => (key.clone(), json!(text.is_empty())),
                _ => (key.clone(), without_words(value)),
            };
            Value::Object(fields.iter().map(field).collect())
        }
        _ => value.clone(),
    }
}

fn answers() -> impl Iterator<Item = Recorded> {
    recorded().into_iter().filter(|entry| entry.kind != "input" && !entry.is_in(OTHER_CHANNELS))
}

#[test]
fn the_manifest_names_every_file_and_every_exception_is_one() {
    let named: BTreeSet<String> = recorded().into_iter().map(|entry| entry.file).collect();
    let mut there = BTreeSet::new();
    for folder in std::fs::read_dir(fixtures()).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir()) {
        let agent = folder.file_name().into_string().unwrap();
        let files =
            std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        there.extend(files.map(|file| format!("{agent}/{file}")));
    }
    assert_eq!(named, there);
    for (prefix, _) in OTHER_CHANNELS.iter().chain(NEVER_GIVEN) {
        assert!(named.iter().any(|file| file.starts_with(prefix)), "{prefix}");
    }
    let agents: BTreeSet<&str> = named.iter().filter_map(|file| file.split('/').next()).collect();
    for name in handraise_agents::NAMES {
        assert!(agents.contains(name), "{name} has no recorded message");
    }
}

#[test]
fn each_message_becomes_this() {
    for entry in recorded().iter().filter(|entry| entry.kind == "input" && !entry.is_in(OTHER_CHANNELS)) {
        let agent = entry.agent();
        let seen = match agent.parse(&entry.input()).unwrap() {
            HookMessage::Ask(call) => {
                let HookCall { event, event_name, request, accepts_edits, key } = *call;
                let facts = agent.tool_facts(&request.tool, request.server.as_deref(), &request.arguments);
                json!({
                    "event": format!("{event:?}"),
                    "event_name": event_name,
                    "request": request,
                    "accepts_edits": accepts_edits,
                    "call_id": key.id,
                    "class": ToolClass::from(facts.class),
                    "subject": format!("{:?}", facts.subject),
                    "risk": facts.risk.map(RiskLevel::from),
                    "files": facts.files,
                })
            }
            HookMessage::CallEnded { session, call } => json!({ "call_ended": call.id, "session": session }),
            HookMessage::TurnEnded { session } => json!({ "turn_ended": session }),
            HookMessage::SessionEnded { session } => json!({ "session_ended": session }),
            HookMessage::Nothing => json!("nothing"),
        };
        insta::assert_json_snapshot!(entry.file.replace('/', "__").replace(".json", ""), seen);
    }
}

#[test]
fn each_answer_is_in_the_agents_own_words() {
    for entry in answers().filter(|entry| !entry.is_in(NEVER_GIVEN)) {
        let (answer, expected) = (entry.answer(), entry.value());
        if entry.is_process && entry.kind != "process" {
            let given = json!({ "exit_code": answer.exit_code, "stdout": answer.stdout, "stderr": answer.stderr });
            assert_eq!(without_words(&given), without_words(&expected), "{}", entry.file);
        } else if entry.is_process {
            // A denial on stdout may stand beside it, for where the exit code does not count.
            assert_eq!(json!(answer.exit_code), expected["exit_code"], "{}", entry.file);
            assert!(!answer.stderr.is_empty(), "{}", entry.file);
        } else {
            let given: Value = match serde_json::from_str(&answer.stdout) {
                Ok(given) => given,
                Err(error) => panic!("{}: {error}: {answer:?}", entry.file),
            };
            let mut expected = without_words(&expected);
            // An allow may say why, to the person.
            if let (Some(given), Some(expected)) =
                (given.get("hookSpecificOutput"), expected.get_mut("hookSpecificOutput").and_then(Value::as_object_mut))
                && given["permissionDecision"] == "allow"
                && given.get("permissionDecisionReason").is_some()
            {
                expected.insert("permissionDecisionReason".into(), false.into());
            }
            assert_eq!(without_words(&given), expected, "{}", entry.file);
            // An answer that only exits well is no denial, so a failure may exit otherwise.
            assert!(answer.exit_code == 0 || entry.file.contains(".error."), "{}", entry.file);
        }
    }
}

#[test]
fn the_questions_of_acp_are_read_and_answered() {
    let file =
        |name: &str| std::fs::read(fixtures().join(format!("acp/session_request_permission.{name}.json"))).unwrap();
    let value = |name: &str| serde_json::from_slice::<Value>(&file(name)).unwrap();
    for version in ["input", "v2.input"] {
        let question = acp::read(&file(version)).unwrap().unwrap();
        insta::assert_json_snapshot!(format!("acp__{version}"), question.call.request);
        let answer = |result| serde_json::from_str::<Value>(&question.answer(&result)).unwrap();
        assert_eq!(answer(result(&question.call, Status::Approved, None)), value("allow"));
        for status in [Status::Denied, Status::Timeout, Status::Cancelled, Status::Pending] {
            assert_eq!(answer(result(&question.call, status, None)), value("deny"));
        }
        // There is no place for changed arguments.
        assert_eq!(answer(edited(&question.call, Map::new())), value("deny"));
        assert_eq!(serde_json::from_str::<Value>(&question.cancelled()).unwrap(), value("cancel.deny"));
    }
}

#[test]
fn a_question_of_acp_without_a_fitting_option_is_not_approved() {
    let file = std::fs::read(fixtures().join("acp/session_request_permission.input.json")).unwrap();
    let mut message: Value = serde_json::from_slice(&file).unwrap();
    message["params"]["options"] = json!([{ "optionId": "yes", "name": "Always", "kind": "allow_always" }]);
    let question = acp::read(message.to_string().as_bytes()).unwrap().unwrap();
    assert_eq!(question.answer(&result(&question.call, Status::Approved, None)), question.cancelled());
    for damage in ["options", "sessionId", "toolCall"] {
        let mut damaged = message.clone();
        damaged["params"].as_object_mut().unwrap().remove(damage);
        assert!(acp::read(damaged.to_string().as_bytes()).is_err(), "{damage}");
    }
    assert_eq!(acp::read(br#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#), Ok(None));
}

#[test]
fn some_answers_are_never_given() {
    for entry in answers().filter(|entry| entry.is_in(NEVER_GIVEN)) {
        let Ok(HookMessage::Ask(call)) = entry.agent().parse(&entry.input()) else { continue };
        for status in [Status::Approved, Status::Denied, Status::Timeout, Status::Cancelled, Status::Pending] {
            let answer = entry.agent().render(&call, &result(&call, status, None));
            let given: Value = serde_json::from_str(&answer.stdout).unwrap_or_default();
            assert_ne!(without_words(&given), without_words(&entry.value()), "{}", entry.file);
        }
    }
}

#[test]
fn every_answer_of_an_adapter_is_known_to_the_hook_and_no_other_one_is() {
    let travelled = |answer: &HookOutput| HookOutput::of_body(&answer.to_body()).unwrap();
    for entry in recorded().iter().filter(|entry| entry.kind == "input" && !entry.is_in(OTHER_CHANNELS)) {
        let (agent, input) = (entry.agent(), entry.input());
        let failure = travelled(&agent.failure(&input, "Handraise is not running."));
        assert!(handraise_agents::is_answer(agent, &input, &failure), "{}: {failure:?}", entry.file);
        let HookMessage::Ask(call) = agent.parse(&input).unwrap() else {
            assert!(handraise_agents::is_answer(agent, &input, &travelled(&agent.pass())), "{}", entry.file);
            continue;
        };
        let mut given: Vec<HookOutput> =
            [Status::Approved, Status::Denied, Status::Timeout, Status::Cancelled, Status::Pending]
                .into_iter()
                .flat_map(|status| {
                    [None, Some("because")].map(|reason| agent.render(&call, &result(&call, status, reason)))
                })
                .collect();
        let mut changed = call.request.arguments.clone();
        changed.insert("another".into(), json!({ "value": [1] }));
        given.push(agent.render(&call, &edited(&call, changed)));
        for answer in given.iter().map(travelled) {
            assert!(handraise_agents::is_answer(agent, &input, &answer), "{}: {answer:?}", entry.file);
            let more = match serde_json::from_str(&answer.stdout) {
                Ok(Value::Object(mut fields)) => {
                    fields.insert("more".into(), json!(true));
                    HookOutput { stdout: Value::Object(fields).to_string(), ..answer.clone() }
                }
                _ => HookOutput { stdout: "{}".into(), ..answer.clone() },
            };
            assert!(!handraise_agents::is_answer(agent, &input, &more), "{}: {more:?}", entry.file);
        }
        // Going on without a decision is no decision, but where that is how the agent is told to.
        let passed = travelled(&agent.pass());
        let is_allow = given.iter().map(travelled).any(|answer| answer == passed);
        assert_eq!(handraise_agents::is_answer(agent, &input, &passed), is_allow, "{}", entry.file);
    }
}
