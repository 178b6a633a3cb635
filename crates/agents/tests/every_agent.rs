//! What holds for every agent alike, judged by the rules by which the agent itself reads an answer.

#![expect(clippy::disallowed_methods, reason = "what was recorded lies in files")]
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that panics fails, which is what it is for"
)]

mod support;

use handraise_agents::{Agent, ConnectError, ConnectOptions, Handler, HookCall, HookMessage, HookOutput, Level};
use handraise_protocol::Status;
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{edited, fixtures, result};

/// Messages that ask, of every event that a connection uses, and some more.
const ASKING: &[(&str, &str)] = &[
    ("claude-code", "PreToolUse"),
    ("claude-code", "PermissionRequest"),
    ("codex", "PreToolUse"),
    ("codex", "PreToolUse.apply_patch"),
    ("codex", "PermissionRequest"),
    ("gemini-cli", "BeforeTool"),
    ("copilot-cli", "preToolUse"),
    ("copilot-cli", "PreToolUse.claude-style"),
    ("copilot-cli", "permissionRequest"),
    ("opencode", "tool_execute_before"),
    ("opencode", "permission_asked"),
    ("opencode", "permission_v2_asked"),
    ("qwen-code", "PreToolUse"),
    ("qwen-code", "PermissionRequest"),
    ("cursor", "preToolUse"),
    ("cursor", "beforeShellExecution"),
    ("cursor", "beforeMCPExecution"),
    ("cursor", "beforeReadFile"),
    ("amp", "plugin_tool_call"),
    ("goose", "PreToolUse"),
    ("cline", "PreToolUse"),
    ("kiro", "preToolUse"),
    ("windsurf", "pre_run_command"),
    ("windsurf", "pre_write_code"),
    ("windsurf", "pre_read_code"),
    ("windsurf", "pre_mcp_tool_use"),
];

fn agent(name: &str) -> &'static dyn Agent {
    handraise_agents::agent(name).unwrap()
}

fn bytes(name: &str, event: &str) -> Vec<u8> {
    std::fs::read(fixtures().join(format!("{name}/{event}.input.json"))).unwrap()
}

fn call(name: &str, event: &str) -> HookCall {
    match agent(name).parse(&bytes(name, event)).unwrap() {
        HookMessage::Ask(call) => *call,
        other => panic!("{name} {event} asks nothing: {other:?}"),
    }
}

fn messages() -> impl Iterator<Item = (&'static dyn Agent, Vec<u8>, HookCall)> {
    ASKING.iter().map(|(name, event)| (agent(name), bytes(name, event), call(name, event)))
}

/// Whether the agent, reading `answer` by its own rules, does not run the call unasked.
fn is_closed(agent: &dyn Agent, event_name: &str, answer: &HookOutput) -> bool {
    let json: Value = serde_json::from_str(&answer.stdout).unwrap_or_default();
    let says = |place: &str, word: &str| json.pointer(place).is_some_and(|value| value == word);
    let claude_denies =
        says("/hookSpecificOutput/permissionDecision", "deny") || says("/hookSpecificOutput/decision/behavior", "deny");
    let exits = answer.exit_code == 2 && !answer.stderr.is_empty();
    match agent.name() {
        // PermissionRequest does not honour the exit code.
        "claude-code" => claude_denies || (exits && event_name == "PreToolUse"),
        "codex" => exits || (claude_denies && answer.exit_code == 0),
        "qwen-code" => exits || claude_denies,
        "gemini-cli" => exits || says("/decision", "deny"),
        "copilot-cli" => {
            answer.exit_code != 0 || claude_denies || says("/permissionDecision", "deny") || says("/behavior", "deny")
        }
        // The plugin throws on any exit code but 0; a question without a reply stays open.
        "opencode" => answer.exit_code != 0 || says("/action", "deny") || says("/reply", "reject"),
        "cursor" => exits || says("/permission", "deny"),
        "amp" => answer.exit_code > 1 || says("/action", "error") || says("/action", "reject-and-continue"),
        "goose" => exits || says("/decision", "block"),
        "cline" => json["cancel"] == true,
        "kiro" | "windsurf" => exits,
        name => panic!("{name}"),
    }
}

