//! The root of the call's own, where there are namespaces: what the walls let be read and written, each where it always
//! is, and nothing else. What is not in there has no name, no size and no time, leads nowhere and cannot be watched.
//!
//! What may only be read is shown through overlayfs (Documentation/filesystems/overlayfs.rst): the kernel takes its files
//! for others than those below. So a lock on one is a lock among the call's own processes, a pipe with a name is another
//! pipe, and nobody sees when others use it. Where overlayfs cannot lie over a place, because something else is mounted in
//! there, the place is shown as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{fs, io};

use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, openat2};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::stat::fstat;

use super::binder::Unreached;
use super::kept::Kept;
use super::kernel;
use super::namespaces::{Step, bind, cover, cover_kept_and_hidden, mount_processes, step};
use super::plan::Plan;
use super::view::View;
use crate::places;

/// Where the machine's root stands until all is taken from it.
const OLD: &str = "/.old";
/// An empty folder until `system` is called.
const EMPTY: &str = "/sys";

// mount_setattr(2).
const READ_ONLY: u64 = 1;
const NO_SETUID: u64 = 2;

/// Puts the root up, and goes to `start` in it. Beside it comes where its sockets are bound.
pub(super) fn arrange(plan: &Plan, kept: &Kept, start: &Path) -> Step<Unreached> {
    let tmp = step("/tmp", Path::new("/tmp").canonicalize())?;
    // Before anything lies over it.
    let mut written = BTreeMap::new();
    let is_inner = |place: &Path| place.ancestors().skip(1).any(|outer| plan.writable.iter().any(|one| one == outer));
    for place in plan.writable.iter().filter(|place| !is_inner(place)) {
        written.insert(place.clone(), step(&place.to_string_lossy(), open(place))?);
    }
    written.insert(tmp.clone(), step("/tmp", open(plan.tmp.path()))?);
    enter(&tmp)?;
    mount_processes()?;
    lay_copies(&plan.view);
    show(&plan.view, &written, &tmp)?;
    devices()?;
    system()?;
    for place in places::OF_THE_USER.iter().map(Path::new).filter(|place| place.exists()) {
        cover(place)?;
    }
    for (link, target) in &plan.view.links {
        // It is there where what it lies in is shown. Nothing is lost but a second name.
        let _ = make_link(link, target);
    }
    for folder in plan.view.homes.iter().map(PathBuf::as_path).chain([start]) {
        step(&folder.to_string_lossy(), make(folder, true))?;
    }
    cover_kept_and_hidden(plan, kept)?;
    step(&start.to_string_lossy(), std::env::set_current_dir(start))?;
    unreached(&old(&tmp))
}

/// Takes the machine's root away, and lets nothing more be put into the call's own. The command must not run before.
pub(super) fn close() -> Step<()> {
    step("old root", umount2(OLD, MntFlags::MNT_DETACH))?;
    step("old root", fs::remove_dir(OLD))?;
    step("read-only root", kernel::set_mount_attributes(Path::new("/"), READ_ONLY, 0, false))
}

/// A file system that is mounted nowhere any more once the machine's root is gone, in which `at` is a folder. To take it away
/// by itself would cost the kernel as much again.
fn unreached(at: &Path) -> Step<Unreached> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    step("sockets", mount(Some("tmpfs"), at, Some("tmpfs"), flags, Some("mode=0700,size=1m")))?;
    let folder = |name: &str| {
        let path = at.join(name);
        fs::create_dir(&path).and_then(|()| open(&path))
    };
    step("sockets", folder("names").and_then(|names| Ok(Unreached { names, files: folder("files")? })))
}

/// All paths are real ones: a link on the way was put there since, by whoever is at work there at the same time.
fn open(path: &Path) -> io::Result<OwnedFd> {
    let how = OpenHow::new().flags(OFlag::O_PATH | OFlag::O_CLOEXEC).resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    Ok(openat2(AT_FDCWD, path, how)?)
}

/// The name of what is open.
fn handle(place: &OwnedFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", place.as_raw_fd()))
}

/// Where a place is in the old root.
fn old(path: &Path) -> PathBuf {
    Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path))
}

fn kind(place: &OwnedFd) -> u32 {
    fstat(place).map_or(0, |found| found.st_mode & libc::S_IFMT)
}

/// Goes into an empty root, mounted over `at`.
fn enter(at: &Path) -> Step<()> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    step("root", mount(Some("tmpfs"), at, Some("tmpfs"), flags, Some("mode=0755,size=16m")))?;
    let old = at.join(OLD.trim_start_matches('/'));
    step("root", fs::create_dir(&old))?;
    step("root", nix::unistd::pivot_root(at, &old))?;
    step("root", std::env::set_current_dir("/"))?;
    ["/proc", "/sys", "/dev"].into_iter().try_for_each(|folder| step(folder, fs::create_dir(folder)))
}

