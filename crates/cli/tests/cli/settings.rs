//! Connecting and disconnecting on disk: shown first, backed up, and taken back to the byte.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{TestFolders, fake_program, hook_program, run, stderr, stdout};
use serde_json::Value;

const SETTINGS: &str = "{\n    // mine\n    \"model\": \"opus\"\n}\n";

fn call(place: &TestFolders, file: &Path, command: &str, flags: &[&str]) -> Output {
    let file = file.to_str().unwrap();
    let arguments = [&[command, "claude-code", "--settings", file], flags].concat();
    let mut command = place.command(&arguments);
    command.env("PATH", place.path("bin"));
    run(command, b"")
}

fn settings(place: &TestFolders) -> PathBuf {
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
    let place = TestFolders::new();
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
fn a_deadline_is_taken_as_long_as_it_ends_before_the_agent_stops_waiting() {
    let place = TestFolders::new();
    let file = place.path("settings.json");
    assert!(call(&place, &file, "connect", &["--yes", "--deadline", "20"]).status.success());
    assert!(fs::read_to_string(&file).unwrap().contains(" hook claude-code --deadline 20 "));
    let output = call(&place, &file, "connect", &["--yes", "--deadline", "591"]);
    assert!(!output.status.success() && stderr(&output).contains("at most 590"), "{output:?}");
    assert!(fs::read_to_string(&file).unwrap().contains(" --deadline 20 "));
}

#[test]
fn the_hook_is_this_program_with_these_folders() {
    let place = TestFolders::new();
    let file = place.path("new/settings.json");
    assert!(call(&place, &file, "connect", &["--yes"]).status.success());
    let written: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let hook = &written["hooks"]["PreToolUse"][0]["hooks"][0];
    let command = hook["command"].as_str().unwrap();
    assert!(command.starts_with(env!("CARGO_BIN_EXE_handraise")), "{command}");
    assert!(command.contains(" hook claude-code --deadline 590 --config-dir "), "{command}");
    assert_eq!((&hook["timeout"], &hook["onFailure"]), (&600.into(), &Value::Null));

    // The small program, as long as it is there.
    assert!(command.starts_with(hook_program().to_str().unwrap()), "{command}");

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
        let place = TestFolders::new();
        fake_program(&place.path("bin"), "claude", version);
        let file = settings(&place);
        let output = call(&place, &file, "connect", &["--yes"]);
        assert_eq!(fs::read_to_string(&file).unwrap().contains("\"onFailure\": \"block\""), blocks, "{version}");
        assert_eq!(stdout(&output).contains("Before version 2.1.295 it runs the tool"), !blocks, "{version}");
    }
}

#[test]
fn without_a_terminal_nothing_is_changed_unasked() {
    let place = TestFolders::new();
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
    let place = TestFolders::new();
    let file = settings(&place);
    let link = place.path("link.json");
    symlink(&file, &link).unwrap();
    assert!(call(&place, &link, "connect", &["--yes"]).status.success());
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().contains("hook claude-code"));
}

#[test]
fn a_project_has_settings_of_its_own() {
    let place = TestFolders::new();
    let project = place.path("project");
    let arguments =
        ["connect", "claude-code", "--yes", "--only-what-agent-asks", "--project", project.to_str().unwrap()];
    assert!(run(place.command(&arguments), b"").status.success());
    let text = fs::read_to_string(project.join(".claude/settings.local.json")).unwrap();
    assert!(text.contains("\"PermissionRequest\"") && !text.contains("\"PreToolUse\""), "{text}");
}

