//! Other processes: signals, limits, tracing, and outliving the call.

use std::fs;

use super::{Attack, attack};
use crate::call::{call, path, split, write};
use crate::scene::{Outcome, Scene};

const END: i64 = libc::SIGTERM as i64;

fn with_victim(scene: &mut Scene) {
    scene.victim();
}

fn victim_hurt(scene: &Scene, _: &Outcome) -> bool {
    !scene.victim_lives()
}

fn victim_file(scene: &Scene, name: &str) -> String {
    let pid = &scene.names.iter().find(|(known, _)| *known == "victim").unwrap().1;
    fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap()
}

/// Processes that carry the mark of this scene on their command line.
fn left_over(scene: &Scene) -> Vec<i32> {
    let mark = format!("mark-{}", scene.root.display());
    let marked = |pid: &i32| {
        fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(&mark))
    };
    let pids = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(marked).collect()
}

fn outlived(scene: &Scene, _: &Outcome) -> bool {
    let found = left_over(scene);
    for pid in &found {
        // SAFETY: it takes numbers.
        unsafe { libc::kill(*pid, libc::SIGKILL) };
    }
    !found.is_empty()
}

/// A process that nothing ends but SIGKILL, without parent, session or terminal, under a name that says whose it is.
fn daemon(root: &str) {
    split(|| {
        let _ = call(libc::SYS_setsid, &[]);
        split(|| {
            let ignore = "trap '' TERM HUP INT QUIT USR1 USR2; exec 0<&- 1>&- 2>&-; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; done";
            let _ = std::os::unix::process::CommandExt::exec(std::process::Command::new("/bin/sh").args([
                "-c",
                ignore,
                &format!("mark-{root}"),
            ]));
        });
    });
}

fn needs_processors() -> Option<&'static str> {
    let is_one = std::thread::available_parallelism().is_ok_and(|count| count.get() == 1);
    is_one.then_some("there is one processor to choose")
}

