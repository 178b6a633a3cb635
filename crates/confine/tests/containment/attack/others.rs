//! Looking into other processes and changing them, by less common doors.

use std::fs;
use std::io;

use super::{Attack, Inside, attack};
use crate::call::{call, open, split};
use crate::scene::{Outcome, SECRET, Scene};

fn nothing(_: &mut Scene) {}

fn with_victim(scene: &mut Scene) {
    scene.victim();
}

fn victim_hurt(scene: &Scene, _: &Outcome) -> bool {
    !scene.victim_lives()
}

fn opened(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains("opened a door")
}

fn door(result: io::Result<i64>) -> io::Result<()> {
    result.map(|_| println!("opened a door"))
}

fn handle(inside: &Inside) -> io::Result<i64> {
    call(libc::SYS_pidfd_open, &[inside.number("victim"), 0])
}

/// Field `number` of what proc_pid_stat(5) calls the victim's line.
fn field(scene: &Scene, number: usize) -> String {
    let pid = &scene.names.iter().find(|(known, _)| *known == "victim").unwrap().1;
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    line.rsplit(") ").next().unwrap().split(' ').nth(number - 3).unwrap().to_owned()
}

pub(super) const ATTACKS: &[Attack] = &[
    attack(
        "signal_by_folder_of_a_process",
        with_victim,
        |i| {
            let folder = open(format!("/proc/{}", i.name("victim")), libc::O_DIRECTORY)?;
            call(libc::SYS_pidfd_send_signal, &[folder, i64::from(libc::SIGTERM), 0, 0]).map(drop)
        },
        victim_hurt,
    ),
    attack(
        "signal_the_group_of_a_handle",
        with_victim,
        // PIDFD_SIGNAL_PROCESS_GROUP
        |i| call(libc::SYS_pidfd_send_signal, &[handle(i)?, i64::from(libc::SIGTERM), 0, 4]).map(drop),
        victim_hurt,
    ),
    attack(
        "compare_with_a_process",
        with_victim,
        // KCMP_VM
        |i| door(call(libc::SYS_kcmp, &[i64::from(std::process::id()), i.number("victim"), 1, 0, 0])),
        opened,
    ),
    attack(
        "write_memory_of_a_process",
        with_victim,
        |i| {
            // Into its environment, where its stack begins.
            let line = fs::read_to_string(format!("/proc/{}/stat", i.number("victim")))?;
            let fields: Vec<&str> = line.rsplit(") ").next().unwrap().split(' ').collect();
            let there: u64 = fields[47].parse().unwrap();
            let text = *b"x";
            let (here, there) = ([text.as_ptr() as u64, 1], [there, 1]);
            let (here, there) = (here.as_ptr() as i64, there.as_ptr() as i64);
            door(call(libc::SYS_process_vm_writev, &[i.number("victim"), here, 1, there, 1, 0]))
        },
        opened,
    ),
    attack(
        "look_at_locks_of_a_process",
        with_victim,
        |i| {
            let (mut head, mut length) = (0_u64, 0_u64);
            let places = [&raw mut head as i64, &raw mut length as i64];
            door(call(libc::SYS_get_robust_list, &[i.number("victim"), places[0], places[1]]))
        },
        opened,
    ),
    attack(
        "read_map_of_a_process",
        with_victim,
        |i| {
            let map = fs::read_to_string(format!("/proc/{}/maps", i.name("victim")))?;
            door(if map.contains("sleep") { Ok(0) } else { Err(io::ErrorKind::NotFound.into()) })
        },
        opened,
    ),
    attack(
        "see_where_a_process_works",
        with_victim,
        |i| door(fs::read_link(format!("/proc/{}/cwd", i.name("victim"))).map(|_| 0)),
        opened,
    ),
    attack(
        "slow_a_group_down",
        with_victim,
        |i| call(libc::SYS_setpriority, &[1, i.number("victim"), 19]).map(drop),
        |scene, _| field(scene, 19) == "19",
    ),
    attack(
        "schedule_a_process",
        with_victim,
        |i| {
            let nothing = [0_i32; 2];
            // SCHED_BATCH
            call(libc::SYS_sched_setscheduler, &[i.number("victim"), 3, nothing.as_ptr() as i64]).map(drop)
        },
        |scene, _| field(scene, 41) == "3",
    ),
    attack(
        "schedule_a_process_by_attributes",
        with_victim,
        |i| {
            let mut attributes = [0_u32; 14];
            // Size, SCHED_IDLE.
            (attributes[0], attributes[1]) = (56, 5);
            call(libc::SYS_sched_setattr, &[i.number("victim"), attributes.as_ptr() as i64, 0]).map(drop)
        },
        |scene, _| field(scene, 41) == "5",
    ),
    attack(
        "choose_what_a_process_dumps",
        with_victim,
        |i| fs::write(format!("/proc/{}/coredump_filter", i.name("victim")), "0x7f"),
        |scene, _| {
            let pid = &scene.names.iter().find(|(known, _)| *known == "victim").unwrap().1;
            fs::read_to_string(format!("/proc/{pid}/coredump_filter")).unwrap().trim() == "0000007f"
        },
    ),
    attack(
        "be_the_child_of_others",
        nothing,
        |_| {
            let pid = call(libc::SYS_clone, &[i64::from(libc::CLONE_PARENT | libc::SIGCHLD), 0, 0, 0, 0])?;
            if pid == 0 {
                // SAFETY: it takes a number.
                unsafe { libc::_exit(0) };
            }
            door(Ok(pid))
        },
        opened,
    ),
    attack(
        "answer_for_other_processes",
        nothing,
        |_| {
            // A filter that asks its own listener about everything: who answers could say "go on" to what others refuse.
            call(libc::SYS_prctl, &[i64::from(libc::PR_SET_NO_NEW_PRIVS), 1, 0, 0, 0])?;
            split(|| {
                // BPF_RET | BPF_K, SECCOMP_RET_ALLOW
                let step = [0x06_u64 | 0x7fff_0000 << 32];
                let program = [1_u64, step.as_ptr() as u64];
                // SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER
                let _ = door(call(libc::SYS_seccomp, &[1, 8, program.as_ptr() as i64]));
            });
            crate::call::wait(-1);
            Ok(())
        },
        opened,
    ),
    attack(
        "run_what_may_not_be_read",
        |scene| {
            let program = scene.home.join(".ssh/program");
            fs::copy(crate::scene::programs().join("attacker"), &program).unwrap();
            scene.give_away();
        },
        |inside| {
            let child = std::process::Command::new(inside.at("home/.ssh/program")).arg("--list").output()?;
            door(if child.status.success() { Ok(0) } else { Err(io::ErrorKind::PermissionDenied.into()) })
        },
        opened,
    ),
    attack(
        "read_what_is_typed_to_others",
        |scene| {
            // The terminal is that of whoever has started the attacker, who was not given it.
            scene.terminal();
            scene.given_terminal = false;
            scene.types(SECRET);
        },
        |_| {
            // SAFETY: no handler is involved.
            unsafe { libc::signal(libc::SIGTTOU, libc::SIG_IGN) };
            let terminal = open("/dev/tty", libc::O_RDWR)?;
            // SAFETY: it takes nothing.
            let group = unsafe { libc::getpgrp() };
            // TIOCSPGRP: to the foreground.
            call(libc::SYS_ioctl, &[terminal, 0x5410, &raw const group as i64])?;
            println!("ready");
            let mut bytes = [0_u8; 64];
            let count = call(libc::SYS_read, &[terminal, bytes.as_mut_ptr() as i64, 64])?;
            println!("{}", String::from_utf8_lossy(&bytes[..count as usize]));
            Ok(())
        },
        |_, outcome| outcome.output.contains(SECRET),
    ),
    attack(
        "have_the_terminal_send_signals",
        |scene| scene.terminal(),
        |_| {
            // It sends them to whoever is in its foreground.
            let _ = call(libc::SYS_fcntl, &[0, 10, i64::from(libc::SIGKILL)]);
            door(call(libc::SYS_fcntl, &[0, i64::from(libc::F_SETFL), i64::from(libc::O_ASYNC)]))
        },
        opened,
    ),
    attack(
        "have_the_terminal_send_signals_by_ioctl",
        |scene| scene.terminal(),
        |_| {
            let on = 1_i32;
            // FIOASYNC
            door(call(libc::SYS_ioctl, &[0, 0x5452, &raw const on as i64]))
        },
        opened,
    ),
    attack(
        "watch_by_fanotify",
        nothing,
        // FAN_REPORT_FID
        |_| door(call(libc::SYS_fanotify_init, &[0x200, 0])),
        opened,
    ),
];
