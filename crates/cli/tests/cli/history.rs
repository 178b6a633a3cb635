//! Calls of the past: `policy replay` and `policy suggest`, from JSON lines and from the transcripts of agents.

use std::path::Path;

use handraise_protocol::{PresetComparison, ReplayProgress, ReplayedCalls};
use serde_json::{Value, json};

use crate::common::{TestFolders, run, stderr, stdout};
use crate::serve::{Server, ask};

/// Every fortieth call.
fn past_calls() -> String {
    all_past_calls().lines().step_by(40).flat_map(|line| [line, "\n"]).collect()
}

/// The calls of `tests/data/calls`, which are what agents really asked.
fn all_past_calls() -> String {
    let packed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/calls/real_calls.jsonl.gz");
    let output = std::process::Command::new("gzip").args(["--decompress", "--stdout", packed]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn replayed(arguments: &[&str], calls: &str) -> Value {
    let output =
        run(TestFolders::new().command(&[&["policy", "replay", "--json"], arguments].concat()), calls.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn calls_of_the_past_are_asked_about_no_more_often_than_is_known() {
    let calls = past_calls();
    let asked = |figures: &Value| figures["all"]["asked_per_hundred"].as_f64().unwrap();
    let cold = replayed(&[], &calls);
    assert_eq!(cold["all"]["calls"], calls.lines().count(), "{cold}");
    assert_eq!(cold["unreadable"], 0);
    assert!(asked(&cold) > 20.0 && asked(&cold) < 51.0, "{cold}");
    // What a person has remembered for the session is not asked about again.
    let remembered = replayed(&["--person", "session"], &calls);
    assert!(asked(&remembered) < asked(&cold), "{remembered}");
    let strict = replayed(&["--preset", "strict"], &calls);
    assert!(asked(&strict) > asked(&cold), "{strict}");
}

#[test]
fn a_replay_says_what_is_asked_about_and_what_a_person_refused() {
    let call = |command: &str, outcome: &str| {
        json!({
            "agent": "claude-code", "session": "s", "tool": "Bash", "arguments": { "command": command },
            "cwd": "/nowhere", "time": "2026-01-01T00:00:00Z", "outcome": outcome, "source": "a/b",
        })
    };
    let calls = format!(
        "{}\n{}\n{}\nnonsense\n",
        call("git status", "ok"),
        call("make deploy", "ok"),
        call("git push", "rejected")
    );
    let figures = replayed(&[], &calls);
    assert_eq!((&figures["all"]["asked"], &figures["unreadable"]), (&json!(2), &json!(1)), "{figures}");
    assert_eq!(figures["refused"], json!({ "calls": 1, "asked": 1, "denied": 0, "confined": 0 }));
    let output = run(TestFolders::new().command(&["policy", "replay", "--calls"]), calls.as_bytes());
    let lines: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let causes: Vec<&str> = lines.iter().filter_map(|line| line["cause"].as_str()).collect();
    assert_eq!(causes, ["`make deploy`", "`git push`"]);
    let text = stdout(&run(TestFolders::new().command(&["policy", "replay"]), calls.as_bytes()));
    assert!(text.contains("3 calls: 2 asked about") && text.contains("a person refused: 1"), "{text}");
    let wrong = run(TestFolders::new().command(&["policy", "replay", "--preset", "none"]), b"");
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

/// A home folder in which every agent has a transcript.
fn with_transcripts(place: &TestFolders) -> String {
    let home = place.path("home");
    let kept: &[(&str, &str)] = &[
        ("claude-code.jsonl", ".claude/projects/-home-ana-code-shopfront/7c1f0a52.jsonl"),
        // A session that was resumed is told again.
        ("claude-code.jsonl", ".claude/projects/-home-ana-code-shopfront/7c1f0a53.jsonl"),
        ("codex.jsonl", ".codex/sessions/2026/04/15/rollout-2026-04-15T09-31-16-0199f0c2.jsonl"),
        ("codex-older.jsonl", ".codex/archived_sessions/rollout-2025-07-01T10-00-00-0197aaaa.jsonl"),
        ("copilot-cli.jsonl", ".copilot/session-state/b3a1f9d0/events.jsonl"),
        ("gemini-cli.jsonl", ".gemini/tmp/shopfront/chats/session-2026-07-20T21-07-2f7c9f0e.jsonl"),
        ("gemini-cli-older.json", ".gemini/tmp/shopfront/chats/session-2026-01-19T12-18-2f7c9f0e.json"),
        ("qwen-code.jsonl", ".qwen/projects/-home-ana-code-shopfront/chats/9a0b7c55.jsonl"),
        ("opencode-session.json", ".local/share/opencode/storage/session/5f1c/ses_54083ec12ffeOtMmb4yMoQbN5R.json"),
        ("opencode-part.json", ".local/share/opencode/storage/part/msg_abf7c13ed001/prt_abf7c13f0001.json"),
        ("opencode-part-rejected.json", ".local/share/opencode/storage/part/msg_abf7c13ed001/prt_abf7c13f0002.json"),
    ];
    for (from, to) in kept {
        put(&home.join(to), &std::fs::read(transcript(from)).unwrap());
    }
    put(&home.join(".gemini/tmp/shopfront/.project_root"), b"/home/ana/code/shopfront\n");
    put(&home.join(".local/share/opencode/opencode.db"), b"SQLite format 3");
    home.to_str().unwrap().to_owned()
}

fn transcript(name: &str) -> String {
    format!("{}/../agents/tests/transcripts/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn put(path: &Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn the_transcripts_of_all_agents_are_replayed() {
    let place = TestFolders::new();
    let home = with_transcripts(&place);
    let replay = |more: &[&str]| {
        let output = run(
            place.command(&[&["policy", "replay", "--agents", "--agents-home", home.as_str()], more].concat()),
            b"",
        );
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let figures: Value = serde_json::from_str(&replay(&["--json"])).unwrap();
    let read: Vec<(&str, u64, u64, u64, u64)> = figures["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| {
            let count = |name: &str| agent[name].as_u64().unwrap();
            (agent["agent"].as_str().unwrap(), count("files"), count("calls"), count("told_again"), count("unreadable"))
        })
        .collect();
    assert_eq!(
        read,
        [
            ("claude-code", 2, 5, 5, 4),
            ("codex", 2, 7, 0, 1),
            ("gemini-cli", 2, 5, 0, 1),
            ("copilot-cli", 1, 4, 0, 1),
            ("opencode", 3, 2, 0, 0),
            ("qwen-code", 1, 3, 0, 1),
        ]
    );
    assert_eq!(figures["all"]["calls"], 26, "{figures}");
    assert_eq!(figures["refused"]["calls"], 10, "{figures}");
    assert_eq!(
        figures["refused_and_passed"],
        json!([{
            "call": "git log -1", "risk": "read_only", "reaches": [], "times": 1,
        }])
    );
    let text = replay(&[]);
    assert!(text.contains("Claude Code: 5 calls in 2 files, 5 told again, 4 unreadable"), "{text}");
    assert!(text.contains("OpenCode's database is not read"), "{text}");
    assert!(text.contains("Prompts per day:") && text.contains("Refused by a person, and allowed:"), "{text}");
    let later: Value = serde_json::from_str(&replay(&["--json", "--since", "2026-07-01T00:00:00Z"])).unwrap();
    assert_eq!(later["all"]["calls"], 6, "{later}");
}

#[test]
fn where_there_is_no_transcript_it_says_where_it_looked() {
    let place = TestFolders::new();
    let home = place.path("home");
    let arguments = ["policy", "replay", "--agents", "--agents-home", home.to_str().unwrap()];
    let output = run(place.command(&arguments), b"");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = stderr(&output);
    for folder in [".claude/projects/**/*.jsonl", ".codex/sessions", ".qwen/projects", "opencode/storage/part"] {
        assert!(said.contains(&format!("{}/", home.display())) && said.contains(folder), "{said}");
    }
}

#[test]
fn a_transcript_may_be_given_by_its_path_and_agents_may_have_moved_theirs() {
    let place = TestFolders::new();
    let calls = |mut command: std::process::Command| {
        command.args(["--json"]);
        let output = run(command, b"");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_str::<Value>(&stdout(&output)).unwrap()["all"]["calls"].as_u64().unwrap()
    };
    let given = format!("opencode={}", transcript("opencode-export.json"));
    assert_eq!(calls(place.command(&["policy", "replay", "--transcripts", given.as_str()])), 1);
    let folder = place.path("kept");
    put(&folder.join("a/rollout-1.jsonl"), &std::fs::read(transcript("codex.jsonl")).unwrap());
    let given = format!("codex={}", folder.display());
    assert_eq!(calls(place.command(&["policy", "replay", "--transcripts", given.as_str()])), 6);
    let wrong = run(place.command(&["policy", "replay", "--transcripts", "cursor=/x"]), b"");
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");

    put(&folder.join("projects/p/s.jsonl"), &std::fs::read(transcript("claude-code.jsonl")).unwrap());
    let mut moved = place.command(&["policy", "replay", "--agents", "--since", "2026-03-01T00:00:00Z"]);
    moved.env("CLAUDE_CONFIG_DIR", &folder);
    for name in ["CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "XDG_DATA_HOME"] {
        moved.env(name, place.path("nothing"));
    }
    assert_eq!(calls(moved), 5);
}

#[test]
fn a_replay_shows_no_secret() {
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let call = json!({
        "agent": "claude-code", "session": "s", "tool": "Bash", "cwd": "/nowhere", "outcome": "rejected",
        "arguments": { "command": format!("curl -H 'Authorization: Bearer {secret}' https://example.com/x") },
    });
    let allowed = json!({
        "agent": "claude-code", "session": "s", "tool": "Bash", "cwd": "/nowhere", "outcome": "rejected",
        "arguments": { "command": format!("echo {secret}") },
    });
    let calls = format!("{call}\n{allowed}\n");
    for arguments in [&["--calls"][..], &[], &["--json"], &["--preset", "autonomous"]] {
        let output = run(TestFolders::new().command(&[&["policy", "replay"], arguments].concat()), calls.as_bytes());
        let said = stdout(&output);
        assert!(!said.contains(&secret), "{said}");
        assert!(said.contains("echo") || said.contains("curl") || arguments.is_empty(), "{said}");
    }
}

/// A call of a shell, `times` times, each in a session of its own.
fn calls(command: &str, outcome: &str, times: usize) -> String {
    let call = |number: usize| {
        json!({
            "agent": "claude-code", "session": format!("s{number}"), "tool": "Bash", "cwd": "/nowhere/app",
            "arguments": { "command": command }, "time": format!("2026-01-{:02}T00:00:00Z", number + 1),
            "outcome": outcome, "source": "a/b",
        })
    };
    (0..times).map(|number| format!("{}\n", call(number))).collect()
}

/// What is suggested for `calls`, under the policy `rules`.
fn suggested(place: &TestFolders, rules: &str, calls: &str) -> Value {
    let policy = place.path("rules.toml");
    std::fs::write(&policy, rules).unwrap();
    let arguments = ["policy", "suggest", "--stdin", "--json", "--policy", policy.to_str().unwrap()];
    let output = run(place.command(&arguments), calls.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// The texts of the rules that are suggested, and how many questions they save together.
fn rules(found: &Value) -> (String, u64) {
    let suggested = found["suggested"].as_array().unwrap();
    let text: Vec<&str> = suggested.iter().map(|one| one["rule"].as_str().unwrap()).collect();
    (text.join("\n"), suggested.iter().map(|one| one["saves"].as_u64().unwrap()).sum())
}

const PRACTICAL: &str = "version = 1 # mine\npreset = \"practical\"\n";

#[test]
fn what_passed_again_and_again_is_suggested_as_the_question_would_have_offered_it() {
    let history = calls("npm test -- a", "ok", 2)
        + &calls("npm test -- b && npm run lint", "error", 2)
        + &calls("npm run lint", "ok", 3)
        + &calls("frobnicate --now", "ok", 4)
        + &calls("seldom --seen", "ok", 2)
        + &calls("git status", "ok", 9);
    let found = suggested(&TestFolders::new(), PRACTICAL, &history);
    let (text, saves) = rules(&found);
    assert!(text.contains("npm test *") && text.contains("npm run lint *"), "{found}");
    assert!(text.contains("frobnicate --now") && !text.contains("seldom"), "{found}");
    assert_eq!((saves, &found["asked"], &found["refused"]), (11, &json!(13), &json!(0)), "{found}");
    assert!(found["without_audit_log"].as_str().is_some(), "{found}");
}

#[test]
fn nothing_is_suggested_that_was_ever_refused_or_that_nobody_should_get_used_to() {
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    for (name, history) in [
        (
            "refused",
            calls("git commit -m a", "ok", 9)
                + &calls("git commit -m b", "ok", 9)
                + &calls("git commit -m c", "rejected", 1),
        ),
        (
            "refused as a part",
            calls("npm test", "ok", 9) + &calls("npm test && npm run x", "rejected", 1) + &calls("npm run x", "ok", 9),
        ),
        ("credentials", calls("cat .env", "ok", 9) + &calls("gh auth token", "ok", 9)),
        ("destroys", calls("rm -rf build", "ok", 9) + &calls("git reset --hard", "ok", 9)),
        ("acts later", calls("echo x >> ~/.bashrc", "ok", 9)),
        (
            "publishes",
            calls("git push", "ok", 9)
                + &calls("git push origin topic", "ok", 9)
                + &calls("gh pr comment 1 --body x", "ok", 9)
                + &calls("npm test && git push", "ok", 9),
        ),
        ("a secret", calls(&format!("frobnicate --key {secret}"), "ok", 9)),
        ("not understood", calls("eval \"$X\"", "ok", 9)),
    ] {
        let found = suggested(&TestFolders::new(), PRACTICAL, &history);
        let allowed = rules(&found).0;
        for words in ["git commit *", "env", "token", "rm ", "reset", "bashrc", "ghp_", "eval", "push", "gh pr"] {
            assert!(!allowed.contains(words), "{name}: {found}");
        }
        assert!(!(allowed.contains("npm test") && allowed.contains("npm run x")), "{name}: {found}");
        // The refused call is still asked about under what is suggested.
        let place = TestFolders::new();
        let policy = place.path("with.toml");
        std::fs::write(&policy, format!("{PRACTICAL}\n{allowed}")).unwrap();
        let output = run(
            place.command(&["policy", "replay", "--json", "--policy", policy.to_str().unwrap()]),
            history.as_bytes(),
        );
        let figures: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let refused = &figures["refused"];
        assert_eq!(refused["asked"], refused["calls"], "{name}: {figures}");
    }
}

#[test]
fn what_a_rule_of_ones_own_asks_about_is_left_alone() {
    let own = format!("{PRACTICAL}\n[[rule]]\ncommand = \"npm test *\"\naction = \"ask\"\n");
    let found = suggested(&TestFolders::new(), &own, &calls("npm test", "ok", 9));
    assert_eq!(found["suggested"], json!([]), "{found}");
}

#[test]
fn what_a_preset_asks_about_for_its_own_sake_is_left_alone() {
    let workspace = "version = 1\npreset = \"workspace\"\n";
    for line in ["git commit --amend --no-edit", "rm notes.txt", "echo x > .github/workflows/ci.yml", "bun install"] {
        let found = suggested(&TestFolders::new(), workspace, &calls(line, "ok", 9));
        assert_eq!(found["suggested"], json!([]), "{line}: {found}");
    }
}

#[test]
fn an_answer_for_the_session_is_about_every_call_of_a_tool_that_is_none_for_files_or_commands() {
    let call = |session: &str, tool: &str, arguments: Value| {
        let call = json!({
            "agent": "claude-code", "session": session, "tool": tool, "arguments": arguments, "cwd": "/nowhere/app",
            "time": "2026-01-01T00:00:00Z", "outcome": "ok", "source": "a/b",
        });
        format!("{call}\n")
    };
    let asked =
        |calls: &str| replayed(&["--preset", "workspace", "--person", "session"], calls)["all"]["asked"].clone();
    let evaluate = |session: &str, text: &str| call(session, "mcp__browser__evaluate", json!({ "text": text }));
    assert_eq!(asked(&(evaluate("s", "1") + &evaluate("s", "2") + &evaluate("s", "3"))), 1);
    assert_eq!(asked(&(evaluate("s", "1") + &evaluate("t", "1"))), 2, "a session is told by itself");
    assert_eq!(asked(&(evaluate("s", "1") + &call("s", "mcp__browser__click", json!({})))), 2, "another tool");
    let edit = |path: &str| call("s", "Write", json!({ "file_path": path, "content": "x" }));
    assert_eq!(asked(&(edit("/etc/a/x") + &edit("/srv/b/x"))), 2, "every edit is more than anybody has seen");
    let fetch = |url: &str| call("s", "WebFetch", json!({ "url": url, "prompt": "x" }));
    assert_eq!(asked(&(fetch("https://a.example/") + &fetch("https://b.example/"))), 2);
}

#[test]
fn suggested_rules_are_added_behind_all_others_and_only_when_that_is_wanted() {
    let place = TestFolders::new();
    let policy = place.folders.policy_file();
    std::fs::write(&policy, PRACTICAL).unwrap();
    let history = calls("npm test", "ok", 5);
    let suggest =
        |more: &[&str]| run(place.command(&[&["policy", "suggest", "--stdin"], more].concat()), history.as_bytes());
    let shown = suggest(&[]);
    assert!(stdout(&shown).contains("npm test"), "{shown:?}");
    let unasked = suggest(&["--write"]);
    assert!(stderr(&unasked).contains("--yes"), "{unasked:?}");
    assert_eq!(std::fs::read_to_string(&policy).unwrap(), PRACTICAL, "nobody has said yes");
    let added = suggest(&["--write", "--yes"]);
    assert!(stdout(&added).contains("handraise policy confirm"), "{added:?}");
    let text = std::fs::read_to_string(&policy).unwrap();
    assert!(
        text.starts_with(PRACTICAL) && text.contains("[[rule]]") && text.contains("# would have saved 5"),
        "{text}"
    );
    let again = suggest(&["--write", "--yes"]);
    assert!(stdout(&again).contains("Nothing to suggest"), "{again:?}");
    assert_eq!(std::fs::read_to_string(&policy).unwrap(), text);
}

/// What the transcripts say nothing about, the audit log may: a call that a person has denied in Handraise.
#[test]
fn a_denial_in_the_audit_log_takes_a_suggestion_away() {
    let place = TestFolders::new();
    let server = Server::start(&place);
    let approver = place.path("approver.token");
    let token = ["--token-file", approver.to_str().unwrap()];
    let (_, asked) = ask(&place, &["--tool", "Bash", "--command", "npm test -- --all", "--no-wait"]);
    let denied = run(place.command(&[&["deny", asked["id"].as_str().unwrap()], &token[..]].concat()), b"");
    assert_eq!(denied.status.code(), Some(0), "{denied:?}");
    let history: String = (calls("npm test", "ok", 5) + &calls("npm run lint", "ok", 5))
        .lines()
        .map(|line| line.replace("\"agent\":\"claude-code\",", "") + "\n")
        .collect();
    assert!(!history.contains("claude"), "a rule of that agent's would not be about this call");
    let suggest = |more: &[&str]| {
        let arguments = [&["policy", "suggest", "--stdin", "--json"], more].concat();
        let output = run(place.command(&arguments), history.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_str::<Value>(&stdout(&output)).unwrap()
    };
    let found = suggest(&token);
    assert_eq!(found.get("without_audit_log"), None, "{found}");
    let allowed = rules(&found).0;
    assert!(allowed.contains("npm run lint *") && !allowed.contains("npm test"), "{found}");
    assert_eq!(server.stop(), Some(0));
    let found = suggest(&token);
    assert!(found["without_audit_log"].as_str().unwrap().contains("not running"), "{found}");
    assert!(rules(&found).0.contains("npm test *"), "{found}");
}

#[test]
fn all_presets_are_set_beside_each_other() {
    let calls: String = past_calls().lines().step_by(4).map(|line| format!("{line}\n")).collect();
    let table = replayed(&["--compare"], &calls);
    let asked = |preset: usize, row: usize| table["presets"][preset]["rows"][row]["all"]["asked"].as_u64().unwrap();
    for preset in 0..4 {
        let rows = table["presets"][preset]["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 6, "{table}");
        assert_eq!(rows[0]["all"]["calls"], calls.lines().count());
        assert!(rows[1]["all"]["calls"].as_u64() < rows[0]["all"]["calls"].as_u64(), "the rest is a part");
        assert!(asked(preset, 3) <= asked(preset, 0), "who remembers is asked no more often: {table}");
        assert!(asked(preset, 2) <= asked(preset, 1), "rules that allow ask no more: {table}");
    }
    let [practical, workspace, strict, autonomous] = [0, 1, 2, 3].map(|preset| asked(preset, 0));
    assert!(autonomous < workspace && workspace < practical && practical < strict, "{table}");
    let text = stdout(&run(TestFolders::new().command(&["policy", "replay", "--compare"]), calls.as_bytes()));
    assert!(text.contains("preset strict") && text.contains("per 100 shell calls"), "{text}");
}

/// As the guide of the first start has them made: without suggestions, and with how far it is.
#[test]
fn the_presets_alone_are_quick_to_compare_and_tell_how_far_it_is() {
    let calls: String = past_calls().lines().step_by(20).map(|line| format!("{line}\n")).collect();
    let arguments = ["policy", "replay", "--compare", "--no-suggestions", "--progress", "--json"];
    let output = run(TestFolders::new().command(&arguments), calls.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let compared: PresetComparison = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(compared.presets.len(), 4);
    for preset in &compared.presets {
        let of: Vec<_> = preset.rows.iter().map(|row| (row.calls, row.remembers, row.suggested)).collect();
        assert_eq!(of, [(ReplayedCalls::All, false, false), (ReplayedCalls::All, true, false)]);
        assert_eq!(preset.rows[0].all.calls, u32::try_from(calls.lines().count()).unwrap());
    }
    let told: Vec<ReplayProgress> = stderr(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.first(), Some(&ReplayProgress::Replaying { done: 0, steps: 8 }));
    assert_eq!(told.last(), Some(&ReplayProgress::Replaying { done: 8, steps: 8 }));
}

#[test]
fn no_transcript_is_told_from_no_prompt() {
    let place = TestFolders::new();
    let home = place.path("nobody");
    let home = home.to_str().unwrap();
    let arguments = ["policy", "replay", "--agents", "--agents-home", home, "--compare", "--no-suggestions", "--json"];
    let output = run(place.command(&arguments), b"");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(serde_json::from_str::<PresetComparison>(&stdout(&output)).unwrap(), PresetComparison::default());
    assert!(stderr(&output).contains("there is no transcript"), "{output:?}");
}

#[test]
fn a_call_that_requires_approval_waits_for_a_person_although_the_policy_allows_it() {
    let place = TestFolders::new();
    let server = Server::start(&place);
    let call = ["--tool", "Bash", "--command", "echo hello"];
    assert_eq!(ask(&place, &call).1["status"], "approved");
    assert_eq!(ask(&place, &[&call[..], &["--require-approval", "--no-wait"]].concat()).1["status"], "pending");
    drop(server);
}
