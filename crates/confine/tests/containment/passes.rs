//! What passes the walls: the work that they are there for, and how a command ends.

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Stdio;

use crate::scene::{Mode, Programs, SECRET, Scene, ordinary};

pub(crate) const MODES: [Mode; 4] = [Mode::Namespaces, Mode::Abi(7), Mode::Abi(4), Mode::Abi(2)];

#[track_caller]
pub(crate) fn says(scene: &Scene, mode: Mode, line: &str, code: i32, expected: &str) {
    let (found, said) = scene.line(mode, line);
    assert_eq!((found, said.trim()), (Some(code), expected), "{mode:?}: {line}");
}

#[test]
fn a_command_ends_as_it_would_without_walls() {
    let _programs = Programs::install();
    let scene = Scene::new();
    for mode in MODES {
        says(&scene, mode, "echo out; echo err >&2; exit 7", 7, "out\nerr");
        says(&scene, mode, "true", 0, "");
        says(&scene, mode, "awk '/core file/ { print $5, $6 }' /proc/self/limits", 0, "1 1");
        for signal in [libc::SIGTERM, libc::SIGKILL, libc::SIGSEGV, libc::SIGPIPE] {
            let mut command = scene.walls(mode);
            let ended = ordinary(command.args(["-c", &format!("kill -{signal} $$")])).output().unwrap();
            assert_eq!(ended.status.signal(), Some(signal), "{mode:?} {ended:?}");
        }
        let mut command = scene.walls(mode);
        let absent = ordinary(command.args(["--", "handraise-no-such-program"])).output().unwrap();
        assert_eq!(absent.status.code(), Some(127), "{mode:?} {absent:?}");
        let mut command = scene.walls(mode);
        let closed = ordinary(command.args(["--", "/etc/passwd"])).output().unwrap();
        assert_eq!(closed.status.code(), Some(126), "{mode:?} {closed:?}");
    }
}

#[test]
fn a_signal_to_the_walls_reaches_the_command() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let trap = "trap \"echo told; exit 5\" TERM; echo ready; while :; do sleep 0.05; done";
    // The second is in a group of processes of its own.
    let lines = [trap.to_owned(), format!("exec timeout 60 sh -c '{trap}'")];
    for (mode, line) in MODES.into_iter().flat_map(|mode| lines.iter().map(move |line| (mode, line))) {
        let mut command = scene.walls(mode);
        command.args(["-c", line]).stdout(Stdio::piped());
        let mut child = ordinary(&mut command).process_group(0).spawn().unwrap();
        let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
        let mut said = String::new();
        std::io::BufRead::read_line(&mut out, &mut said).unwrap();
        // SAFETY: it takes numbers.
        unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
        std::io::BufRead::read_line(&mut out, &mut said).unwrap();
        assert_eq!((said.as_str(), child.wait().unwrap().code()), ("ready\ntold\n", Some(5)), "{mode:?} {line}");
    }
}

/// Bash does not wait for what is behind `>( … )`.
#[test]
fn what_is_left_behind_may_finish_and_is_ended_then() {
    let _programs = Programs::install();
    let scene = Scene::new();
    for mode in MODES {
        says(&scene, mode, "bash -c 'exec > >(sleep 0.05; cat >&2); echo written'", 0, "written");
        let told = "handraise: ended with the call: 2 processes that it left running.";
        says(&scene, mode, "sleep 60 & sleep 61 & echo done", 0, &format!("done\n{told}"));
    }
}

/// Whoever kills the walls hard leaves nothing running; without namespaces only the first process is sure to end.
#[test]
fn nothing_outlives_walls_that_are_killed_with_namespaces() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let mut command = scene.walls(Mode::Namespaces);
    let line = "(setsid sh -c 'while :; do echo x >> count; sleep 0.01; done' &); echo ready; sleep 60";
    command.args(["-c", line]).stdout(Stdio::piped());
    let mut child = ordinary(&mut command).spawn().unwrap();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut out, &mut String::new()).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    // The other end of its output closes when the last of them is gone.
    std::io::Read::read_to_string(&mut out, &mut String::new()).unwrap();
}

