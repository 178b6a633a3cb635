//! Locks on what may only be read: whoever waits for one outside would wait.

use std::fs;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

use super::{Attack, attack};
use crate::call::{call, open};
use crate::scene::{Outcome, Scene};

const TOOL: &str = "home/.cargo/bin/tool";
/// A file that may be read in a folder that may not.
const SETTINGS: &str = "home/.gitconfig";

fn held_up(scene: &Scene, _: &Outcome) -> bool {
    scene.was_reached("held up")
}

/// One of many: other tests lock theirs at the same time.
fn program_of_the_system() -> String {
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let files = fs::read_dir("/usr/bin").unwrap().flatten().filter(is_file);
    let mut programs: Vec<_> = files.map(|entry| entry.path().to_string_lossy().into_owned()).collect();
    programs.sort();
    programs[std::process::id() as usize % programs.len()].clone()
}

/// Somebody outside tries again and again to get a lock, and lets go of it.
fn with_somebody_who_locks(scene: &mut Scene, file: &str, lock: fn(&Path) -> io::Result<()>) {
    let file = scene.root.join(file);
    if !file.exists() {
        fs::write(&file, "[user]\n").unwrap();
        scene.give_away();
    }
    scene.meanwhile = Some(Box::new(move || {
        (0..80).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            lock(&file).is_err().then_some("held up")
        })
    }));
}

fn whole(kind: i32) -> libc::flock {
    // SAFETY: all zeros is the whole file.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = kind as _;
    lock
}

fn by_flock(at: &Path) -> io::Result<()> {
    let file = fs::File::open(at).unwrap();
    call(libc::SYS_flock, &[i64::from(file.as_raw_fd()), i64::from(libc::LOCK_EX | libc::LOCK_NB)]).map(drop)
}

fn by_record(at: &Path) -> io::Result<()> {
    let file = fs::OpenOptions::new().write(true).open(at).unwrap();
    let lock = whole(libc::F_WRLCK);
    let command = i64::from(libc::F_OFD_SETLK);
    call(libc::SYS_fcntl, &[i64::from(file.as_raw_fd()), command, &raw const lock as i64]).map(drop)
}

/// Gets a lock, and keeps it for a moment.
fn keep(at: &Path, lock: impl FnOnce(i64) -> io::Result<i64>) -> io::Result<()> {
    let file = open(at, libc::O_RDONLY)?;
    lock(file)?;
    println!("ready");
    std::thread::sleep(std::time::Duration::from_millis(300));
    Ok(())
}

fn flock(file: i64) -> io::Result<i64> {
    call(libc::SYS_flock, &[file, i64::from(libc::LOCK_EX)])
}

fn record(file: i64, command: i32) -> io::Result<i64> {
    let lock = whole(libc::F_RDLCK);
    call(libc::SYS_fcntl, &[file, i64::from(command), &raw const lock as i64])
}

pub(super) const ATTACKS: &[Attack] = &[
    attack(
        "lock_what_may_be_read",
        |scene| with_somebody_who_locks(scene, TOOL, by_flock),
        |i| keep(&i.at(TOOL), flock),
        held_up,
    ),
    attack(
        "lock_a_file_that_may_be_read",
        |scene| with_somebody_who_locks(scene, SETTINGS, by_flock),
        |i| keep(&i.at(SETTINGS), flock),
        held_up,
    ),
    attack(
        "lock_a_folder_of_tools",
        |scene| with_somebody_who_locks(scene, "home/.cargo/bin", by_flock),
        |i| keep(&i.at("home/.cargo/bin"), flock),
        held_up,
    ),
    attack(
        "lock_a_program_of_the_system",
        |scene| {
            let program = program_of_the_system();
            scene.names.push(("system", program.clone()));
            with_somebody_who_locks(scene, &program, by_flock);
        },
        |i| keep(Path::new(&i.name("system")), flock),
        held_up,
    ),
    attack(
        "lock_records_of_what_may_be_read",
        |scene| with_somebody_who_locks(scene, TOOL, by_record),
        |i| keep(&i.at(TOOL), |file| record(file, libc::F_SETLKW)),
        held_up,
    ),
    attack(
        "lock_records_by_the_open_file",
        |scene| with_somebody_who_locks(scene, TOOL, by_record),
        |i| keep(&i.at(TOOL), |file| record(file, libc::F_OFD_SETLKW)),
        held_up,
    ),
    attack(
        "lock_through_a_second_name",
        |scene| with_somebody_who_locks(scene, TOOL, by_flock),
        |i| {
            let tool = open(i.at(TOOL), libc::O_PATH)?;
            keep(Path::new(&format!("/proc/self/fd/{tool}")), flock)
        },
        held_up,
    ),
    attack(
        "hold_up_writers_by_a_lease",
        |_| (),
        |i| {
            let tool = open(i.at(TOOL), libc::O_RDONLY)?;
            call(libc::SYS_fcntl, &[tool, i64::from(libc::F_SETLEASE), i64::from(libc::F_RDLCK)])?;
            println!("opened a door");
            Ok(())
        },
        |_, outcome| outcome.output.contains("opened a door"),
    ),
];
