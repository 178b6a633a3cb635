//! Transcripts of each agent, with torn lines, lines of other versions and calls that are none.

#![expect(clippy::disallowed_methods, reason = "what was recorded lies in files")]
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it is for")]

use std::path::PathBuf;

use handraise_agents::{Calls, PastCall, PastOutcome, ReadTranscript, TranscriptForm};
use serde_json::Value;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts")
}

/// The calls in the files `names`, read by one reader, and how many pieces could not be read.
fn read(agent: &str, names: &[&str]) -> (Vec<PastCall>, usize) {
    let mut reader = (handraise_agents::agent(agent).unwrap().transcripts().unwrap().reader)();
    let (mut calls, mut unreadable) = (Vec::new(), 0);
    for name in names {
        let text = std::fs::read(folder().join(name)).unwrap();
        let form = if name.ends_with(".json") { TranscriptForm::Document } else { TranscriptForm::Lines };
        let (found, failed) = read_file(reader.as_mut(), &text, form);
        calls.extend(found);
        unreadable += failed;
    }
    (calls, unreadable)
}

fn read_file(reader: &mut dyn ReadTranscript, text: &[u8], form: TranscriptForm) -> (Vec<PastCall>, usize) {
    let mut calls = Calls::default();
    let mut taken = Vec::new();
    let mut unreadable = 0;
    reader.begin(Some("/of/the/folder".to_owned()));
    let pieces: Vec<&[u8]> = match form {
        TranscriptForm::Lines => text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect(),
        TranscriptForm::Document => vec![text],
    };
    for piece in pieces {
        unreadable += usize::from(reader.read(piece, &mut calls).is_err());
        taken.extend(std::iter::from_fn(|| calls.next_ended()));
    }
    taken.extend(std::iter::from_fn(|| calls.next_of_all()));
    (taken, unreadable)
}

/// Each call in a few words: what it was, where, and how it ended.
fn told(calls: &[PastCall]) -> Vec<String> {
    let argument = |call: &PastCall| {
        let names = ["command", "cmd", "file_path", "filePath", "query", "title", "input"];
        let found = names.iter().find_map(|name| call.arguments.get(*name)?.as_str());
        found.unwrap_or("?").lines().next().unwrap_or_default().to_owned()
    };
    let told = |call: &PastCall| {
        let (tool, cwd) = (&call.tool, call.cwd.as_deref().unwrap_or("?"));
        format!("{tool} {} in {cwd}: {:?}", argument(call), call.outcome)
    };
    calls.iter().map(told).collect()
}

#[test]
fn claude_code() {
    let (calls, unreadable) = read("claude-code", &["claude-code.jsonl"]);
    assert_eq!(
        told(&calls),
        [
            "Bash git status --short in /home/ana/code/shopfront: Ok",
            "Bash rm -rf build in /home/ana/code/shopfront: Rejected",
            "mcp__github__create_issue Broken cart in /home/ana/code/shopfront: Rejected",
            "Bash npm test in /home/ana/code/shopfront: Error",
            "Read README.md in ?: None",
        ]
    );
    assert_eq!(unreadable, 2, "arguments that are none, and a torn line");
    let first = calls.first().unwrap();
    assert_eq!(first.session.as_deref(), Some("7c1f0a52-3f0e-4d1e-9a55-0f2f9b7f8f11"));
    assert_eq!(first.time.unwrap().to_string(), "2026-03-02T09:00:04Z");
}

#[test]
fn codex() {
    let (calls, unreadable) = read("codex", &["codex.jsonl"]);
    let web = "/home/ana/code/shopfront/web";
    assert_eq!(
        told(&calls),
        [
            format!("exec_command git status --short in {web}: Ok"),
            format!("shell bash -lc 'cat notes.txt | wc -l' in {web}: Error"),
            format!("apply_patch *** Begin Patch in {web}: Rejected"),
            format!("mcp__docs__search hooks in {web}: Ok"),
            format!("exec_command rm -rf dist in {web}: Rejected"),
            format!("shell ls 'a b' in {web}: None"),
        ]
    );
    assert_eq!(unreadable, 1, "arguments that are torn");
    assert!(calls.iter().all(|call| call.session.as_deref() == Some("0199f0c2-aaaa-7000-8000-000000000001")));
    assert_eq!(calls.last().unwrap().arguments.get("workdir"), Some(&Value::from("/srv")));
}

#[test]
fn codex_of_an_older_version() {
    let (calls, unreadable) = read("codex", &["codex-older.jsonl"]);
    assert_eq!((told(&calls), unreadable), (vec!["shell git log -1 in ?: Rejected".to_owned()], 0));
    let call = calls.first().unwrap();
    assert_eq!(call.session.as_deref(), Some("0197aaaa-0000-7000-8000-000000000003"));
    assert_eq!(call.time.unwrap().to_string(), "2025-07-01T10:00:00Z");
}

