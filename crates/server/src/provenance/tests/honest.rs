//! Honest set-ups are never marked; false claims are.

use std::path::Path;

use handraise_policy::{Contradiction, Provenance};

use super::super::Claims;
use super::super::chain::Chain;
use super::super::claims::{contradictions, folders};
use super::super::folders::Folders;
use super::super::process::Process;
use super::*;

fn marked(lineage: &[Process], agent: &str, folder: Option<&Path>, children: &[&'static str]) -> Vec<Contradiction> {
    let claims =
        Claims { agent: Some(agent.to_owned()), folder: folder.map(|folder| folder.to_str().unwrap().to_owned()) };
    let chain = Chain::of(lineage);
    let of_folder = Folders { agent: None, claimed: folders(&chain, &claims) }.look().add_to(Provenance::default());
    [contradictions(&chain, &claims, 1000, &|_| children.to_vec()), of_folder.contradictions].concat()
}

fn node(pid: u32, line: &str) -> Process {
    process(pid, "/usr/bin/node", line, PTS_3)
}

#[test]
fn an_agent_that_is_what_it_says_is_not_marked() {
    let gemini = || node(73, "node --no-warnings=DEP0040 /usr/local/bin/gemini");
    let code = || process(51, "/usr/share/code/code", "/usr/share/code/code --type=utility", 0);
    let cursor = || process(51, "/usr/share/cursor/cursor", "/usr/share/cursor/cursor", 0);
    let cases: Vec<(&str, Vec<Process>)> = vec![
        // Started by sh, by node, by another script, by the agent itself.
        ("claude-code", vec![shim(PTS_3), sh(PTS_3), claude(PTS_3), bash(PTS_3), gnome_terminal()]),
        ("claude-code", vec![shim(PTS_3), node(85, "node hooks/wrap.js"), sh(PTS_3), claude(PTS_3), bash(PTS_3)]),
        ("claude-code", vec![shim(0), process(81, "/usr/bin/python3.12", "python3 wrap.py", 0), claude(PTS_3)]),
        ("claude-code", vec![claude(PTS_3), bash(PTS_3), gnome_terminal()]),
        // Relaunched by itself.
        ("gemini-cli", vec![shim(PTS_3), bash(PTS_3), gemini(), gemini(), bash(PTS_3), gnome_terminal()]),
        // In an editor, where nothing can be told apart.
        ("cline", vec![shim(0), sh(0), code(), code()]),
        ("cline", vec![shim(0), sh(0), cursor(), cursor()]),
        ("cursor", vec![shim(0), sh(0), cursor()]),
        ("claude-code", vec![shim(0), sh(0), claude(0), cursor()]),
        // Run by another agent.
        ("codex", vec![shim(PTS_3), process(71, "/opt/codex", "codex exec", PTS_3), sh(PTS_3), claude(PTS_3)]),
        // A program that is not known may be it under another name.
        ("claude-code", vec![shim(PTS_3), sh(PTS_3), process(74, "/nix/store/x/.claude-wrapped", "x", PTS_3)]),
        ("opencode", vec![node(75, "node /srv/own/agent.js"), bash(PTS_3)]),
        // Not one of ours: nothing is known about it.
        ("my-bot", vec![process(76, "/usr/bin/python3.12", "python3 bot.py", PTS_3), bash(PTS_3)]),
    ];
    for (agent, lineage) in cases {
        let line: Vec<&str> = lineage.iter().map(Process::command).collect();
        assert_eq!(marked(&lineage, agent, None, &[]), [], "{agent}: {line:?}");
    }
}

#[test]
fn a_program_that_runs_the_agent_may_ask_in_its_name() {
    // A proxy between an editor and an agent, and a program that uses the agent as a library.
    let proxy = process(91, "/usr/bin/handraise", "handraise acp -- claude", PTS_3);
    assert_eq!(marked(&[proxy, bash(PTS_3), gnome_terminal()], "claude-code", None, &["claude-code"]), []);
    let program = process(77, "/usr/bin/python3.12", "python3 app.py", PTS_3);
    assert_eq!(marked(&[program, bash(PTS_3)], "claude-code", None, &["claude-code"]), []);
}

#[test]
fn another_agent_than_it_says_is_marked() {
    let codex = process(71, "/opt/codex", "codex exec", PTS_3);
    let lineage = [shim(PTS_3), sh(PTS_3), codex, bash(PTS_3), gnome_terminal()];
    let expected = Contradiction::OtherAgent { claimed: "claude-code".into(), found: "codex".into() };
    assert_eq!(marked(&lineage, "claude-code", None, &[]), [expected]);
}

#[test]
fn what_no_agent_is_behind_is_marked() {
    let expected = || Contradiction::NoAgent { claimed: "claude-code".into() };
    let curl = process(78, "/usr/bin/curl", "curl http://127.0.0.1:4733", PTS_3);
    let script = process(79, "/usr/bin/python3.12", "python3 evil.py", PTS_3);
    for lineage in [
        vec![shim(PTS_3), bash(PTS_3), gnome_terminal()],
        vec![curl, bash(PTS_3), gnome_terminal()],
        vec![script, bash(PTS_3), gnome_terminal()],
    ] {
        assert_eq!(marked(&lineage, "claude-code", None, &[]), [expected()]);
    }
}

#[test]
fn another_user_is_marked_and_root_above_the_agent_is_not() {
    let other = Process { user: Some(1001), ..claude(PTS_3) };
    let lineage = [shim(PTS_3), sh(PTS_3), other, bash(PTS_3), gnome_terminal()];
    assert_eq!(marked(&lineage, "claude-code", None, &[]), [Contradiction::OtherUser { user: 1001 }]);
    let login = Process { user: Some(0), ..process(58, "/bin/login", "login", PTS_3) };
    assert_eq!(marked(&[shim(PTS_3), sh(PTS_3), claude(PTS_3), bash(PTS_3), login], "claude-code", None, &[]), []);
}

#[test]
fn a_folder_near_any_process_of_the_hook_is_not_marked() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let (project, sub, other) = (root.join("shop"), root.join("shop/src/deep"), root.join("other"));
    for folder in [&sub, &other] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::os::unix::fs::symlink(&project, root.join("link")).unwrap();
    let check = |hook: &Path, agent: &Path, claimed: &Path| {
        let lineage = [in_folder(shim(PTS_3), hook), in_folder(sh(PTS_3), hook), in_folder(claude(PTS_3), agent)];
        marked(&lineage, "claude-code", Some(claimed), &[])
    };
    for (hook, agent, claimed) in [
        (&project, &project, &project),
        (&sub, &project, &sub),
        (&project, &project, &sub),
        (&sub, &sub, &project),
        // The hook goes elsewhere before it asks; the agent's shell has moved on and its hooks with it.
        (&other, &project, &project),
        (&other, &project, &other),
        // Written through a link.
        (&project, &project, &root.join("link")),
        (&project, &project, &root.join("gone")),
    ] {
        assert_eq!(check(hook, agent, claimed), [], "{hook:?} {agent:?} {claimed:?}");
    }
    let expected = Contradiction::OtherFolder {
        claimed: other.to_str().unwrap().to_owned(),
        found: project.to_str().unwrap().to_owned(),
    };
    assert_eq!(check(&project, &project, &other), [expected]);
    // Without a hook the folder may be any.
    let direct = [in_folder(claude(PTS_3), &project), bash(PTS_3)];
    assert_eq!(marked(&direct, "claude-code", Some(&other), &[]), []);
}
