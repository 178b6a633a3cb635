//! Claude Code's recorded messages, all of them: what is read from each, and which answers are
//! given to which results.

#![expect(clippy::disallowed_methods, reason = "what was recorded lies in files")]
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that panics fails, which is what it is for"
)]

mod support;

use handraise_agents::{Agent, HookCall, HookEvent, HookMessage, HookOutput};
use handraise_policy::ToolClass;
use handraise_protocol::{ApprovalResult, Scope, Status};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use support::{fixtures, result};

const ASKING: &[&str] = &[
    "PermissionRequest.input",
    "PermissionRequest.mcp.input",
    "PreToolUse.edit.input",
    "PreToolUse.input",
    "PreToolUse.mcp.input",
    "PreToolUse.powershell.input",
    "PreToolUse.subagent.input",
    "PreToolUse.write.input",
];
/// Nothing to decide, or the agent's own question to the person.
const NOT_ASKING: &[&str] =
    &["Elicitation.input", "Elicitation.url.input", "Notification.input", "PreToolUse.askuserquestion.input"];
/// Answers that Claude Code would take and never gets: they answer a question for the person
/// (`Elicitation`, `AskUserQuestion`), widen the agent's own rules beyond the call that was shown
/// (`always`), end the whole turn, or leave the call to somebody else (`ask`, `defer`).
const NEVER_GIVEN: &[&str] = &[
    "Elicitation.allow",
    "Elicitation.deny",
    "PermissionRequest.always",
    "PermissionRequest.always-session.always",
    "PermissionRequest.deny-interrupt.deny",
    "PreToolUse.ask",
    "PreToolUse.askuserquestion.modify",
    "PreToolUse.defer",
];

fn claude_code() -> &'static dyn Agent {
    handraise_agents::agent("claude-code").unwrap()
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join(format!("claude-code/{name}.json"))).unwrap()
}

fn json_of(name: &str) -> Value {
    serde_json::from_slice(&bytes(name)).unwrap()
}

fn call(name: &str) -> HookCall {
    match claude_code().parse(&bytes(name)).unwrap() {
        HookMessage::Ask(call) => *call,
        other => panic!("{name} asks nothing: {other:?}"),
    }
}

fn edited(call: &HookCall, arguments: Map<String, Value>, reason: &str) -> ApprovalResult {
    ApprovalResult { reason: Some(reason.to_owned()), ..support::edited(call, arguments) }
}

fn body(answer: &HookOutput) -> Value {
    assert_eq!((answer.exit_code, answer.stderr.as_str()), (0, ""));
    serde_json::from_str(&answer.stdout).unwrap()
}

fn rendered(call: &HookCall, result: &ApprovalResult) -> Value {
    body(&claude_code().render(call, result))
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn nothing_is_added_to_the_arguments_and_nothing_taken_away() {
    for name in ASKING {
        assert_eq!(Value::Object(call(name).request.arguments), json_of(name)["tool_input"]);
    }
}

#[test]
fn a_message_that_asks_nothing_passes() {
    for name in NOT_ASKING {
        assert_eq!(claude_code().parse(&bytes(name)), Ok(HookMessage::Nothing), "{name}");
    }
    let pass = body(&claude_code().pass());
    for name in ["PreToolUse.pass", "PermissionRequest.ask", "Elicitation.ask"] {
        assert_eq!(pass, json_of(name), "{name}");
    }
}

#[test]
fn the_end_of_a_session_is_noticed() {
    let message = json!({ "hook_event_name": "SessionEnd", "session_id": "s", "reason": "exit" });
    let message = claude_code().parse(message.to_string().as_bytes());
    assert_eq!(message, Ok(HookMessage::SessionEnded { session: "s".into() }));
}

#[test]
fn a_call_that_has_run_is_told_apart_by_its_id_and_by_what_it_does() {
    let Ok(HookMessage::CallEnded { session, call: ended }) = claude_code().parse(&bytes("PostToolUse.input")) else {
        panic!("a call has ended");
    };
    assert_eq!(session, "7c1f0a52-3f0e-4d1e-9a55-0f2f9b7f8f11");
    assert!(ended.id.is_some() && ended.digest.is_some());

    // What the model says a command is for is not part of the call, and the event neither.
    let mut message = object(&json_of("PermissionRequest.input"));
    let question = call("PermissionRequest.input").key.digest;
    message.insert("hook_event_name".into(), "PreToolUse".into());
    message["tool_input"].as_object_mut().unwrap().remove("description");
    let Ok(HookMessage::Ask(before)) = claude_code().parse(Value::Object(message).to_string().as_bytes()) else {
        panic!("a call");
    };
    assert_eq!(before.key.digest, question);
    assert_ne!(call("PreToolUse.input").key.digest, question);
}

#[test]
fn a_failed_hook_about_what_has_happened_denies_nothing() {
    for event in ["PostToolUse", "Stop", "SessionEnd"] {
        let mut message = object(&json_of("PostToolUse.input"));
        message.insert("hook_event_name".into(), event.into());
        let answer = claude_code().failure(Value::Object(message).to_string().as_bytes(), "no");
        assert_eq!(answer, claude_code().pass(), "{event}");
    }
}

#[test]
fn a_message_of_copilot_is_noticed_only_when_both_say_so() {
    let copilot = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/", "tool_name": "Bash", "tool_input": {},
    });
    let says = |name: &str| (name == "COPILOT_CLI").then(|| "1".to_owned());
    let copilot = copilot.to_string().into_bytes();
    assert_eq!(claude_code().run_by(&copilot, &says), Some("copilot-cli"));
    assert_eq!(claude_code().run_by(&copilot, &|_| None), None);
    // A project can set the environment of Claude Code, but not what Claude Code says.
    assert_eq!(claude_code().run_by(&bytes("PreToolUse.input"), &says), None);
    assert_eq!(claude_code().run_by(b"{", &says), None);
}

