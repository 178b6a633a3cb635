//! Mode, owner, times and attributes of files that may only be read.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use super::{Attack, attack};
use crate::call::{call, open, path, split, wait};
use crate::scene::{Outcome, Scene};

const TOOL: &str = "home/.cargo/bin/tool";

fn calm(scene: &mut Scene) {
    let tool = scene.root.join(TOOL);
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o640)).unwrap();
    let file = fs::File::options().write(true).open(tool).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
}

fn mode_changed(scene: &Scene, _: &Outcome) -> bool {
    fs::metadata(scene.root.join(TOOL)).unwrap().mode() & 0o7777 != 0o640
}

fn time_changed(scene: &Scene, _: &Outcome) -> bool {
    fs::metadata(scene.root.join(TOOL)).unwrap().mtime() != 0
}

fn has_attribute(scene: &Scene, _: &Outcome) -> bool {
    let tool = path(scene.root.join(TOOL));
    call(libc::SYS_getxattr, &[tool, path("user.canary"), 0, 0]).is_ok()
}

fn has_flag(scene: &Scene, _: &Outcome) -> bool {
    let file = open(scene.root.join(TOOL), libc::O_RDONLY).unwrap();
    let mut flags = 0_i64;
    call(libc::SYS_ioctl, &[file, 0x8008_6601, &raw mut flags as i64]).unwrap();
    call(libc::SYS_close, &[file]).unwrap();
    flags & NO_DUMP != 0
}

/// FS_NODUMP_FL: ioctl_iflags(2).
const NO_DUMP: i64 = 0x40;

