//! What walls have denied calls of the past: told of each call, and suggested to be opened.

use super::*;

/// What looks like a token of GitHub.
const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

impl World {
    /// A command of an approver.
    fn says(&self, arguments: &[&str]) -> String {
        let token = self.place.path("approver.token");
        let more = ["--token-file", token.to_str().unwrap()];
        let output = run(self.place.command(&[arguments, &more].concat()), b"");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        stdout(&output)
    }

    /// Claude Code runs `line` inside its walls, where it fails.
    fn fails_inside(&self, line: &str) {
        let done = shell(&self.rewritten(line).unwrap(), &self.project);
        assert!(done.status.code() == Some(7) && stderr(&done).contains("denied by the walls: write"), "{done:?}");
    }

    fn widenings(&self) -> Vec<Value> {
        let found: Value = serde_json::from_str(&self.says(&["policy", "suggest", "--json"])).unwrap();
        found["widenings"].as_array().cloned().unwrap_or_default()
    }

    /// The calls of the past, the latest first.
    fn calls(&self) -> Vec<Value> {
        serde_json::from_str(&self.says(&["history", "--json"])).unwrap()
    }

    /// A folder beside the project.
    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.project.with_file_name(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }
}

/// Writes to the folder that it is called with.
const WRITES: &str = "echo x > \"$1/x\" || exit 7\n";

#[test]
fn what_walls_have_denied_is_told_of_every_call_of_the_past() {
    let world = World::new();
    let (out, secret) = (world.folder("out"), world.folder(SECRET));
    world.script(WRITES);
    world.fails_inside(&format!("bash build.sh {}", out.display()));
    let calls = world.calls();
    let [call] = calls.as_slice() else { panic!("{calls:?}") };
    assert_eq!(call["denied_by_walls"], json!([format!("write {}/x", out.display())]), "{call}");
    let shown = world.says(&["show", call["id"].as_str().unwrap()]);
    assert!(shown.contains("Its walls denied it write "), "{shown}");
    let listed = world.says(&["history"]);
    assert!(listed.contains("its walls denied write "), "{listed}");

    // Without its secrets, and what names one is never suggested.
    for round in 0..3 {
        world.fails_inside(&format!("bash build.sh {} {round}", secret.display()));
    }
    let calls = world.calls();
    assert_eq!(calls.len(), 4, "{calls:?}");
    let told = calls[0]["denied_by_walls"][0].as_str().unwrap();
    assert!(told.starts_with("write ") && told.contains("redacted") && !told.contains(SECRET), "{told}");
    assert_eq!(world.widenings(), [Value::Null; 0]);
}

#[test]
fn what_the_walls_of_a_project_deny_again_and_again_is_suggested_to_be_opened() {
    let world = World::new();
    let (out, home) = (world.folder("out"), world.folder("other"));
    std::fs::create_dir(home.join(".git")).unwrap();
    world.script(WRITES);
    for round in 0..3 {
        assert_eq!(world.widenings(), [Value::Null; 0], "after {round} calls");
        world.fails_inside(&format!("bash build.sh {} {round}", out.display()));
        // What runs later is none that anybody opens: another repository.
        world.fails_inside(&format!("bash build.sh {} {round}", home.display()));
    }
    let widenings = world.widenings();
    let [widening] = widenings.as_slice() else { panic!("{widenings:?}") };
    assert_eq!((&widening["calls"], &widening["opens"]), (&json!(3), &json!(out)), "{widening}");
    let rule = widening["rule"].as_str().unwrap();
    assert!(rule.starts_with("[[confine.project]]\n") && rule.contains(world.project.to_str().unwrap()), "{rule}");

    // It is written once somebody says so, and counts once it is confirmed.
    let policy = || std::fs::read_to_string(world.place.folders.policy_file()).unwrap();
    let before = policy();
    assert!(world.says(&["policy", "suggest"]).contains(rule.trim()));
    assert_eq!(policy(), before);
    world.says(&["policy", "suggest", "--write", "--yes"]);
    assert!(policy().starts_with(&before) && policy().contains(rule.trim()), "{}", policy());
    assert_eq!(run(world.place.command(&["policy", "check"]), b"").status.code(), Some(0));
}

#[test]
fn what_a_person_has_refused_or_what_became_a_repository_is_not_suggested() {
    let world = World::new();
    let (out, later) = (world.folder("out"), world.folder("later"));
    world.script(WRITES);
    let line = |folder: &Path, round: u32| format!("bash build.sh {} {round}", folder.display());
    for round in 0..3 {
        world.fails_inside(&line(&out, round));
        world.fails_inside(&line(&later, round));
    }
    assert_eq!(world.widenings().len(), 2);
    std::fs::create_dir(later.join(".git")).unwrap();
    assert_eq!(world.widenings().len(), 1);
    let asked = world.asked(&line(&out, 0));
    world.says(&["deny", asked.shown["id"].as_str().unwrap()]);
    asked.hook.wait_with_output().unwrap();
    assert_eq!(world.widenings(), [Value::Null; 0]);
}