#[test]
fn an_approval_is_an_allow() {
    for (input, answer) in
        [("PreToolUse.input", "PreToolUse.allow"), ("PermissionRequest.input", "PermissionRequest.allow")]
    {
        let call = call(input);
        for reason in [None, Some("Approved in Handraise")] {
            assert_eq!(rendered(&call, &result(&call, Status::Approved, reason)), json_of(answer));
        }
    }
}

#[test]
fn an_approval_with_changes_replaces_the_whole_input() {
    let call_before = call("PreToolUse.input");
    let answer = json_of("PreToolUse.modify");
    let input = object(&answer["hookSpecificOutput"]["updatedInput"]);
    let result = edited(&call_before, input, "Approved with changes in Handraise");
    assert_eq!(rendered(&call_before, &result), answer);

    let call_question = call("PermissionRequest.input");
    let answer = json_of("PermissionRequest.modify");
    let input = object(&answer["hookSpecificOutput"]["decision"]["updatedInput"]);
    assert_eq!(rendered(&call_question, &edited(&call_question, input, "fine")), answer);
}

#[test]
fn a_denial_reaches_the_model_with_its_reason() {
    for (input, reason, answer) in [
        ("PreToolUse.input", "do not delete build/, run \"npm run build -- --clean\" instead.", "PreToolUse.deny"),
        ("PermissionRequest.input", "use the staging build instead.", "PermissionRequest.deny"),
    ] {
        let call = call(input);
        assert_eq!(rendered(&call, &result(&call, Status::Denied, Some(reason))), json_of(answer));
    }
}

#[test]
fn nobody_being_there_is_not_told_as_a_refusal() {
    for status in [Status::Timeout, Status::Pending] {
        let call = call("PreToolUse.input");
        let output = &rendered(&call, &result(&call, status, None))["hookSpecificOutput"];
        assert_eq!(output["permissionDecision"], "deny");
        let reason = output["permissionDecisionReason"].as_str().unwrap();
        assert!(reason.starts_with("No person answered: "), "{reason}");
        assert!(reason.contains("This is not a refusal"), "{reason}");
    }
}

#[test]
fn a_withdrawn_question_does_not_run_the_call() {
    let call = call("PermissionRequest.input");
    let decision = &rendered(&call, &result(&call, Status::Cancelled, Some("The session has ended.")))["hookSpecificOutput"]
        ["decision"];
    assert_eq!(decision["behavior"], "deny");
    assert!(decision["message"].as_str().unwrap().ends_with("The session has ended."));
}

#[test]
fn an_approval_of_something_else_is_no_approval() {
    let asked = call("PreToolUse.input");
    let other = result(&call("PreToolUse.write.input"), Status::Approved, None);
    assert_eq!(rendered(&asked, &other)["hookSpecificOutput"]["permissionDecision"], "deny");

    // Changed arguments under the hash of the unchanged ones.
    let unbound = ApprovalResult { arguments: Some(Map::new()), ..result(&asked, Status::Approved, None) };
    assert_eq!(rendered(&asked, &unbound)["hookSpecificOutput"]["permissionDecision"], "deny");

    // Changed arguments for a call that cannot be changed: the unchanged ones would run.
    let fixed = HookCall { accepts_edits: false, ..asked };
    let changed = edited(&fixed, Map::new(), "changed");
    assert_eq!(rendered(&fixed, &changed)["hookSpecificOutput"]["permissionDecision"], "deny");
}

#[test]
fn a_failure_ends_as_the_recorded_process_does() {
    let process = json_of("PreToolUse.deny.process");
    let sentence = process["stderr"].as_str().unwrap();
    let answer = claude_code().failure(b"what is this", sentence);
    assert_eq!(json!(answer.exit_code), process["exit_code"]);
    assert_eq!(json!(answer.stderr), process["stderr"]);
    // On top of the recorded process, for where the exit code does not count.
    assert!(denies(&answer));
}

#[test]
fn a_failure_of_a_readable_message_denies_in_both_ways() {
    for name in ASKING {
        let answer = claude_code().failure(&bytes(name), "Handraise is not running.");
        assert_eq!((answer.exit_code, answer.stderr.as_str()), (2, "Handraise is not running."));
        assert!(denies(&answer), "{name}");
    }
}