/// As the server sends it, and the hook program reads it.
fn over_the_wire(answer: &HookOutput) -> HookOutput {
    HookOutput::of_body(&answer.to_body()).unwrap()
}

#[test]
fn only_an_approval_lets_a_call_run() {
    for (agent, _, call) in messages() {
        let what = format!("{} {}", agent.name(), call.event_name);
        let approved = agent.render(&call, &result(&call, Status::Approved, None));
        assert!(!is_closed(agent, call.event_name, &approved), "{what}: {approved:?}");
        for status in [Status::Denied, Status::Timeout, Status::Cancelled, Status::Pending] {
            let answer = agent.render(&call, &result(&call, status, Some("allow")));
            assert!(is_closed(agent, call.event_name, &answer), "{what} {status:?}: {answer:?}");
            assert_eq!(over_the_wire(&answer), answer, "{what}");
        }
    }
}

#[test]
fn the_reason_of_a_denial_is_told() {
    for (agent, _, call) in messages() {
        let answer = agent.render(&call, &result(&call, Status::Denied, Some("use the staging build instead")));
        let told = format!("{}{}", answer.stdout, answer.stderr);
        assert!(told.contains("Denied in Handraise: use the staging build instead"), "{}: {told}", agent.name());
        let nobody = agent.render(&call, &result(&call, Status::Timeout, None));
        assert!(format!("{nobody:?}").contains("This is not a refusal"), "{}", agent.name());
    }
}

#[test]
fn an_approval_of_other_arguments_is_none() {
    for (agent, _, call) in messages() {
        let mut other = call.clone();
        other.request.arguments.insert("other".into(), true.into());
        let answer = agent.render(&call, &result(&other, Status::Approved, None));
        assert!(is_closed(agent, call.event_name, &answer), "{}: {answer:?}", agent.name());
    }
}

#[test]
fn changed_arguments_reach_the_agent_or_the_call_is_closed() {
    for (agent, _, call) in messages() {
        let mut arguments = call.request.arguments.clone();
        arguments.insert("added".into(), "by a person".into());
        let answer = agent.render(&call, &edited(&call, arguments));
        let what = format!("{} {}: {answer:?}", agent.name(), call.event_name);
        assert_eq!(call.accepts_edits, answer.stdout.contains("by a person"), "{what}");
        assert_eq!(call.accepts_edits, !is_closed(agent, call.event_name, &answer), "{what}");
    }
}

#[test]
fn every_failure_closes() {
    for (agent, message, call) in messages() {
        let answer = agent.failure(&message, "Handraise is not running.");
        assert!(is_closed(agent, call.event_name, &answer), "{} {}: {answer:?}", agent.name(), call.event_name);
        assert_eq!(answer.stderr, "Handraise is not running.");
        let sent = over_the_wire(&answer);
        assert!(is_closed(agent, call.event_name, &sent), "{}: {sent:?}", agent.name());
    }
    for name in handraise_agents::NAMES {
        let agent = agent(name);
        for garbage in [&b""[..], b"{", b"[]", b"null", b"\xff", b"{}", b"{\"hook_event_name\":\"PreEverything\"}"] {
            assert!(agent.parse(garbage).is_err(), "{name}");
            let answer = agent.failure(garbage, "no");
            let event = if *name == "claude-code" { "PreToolUse" } else { "" };
            assert!(is_closed(agent, event, &answer), "{name}: {answer:?}");
        }
    }
}

