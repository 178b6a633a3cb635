//! Doors of recent kernels, and some that are seldom looked at.

use std::fs;
use std::io;

use super::{Attack, Inside, attack};
use crate::call::{call, path, split, wait};
use crate::scene::{NOBODY, Outcome, Scene, is_root};

// include/uapi/asm-generic/unistd.h
const STATMOUNT: i64 = 457;
const LISTMOUNT: i64 = 458;
const AT_FDCWD: i64 = libc::AT_FDCWD as i64;

fn nothing(_: &mut Scene) {}

fn with_victim(scene: &mut Scene) {
    scene.victim();
}

fn opened(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains("opened a door")
}

fn door(result: io::Result<i64>) -> io::Result<()> {
    result.map(|_| println!("opened a door"))
}

/// In namespaces of one's own, where everything may be mounted. Only a process without threads gets them.
fn with_own_mounts(then: impl FnOnce() -> io::Result<i64>) -> io::Result<()> {
    wait(split(|| {
        let own = call(libc::SYS_unshare, &[i64::from(libc::CLONE_NEWUSER | libc::CLONE_NEWNS)]);
        let _ = door(own.and_then(|_| then()));
    }));
    Ok(())
}

/// A key in the keyring of the user that attacker and walls run as.
fn with_key(_: &mut Scene) {
    let add = || {
        if is_root() {
            let user = i64::from(NOBODY);
            call(libc::SYS_setresgid, &[user, user, user]).unwrap();
            call(libc::SYS_setresuid, &[user, user, user]).unwrap();
        }
        // KEY_SPEC_USER_KEYRING
        let (kind, name, value) = (path("user"), path("handraise-canary-key"), path("x"));
        let key = call(libc::SYS_add_key, &[kind, name, value, 1, -4]).unwrap();
        // KEYCTL_SET_TIMEOUT: nothing else takes it away.
        call(libc::SYS_keyctl, &[15, key, 60]).unwrap();
    };
    std::thread::spawn(add).join().unwrap();
}

fn of_victim(i: &Inside, file: &str) -> String {
    format!("/proc/{}/{file}", i.name("victim"))
}

/// Where something is mounted, as the kernel says it by number.
fn mounted_at(mount: u64) -> io::Result<String> {
    // struct mnt_id_req: size, the mount, STATMOUNT_MNT_POINT.
    let asked = [24_u64, mount, 0x10];
    let mut told = vec![0_u8; 8192];
    call(STATMOUNT, &[asked.as_ptr() as i64, told.as_mut_ptr() as i64, told.len() as i64, 0])?;
    // struct statmount: mnt_point is an offset into the texts behind 512 bytes.
    let at = u32::from_ne_bytes(told[108..112].try_into().unwrap()) as usize;
    let text = told[512..].get(at..).unwrap_or_default();
    Ok(String::from_utf8_lossy(text.split(|byte| *byte == 0).next().unwrap()).into_owned())
}

/// listmount(2) came with Linux 6.8.
fn needs_list_of_mounts() -> Option<&'static str> {
    let is_known = || call(LISTMOUNT, &[0; 4]).is_err_and(|error| error.raw_os_error() != Some(libc::ENOSYS));
    super::needs_root().or_else(|| (!is_known()).then_some("the kernel has no listmount"))
}

pub(super) const ATTACKS: &[Attack] = &[
    attack(
        "see_names_of_keys",
        with_key,
        |_| {
            println!("{}", fs::read_to_string("/proc/keys")?);
            Ok(())
        },
        |_, outcome| outcome.output.contains("handraise-canary-key"),
    ),
    attack(
        "count_keys",
        with_key,
        |_| {
            let count = fs::read_to_string("/proc/key-users")?;
            door(if count.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(0) })
        },
        opened,
    ),
    Attack {
        not_here: needs_list_of_mounts,
        ..attack(
            "see_what_is_mounted_by_number",
            super::names::with_mount,
            |i| {
                let mut mounts = [0_u64; 512];
                // LSMT_ROOT
                let asked = [24_u64, u64::MAX, 0];
                let count = call(LISTMOUNT, &[asked.as_ptr() as i64, mounts.as_mut_ptr() as i64, 512, 0])?;
                let wanted = i.at("outside/mounted").display().to_string();
                let is_it = |mount: &u64| mounted_at(*mount).is_ok_and(|place| place == wanted);
                door(if mounts[..count as usize].iter().any(is_it) {
                    Ok(0)
                } else {
                    Err(io::ErrorKind::NotFound.into())
                })
            },
            opened,
        )
    },
    attack("mount_by_steps", nothing, |_| with_own_mounts(|| call(libc::SYS_fsopen, &[path("tmpfs"), 0])), opened),
    attack(
        "copy_what_is_mounted",
        nothing,
        // OPEN_TREE_CLONE, AT_RECURSIVE
        |_| with_own_mounts(|| call(libc::SYS_open_tree, &[AT_FDCWD, path("/"), 1 | 0x8000])),
        opened,
    ),
    attack(
        "change_what_is_mounted",
        nothing,
        |_| {
            // Read-only, for all of it.
            let attributes = [1_u64, 0, 0, 0];
            let asked = [attributes.as_ptr() as i64, 32];
            with_own_mounts(|| call(libc::SYS_mount_setattr, &[AT_FDCWD, path("/"), 0x8000, asked[0], asked[1]]))
        },
        opened,
    ),
    attack(
        "mount_over_a_folder",
        nothing,
        |i| {
            let place = path(i.at("project/src"));
            with_own_mounts(|| call(libc::SYS_mount, &[path("tmpfs"), place, path("tmpfs"), 0, 0]))
        },
        opened,
    ),
    attack(
        "ask_for_the_locks_of_a_thread",
        with_victim,
        |i| {
            let mut told = [0_u64; 2];
            let places = [&raw mut told[0] as i64, &raw mut told[1] as i64];
            door(call(libc::SYS_get_robust_list, &[i.number("victim"), places[0], places[1]]))
        },
        opened,
    ),
    attack(
        "forget_what_a_process_has_used",
        with_victim,
        |i| door(fs::write(of_victim(i, "clear_refs"), "1").map(|()| 0)),
        opened,
    ),
    attack(
        "see_how_a_process_is_mapped",
        with_victim,
        |i| door(fs::read(of_victim(i, "smaps_rollup")).map(|read| read.len() as i64)),
        opened,
    ),
    attack(
        "see_pages_of_a_process",
        with_victim,
        |i| {
            use std::io::Read;
            let mut page = [0; 8];
            door(fs::File::open(of_victim(i, "pagemap"))?.read(&mut page).map(|read| read as i64))
        },
        opened,
    ),
    attack(
        "see_what_a_process_reads_and_writes",
        with_victim,
        |i| door(fs::read(of_victim(i, "io")).map(|read| read.len() as i64)),
        opened,
    ),
    attack(
        "ask_where_pages_of_a_process_are",
        with_victim,
        |i| {
            let (page, mut status) = ([0x1000_i64], [0_i32]);
            let asked = [page.as_ptr() as i64, status.as_mut_ptr() as i64];
            door(call(libc::SYS_move_pages, &[i.number("victim"), 1, asked[0], 0, asked[1], 0]))
        },
        opened,
    ),
];
