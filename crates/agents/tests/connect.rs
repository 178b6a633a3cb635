//! Connecting and disconnecting Claude Code: what is written, and that everything else survives.

#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it is for")]

use handraise_agents::{ConnectError, ConnectOptions, Handler, HttpHandler, Level, ManagedText};
use proptest::prelude::*;
use serde_json::{Value, json};

fn claude_code() -> &'static dyn ManagedText {
    let files = handraise_agents::agent("claude-code").unwrap().files(Level::User);
    files.into_iter().next().unwrap().text
}

fn options() -> ConnectOptions {
    ConnectOptions {
        command: "/usr/bin/handraise hook claude-code --deadline 590".into(),
        words: ["/usr/bin/handraise", "hook", "claude-code", "--deadline", "590"].map(str::to_owned).to_vec(),
        timeout_seconds: 600,
        on_failure_block: false,
        only_what_agent_asks: false,
        http: None,
    }
}

fn connect(settings: &str) -> String {
    claude_code().connect(settings, &options()).unwrap()
}

fn disconnect(settings: &str) -> String {
    claude_code().disconnect(settings).unwrap()
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

const COMMENTED: &str = r#"{
    // models
    "model": "opus", /* the big one */
    "hooks": {
        // format what was written
        "PostToolUse": [{ "matcher": "Write", "hooks": [{ "type": "command", "command": "prettier" }] }],
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "audit-log" }] } // mine
            // nothing more
        ]
    },
    "permissions": {"allow": ["Bash(ls)"]},
}
"#;

/// Files as people have them.
const FILES: &[&str] = &[
    "",
    "\n",
    "// nothing yet\n",
    "{}",
    "{}\n",
    "{\n}\n",
    "{ /* empty */ }",
    "{\"model\":\"opus\"}",
    "{\n  \"model\": \"opus\"\n}\n",
    "{\r\n\t\"model\": \"opus\"\r\n}\r\n",
    "{\n  \"model\": \"opus\",\n}\n",
    "{\n  \"model\": \"opus\" // big\n}",
    "{\n  \"hooks\": {}\n}\n",
    "{\n  \"hooks\": {\n  }\n}\n",
    "{\"hooks\":{\"PreToolUse\":[]}}",
    "{\"hooks\":{\"PreToolUse\":[],\"SessionEnd\":[ ]},\"model\":\"opus\"}",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [ // here\n    ]\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"SessionEnd\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"bye\"}]},\n    ],\n  },\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [{\n      \"matcher\": \"*\",\n      \"hooks\": []\n    }]\n  }\n}\n",
    COMMENTED,
];

#[test]
fn a_new_file_holds_the_two_hooks_and_nothing_else() {
    insta::assert_snapshot!(connect(""));
}

#[test]
fn a_file_with_comments_and_hooks_keeps_them() {
    insta::assert_snapshot!(connect(COMMENTED));
}

#[test]
fn disconnecting_gives_back_every_byte() {
    for file in FILES {
        let connected = connect(file);
        assert_ne!(connected, *file);
        assert_eq!(disconnect(&connected), *file, "connected:\n{connected}");
    }
}

#[test]
fn connecting_twice_changes_nothing_more() {
    for file in FILES {
        let once = connect(file);
        assert_eq!(connect(&once), once);
    }
}

#[test]
fn disconnecting_what_was_never_connected_changes_nothing() {
    for file in FILES {
        assert_eq!(disconnect(file), *file);
    }
}

#[test]
fn a_moved_program_is_repaired_and_not_doubled() {
    for file in FILES {
        let old = ConnectOptions { command: "'/old place/handraise' hook claude-code".into(), ..options() };
        let moved = claude_code().connect(file, &old).unwrap();
        let repaired = connect(&moved);
        assert!(!repaired.contains("old place"), "{repaired}");
        assert_eq!(repaired, connect(file));
    }
}

#[test]
fn a_change_of_mind_leaves_no_trace_of_the_first() {
    let only = ConnectOptions { only_what_agent_asks: true, ..options() };
    let text = claude_code().connect(&connect(COMMENTED), &only).unwrap();
    assert_eq!(text, claude_code().connect(COMMENTED, &only).unwrap());
    assert!(text.contains("\"PermissionRequest\""));
    assert!(!claude_code().connection(&text).unwrap().unwrap().every_call);
}

#[test]
fn hooks_of_others_are_not_ours() {
    for command in ["other hook claude-code", "handraise hook claude-code-next", "handraise hook codex", "handraise"] {
        let file = json!({ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": command }] }] } });
        assert_eq!(disconnect(&file.to_string()), file.to_string());
        assert_eq!(claude_code().connection(&file.to_string()), Ok(None));
    }
}

#[test]
fn a_hook_that_shares_our_group_stays() {
    let text = connect("{}");
    let mut settings = value(&text);
    let theirs = json!({ "type": "command", "command": "audit-log" });
    let handlers = settings["hooks"]["PreToolUse"][0]["hooks"].as_array_mut().unwrap();
    handlers.push(theirs.clone());
    let left = value(&disconnect(&serde_json::to_string_pretty(&settings).unwrap()));
    assert_eq!(left, json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [theirs] }] } }));
}

