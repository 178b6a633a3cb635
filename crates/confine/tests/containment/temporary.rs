//! The temporary files that walls name: what may be read, written and made there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::passes::MODES;
use crate::scene::{Mode, Programs, Scene};

/// Names directly among the temporary files of everybody that nothing has; what has them in the end is removed.
struct Shared(String);

impl Shared {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Self(format!("/tmp/shared-{}-{}-", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    fn at(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("{}{name}", self.0))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for entry in fs::read_dir("/tmp").into_iter().flatten().flatten() {
            let path = entry.path();
            if path.to_string_lossy().starts_with(&self.0) {
                let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
            }
        }
    }
}

/// Makes a folder in which everybody may write, whoever runs the test.
fn make(folder: &Path) {
    fs::create_dir(folder).unwrap();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).unwrap();
}

fn walls(scene: &Scene, read: &[&Path], made: &[&Path]) -> String {
    let project = scene.project.display();
    format!(r#"{{"version":1,"project":["{project}"],"hide":[],"read":{read:?},"made":{made:?}}}"#)
}

fn walls_of_session(scene: &Scene, folder: &Path) -> String {
    format!(r#"{{"version":1,"project":["{}"],"hide":[],"write":[{folder:?}]}}"#, scene.project.display())
}

#[test]
fn what_walls_name_among_the_temporary_files_is_read_and_made() {
    let _programs = Programs::install();
    for mode in MODES {
        let (scene, shared) = (Scene::new(), Shared::new());
        let (script, beside, out) = (shared.at("s.sh"), shared.at("beside"), shared.at("out.txt"));
        fs::write(&script, "echo read").unwrap();
        fs::write(&beside, "somebody's").unwrap();
        let walls = walls(&scene, &[&script], &[&out, &shared.at("never")]);
        let line = format!(
            "sh {0} > {1}; cat {1}; cat {2}; echo x > {0}; echo y > {3}",
            script.display(),
            out.display(),
            beside.display(),
            shared.at("other").display()
        );
        let (_, said) = scene.line_with(mode, &walls, &line);
        assert!(said.starts_with("read\n") && !said.contains("somebody's"), "{mode:?} {said}");
        assert_eq!(fs::read_to_string(&out).unwrap(), "read\n", "{mode:?}");
        assert_eq!(fs::read_to_string(&script).unwrap(), "echo read", "{mode:?}");
        assert!(!shared.at("other").exists() && !shared.at("never").exists(), "{mode:?}");
    }
}

#[test]
fn what_is_no_file_and_no_folder_stays_inside() {
    let _programs = Programs::install();
    let (scene, shared) = (Scene::new(), Shared::new());
    let (link, pipe, folder, taken) = (shared.at("link"), shared.at("pipe"), shared.at("folder"), shared.at("taken"));
    let walls = walls(&scene, &[], &[&link, &pipe, &folder.join("deep"), &taken]);
    let line = format!(
        "ln -s /etc/passwd {}; mkfifo {}; mkdir -p {1}x {2}/deep; ln -s / {2}/deep/root; ln -s .. {2}/deep/top; mv {3} {3}x; echo mine > {3}; exit 3",
        link.display(),
        pipe.display(),
        folder.display(),
        taken.display()
    );
    let (code, said) = scene.line_with(Mode::Namespaces, &walls, &line);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("stayed inside the walls and is gone"), "{said}");
    for place in [&link, &pipe] {
        assert!(fs::symlink_metadata(place).is_err(), "{}", place.display());
    }
    // Of links in a folder, those come along that stay in it.
    assert!(!folder.join("deep/root").is_symlink() && folder.join("deep/top").is_symlink(), "{said}");
    assert!(said.contains("a link that leads out of"), "{said}");
    assert_eq!(fs::read_to_string(&taken).unwrap(), "mine\n");
}

/// The folders above it are the call's own, and the supervisor knows the project by its path.
#[test]
fn a_project_among_the_temporary_files_keeps_its_place() {
    let _programs = Programs::install();
    let (scene, shared) = (Scene::new(), Shared::new());
    let (outer, project) = (shared.at("outer"), shared.at("outer").join("mid/project"));
    for folder in [&outer, &outer.join("mid"), &project] {
        make(folder);
    }
    let walls = format!(r#"{{"version":1,"project":[{:?},{project:?}],"hide":[]}}"#, scene.project);
    let line = format!(
        "ln -s inside {1}/stays; mv {0}/mid {0}/mid2; mv {0} {0}2; cd {0}*/mid*/project && ln -s /etc/passwd out; exit 3",
        outer.display(),
        project.display()
    );
    let (code, said) = scene.line_with(Mode::Namespaces, &walls, &line);
    assert_eq!(code, Some(3), "{said}");
    assert!(project.join("stays").is_symlink() && !project.join("out").is_symlink(), "{said}");
}

/// What a tool runs where it only looks does not come out with a folder.
#[test]
fn a_folder_with_a_repository_in_it_stays_inside() {
    let _programs = Programs::install();
    let (scene, shared) = (Scene::new(), Shared::new());
    let (folder, plain) = (shared.at("folder"), shared.at("plain"));
    let walls = walls(&scene, &[], &[&folder, &plain]);
    let line = format!(
        "mkdir -p {0}/sub/.git {1}/src; echo '[core] fsmonitor = x' > {0}/sub/.git/config; echo x > {1}/src/a.rs",
        folder.display(),
        plain.display()
    );
    let (_, said) = scene.line_with(Mode::Namespaces, &walls, &line);
    assert!(said.contains("which decides what runs"), "{said}");
    assert!(!folder.exists() && plain.join("src/a.rs").exists());
}

/// A file of the project gets no second name in a folder that a later call of another project may write.
#[test]
fn no_link_leads_from_the_project_to_a_folder_of_the_session() {
    let _programs = Programs::install();
    for mode in MODES {
        let (scene, shared) = (Scene::new(), Shared::new());
        let folder = shared.at("own");
        make(&folder);
        fs::write(scene.project.join("config"), "x").unwrap();
        let walls = walls_of_session(&scene, &folder);
        let line = format!("ln config {0}/cfg; mv config {0}/moved; echo mine > {0}/new; ls {0}", folder.display());
        let (_, said) = scene.line_with(mode, &walls, &line);
        assert!(!folder.join("cfg").exists(), "{mode:?} {said}");
        assert_eq!(fs::read_to_string(folder.join("new")).unwrap(), "mine\n", "{mode:?}");
    }
}

/// Hooks and settings of a repository in a folder of the session are as before.
#[test]
fn a_folder_of_the_session_gets_no_settings_that_run() {
    let _programs = Programs::install();
    for mode in MODES {
        let (scene, shared) = (Scene::new(), Shared::new());
        let folder = shared.at("own");
        for folder in [&folder, &folder.join(".git"), &folder.join(".git/hooks")] {
            make(folder);
        }
        fs::write(folder.join(".git/config"), "[core]\n").unwrap();
        fs::set_permissions(folder.join(".git/config"), fs::Permissions::from_mode(0o666)).unwrap();
        let walls = walls_of_session(&scene, &folder);
        let line = format!(
            "echo x >> {0}/.git/config; echo x > {0}/.git/hooks/post-commit; echo x > {0}/a; mkdir -p {0}/sub/.git {0}/bare; \
             echo x > {0}/sub/.git/config; echo x > {0}/bare/HEAD",
            folder.display()
        );
        let (_, said) = scene.line_with(mode, &walls, &line);
        assert_eq!(fs::read_to_string(folder.join(".git/config")).unwrap(), "[core]\n", "{mode:?} {said}");
        assert!(!folder.join(".git/hooks/post-commit").exists() && folder.join("a").exists(), "{mode:?} {said}");
        assert!(!folder.join("sub/.git").exists() && !folder.join("bare/HEAD").exists(), "{mode:?} {said}");
        assert!(folder.join("bare").is_dir(), "{mode:?} {said}");
    }
}

/// What was there before keeps its content, and gets nothing that runs.
#[test]
fn what_tools_obey_in_a_folder_of_the_session_stays_as_it_was() {
    let _programs = Programs::install();
    for mode in MODES {
        let (scene, shared) = (Scene::new(), Shared::new());
        let folder = shared.at("own");
        for inner in ["", "a", "a/.git", "a/.git/hooks", "x", "x/.github", ".config", "a/.vscode"] {
            make(&folder.join(inner));
        }
        for (file, text) in
            [("a/.git/config", "[core]\n"), ("a/.git/HEAD", "ref: refs/heads/main\n"), (".yarnrc.yml", "")]
        {
            fs::write(folder.join(file), text).unwrap();
            fs::set_permissions(folder.join(file), fs::Permissions::from_mode(0o666)).unwrap();
        }
        let changes = [
            "printf '[core]\\nfsmonitor = evil\\n' > a/.git/config",
            "echo evil > .yarnrc.yml",
            "echo evil > .config/mise.toml",
            "echo evil > a/.vscode/tasks.json",
            "mkdir -p x/.github/tools/.git/hooks; echo evil > x/.github/tools/.git/hooks/pre-commit",
            "echo evil > x/.github/.envrc",
            "echo mine > a/.git/ORIG_HEAD",
            "echo mine > x/readme",
        ];
        let line = format!("cd {}; {}", folder.display(), changes.join("; "));
        let (_, said) = scene.line_with(mode, &walls_of_session(&scene, &folder), &line);
        let find = std::process::Command::new("grep").args(["-r", "-l", "evil"]).arg(&folder).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&find.stdout), "", "{mode:?} {said}");
        assert!(!folder.join("x/.github/tools").exists(), "{mode:?} {said}");
        assert!(folder.join("a/.git/ORIG_HEAD").exists() && folder.join("x/readme").exists(), "{mode:?} {said}");
    }
}

