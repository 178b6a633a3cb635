//! Connecting and disconnecting on disk: shown first, backed up, and taken back to the byte.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{Place, fake_program, run, stderr, stdout};
use serde_json::Value;

const SETTINGS: &str = "{\n    // mine\n    \"model\": \"opus\"\n}\n";

fn call(place: &Place, file: &Path, command: &str, flags: &[&str]) -> Output {
    let file = file.to_str().unwrap();
    let arguments = [&[command, "claude-code", "--settings", file], flags].concat();
    let mut command = place.command(&arguments);
    command.env("PATH", place.path("bin"));
    run(command, b"")
}

fn settings(place: &Place) -> PathBuf {
    let file = place.path("settings.json");
    fs::write(&file, SETTINGS).unwrap();
    file
}

fn backups(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.to_string_lossy().contains("settings.json.handraise-backup-")).collect()
}

#[test]
fn there_and_back_again() {
    let place = Place::new();
    let file = settings(&place);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();

    let output = call(&place, &file, "connect", &["--yes"]);
    assert!(output.status.success(), "{output:?}");
    let shown = stdout(&output);
    assert!(shown.contains("+    \"hooks\": {") && shown.contains("now asks Handraise before every call"), "{shown}");
    let connected = fs::read_to_string(&file).unwrap();
    assert!(connected.starts_with("{\n    // mine\n    \"model\": \"opus\",\n    \"hooks\": {"), "{connected}");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    let [backup] = backups(file.parent().unwrap()).try_into().unwrap();
    assert_eq!(fs::read_to_string(backup).unwrap(), SETTINGS);

    let again = call(&place, &file, "connect", &["--yes"]);
    assert!(stdout(&again).contains("connected already"), "{again:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), connected);

    assert!(call(&place, &file, "disconnect", &["--yes"]).status.success());
    assert_eq!(fs::read_to_string(&file).unwrap(), SETTINGS);
    assert!(stdout(&call(&place, &file, "disconnect", &["--yes"])).contains("not connected"));
}

#[test]
fn the_hook_is_this_program_with_these_folders() {
    let place = Place::new();
    let file = place.path("new/settings.json");
    assert!(call(&place, &file, "connect", &["--yes"]).status.success());
    let written: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let hook = &written["hooks"]["PreToolUse"][0]["hooks"][0];
    let command = hook["command"].as_str().unwrap();
    assert!(command.starts_with(env!("CARGO_BIN_EXE_handraise")), "{command}");
    assert!(command.contains(" hook claude-code --deadline 590 --config-dir "), "{command}");
    assert_eq!((&hook["timeout"], &hook["onFailure"]), (&600.into(), &Value::Null));

    // The shell that the agent uses finds the program and runs it.
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(["-c", command]).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let output = run(shell, b"{}");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("Handraise is not running"), "{output:?}");

    assert!(call(&place, &file, "disconnect", &["--yes"]).status.success());
    assert!(!file.exists());
}

#[test]
fn a_version_that_can_block_is_told_to() {
    for (version, blocks) in [("2.1.294 (Claude Code)", false), ("2.1.295 (Claude Code)", true)] {
        let place = Place::new();
        fake_program(&place.path("bin"), "claude", version);
        let file = settings(&place);
        let output = call(&place, &file, "connect", &["--yes"]);
        assert_eq!(fs::read_to_string(&file).unwrap().contains("\"onFailure\": \"block\""), blocks, "{version}");
        assert_eq!(stdout(&output).contains("runs a tool when the hook program is missing"), !blocks, "{version}");
    }
}

#[test]
fn without_a_terminal_nothing_is_changed_unasked() {
    let place = Place::new();
    let file = settings(&place);
    let output = call(&place, &file, "connect", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("+    \"hooks\": {"), "{output:?}");
    assert!(stderr(&output).contains("add --yes"), "{output:?}");
    let output = call(&place, &file, "connect", &["--dry-run", "--yes"]);
    assert!(output.status.success());
    assert_eq!(fs::read_to_string(&file).unwrap(), SETTINGS);
    assert!(backups(file.parent().unwrap()).is_empty());
}

#[test]
fn a_link_stays_a_link() {
    let place = Place::new();
    let file = settings(&place);
    let link = place.path("link.json");
    symlink(&file, &link).unwrap();
    assert!(call(&place, &link, "connect", &["--yes"]).status.success());
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().contains("hook claude-code"));
}

#[test]
fn a_project_has_settings_of_its_own() {
    let place = Place::new();
    let project = place.path("project");
    let arguments =
        ["connect", "claude-code", "--yes", "--only-what-agent-asks", "--project", project.to_str().unwrap()];
    assert!(run(place.command(&arguments), b"").status.success());
    let text = fs::read_to_string(project.join(".claude/settings.local.json")).unwrap();
    assert!(text.contains("\"PermissionRequest\"") && !text.contains("\"PreToolUse\""), "{text}");
}

#[test]
fn http_needs_a_version_that_can_block() {
    let place = Place::new().names("127.0.0.1:4733".parse().unwrap(), None);
    let file = settings(&place);
    let output = call(&place, &file, "connect", &["--yes", "--http"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("Leave out --http"), "{output:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), SETTINGS);

    fake_program(&place.path("bin"), "claude", "2.1.329 (Claude Code)");
    let output = call(&place, &file, "connect", &["--yes", "--http"]);
    assert!(output.status.success(), "{output:?}");
    assert!(fs::read_to_string(&file).unwrap().contains(crate::common::TOKEN));
    assert!(!stdout(&output).contains(crate::common::TOKEN), "{output:?}");
}

#[test]
fn a_damaged_file_is_left_alone() {
    let place = Place::new();
    let file = settings(&place);
    fs::write(&file, "{ \"hooks\": [").unwrap();
    let output = call(&place, &file, "connect", &["--yes"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("not valid JSON"), "{output:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{ \"hooks\": [");
}

#[test]
fn the_doctor_tells_what_is_wrong_and_what_stays_open() {
    let place = Place::new();
    let file = settings(&place);
    fake_program(&place.path("bin"), "claude", "2.1.197 (Claude Code)");
    assert!(call(&place, &file, "connect", &["--yes"]).status.success());
    let doctor = || {
        let mut command = place.command(&["doctor", "--json", "--settings", file.to_str().unwrap()]);
        command.env("PATH", place.path("bin"));
        let output = run(command, b"");
        assert_eq!(output.status.code(), Some(1));
        stdout(&output)
    };
    let found = doctor();
    for words in ["Installed: 2.1.197", "It asks before every call.", "can be run.", "This version cannot block"] {
        assert!(found.contains(words), "{words}\n{found}");
    }
    let moved = fs::read_to_string(&file).unwrap().replace(env!("CARGO_BIN_EXE_handraise"), "/gone/handraise");
    fs::write(&file, moved).unwrap();
    assert!(doctor().contains("/gone/handraise is missing"));
}