#[test]
fn a_key_that_is_there_twice_is_refused() {
    for (agent, message, _) in messages() {
        let text = String::from_utf8(message).unwrap();
        let twice = text.replacen('{', "{\"twice\": 1, \"twice\": 2,", 1);
        assert!(agent.parse(twice.as_bytes()).unwrap_err().to_string().contains("`twice` is there twice"));
    }
}

#[test]
fn unknown_fields_are_accepted() {
    for (agent, message, call) in messages() {
        let mut value: Value = serde_json::from_slice(&message).unwrap();
        value["brand_new"] = json!({ "nested": [1] });
        let parsed = agent.parse(value.to_string().as_bytes());
        assert_eq!(parsed, Ok(HookMessage::Ask(Box::new(call))), "{}", agent.name());
    }
}

#[test]
fn every_probe_asks_about_something_harmless() {
    for name in handraise_agents::NAMES {
        let (agent, probe) = (agent(name), agent(name).probe("/home/ana"));
        let Ok(HookMessage::Ask(call)) = agent.parse(&probe.stdin) else { panic!("{name}: no call") };
        let facts = agent.tool_facts(&call.request.tool, None, &call.request.arguments);
        assert_eq!(facts.risk, Some(handraise_policy::RiskLevel::ReadOnly), "{name}");
        assert_eq!(call.request.session.as_deref(), Some(handraise_agents::PROBE_SESSION), "{name}");
    }
}

fn options(name: &str, program: &str) -> ConnectOptions {
    let words = [program, "hook", name, "--deadline", "590"].map(str::to_owned).to_vec();
    ConnectOptions {
        command: words.join(" "),
        words,
        timeout_seconds: 600,
        on_failure_block: false,
        only_what_agent_asks: false,
        http: None,
    }
}

/// Texts of files as people have them, as far as they suit the format.
fn texts(path: &str) -> &'static [&'static str] {
    match path.ends_with(".json") && !path.starts_with(".kiro/hooks") {
        true => &[
            "",
            "{}",
            "{\n  \"version\": 1,\n  \"hooks\": {}\n}\n",
            "{\n  // mine\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [{ \"command\": \"bye\" }],\n  },\n}\n",
            "{\"hooks\":{\"preToolUse\":[],\"PreToolUse\":[]},\"other\":true}",
        ],
        false => &[""],
    }
}

