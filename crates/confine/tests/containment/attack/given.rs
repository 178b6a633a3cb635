//! What a call leaves in what it was given, after its end: the terminal and the standard streams, which whoever gave them
//! uses further. And what others use between each other: pipes, devices, sequenced packets, the turn of the processor.

use std::fs;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Attack, Inside, attack};
use crate::call::{call, open, path, socket, unix, with_address};
use crate::scene::{Outcome, SECRET, Scene};

const PIPE: &str = "home/.cargo/bin/pipe";
const TCXONC: i64 = 0x540a;
const TIOCSWINSZ: i64 = 0x5414;
/// What a shell asks about its terminal afterwards.
const IS_SMALL: &str = "[ \"$(stty size)\" = '7 7' ] && echo found it so";

/// One of the numbers that fcntl(2) gives, of the stream that the attacker gets.
fn of_given(scene: &Scene, command: i32) -> i32 {
    let given = scene.standard_input.as_ref().unwrap();
    // SAFETY: it takes numbers.
    unsafe { libc::fcntl(given.as_raw_fd(), command) }
}

fn given_file(scene: &mut Scene) {
    scene.standard_input = Some(fs::File::open(scene.outside.join("canary")).unwrap().into());
}

/// A file among the temporary files of everybody: with namespaces, one inside would have the same path.
fn given_temporary_file(scene: &mut Scene) {
    let file = PathBuf::from(format!("/tmp/handraise-given-{}", std::process::id()));
    fs::write(&file, "x").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    crate::call::own(&file);
    scene.standard_input = Some(fs::File::open(&file).unwrap().into());
    scene.files.push(file);
}

fn is_open_to_all(scene: &Scene, _: &Outcome) -> bool {
    fs::metadata(&scene.files[0]).unwrap().permissions().mode() & 0o777 == 0o777
}

/// A terminal of a person, whose shell finds this out about it afterwards.
fn terminal(scene: &mut Scene, afterwards: &'static str) {
    scene.terminal();
    scene.afterwards = Some(afterwards);
}

fn was_found(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains("found it so")
}

fn set_size(terminal: i64, number: i64) -> io::Result<()> {
    let size = [7_u16; 4];
    call(libc::SYS_ioctl, &[terminal, number, size.as_ptr() as i64]).map(drop)
}

/// A pipe with a name where tools are, and somebody who has it open.
fn with_pipe(scene: &mut Scene) -> i64 {
    let pipe = scene.root.join(PIPE);
    call(libc::SYS_mknodat, &[i64::from(libc::AT_FDCWD), path(&pipe), i64::from(libc::S_IFIFO | 0o666), 0]).unwrap();
    scene.give_away();
    open(pipe, libc::O_RDWR | libc::O_NONBLOCK).unwrap()
}

fn with_reader(scene: &mut Scene) {
    // SAFETY: the kernel has just made it.
    scene.inherited = Some(unsafe { fs::File::from_raw_fd(with_pipe(scene) as i32) });
}

fn with_writer(scene: &mut Scene) {
    with_reader(scene);
    let pipe = i64::from(scene.inherited.as_ref().unwrap().as_raw_fd());
    crate::call::write(pipe, SECRET).unwrap();
}

/// A device that the system lets everybody use: `/dev/fuse`, `/dev/net/tun` and `/dev/kvm` are such on many machines.
fn with_device(scene: &mut Scene) {
    let device = PathBuf::from(format!("/dev/handraise-test-{}", std::process::id()));
    let _ = fs::remove_file(&device);
    // The number of /dev/zero.
    let number = libc::makedev(1, 5) as i64;
    call(libc::SYS_mknodat, &[i64::from(libc::AT_FDCWD), path(&device), i64::from(libc::S_IFCHR | 0o666), number])
        .unwrap();
    fs::set_permissions(&device, fs::Permissions::from_mode(0o666)).unwrap();
    scene.names.push(("device", device.to_string_lossy().into_owned()));
    scene.files.push(device);
}

