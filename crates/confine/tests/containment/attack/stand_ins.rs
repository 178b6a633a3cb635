//! Serving others at the file of a socket, by whatever way leads to it, and what else becomes possible where somebody else
//! binds sockets for a command.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};

use super::serving::{
    from_outside, root_comes, serve, somebody_comes, somebody_comes_by_packets, temporary, temporary_outside, wait,
};
use super::{Attack, Inside, attack};
use crate::call::{call, open, path, set_option, socket, split, unix, with_address};
use crate::scene::{Outcome, Scene};

const RENAME_EXCHANGE: i64 = 2;

fn nothing(_: &mut Scene) {}

/// A socket that is bound, and does not listen.
fn bound(kind: i32, at: &Path) -> io::Result<OwnedFd> {
    let made = socket(libc::AF_UNIX, kind, 0)?;
    // SAFETY: the kernel has just made it.
    let made = unsafe { OwnedFd::from_raw_fd(made as i32) };
    with_address(libc::SYS_bind, i64::from(made.as_raw_fd()), &unix(&at.to_string_lossy()))?;
    Ok(made)
}

fn listen(socket: &impl AsRawFd) -> io::Result<i64> {
    call(libc::SYS_listen, &[i64::from(socket.as_raw_fd()), 8])
}

/// A process of the attacker's, by its number outside. Whoever puts the walls up has its own in the name of the temporary
/// folder, and the attacker makes so many threads that one of them has the number that it guesses.
fn numbers_outside() -> io::Result<impl Iterator<Item = u32>> {
    const THREADS: u32 = 300;
    for _ in 0..THREADS {
        let wait = || std::thread::sleep(std::time::Duration::from_secs(2));
        std::thread::Builder::new().stack_size(64 << 10).spawn(wait)?;
    }
    let folder = temporary_outside()?;
    let mut names =
        folder.iter().filter_map(|name| name.to_str()?.strip_prefix("tmp-")?.split('-').next()?.parse().ok());
    let own = names.next_back().unwrap_or_else(std::process::id);
    Ok((own..own + THREADS).step_by(15))
}

/// Others find one link after the other where they look, each to a way into a process of the attacker's.
fn lead(i: &Inside, way: impl Fn(u32) -> PathBuf) -> io::Result<()> {
    println!("ready");
    for number in numbers_outside()? {
        show(i, &way(number), 20)?;
    }
    Ok(())
}

fn show(i: &Inside, target: &Path, milliseconds: u64) -> io::Result<()> {
    let served = i.at("project/served");
    symlink(target, &served)?;
    std::thread::sleep(std::time::Duration::from_millis(milliseconds));
    fs::remove_file(served)
}

fn through_the_root(i: &Inside, own: &Path) -> io::Result<()> {
    lead(i, |number| PathBuf::from(format!("/proc/{number}/root{}", own.display())))
}

fn exchange_for_ever(one: &Path, other: &Path) {
    let (here, places) = (i64::from(libc::AT_FDCWD), [path(one), path(other)]);
    std::thread::spawn(move || {
        loop {
            let _ = call(libc::SYS_renameat2, &[here, places[0], here, places[1], RENAME_EXCHANGE]);
        }
    });
}

/// Hands a socket to another process, which listens there.
fn listen_elsewhere(bound: OwnedFd) -> io::Result<OwnedFd> {
    let (here, there) = UnixStream::pair()?;
    let other = split(|| {
        let (mut byte, mut space) = ([0; 1], nix::cmsg_space!([i32; 1]));
        let mut parts = [io::IoSliceMut::new(&mut byte)];
        let told = recvmsg::<()>(there.as_raw_fd(), &mut parts, Some(&mut space), MsgFlags::empty()).unwrap();
        for control in told.cmsgs().unwrap() {
            if let ControlMessageOwned::ScmRights(numbers) = control {
                listen(&numbers[0]).unwrap();
            }
        }
    });
    let rights = [bound.as_raw_fd()];
    sendmsg::<()>(
        here.as_raw_fd(),
        &[io::IoSlice::new(b"x")],
        &[ControlMessage::ScmRights(&rights)],
        MsgFlags::empty(),
        None,
    )?;
    crate::call::wait(other);
    Ok(bound)
}