#[test]
fn daily_work_passes() {
    let _programs = Programs::install();
    for mode in MODES {
        let scene = Scene::new();
        for (line, expected) in [
            ("echo x > a && mv a b && ln b c && ln -s b d && cat d && rm a b c d 2>/dev/null; echo done", "x\ndone"),
            (
                "mkdir -p x/y && chmod 700 x && touch -d @5 x/y && stat -c '%a %Y' x x/y | cut -d' ' -f1 | head -1",
                "700",
            ),
            ("echo x > f; chmod 755 f; stat -c %a f; touch -d @7 f; stat -c %Y f", "755\n7"),
            ("cat \"$TMPDIR/none\" 2>/dev/null; f=$(mktemp) && echo t > $f && cat $f", "t"),
            ("(sleep 60 & kill $!; wait $!; echo $?) 2>/dev/null", "143"),
            ("(sh -c 'kill -USR1 $$'; echo $?) 2>/dev/null", "138"),
            ("mkfifo p; (echo through > p &); cat p", "through"),
            ("cat ../home/.cargo/bin/tool", "untouched"),
            ("for i in 1 2 3; do (exit $i) & done; wait; echo $?", "0"),
            ("echo $HANDRAISE_CONFINED $CARGO_NET_OFFLINE", "1 true"),
        ] {
            says(&scene, mode, line, 0, expected);
        }
        assert!(fs::metadata(scene.project.join("f")).is_ok());
    }
}

/// Its links would lead to where the call's sockets are bound.
#[test]
fn the_first_process_is_closed_with_namespaces() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let line = "for place in root/ cwd/ fd/ map_files/; do ls /proc/1/$place >/dev/null 2>&1 && echo $place; done; \
                head -c 1 /proc/1/environ 2>/dev/null; echo looked";
    says(&scene, Mode::Namespaces, line, 0, "looked");
}

#[test]
fn only_what_the_walls_name_is_there_with_namespaces() {
    let _programs = Programs::install();
    let scene = Scene::new();
    fs::write(scene.home.join(".gitconfig"), "[user]\n").unwrap();
    scene.give_away();
    says(
        &scene,
        Mode::Namespaces,
        "ls -A .. ../home ../home/.cargo | tr '\\n' ' '",
        0,
        "..: home project  ../home: .cargo .gitconfig  ../home/.cargo: bin",
    );
    let own = "ls -A / | grep -v -x -e bin -e dev -e etc -e home -e lib -e 'lib[0-9x]*' -e nix -e opt -e proc -e root \
               -e run -e sbin -e snap -e sys -e tmp -e usr -e var -e gnu -e nonexistent; true";
    says(&scene, Mode::Namespaces, own, 0, "");
    let place = scene.project.display().to_string();
    says(
        &scene,
        Mode::Namespaces,
        "pwd -P; realpath .; cd ../home/.. && cd project && pwd",
        0,
        &[&*place; 3].join("\n"),
    );
    for written in ["..", "../home", "/", "/dev", "../home/.cargo"] {
        let (code, said) = scene.line(Mode::Namespaces, &format!("mkdir {written}/new"));
        assert_ne!(code, Some(0), "{written} {said}");
    }
}

