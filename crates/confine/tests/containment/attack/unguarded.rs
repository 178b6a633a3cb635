//! What no single mechanism guards by itself: extended attributes, groups that a terminal signals, ways to a process
//! by its threads and handles, and what others have made for each other.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use super::{Attack, Inside, attack};
use crate::call::{call, open, path, split};
use crate::scene::{Outcome, SECRET, Scene};

const TOOL: &str = "home/.cargo/bin/tool";
const KEY: &str = "home/.ssh/id_ed25519";

fn nothing(_: &mut Scene) {}

fn opened(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains("opened a door")
}

fn secret_came_out(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains(SECRET)
}

fn door(result: io::Result<i64>) -> io::Result<()> {
    result.map(|_| println!("opened a door"))
}

fn with_victim(scene: &mut Scene) {
    scene.victim();
}

/// A file of the victim's folder in `/proc`.
fn of_victim(scene: &Scene, name: &str) -> String {
    let pid = &scene.names.iter().find(|(known, _)| *known == "victim").unwrap().1;
    fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap()
}

/// Where a file came from, as programs that fetch keep it: with what the address held.
fn with_attribute(scene: &mut Scene) {
    let (name, value) = (path("user.canary"), path(SECRET));
    for file in [KEY, TOOL] {
        call(libc::SYS_setxattr, &[path(scene.root.join(file)), name, value, SECRET.len() as i64, 0]).unwrap();
    }
}

/// Prints what a call puts into memory.
fn print(fill: impl FnOnce(i64, i64) -> io::Result<i64>) -> io::Result<()> {
    let mut bytes = [0_u8; 256];
    let count = fill(bytes.as_mut_ptr() as i64, 256)?;
    println!("{}", String::from_utf8_lossy(&bytes[..count as usize]));
    Ok(())
}

fn with_setuid_tool(scene: &mut Scene) {
    fs::set_permissions(scene.root.join(TOOL), fs::Permissions::from_mode(0o4750)).unwrap();
}

/// Whoever changes the owner, even to what it was, takes this bit away.
fn owner_was_changed(scene: &Scene, _: &Outcome) -> bool {
    fs::metadata(scene.root.join(TOOL)).unwrap().mode() & 0o4000 == 0
}

fn tool_has_attribute(scene: &Scene, _: &Outcome) -> bool {
    call(libc::SYS_getxattr, &[path(scene.root.join(TOOL)), path("user.canary"), 0, 0]).is_ok()
}

fn made(scene: &Scene, _: &Outcome) -> bool {
    fs::symlink_metadata(scene.outside.join("made")).is_ok()
}

fn canary_changed(scene: &Scene, _: &Outcome) -> bool {
    !scene.is_untouched("outside/canary")
}

fn below_handle(inside: &Inside) -> io::Result<i64> {
    open(inside.at("outside"), libc::O_PATH | libc::O_DIRECTORY)
}

fn victim_thread(inside: &Inside, name: &str) -> String {
    let victim = inside.name("victim");
    format!("/proc/{victim}/task/{victim}/{name}")
}

/// Runs in a process of its own that has joined the group of the neighbour: who leads a session cannot.
fn as_neighbour(inside: &Inside, then: impl FnOnce()) -> io::Result<()> {
    let wanted = inside.name("neighbour");
    let pids = || fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_wanted = |pid: &i64| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).starts_with(&format!("sleep\0{wanted}"))
    };
    // It starts at the same time.
    let found = (0..100).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        pids().find(is_wanted)
    });
    let group = found.ok_or(io::ErrorKind::NotFound)?;
    split(|| match call(libc::SYS_setpgid, &[0, group]) {
        Ok(_) => then(),
        Err(error) => println!("{error}"),
    });
    std::thread::sleep(std::time::Duration::from_millis(200));
    Ok(())
}