/// Others are led to what whoever puts the walls up has open.
fn what_is_open(i: &Inside) -> io::Result<()> {
    // Without walls, the attacker itself has the folder open.
    let folder = std::env::temp_dir();
    let _open = open(&folder, libc::O_PATH)?;
    let made = socket(libc::AF_UNIX, libc::SOCK_STREAM, 0)?;
    let number = fs::metadata(format!("/proc/self/fd/{made}"))?.ino();
    let own = folder.join(number.to_string());
    with_address(libc::SYS_bind, made, &unix(&own.to_string_lossy()))?;
    call(libc::SYS_listen, &[made, 8])?;
    println!("ready");
    let first = numbers_outside()?.next().unwrap();
    for process in [first, first + 1, std::process::id()] {
        for name in (3..14).map(|open| format!("fd/{open}")).chain(["root".into(), "cwd".into()]) {
            show(i, Path::new(&format!("/proc/{process}/{name}/{number}")), 10)?;
        }
    }
    fs::remove_file(own)
}

fn made_in_outside(scene: &Scene, _: &Outcome) -> bool {
    fs::symlink_metadata(scene.outside.join("made")).is_ok()
}

fn reached_in_project(scene: &Scene, _: &Outcome) -> bool {
    scene.was_reached("unix-in-project")
}

