//! Processes that a command leaves running, and that do not want to be ended.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::call::{call, path, split};
use crate::passes::MODES;
use crate::scene::{Mode, NOBODY, Programs, Scene, is_root, ordinary};

/// What a process that was not ended makes in the end.
const LATE: &str = "late";

/// Hides its memory, and with it all that `/proc` says of it, and goes on without a parent for longer than anybody waits.
pub(crate) fn hide_and_stay(project: &Path) -> io::Result<()> {
    let late = path(project.join(LATE));
    split(|| {
        call(libc::SYS_prctl, &[i64::from(libc::PR_SET_DUMPABLE), 0]).unwrap();
        split(|| {
            call(libc::SYS_setsid, &[]).unwrap();
            std::thread::sleep(Duration::from_secs(12));
            let _ = call(libc::SYS_mknodat, &[i64::from(libc::AT_FDCWD), late, i64::from(libc::S_IFREG | 0o644), 0]);
        });
    });
    std::thread::sleep(Duration::from_millis(200));
    Ok(())
}

/// Rows of processes, each of which starts the next, that shares its memory, and ends: faster than anybody takes note of
/// their ends. They stop after some hundred thousand.
pub(crate) fn never_stop_starting(project: &Path) -> io::Result<()> {
    for name in ["first", "second", "third", "fourth", "fifth", LATE] {
        let late = path(project.join(name));
        split(|| {
            call(libc::SYS_setsid, &[]).unwrap();
            start_the_next_and_end(300_000);
            let _ = call(libc::SYS_mknodat, &[i64::from(libc::AT_FDCWD), late, i64::from(libc::S_IFREG | 0o644), 0]);
        });
    }
    std::thread::sleep(Duration::from_millis(300));
    Ok(())
}

#[cfg(target_arch = "x86_64")]
fn start_the_next_and_end(steps: u64) {
    let flags = i64::from(libc::CLONE_VM | libc::CLONE_FILES | libc::CLONE_FS | libc::SIGCHLD);
    // SAFETY: nothing of the stack is used, which all of them share.
    unsafe {
        std::arch::asm!(
            "2:",
            "mov eax, 56", // clone
            "mov rdi, r13",
            "xor esi, esi",
            "xor edx, edx",
            "xor r10d, r10d",
            "xor r8d, r8d",
            "syscall",
            "test rax, rax",
            "jle 3f",
            "mov eax, 231", // exit_group
            "xor edi, edi",
            "syscall",
            "3:",
            "dec r12",
            "jnz 2b",
            inout("r12") steps => _,
            in("r13") flags,
            out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _, out("r8") _, out("r10") _, out("r11") _,
        );
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn start_the_next_and_end(_steps: u64) {}

/// Starts a part of the attacker by `command`, and says whether all was ended with the call: their standard output is the
/// call's, and whoever reads that waits for them.
#[track_caller]
fn is_ended(scene: &Scene, mut command: Command, name: &str) {
    command.arg("--").arg(scene.project.join("attacker"));
    command.args(["--ignored", "--exact", "attacker", "-q", "--nocapture"]);
    command.env("ATTACK", name).env("SCENE", &scene.root).current_dir(&scene.project);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(said.contains("Ok(())"), "{said}");
    assert!(!scene.project.join(LATE).exists(), "{said}");
}

/// Has `command` run as a user that no other test uses, who then owns all of the scene: how many processes there may be is
/// counted by user.
pub(crate) fn alone(scene: &Scene, command: &mut Command, user: u32) {
    if is_root() {
        let owner = format!("{user}:{user}");
        assert!(Command::new("chown").args(["-R", &owner]).arg(&scene.root).status().unwrap().success());
        command.uid(user).gid(user);
    }
}

#[test]
fn whoever_starts_others_without_end_is_ended() {
    let _programs = Programs::install();
    for mode in MODES {
        let scene = Scene::new();
        let walls = scene.walls(mode);
        // As many as there may be, so that each end that is taken note of makes room for a start.
        let mut command = Command::new("prlimit");
        command.arg("--nproc=9000:9000").arg(walls.get_program()).args(walls.get_args());
        alone(&scene, &mut command, NOBODY + 1);
        is_ended(&scene, command, "never_stop_starting");
    }
}

/// Where `/proc` is mounted with `hidepid`, which hides who hides its memory.
#[test]
fn whoever_hides_is_ended() {
    if !is_root() {
        eprintln!("not tried here: only root can mount /proc otherwise");
        return;
    }
    let _programs = Programs::install();
    for mode in [Mode::Namespaces, Mode::Abi(7), Mode::Abi(2)] {
        let scene = Scene::new();
        let walls = scene.walls(mode);
        let user = NOBODY;
        let line = format!(
            "mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid={user} --regid={user} --clear-groups \"$@\""
        );
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", &line, "sh"]).arg(walls.get_program()).args(walls.get_args());
        is_ended(&scene, command, "hide_and_stay");
    }
}

/// A disk in the project that takes no writes until this is gone.
struct FrozenDisk<'scene>(&'scene Path);

impl Drop for FrozenDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("fsfreeze").arg("--unfreeze").arg(self.0).status();
    }
}

