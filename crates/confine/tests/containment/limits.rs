//! Limits of the walls, and those that whoever starts them has.

use std::fs;
use std::process::Command;

use crate::passes::MODES;
use crate::scene::{Mode, NOBODY, Programs, Scene};

#[test]
fn limits_hold() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let walls = |limits: &str| {
        format!(r#"{{"version":1,"project":["{}"],"hide":[],"limits":{limits}}}"#, scene.project.display())
    };
    for mode in MODES {
        let (code, said) = scene.line_with(mode, &walls(r#"{"seconds":1}"#), "sleep 60 & sleep 60");
        assert!(code == Some(124) && said.contains("the time of this call was over"), "{mode:?} {said}");
        let hungry = "perl -e 'my $x = \"x\" x 400_000_000; print length $x'";
        let (code, said) = scene.line_with(mode, &walls(r#"{"memory_bytes":100000000}"#), hungry);
        assert!(code != Some(0) && !said.contains("400000000"), "{mode:?} {said}");
    }
    let crowd = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 2 & done; echo started; wait";
    let (_, free) = scene.line_with(Mode::Namespaces, &walls(r#"{"processes":40}"#), crowd);
    assert_eq!(free.trim(), "started");
    let (code, said) = scene.line_with(Mode::Namespaces, &walls(r#"{"processes":5}"#), crowd);
    assert!(code != Some(0) && !said.contains("started"), "{said}");
}

/// What the machine's handler of crashes would get is decided by a limit, which no command changes. It is the command that the
/// kernel ends first where memory is short, and not who watches over it.
#[test]
fn no_command_changes_what_happens_with_its_crash_or_where_memory_is_short() {
    let _programs = Programs::install();
    let scene = Scene::new();
    for mode in MODES {
        let line = "ulimit -S -c 0; ulimit -H -c 0; prlimit --core=0:0; awk '/core file/ { print $5, $6 }' /proc/self/limits; \
                    echo 0 > /proc/self/oom_score_adj; cat /proc/self/oom_score_adj";
        let (_, said) = scene.line(mode, &format!("bash -c \"$(cat <<'END'\n{line}\nEND\n)\""));
        assert!(said.contains("1 1\n1000\n"), "{mode:?} {said}");
    }
}

#[test]
fn hard_limits_that_stand_already_do_not_keep_the_walls_from_going_up() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let project = scene.project.display();
    let handler = fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap();
    for mode in MODES {
        // A limit for processes needs namespaces.
        let processes = if mode == Mode::Namespaces { r#","processes":400"# } else { "" };
        let limits = format!(r#"{{"memory_bytes":4000000000{processes}}}"#);
        let walls = format!(r#"{{"version":1,"project":["{project}"],"hide":[],"limits":{limits}}}"#);
        let under = |limits: &str, line: &str| {
            let walls = scene.walls_of(mode, &walls);
            let mut command = Command::new("bash");
            command.args(["-c", &format!("{limits} && exec \"$@\""), "bash"]).arg(walls.get_program());
            command.args(walls.get_args()).args(["-c", line]).current_dir(&scene.project);
            crate::leftover::alone(&scene, &mut command, NOBODY + 2);
            let output = command.output().unwrap();
            (output.status.code(), [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap()))
        };
        let (_, [said, error]) = under("ulimit -d 2000000 && ulimit -u 300", "bash -c 'ulimit -d; ulimit -u'");
        assert_eq!(said, "2000000\n300\n", "{mode:?} {error}");

        // What could end who watches over the command; a soft limit is the command's alone.
        let (code, [_, error]) = under("ulimit -t 30", "echo ran");
        assert!(code == Some(125) && error.contains("processor time"), "{mode:?} {error}");
        let (_, [said, error]) = under("ulimit -S -t 30 && ulimit -S -f 64", "bash -c 'ulimit -t; ulimit -f'");
        assert_eq!(said, "30\n64\n", "{mode:?} {error}");

        let (code, [said, error]) = under("ulimit -c 0", "echo ran");
        if handler.starts_with(['|', '@']) {
            assert!(code == Some(125) && error.contains("core_pattern"), "{mode:?} {error}");
        } else {
            assert_eq!(said, "ran\n", "{mode:?} {error}");
        }
    }
}
