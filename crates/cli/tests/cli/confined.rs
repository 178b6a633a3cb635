//! A call that is approved to run inside walls, from the hook's message to the end of the command.

mod past;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Map, Value, json};

use crate::common::{TestFolders, run, start, stderr, stdout};
use crate::serve::Server;

/// What the agent's call holds beside its command line, which stays.
const MORE: &str = "Build it";

/// A server that confines, and a project with a script.
struct World {
    place: TestFolders,
    server: Server,
    project: PathBuf,
    _root: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        Self::with("version = 1\npreset = \"workspace\"\n")
    }

    fn with(policy: &str) -> Self {
        let place = TestFolders::new();
        std::fs::write(place.folders.policy_file(), policy).unwrap();
        let server = Server::start(&place);
        let root = tempfile::tempdir_in("/var/tmp").unwrap();
        let project = root.path().canonicalize().unwrap().join("shop");
        std::fs::create_dir_all(project.join(".git")).unwrap();
        Self { place, server, project, _root: root }
    }

    fn script(&self, text: &str) {
        std::fs::write(self.project.join("build.sh"), text).unwrap();
    }

    /// Beside the project, where this user may write as well.
    fn canary(&self) -> PathBuf {
        self.project.with_file_name("canary")
    }

    fn ask(&self, agent: &str, message: &Value) -> Value {
        let output = run(self.hook(agent, "5"), message.to_string().as_bytes());
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The hook of `agent`, below a program that stands for the agent: this process is no part of that, and may decide.
    fn hook(&self, agent: &str, deadline: &str) -> Command {
        let hook = self.place.command(&["hook", agent, "--deadline", deadline]);
        let mut agent = Command::new("timeout");
        agent.arg("300").arg(hook.get_program()).args(hook.get_args());
        agent.stdout(Stdio::piped()).stderr(Stdio::piped());
        agent
    }

    /// What Claude Code runs in the place of `line`.
    fn rewritten(&self, line: &str) -> Option<String> {
        let answer = self.ask("claude-code", &claude(&self.project, "PreToolUse", line));
        let decision = &answer["hookSpecificOutput"];
        Some(decision["updatedInput"]["command"].as_str()?.to_owned())
    }
}

fn claude(project: &Path, event: &str, line: &str) -> Value {
    json!({
        "session_id": "s",
        "cwd": project,
        "hook_event_name": event,
        "tool_name": "Bash",
        "tool_input": { "command": line, "description": MORE, "timeout": 60000 },
        "tool_use_id": "t",
    })
}

/// As the agent's shell runs it.
fn shell(line: &str, folder: &Path) -> Output {
    Command::new("bash").arg("-c").arg(line).current_dir(folder).output().unwrap()
}

#[test]
fn what_the_agent_gets_runs_inside_its_walls_once() {
    let world = World::new();
    let canary = world.canary();
    world.script(&format!(
        "echo built > out.txt\necho \"it's $1\"\necho x > {} 2>/dev/null\nexit 7\n",
        canary.display()
    ));
    let line = "bash build.sh 'a b'";
    let rewritten = world.rewritten(line).unwrap();
    assert!(
        rewritten.contains(" --call claude-code:") && rewritten.ends_with(r"-- 'bash build.sh '\''a b'\'''"),
        "{rewritten}"
    );

    let done = shell(&rewritten, &world.project);
    assert_eq!((done.status.code(), stdout(&done).as_str()), (Some(7), "it's a b\n"), "{done:?}");
    assert_eq!(std::fs::read_to_string(world.project.join("out.txt")).unwrap(), "built\n");
    assert!(!canary.exists() && stderr(&done).contains("denied by the walls: write"), "{done:?}");
    // The same outside of walls does write there, so that the test means something.
    shell(line, &world.project);
    assert!(canary.exists());

    std::fs::remove_file(world.project.join("out.txt")).unwrap();
    let again = shell(&rewritten, &world.project);
    assert_eq!(again.status.code(), Some(125), "{again:?}");
    assert!(stderr(&again).contains("has run inside its walls already"), "{again:?}");
    assert!(!world.project.join("out.txt").exists());

    // What has met its walls goes to a person next time, who hears what it wanted.
    let message = claude(&world.project, "PreToolUse", line).to_string();
    let mut hook = start(world.place.command(&["hook", "claude-code", "--deadline", "60"]), message.as_bytes());
    let asked = loop {
        assert!(hook.try_wait().unwrap().is_none(), "a person is asked");
        let pending = world.server.get(&world.place, "/v1/approvals");
        if pending["approvals"][0].is_object() {
            break pending["approvals"][0].clone();
        }
    };
    hook.kill().unwrap();
    hook.wait().unwrap();
    let explanation = asked["explanation"].as_str().unwrap();
    assert!(explanation.contains("its walls denied: write") && explanation.contains("canary"), "{explanation}");
}