/// Overlayfs takes no copy of a place that something is mounted in.
#[test]
fn what_is_mounted_in_a_place_that_may_be_read_is_shown_too() {
    if !crate::scene::is_root() {
        eprintln!("not tried here: only root can mount");
        return;
    }
    let _programs = Programs::install();
    let mut scene = Scene::new();
    let place = scene.home.join(".cargo/bin/mounted");
    fs::create_dir(&place).unwrap();
    let mounted = std::process::Command::new("mount").args(["-t", "tmpfs", "tmpfs"]).arg(&place).status().unwrap();
    assert!(mounted.success());
    scene.mounts.push(place.clone());
    fs::write(place.join("file"), "mounted").unwrap();
    for mode in MODES {
        let line =
            "cat ../home/.cargo/bin/tool ../home/.cargo/bin/mounted/file; echo x > ../home/.cargo/bin/mounted/new";
        let (_, said) = scene.line(mode, line);
        assert!(said.starts_with("untouched\nmounted") && !place.join("new").exists(), "{mode:?} {said}");
    }
    for name in ["ls -A ..", "ls -A ../home"] {
        says(&scene, Mode::Namespaces, name, 0, if name.ends_with("home") { ".cargo" } else { "home\nproject" });
    }
}

/// Homes and settings stand behind links on many machines.
#[test]
fn links_on_the_way_lead_where_they_did() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let at = |path: &str| scene.root.join(path);
    fs::create_dir(at("dotfiles")).unwrap();
    fs::write(at("dotfiles/settings"), "[settings]\n").unwrap();
    std::os::unix::fs::symlink("../dotfiles/settings", at("home/.gitconfig")).unwrap();
    std::os::unix::fs::symlink(&scene.project, at("work")).unwrap();
    scene.give_away();
    let walls = format!(r#"{{"version":1,"project":["{}"],"hide":[]}}"#, at("work").display());
    for mode in MODES {
        let (_, said) = scene.line_with(
            mode,
            &walls,
            "cat ../work/src/main.rs ../home/.gitconfig; readlink /bin/sh /proc/self/cwd",
        );
        assert!(said.starts_with("fn main() {}\n[settings]\n") && !said.contains("No such"), "{mode:?} {said}");
    }
}

#[test]
fn what_happens_in_the_project_can_be_watched() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let line =
        "ATTACK=watch_project SCENE=${PWD%/*} ./attacker --ignored --exact attacker -q --nocapture | grep -c door";
    for mode in MODES {
        says(&scene, mode, line, 0, "1");
    }
}

#[test]
fn locks_are_among_the_processes_of_the_call() {
    let _programs = Programs::install();
    let scene = Scene::new();
    for mode in MODES {
        for file in ["src/main.rs", "../home/.cargo/bin/tool"] {
            let line = format!("flock {file} sh -c 'flock -n {file} echo both || echo one'; flock -n {file} echo free");
            says(&scene, mode, &line, 0, "one\nfree");
        }
    }
}

/// A program that opens a terminal of its own tells it its size: editors' and tests' terminals.
#[test]
fn a_terminal_of_its_own_gets_its_size_with_namespaces() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let line = "script -qec 'stty rows 7 cols 9; stty size' /dev/null | tr -d '\\r'";
    says(&scene, Mode::Namespaces, line, 0, "7 9");
}

#[test]
fn a_hidden_file_is_covered_with_namespaces_and_refuses_the_call_without() {
    let _programs = Programs::install();
    let mut scene = Scene::new();
    scene.hides = true;
    fs::create_dir_all(scene.project.join("packages/api")).unwrap();
    fs::write(scene.project.join(".env"), SECRET).unwrap();
    fs::write(scene.project.join("packages/api/.env.local"), SECRET).unwrap();
    fs::write(scene.project.join(".env.example"), "shown").unwrap();
    scene.give_away();
    let line = "cat .env packages/api/.env.local; ln .env other; cat other; mv .env moved; rm -f .env; cat moved .env; \
                cp .env copy; cat copy; cat .env.example; echo ran";
    let (_, said) = scene.line(Mode::Namespaces, line);
    assert!(said.contains("shown") && said.contains("ran") && !said.contains(SECRET), "{said}");
    assert_eq!(fs::read_to_string(scene.project.join(".env")).unwrap(), SECRET);
    for mode in [Mode::Abi(7), Mode::Abi(2)] {
        let (code, said) = scene.line(mode, "echo ran");
        assert!(code == Some(125) && said.contains("needs_namespaces") && !said.contains("ran\n"), "{said}");
    }
}

