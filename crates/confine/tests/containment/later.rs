//! What lies in the project and makes something run later: read-only where there are namespaces, put back otherwise.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
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
        "watch_project" => Some(|inside| crate::attack::watch_own(&inside.at("project/src"))),
        "hide_and_stay" => Some(|inside| crate::leftover::hide_and_stay(&inside.at("project"))),
        "never_stop_starting" => Some(|inside| crate::leftover::never_stop_starting(&inside.at("project"))),
        "many_connections" => Some(|inside| many_connections(&inside.at("project/own"))),
        "read_root_file" => Some(|inside| {
            println!("{}", fs::read_to_string(inside.at("home/.cargo/bin/of-root"))?);
            Ok(())
        }),
        _ => None,
    }
}

/// More connections that wait than anybody has descriptors: whoever answers for them holds some for each.
fn many_connections(at: &Path) -> io::Result<()> {
    let listener = std::os::unix::net::UnixListener::bind(at)?;
    // SAFETY: it takes numbers.
    unsafe { libc::listen(std::os::fd::AsRawFd::as_raw_fd(&listener), 0) };
    for _ in 0..4 {
        crate::call::split(|| {
            for _ in 0..400 {
                let at = at.to_owned();
                let _ = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
                    let _ = std::os::unix::net::UnixStream::connect(at);
                });
            }
            std::thread::sleep(std::time::Duration::from_secs(5));
        });
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    std::mem::forget(listener);
    Ok(())
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
    "mkdir -p .agents/plugins/handraise/hooks && echo evil > .agents/plugins/handraise/hooks/hooks.json",
    "mkdir -p .config/mise/conf.d && echo evil > .config/mise/conf.d/x.toml; echo evil > mise.local.toml",
    "mkdir -p .vscode && echo evil > .vscode/tasks.json",
    "echo evil > .mcp.json",
    "echo evil > .envrc",
    "mkdir -p .husky && echo evil > .husky/pre-push",
    "chmod 777 .git/config",
    "touch -d @0 .git/config; chmod 000 .git/hooks",
    "echo evil > deploy/run.sh",
    // Where the settings say that hooks, further settings and programs are.
    "mkdir -p tools/hooks && echo evil > tools/hooks/pre-commit",
    "echo evil > .gitsettings",
    "echo evil > tools/clean",
    // Another repository in the place of this one.
    "rm -rf .git && mkdir other && echo evil > other/config && echo 'gitdir: other' > .git",
    "mkdir objects refs && echo 'ref: refs/heads/main' > HEAD && echo evil > config",
    "echo ../../../evil > .git/commondir",
    "echo ../../../evil > .git/worktrees/topic/commondir",
    "echo evil > .git/worktrees/topic/config.worktree",
    "mkdir -p .hg && echo evil > .hg/hgrc",
    "rm -rf .github && mkdir -p other/hooks && echo evil > other/hooks/x && ln -s other .github",
    // Behind links that were there before.
    "echo evil > agent-settings.json",
    "echo evil > tools/cursor/mcp.json",
    "mv tools/cursor tools/away && mkdir tools/cursor && echo evil > tools/cursor/mcp.json",
    // What is in the way of whoever puts things back.
    "echo evil > .mcp.json; mkdir -p .husky/deep; chmod 000 .husky/deep .husky",
    "echo evil > .mcp.json; mkdir .husky; head -c 70000000 /dev/zero > .husky/large",
    "echo evil > .git/config; chmod 000 .git/hooks .git",
    "echo evil > .git/config; rm -f .git/info; mkfifo .mcp.json; mkfifo .git/info",
    "echo evil > .git/config; touch .git/.handraise-$PPID",
    "touch .git/.handraise-$PPID-0; mkdir .git/.handraise-$PPID; rm -f .git/config",
    // Who puts things back has descriptors, too.
    "ATTACK=many_connections SCENE=${PWD%/*} ./attacker --ignored --exact attacker -q --nocapture > /dev/null 2>&1; \
     echo evil > .git/config; echo evil > .mcp.json",
];