pub(super) const ATTACKS: &[Attack] = &[
    attack("chmod", calm, |inside| call(libc::SYS_chmod, &[path(inside.at(TOOL)), 0o777]).map(drop), mode_changed),
    attack(
        "fchmodat",
        calm,
        |inside| call(libc::SYS_fchmodat, &[i64::from(libc::AT_FDCWD), path(inside.at(TOOL)), 0o777]).map(drop),
        mode_changed,
    ),
    Attack {
        not_here: super::needs_fchmodat2,
        ..attack(
            "fchmodat2",
            calm,
            |inside| call(452, &[i64::from(libc::AT_FDCWD), path(inside.at(TOOL)), 0o777, 0]).map(drop),
            mode_changed,
        )
    },
    Attack {
        not_here: super::needs_fchmodat2,
        ..attack(
            "fchmodat2_of_a_descriptor",
            calm,
            |inside| {
                let file = open(inside.at(TOOL), libc::O_PATH)?;
                call(452, &[file, path(""), 0o777, i64::from(libc::AT_EMPTY_PATH)]).map(drop)
            },
            mode_changed,
        )
    },
    attack(
        "fchmod_of_what_may_be_read",
        calm,
        |inside| call(libc::SYS_fchmod, &[open(inside.at(TOOL), libc::O_RDONLY)?, 0o777]).map(drop),
        mode_changed,
    ),
    attack(
        "chmod_through_descriptor_name",
        calm,
        |inside| {
            let file = open(inside.at(TOOL), libc::O_RDONLY)?;
            call(libc::SYS_chmod, &[path(format!("/proc/self/fd/{file}")), 0o777]).map(drop)
        },
        mode_changed,
    ),
    attack(
        "chmod_through_symlink",
        calm,
        |inside| {
            symlink(inside.at(TOOL), inside.at("project/link"))?;
            call(libc::SYS_chmod, &[path(inside.at("project/link")), 0o777]).map(drop)
        },
        mode_changed,
    ),
    attack(
        "chmod_race",
        calm,
        |inside| {
            let swapper = split(|| {
                for _ in 0..3_000 {
                    for target in ["project/src/main.rs", TOOL] {
                        let _ = symlink(inside.at(target), inside.at("project/new"));
                        let _ = fs::rename(inside.at("project/new"), inside.at("project/link"));
                    }
                }
            });
            for _ in 0..1_500 {
                let _ = call(libc::SYS_chmod, &[path(inside.at("project/link")), 0o777]);
            }
            wait(swapper);
            Ok(())
        },
        mode_changed,
    ),
    attack(
        "chmod_race_in_memory",
        calm,
        |inside| {
            // One buffer that holds a path of the project, or of the tool, as another thread likes.
            let good = inside.at("project/src/main.rs").into_os_string().into_encoded_bytes();
            let bad = inside.at(TOOL).into_os_string().into_encoded_bytes();
            let buffer: &'static mut [u8] = Box::leak(vec![0; 4096].into_boxed_slice());
            let place = buffer.as_mut_ptr() as usize;
            let put = move |text: &[u8]| {
                // SAFETY: a race is what this is for; the buffer is larger than both, and ends with zero.
                unsafe {
                    std::ptr::copy_nonoverlapping(text.as_ptr(), place as *mut u8, text.len());
                    (place as *mut u8).add(text.len()).write_volatile(0);
                }
            };
            put(&good);
            let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
            let told = stop.clone();
            let racer = std::thread::spawn(move || {
                while !told.load(std::sync::atomic::Ordering::Relaxed) {
                    put(&bad);
                    put(&good);
                }
            });
            for _ in 0..4_000 {
                let _ = call(libc::SYS_chmod, &[place as i64, 0o777]);
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            racer.join().map_err(|_| io::Error::other("racer"))
        },
        mode_changed,
    ),
    attack(
        "utimensat",
        calm,
        |inside| call(libc::SYS_utimensat, &[i64::from(libc::AT_FDCWD), path(inside.at(TOOL)), 0, 0]).map(drop),
        time_changed,
    ),
    attack(
        "futimens_of_what_may_be_read",
        calm,
        |inside| call(libc::SYS_utimensat, &[open(inside.at(TOOL), libc::O_RDONLY)?, 0, 0, 0]).map(drop),
        time_changed,
    ),
    #[cfg(target_arch = "x86_64")]
    attack("utime", calm, |inside| call(libc::SYS_utime, &[path(inside.at(TOOL)), 0]).map(drop), time_changed),
    #[cfg(target_arch = "x86_64")]
    attack("utimes", calm, |inside| call(libc::SYS_utimes, &[path(inside.at(TOOL)), 0]).map(drop), time_changed),
    attack(
        "set_attribute",
        calm,
        |inside| {
            let (tool, name, value) = (path(inside.at(TOOL)), path("user.canary"), path("x"));
            call(libc::SYS_setxattr, &[tool, name, value, 1, 0]).map(drop)
        },
        has_attribute,
    ),
    attack(
        "set_attribute_of_what_may_be_read",
        calm,
        |inside| {
            let file = open(inside.at(TOOL), libc::O_RDONLY)?;
            call(libc::SYS_fsetxattr, &[file, path("user.canary"), path("x"), 1, 0]).map(drop)
        },
        has_attribute,
    ),
    attack(
        "remove_attribute",
        |scene| {
            let (tool, name, value) = (path(scene.root.join(TOOL)), path("user.canary"), path("x"));
            call(libc::SYS_setxattr, &[tool, name, value, 1, 0]).unwrap();
        },
        |inside| call(libc::SYS_removexattr, &[path(inside.at(TOOL)), path("user.canary")]).map(drop),
        |scene, outcome| !has_attribute(scene, outcome),
    ),
    attack(
        "set_attribute_by_link",
        calm,
        |inside| {
            symlink(inside.at(TOOL), inside.at("project/link"))?;
            let (link, name, value) = (path(inside.at("project/link")), path("user.canary"), path("x"));
            call(libc::SYS_setxattr, &[link, name, value, 1, 0]).map(drop)
        },
        has_attribute,
    ),
    #[cfg(target_arch = "x86_64")]
    attack(
        "futimesat",
        calm,
        |inside| call(libc::SYS_futimesat, &[i64::from(libc::AT_FDCWD), path(inside.at(TOOL)), 0]).map(drop),
        time_changed,
    ),
    attack(
        "set_flags_of_what_may_be_read",
        calm,
        |inside| {
            let file = open(inside.at(TOOL), libc::O_RDONLY)?;
            let mut flags = 0_i64;
            call(libc::SYS_ioctl, &[file, 0x8008_6601, &raw mut flags as i64])?;
            flags |= NO_DUMP;
            call(libc::SYS_ioctl, &[file, 0x4008_6602, &raw const flags as i64]).map(drop)
        },
        has_flag,
    ),
    attack(
        "set_flags_with_a_high_bit",
        calm,
        |inside| {
            let file = open(inside.at(TOOL), libc::O_RDONLY)?;
            let mut flags = 0_i64;
            call(libc::SYS_ioctl, &[file, 0x8008_6601, &raw mut flags as i64])?;
            flags |= NO_DUMP;
            call(libc::SYS_ioctl, &[file, 0x4008_6602 | 1 << 40, &raw const flags as i64]).map(drop)
        },
        has_flag,
    ),
    #[cfg(target_arch = "x86_64")]
    attack(
        "chmod_by_the_32_bit_door",
        calm,
        |inside| {
            // chmod is 15 there; its addresses have 32 bits.
            // SAFETY: a fresh mapping in the low memory.
            let low = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    4096,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_32BIT,
                    -1,
                    0,
                )
            };
            let text = inside.at(TOOL).into_os_string().into_encoded_bytes();
            let done: i64;
            // SAFETY: the text is shorter than the page, which is full of zeros.
            unsafe {
                std::ptr::copy_nonoverlapping(text.as_ptr(), low.cast(), text.len());
                std::arch::asm!(
                    "push rbx", "mov ebx, esi", "int 0x80", "pop rbx",
                    inlateout("rax") 15_i64 => done, in("rsi") low, in("rcx") 0o777,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _
                );
            }
            if done == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(-done as i32)) }
        },
        mode_changed,
    ),
];