#[test]
fn http_needs_a_version_that_can_block() {
    let place = TestFolders::new().names("127.0.0.1:4733".parse().unwrap(), None);
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
    let place = TestFolders::new();
    let file = settings(&place);
    fs::write(&file, "{ \"hooks\": [").unwrap();
    let output = call(&place, &file, "connect", &["--yes"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("not valid JSON"), "{output:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{ \"hooks\": [");
}

#[test]
fn the_doctor_tells_what_is_wrong_and_what_stays_open() {
    let place = TestFolders::new();
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
    for words in [
        "Installed: 2.1.197",
        "It asks before every call.",
        "can be run.",
        "This version cannot block",
        "Claude Code: probe",
        "The hook denies every call: ",
    ] {
        assert!(found.contains(words), "{words}\n{found}");
    }
    let moved = fs::read_to_string(&file).unwrap().replace(env!("CARGO_BIN_EXE_handraise"), "/gone/handraise");
    fs::write(&file, moved).unwrap();
    assert!(doctor().contains("/gone/handraise-hook is missing"));
}

/// Every agent that can be connected, with the file of its project connection.
const AGENTS: &[(&str, &str)] = &[
    ("claude-code", ".claude/settings.local.json"),
    ("codex", ".codex/hooks.json"),
    ("gemini-cli", ".gemini/settings.json"),
    ("copilot-cli", ".github/hooks/handraise.json"),
    ("opencode", ".opencode/plugins/handraise.js"),
    ("qwen-code", ".qwen/settings.json"),
    ("cursor", ".cursor/hooks.json"),
    ("amp", ".amp/plugins/handraise.ts"),
    ("goose", ".agents/plugins/handraise/hooks/hooks.json"),
    ("cline", ".clinerules/hooks/PreToolUse"),
    ("kiro", ".kiro/hooks/handraise.json"),
    ("windsurf", ".windsurf/hooks.json"),
];

#[test]
fn every_agent_there_and_back_again() {
    assert!(
        AGENTS.iter().map(|(agent, _)| agent).eq(crate::common::AGENTS),
        "an agent without the file of its connection"
    );
    for (agent, file) in AGENTS {
        let place = TestFolders::new();
        let project = place.path("project");
        let call = |command| {
            let mut command = place.command(&[command, agent, "--yes", "--project", project.to_str().unwrap()]);
            command.env("PATH", place.path("bin"));
            run(command, b"")
        };
        let output = call("connect");
        assert!(output.status.success(), "{agent}: {output:?}");
        assert!(stdout(&output).contains("now asks Handraise before every call"), "{agent}: {output:?}");
        let text = fs::read_to_string(project.join(file)).unwrap();
        assert!(text.contains("handraise") && text.contains("--config-dir"), "{agent}: {text}");
        assert!(stdout(&call("connect")).contains("connected already"), "{agent}");
        assert_eq!(fs::read_to_string(project.join(file)).unwrap(), text);
        let output = call("disconnect");
        assert!(output.status.success(), "{agent}: {output:?}");
        assert!(!project.join(file).exists(), "{agent}");
    }
}

#[test]
fn a_script_can_be_run_by_its_agent_and_cancels_without_the_program() {
    let place = TestFolders::new();
    let project = place.path("project");
    let arguments = ["connect", "cline", "--yes", "--project", project.to_str().unwrap()];
    assert!(run(place.command(&arguments), b"").status.success());
    let script = project.join(".clinerules/hooks/PreToolUse");
    let answer = |script: &Path| {
        let mut command = std::process::Command::new(script);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        serde_json::from_str::<Value>(&stdout(&run(command, b"{}"))).unwrap()
    };
    let denial = answer(&script);
    assert_eq!(denial["cancel"], true);
    assert!(denial["errorMessage"].as_str().unwrap().contains("Handraise is not running"), "{denial}");
    let moved = fs::read_to_string(&script).unwrap().replace(env!("CARGO_BIN_EXE_handraise"), "/gone/handraise");
    fs::write(&script, moved).unwrap();
    let denial = answer(&script);
    assert_eq!(denial["cancel"], true);
    assert!(denial["errorMessage"].as_str().unwrap().contains("could not be asked"), "{denial}");
}

#[test]
fn the_shell_blocks_when_the_program_is_missing_or_killed() {
    let place = TestFolders::new();
    fake_program(&place.path("bin"), "handraise-killed", "");
    let killed = place.path("bin/handraise-killed");
    fs::write(&killed, "#!/bin/sh\nkill -9 $$\n").unwrap();
    for program in ["/gone/handraise", killed.to_str().unwrap()] {
        let mut shell = std::process::Command::new("/bin/sh");
        shell.args(["-c", &format!("{program} hook codex --deadline 590 || exit 2")]);
        shell.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let output = run(shell, b"{}");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!stderr(&output).is_empty(), "{output:?}");
    }
}