#[test]
fn what_a_kernel_does_not_hold_is_refused_before_the_start() {
    let _programs = Programs::install();
    let scene = Scene::new();
    for version in [0, 1] {
        let (code, said) = scene.line(Mode::Abi(version), "echo ran > ran");
        assert!(code == Some(125) && said.contains("needs_landlock"), "{said}");
    }
    let limited =
        format!(r#"{{"version":1,"project":["{}"],"hide":[],"limits":{{"processes":20}}}}"#, scene.project.display());
    let (code, said) = scene.line_with(Mode::Abi(7), &limited, "echo ran > ran");
    assert!(code == Some(125) && said.contains("needs_namespaces"), "{said}");
    assert!(!scene.project.join("ran").exists());
}

#[test]
fn no_variable_weakens_the_walls() {
    let _programs = Programs::install();
    for mode in MODES {
        let mut scene = Scene::new();
        let root = scene.root.display().to_string();
        for (name, value) in [
            ("HOME", format!("{root}/outside")),
            ("TMPDIR", format!("{root}/outside")),
            ("PATH", format!("{root}/home/.ssh:/usr/bin:/bin")),
            ("CARGO_HOME", format!("{root}/outside")),
            ("XDG_CACHE_HOME", format!("{root}/outside")),
            ("HANDRAISE_CONFINE", "0".to_owned()),
            ("HANDRAISE_CONFINED", "1".to_owned()),
        ] {
            scene.environment.push((name.to_owned(), value));
        }
        let line = "cat ../home/.ssh/id_ed25519; echo x > ../outside/canary; f=$(mktemp) && echo $f";
        let (_, said) = scene.line(mode, line);
        assert!(scene.is_untouched("outside/canary") && !said.contains(SECRET), "{mode:?} {said}");
        assert_eq!(fs::read_dir(&scene.outside).unwrap().count(), 1, "{mode:?} {said}");
    }
}

#[test]
fn a_project_that_is_too_wide_is_refused() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let wide =
        [scene.home.clone(), scene.home.join(".ssh"), scene.root.clone(), "/".into(), "/var/tmp".into(), "/etc".into()];
    for project in wide {
        let walls = format!(r#"{{"version":1,"project":["{}"],"hide":[]}}"#, project.display());
        let (code, said) = scene.line_with(Mode::Namespaces, &walls, "echo ran");
        assert!(code == Some(125) && said.contains("too_wide"), "{said}");
    }
}

#[test]
fn what_the_environment_calls_home_is_no_project() {
    let _programs = Programs::install();
    let mut scene = Scene::new();
    scene.environment.push(("HOME".to_owned(), scene.project.display().to_string()));
    for mode in MODES {
        let (code, said) = scene.line(mode, "echo ran");
        assert!(code == Some(125) && said.contains("too_wide"), "{mode:?} {said}");
    }
}

#[test]
fn only_named_caches_are_writable() {
    let _programs = Programs::install();
    let scene = Scene::new();
    fs::create_dir_all(scene.home.join(".cargo/registry")).unwrap();
    scene.give_away();
    let line = "echo x > ../home/.cargo/registry/x; echo x > ../home/.cargo/bin/tool";
    let cached = format!(r#"{{"version":1,"project":["{}"],"hide":[],"caches":["cargo"]}}"#, scene.project.display());
    for mode in MODES {
        scene.line(mode, line);
        assert!(!scene.home.join(".cargo/registry/x").exists(), "{mode:?}");
        let (_, said) = scene.line_with(mode, &cached, line);
        assert!(scene.home.join(".cargo/registry/x").exists(), "{mode:?} {said}");
        assert!(scene.is_untouched("home/.cargo/bin/tool"), "{mode:?}");
        fs::remove_file(scene.home.join(".cargo/registry/x")).unwrap();
    }
}

#[test]
fn nothing_is_left_behind() {
    let _programs = Programs::install();
    let scene = Scene::new();
    for mode in MODES {
        let (_, said) = scene.line(mode, "echo $TMPDIR; mkdir -p $TMPDIR/a/b; chmod 000 $TMPDIR/a; readlink -f /tmp");
        let own = said.lines().next().unwrap();
        assert!(own == "/tmp" || !std::path::Path::new(own).exists(), "{own}");
    }
    // Other tests run beside this one, and kill theirs: what those leave is swept by the next call.
    let folder = format!("/tmp/handraise-confine-{}", crate::scene::user());
    let dead = || {
        let names =
            fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let is_dead = |name: &String| {
            let pid = name.split('-').nth(1).map(str::to_owned);
            pid.is_some_and(|pid| !std::path::Path::new(&format!("/proc/{pid}")).exists())
        };
        names.filter(is_dead).count()
    };
    let until = std::time::Instant::now() + std::time::Duration::from_secs(120);
    while dead() > 0 {
        assert!(std::time::Instant::now() < until, "something is left of calls that are over");
        scene.line(MODES[0], "true");
    }
}

/// Another user could have made the folder first, and would read and change what lies in it.
#[test]
fn a_folder_that_is_open_to_others_is_not_used() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let user = crate::scene::NOBODY + 1 + std::process::id();
    let folder = format!("/tmp/handraise-confine-{user}");
    if !crate::scene::is_root() {
        eprintln!("not tried: only root can be another user");
        return;
    }
    fs::create_dir(&folder).unwrap();
    let mut command = scene.walls(MODES[0]);
    std::os::unix::process::CommandExt::uid(command.args(["-c", "echo ran"]), user);
    let output = std::os::unix::process::CommandExt::gid(&mut command, crate::scene::NOBODY).output().unwrap();
    fs::remove_dir(&folder).unwrap();
    assert_eq!(output.status.code(), Some(125), "{output:?}");
    assert!(output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).contains("belongs to somebody else"));
}