fn use_device(inside: &Inside) -> io::Result<()> {
    let mut bytes = [1; 1];
    fs::File::open(inside.name("device"))?.read_exact(&mut bytes)?;
    println!("opened a door");
    Ok(())
}

/// Somebody who takes sequenced packets, as the devices' manager of systemd does.
fn with_packets(scene: &mut Scene) {
    let place = scene.outside.join("packets");
    let listener = socket(libc::AF_UNIX, libc::SOCK_SEQPACKET, 0).unwrap();
    with_address(libc::SYS_bind, listener, &unix(&place.to_string_lossy())).unwrap();
    call(libc::SYS_listen, &[listener, 8]).unwrap();
    fs::set_permissions(&place, fs::Permissions::from_mode(0o777)).unwrap();
    // SAFETY: the kernel has just made it.
    scene.listening.push(unsafe { OwnedFd::from_raw_fd(listener as i32) });
    let reached = Arc::clone(&scene.reached);
    std::thread::spawn(move || {
        while call(libc::SYS_accept, &[listener, 0, 0]).is_ok() {
            reached.lock().unwrap().insert("packets");
        }
    });
}

/// Everybody of this user: only where that is a user that nobody is. How slow is told apart from other tests.
const OF_EVERYBODY: Attack = Attack {
    name: "slow_everybody_down",
    prepare: |scene| {
        scene.victim();
        scene.names.push(("nice", (1 + std::process::id() % 18).to_string()));
    },
    // PRIO_USER
    run: |inside| call(libc::SYS_setpriority, &[2, 0, inside.number("nice")]).map(drop),
    happened: |scene, _| {
        let name = |wanted| scene.names.iter().find(|(known, _)| *known == wanted).unwrap().1.as_str();
        let line = fs::read_to_string(format!("/proc/{}/stat", name("victim"))).unwrap();
        line.rsplit(") ").next().unwrap().split(' ').nth(16) == Some(name("nice"))
    },
    not_here: super::needs_root,
};

const OF_A_DEVICE: Attack = Attack {
    name: "use_a_device_of_everybody",
    prepare: with_device,
    run: use_device,
    happened: |_, outcome| outcome.output.contains("opened a door"),
    not_here: super::needs_root,
};