fn scene() -> Scene {
    let scene = Scene::new();
    for (file, text) in [
        (
            "project/.git/config",
            "[core]\n\thooksPath = tools/hooks\n[include]\n\tpath = ../.gitsettings\n[filter \"x\"]\n\tclean = tools/clean %f\n",
        ),
        ("project/.git/worktrees/topic/commondir", "../..\n"),
        ("project/tools/clean", "#!/bin/sh\n"),
        ("project/tools/cursor/mcp.json", "{}\n"),
        ("project/agent-settings.json", "{}\n"),
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
    for (target, link) in [("../agent-settings.json", ".claude/settings.local.json"), ("tools/cursor", ".cursor")] {
        symlink(target, scene.project.join(link)).unwrap();
    }
    scene.give_away();
    scene
}

/// Everything that is kept, with modes and contents, as text.
fn state(project: &Path) -> String {
    let line = "find .git/hooks .git/config .git/config.worktree .git/info/attributes .git/modules/library/hooks \
                .git/modules/library/config .git/commondir .git/worktrees .claude .codex .cursor .vscode .mcp.json .envrc \
                .husky .hg/hgrc .github/hooks .gitsettings HEAD agent-settings.json tools/hooks/pre-commit tools/clean tools/cursor deploy/run.sh \
                .agents/plugins .config/mise mise.local.toml \
                -printf '%p %y %m %l\\n' -type f -size -9 -exec cat {} + 2>&1 | sort; find .git .git/info .github -maxdepth 0 ! -type d";
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

/// A working tree of git-worktree(1), and a folder that is no repository: nothing takes the place of `.git`.
#[test]
fn nothing_leads_git_elsewhere() {
    let _programs = Programs::install();
    let other = "mkdir other && echo evil > other/config";
    for mode in [Mode::Namespaces, Mode::Abi(2)] {
        for before in [Some("gitdir: ../outside/.git/worktrees/topic\n"), None] {
            for change in ["echo 'gitdir: other' > .git", "rm -f .git; ln -s other .git", "rm -f .git; mv other .git"] {
                let scene = Scene::new();
                let git = scene.project.join(".git");
                fs::remove_dir_all(&git).unwrap();
                if let Some(text) = before {
                    fs::write(&git, text).unwrap();
                }
                scene.give_away();
                let (_, said) = scene.line(mode, &format!("{other}; {change}"));
                match before {
                    Some(text) => assert_eq!(fs::read_to_string(&git).unwrap(), text, "{change}: {said}"),
                    None => assert!(!git.is_file() && !git.is_symlink(), "{change}: {said}"),
                }
                assert!(!git.join("config").exists(), "{change}: {said}");
            }
        }
    }
}

/// Folders in each other, deeper than a path leads and than files may be open, or closed to their owner.
#[test]
fn what_is_deep_or_closed_is_removed_too() {
    let _programs = Programs::install();
    let deep = "perl -e 'for (1..5000) { mkdir \"d\"; chdir \"d\" }'";
    for mode in [Mode::Namespaces, Mode::Abi(2)] {
        for make in [deep, "mkdir -p a/b; chmod 0 a/b a"] {
            let scene = Scene::new();
            let line = format!("mkdir .husky; echo evil > .husky/pre-push; cd .husky; {make}; chmod 0 ../.husky");
            // Less than what was needed to remove a folder in the last of them.
            let walls = scene.walls(mode);
            let mut limited = Command::new("prlimit");
            limited.arg("--stack=524288:524288").arg(walls.get_program()).args(walls.get_args());
            limited.current_dir(&scene.project).args(["-c", &line]);
            let output = ordinary(&mut limited).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            let left: Vec<_> = fs::read_dir(&scene.project).unwrap().flatten().map(|entry| entry.file_name()).collect();
            assert!(
                left.iter().all(|name| !name.to_string_lossy().contains("husky")),
                "{mode:?} {make}: {said} {left:?}"
            );
            assert_eq!(output.status.code(), Some(0), "{mode:?} {make}: {said}");
        }
    }
}

/// Puts a small disk in the place of the project, with a repository that holds these settings. Only root can.
pub(crate) fn put_on_small_disk(scene: &Scene, settings: &str) {
    fs::remove_dir_all(&scene.project).unwrap();
    fs::create_dir(&scene.project).unwrap();
    let mut mount = Command::new("mount");
    assert!(mount.args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(&scene.project).status().unwrap().success());
    fs::create_dir(scene.project.join(".git")).unwrap();
    fs::write(scene.project.join(".git/config"), settings).unwrap();
    scene.give_away();
}

pub(crate) fn take_small_disk_away(scene: &Scene) {
    assert!(Command::new("umount").arg(&scene.project).status().unwrap().success());
}

/// A disk that the command has filled: nothing evil stays, and what could not be put back is not lost.
#[test]
fn on_a_full_disk_nothing_evil_stays() {
    if !crate::scene::is_root() {
        eprintln!("not tried here: only root can make a small disk");
        return;
    }
    let _programs = Programs::install();
    let scene = Scene::new();
    put_on_small_disk(&scene, &"[core]\n".repeat(4000));
    let (_, said) = scene.line(Mode::Abi(2), "echo evil > .git/config; cat /dev/zero > full");
    let left = fs::read_to_string(scene.project.join(".git/config")).unwrap_or_default();
    take_small_disk_away(&scene);
    assert!(!left.contains("evil"), "{said}");
    let note = said.split("what it was stands in ").nth(1).and_then(|rest| rest.split(['.', ';']).next()).unwrap();
    assert!(fs::read_to_string(note).unwrap().contains("[core]"), "{said}");
    fs::remove_file(note).unwrap();
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
pub(crate) fn begin(scene: &Scene, mode: Mode, line: &str) -> Child {
    let mut command = scene.walls(mode);
    begin_by(ordinary(command.args(["-c", &format!("{line}; echo ready; read x")])))
}

/// The same for a command whose line does so itself.
pub(crate) fn begin_by(command: &mut Command) -> Child {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
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

/// `/proc` does not tell one of the other: each has a namespace for processes of its own, as in containers with one `/tmp`.
#[test]
fn calls_that_do_not_see_each_other_agree_as_well() {
    if !crate::scene::is_root() {
        eprintln!("not tried here: only root can make namespaces for processes");
        return;
    }
    let _programs = Programs::install();
    for mode in [Mode::Abi(7), Mode::Namespaces] {
        let scene = scene();
        let before = state(&scene.project);
        let user = crate::scene::NOBODY;
        let begin = |line: &str| {
            let walls = scene.walls(mode);
            let run = format!("exec setpriv --reuid={user} --regid={user} --clear-groups \"$@\"");
            let mut command = Command::new("unshare");
            command.args(["--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", &run, "sh"]);
            command.arg(walls.get_program()).args(walls.get_args()).current_dir(&scene.project);
            begin_by(command.args(["-c", &format!("{line}; echo ready; read x")]))
        };
        let first = begin("mkdir .husky; echo evil > .husky/pre-push; echo evil > .git/commondir");
        let second = begin("true");
        for mut child in [first, second] {
            drop(child.stdin.take());
            child.wait().unwrap();
        }
        assert_eq!(state(&scene.project), before, "{mode:?}");
    }
}

/// One call's folder of the session lies in the other's, or its project does.
#[test]
fn calls_in_folders_of_each_other_agree_on_what_was_before() {
    let _programs = Programs::install();
    for (mode, inner) in
        [(Mode::Abi(7), "write"), (Mode::Namespaces, "write"), (Mode::Abi(7), "project"), (Mode::Namespaces, "project")]
    {
        let scene = scene();
        let folder = std::path::PathBuf::from(format!("/tmp/shared-{}-nested", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let sub = folder.join("sub");
        fs::create_dir_all(sub.join(".github")).unwrap();
        fs::write(sub.join(".github/own"), "own").unwrap();
        crate::call::own(&folder);
        let project = scene.project.display();
        let session =
            |folder: &Path| format!(r#"{{"version":1,"project":["{project}"],"hide":[],"write":[{folder:?}]}}"#);
        let of_inner = match inner {
            "write" => session(&sub),
            _ => format!(r#"{{"version":1,"project":[{sub:?}],"hide":[]}}"#),
        };
        let start = if inner == "write" { &scene.project } else { &sub };
        let evil = format!(
            "cd {}; mkdir -p deep/.claude; echo evil > deep/.claude/settings.json; echo evil > .envrc",
            sub.display()
        );
        let first = {
            let mut command = scene.walls_of(mode, &session(&folder));
            begin_by(ordinary(command.args(["-c", &format!("{evil}; echo ready; read x")])))
        };
        let second = {
            let mut command = scene.walls_of(mode, &of_inner);
            begin_by(ordinary(command.current_dir(start).args(["-c", "echo ready; read x"])))
        };
        for mut child in [first, second] {
            drop(child.stdin.take());
            child.wait().unwrap();
        }
        for name in ["deep/.claude", ".envrc"] {
            assert!(!sub.join(name).exists(), "{mode:?} {inner}: {name}");
        }
        assert_eq!(fs::read_to_string(sub.join(".github/own")).unwrap(), "own");
        fs::remove_dir_all(&folder).unwrap();
    }
}

/// The same for a folder of the session: what the first has made counts as there for nobody.
#[test]
fn calls_that_run_at_the_same_time_agree_on_what_was_in_a_folder_of_the_session() {
    let _programs = Programs::install();
    for mode in [Mode::Abi(7), Mode::Namespaces] {
        let scene = scene();
        let folder = std::path::PathBuf::from(format!("/tmp/shared-{}-agree", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        Scene::give(&folder);
        let walls =
            format!(r#"{{"version":1,"project":["{}"],"hide":[],"write":[{folder:?}]}}"#, scene.project.display());
        let begin = |line: &str, then: &str| {
            let mut command = scene.walls_of(mode, &walls);
            command.args(["-c", &format!("cd {}; {line}; echo ready; read x; {then}", folder.display())]);
            let mut child = ordinary(command.stdin(Stdio::piped()).stdout(Stdio::piped())).spawn().unwrap();
            let mut ready = [0; 6];
            io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
            child
        };
        let evil = "mkdir -p d/.git/hooks; echo evil > d/.git/hooks/pre-commit; echo evil > d/.envrc";
        let first = begin(evil, "true");
        // It has found there what the first has made, and makes it again when that is gone.
        let second = begin("true", evil);
        for mut child in [first, second] {
            drop(child.stdin.take());
            child.wait().unwrap();
        }
        assert!(!folder.join("d/.git").exists() && !folder.join("d/.envrc").exists(), "{mode:?}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