#[test]
fn what_the_walls_deny_to_read_is_not_read_wherever_it_lies() {
    let _programs = Programs::install();
    let scene = Scene::new();
    fs::create_dir_all(scene.project.join("secrets/deep")).unwrap();
    fs::write(scene.project.join("secrets/deep/key"), SECRET).unwrap();
    let closed = scene.home.join(".cargo/bin/closed");
    fs::create_dir(&closed).unwrap();
    for token in [scene.home.join(".cargo/bin/token"), closed.join("token")] {
        fs::write(token, SECRET).unwrap();
    }
    scene.give_away();
    let denying = |paths: &[&std::path::Path]| {
        let project = serde_json::json!([scene.project]);
        serde_json::json!({"version": 1, "project": project, "hide": [], "read_deny": paths}).to_string()
    };
    let (folder, file) = (scene.project.join("secrets"), scene.home.join(".cargo/bin/token"));
    let line = "cat secrets/deep/key ../home/.cargo/bin/token ../home/.cargo/bin/closed/token; mv secrets moved; \
                cat moved/deep/key; cat ../home/.cargo/bin/tool";
    let inner = [folder.join("deep"), folder.join("deep/key"), closed.join("token")];
    for paths in [&[&*folder, &*file, &*closed][..], &[&*folder, &*inner[0], &*inner[1], &*file, &*inner[2], &*closed]]
    {
        let (_, said) = scene.line_with(Mode::Namespaces, &denying(paths), line);
        assert!(!said.contains(SECRET) && said.contains("untouched"), "{said}");
    }
    for mode in [Mode::Abi(7), Mode::Abi(2)] {
        let (_, said) =
            scene.line_with(mode, &denying(&[&file]), "cat ../home/.cargo/bin/token ../home/.cargo/bin/tool");
        assert!(!said.contains(SECRET) && said.contains("untouched"), "{said}");
        let (code, said) = scene.line_with(mode, &denying(&[&folder]), "echo ran");
        assert!(code == Some(125) && said.contains("needs_namespaces"), "{said}");
    }
}