pub(super) const ATTACKS: &[Attack] = &[
    attack(
        "serve_others_through_the_root_of_a_process",
        somebody_comes,
        |i| {
            let own = temporary("root");
            let _listener = UnixListener::bind(&own)?;
            through_the_root(i, &own)
        },
        from_outside,
    ),
    attack(
        "serve_others_through_an_open_file_of_a_process",
        somebody_comes,
        |i| {
            let own = temporary("open");
            let made = bound(libc::SOCK_STREAM, &own)?;
            // Whoever has it open needs no name.
            let file = open(&own, libc::O_PATH)?;
            listen(&made)?;
            fs::remove_file(&own)?;
            lead(i, |number| PathBuf::from(format!("/proc/{number}/fd/{file}")))
        },
        from_outside,
    ),
    attack(
        "serve_others_through_the_folder_of_a_process",
        somebody_comes,
        |i| {
            let own = temporary("folder");
            let _listener = UnixListener::bind(&own)?;
            std::env::set_current_dir(own.parent().unwrap())?;
            let name = own.file_name().unwrap().to_str().unwrap().to_owned();
            lead(i, |number| PathBuf::from(format!("/proc/{number}/cwd/{name}")))
        },
        from_outside,
    ),
    attack(
        "serve_others_through_a_root_by_packets",
        somebody_comes_by_packets,
        |i| {
            let own = temporary("packets");
            let made = bound(libc::SOCK_SEQPACKET, &own)?;
            set_option(i64::from(made.as_raw_fd()), libc::SO_PASSCRED)?;
            listen(&made)?;
            through_the_root(i, &own)
        },
        from_outside,
    ),
    attack(
        "serve_others_by_a_name_from_before_it_listens",
        somebody_comes,
        |i| {
            let (own, second) = (temporary("first"), temporary("second"));
            let made = bound(libc::SOCK_STREAM, &own)?;
            fs::hard_link(&own, &second)?;
            listen(&made)?;
            fs::remove_file(&own)?;
            through_the_root(i, &second)
        },
        from_outside,
    ),
    attack(
        "serve_others_by_exchanging_names_while_it_listens",
        somebody_comes,
        |i| {
            let (one, other) = (temporary("one"), temporary("other"));
            let made = [&one, &other].map(|place| bound(libc::SOCK_STREAM, place));
            exchange_for_ever(&one, &other);
            for made in &made {
                listen(made.as_ref().map_err(|error| io::Error::from(error.kind()))?)?;
            }
            through_the_root(i, &one)
        },
        from_outside,
    ),
    attack(
        "serve_others_by_binding_a_name_again",
        somebody_comes,
        |i| {
            let own = temporary("again");
            let _first = UnixListener::bind(&own)?;
            fs::remove_file(&own)?;
            let second = bound(libc::SOCK_STREAM, &own)?;
            listen(&second)?;
            listen(&second)?;
            through_the_root(i, &own)
        },
        from_outside,
    ),
    attack(
        "serve_others_by_another_process_that_listens",
        somebody_comes,
        |i| {
            let own = temporary("handed");
            let _listens = listen_elsewhere(bound(libc::SOCK_STREAM, &own)?)?;
            through_the_root(i, &own)
        },
        from_outside,
    ),
    attack(
        "serve_others_in_memory",
        somebody_comes,
        |i| {
            let own = PathBuf::from(format!("/dev/shm/handraise-{}", std::process::id()));
            let _listener = UnixListener::bind(&own)?;
            let led = through_the_root(i, &own);
            fs::remove_file(own).and(led)
        },
        from_outside,
    ),
    attack(
        "serve_others_in_a_folder_that_is_moved",
        somebody_comes,
        |i| {
            let [folder, moved] = ["project/folder", "project/moved"].map(|place| i.at(place));
            fs::create_dir(&folder)?;
            let made = bound(libc::SOCK_STREAM, &folder.join("s"))?;
            fs::rename(&folder, &moved)?;
            listen(&made)?;
            symlink("moved/s", i.at("project/served"))?;
            wait();
            Ok(())
        },
        from_outside,
    ),
    attack(
        "serve_others_below_an_open_folder",
        somebody_comes,
        |i| {
            let folder = open(i.at("project"), libc::O_PATH)?;
            serve(Path::new(&format!("/proc/self/fd/{folder}/served")))
        },
        from_outside,
    ),
    attack(
        "serve_others_at_a_moved_relative_path",
        somebody_comes,
        |i| {
            std::env::set_current_dir(i.at("project/src"))?;
            let made = bound(libc::SOCK_STREAM, Path::new("./../src//s"))?;
            listen(&made)?;
            fs::rename("s", "../served")?;
            wait();
            Ok(())
        },
        from_outside,
    ),
    attack("serve_others_by_what_the_walls_have_open", somebody_comes, what_is_open, from_outside),
    Attack {
        not_here: super::needs_root,
        ..attack("serve_root_by_what_the_walls_have_open", root_comes, what_is_open, from_outside)
    },
    Attack {
        not_here: super::needs_root,
        ..attack(
            "serve_root_through_the_root_of_a_process",
            root_comes,
            |i| {
                let own = temporary("root");
                let _listener = UnixListener::bind(&own)?;
                through_the_root(i, &own)
            },
            from_outside,
        )
    },
    attack(
        "connect_by_exchanging_with_its_own",
        Scene::listen,
        |i| {
            let [own, others] = ["project/own", "project/unix"].map(|place| i.at(place));
            let _listener = UnixListener::bind(&own)?;
            exchange_for_ever(&own, &others);
            for _ in 0..500 {
                let _ = (UnixStream::connect(&own), UnixStream::connect(&others));
            }
            Ok(())
        },
        reached_in_project,
    ),
    attack(
        "connect_by_a_second_name_beside_its_own",
        Scene::listen,
        |i| {
            let own = i.at("project/own");
            let _listener = UnixListener::bind(&own)?;
            fs::remove_file(&own)?;
            fs::hard_link(i.at("project/unix"), &own)?;
            UnixStream::connect(own).map(drop)
        },
        reached_in_project,
    ),
    attack(
        "make_socket_by_a_link",
        nothing,
        |i| {
            symlink(i.at("outside"), i.at("project/way"))?;
            UnixListener::bind(i.at("project/way/made")).map(drop)
        },
        made_in_outside,
    ),
    attack(
        "make_socket_above_a_folder",
        nothing,
        |i| {
            std::env::set_current_dir(i.at("project/src"))?;
            UnixListener::bind("../../outside/made").map(drop)
        },
        made_in_outside,
    ),
    attack(
        "make_socket_below_an_open_folder",
        nothing,
        |i| {
            let outside = open(i.at("outside"), libc::O_PATH)?;
            UnixListener::bind(format!("/proc/self/fd/{outside}/made")).map(drop)
        },
        made_in_outside,
    ),
    attack(
        "make_socket_by_exchanging_a_link",
        nothing,
        |i| {
            let [way, other] = ["project/way", "project/other"].map(|place| i.at(place));
            fs::create_dir(&way)?;
            symlink(i.at("outside"), &other)?;
            exchange_for_ever(&way, &other);
            for _ in 0..500 {
                let _ = UnixListener::bind(way.join("made"));
                let _ = (fs::remove_file(i.at("project/way/made")), fs::remove_file(i.at("project/other/made")));
                if fs::symlink_metadata(i.at("outside/made")).is_ok() {
                    break;
                }
            }
            // Without walls the last one may have been removed by the attacker itself.
            UnixListener::bind(way.join("made")).or_else(|_| UnixListener::bind(other.join("made"))).map(drop)
        },
        made_in_outside,
    ),
    attack(
        "make_socket_where_it_may_only_read",
        nothing,
        |i| UnixListener::bind(i.at("home/.cargo/bin/made")).map(drop),
        |scene, _| fs::symlink_metadata(scene.home.join(".cargo/bin/made")).is_ok(),
    ),
    attack(
        "make_socket_among_hooks",
        nothing,
        |i| UnixListener::bind(i.at("project/.git/hooks/made")).map(drop),
        |scene, _| fs::symlink_metadata(scene.project.join(".git/hooks/made")).is_ok(),
    ),
];