#[test]
fn a_file_that_the_agent_has_written_anew_is_still_understood() {
    let rewritten = serde_json::to_string_pretty(&value(&connect("{\"model\": \"opus\"}"))).unwrap();
    assert_eq!(connect(&rewritten), rewritten);
    assert_eq!(value(&disconnect(&rewritten)), json!({ "model": "opus" }));
}

#[test]
fn blocking_on_failure_is_written_only_when_told() {
    assert!(!connect("").contains("onFailure"));
    let blocking = ConnectOptions { on_failure_block: true, ..options() };
    let text = claude_code().connect("", &blocking).unwrap();
    assert_eq!(value(&text)["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"], "block");
    let connection = claude_code().connection(&text).unwrap().unwrap();
    assert!(connection.on_failure_block && connection.every_call && !connection.switched_off);
    assert_eq!(connection.timeout_seconds, Some(600));
    let closing = format!("{} || exit 2", options().command);
    assert_eq!(connection.handler, Handler::Command(closing));
}

#[test]
fn http_is_refused_where_it_would_stand_open() {
    let url = "http://127.0.0.1:4733/v1/hooks/claude-code".to_owned();
    let http = ConnectOptions { http: Some(HttpHandler { url: url.clone(), token: "hrq_1_2".into() }), ..options() };
    assert_eq!(claude_code().connect("", &http), Err(ConnectError::HttpFailsOpen));
    let closed = ConnectOptions { on_failure_block: true, ..http };
    let text = claude_code().connect("", &closed).unwrap();
    assert_eq!(claude_code().connection(&text).unwrap().unwrap().handler, Handler::Http(url));
    assert_eq!(disconnect(&text), "");
}

#[test]
fn settings_that_switch_hooks_off_are_noticed() {
    let text = connect("{\"disableAllHooks\": true}");
    assert!(claude_code().connection(&text).unwrap().unwrap().switched_off);
}

#[test]
fn a_file_that_cannot_be_understood_is_left_alone() {
    for (file, words) in [
        ("{", "not valid JSON"),
        ("{'a': 1}", "not valid JSON"),
        ("{\"a\": 1 \"b\": 2}", "not valid JSON"),
        ("[]", "not an object"),
        ("{\"hooks\": []}", "`hooks` is not an object"),
        ("{\"hooks\": {\"PreToolUse\": {}}}", "`hooks.PreToolUse` is not an array"),
        ("{\"hooks\": {}, \"hooks\": {}}", "`hooks` twice"),
    ] {
        let error = claude_code().connect(file, &options()).unwrap_err().to_string();
        assert!(error.contains(words), "{file}: {error}");
    }
}

#[test]
fn a_command_that_could_not_be_found_again_is_refused() {
    let other = ConnectOptions { command: "/usr/bin/true".into(), ..options() };
    assert!(matches!(claude_code().connect("", &other), Err(ConnectError::Command(_))));
}

proptest! {
    #[test]
    fn whatever_the_file_holds_it_comes_back(
        before in r#"(|"a": 1, |/\* c \*/|"a": \{\}, // c\n)"#,
        inside in r#"(|"Stop": \[\]|\n"Stop": \[\], |"PreToolUse": \[\]|"PreToolUse": \[ \{"hooks": \[\]\} ,\] // c\n)"#,
        after in r#"(|, |,\n// c\n|, "z": [0-9]|/\* c \*/)"#,
        blank in r#"[ \n]{0,2}"#,
    ) {
        let file = format!("{{{blank}{before}\"hooks\": {{{inside}{blank}}}{blank}{after}{blank}}}{blank}");
        let connected = connect(&file);
        prop_assert_eq!(connect(&connected), connected.clone());
        prop_assert_eq!(disconnect(&connected), file, "connected:\n{}", connected);
    }
}
