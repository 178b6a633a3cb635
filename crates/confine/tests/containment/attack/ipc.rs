//! Memory, messages and keys that processes of one user share.

use std::fs;

use super::{Attack, attack};
use crate::call::{call, path};
use crate::scene::{Outcome, SECRET, Scene};

/// A key of System V for this scene.
pub(super) fn key(root: &std::path::Path) -> i64 {
    let number =
        root.to_string_lossy().bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
    i64::from(number & 0x7fff_ffff)
}

fn secret_came_out(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains(SECRET)
}

fn opened(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains("opened a door")
}

pub(super) const ATTACKS: &[Attack] = &[
    attack(
        "shared_memory",
        |scene| {
            let segment =
                call(libc::SYS_shmget, &[key(&scene.root), 4096, i64::from(libc::IPC_CREAT | 0o666)]).unwrap();
            // SAFETY: a fresh segment of a page.
            unsafe {
                let place = libc::shmat(segment as i32, std::ptr::null(), 0).cast::<u8>();
                place.copy_from(SECRET.as_ptr(), SECRET.len());
                // It goes when the last process lets go of it.
                libc::shmdt(place.cast());
            }
            scene.shared.push(segment as i32);
        },
        |inside| {
            let segment =
                call(libc::SYS_shmget, &[key(&inside.at("").components().collect::<std::path::PathBuf>()), 0, 0])?;
            let place = call(libc::SYS_shmat, &[segment, 0, 0])?;
            // SAFETY: the segment has a page, and holds the text.
            let text = unsafe { std::slice::from_raw_parts(place as *const u8, SECRET.len()) };
            println!("{}", String::from_utf8_lossy(text));
            Ok(())
        },
        secret_came_out,
    ),
    attack(
        "semaphores",
        |scene| {
            let set = call(libc::SYS_semget, &[key(&scene.root), 1, i64::from(libc::IPC_CREAT | 0o666)]).unwrap();
            scene.semaphores.push(set as i32);
        },
        |inside| {
            let key = key(&inside.at("").components().collect::<std::path::PathBuf>());
            call(libc::SYS_semget, &[key, 0, 0]).map(|_| println!("opened a door"))
        },
        opened,
    ),
    attack(
        "messages",
        |scene| {
            let queue = call(libc::SYS_msgget, &[key(&scene.root), i64::from(libc::IPC_CREAT | 0o666)]).unwrap();
            scene.messages.push(queue as i32);
        },
        |inside| {
            let key = key(&inside.at("").components().collect::<std::path::PathBuf>());
            call(libc::SYS_msgget, &[key, 0]).map(|_| println!("opened a door"))
        },
        opened,
    ),
    attack(
        "posix_shared_memory",
        |scene| {
            let name = format!("/dev/shm/handraise-{}", key(&scene.root));
            fs::write(&name, SECRET).unwrap();
            scene.files.push(name.into());
        },
        |inside| {
            let name =
                format!("/dev/shm/handraise-{}", key(&inside.at("").components().collect::<std::path::PathBuf>()));
            println!("{}", fs::read_to_string(name)?);
            Ok(())
        },
        secret_came_out,
    ),
    attack(
        "message_queue_of_posix",
        |scene| {
            let name = format!("handraise-{}", key(&scene.root));
            let flags = i64::from(libc::O_CREAT | libc::O_RDWR);
            call(libc::SYS_mq_open, &[path(&name), flags, 0o666, 0]).unwrap();
            scene.queues.push(name);
        },
        |inside| {
            let name = format!("handraise-{}", key(&inside.at("").components().collect::<std::path::PathBuf>()));
            call(libc::SYS_mq_open, &[path(name), i64::from(libc::O_RDONLY), 0, 0]).map(|_| println!("opened a door"))
        },
        opened,
    ),
    attack(
        "file_of_others_in_tmp",
        |scene| {
            let name = format!("/tmp/handraise-canary-{}", key(&scene.root));
            fs::write(&name, SECRET).unwrap();
            scene.files.push(name.into());
        },
        |inside| {
            let name =
                format!("/tmp/handraise-canary-{}", key(&inside.at("").components().collect::<std::path::PathBuf>()));
            println!("{}", fs::read_to_string(name)?);
            Ok(())
        },
        secret_came_out,
    ),
    attack(
        "add_a_key",
        |_| {},
        |_| {
            // To the session's keyring: KEY_SPEC_SESSION_KEYRING.
            let (kind, name, value) = (path("user"), path("handraise-canary"), path("x"));
            call(libc::SYS_add_key, &[kind, name, value, 1, -3]).map(|_| println!("opened a door"))
        },
        opened,
    ),
    attack(
        "list_keys",
        |_| {},
        // KEYCTL_GET_KEYRING_ID of KEY_SPEC_USER_KEYRING.
        |_| call(libc::SYS_keyctl, &[0, -4, 1]).map(|_| println!("opened a door")),
        opened,
    ),
    attack(
        "performance_of_the_machine",
        |_| {},
        |_| {
            // A software counter of one's own: PERF_TYPE_SOFTWARE, user space only.
            let mut attributes = [0_u64; 16];
            attributes[0] = 1 | (128 << 32);
            attributes[5] = 1 << 5 | 1 << 6;
            call(libc::SYS_perf_event_open, &[attributes.as_ptr() as i64, 0, -1, -1, 0])
                .map(|_| println!("opened a door"))
        },
        opened,
    ),
    attack(
        "faults_of_memory",
        |_| {},
        // UFFD_USER_MODE_ONLY
        |_| call(libc::SYS_userfaultfd, &[1]).map(|_| println!("opened a door")),
        opened,
    ),
];