pub(super) const ATTACKS: &[Attack] = &[
    OF_EVERYBODY,
    OF_A_DEVICE,
    attack(
        "keep_the_terminal_from_printing",
        |scene| terminal(scene, "timeout 0.5 sh -c 'echo x >/dev/tty' || echo found it so"),
        // TCOOFF
        |_| call(libc::SYS_ioctl, &[0, TCXONC, 0]).map(drop),
        was_found,
    ),
    attack(
        "leave_the_terminal_without_echo",
        |scene| terminal(scene, "stty -a | grep -q -e '-echo ' && echo found it so"),
        |_| {
            // SAFETY: a structure that is written and read.
            let done = unsafe {
                let mut settings: libc::termios = std::mem::zeroed();
                libc::tcgetattr(0, &raw mut settings);
                settings.c_lflag &= !(libc::ECHO | libc::ISIG | libc::ICANON);
                libc::tcsetattr(0, libc::TCSANOW, &raw const settings)
            };
            if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
        },
        was_found,
    ),
    attack(
        "change_the_size_of_the_terminal",
        |scene| terminal(scene, IS_SMALL),
        |_| set_size(0, TIOCSWINSZ),
        was_found,
    ),
    attack(
        "change_the_size_through_the_terminal_of_the_session",
        |scene| terminal(scene, IS_SMALL),
        |_| set_size(open("/dev/tty", libc::O_RDWR)?, TIOCSWINSZ),
        was_found,
    ),
    attack(
        "change_the_size_of_the_terminal_opened_anew",
        |scene| terminal(scene, IS_SMALL),
        |_| set_size(open("/proc/self/fd/0", libc::O_RDWR | libc::O_NOCTTY)?, TIOCSWINSZ),
        was_found,
    ),
    attack(
        "change_the_size_by_a_number_with_a_high_bit",
        |scene| terminal(scene, IS_SMALL),
        |_| set_size(0, TIOCSWINSZ | 1 << 32),
        was_found,
    ),
    attack(
        "leave_a_stream_that_does_not_wait",
        given_file,
        |_| call(libc::SYS_fcntl, &[0, i64::from(libc::F_SETFL), i64::from(libc::O_NONBLOCK)]).map(drop),
        |scene, _| of_given(scene, libc::F_GETFL) & libc::O_NONBLOCK != 0,
    ),
    attack(
        "leave_a_lock_on_what_was_given",
        given_file,
        // Exclusive, without waiting.
        |_| call(libc::SYS_flock, &[0, i64::from(libc::LOCK_EX | libc::LOCK_NB)]).map(drop),
        |scene, _| {
            let other = fs::File::open(scene.outside.join("canary")).unwrap();
            call(libc::SYS_flock, &[i64::from(other.as_raw_fd()), i64::from(libc::LOCK_EX | libc::LOCK_NB)]).is_err()
        },
    ),
    attack(
        "change_the_mode_of_a_given_temporary_file",
        given_temporary_file,
        |_| call(libc::SYS_fchmod, &[0, 0o777]).map(drop),
        is_open_to_all,
    ),
    attack(
        "change_the_mode_of_what_was_given_by_its_name",
        given_temporary_file,
        |_| call(libc::SYS_fchmodat, &[i64::from(libc::AT_FDCWD), path("/proc/self/fd/0"), 0o777]).map(drop),
        is_open_to_all,
    ),
    Attack {
        not_here: super::needs_fchmodat2,
        ..attack(
            "change_the_mode_of_what_was_given_without_a_name",
            given_temporary_file,
            // fchmodat2, with AT_EMPTY_PATH
            |_| call(452, &[0, path(""), 0o777, 0x1000]).map(drop),
            is_open_to_all,
        )
    },
    attack(
        "watch_what_was_given",
        |scene| {
            given_file(scene);
            super::names::with_somebody_who_uses(scene, "outside/canary");
        },
        |_| super::names::watch(std::path::Path::new("/proc/self/fd/0"), super::names::wait),
        |_, outcome| outcome.output.contains("opened a door"),
    ),
    attack(
        "put_something_into_a_pipe_of_others",
        with_reader,
        |inside| open(inside.at(PIPE), libc::O_WRONLY).and_then(|pipe| crate::call::write(pipe, SECRET)).map(drop),
        |scene, _| {
            let (mut bytes, mut pipe) = ([0; 64], scene.inherited.as_ref().unwrap());
            pipe.read(&mut bytes).is_ok_and(|count| count > 0)
        },
    ),
    // What the documentation says stays possible.
    attack(
        "take_what_others_put_into_a_pipe",
        with_writer,
        |inside| {
            let mut bytes = [0; 64];
            let pipe = open(inside.at(PIPE), libc::O_RDONLY | libc::O_NONBLOCK)?;
            let count = call(libc::SYS_read, &[pipe, bytes.as_mut_ptr() as i64, 64])?;
            println!("{}", String::from_utf8_lossy(&bytes[..count as usize]));
            Ok(())
        },
        |_, outcome| outcome.output.contains(SECRET),
    ),
    attack(
        "send_sequenced_packets_to_others",
        with_packets,
        |inside| {
            let packets = socket(libc::AF_UNIX, libc::SOCK_SEQPACKET, 0)?;
            let place = inside.at("outside/packets");
            with_address(libc::SYS_connect, packets, &unix(&place.to_string_lossy())).map(drop)
        },
        |scene, _| scene.was_reached("packets"),
    ),
];
