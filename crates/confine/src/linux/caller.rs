//! Who made a system call: the thread behind a held call, its memory, its descriptors, and what its paths mean.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use libc::c_int;
use nix::fcntl::{OFlag, OpenHow, ResolveFlag, open, openat2};
use nix::sys::stat::Mode;

use super::kernel::{self, HeldCall, SystemCallReply};

/// The longest path: `PATH_MAX` of Linux.
const MAX_PATH: usize = 4096;

/// A held call together with the ways to look at who asks. Everything that is read counts only when the caller still
/// waited afterwards: before, its number may have become another's.
pub(super) struct Caller<'a> {
    listener: BorrowedFd<'a>,
    pub(super) held: HeldCall,
}

/// Something that was opened for looking only, and where it lies in the caller's view.
pub(super) struct OpenedPath {
    pub(super) descriptor: OwnedFd,
    pub(super) path: PathBuf,
}

impl OpenedPath {
    /// The name under which this process reaches it without resolving anything again.
    pub(super) fn handle(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.descriptor.as_raw_fd()))
    }
}

/// An error number to fail the caller's call with.
pub(super) type Errno = c_int;

pub(super) fn number(error: &io::Error) -> Errno {
    error.raw_os_error().unwrap_or(libc::EPERM)
}

/// The answer to a call that was done here.
pub(super) fn done(result: io::Result<()>) -> SystemCallReply {
    match result {
        Ok(()) => SystemCallReply::Done(0),
        Err(error) => SystemCallReply::Fail(number(&error)),
    }
}

impl<'a> Caller<'a> {
    pub(super) fn new(listener: BorrowedFd<'a>, held: HeldCall) -> Self {
        Self { listener, held }
    }

    /// An argument as the kernel takes an `int`.
    pub(super) fn int(&self, index: usize) -> c_int {
        let low = self.long(index) & u64::from(u32::MAX);
        u32::try_from(low).unwrap_or_default().cast_signed()
    }

    /// An argument whole: a pointer, say.
    pub(super) fn long(&self, index: usize) -> u64 {
        self.held.arguments.get(index).copied().unwrap_or_default()
    }

    fn waits(&self) -> bool {
        kernel::still_waits(self.listener, self.held.id)
    }

    /// The number of the process that the thread is one of.
    pub(super) fn process(&self) -> Result<c_int, Errno> {
        self.status("Tgid:", |text| text.parse().ok())
    }

    /// Which permissions new files do not get.
    pub(super) fn mask(&self) -> Result<u32, Errno> {
        self.status("Umask:", |text| u32::from_str_radix(text, 8).ok())
    }