#[test]
fn a_call_that_ran_confined_says_so_afterwards() {
    let world = World::new();
    world.script("true\n");
    world.rewritten("bash build.sh").unwrap();
    let past = world.server.get(&world.place, "/v1/approvals?status=approved");
    let call = &past["approvals"][0];
    let confined = call["result"]["confined"].as_str().unwrap();
    assert!(confined.starts_with("writes only in shop"), "{call}");
    assert_eq!(call["result"]["reason"], format!("Runs confined: {confined}."));
    // What the policy says about it today is said of the agent's hook, as it asked then.
    assert_eq!(call["explanation"], format!("Runs confined: {confined}."), "{call}");
}

/// A call that waits for a person: the hook that asks, and what the person is shown.
struct Asked {
    hook: std::process::Child,
    shown: Value,
}

impl World {
    /// With a policy that confines nothing by itself.
    fn asking() -> Self {
        Self::with("version = 1\n")
    }

    /// Claude Code asks about `line`, and a person is asked.
    fn asked(&self, line: &str) -> Asked {
        let message = claude(&self.project, "PreToolUse", line).to_string();
        let mut hook = start(self.hook("claude-code", "240"), message.as_bytes());
        loop {
            assert!(hook.try_wait().unwrap().is_none(), "a person is asked");
            let pending = self.server.get(&self.place, "/v1/approvals");
            if pending["approvals"][0].is_object() {
                return Asked { hook, shown: pending["approvals"][0].clone() };
            }
        }
    }

    /// `handraise approve`, for the call and the walls that were shown.
    fn approve(&self, shown: &Value, walls: &Value) -> Output {
        let (id, hash) = (shown["id"].as_str().unwrap(), shown["arguments_hash"].as_str().unwrap());
        let (confined, token) = (format!("--confined={}", walls.as_str().unwrap()), self.place.path("approver.token"));
        let arguments = ["approve", id, "--hash", hash, &confined, "--token-file", token.to_str().unwrap()];
        run(self.place.command(&arguments), b"")
    }
}

impl Asked {
    /// What the agent runs, once the person has answered.
    fn rewritten(self) -> String {
        let output = self.hook.wait_with_output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        answer["hookSpecificOutput"]["updatedInput"]["command"].as_str().unwrap().to_owned()
    }
}