pub(super) const ATTACKS: &[Attack] = &[
    attack("kill", with_victim, |i| call(libc::SYS_kill, &[i.number("victim"), END]).map(drop), victim_hurt),
    attack(
        "stop",
        with_victim,
        |i| call(libc::SYS_kill, &[i.number("victim"), libc::SIGSTOP as i64]).map(drop),
        victim_hurt,
    ),
    attack("kill_group", with_victim, |i| call(libc::SYS_kill, &[-i.number("victim"), END]).map(drop), victim_hurt),
    attack("tkill", with_victim, |i| call(libc::SYS_tkill, &[i.number("victim"), END]).map(drop), victim_hurt),
    attack(
        "tgkill",
        with_victim,
        |i| call(libc::SYS_tgkill, &[i.number("victim"), i.number("victim"), END]).map(drop),
        victim_hurt,
    ),
    attack(
        "sigqueue",
        with_victim,
        |i| {
            let mut information = [0_i32; 32];
            (information[0], information[2]) = (libc::SIGTERM, libc::SI_QUEUE);
            call(libc::SYS_rt_sigqueueinfo, &[i.number("victim"), END, information.as_ptr() as i64]).map(drop)
        },
        victim_hurt,
    ),
    attack(
        "sigqueue_to_a_thread",
        with_victim,
        |i| {
            let mut information = [0_i32; 32];
            (information[0], information[2]) = (libc::SIGTERM, libc::SI_QUEUE);
            let victim = i.number("victim");
            call(libc::SYS_rt_tgsigqueueinfo, &[victim, victim, END, information.as_ptr() as i64]).map(drop)
        },
        victim_hurt,
    ),
    attack(
        "signal_by_handle",
        with_victim,
        |i| {
            let handle = call(libc::SYS_pidfd_open, &[i.number("victim"), 0])?;
            call(libc::SYS_pidfd_send_signal, &[handle, END, 0, 0]).map(drop)
        },
        victim_hurt,
    ),
    attack(
        "signal_when_a_file_is_ready",
        with_victim,
        |i| {
            let mut two = [0_i32; 2];
            call(libc::SYS_socketpair, &[libc::AF_UNIX as i64, libc::SOCK_STREAM as i64, 0, two.as_mut_ptr() as i64])?;
            let [one, other] = two.map(i64::from);
            let _ = call(libc::SYS_fcntl, &[one, 10, END]);
            call(libc::SYS_fcntl, &[one, libc::F_SETOWN as i64, i.number("victim")])?;
            call(libc::SYS_fcntl, &[one, libc::F_SETFL as i64, libc::O_ASYNC as i64])?;
            write(other, "x").map(drop)
        },
        victim_hurt,
    ),
    attack(
        "signal_when_a_socket_is_ready",
        with_victim,
        |i| {
            let mut two = [0_i32; 2];
            call(libc::SYS_socketpair, &[libc::AF_UNIX as i64, libc::SOCK_STREAM as i64, 0, two.as_mut_ptr() as i64])?;
            let [one, other] = two.map(i64::from);
            let victim = i.number("victim") as i32;
            let _ = call(libc::SYS_fcntl, &[one, 10, END]);
            // FIOSETOWN
            call(libc::SYS_ioctl, &[one, 0x8901, &raw const victim as i64])?;
            call(libc::SYS_fcntl, &[one, libc::F_SETFL as i64, libc::O_ASYNC as i64])?;
            write(other, "x").map(drop)
        },
        victim_hurt,
    ),
    attack(
        "trace",
        with_victim,
        |i| {
            // PTRACE_ATTACH stops it.
            call(libc::SYS_ptrace, &[16, i.number("victim"), 0, 0])?;
            std::thread::sleep(std::time::Duration::from_millis(20));
            // Ended while it is traced, it stays stopped for a moment: kill it through the trace instead.
            call(libc::SYS_ptrace, &[8, i.number("victim"), 0, 0]).map(drop)
        },
        victim_hurt,
    ),
    attack(
        "limit_a_process",
        with_victim,
        |i| {
            let limit = [3_u64, 3];
            call(libc::SYS_prlimit64, &[i.number("victim"), libc::RLIMIT_NOFILE as i64, limit.as_ptr() as i64, 0])
                .map(drop)
        },
        |scene, _| {
            let limits = victim_file(scene, "limits");
            limits.lines().find(|line| line.starts_with("Max open files")).unwrap().split_whitespace().nth(3)
                == Some("3")
        },
    ),
    attack(
        "slow_a_process_down",
        with_victim,
        |i| call(libc::SYS_setpriority, &[0, i.number("victim"), 19]).map(drop),
        |scene, _| victim_file(scene, "stat").rsplit(") ").next().unwrap().split(' ').nth(16) == Some("19"),
    ),
    Attack {
        not_here: needs_processors,
        ..attack(
            "choose_processors_of_a_process",
            with_victim,
            |i| call(libc::SYS_sched_setaffinity, &[i.number("victim"), 8, &raw const ONE as i64]).map(drop),
            |scene, _| victim_file(scene, "status").lines().any(|line| line == "Cpus_allowed_list:\t0"),
        )
    },
    attack(
        "offer_a_process_to_the_kernel",
        with_victim,
        |i| fs::write(format!("/proc/{}/oom_score_adj", i.name("victim")), "999"),
        |scene, _| victim_file(scene, "oom_score_adj").trim() == "999",
    ),
    // What the documentation says stays possible.
    attack(
        "see_command_lines",
        with_victim,
        |i| {
            println!("{}", fs::read_to_string(format!("/proc/{}/cmdline", i.name("victim")))?.replace('\0', " "));
            Ok(())
        },
        |_, outcome| outcome.output.contains("sleep 300"),
    ),
    attack(
        "outlive",
        |_| {},
        |i| {
            daemon(i.at("").to_string_lossy().trim_end_matches('/'));
            Ok(())
        },
        outlived,
    ),
    attack(
        "outlive_in_a_crowd",
        |_| {},
        |i| {
            for _ in 0..20 {
                daemon(i.at("").to_string_lossy().trim_end_matches('/'));
            }
            Ok(())
        },
        outlived,
    ),
    attack(
        "outlive_by_never_staying",
        |_| {},
        |i| {
            // Each process starts the next and ends: there is never one for long.
            let name = format!("mark-{}", i.at("").to_string_lossy().trim_end_matches('/'));
            let line = "[ -e \"$3\" ] || exit; echo $1 > \"$3\"; /bin/sh -c \"$2\" \"$0\" $(($1+1)) \"$2\" \"$3\" &";
            let count = i.at("project/count");
            fs::write(&count, "0")?;
            split(|| {
                let _ = call(libc::SYS_setsid, &[]);
                let mut shell = std::process::Command::new("/bin/sh");
                shell
                    .args(["-c", line, &name, "1", line])
                    .arg(count)
                    .stdout(std::process::Stdio::null())
                    .stderr(std::process::Stdio::null());
                let _ = std::os::unix::process::CommandExt::exec(&mut shell);
            });
            std::thread::sleep(std::time::Duration::from_millis(50));
            Ok(())
        },
        |scene, _| {
            // It ends when the file that it counts in is gone, with the scene.
            let count = || fs::read_to_string(scene.project.join("count")).unwrap();
            let before = count();
            (0..50).any(|_| {
                std::thread::sleep(std::time::Duration::from_millis(5));
                count() != before
            })
        },
    ),
    attack(
        "type_into_the_terminal",
        |scene| {
            // The attacker's descriptor 9 is not kept inside; the terminal is what it finds as its own.
            scene.terminal();
        },
        |_| {
            let letter = b'x';
            call(libc::SYS_ioctl, &[0, 0x5412, &raw const letter as i64]).map(drop)
        },
        |scene, _| scene.was_typed(),
    ),
    attack(
        "type_into_the_terminal_with_a_high_bit",
        |scene| scene.terminal(),
        |_| {
            let letter = b'x';
            call(libc::SYS_ioctl, &[0, 0x5412 | 1 << 32, &raw const letter as i64]).map(drop)
        },
        |scene, _| scene.was_typed(),
    ),
    attack(
        "write_into_another_terminal",
        |scene| {
            let name = scene.other_terminal();
            scene.names.push(("terminal", name));
        },
        |inside| fs::write(inside.name("terminal"), "canary"),
        |scene, _| scene.was_written_to(),
    ),
    attack(
        "hold_up_whoever_opens_a_file",
        |_| {},
        |inside| {
            let file = crate::call::open(inside.at("home/.cargo/bin/tool"), libc::O_RDONLY)?;
            call(libc::SYS_fcntl, &[file, libc::F_SETLEASE as i64, libc::F_RDLCK as i64])
                .map(|_| println!("opened a door"))
        },
        |_, outcome| outcome.output.contains("opened a door"),
    ),
    attack(
        "keep_others_from_the_terminal",
        |scene| scene.terminal(),
        // TIOCEXCL
        |_| call(libc::SYS_ioctl, &[0, 0x540c, 0]).map(drop),
        |scene, _| scene.terminal_is_closed(),
    ),
    attack(
        "change_mode_of_the_terminal",
        |scene| scene.terminal(),
        |_| {
            let own = fs::read_link("/proc/self/fd/0")?;
            call(libc::SYS_fchmodat, &[libc::AT_FDCWD as i64, path(own), 0o666]).map(drop)
        },
        |scene, _| scene.terminal_is_open_to_all(),
    ),
];

static ONE: u64 = 1;