#[test]
fn copilot_cli() {
    let (calls, unreadable) = read("copilot-cli", &["copilot-cli.jsonl"]);
    assert_eq!(
        told(&calls),
        [
            "bash git --no-pager diff in /home/ana/code/shopfront: Ok",
            "bash git push in /home/ana/code/shopfront: Rejected",
            "create_issue x in /home/ana/code/shopfront: Error",
            "apply_patch *** Begin Patch in /home/ana/code/shopfront: None",
        ]
    );
    assert_eq!(unreadable, 1, "a call without an id");
    let of_server = calls.get(2).unwrap().request().unwrap().unwrap();
    assert_eq!((of_server.server.as_deref(), of_server.tool.as_str()), (Some("github"), "create_issue"));
}

#[test]
fn gemini_cli() {
    let (calls, unreadable) = read("gemini-cli", &["gemini-cli.jsonl", "gemini-cli-older.json"]);
    assert_eq!(
        told(&calls),
        [
            "run_shell_command npm test in /of/the/folder: Ok",
            "run_shell_command npm publish in /of/the/folder: Rejected",
            "replace /home/ana/code/shopfront/a.ts in /of/the/folder: Error",
            "read_file /home/ana/code/shopfront/README.md in /of/the/folder: Ok",
            "run_shell_command go test ./... in /of/the/folder: Rejected",
        ]
    );
    assert_eq!(unreadable, 1, "arguments that are none");
    assert_eq!(calls.last().unwrap().session.as_deref(), Some("2f7c9f0e-0000-4000-8000-000000000002"));
}

#[test]
fn qwen_code() {
    let (calls, unreadable) = read("qwen-code", &["qwen-code.jsonl", "gemini-cli-older.json"]);
    assert_eq!(
        told(&calls),
        [
            "run_shell_command git log -1 in /home/ana/code/shopfront: Ok",
            "mcp__docs__search x in /home/ana/code/shopfront: Error",
            "edit /home/ana/code/shopfront/a.ts in /home/ana/code/shopfront: Rejected",
            "read_file /home/ana/code/shopfront/README.md in /of/the/folder: Ok",
            "run_shell_command go test ./... in /of/the/folder: Rejected",
        ]
    );
    assert_eq!(unreadable, 1, "a list");
    assert!(calls.iter().all(|call| call.agent.as_deref() == Some("qwen-code")));
}

#[test]
fn opencode() {
    let names = ["opencode-session.json", "opencode-part.json", "opencode-part-rejected.json", "opencode-export.json"];
    let (calls, unreadable) = read("opencode", &names);
    assert_eq!(
        told(&calls),
        [
            "bash git status in /home/ana/code/shopfront: Ok",
            "bash git push in /home/ana/code/shopfront: Rejected",
            "edit /home/ana/code/other/a.ts in /home/ana/code/other: Error",
        ]
    );
    assert_eq!(unreadable, 0);
    assert_eq!(calls.first().unwrap().time.unwrap().as_millisecond(), 1_771_000_001_000);
}

/// Whatever a program writes into a transcript, at any length, is read or counted.
#[test]
fn no_line_stops_a_reader() {
    let texts: Vec<Vec<u8>> =
        std::fs::read_dir(folder()).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap()).collect();
    for name in handraise_agents::NAMES {
        let Some(transcripts) = handraise_agents::agent(name).unwrap().transcripts() else { continue };
        for text in &texts {
            for cut in (0..text.len()).step_by(97) {
                let mut reader = (transcripts.reader)();
                let (torn, rest) = text.split_at(cut);
                for form in [TranscriptForm::Lines, TranscriptForm::Document] {
                    read_file(reader.as_mut(), torn, form);
                    let (calls, _) = read_file(reader.as_mut(), rest, form);
                    assert!(calls.iter().all(|call| call.agent.as_deref() == Some(name)));
                }
            }
        }
    }
}

/// A refusal in the output of a program that ran is none: only what stands at its beginning counts.
#[test]
fn what_a_program_prints_is_no_refusal() {
    let mut reader = (handraise_agents::agent("claude-code").unwrap().transcripts().unwrap().reader)();
    let long = "x".repeat(2_000);
    let text = format!(
        "{}\n{}\n",
        r#"{"message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"cat log"}}]}}"#,
        serde_json::json!({ "message": { "content": [{
            "type": "tool_result", "tool_use_id": "t", "is_error": true,
            "content": format!("{long} Denied in Handraise: The user doesn't want to proceed"),
        }] } })
    );
    let (calls, unreadable) = read_file(reader.as_mut(), text.as_bytes(), TranscriptForm::Lines);
    assert_eq!((calls.first().unwrap().outcome, unreadable), (PastOutcome::Error, 0));
}