#[test]
fn connecting_is_shown_repaired_and_taken_back_to_the_byte() {
    for name in handraise_agents::NAMES {
        for level in [Level::User, Level::Project] {
            let files = agent(name).files(level);
            assert!(!files.is_empty(), "{name}");
            for file in files {
                for text in texts(file.path) {
                    let what = format!("{name} {}:\n{text}", file.path);
                    let connected = file.text.connect(text, &options(name, "/usr/bin/handraise")).unwrap();
                    assert_ne!(connected, *text, "{what}");
                    let connection = file.text.connection(&connected).unwrap().unwrap();
                    assert!(connection.every_call && !connection.switched_off, "{what}\n{connection:?}");
                    assert_eq!(file.text.connect(&connected, &options(name, "/usr/bin/handraise")).unwrap(), connected);
                    let moved = file.text.connect(&connected, &options(name, "/opt/handraise")).unwrap();
                    assert!(!moved.contains("/usr/bin"), "{what}\n{moved}");
                    assert_eq!(file.text.disconnect(&moved).unwrap(), *text, "{what}\n{moved}");
                    assert_eq!(file.text.disconnect(text).unwrap(), *text, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_new_connection_looks_like_this() {
    for name in handraise_agents::NAMES {
        for file in agent(name).files(Level::User) {
            let text = file.text.connect("", &options(name, "/usr/bin/handraise")).unwrap();
            insta::assert_snapshot!(
                format!("{name}__{}", file.path.rsplit('/').next().unwrap().replace('*', "any")),
                text
            );
        }
    }
}

#[test]
fn the_command_is_read_back() {
    for name in handraise_agents::NAMES {
        for file in agent(name).files(Level::User) {
            let wanted = options(name, "/opt/Hand Raise/handraise");
            let wanted =
                ConnectOptions { command: format!("'/opt/Hand Raise/handraise' hook {name} --deadline 590"), ..wanted };
            let text = file.text.connect("", &wanted).unwrap();
            match file.text.connection(&text).unwrap().unwrap().handler {
                Handler::Command(command) => assert!(command.starts_with(&wanted.command), "{name}: {command}"),
                Handler::Program(words) => assert_eq!(words, wanted.words, "{name}"),
                Handler::Http(url) => panic!("{name}: {url}"),
            }
        }
    }
}

#[test]
fn what_an_agent_cannot_do_is_refused() {
    for name in handraise_agents::NAMES {
        let agent = agent(name);
        for file in agent.files(Level::User) {
            let only = ConnectOptions { only_what_agent_asks: true, ..options(name, "/usr/bin/handraise") };
            match file.text.connect("", &only) {
                Ok(text) => {
                    assert!(agent.has_own_questions(), "{name}");
                    assert!(!file.text.connection(&text).unwrap().unwrap().every_call, "{name}");
                }
                Err(error) => assert_eq!((error, agent.has_own_questions()), (ConnectError::EveryCallOnly, false)),
            }
            let other = ConnectOptions { command: "true".into(), words: vec!["true".into()], ..only };
            let other = ConnectOptions { only_what_agent_asks: false, ..other };
            assert!(matches!(file.text.connect("", &other), Err(ConnectError::Command(_))), "{name}");
        }
    }
}

#[test]
fn a_file_with_another_purpose_is_left_alone() {
    for (name, text) in [("opencode", "export default {}"), ("cline", "#!/bin/sh\necho mine\n"), ("kiro", "{}")] {
        let file = &agent(name).files(Level::User)[0];
        assert_eq!(file.text.connect(text, &options(name, "/usr/bin/handraise")), Err(ConnectError::NotOurs));
        assert_eq!(file.text.disconnect(text).unwrap(), text);
        assert_eq!(file.text.connection(text), Ok(None));
    }
}

#[test]
fn a_hook_gives_up_before_its_agent_does() {
    for name in handraise_agents::NAMES {
        let agent = agent(name);
        let timing = agent.timing();
        assert!(timing.hook_seconds + 5 <= timing.agent_seconds, "{name}");
        for file in agent.files(Level::User) {
            let text = file.text.connect("", &options(name, "/usr/bin/handraise")).unwrap();
            let seconds = file.text.connection(&text).unwrap().unwrap().timeout_seconds;
            assert!(seconds.is_none_or(|seconds| seconds == 600), "{name}: {seconds:?}");
        }
        assert!(!agent.stays_open(None).is_empty(), "{name}");
        for sentence in agent.stays_open(None) {
            assert!(sentence.ends_with('.'), "{sentence}");
        }
    }
}

proptest! {
    #[test]
    fn no_message_whatever_leads_to_an_allow_without_an_approval(
        case in proptest::sample::select(ASKING),
        cut in 0usize..2000,
        flip in any::<(usize, u8)>(),
    ) {
        let (name, event) = case;
        let agent = agent(name);
        let mut damaged = bytes(name, event);
        damaged.truncate(cut.max(1));
        let position = flip.0 % damaged.len();
        damaged[position] ^= flip.1;
        let failure = agent.failure(&damaged, "no");
        match agent.parse(&damaged) {
            Ok(HookMessage::Ask(call)) => {
                prop_assert!(is_closed(agent, call.event_name, &failure), "{:?}", failure);
                for status in [Status::Denied, Status::Timeout, Status::Cancelled, Status::Pending] {
                    let answer = agent.render(&call, &result(&call, status, Some("allow")));
                    prop_assert!(is_closed(agent, call.event_name, &answer), "{:?}", answer);
                }
            }
            Err(_) => {
                let event = if name == "claude-code" { "PreToolUse" } else { "" };
                prop_assert!(is_closed(agent, event, &failure), "{:?}", failure);
            }
            Ok(_) => {}
        }
    }
}

#[test]
fn a_shell_call_that_works_elsewhere_is_judged_there() {
    for (name, event, place, argument) in [
        ("gemini-cli", "BeforeTool", "/tool_input", "dir_path"),
        ("qwen-code", "PreToolUse", "/tool_input", "directory"),
        ("cursor", "preToolUse", "/tool_input", "working_directory"),
        ("codex", "PreToolUse", "/tool_input", "workdir"),
        ("opencode", "tool_execute_before", "/output/args", "workdir"),
        ("amp", "plugin_tool_call", "/input", "cwd"),
        ("windsurf", "pre_run_command", "/tool_info", "cwd"),
    ] {
        let agent = agent(name);
        let mut message: Value = serde_json::from_slice(&bytes(name, event)).unwrap();
        message.pointer_mut(place).unwrap()[argument] = json!("/etc");
        let Ok(HookMessage::Ask(call)) = agent.parse(message.to_string().as_bytes()) else { panic!("{name}") };
        let facts = agent.tool_facts(&call.request.tool, None, &call.request.arguments).shell;
        assert_eq!(facts.folder_from(call.request.cwd.as_deref()).as_deref(), Some("/etc"), "{name}");
        assert_eq!(facts.obstacle, None, "{name}");
    }
}

#[test]
fn a_tool_of_a_server_without_a_name_is_none_of_the_agent() {
    let mut message: Value = serde_json::from_slice(&bytes("gemini-cli", "BeforeTool.mcp")).unwrap();
    message["mcp_context"] = json!({ "tool_name": "read_file" });
    let Ok(HookMessage::Ask(call)) = agent("gemini-cli").parse(message.to_string().as_bytes()) else {
        panic!("a call")
    };
    let facts =
        agent("gemini-cli").tool_facts(&call.request.tool, call.request.server.as_deref(), &call.request.arguments);
    assert_eq!(facts.risk, None);
}

/// Whatever an agent's shell tool is called with beside the line is known or named.
#[test]
fn an_argument_that_no_shell_tool_has_is_an_obstacle_for_every_agent() {
    for (name, event, place) in [
        ("claude-code", "PreToolUse", "/tool_input"),
        ("gemini-cli", "BeforeTool", "/tool_input"),
        ("qwen-code", "PreToolUse", "/tool_input"),
        ("copilot-cli", "preToolUse", "/toolArgs"),
        ("cursor", "preToolUse", "/tool_input"),
        ("codex", "PreToolUse", "/tool_input"),
        ("opencode", "tool_execute_before", "/output/args"),
        ("amp", "plugin_tool_call", "/input"),
        ("goose", "PreToolUse", "/tool_input"),
        ("kiro", "preToolUse", "/tool_input"),
        ("windsurf", "pre_run_command", "/tool_info"),
    ] {
        let agent = agent(name);
        let obstacle = |argument: Option<&str>| {
            let mut message: Value = serde_json::from_slice(&bytes(name, event)).unwrap();
            if let Some(argument) = argument {
                message.pointer_mut(place).unwrap()[argument] = json!({ "PATH": "/tmp" });
            }
            let Ok(HookMessage::Ask(call)) = agent.parse(message.to_string().as_bytes()) else { panic!("{name}") };
            agent.tool_facts(&call.request.tool, None, &call.request.arguments).shell.obstacle
        };
        assert_eq!(obstacle(None), None, "{name}");
        for argument in ["env", "environment", "stdin", "input", "script", "interpreter", "args", "anything"] {
            assert_eq!(
                obstacle(Some(argument)).map(|obstacle| obstacle.to_string().contains(argument)),
                Some(true),
                "{name} {argument}"
            );
        }
    }
}