/// No signal ends whoever writes to a dead disk.
#[test]
fn whoever_cannot_be_ended_is_told_and_is_no_success() {
    const USER: u32 = NOBODY + 3;
    if !is_root() {
        eprintln!("not tried here: only root can freeze a disk");
        return;
    }
    let _programs = Programs::install();
    let mut scene = Scene::new();
    let (image, disk) = (scene.root.join("image"), scene.project.join("disk"));
    let make = "truncate -s 4M \"$0\" && mkfs.ext4 -q \"$0\" && mkdir \"$1\" && mount -o loop \"$0\" \"$1\" && chmod 777 \"$1\"";
    let made = Command::new("sh").args(["-c", make]).args([&image, &disk]).output().unwrap();
    if !made.status.success() {
        eprintln!("not tried here: a disk cannot be mounted: {}", String::from_utf8_lossy(&made.stderr));
        return;
    }
    scene.mounts.push(disk.clone());
    for (mode, name) in [(Mode::Namespaces, "first"), (Mode::Abi(7), "second")] {
        let stays = format!("(echo x > disk/{name}) & sleep 0.2; echo done");
        let mut command = scene.walls(mode);
        command.args(["-c", &stays]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // It leaves a note, which others take for something that is left.
        alone(&scene, &mut command, USER);
        assert!(Command::new("fsfreeze").arg("--freeze").arg(&disk).status().unwrap().success());
        let frozen = FrozenDisk(&disk);
        let mut child = command.spawn().unwrap();
        let code = child.wait().unwrap().code();
        drop(frozen);
        // Until that process has ended, which has these streams, too.
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(code == Some(125) && said.contains("done") && said.contains("COULD NOT BE ENDED"), "{code:?} {said}");
    }
    std::fs::remove_dir_all(format!("/tmp/handraise-confine-{USER}")).unwrap();
}

/// Agents end a call that takes too long by SIGKILL.
#[test]
fn what_a_call_has_changed_is_put_back_when_its_supervisor_is_killed() {
    let _programs = Programs::install();
    for mode in [Mode::Namespaces, Mode::Abi(7)] {
        let scene = Scene::new();
        let settings = scene.project.join(".claude");
        let line =
            "trap '' TERM; mkdir .claude; echo evil > .claude/settings.json; echo ready; while :; do sleep 1; done";
        let mut command = scene.walls(mode);
        command.args(["-c", line]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = ordinary(&mut command).process_group(0).spawn().unwrap();
        let mut ready = [0; 6];
        io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
        assert!(settings.exists());
        let group = -i64::from(child.id());
        call(libc::SYS_kill, &[group, i64::from(libc::SIGTERM)]).unwrap();
        call(libc::SYS_kill, &[group, i64::from(libc::SIGKILL)]).unwrap();
        child.wait().unwrap();
        let since = std::time::Instant::now();
        while settings.exists() {
            assert!(since.elapsed() < Duration::from_secs(30), "{mode:?}: it stays");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
