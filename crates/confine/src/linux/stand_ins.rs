//! Sockets of the call that are bound to a path, where it has namespaces. What stands at the path is a socket file that
//! nobody is bound to: the stand-in. The socket itself is bound by that name where no path leads (`binder.rs`). Who asks the
//! supervisor, as the call does, is led from one to the other. Who comes to the file in any other way is refused, as at one
//! that a program has left.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use nix::sys::stat::{Mode, SFlag, mknod, umask};
use nix::unistd::{UnlinkatFlags, unlinkat};

use super::binder::Binder;
use super::caller::OpenedPath;
use super::no_links::{look, remove, unforeseen};
use super::socket_list::sockets_with_a_file;

/// A file like no other, by whatever name. A number is used again when its file is gone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Identity {
    device: u64,
    number: u64,
    made: Option<SystemTime>,
}

impl Identity {
    fn of(found: &std::fs::Metadata) -> Self {
        Self { device: found.dev(), number: found.ino(), made: found.created().ok() }
    }
}

/// A socket of the call.
struct Bound {
    /// Its inode number. The kernel does not use one again.
    socket: u64,
    /// What its own file is called. Root may follow any link into any process, also one that the call has made: it would
    /// have to know this.
    file: u64,
}

/// The stand-ins of a call, and what they stand for.
pub(super) struct StandIns {
    binder: Binder,
    /// Where the sockets' own files are.
    files: OwnedFd,
    sockets: BTreeMap<Identity, Bound>,
    /// Where they were put that lie in places of others.
    shared: Vec<(PathBuf, Identity)>,
    /// At how many to look which are there still.
    many: usize,
}

impl StandIns {
    /// With this many it is time to look which sockets are there still.
    const MANY: usize = 64;

    pub(super) fn new(binder: Binder, files: OwnedFd) -> Self {
        Self { binder, files, sockets: BTreeMap::new(), shared: Vec::new(), many: Self::MANY }
    }

    /// Binds a socket that has no name yet, and whose inode number is `number`, to `name` in `folder`. `mode` is what the
    /// stand-in gets but for `mask`, as the kernel would have it.
    ///
    /// # Errors
    /// As bind(2).
    pub(super) fn bind(
        &mut self,
        socket: &OwnedFd,
        number: u64,
        address: &[u8],
        (folder, name): (&OpenedPath, &OsStr),
        (mode, mask): (u32, u32),
        is_shared: bool,
    ) -> io::Result<()> {
        let place = folder.handle().join(name);
        let own = umask(Mode::from_bits_truncate(mask));
        let made = mknod(&place, SFlag::S_IFSOCK, Mode::from_bits_truncate(mode), 0);
        umask(own);
        made.map_err(|error| if error == nix::errno::Errno::EEXIST { nix::errno::Errno::EADDRINUSE } else { error })?;
        // Exchanged since, it would be another file of the call's, which it leads to its own socket.
        let identity = Identity::of(&std::fs::symlink_metadata(&place)?);
        let file = unforeseen();
        if let Err(error) = self.binder.bind(socket.as_fd(), address, file) {
            if std::fs::symlink_metadata(&place).is_ok_and(|found| Identity::of(&found) == identity) {
                let _ = std::fs::remove_file(&place);
            }
            return Err(error);
        }
        if is_shared {
            self.shared.push((folder.path.join(name), identity.clone()));
        }
        self.sockets.insert(identity, Bound { socket: number, file });
        Ok(())
    }

    /// The path by which this process comes to the socket that a file stands for; none where it is no stand-in.
    pub(super) fn behind(&self, file: &OpenedPath) -> Option<PathBuf> {
        let identity = Identity::of(&std::fs::metadata(file.handle()).ok()?);
        let bound = self.sockets.get(&identity)?;
        Some(PathBuf::from(format!("/proc/self/fd/{}/{}", self.files.as_raw_fd(), bound.file)))
    }

    /// Forgets the sockets that nobody has open any more, once there are many.
    pub(super) fn forget_closed(&mut self, diagnosis: &OwnedFd) {
        if self.sockets.len().max(self.shared.len()) < self.many {
            return;
        }
        if let Ok(there) = sockets_with_a_file(diagnosis) {
            self.retain(&there);
        }
        self.many = Self::MANY.max(2 * self.sockets.len().max(self.shared.len()));
    }

    fn retain(&mut self, there: &BTreeSet<u64>) {
        let files = &self.files;
        self.sockets.retain(|_, bound| {
            let is_there = there.contains(&bound.socket);
            if !is_there {
                let _ = unlinkat(files, bound.file.to_string().as_str(), UnlinkatFlags::NoRemoveDir);
            }
            is_there
        });
        self.shared.retain(|(place, identity)| stands(place, identity));
    }

    /// Takes away the stand-ins in places of others. One that was moved stays, as a file that nobody listens at.
    pub(super) fn remove_all(&self) {
        for (place, identity) in &self.shared {
            if stands(place, identity) {
                let _ = remove(place);
            }
        }
    }
}

fn stands(place: &Path, identity: &Identity) -> bool {
    look(place).is_ok_and(|found| found.file_type().is_socket() && Identity::of(&found) == *identity)
}