#[test]
fn a_person_confines_a_call_and_opens_what_its_walls_have_denied() {
    let world = World::asking();
    let out = world.project.with_file_name("out");
    std::fs::create_dir(&out).unwrap();
    world.script(&format!("echo built > inside.txt\necho x > {}/x || exit 7\n", out.display()));
    let line = "bash build.sh";

    let asked = world.asked(line);
    let confinement = asked.shown["confinement"].clone();
    assert_eq!(confinement["walls"]["sentence"], "writes only in shop, no network", "{}", asked.shown);
    assert!(confinement.get("widenings").is_none() && asked.shown.get("denied_by_walls").is_none());
    let refused = world.approve(&asked.shown, &json!("0".repeat(64)));
    assert!(refused.status.code() != Some(0) && stderr(&refused).contains("the call is asked anew"), "{refused:?}");
    let approved = world.approve(&asked.shown, &confinement["hash"]);
    assert!(stdout(&approved).starts_with("Approved to run confined: "), "{approved:?}");
    let done = shell(&asked.rewritten(), &world.project);
    assert_eq!(done.status.code(), Some(7), "{done:?}");
    assert!(world.project.join("inside.txt").exists() && !out.join("x").exists(), "{done:?}");
    assert!(stderr(&done).contains("denied by the walls: write"), "{done:?}");

    // The same call again: what was denied is told, and the folder is offered.
    let asked = world.asked(line);
    let denied = asked.shown["denied_by_walls"].as_array().unwrap();
    assert_eq!(denied, &[json!(format!("write {}/x", out.display()))]);
    let widening = asked.shown["confinement"]["widenings"][0].clone();
    assert_eq!(widening["walls"]["write"], json!([out]), "{}", asked.shown);
    let policy = || std::fs::read_to_string(world.place.folders.policy_file()).unwrap();
    assert!(!policy().contains("confine.project"));
    let approved = world.approve(&asked.shown, &widening["hash"]);
    assert_eq!(approved.status.code(), Some(0), "{approved:?}");
    assert!(policy().ends_with(&format!("\n{}", widening["rule"].as_str().unwrap())), "{}", policy());
    let done = shell(&asked.rewritten(), &world.project);
    assert!(done.status.success() && out.join("x").exists(), "{done:?}");

    // From now on these are its walls.
    let asked = world.asked(line);
    assert_eq!(asked.shown["confinement"]["walls"]["write"], json!([out]));
    assert!(asked.shown["confinement"].get("widenings").is_none() && asked.shown.get("denied_by_walls").is_none());
}

#[test]
fn a_call_that_a_rule_confines_runs_in_the_walls_that_a_person_has_widened() {
    let world = World::new();
    let out = world.project.with_file_name("out");
    std::fs::create_dir(&out).unwrap();
    world.script(&format!("echo x > {}/x || exit 7\n", out.display()));
    let line = "bash build.sh";
    let done = shell(&world.rewritten(line).unwrap(), &world.project);
    assert_eq!(done.status.code(), Some(7), "{done:?}");
    let asked = world.asked(line);
    let explanation = asked.shown["explanation"].as_str().unwrap();
    assert!(explanation.contains("its walls denied: write"), "{explanation}");
    let approved = world.approve(&asked.shown, &asked.shown["confinement"]["widenings"][0]["hash"]);
    assert_eq!(approved.status.code(), Some(0), "{approved:?}");
    assert!(shell(&asked.rewritten(), &world.project).status.success() && out.join("x").exists());
    // Nobody is asked any more.
    std::fs::remove_file(out.join("x")).unwrap();
    let done = shell(&world.rewritten(line).unwrap(), &world.project);
    assert!(done.status.success() && out.join("x").exists(), "{done:?}");
}

/// What a script looks for by itself stands in no command line, and no kernel tells of it.
#[test]
fn what_fails_inside_without_a_denial_goes_to_a_person_when_it_comes_again() {
    let world = World::new();
    std::fs::write(world.canary(), "from outside").unwrap();
    world.script("name=../canary\ncat \"$name\" || exit 3\n");
    let line = "bash build.sh";
    let done = shell(&world.rewritten(line).unwrap(), &world.project);
    assert_eq!(done.status.code(), Some(3), "{done:?}");
    assert!(!stderr(&done).contains("denied"), "nothing tells of it: {done:?}");
    let asked = world.asked(line);
    let explanation = asked.shown["explanation"].as_str().unwrap();
    assert!(explanation.contains("has just run confined and failed"), "{explanation}");
    assert_eq!(asked.shown["confinement"]["walls"]["sentence"], "writes only in shop, no network");

    let approved = world.approve(&asked.shown, &asked.shown["confinement"]["hash"]);
    assert_eq!(approved.status.code(), Some(0), "{approved:?}");
    assert_eq!(shell(&asked.rewritten(), &world.project).status.code(), Some(3));

    // After a change it is tried inside again, and a success is no reason to ask.
    world.script("true\n");
    world.ask("claude-code", &claude(&world.project, "PreToolUse", "touch build.sh"));
    for _ in 0..2 {
        assert!(shell(&world.rewritten(line).unwrap(), &world.project).status.success());
    }
}

