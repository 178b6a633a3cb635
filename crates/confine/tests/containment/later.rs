//! What lies in the project and makes something run later: read-only where there are namespaces, put back otherwise.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::attack::Inside;
use crate::scene::{Mode, Programs, Scene, ordinary};

/// Further parts that an attacker can play.
pub(crate) fn named(name: &str) -> Option<fn(&Inside) -> io::Result<()>> {
    match name {
        "say_who" => Some(|_| {
            // SAFETY: it takes nothing.
            println!("effective user {}", unsafe { libc::geteuid() });
            Ok(())
        }),
        "read_root_file" => Some(|inside| {
            println!("{}", fs::read_to_string(inside.at("home/.cargo/bin/of-root"))?);
            Ok(())
        }),
        _ => None,
    }
}

/// Each changes something that git, an agent or an editor would run or obey later.
const CHANGES: &[&str] = &[
    "echo evil > .git/hooks/pre-commit",
    "echo evil >> .git/hooks/pre-commit.sample",
    "rm -rf .git/hooks; mkdir .git/hooks; echo evil > .git/hooks/post-checkout",
    "mkdir new && echo evil > new/post-merge && rm -rf .git/hooks; mv new .git/hooks",
    "echo '[core] fsmonitor = evil' >> .git/config",
    "rm -f .git/config; echo evil > .git/config",
    "mv src/main.rs .git/config",
    "mv .git .old && mkdir .git && echo evil > .git/config",
    "mv .git .old && cp -r .old .git && echo evil > .git/config",
    "rm -rf .git; ln -s ../outside .git",
    "echo evil > .git/config.worktree",
    "mkdir -p .git/info && echo '* filter=evil' > .git/info/attributes",
    "echo evil > .git/modules/library/hooks/post-checkout",
    "echo evil > .git/modules/library/config",
    "mkdir -p .claude && echo evil > .claude/settings.json",
    "echo evil > .claude/settings.local.json",
    "ln -s src .codex",
    "mkdir -p .vscode && echo evil > .vscode/tasks.json",
    "echo evil > .mcp.json",
    "echo evil > .envrc",
    "mkdir -p .husky && echo evil > .husky/pre-push",
    "chmod 777 .git/config",
    "touch -d @0 .git/config; chmod 000 .git/hooks",
    "echo evil > deploy/run.sh",
];

fn scene() -> Scene {
    let scene = Scene::new();
    for (file, text) in [
        ("project/.git/modules/library/HEAD", "ref: refs/heads/main\n"),
        ("project/.git/modules/library/config", "[core]\n"),
        ("project/.git/modules/library/hooks/sample", "x\n"),
        ("project/.claude/settings.json", "{}\n"),
        ("project/deploy/run.sh", "#!/bin/sh\n"),
        ("project/deploy/other.sh", "#!/bin/sh\n"),
    ] {
        let path = scene.root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    scene.give_away();
    scene
}

/// Everything that is kept, with modes and contents, as text.
fn state(project: &Path) -> String {
    let line = "find .git/hooks .git/config .git/config.worktree .git/info/attributes .git/modules/library/hooks \
                .git/modules/library/config .claude .codex .vscode .mcp.json .envrc .husky deploy/run.sh \
                -printf '%p %y %m %l\\n' -type f -exec cat {} \\; 2>&1 | sort";
    let output = Command::new("sh").args(["-c", line]).current_dir(project).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn nothing_acts_later(mode: Mode) {
    let _programs = Programs::install();
    for change in CHANGES {
        let scene = scene();
        let before = state(&scene.project);
        let mut unconfined = Command::new("sh");
        unconfined.args(["-c", change]).current_dir(&scene.project);
        ordinary(&mut unconfined).output().unwrap();
        assert_ne!(state(&scene.project), before, "without walls this changes nothing: {change}");

        let scene = self::scene();
        let before = state(&scene.project);
        let walls =
            format!(r#"{{"version":1,"project":["{}"],"hide":[],"keep":["deploy/run.sh"]}}"#, scene.project.display());
        let (_, said) = scene.line_with(mode, &walls, &format!("{change}; echo all >> deploy/other.sh"));
        assert_eq!(state(&scene.project), before, "{change}\n{said}");
        let other = fs::read_to_string(scene.project.join("deploy/other.sh")).unwrap();
        assert!(other.ends_with("all\n"), "what is not kept may be changed: {change}\n{said}");
        assert!(scene.is_untouched("outside/canary") && !scene.outside.join("config").exists(), "{change}");
    }
}

#[test]
fn nothing_in_the_project_acts_later_with_namespaces() {
    nothing_acts_later(Mode::Namespaces);
}

#[test]
fn nothing_in_the_project_acts_later_without_namespaces() {
    nothing_acts_later(Mode::Abi(2));
}

#[test]
fn a_file_that_is_kept_is_read_only_while_the_call_runs_with_namespaces() {
    let _programs = Programs::install();
    let scene = scene();
    let line = "echo evil > .git/config; cat .git/config; mv .git .old || echo stays; git --version >/dev/null; \
                echo x > .git/index.lock && echo works";
    let (_, said) = scene.line(Mode::Namespaces, line);
    assert!(said.contains("[core]") && said.contains("stays") && said.contains("works"), "{said}");
}

#[test]
fn what_was_put_back_is_told() {
    let _programs = Programs::install();
    let scene = scene();
    let (code, said) = scene.line(Mode::Abi(7), "echo evil > .git/config; echo evil > .mcp.json");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("handraise: put back as before: "), "{said}");
    assert!(said.contains("/.mcp.json") && said.contains("/.git/config"), "{said}");
}

/// Starts a line inside that says "ready" and waits until it is told to go on.
fn begin(scene: &Scene, mode: Mode, line: &str) -> Child {
    let mut command = scene.walls(mode);
    command.args(["-c", &format!("{line}; echo ready; read x")]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = ordinary(&mut command).spawn().unwrap();
    let mut ready = [0; 6];
    io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
    child
}

#[test]
fn calls_that_run_at_the_same_time_agree_on_what_was_before() {
    let _programs = Programs::install();
    for mode in [Mode::Abi(7), Mode::Namespaces] {
        let scene = scene();
        let before = state(&scene.project);
        let evil =
            "echo evil >> .git/config; mkdir .husky; echo evil > .husky/pre-push; echo evil > .git/hooks/post-merge";
        let mut first = begin(&scene, mode, evil);
        let mut second = begin(&scene, mode, "true");
        // The first ends and puts back what the second has found.
        for child in [&mut first, &mut second] {
            drop(child.stdin.take());
            child.wait().unwrap();
        }
        assert_eq!(state(&scene.project), before, "{mode:?}");
    }
}