#[test]
fn some_answers_are_never_given() {
    let never: Vec<Value> = NEVER_GIVEN.iter().map(|name| json_of(name)).collect();
    for name in ASKING {
        let call = call(name);
        for status in [Status::Approved, Status::Denied, Status::Timeout, Status::Cancelled, Status::Pending] {
            for scope in [Scope::Once, Scope::Minutes, Scope::Session, Scope::Project, Scope::Always] {
                let result = ApprovalResult { scope: Some(scope), ..result(&call, status, None) };
                let answer = rendered(&call, &result);
                assert!(!never.contains(&answer), "{name}: {answer}");
                assert!(!answer.to_string().contains("updatedPermissions"), "{name}: {answer}");
            }
        }
    }
}

#[test]
fn what_is_missing_or_of_another_type_is_named() {
    let without = |field: &str| {
        let mut message = object(&json_of("PreToolUse.input"));
        message.remove(field);
        claude_code().parse(Value::Object(message).to_string().as_bytes()).unwrap_err().to_string()
    };
    for field in ["hook_event_name", "session_id", "tool_name", "tool_input"] {
        assert!(without(field).contains(&format!("`{field}`")), "{field}");
    }
    let with = |field: &str, value: Value| {
        let mut message = object(&json_of("PreToolUse.input"));
        message.insert(field.to_owned(), value);
        claude_code().parse(Value::Object(message).to_string().as_bytes()).unwrap_err().to_string()
    };
    for field in ["hook_event_name", "session_id", "tool_name", "tool_input", "cwd", "tool_use_id", "agent_id"] {
        assert!(with(field, json!(7)).contains(&format!("`{field}`")), "{field}");
    }
    assert!(with("mcp_server", json!("github")).contains("`mcp_server`"));
    assert!(with("tool_name", json!("Ba\u{202e}sh")).contains("invisible"));
    assert!(with("hook_event_name", json!("PreEverything")).contains("`PreEverything`"));
    assert!(claude_code().parse(b"[]").unwrap_err().to_string().contains("not a JSON object"));
}

#[test]
fn a_command_that_is_there_twice_is_refused() {
    let text = String::from_utf8(bytes("PreToolUse.input")).unwrap();
    let twice = text.replace("\"command\":", "\"command\": \"ls\", \"command\":");
    assert!(claude_code().parse(twice.as_bytes()).unwrap_err().to_string().contains("`command` is there twice"));
    // The shim cannot read it either, and closes with the exit code alone.
    assert_eq!(claude_code().failure(twice.as_bytes(), "no").exit_code, 2);
}

#[test]
fn a_tool_of_a_server_is_never_taken_for_one_of_the_agent() {
    let call = call("PreToolUse.mcp.input");
    assert_eq!((call.request.server.as_deref(), call.request.tool.as_str()), (Some("github"), "create_issue"));
    let facts = claude_code().tool_facts("Bash", Some("github"), &call.request.arguments);
    assert_eq!((facts.class, facts.risk), (ToolClass::Mcp, None));
}

fn says(answer: &HookOutput, word: &str) -> bool {
    let output = &serde_json::from_str::<Value>(&answer.stdout).unwrap()["hookSpecificOutput"];
    output["permissionDecision"] == word || output["decision"]["behavior"] == word
}

fn denies(answer: &HookOutput) -> bool {
    says(answer, "deny") && !says(answer, "allow")
}

proptest! {
    #[test]
    fn no_message_whatever_leads_to_an_allow_without_an_approval(
        garbage in proptest::collection::vec(any::<u8>(), 0..200),
        cut in 0usize..2000,
        flip in any::<(usize, u8)>(),
        name in proptest::sample::select(ASKING),
    ) {
        let mut damaged = bytes(name);
        damaged.truncate(cut.max(1));
        let position = flip.0 % damaged.len();
        damaged[position] ^= flip.1;
        for input in [garbage, damaged] {
            let failure = claude_code().failure(&input, "no");
            prop_assert_eq!(failure.exit_code, 2);
            prop_assert!(denies(&failure));
            if let Ok(HookMessage::Ask(call)) = claude_code().parse(&input) {
                for status in [Status::Denied, Status::Timeout, Status::Cancelled, Status::Pending] {
                    prop_assert!(denies(&claude_code().render(&call, &result(&call, status, Some("allow")))));
                }
            }
        }
    }

    #[test]
    fn no_hash_but_the_right_one_lets_a_call_run(command in ".{0,40}", other in ".{0,40}") {
        prop_assume!(command != other);
        let with = |command: &str| {
            let mut call = call("PreToolUse.input");
            call.request.arguments.insert("command".into(), command.into());
            call
        };
        let approved = result(&with(&other), Status::Approved, None);
        prop_assert!(denies(&claude_code().render(&with(&command), &approved)));
        prop_assert_eq!(with(&command).event, HookEvent::BeforeTool);
    }
}