#[test]
fn what_the_policy_opens_to_reading_is_read_inside() {
    let root = tempfile::tempdir_in("/var/tmp").unwrap();
    let fixtures = root.path().canonicalize().unwrap().join("fixtures");
    std::fs::create_dir(&fixtures).unwrap();
    std::fs::write(fixtures.join("a"), "a fixture\n").unwrap();
    let script = format!("names='.env .env.local {}/a'\ncat $names\n", fixtures.display());
    let open = format!("[confine]\nread = [\"{}\"]\nshow = [\".env\"]\n", fixtures.display());
    for (table, seen) in [("", ""), (open.as_str(), "KEY=1\na fixture\n")] {
        let world = World::with(&format!("version = 1\npreset = \"workspace\"\n{table}"));
        for (name, text) in [(".env", "KEY=1\n"), (".env.local", "KEY=2\n")] {
            std::fs::write(world.project.join(name), text).unwrap();
        }
        world.script(&script);
        let done = shell(&world.rewritten("bash build.sh").unwrap(), &world.project);
        assert_eq!(stdout(&done), seen, "{done:?}");
    }
}

#[test]
fn a_ticket_is_for_its_command_line_and_its_folder() {
    let world = World::new();
    world.script("echo ran > out.txt\n");
    let out = world.project.join("out.txt");
    let refused = |line: &str, folder: &Path, words: &str| {
        let done = shell(line, folder);
        assert_eq!(done.status.code(), Some(125), "{done:?}");
        assert!(stderr(&done).contains(words), "{done:?}");
        assert!(!out.exists());
    };
    let rewritten = || world.rewritten("bash build.sh").unwrap();
    let other = "this is not the command line that was approved";
    refused(&rewritten().replace("'bash build.sh'", "'bash build.sh; echo x'"), &world.project, other);
    refused(&rewritten().replace("'bash build.sh'", "bash build.sh"), &world.project, other);
    refused(&rewritten(), world.project.parent().unwrap(), "this call was approved for");
    refused(&rewritten().replace("claude-code:", "codex:"), &world.project, "inside its walls already");
    refused(&rewritten().replace("claude-code:", "nobody:"), &world.project, "there is no token");
    refused(&rewritten().replace("claude-code:", "../claude-code:"), &world.project, "no call of Handraise");
    let wider = shell(&rewritten().replace(" --call", " --project / --call"), &world.project);
    assert!(!wider.status.success() && !out.exists(), "{wider:?}");
    let World { place, server, project, .. } = world;
    let answer = run(
        place.command(&["hook", "claude-code", "--deadline", "5"]),
        claude(&project, "PreToolUse", "bash build.sh").to_string().as_bytes(),
    );
    let answer: Value = serde_json::from_slice(&answer.stdout).unwrap();
    let line = answer["hookSpecificOutput"]["updatedInput"]["command"].as_str().unwrap();
    server.stop();
    let alone = shell(line, &project);
    assert!(alone.status.code() == Some(125) && stderr(&alone).contains("Handraise is not running"), "{alone:?}");
    assert!(!project.join("out.txt").exists());
}

/// Every agent that takes another command: its message, and where its answer has the arguments.
fn agents(project: &Path) -> Vec<(&'static str, Value, &'static str)> {
    let input = json!({ "command": "bash build.sh", "description": MORE });
    vec![
        ("claude-code", claude(project, "PreToolUse", "bash build.sh"), "/hookSpecificOutput/updatedInput"),
        (
            "codex",
            json!({ "session_id": "s", "turn_id": "t", "cwd": project, "hook_event_name": "PreToolUse", "tool_name": "Bash",
                "tool_input": { "command": "bash build.sh" }, "tool_use_id": "c" }),
            "/hookSpecificOutput/updatedInput",
        ),
        (
            "gemini-cli",
            json!({ "session_id": "s", "cwd": project, "hook_event_name": "BeforeTool", "timestamp": "2026-11-20T10:15:02.123Z",
                "tool_name": "run_shell_command", "tool_input": input }),
            "/hookSpecificOutput/tool_input",
        ),
        (
            "copilot-cli",
            json!({ "sessionId": "s", "timestamp": 1, "cwd": project, "toolName": "bash", "toolArgs": input }),
            "/modifiedArgs",
        ),
    ]
}