/// A kernel that lets an ordinary user make namespaces and gives no rights in them, as AppArmor has it on Ubuntu 24.04; or
/// not even makes them. Imitated by a filter that lets one step fail.
#[test]
fn namespaces_that_are_not_to_be_had_are_done_without_or_refused() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let project = scene.project.display();
    // SIOCSIFFLAGS switches loopback on.
    let steps: [(&str, i64, u32, u32, i32); 4] = [
        ("clone", libc::SYS_clone, 0, libc::CLONE_NEWUSER as u32, libc::EPERM),
        ("mount", libc::SYS_mount, 3, libc::MS_PRIVATE as u32, libc::EACCES),
        ("mount_setattr", libc::SYS_mount_setattr, 2, 0, libc::EPERM),
        ("ioctl", libc::SYS_ioctl, 1, 0x8914, libc::EPERM),
    ];
    for (step, call, argument, bits, error) in steps {
        let limited = |mode| {
            let mut command = scene.walls(mode);
            let filter = refusing(call, argument, bits, error);
            // SAFETY: both take what outlives them, and may be called between fork and exec.
            unsafe {
                command.pre_exec(move || {
                    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
                    if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
                        || libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) != 0
                    {
                        return Err(std::io::Error::last_os_error());
                    }
                    Ok(())
                });
            }
            command
        };
        let report = scene.project.join(format!("{step}.json"));
        let mut command = limited(Mode::Namespaces);
        command.arg("--report").arg(&report).args(["-c", "echo x > ../outside/canary; echo ran"]);
        let output = ordinary(&mut command).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "ran\n", "{step} {output:?}");
        assert!(scene.is_untouched("outside/canary"), "{step}");
        let told: serde_json::Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
        assert_eq!(told["namespaces"], false, "{step}");

        let walls = format!(r#"{{"version":1,"project":["{project}"],"hide":[],"limits":{{"processes":20}}}}"#);
        fs::write(scene.root.join("limited.json"), walls).unwrap();
        let mut command = limited(Mode::Namespaces);
        command.arg("--walls").arg(scene.root.join("limited.json")).args(["-c", "echo ran"]);
        let output = ordinary(&mut command).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.stdout.is_empty() && said.contains("needs_namespaces"), "{step} {output:?}");
    }
}

/// A filter that lets `call` fail with `error` where all `bits` of an argument are set.
fn refusing(call: i64, argument: u32, bits: u32, error: i32) -> Vec<libc::sock_filter> {
    let step = |code: u16, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    // BPF_LD | BPF_W | BPF_ABS of the number and the argument in `struct seccomp_data`, BPF_JEQ, BPF_AND, BPF_RET.
    vec![
        step(0x20, 0, 0, 0),
        step(0x15, 0, 4, call as u32),
        step(0x20, 0, 0, 16 + 8 * argument),
        step(0x54, 0, 0, bits),
        step(0x15, 0, 1, bits),
        step(0x06, 0, 0, libc::SECCOMP_RET_ERRNO | error as u32),
        step(0x06, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

/// Landlock goes by files, whatever leads to them: from a folder that is open outside, others would be reached past all that
/// covers them.
#[test]
fn a_folder_as_a_standard_stream_is_refused() {
    let _programs = Programs::install();
    let scene = Scene::new();
    for mode in MODES {
        for given in ["<", "2>&1 <"] {
            let mut command = std::process::Command::new("bash");
            let walls = scene.walls(mode);
            command.args(["-c", &format!("\"$@\" {given} ."), "bash"]).arg(walls.get_program()).args(walls.get_args());
            command.args(["-c", "ls -l /proc/self/fd/0/.."]).current_dir(&scene.project);
            let output = ordinary(&mut command).output().unwrap();
            assert_eq!(output.status.code(), Some(125), "{mode:?} {output:?}");
        }
    }
}
