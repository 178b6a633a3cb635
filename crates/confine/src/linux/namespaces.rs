//! Where the kernel lets an ordinary user have namespaces: mounts, processes, network and IPC of the call's own.
//! They come on top of the other walls, and they alone can make a place in the project read-only, hide a file, and give the
//! call a root of its own (`root.rs`).

use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, openat2};
use nix::mount::{MsFlags, mount};
use nix::sys::socket::{AddressFamily, SockFlag, SockProtocol, SockType, socket};
use nix::sys::stat::fstat;

use super::kept::Kept;
use super::kernel;
use super::plan::Plan;

/// What clone(2) is told. A user namespace lets an ordinary user have the others.
pub(super) const FLAGS: libc::c_int =
    libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWNET | libc::CLONE_NEWIPC;

/// mount_setattr(2).
const READ_ONLY: u64 = 1;
/// No file system, kind or option.
const NONE: Option<&str> = None;

/// A step that failed, for people.
pub(super) type Step<T> = Result<T, (String, String)>;

/// Says what was being done when it failed.
pub(super) fn step<T, E: std::fmt::Display>(what: &str, result: Result<T, E>) -> Step<T> {
    result.map_err(|error| (what.to_owned(), error.to_string()))
}

/// In the first process of the namespaces: keeps the numbers of user and group, and what is mounted, to itself.
pub(super) fn enter(user: nix::unistd::Uid, group: nix::unistd::Gid) -> Step<()> {
    // Of its own group, before any other: user_namespaces(7).
    step("setgroups", std::fs::write("/proc/self/setgroups", "deny"))?;
    step("user map", std::fs::write("/proc/self/uid_map", format!("{user} {user} 1")))?;
    step("group map", std::fs::write("/proc/self/gid_map", format!("{group} {group} 1")))?;
    step("private mounts", mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE))
}

/// `/proc` of these processes alone.
pub(super) fn mount_processes() -> Step<()> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    step("/proc", mount(Some("proc"), "/proc", Some("proc"), flags, NONE))
}

/// Makes what is kept in the projects read-only, and covers what is hidden.
pub(super) fn cover_kept_and_hidden(plan: &Plan, kept: &Kept) -> Step<()> {
    let present: Vec<&Path> = kept.present().collect();
    for folder in folders_between(&plan.guarded, &present) {
        // A folder that something is mounted on cannot be renamed, so nobody puts another one in its place.
        bind(&folder, &folder)?;
    }
    for place in present {
        bind(place, place)?;
        step(&place.to_string_lossy(), kernel::set_mount_attributes(place, READ_ONLY, 0, true))?;
    }
    let mut hidden: Vec<&Path> = Vec::new();
    for place in plan.hidden.iter().chain(&plan.view.covered).collect::<BTreeSet<_>>() {
        // What lies in one that is covered is gone with it.
        if !hidden.iter().any(|outer| place.starts_with(outer)) {
            cover(place)?;
            hidden.push(place);
        }
    }
    for place in hidden {
        step(&place.to_string_lossy(), check_covered(place))?;
    }
    Ok(())
}

pub(super) fn bind(from: &Path, to: &Path) -> Step<()> {
    step(&to.to_string_lossy(), mount(Some(from), to, NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE))
}

/// The folders of a project that hold a place that is kept, the outer ones first.
fn folders_between(projects: &[PathBuf], places: &[&Path]) -> BTreeSet<PathBuf> {
    let mut folders = BTreeSet::new();
    for place in places {
        for project in projects.iter().filter(|project| place.starts_with(project)) {
            let above = place.ancestors().skip(1).take_while(|folder| *folder != project.as_path());
            folders.extend(above.map(Path::to_path_buf));
        }
    }
    folders
}

/// Reads as empty, and cannot be written.
pub(super) fn cover(place: &Path) -> Step<()> {
    let name = place.to_string_lossy();
    if place.is_dir() {
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_RDONLY;
        return step(&name, mount(Some("tmpfs"), place, Some("tmpfs"), flags, Some("mode=0500,size=4k")));
    }
    step(&name, mount(Some("/dev/null"), place, NONE, MsFlags::MS_BIND, NONE))
}

/// What was to be covered is: nobody at work in the project at the same time has moved it in between.
fn check_covered(place: &Path) -> io::Result<()> {
    let how = OpenHow::new().flags(OFlag::O_PATH | OFlag::O_CLOEXEC).resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    let found = fstat(openat2(AT_FDCWD, place, how)?)?;
    let is_covered = match found.st_mode & libc::S_IFMT {
        libc::S_IFCHR => true,
        libc::S_IFDIR => std::fs::read_dir(place)?.next().is_none(),
        _ => false,
    };
    if is_covered { Ok(()) } else { Err(io::Error::other("it was moved while it was covered")) }
}

/// Switches the loopback interface on.
pub(super) fn loopback() -> Step<()> {
    let plain = socket(AddressFamily::Inet, SockType::Datagram, SockFlag::SOCK_CLOEXEC, None);
    step("loopback", kernel::loopback_up(step("loopback", plain)?.as_fd()))
}

/// A socket that sock_diag(7) answers on, for the network namespace that this process is in.
pub(super) fn diagnosis() -> nix::Result<OwnedFd> {
    socket(AddressFamily::Netlink, SockType::Raw, SockFlag::SOCK_CLOEXEC, SockProtocol::NetlinkSockDiag)
}