#[test]
fn every_agent_that_takes_another_command_runs_it_inside_walls() {
    let world = World::new();
    world.script("echo ran by $1\n");
    for (agent, message, place) in agents(&world.project) {
        let answer = world.ask(agent, &message);
        let arguments = answer.pointer(place).and_then(Value::as_object).unwrap();
        let asked = message.pointer("/tool_input").or(message.pointer("/toolArgs")).unwrap().as_object().unwrap();
        let others = |all: &Map<String, Value>| {
            all.iter()
                .filter(|(key, _)| *key != "command")
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(others(arguments), others(asked), "{agent}: every other argument stays");
        let done = shell(arguments["command"].as_str().unwrap(), &world.project);
        assert!(done.status.success() && stdout(&done) == "ran by\n", "{agent}: {done:?}");
    }
}

#[test]
fn the_rewritten_line_that_an_agent_asks_about_again_passes_once() {
    let world = World::new();
    world.script("echo ran\n");
    let rewritten = world.rewritten("bash build.sh").unwrap();
    let again = claude(&world.project, "PermissionRequest", &rewritten);
    let answer = world.ask("claude-code", &again);
    assert_eq!(answer["hookSpecificOutput"]["decision"]["behavior"], "allow", "{answer}");
    let answer = world.ask("claude-code", &again);
    assert_eq!(answer["hookSpecificOutput"]["decision"]["behavior"], "deny", "{answer}");
    assert!(shell(&rewritten, &world.project).status.success());
}

#[test]
fn what_takes_no_other_command_is_asked_about() {
    let world = World::new();
    world.script("echo ran > out.txt\n");
    let message = json!({ "session_id": "s", "cwd": world.project, "hook_event_name": "PreToolUse", "event": "PreToolUse",
        "tool_name": "developer__shell", "tool_input": { "command": "bash build.sh" } });
    let output = run(world.place.command(&["hook", "goose", "--deadline", "5"]), message.to_string().as_bytes());
    assert!(
        output.status.code() == Some(2) || stdout(&output).contains("deny") || stdout(&output).contains("block"),
        "{output:?}"
    );
    // Neither does a program that submits the call itself.
    let arguments = json!({ "command": "bash build.sh" }).to_string();
    let cwd = world.project.to_str().unwrap();
    let asked =
        ["ask", "--agent", "claude-code", "--tool", "Bash", "--arguments", &arguments, "--cwd", cwd, "--timeout", "2"];
    assert_ne!(run(world.place.command(&asked), b"").status.code(), Some(0));
}

#[test]
fn a_rule_that_confines_is_tried_out_with_its_walls() {
    let place = TestFolders::new();
    let root = tempfile::tempdir_in("/var/tmp").unwrap();
    let project = root.path().canonicalize().unwrap().join("shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let policy =
        "version = 1\n[confine]\ncaches = [\"npm\", \"cargo\"]\n[[rule]]\ncommand = \"make *\"\naction = \"confine\"";
    let evaluated = |agent: &str, command: &str| {
        let request = json!({ "tool": if agent == "goose" { "developer__shell" } else { "Bash" }, "arguments": { "command": command }, "agent": agent, "cwd": project });
        let line = json!({ "policy": policy, "request": request }).to_string();
        let output = run(place.command(&["policy", "eval"]), format!("{line}\n").as_bytes());
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let confined = evaluated("claude-code", "make -j4 && git status");
    assert_eq!((&confined["action"], confined["parts"][0]["action"].as_str()), (&json!("confine"), Some("confine")));
    assert_eq!(confined["walls"]["sentence"], "writes only in shop and 2 caches, no network");
    assert_eq!(confined["walls"]["project"], json!(project));
    for (agent, command, why) in [
        ("goose", "make", "It would run confined, but this agent takes no changed command."),
        ("somebody", "make", "It would run confined, but who asks has not said that it runs a changed command."),
        ("claude-code", "make && git push", "No rule matches."),
    ] {
        let asked = evaluated(agent, command);
        assert_eq!((&asked["action"], asked.get("walls")), (&json!("ask"), None), "{asked}");
        assert!(asked["why"].as_str().unwrap().starts_with(why), "{asked}");
    }
    // Handraise has never been started here, so that nobody has a token yet.
    let own =
        json!({ "tool": "shell", "arguments": { "command": "make" }, "cwd": project, "runs_changed_command": true });
    let line = json!({ "policy": policy, "request": own }).to_string();
    let output = run(place.command(&["policy", "eval"]), format!("{line}\n").as_bytes());
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["action"], "confine", "{output:?}");
    std::fs::write(place.path("policy.toml"), policy).unwrap();
    let file = place.path("policy.toml");
    let arguments = json!({ "command": "make" }).to_string();
    let (file, cwd) = (file.to_str().unwrap(), project.to_str().unwrap());
    let options = ["--policy", file, "--agent", "claude-code", "--cwd", cwd];
    for call in [&["--tool", "Bash", "--arguments", &arguments][..], &["make"]] {
        let explained = run(place.command(&[&["policy", "explain"], call, &options].concat()), b"");
        assert!(
            stdout(&explained).contains("Runs confined: writes only in shop and 2 caches, no network."),
            "{explained:?}"
        );
    }
}

/// `.env` of a project can be hidden only with namespaces: without, a person is asked before anything starts.
#[test]
fn what_has_to_be_hidden_is_asked_about_where_there_are_no_namespaces() {
    let place = TestFolders::new();
    let root = tempfile::tempdir_in("/var/tmp").unwrap();
    let root = root.path().canonicalize().unwrap();
    let (programs, project) = (root.join("programs"), root.join("shop"));
    std::fs::create_dir(&programs).unwrap();
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let built = Path::new(env!("CARGO_BIN_EXE_handraise"));
    let confine = built.with_file_name("handraise-confine");
    let own = programs.join("handraise");
    std::fs::hard_link(built, &own).or_else(|_| std::fs::copy(built, &own).map(|_| ())).unwrap();
    let evaluated = |more: &str| {
        // The real program, which leaves one thing away.
        let script = format!("#!/bin/sh\nexec '{}' {more} \"$@\"\n", confine.display());
        let beside = programs.join("handraise-confine");
        let made = beside.with_extension("new");
        std::fs::write(&made, script).unwrap();
        std::fs::set_permissions(&made, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        std::fs::rename(&made, &beside).unwrap();
        let policy = "version = 1\n[[rule]]\ncommand = \"make *\"\naction = \"confine\"";
        let request =
            json!({ "tool": "Bash", "arguments": { "command": "make" }, "agent": "claude-code", "cwd": project });
        let line = json!({ "policy": policy, "request": request }).to_string();
        let mut command = Command::new(&own);
        command.args(place.command(&["policy", "eval"]).get_args()).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = run(command, format!("{line}\n").as_bytes());
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        (said["action"].as_str().unwrap().to_owned(), said["why"].as_str().unwrap().to_owned())
    };
    assert_eq!(evaluated("--without-namespaces").0, "confine", "there is nothing to hide");
    std::fs::write(project.join(".env"), "KEY=x").unwrap();
    let (action, why) = evaluated("--without-namespaces");
    assert_eq!(action, "ask");
    assert!(
        why.starts_with("It would run confined, but ") && why.contains(".env can be hidden only with namespaces"),
        "{why}"
    );
    if evaluated("").0 != "confine" {
        // This machine has no namespaces itself.
        let explained = Command::new(&confine).args(["--explain", "--json"]).output().unwrap();
        let explained: Value = serde_json::from_slice(&explained.stdout).unwrap();
        assert_eq!(explained["namespaces"], json!(false));
    }
}