/// A repository that was moved, or that somebody else has made meanwhile, is closed, and nothing of it is lost.
#[test]
fn what_is_put_aside_in_a_folder_of_the_session_is_not_lost() {
    let _programs = Programs::install();
    for mode in MODES {
        let (scene, shared) = (Scene::new(), Shared::new());
        let folder = shared.at("own");
        for inner in ["", "repo", "repo/.git", "repo/.git/objects"] {
            make(&folder.join(inner));
        }
        fs::write(folder.join("repo/.git/objects/work"), "of weeks").unwrap();
        fs::write(folder.join("repo/code"), "x").unwrap();
        Scene::give(&folder);
        let line = format!("cd {} && mv repo shop && mkdir new && echo mine > new/.env", folder.display());
        let walls = walls_of_session(&scene, &folder);
        let (code, said) = scene.line_with(mode, &walls, &line);
        assert!(code == Some(0) && folder.join("shop/code").exists(), "{mode:?} {said}");
        assert!(!folder.join("shop/.git").exists() && !folder.join("new/.env").exists(), "{mode:?} {said}");
        let mut find = std::process::Command::new("grep");
        let found = find.args(["-r", "-l", "-e", "of weeks", "-e", "mine"]).arg(&folder).output().unwrap();
        // Who is not root does not look into a closed folder.
        let expected = if crate::scene::is_root() { 2 } else { 1 };
        assert_eq!(String::from_utf8_lossy(&found.stdout).lines().count(), expected, "{mode:?} {said}");
        // And it is in nobody's way.
        let (code, said) = scene.line_with(mode, &walls, &format!("ls {}", folder.display()));
        assert!(code == Some(0) && !said.contains("handraise:"), "{mode:?} {said}");
    }
}