/// Lays overlayfs over what is shown, in the old root. Each copy keeps the kernel busy twice as long as the mount that shows
/// it, most of that when the call is over: so one lies over a whole home, and one over a folder in which several places are.
fn lay_copies(view: &View) {
    let places: Vec<&Path> = view
        .shown
        .iter()
        .filter_map(|place| match kind(&open(&old(place)).ok()?) {
            libc::S_IFDIR => Some(place.as_path()),
            libc::S_IFREG => place.parent(),
            _ => None,
        })
        .collect();
    let homes = view.homes.iter().map(|home| (home.as_path(), 1));
    let outermost = |place: &Path| place.ancestors().nth(place.components().count().checked_sub(2)?).map(PathBuf::from);
    let outermost: BTreeSet<PathBuf> = places.iter().filter_map(|place| outermost(place)).collect();
    let outermost = outermost.iter().map(|folder| (folder.as_path(), 2));
    let mut laid: Vec<&Path> = Vec::new();
    for (folder, least) in homes.chain(outermost).chain(places.iter().map(|place| (*place, 1))) {
        let is_laid = |place: &Path| laid.iter().any(|laid| place.starts_with(laid));
        let further = places.iter().filter(|place| place.starts_with(folder) && !is_laid(place));
        if further.count() >= least && lay_copy(folder).is_ok() {
            laid.push(folder);
        }
    }
}

fn lay_copy(folder: &Path) -> io::Result<()> {
    copy(&open(&old(folder))?)
}

/// Lays a copy of a folder over it.
fn copy(folder: &OwnedFd) -> io::Result<()> {
    // One layer alone is not taken. With `xino` all of it is one device, as it was.
    let options = format!("xino=on,lowerdir={}:{EMPTY}", handle(folder).display());
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_RDONLY;
    Ok(mount(Some("overlay"), &handle(folder), Some("overlay"), flags, Some(options.as_str()))?)
}

/// Whether overlayfs is to be had at all: tried in namespaces.
pub(super) fn takes_copies() -> Step<()> {
    enter(Path::new("/tmp"))?;
    mount_processes()?;
    step("overlayfs", fs::create_dir("/copied").and_then(|()| copy(&open(Path::new("/copied"))?)))
}

/// Puts everything to its place, the outer ones first. What lies among the temporary files, `tmp`, keeps its name there: the
/// folders above it belong to the call, and on each something is mounted, so that it cannot be renamed.
fn show(view: &View, written: &BTreeMap<PathBuf, OwnedFd>, tmp: &Path) -> Step<()> {
    let mut held = BTreeSet::new();
    let shown = view.shown.iter().filter(|place| !written.contains_key(*place));
    // What is not there any more is not shown.
    let shown: Vec<(&PathBuf, OwnedFd)> = shown.filter_map(|place| Some((place, open(&old(place)).ok()?))).collect();
    let mut all: BTreeMap<&PathBuf, (&OwnedFd, u64)> = BTreeMap::new();
    all.extend(shown.iter().map(|(place, source)| (*place, (source, READ_ONLY | NO_SETUID))));
    all.extend(written.iter().map(|(place, source)| (place, (source, NO_SETUID))));
    for (place, (source, attributes)) in all {
        let name = place.to_string_lossy();
        let above: Vec<&Path> = place.ancestors().skip(1).take_while(|folder| *folder != tmp).collect();
        for folder in above.into_iter().rev().filter(|folder| folder.starts_with(tmp)) {
            if held.insert(folder) {
                step(&folder.to_string_lossy(), make(folder, true))?;
                bind(folder, folder)?;
            }
        }
        step(&name, make(place, kind(source) == libc::S_IFDIR))?;
        bind(&handle(source), place)?;
        step(&name, kernel::set_mount_attributes(place, attributes, 0, true))?;
    }
    Ok(())
}

/// Makes something to mount on, unless it is there.
fn make(at: &Path, is_folder: bool) -> io::Result<()> {
    if fs::symlink_metadata(at).is_ok() {
        return Ok(());
    }
    if is_folder {
        return fs::create_dir_all(at);
    }
    fs::create_dir_all(at.parent().unwrap_or(at))?;
    fs::File::create_new(at).map(drop)
}

fn make_link(link: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir_all(link.parent().unwrap_or(link))?;
    symlink(target, link)
}

/// Devices that every program may use, memory of the call's own, and terminals of its own and no others: mount(8), "Mount
/// options for devpts".
fn devices() -> Step<()> {
    for device in places::DEVICES.iter().map(Path::new) {
        let source = old(device);
        if source.exists() {
            step(&device.to_string_lossy(), make(device, false))?;
            bind(&source, device)?;
        }
    }
    for (link, target) in places::LINKS_OF_DEVICES {
        step(link, symlink(target, link))?;
    }
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    step("/dev/shm", fs::create_dir("/dev/shm"))?;
    step("/dev/shm", mount(Some("tmpfs"), "/dev/shm", Some("tmpfs"), flags, Some("mode=1777")))?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NOEXEC;
    let options = Some("newinstance,ptmxmode=0666,mode=0620");
    step("/dev/pts", fs::create_dir("/dev/pts"))?;
    step("/dev/pts", mount(Some("devpts"), "/dev/pts", Some("devpts"), flags, options))
}

/// `/sys` as it is, to be read.
fn system() -> Step<()> {
    let (from, to) = (old(Path::new("/sys")), Path::new("/sys"));
    if !from.is_dir() {
        return Ok(());
    }
    bind(&from, to)?;
    step("/sys", kernel::set_mount_attributes(to, READ_ONLY, 0, true))
}
