//! What the program says about itself, and how it ends when it is called wrongly.

use std::process::Command;

use crate::common::{TestFolders, run, stderr, stdout};

const COMMANDS: &[&str] = &[
    "ask",
    "pending",
    "approve",
    "deny",
    "answer",
    "watch",
    "history",
    "show",
    "sessions",
    "grants",
    "revoke",
    "pause",
    "resume",
    "undo",
    "connect",
    "disconnect",
    "agents",
    "doctor",
    "confine",
    "acp",
    "policy",
    "demo",
    "serve",
    "hook",
    "completions",
];

#[test]
fn every_command_explains_itself() {
    let place = TestFolders::new();
    let overview = stdout(&run(place.command(&["--help"]), b""));
    for command in COMMANDS {
        assert!(overview.contains(&format!("\n  {command} ")), "{command}\n{overview}");
        let output = run(place.command(&[command, "--help"]), b"");
        assert!(output.status.success());
        assert!(stdout(&output).contains("Usage: handraise"), "{output:?}");
    }
}

#[test]
fn nothing_can_be_set_from_the_environment() {
    let place = TestFolders::new();
    for command in COMMANDS {
        let help = stdout(&run(place.command(&[command, "--help"]), b""));
        assert!(!help.contains("[env:"), "{help}");
    }
}

#[test]
fn without_a_server_every_command_says_what_to_do() {
    let place = TestFolders::new();
    let token = place.folders.token_file("claude-code");
    std::fs::copy(&token, place.folders.token_file("default")).unwrap();
    let approver = ["--token-file", token.to_str().unwrap()];
    for arguments in [
        &["ask", "--tool", "Bash", "--command", "ls"][..],
        &["pending"],
        &["approve", "--last"],
        &["deny", "0192"],
        &["demo"],
        &[&["pending"], &approver[..]].concat(),
        &[&["approve", "--last"], &approver[..]].concat(),
    ] {
        let output = run(place.command(arguments), b"");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let expected = "handraise: Handraise is not running. Start it with `handraise-desktop` (or `handraise serve`), then try again.\n";
        assert_eq!(stderr(&output), expected, "{arguments:?}");
    }
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let place = TestFolders::new();
    let mut command = place.command(&["policy", "explain", "git status && ls && make x && rm -rf y"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command.stdout(writer).stderr(std::process::Stdio::piped()).output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn no_command_minds_a_reader_that_has_gone() {
    let place = TestFolders::new();
    for arguments in [&["redact"][..], &["show"], &["completions", "zsh"], &["policy", "eval"], &["--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = place.command(arguments);
        command.stdout(writer);
        let output = run(command, b"{\"text\":\"a\"}\n");
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{arguments:?}");
    }
}

/// The lines of `docs/command-line.md` that are typed.
fn documented() -> Vec<String> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command-line.md")).unwrap();
    let typed = page.lines().filter_map(|line| line.strip_prefix("$ handraise"));
    typed.map(|line| line.split(['|', '<', '>', '#']).next().unwrap().trim().to_owned()).collect()
}

#[test]
fn the_page_of_commands_has_every_command_and_each_of_its_lines_is_understood() {
    let place = TestFolders::new();
    let lines = documented();
    for command in COMMANDS.iter().filter(|name| **name != "hook") {
        assert!(lines.iter().any(|line| line.split(' ').any(|word| word == *command)), "{command} is not in the page");
    }
    for line in &lines {
        // As the shell divides it; `--help` stops before anything is done, and refuses what it does not know.
        let words = Command::new("sh").args(["-c", &format!("printf '%s\\n' {line}")]).output().unwrap();
        let words = stdout(&words);
        let words: Vec<&str> = words.lines().take_while(|word| *word != "--").chain(["--help"]).collect();
        let output = run(place.command(&words), b"");
        assert!(output.status.success(), "{line}: {}", stderr(&output));
    }
}

#[test]
fn wrong_calls_end_with_two_and_what_cannot_be_done_with_one() {
    let place = TestFolders::new();
    let output = run(place.command(&["watch"]), b"");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(!stderr(&output).is_empty());
    for arguments in [
        &[][..],
        &["nothing"],
        &["approve"],
        &["approve", "0192", "--last"],
        &["ask"],
        &["ask", "--tool", "x", "--arguments", "{}", "--command", "ls"],
        &["approve", "--last", "--tool"],
        &["approve", "--last", "--hash", "00"],
        &["approve", "--last", "--covers", "tool"],
        &["approve", "--last", "--commands", "1"],
        &["approve", "--last", "--commands", "1", "--scope", "session"],
        &["approve", "--last", "--commands", "1", "--scope", "session", "--covers", "exact"],
        &["approve", "--last", "--commands", "one", "--scope", "session", "--covers", "prefix"],
        &["approve", "--last", "--rule", "[[rule]]"],
        &["approve", "--last", "--rule", "[[rule]]", "--scope", "session"],
        &["ask", "--tool", "x", "--arguments", "[]"],
        &["ask", "--tool", "x", "--arguments", r#"{"a":1,"a":2}"#],
        &["undo", "--force"],
        &["revoke"],
        &["pause", "--for", "30"],
        &["pause", "--for", "25h"],
        &["show", "--json"],
        &["history", "--status", "lost"],
        &["completions", "tcsh-like"],
        &["--color", "sometimes", "pending"],
    ] {
        let output = run(place.command(arguments), b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(!stderr(&output).is_empty(), "{arguments:?}");
    }
}