    /// What the kernel says of the thread: proc_pid_status(5).
    fn status<T>(&self, name: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, Errno> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.held.thread));
        let status = status.map_err(|error| number(&error))?;
        let found = status.lines().find_map(|line| line.strip_prefix(name)).and_then(|text| read(text.trim()));
        found.filter(|_| self.waits()).ok_or(libc::EPERM)
    }

    /// Up to `length` bytes of its memory; fewer where the memory ends.
    pub(super) fn memory(&self, address: u64, length: usize) -> Result<Vec<u8>, Errno> {
        let memory = File::open(format!("/proc/{}/mem", self.held.thread)).map_err(|error| number(&error))?;
        let mut bytes = vec![0; length];
        let mut got = 0;
        while let Some(rest) = bytes.get_mut(got..).filter(|rest| !rest.is_empty()) {
            match memory.read_at(rest, address.saturating_add(got as u64)) {
                Ok(0) | Err(_) => break,
                Ok(count) => got += count,
            }
        }
        bytes.truncate(got);
        if self.waits() { Ok(bytes) } else { Err(libc::EPERM) }
    }

    /// The whole of `length` bytes.
    pub(super) fn exact_memory(&self, address: u64, length: usize) -> Result<Vec<u8>, Errno> {
        self.memory(address, length).and_then(|bytes| if bytes.len() == length { Ok(bytes) } else { Err(libc::EFAULT) })
    }

    /// A path in its memory.
    pub(super) fn text(&self, address: u64) -> Result<PathBuf, Errno> {
        let bytes = self.memory(address, MAX_PATH)?;
        match bytes.iter().position(|byte| *byte == 0) {
            Some(end) => Ok(PathBuf::from(OsStr::from_bytes(bytes.get(..end).unwrap_or_default()))),
            None if bytes.len() == MAX_PATH => Err(libc::ENAMETOOLONG),
            None => Err(libc::EFAULT),
        }
    }

    /// A copy of one of its descriptors.
    pub(super) fn descriptor(&self, number_there: c_int) -> Result<OwnedFd, Errno> {
        let process = kernel::process_handle(self.process()?).map_err(|error| number(&error))?;
        let copy = kernel::descriptor_of(process.as_fd(), number_there).map_err(|error| number(&error))?;
        if self.waits() { Ok(copy) } else { Err(libc::EPERM) }
    }

    /// What one of its descriptors is open on.
    pub(super) fn at_descriptor(&self, number_there: c_int) -> Result<OpenedPath, Errno> {
        let descriptor = self.descriptor(number_there)?;
        let path = lies(&descriptor)?;
        Ok(OpenedPath { descriptor, path })
    }

    /// What a path in its memory means to it, seen from the folder `folder` (a descriptor or `AT_FDCWD`). A link at the
    /// end is followed if `follow`.
    pub(super) fn at_path(&self, folder: c_int, address: u64, follow: bool) -> Result<OpenedPath, Errno> {
        self.find(folder, &self.text(address)?, follow)
    }

    /// As [`Caller::at_path`], for a path that has been read already.
    pub(super) fn find(&self, folder: c_int, path: &Path, follow: bool) -> Result<OpenedPath, Errno> {
        if path.as_os_str().is_empty() {
            return Err(libc::ENOENT);
        }
        match self.names_descriptor(path) {
            Some((descriptor, rest)) if rest.as_os_str().is_empty() => return self.at_descriptor(descriptor),
            Some((folder, rest)) => return self.find(folder, rest, follow),
            None => {}
        }
        let whole = self.whole(folder, path)?;
        let root = format!("/proc/{}/root", self.held.thread);
        let root =
            open(root.as_str(), OFlag::O_PATH | OFlag::O_CLOEXEC, Mode::empty()).map_err(|error| error as Errno)?;
        let mut flags = OFlag::O_PATH | OFlag::O_CLOEXEC;
        if !follow {
            flags |= OFlag::O_NOFOLLOW;
        }
        // Links start at its root. Those of /proc would lead where this process may go, and not the caller.
        let resolve = ResolveFlag::RESOLVE_IN_ROOT | ResolveFlag::RESOLVE_NO_MAGICLINKS;
        let how = OpenHow::new().flags(flags).resolve(resolve);
        let mut found = openat2(&root, &whole, how);
        for _ in 0..16 {
            // Somebody renamed a folder on the way.
            if !matches!(found, Err(nix::errno::Errno::EAGAIN)) {
                break;
            }
            found = openat2(&root, &whole, how);
        }
        let descriptor = found.map_err(|error| error as Errno)?;
        let path = lies(&descriptor)?;
        if self.waits() { Ok(OpenedPath { descriptor, path }) } else { Err(libc::EPERM) }
    }

    /// The path from its root, as text: where its folder lies, and then the path.
    pub(super) fn whole(&self, folder: c_int, path: &Path) -> Result<PathBuf, Errno> {
        if path.is_absolute() {
            return Ok(path.to_owned());
        }
        let base = if folder == libc::AT_FDCWD { "cwd".to_owned() } else { format!("fd/{folder}") };
        let base = std::fs::read_link(format!("/proc/{}/{base}", self.held.thread));
        let base = base.map_err(|_| libc::EBADF)?;
        if base.is_absolute() && self.waits() { Ok(base.join(path)) } else { Err(libc::ENOTDIR) }
    }

    /// `/proc/self/fd/N` and its other names, and what follows it: the C library changes files through it, and the path of a
    /// socket is short that way.
    fn names_descriptor<'p>(&self, path: &'p Path) -> Option<(c_int, &'p Path)> {
        let own = format!("/proc/{}/fd", self.process().ok()?);
        let names = ["/proc/self/fd", "/proc/thread-self/fd", "/dev/fd", own.as_str()];
        let mut rest = names.iter().find_map(|name| path.strip_prefix(name).ok())?.components();
        let number = rest.next()?.as_os_str().to_str()?.parse().ok()?;
        Some((number, rest.as_path()))
    }
}

/// Where an open file lies, in the view of whoever opened it.
fn lies(descriptor: &OwnedFd) -> Result<PathBuf, Errno> {
    std::fs::read_link(format!("/proc/self/fd/{}", descriptor.as_raw_fd())).map_err(|error| number(&error))
}