/// Nor when the command closes a folder, or makes one that lies deeper than a path leads.
#[test]
fn what_cannot_be_looked_into_hides_nothing_that_runs() {
    let _programs = Programs::install();
    for mode in MODES {
        for make in [
            "mkdir -m 0 closed",
            "mkdir -p a/b; chmod 0111 a",
            "perl -e 'for (1..2100) { mkdir qw(dd); chdir qw(dd) }'",
        ] {
            let (scene, shared) = (Scene::new(), Shared::new());
            let folder = shared.at("own");
            self::make(&folder);
            let walls = walls_of_session(&scene, &folder);
            let line = format!(
                "cd {0}; echo x > stays; mkdir -p sub/.git/hooks; echo evil > sub/.git/hooks/post-commit; echo evil > sub/.envrc; \
                 cd {0}; {make}; mkdir -p {0}/closed; chmod 777 {0}/closed; mkdir {0}/closed/.claude; chmod 0 {0}/closed",
                folder.display()
            );
            let (code, said) = scene.line_with(mode, &walls, &line);
            assert!(!folder.join("sub/.git").exists() && !folder.join("sub/.envrc").exists(), "{mode:?} {make} {said}");
            assert!(!folder.join("closed/.claude").exists() && folder.join("stays").exists(), "{mode:?} {make} {said}");
            assert_eq!(code, Some(0), "{mode:?} {make} {said}");
        }
    }
}

/// What somebody else waits for in a pipe stays theirs.
#[test]
fn a_pipe_among_the_temporary_files_is_not_read() {
    let _programs = Programs::install();
    for mode in MODES {
        let (scene, shared) = (Scene::new(), Shared::new());
        let pipe = shared.at("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
        // Open at both ends, so that nothing waits.
        let mut ends = fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        std::io::Write::write_all(&mut ends, b"for somebody\n").unwrap();
        let walls = walls(&scene, &[&pipe], &[]);
        let (_, said) = scene.line_with(mode, &walls, &format!("timeout 2 head -n 1 {}", pipe.display()));
        assert!(!said.contains("for somebody"), "{mode:?} {said}");
    }
}

/// A socket is nothing that tools obey, and stays. What comes to its place later is new.
#[test]
fn a_socket_holds_no_place_for_what_tools_obey() {
    let _programs = Programs::install();
    for mode in MODES {
        let scene = Scene::new();
        let shared = Shared::new();
        let folder = shared.at("sockets");
        make(&folder);
        let walls = walls_of_session(&scene, &folder);
        let at = folder.display();
        let hold = format!(
            "cd {at}; perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, pack_sockaddr_un(\".npmrc\"))'"
        );
        scene.line_with(mode, &walls, &hold);
        scene.line_with(mode, &walls, &format!("cd {at}; rm -f .npmrc; echo evil > .npmrc"));
        assert!(!folder.join(".npmrc").is_file(), "{mode:?}");
    }
}