#[test]
fn every_agent_file_of_kiro_is_connected() {
    let place = TestFolders::new();
    let project = place.path("project");
    let agents = project.join(".kiro/agents");
    fs::create_dir_all(&agents).unwrap();
    let file = "{\n  \"name\": \"mine\",\n  \"tools\": [\"*\"]\n}\n";
    fs::write(agents.join("mine.json"), file).unwrap();
    fs::write(agents.join("notes.md"), "notes").unwrap();
    let call = |command| run(place.command(&[command, "kiro", "--yes", "--project", project.to_str().unwrap()]), b"");
    assert!(call("connect").status.success());
    let connected = fs::read_to_string(agents.join("mine.json")).unwrap();
    assert!(
        connected.contains("\"timeout_ms\": 600000") && connected.contains("\"cache_ttl_seconds\": 0"),
        "{connected}"
    );
    assert!(call("disconnect").status.success());
    assert_eq!(fs::read_to_string(agents.join("mine.json")).unwrap(), file);
    assert_eq!(fs::read_to_string(agents.join("notes.md")).unwrap(), "notes");
}

#[test]
fn connecting_all_connects_what_is_installed() {
    let place = TestFolders::new();
    let project = place.path("project");
    fake_program(&place.path("bin"), "gemini", "0.61.0");
    fake_program(&place.path("bin"), "qwen", "0.24.4");
    let call = |command| {
        let mut command = place.command(&[command, "--all", "--yes", "--project", project.to_str().unwrap()]);
        command.env("PATH", place.path("bin"));
        run(command, b"")
    };
    let output = call("connect");
    assert!(output.status.success(), "{output:?}");
    assert!(stdout(&output).contains("Not installed: Claude Code, Codex CLI, "), "{output:?}");
    assert!(project.join(".gemini/settings.json").exists() && project.join(".qwen/settings.json").exists());
    assert!(!project.join(".cursor").exists());
    assert!(call("disconnect").status.success());
    assert!(!project.join(".gemini/settings.json").exists());
}

#[test]
fn a_plugin_of_somebody_else_is_left_alone() {
    let place = TestFolders::new();
    let project = place.path("project");
    let file = project.join(".opencode/plugins/handraise.js");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "export default {}\n").unwrap();
    let output = run(place.command(&["connect", "opencode", "--yes", "--project", project.to_str().unwrap()]), b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("was not made by Handraise"), "{output:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "export default {}\n");
}

#[test]
fn the_doctor_looks_at_the_project_that_it_is_run_in() {
    let place = TestFolders::new();
    let project = place.path("project");
    fake_program(&place.path("bin"), "goose", "1.9.0");
    let arguments = ["connect", "goose", "--yes", "--project", project.to_str().unwrap()];
    assert!(run(place.command(&arguments), b"").status.success());
    let mut command = place.command(&["doctor", "--json"]);
    command.env("PATH", place.path("bin")).current_dir(&project);
    let found: Vec<Value> = serde_json::from_str(&stdout(&run(command, b""))).unwrap();
    let of_goose: Vec<&Value> = found.iter().filter(|check| check["agent"] == "goose").collect();
    let says = |name: &str, words: &str| {
        of_goose.iter().any(|check| check["name"] == name && check["finding"].as_str().unwrap().contains(words))
    };
    assert!(says("Goose", "Installed: 1.9.0."), "{of_goose:?}");
    assert!(says("Goose: connection", "It asks before every call."), "{of_goose:?}");
    assert!(says("Goose: probe", "Handraise is not running"), "{of_goose:?}");
    assert!(says("Goose: stays open", "GOOSE_MODE"), "{of_goose:?}");
    let absent = found.iter().find(|check| check["name"] == "other agents").unwrap();
    assert!(absent["finding"].as_str().unwrap().contains("Windsurf"), "{absent}");
}
