//! Writing outside of the project.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, symlink};

use super::{Attack, Inside, attack};
use crate::call::{call, open, path, split, wait, write};
use crate::scene::{Outcome, Scene, UNTOUCHED};

fn nothing(_: &mut Scene) {}

fn canary_changed(scene: &Scene, _: &Outcome) -> bool {
    !scene.is_untouched("outside/canary")
}

fn made(scene: &Scene, _: &Outcome) -> bool {
    fs::symlink_metadata(scene.outside.join("made")).is_ok()
}

fn tool_changed(scene: &Scene, _: &Outcome) -> bool {
    !scene.is_untouched("home/.cargo/bin/tool")
}

fn has_setuid(scene: &Scene, _: &Outcome) -> bool {
    fs::metadata(scene.project.join("made")).is_ok_and(|found| found.mode() & 0o6000 != 0)
}

fn write_over(inside: &Inside, at: &str) -> io::Result<()> {
    fs::write(inside.at(at), "changed")
}

fn with_victim(scene: &mut Scene) {
    scene.victim();
}

pub(super) const ATTACKS: &[Attack] = &[
    attack("write_directly", nothing, |inside| write_over(inside, "outside/canary"), canary_changed),
    attack("write_with_dots", nothing, |inside| write_over(inside, "project/src/../../outside/canary"), canary_changed),
    attack(
        "write_through_symlink",
        nothing,
        |inside| {
            symlink(inside.at("outside/canary"), inside.at("project/link"))?;
            write_over(inside, "project/link")
        },
        canary_changed,
    ),
    attack(
        "write_through_linked_folder",
        nothing,
        |inside| {
            symlink(inside.at("outside"), inside.at("project/link"))?;
            write_over(inside, "project/link/canary")
        },
        canary_changed,
    ),
    attack(
        "write_through_hard_link",
        nothing,
        |inside| {
            fs::hard_link(inside.at("outside/canary"), inside.at("project/link"))?;
            write_over(inside, "project/link")
        },
        canary_changed,
    ),
    attack(
        "write_through_proc_root",
        nothing,
        |inside| fs::write(format!("/proc/self/root{}", inside.at("outside/canary").display()), "changed"),
        canary_changed,
    ),
    attack(
        "write_through_process_root",
        with_victim,
        |inside| {
            let canary = inside.at("outside/canary");
            fs::write(format!("/proc/{}/root{}", inside.name("victim"), canary.display()), "changed")
        },
        canary_changed,
    ),
    attack(
        "write_through_process_folder",
        with_victim,
        |inside| fs::write(format!("/proc/{}/cwd/canary", inside.name("victim")), "changed"),
        canary_changed,
    ),
    attack(
        "write_through_process_descriptor",
        with_victim,
        |inside| fs::write(format!("/proc/{}/fd/0", inside.name("victim")), "changed"),
        canary_changed,
    ),
    attack(
        "write_to_inherited_descriptor",
        |scene| {
            let canary = fs::OpenOptions::new().write(true).open(scene.outside.join("canary"));
            scene.inherited = canary.ok();
        },
        |_| write(9, "changed").map(drop),
        canary_changed,
    ),
    attack(
        "write_below_inherited_folder",
        |scene| scene.inherited = fs::File::open(&scene.outside).ok(),
        |_| {
            let file = call(libc::SYS_openat, &[9, path("canary"), i64::from(libc::O_WRONLY | libc::O_TRUNC), 0])?;
            write(file, "changed").map(drop)
        },
        canary_changed,
    ),
    attack(
        "rename_away",
        nothing,
        |inside| fs::rename(inside.at("outside/canary"), inside.at("project/canary")),
        canary_changed,
    ),
    attack(
        "rename_over",
        nothing,
        |inside| fs::rename(inside.at("project/src/main.rs"), inside.at("outside/canary")),
        canary_changed,
    ),
    attack(
        "exchange",
        nothing,
        |inside| {
            let here = i64::from(libc::AT_FDCWD);
            let (one, other) = (path(inside.at("project/src/main.rs")), path(inside.at("outside/canary")));
            call(libc::SYS_renameat2, &[here, one, here, other, i64::from(libc::RENAME_EXCHANGE)]).map(drop)
        },
        canary_changed,
    ),
    attack("delete", nothing, |inside| fs::remove_file(inside.at("outside/canary")), canary_changed),
    attack(
        "truncate",
        nothing,
        |inside| call(libc::SYS_truncate, &[path(inside.at("outside/canary")), 0]).map(drop),
        canary_changed,
    ),
    attack(
        "truncate_what_may_be_read",
        nothing,
        |inside| call(libc::SYS_truncate, &[path(inside.at("home/.cargo/bin/tool")), 0]).map(drop),
        tool_changed,
    ),
    attack(
        "truncate_while_opening_to_read",
        nothing,
        |inside| open(inside.at("home/.cargo/bin/tool"), libc::O_RDONLY | libc::O_TRUNC).map(drop),
        tool_changed,
    ),
    attack(
        "truncate_while_opening_by_openat2",
        nothing,
        |inside| {
            let how = [(libc::O_RDONLY | libc::O_TRUNC) as u64, 0, 0];
            let file = path(inside.at("home/.cargo/bin/tool"));
            call(libc::SYS_openat2, &[i64::from(libc::AT_FDCWD), file, how.as_ptr() as i64, 24]).map(drop)
        },
        tool_changed,
    ),
    attack("write_what_may_be_read", nothing, |inside| write_over(inside, "home/.cargo/bin/tool"), tool_changed),
    attack(
        "reopen_for_writing",
        nothing,
        |inside| {
            let file = open(inside.at("home/.cargo/bin/tool"), libc::O_RDONLY)?;
            fs::write(format!("/proc/self/fd/{file}"), "changed")
        },
        tool_changed,
    ),
    attack(
        "write_through_hard_link_of_what_may_be_read",
        nothing,
        |inside| {
            fs::hard_link(inside.at("home/.cargo/bin/tool"), inside.at("project/link"))?;
            write_over(inside, "project/link")
        },
        tool_changed,
    ),
    attack(
        "write_through_hard_link_of_a_descriptor",
        nothing,
        |inside| {
            let file = open(inside.at("home/.cargo/bin/tool"), libc::O_PATH)?;
            let (here, to) = (i64::from(libc::AT_FDCWD), path(inside.at("project/link")));
            let from = path(format!("/proc/self/fd/{file}"));
            call(libc::SYS_linkat, &[here, from, here, to, i64::from(libc::AT_SYMLINK_FOLLOW)])?;
            write_over(inside, "project/link")
        },
        tool_changed,
    ),
    attack(
        "rename_what_may_be_read",
        nothing,
        |inside| fs::rename(inside.at("home/.cargo/bin/tool"), inside.at("project/tool")),
        tool_changed,
    ),
    attack(
        "exchange_what_may_be_read",
        nothing,
        |inside| {
            let here = i64::from(libc::AT_FDCWD);
            let (one, other) = (path(inside.at("project/src/main.rs")), path(inside.at("home/.cargo/bin/tool")));
            call(libc::SYS_renameat2, &[here, one, here, other, i64::from(libc::RENAME_EXCHANGE)]).map(drop)
        },
        tool_changed,
    ),
    attack(
        "exchange_folders",
        nothing,
        |inside| {
            let here = i64::from(libc::AT_FDCWD);
            let (one, other) = (path(inside.at("project/src")), path(inside.at("outside")));
            call(libc::SYS_renameat2, &[here, one, here, other, i64::from(libc::RENAME_EXCHANGE)]).map(drop)
        },
        canary_changed,
    ),
    attack("rename_the_project", nothing, |inside| fs::rename(inside.at("project"), inside.at("outside/made")), made),
    #[cfg(target_arch = "x86_64")]
    attack(
        "empty_by_creat",
        nothing,
        |inside| call(libc::SYS_creat, &[path(inside.at("home/.cargo/bin/tool")), 0o644]).map(drop),
        tool_changed,
    ),
    attack(
        "make_by_openat2",
        nothing,
        |inside| {
            let how = [(libc::O_WRONLY | libc::O_CREAT) as u64, 0o644, 0];
            let file = path(inside.at("outside/made"));
            call(libc::SYS_openat2, &[i64::from(libc::AT_FDCWD), file, how.as_ptr() as i64, 24]).map(drop)
        },
        made,
    ),
    attack(
        "make_socket",
        nothing,
        |inside| std::os::unix::net::UnixListener::bind(inside.at("outside/made")).map(drop),
        made,
    ),
    attack("make_file", nothing, |inside| write_over(inside, "outside/made"), made),
    attack("make_folder", nothing, |inside| fs::create_dir(inside.at("outside/made")), made),
    attack("make_link", nothing, |inside| symlink("/etc/passwd", inside.at("outside/made")), made),
    attack(
        "make_hard_link_outside",
        nothing,
        |inside| fs::hard_link(inside.at("project/src/main.rs"), inside.at("outside/made")),
        made,
    ),
    attack(
        "make_pipe",
        nothing,
        |inside| {
            let mode = i64::from(libc::S_IFIFO | 0o600);
            call(libc::SYS_mknodat, &[i64::from(libc::AT_FDCWD), path(inside.at("outside/made")), mode, 0]).map(drop)
        },
        made,
    ),
    attack(
        "link_nameless_file",
        nothing,
        |inside| {
            let file = open(inside.at("project"), libc::O_TMPFILE | libc::O_WRONLY)?;
            let (here, to) = (i64::from(libc::AT_FDCWD), path(inside.at("outside/made")));
            let from = path(format!("/proc/self/fd/{file}"));
            call(libc::SYS_linkat, &[here, from, here, to, i64::from(libc::AT_SYMLINK_FOLLOW)]).map(drop)
        },
        made,
    ),
    attack("make_through_io_uring", nothing, |inside| crate::call::io_uring_make(&inside.at("outside/made")), made),
    attack(
        "write_from_memory_program",
        nothing,
        |_| {
            let memory = call(libc::SYS_memfd_create, &[path("x"), 0])?;
            fs::write(format!("/proc/self/fd/{memory}"), fs::read(std::env::current_exe()?)?)?;
            let child = std::process::Command::new(format!("/proc/self/fd/{memory}"))
                .args(["--ignored", "--exact", "attacker", "--nocapture", "--test-threads=1"])
                .env("ATTACK", "write_directly")
                .status()?;
            if child.success() { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
        },
        canary_changed,
    ),
    attack(
        "write_by_loader",
        nothing,
        |_| {
            let loader = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];
            let loader = loader.into_iter().find(|loader| std::path::Path::new(loader).exists()).unwrap();
            let child = std::process::Command::new(loader)
                .arg(std::env::current_exe()?)
                .args(["--ignored", "--exact", "attacker", "--nocapture", "--test-threads=1"])
                .env("ATTACK", "write_directly")
                .status()?;
            if child.success() { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
        },
        canary_changed,
    ),
    attack(
        "write_in_new_namespaces",
        nothing,
        |inside| {
            let (user, group) = ids();
            wait(split(|| {
                let enter = || -> io::Result<()> {
                    call(libc::SYS_unshare, &[i64::from(libc::CLONE_NEWUSER | libc::CLONE_NEWNS)])?;
                    fs::write("/proc/self/setgroups", "deny")?;
                    fs::write("/proc/self/uid_map", format!("0 {user} 1"))?;
                    fs::write("/proc/self/gid_map", format!("0 {group} 1"))?;
                    let (from, to) = (path(inside.at("outside")), path(inside.at("project/src")));
                    call(libc::SYS_mount, &[from, to, 0, libc::MS_BIND as i64, 0])?;
                    write_over(inside, "project/src/canary")
                };
                println!("{:?}", enter());
            }));
            Ok(())
        },
        canary_changed,
    ),
    attack(
        "write_after_chroot",
        nothing,
        |inside| {
            let flags = i64::from(libc::CLONE_NEWUSER | libc::SIGCHLD);
            let pid = call(libc::SYS_clone, &[flags, 0, 0, 0, 0])?;
            if pid == 0 {
                let _ = call(libc::SYS_chroot, &[path(inside.at("outside"))]);
                let _ = fs::write("/canary", "changed");
                std::process::exit(0);
            }
            wait(pid as i32);
            Ok(())
        },
        canary_changed,
    ),
    attack(
        "write_in_namespaces_by_clone3",
        nothing,
        |inside| {
            let mut arguments = [0_u64; 11];
            arguments[0] = libc::CLONE_NEWUSER as u64;
            arguments[4] = libc::SIGCHLD as u64;
            let pid = call(libc::SYS_clone3, &[arguments.as_ptr() as i64, 88])?;
            if pid == 0 {
                let _ = call(libc::SYS_chroot, &[path(inside.at("outside"))]);
                let _ = fs::write("/canary", "changed");
                std::process::exit(0);
            }
            wait(pid as i32);
            Ok(())
        },
        canary_changed,
    ),
    attack(
        "make_setuid_program",
        nothing,
        |inside| {
            let mut file = fs::OpenOptions::new();
            file.write(true).create(true).truncate(true).mode(0o4755);
            file.open(inside.at("project/made")).map(drop)
        },
        has_setuid,
    ),
    attack(
        "make_setuid_program_by_chmod",
        nothing,
        |inside| {
            fs::write(inside.at("project/made"), UNTOUCHED)?;
            fs::set_permissions(inside.at("project/made"), fs::Permissions::from_mode(0o6755))
        },
        has_setuid,
    ),
    attack(
        "make_setuid_program_by_mknod",
        nothing,
        |inside| {
            let mode = i64::from(libc::S_IFREG | 0o4755);
            call(libc::SYS_mknodat, &[i64::from(libc::AT_FDCWD), path(inside.at("project/made")), mode, 0]).map(drop)
        },
        has_setuid,
    ),
    Attack {
        name: "run_setuid_program",
        prepare: |scene| {
            let program = scene.home.join(".cargo/bin/setuid");
            fs::copy(crate::scene::programs().join("attacker"), &program).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o4755)).unwrap();
        },
        run: |inside| {
            let child = std::process::Command::new(inside.at("home/.cargo/bin/setuid"))
                .args(["--ignored", "--exact", "attacker", "--nocapture", "--test-threads=1"])
                .env("ATTACK", "say_who")
                .status()?;
            if child.success() { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
        },
        happened: |_, outcome| outcome.output.contains("effective user 0"),
        not_here: super::needs_root,
    },
    attack(
        "race_a_link_while_writing",
        nothing,
        |inside| {
            let link = inside.at("project/link");
            let swapper = split(|| {
                for _ in 0..2_000 {
                    for target in ["project/src/main.rs", "outside/canary"] {
                        let _ = symlink(inside.at(target), inside.at("project/new"));
                        let _ = fs::rename(inside.at("project/new"), inside.at("project/link"));
                    }
                }
            });
            for _ in 0..2_000 {
                let file = fs::OpenOptions::new().write(true).open(&link);
                let _ = file.and_then(|mut file| io::Write::write_all(&mut file, b"changed"));
            }
            wait(swapper);
            Ok(())
        },
        canary_changed,
    ),
];

pub(super) fn ids() -> (u32, u32) {
    // SAFETY: they take nothing.
    unsafe { (libc::getuid(), libc::getgid()) }
}