pub(super) const ATTACKS: &[Attack] = &[
    attack(
        "read_attribute",
        with_attribute,
        |i| print(|to, length| call(libc::SYS_getxattr, &[path(i.at(KEY)), path("user.canary"), to, length])),
        secret_came_out,
    ),
    attack(
        "read_attribute_by_symlink",
        with_attribute,
        |i| {
            symlink(i.at(KEY), i.at("project/link"))?;
            print(|to, length| call(libc::SYS_getxattr, &[path(i.at("project/link")), path("user.canary"), to, length]))
        },
        secret_came_out,
    ),
    attack(
        "read_attribute_of_the_link_itself",
        with_attribute,
        |i| print(|to, length| call(libc::SYS_lgetxattr, &[path(i.at(KEY)), path("user.canary"), to, length])),
        secret_came_out,
    ),
    attack(
        "read_attribute_by_handle",
        with_attribute,
        |i| {
            let handle = open(i.at(KEY), libc::O_PATH)?;
            let name = path(format!("/proc/self/fd/{handle}"));
            print(|to, length| call(libc::SYS_getxattr, &[name, path("user.canary"), to, length]))
        },
        secret_came_out,
    ),
    attack(
        "read_attribute_by_descriptor",
        with_attribute,
        |i| {
            let tool = open(i.at(TOOL), libc::O_RDONLY)?;
            print(|to, length| call(libc::SYS_fgetxattr, &[tool, path("user.canary"), to, length]))
        },
        secret_came_out,
    ),
    attack(
        "list_attributes",
        with_attribute,
        |i| print(|to, length| call(libc::SYS_listxattr, &[path(i.at(KEY)), to, length])),
        |_, outcome| outcome.output.contains("user.canary"),
    ),
    attack(
        "change_owner",
        with_setuid_tool,
        |i| {
            let (user, group) = super::files::ids();
            call(libc::SYS_fchownat, &[i64::from(libc::AT_FDCWD), path(i.at(TOOL)), user.into(), group.into(), 0])
                .map(drop)
        },
        owner_was_changed,
    ),
    attack(
        "change_owner_by_descriptor",
        with_setuid_tool,
        |i| {
            let (user, group) = super::files::ids();
            call(libc::SYS_fchown, &[open(i.at(TOOL), libc::O_RDONLY)?, user.into(), group.into()]).map(drop)
        },
        owner_was_changed,
    ),
    attack(
        "change_owner_by_handle",
        with_setuid_tool,
        |i| {
            let (user, group) = super::files::ids();
            let tool = open(i.at(TOOL), libc::O_PATH)?;
            let empty = i64::from(libc::AT_EMPTY_PATH);
            call(libc::SYS_fchownat, &[tool, path(""), user.into(), group.into(), empty]).map(drop)
        },
        owner_was_changed,
    ),
    attack(
        "set_attribute_of_the_link_itself",
        nothing,
        |i| call(libc::SYS_lsetxattr, &[path(i.at(TOOL)), path("user.canary"), path("x"), 1, 0]).map(drop),
        tool_has_attribute,
    ),
    attack(
        "remove_attribute_by_descriptor",
        with_attribute,
        |i| call(libc::SYS_fremovexattr, &[open(i.at(TOOL), libc::O_RDONLY)?, path("user.canary")]).map(drop),
        |scene, outcome| !tool_has_attribute(scene, outcome),
    ),
    attack(
        "touch_a_folder",
        nothing,
        |i| {
            let times = [1_i64, 0, 1, 0];
            let outside = path(i.at("outside"));
            call(libc::SYS_utimensat, &[i64::from(libc::AT_FDCWD), outside, times.as_ptr() as i64, 0]).map(drop)
        },
        |scene, _| fs::metadata(&scene.outside).unwrap().mtime() == 1,
    ),
    attack(
        "make_link_below_a_handle",
        nothing,
        |i| call(libc::SYS_symlinkat, &[path("/etc/passwd"), below_handle(i)?, path("made")]).map(drop),
        made,
    ),
    attack(
        "make_folder_below_a_handle",
        nothing,
        |i| call(libc::SYS_mkdirat, &[below_handle(i)?, path("made"), 0o755]).map(drop),
        made,
    ),
    attack(
        "make_nameless_file_outside",
        nothing,
        |i| {
            let file = open(i.at("outside"), libc::O_TMPFILE | libc::O_WRONLY)?;
            let (here, to) = (i64::from(libc::AT_FDCWD), path(i.at("outside/made")));
            let from = path(format!("/proc/self/fd/{file}"));
            call(libc::SYS_linkat, &[here, from, here, to, i64::from(libc::AT_SYMLINK_FOLLOW)]).map(drop)
        },
        made,
    ),
    attack(
        "write_by_a_handle",
        nothing,
        |i| {
            let canary = open(i.at("outside/canary"), libc::O_PATH)?;
            fs::write(format!("/proc/thread-self/fd/{canary}"), "changed")
        },
        canary_changed,
    ),
    attack(
        "write_after_going_there",
        nothing,
        |i| {
            std::env::set_current_dir(i.at("outside"))?;
            fs::write("canary", "changed")
        },
        canary_changed,
    ),
    attack(
        "write_through_thread_of_a_process",
        with_victim,
        |i| fs::write(victim_thread(i, "cwd/canary"), "changed"),
        canary_changed,
    ),
    attack(
        "read_environment_by_thread",
        with_victim,
        |i| {
            println!("{}", String::from_utf8_lossy(&fs::read(victim_thread(i, "environ"))?));
            Ok(())
        },
        secret_came_out,
    ),
    attack(
        "read_start_of_a_process",
        with_victim,
        |i| fs::read(victim_thread(i, "auxv")).and_then(|bytes| door(Ok(bytes.len() as i64))),
        opened,
    ),
    attack(
        "read_what_is_open_in_a_process",
        with_victim,
        |i| fs::read(format!("/proc/{}/fdinfo/0", i.name("victim"))).and_then(|_| door(Ok(0))),
        opened,
    ),
    attack(
        "offer_a_thread_to_the_kernel",
        with_victim,
        |i| fs::write(victim_thread(i, "oom_score_adj"), "998"),
        |scene, _| of_victim(scene, "oom_score_adj").trim() == "998",
    ),
    attack(
        "slow_the_disk_of_a_process",
        with_victim,
        // IOPRIO_WHO_PROCESS, IOPRIO_CLASS_IDLE
        |i| call(libc::SYS_ioprio_set, &[1, i.number("victim"), 3 << 13]).map(drop),
        |scene, _| {
            let pid: i64 = scene.names.iter().find(|(known, _)| *known == "victim").unwrap().1.parse().unwrap();
            call(libc::SYS_ioprio_get, &[1, pid]).unwrap() >> 13 == 3
        },
    ),
    attack(
        "enter_namespaces_of_a_process",
        with_victim,
        |i| {
            let handle = call(libc::SYS_pidfd_open, &[i.number("victim"), 0])?;
            // PIDFD_GET_NET_NAMESPACE
            door(call(libc::SYS_ioctl, &[handle, 0xff04, 0]))
        },
        opened,
    ),
    attack(
        "run_by_handle_what_may_not_be_read",
        |scene| {
            fs::copy("/bin/echo", scene.home.join(".ssh/program")).unwrap();
            scene.give_away();
        },
        |i| {
            let program = open(i.at("home/.ssh/program"), libc::O_PATH)?;
            let words = [path("echo"), path("opened a door"), 0];
            let (words, none) = (words.as_ptr() as i64, [0_i64]);
            let empty = i64::from(libc::AT_EMPTY_PATH);
            call(libc::SYS_execveat, &[program, path(""), words, none.as_ptr() as i64, empty]).map(drop)
        },
        opened,
    ),
    attack(
        "run_as_interpreter_what_may_not_be_read",
        |scene| {
            fs::copy("/bin/echo", scene.home.join(".ssh/program")).unwrap();
            scene.give_away();
        },
        |i| {
            let script = i.at("project/opened a door");
            fs::write(&script, format!("#!{}\n", i.at("home/.ssh/program").display()))?;
            fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
            std::process::Command::new(script).status().map(drop)
        },
        opened,
    ),
    attack(
        "remove_shared_memory",
        |scene| {
            let key = super::ipc::key(&scene.root);
            let segment = call(libc::SYS_shmget, &[key, 4096, i64::from(libc::IPC_CREAT | 0o666)]).unwrap();
            scene.shared.push(segment as i32);
            if crate::scene::is_root() {
                give_segment(segment);
            }
        },
        |i| {
            let key = super::ipc::key(&i.at("").components().collect::<std::path::PathBuf>());
            let segment = call(libc::SYS_shmget, &[key, 0, 0])?;
            call(libc::SYS_shmctl, &[segment, i64::from(libc::IPC_RMID), 0]).map(drop)
        },
        |scene, _| call(libc::SYS_shmget, &[super::ipc::key(&scene.root), 0, 0]).is_err(),
    ),
    attack(
        "take_a_session_of_keys",
        nothing,
        // KEYCTL_JOIN_SESSION_KEYRING
        |_| door(call(libc::SYS_keyctl, &[1, 0])),
        opened,
    ),
    attack(
        "udp_by_sendmmsg",
        |scene| scene.listen(),
        |i| {
            let text = b"x";
            let mut part = libc::iovec { iov_base: text.as_ptr().cast_mut().cast(), iov_len: 1 };
            let mut there = crate::call::four([127, 0, 0, 1], i.port("udp"));
            // SAFETY: all zeros is a message without anything.
            let mut message: libc::mmsghdr = unsafe { std::mem::zeroed() };
            message.msg_hdr.msg_name = there.as_mut_ptr().cast();
            message.msg_hdr.msg_namelen = there.len() as u32;
            message.msg_hdr.msg_iov = &raw mut part;
            message.msg_hdr.msg_iovlen = 1;
            let socket = crate::call::socket(libc::AF_INET, libc::SOCK_DGRAM, 0)?;
            call(libc::SYS_sendmmsg, &[socket, &raw mut message as i64, 1, 0]).map(drop)
        },
        |scene, _| scene.was_reached("udp"),
    ),
    attack(
        "tcp_at_another_loopback_address",
        |scene| {
            scene.listen_there([127, 0, 0, 2].into());
        },
        |i| {
            // A listener of its own has the same port at the usual address.
            let port = i.port("there");
            let _own = std::net::TcpListener::bind(("127.0.0.1", port))?;
            std::net::TcpStream::connect(("127.0.0.2", port)).map(drop)
        },
        |scene, _| scene.was_reached("there"),
    ),
    attack(
        "signal_as_one_of_a_group",
        |scene| scene.neighbour(),
        |i| {
            as_neighbour(i, || {
                let _ = call(libc::SYS_kill, &[0, i64::from(libc::SIGTERM)]);
            })
        },
        |scene, _| !scene.neighbour_lives(),
    ),
    attack(
        "have_the_terminal_stop_a_group",
        |scene| scene.neighbour(),
        |i| {
            // In the background: the terminal stops whoever is in the group of the reader.
            as_neighbour(i, || {
                let _ = call(libc::SYS_read, &[0, [0_u8; 8].as_mut_ptr() as i64, 8]);
            })
        },
        |scene, _| !scene.neighbour_lives(),
    ),
];

/// Gives a segment to the ordinary user.
fn give_segment(segment: i64) {
    // SAFETY: all zeros is a segment without anything; the kernel reads owner and mode.
    let mut told: libc::shmid_ds = unsafe { std::mem::zeroed() };
    (told.shm_perm.uid, told.shm_perm.gid, told.shm_perm.mode) = (crate::scene::NOBODY, crate::scene::NOBODY, 0o666);
    call(libc::SYS_shmctl, &[segment, i64::from(libc::IPC_SET), &raw const told as i64]).unwrap();
}
