//! `handraise agents`, and changes as JSON for whoever shows them.

use serde_json::Value;

use crate::common::{TestFolders, fake_program, run, stderr, stdout};

const SETTINGS: &str = "{\n  // mine\n  \"model\": \"opus\"\n}\n";

struct Scene {
    place: TestFolders,
}

impl Scene {
    fn new() -> Self {
        let place = TestFolders::new();
        fake_program(&place.path("bin"), "claude", "2.1.329 (Claude Code)");
        std::fs::create_dir_all(place.path("home/.claude")).unwrap();
        let scene = Self { place };
        scene.write(SETTINGS);
        scene
    }

    fn settings(&self) -> String {
        std::fs::read_to_string(self.place.path("home/.claude/settings.json")).unwrap()
    }

    fn write(&self, text: &str) {
        std::fs::write(self.place.path("home/.claude/settings.json"), text).unwrap();
    }

    fn output(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = self.place.command(arguments);
        command.env("PATH", self.place.path("bin")).current_dir(self.place.path("home"));
        command.arg("--agents-home").arg(self.place.path("home"));
        run(command, b"")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.output(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_str(&stdout(&output)).unwrap()
    }

    fn agent(&self, name: &str) -> Value {
        let agents = self.json(&["agents", "--json"]);
        agents.as_array().unwrap().iter().find(|agent| agent["name"] == name).unwrap().clone()
    }

    fn claude_code(&self) -> Value {
        self.agent("claude-code")
    }
}

#[test]
fn the_list_tells_what_is_there_and_what_asks() {
    let scene = Scene::new();
    let agents = scene.json(&["agents", "--json"]);
    assert_eq!(agents.as_array().unwrap().len(), handraise_agents::NAMES.len());
    let agent = scene.claude_code();
    assert_eq!((&agent["is_installed"], &agent["version"]), (&true.into(), &"2.1.329 (Claude Code)".into()));
    assert_eq!(agent["connections"], Value::Array(Vec::new()));

    scene.json(&["connect", "claude-code", "--json", "--yes"]);
    let connection = &scene.claude_code()["connections"][0];
    assert_eq!((&connection["state"], &connection["level"]), (&"up_to_date".into(), &"user".into()));
    assert!(stdout(&scene.output(&["agents"])).contains("connected for you: every call"));

    scene.write(&scene.settings().replace("\"timeout\": 600", "\"timeout\": 60"));
    assert_eq!(scene.claude_code()["connections"][0]["state"], "out_of_date");
    scene.write("{ not json");
    assert!(scene.claude_code()["problem"].as_str().unwrap().contains("settings.json"));
}

#[test]
fn a_deadline_that_a_person_has_chosen_is_no_difference_and_stays() {
    let scene = Scene::new();
    for name in handraise_agents::NAMES {
        let made = scene.json(&["connect", name, "--json", "--yes", "--deadline", "20"]);
        if made["files"].as_array().unwrap().is_empty() {
            // Only where the person has agent files of their own.
            assert_eq!(*name, "kiro");
            continue;
        }
        let connections = scene.agent(name)["connections"].clone();
        assert!(!connections.as_array().unwrap().is_empty(), "{name}");
        for connection in connections.as_array().unwrap() {
            assert_eq!(connection["state"], "up_to_date", "{name}: {connection}");
            let text = std::fs::read_to_string(connection["file"].as_str().unwrap()).unwrap();
            assert!(text.contains("--deadline 20") || text.contains(r#""--deadline","20""#), "{name}: {text}");
        }
        let again = scene.json(&["connect", name, "--json", "--yes"]);
        assert_eq!(again["files"], Value::Array(Vec::new()), "{name}");
        let doctor = scene.output(&["doctor", "--agent", name, "--json"]);
        assert!(stdout(&doctor).contains("denied after 20 seconds"), "{name}: {}", stdout(&doctor));
        // Another one takes its place.
        scene.json(&["connect", name, "--json", "--yes", "--deadline", "30"]);
        let again = scene.json(&["connect", name, "--json", "--yes", "--deadline", "30"]);
        assert_eq!(again["files"], Value::Array(Vec::new()), "{name}");
    }
}

#[test]
fn a_deadline_that_leaves_the_call_open_is_out_of_date_and_replaced() {
    let scene = Scene::new();
    scene.json(&["connect", "claude-code", "--json", "--yes"]);
    let connected = scene.settings();
    for wrong in ["591", "700", "0", "soon"] {
        scene.write(&connected.replace("--deadline 590", &format!("--deadline {wrong}")));
        assert_eq!(scene.claude_code()["connections"][0]["state"], "out_of_date", "{wrong}");
        scene.json(&["connect", "claude-code", "--json", "--yes"]);
        assert_eq!(scene.settings(), connected, "{wrong}");
    }
}

#[test]
fn a_change_is_shown_first_and_made_only_as_it_was_shown() {
    let scene = Scene::new();
    let shown = scene.json(&["connect", "claude-code", "--json", "--dry-run"]);
    assert_eq!((&shown["is_made"], scene.settings().as_str()), (&false.into(), SETTINGS));
    assert!(shown["files"][0]["lines"].as_array().unwrap().iter().any(|line| line["sign"] == "add"));
    // Without --yes nothing is made either.
    assert_eq!(scene.json(&["connect", "claude-code", "--json"]), shown);

    let expect = format!("--expect={}", shown["digest"].as_str().unwrap());
    scene.write(&SETTINGS.replace("opus", "sonnet"));
    let refused = scene.output(&["connect", "claude-code", "--json", "--yes", &expect]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("have changed meanwhile"), "{}", stderr(&refused));
    assert!(!scene.settings().contains("hooks"));

    scene.write(SETTINGS);
    let made = scene.json(&["connect", "claude-code", "--json", "--yes", &expect]);
    assert_eq!(made["is_made"], true);
    let backup = made["files"][0]["backup"].as_str().unwrap();
    assert_eq!(std::fs::read_to_string(backup).unwrap(), SETTINGS);
    assert_eq!(scene.json(&["connect", "claude-code", "--json"])["files"], Value::Array(Vec::new()));

    scene.json(&["disconnect", "claude-code", "--json", "--yes"]);
    assert_eq!(scene.settings(), SETTINGS);
}

#[test]
fn the_doctor_looks_at_one_agent() {
    let scene = Scene::new();
    let found = scene.json(&["doctor", "--agent", "claude-code", "--json"]);
    assert!(found.as_array().unwrap().iter().all(|check| check["agent"] == "claude-code"), "{found}");
    let unknown = scene.output(&["doctor", "--agent", "nobody", "--json"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains("there is no agent called `nobody`"));
}

#[test]
fn a_clone_that_switches_hooks_off_is_told_until_the_machine_forbids_it() {
    let scene = Scene::new();
    scene.json(&["connect", "claude-code", "--json", "--yes"]);
    let project = scene.place.path("clone");
    std::fs::create_dir_all(project.join(".claude")).unwrap();
    let root = scene.place.path("root");
    let root = root.to_str().unwrap();
    let with_root = |arguments: &[&str]| scene.output(&[arguments, &["--system-root", root]].concat());
    let doctor = || stdout(&with_root(&["doctor", "--all", "--agent", "claude-code"]));
    let list = format!("{{\"projects\":{{\"{}\":{{}}}}}}", project.display());
    std::fs::write(scene.place.path("home/.claude.json"), list).unwrap();
    assert!(doctor().contains("any clone can. `handraise connect claude-code --system`"), "{}", doctor());

    std::fs::write(project.join(".claude/settings.json"), "{\"disableAllHooks\": true}").unwrap();
    let file = project.canonicalize().unwrap().join(".claude/settings.json");
    let told = doctor();
    assert!(told.contains("WRONG  Claude Code: projects") && told.contains(file.to_str().unwrap()), "{told}");
    let agents = stdout(&with_root(&["agents", "--json"]));
    assert!(agents.contains("switches the hooks of Claude Code off"), "{agents}");

    let shown = with_root(&["connect", "claude-code", "--system", "--dry-run"]);
    assert!(stdout(&shown).contains("+  \"disableAllHooks\": false"), "{shown:?}");
    let settings = scene.place.path("root/etc/claude-code/managed-settings.json");
    assert!(!settings.exists());
    let made = with_root(&["connect", "claude-code", "--system", "--yes"]);
    assert!(made.status.success() && settings.exists(), "{made:?}");
    let again = with_root(&["connect", "claude-code", "--system", "--yes"]);
    assert!(stdout(&again).contains("Nothing to change"), "{again:?}");
    let told = doctor();
    assert!(told.contains("fine   Claude Code: projects") && !told.contains(file.to_str().unwrap()), "{told}");

    let undone = with_root(&["disconnect", "claude-code", "--system", "--yes"]);
    assert!(undone.status.success() && !settings.exists(), "{undone:?}");
    assert!(doctor().contains("WRONG  Claude Code: projects"));
}

#[test]
fn every_agent_that_a_project_can_switch_off_says_what_forbids_it() {
    let scene = Scene::new();
    let root = scene.place.path("root");
    for name in ["claude-code", "codex", "gemini-cli", "qwen-code"] {
        let system = |command: &str| {
            scene.output(&[command, name, "--system", "--yes", "--system-root", root.to_str().unwrap()])
        };
        let made = system("connect");
        assert!(made.status.success(), "{name}: {made:?}");
        assert!(stdout(&made).contains("for everybody on this machine"), "{name}: {made:?}");
        assert!(system("disconnect").status.success());
        let files = std::fs::read_dir(root.join("etc")).unwrap().flatten();
        let left: Vec<_> = files.flat_map(|folder| std::fs::read_dir(folder.path()).unwrap().flatten()).collect();
        let backups = left.iter().filter(|file| file.file_name().to_string_lossy().contains("handraise-backup"));
        assert_eq!(backups.count(), left.len(), "{name}: {left:?}");
    }
    let refused = scene.output(&["connect", "copilot-cli", "--system", "--yes"]);
    assert!(stderr(&refused).contains("no settings for the whole machine"), "{refused:?}");
}

#[test]
fn the_time_that_counts_is_said() {
    let scene = Scene::new();
    let shown = stdout(&scene.output(&["connect", "claude-code", "--yes"]));
    assert!(shown.contains("You have 300 seconds to answer a call"), "{shown}");
    assert!(
        shown.contains("That is the policy's `timeout`, the shortest of the policy's 300, the hook's 590"),
        "{shown}"
    );
    std::fs::write(scene.place.folders.policy_file(), "version = 1\ntimeout = \"20m\"\n").unwrap();
    let doctor = stdout(&scene.output(&["doctor", "--all", "--agent", "claude-code"]));
    assert!(doctor.contains("You have 587 seconds to answer a call"), "{doctor}");
    scene.json(&["connect", "claude-code", "--json", "--yes", "--deadline", "20"]);
    let doctor = stdout(&scene.output(&["doctor", "--all", "--agent", "claude-code"]));
    assert!(doctor.contains("You have 17 seconds to answer a call"), "{doctor}");
}
