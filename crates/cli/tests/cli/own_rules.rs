//! `handraise policy import` and `export`.

use std::process::Output;

use serde_json::{Value, json};

use crate::common::{TestFolders, run, stderr, stdout};

const SETTINGS: &str =
    r#"{ "permissions": { "allow": ["Bash(npm run test:*)", "Read(src/**)"], "deny": ["Bash(curl:*)"] } }"#;
const POLICY: &str = "version = 1\n\n# mine\n[[rule]]\ncommand = \"npm *\"\naction = \"ask\"\n";

struct Scene {
    place: TestFolders,
}

impl Scene {
    fn new() -> Self {
        let scene = Self { place: TestFolders::new() };
        scene.write("home/.claude/settings.json", SETTINGS);
        scene.write("home/shop/.claude/settings.local.json", r#"{ "permissions": { "ask": ["WebFetch"] } }"#);
        scene.write("home/.codex/rules/default.rules", "prefix_rule(pattern=[\"git\", \"status\"])\n");
        std::fs::write(scene.place.folders.policy_file(), POLICY).unwrap();
        scene
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.place.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn policy(&self) -> String {
        std::fs::read_to_string(self.place.folders.policy_file()).unwrap()
    }

    fn output(&self, arguments: &[&str]) -> Output {
        let mut command = self.place.command(arguments);
        command.current_dir(self.place.path("home/shop"));
        command.arg("--agents-home").arg(self.place.path("home"));
        run(command, b"")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.output(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_str(&stdout(&output)).unwrap()
    }
}

#[test]
fn every_agents_own_rules_are_found_where_they_stand() {
    let scene = Scene::new();
    let found = scene.json(&["policy", "import", "--json"]);
    let names: Vec<&Value> = found.as_array().unwrap().iter().map(|agent| &agent["agent"]).collect();
    assert_eq!(names, [&json!("claude-code"), &json!("codex")]);
    let entries = found[0]["entries"].as_array().unwrap();
    let entry = |text: &str| entries.iter().find(|entry| entry["entry"] == text).unwrap();
    assert!(entry("Read(src/**)")["reason"].as_str().unwrap().contains("folder that the agent is started in"));
    assert!(entry("Bash(npm run test:*)")["rules"][0].as_str().unwrap().contains("command = \"npm run test *\""));
    let project = entry("WebFetch");
    assert!(project["file"].as_str().unwrap().ends_with("shop/.claude/settings.local.json"));
    assert!(project["rules"][0].as_str().unwrap().contains("projects = [\""), "{project}");
    assert_eq!(scene.policy(), POLICY, "nothing is changed");
}

#[test]
fn they_are_added_around_the_own_rules_and_only_once() {
    let scene = Scene::new();
    let refused = scene.output(&["policy", "import", "--write"]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(scene.policy(), POLICY, "nobody has said yes");
    let output = scene.output(&["policy", "import", "--agent", "claude-code", "--write", "--yes"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("They count once you have confirmed them"), "{}", stdout(&output));
    let policy = scene.policy();
    let place = |part: &str| policy.find(part).unwrap_or_else(|| panic!("{part}: {policy}"));
    assert!(place("npm run test *") < place("# mine") && place("# mine") < place("curl *"), "{policy}");
    assert!(!policy.contains("git status"), "of one agent only: {policy}");
    let check = scene.output(&["policy", "check"]);
    assert!(check.status.success(), "{}", stdout(&check));
    let again = scene.output(&["policy", "import", "--agent", "claude-code", "--write", "--yes"]);
    assert!(stdout(&again).contains("has all of these rules already"), "{}", stdout(&again));
    assert_eq!(scene.policy(), policy);
}

#[test]
fn another_file_is_read_as_what_it_is_called() {
    let scene = Scene::new();
    scene.write("old/team.rules", "prefix_rule(pattern=[\"make\"], decision=\"prompt\")\n");
    let file = scene.place.path("old/team.rules").to_str().unwrap().to_owned();
    let found = scene.json(&["policy", "import", "--agent", "codex", "--file", &file, "--json"]);
    assert!(found[0]["behind"].as_str().unwrap().contains("make *"), "{found}");
    let odd = scene.output(&["policy", "import", "--agent", "claude-code", "--file", &file]);
    assert!(stderr(&odd).contains(".claude/settings.json"), "{}", stderr(&odd));
    let unknown = scene.output(&["policy", "import", "--agent", "nobody"]);
    assert_eq!(unknown.status.code(), Some(2));
    let none = scene.output(&["policy", "import", "--agent", "kiro"]);
    assert!(stderr(&none).contains("keeps no rules"), "{}", stderr(&none));
}

#[test]
fn a_file_that_cannot_be_read_is_told_beside_the_others() {
    let scene = Scene::new();
    scene.write("home/.qwen/settings.json", "{");
    let found = scene.json(&["policy", "import", "--json"]);
    let qwen = found.as_array().unwrap().iter().find(|agent| agent["agent"] == "qwen-code").unwrap();
    assert!(qwen["problems"][0].as_str().unwrap().contains("not valid JSON"), "{qwen}");
    assert_eq!(found.as_array().unwrap().len(), 3);
}

#[test]
fn the_report_of_an_export_is_beside_the_text() {
    let scene = Scene::new();
    let output = scene.output(&["policy", "export", "--agent", "claude-code"]);
    let settings: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(settings["permissions"]["ask"], json!(["Bash(npm:*)"]));
    assert!(stderr(&output).contains("~/.claude/settings.json"), "{}", stderr(&output));
    let output = scene.output(&["policy", "export", "--agent", "copilot-cli"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("claude-code"), "{}", stderr(&output));
}
