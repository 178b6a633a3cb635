//! Binds sockets for the supervisor where no path leads, by the very name that the call gave: what a socket is bound to stays
//! its name for ever (getsockname(2)), and whoever finds its file connects to it.
//!
//! The files lie in a file system that is mounted nowhere. Who has a way into it are the process that binds, which has it
//! for its root, and the supervisor. Into neither the kernel lets others (`PR_SET_DUMPABLE` of prctl(2)).

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use nix::fcntl::{AT_FDCWD, renameat};
use nix::sys::socket::{
    AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags, SockFlag, SockType, recv, recvmsg, send, sendmsg,
    socketpair,
};

use super::address::{Address, MAX_UNIX_ADDRESS};
use super::kernel;

/// Where sockets are bound.
pub(super) struct Unreached {
    /// The root of the process that binds. Names that the call gave lead nowhere else; empty between two.
    pub(super) names: OwnedFd,
    /// Beside it, the files of what is bound, each by a number that only the supervisor knows.
    pub(super) files: OwnedFd,
}

impl Unreached {
    /// Goes in there, for good. Takes a capability: chroot(2).
    ///
    /// # Errors
    /// Without it.
    pub(super) fn enter(&self) -> io::Result<()> {
        nix::unistd::fchdir(&self.names)?;
        Ok(nix::unistd::chroot(".")?)
    }
}

/// Both sides: who asks, and who binds.
///
/// # Errors
/// When there is no descriptor left.
pub(super) fn pair() -> io::Result<(Binder, OwnedFd)> {
    let (asks, binds) = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)?;
    Ok((Binder(asks), binds))
}

/// Where to ask.
pub(super) struct Binder(OwnedFd);

impl Binder {
    /// The side that was handed over by descriptor.
    pub(super) fn of(descriptor: OwnedFd) -> Self {
        Self(descriptor)
    }

    /// Has a socket bound. Its file is `number` afterwards.
    ///
    /// # Errors
    /// What bind(2) says, or that nobody is there to do it.
    pub(super) fn bind(&self, socket: BorrowedFd<'_>, address: &[u8], number: u64) -> io::Result<()> {
        let rights = [socket.as_raw_fd()];
        let control = [ControlMessage::ScmRights(&rights)];
        let number = number.to_ne_bytes();
        let parts = [IoSlice::new(&number), IoSlice::new(address)];
        sendmsg::<()>(self.0.as_raw_fd(), &parts, &control, MsgFlags::MSG_NOSIGNAL, None)?;
        let mut said = [0; 4];
        match recv(self.0.as_raw_fd(), &mut said, MsgFlags::empty())? {
            4 => match i32::from_ne_bytes(said) {
                0 => Ok(()),
                number => Err(io::Error::from_raw_os_error(number)),
            },
            _ => Err(io::Error::from_raw_os_error(libc::EPERM)),
        }
    }
}

impl From<Binder> for OwnedFd {
    fn from(binder: Binder) -> Self {
        binder.0
    }
}

/// What is to be bound.
struct Wanted {
    number: u64,
    address: Vec<u8>,
    socket: OwnedFd,
}

/// Does what it is asked for, until nobody is left to ask.
pub(super) fn serve(binds: &OwnedFd, files: &OwnedFd) {
    while let Ok(Some(wanted)) = next(binds) {
        let done = wanted.map_or(Err(io::Error::from_raw_os_error(libc::EBADF)), |wanted| bind(&wanted, files));
        let said = done.err().map_or(0, |error| error.raw_os_error().unwrap_or(libc::EPERM));
        if send(binds.as_raw_fd(), &said.to_ne_bytes(), MsgFlags::MSG_NOSIGNAL).is_err() {
            return;
        }
    }
}

/// No word when nobody will ask again; nothing wanted when a word is not understood.
fn next(binds: &OwnedFd) -> io::Result<Option<Option<Wanted>>> {
    let (mut number, mut address) = ([0; 8], vec![0; MAX_UNIX_ADDRESS]);
    let mut space = nix::cmsg_space!([RawFd; 1]);
    let mut parts = [IoSliceMut::new(&mut number), IoSliceMut::new(&mut address)];
    let message = recvmsg::<()>(binds.as_raw_fd(), &mut parts, Some(&mut space), MsgFlags::MSG_CMSG_CLOEXEC)?;
    let mut sockets = Vec::new();
    for control in message.cmsgs()? {
        if let ControlMessageOwned::ScmRights(numbers) = control {
            sockets.extend(kernel::own_received(&numbers));
        }
    }
    let count = message.bytes;
    if count == 0 {
        return Ok(None);
    }
    address.truncate(count.saturating_sub(number.len()));
    let number = u64::from_ne_bytes(number);
    Ok(Some(sockets.pop().map(|socket| Wanted { number, address, socket })))
}

fn bind(wanted: &Wanted, files: &OwnedFd) -> io::Result<()> {
    let Address::UnixPath(path) = Address::of(&wanted.address) else {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    };
    let made = make_folders(path.parent().unwrap_or(Path::new("")));
    let bound = kernel::bind(wanted.socket.as_fd(), &wanted.address).and_then(|()| {
        // Whoever may connect is for the file to say that stands at this path for the call.
        std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok(renameat(AT_FDCWD, &path, files, OsStr::from_bytes(wanted.number.to_string().as_bytes()))?)
    });
    for folder in made.iter().rev() {
        let _ = std::fs::remove_dir(folder);
    }
    bound
}

/// Makes the folders that a name leads through. There are no links.
fn make_folders(path: &Path) -> Vec<PathBuf> {
    let mut made = Vec::new();
    let mut here = PathBuf::new();
    for part in path.components() {
        match part {
            Component::RootDir => here.push("/"),
            Component::Normal(name) => {
                here.push(name);
                if std::fs::create_dir(&here).is_ok() {
                    made.push(here.clone());
                }
            }
            // Above the root is the root.
            Component::ParentDir => drop(here.pop()),
            Component::CurDir | Component::Prefix(_) => {}
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::{UnixListener, UnixStream};

    use nix::fcntl::{OFlag, open};
    use nix::sys::stat::Mode;

    use super::super::address::unix_address;
    use super::*;

    fn socket() -> OwnedFd {
        nix::sys::socket::socket(AddressFamily::Unix, SockType::Stream, SockFlag::empty(), None).unwrap()
    }

    #[test]
    fn a_socket_is_bound_by_its_name_and_its_file_is_elsewhere() {
        let (binder, binds) = pair().unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("files")).unwrap();
        let files = open(&folder.path().join("files"), OFlag::O_PATH, Mode::empty()).unwrap();
        let serving = std::thread::spawn(move || serve(&binds, &files));
        let path = folder.path().join("a/../b/./s");
        for number in [7, 8] {
            let socket = socket();
            binder.bind(socket.as_fd(), &unix_address(&path), number).unwrap();
            let names: Vec<_> =
                std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            assert_eq!(names, ["files"]);
            kernel::listen(socket.as_fd(), 1).unwrap();
            let listener = UnixListener::from(socket);
            assert_eq!(listener.local_addr().unwrap().as_pathname(), Some(&*path));
            UnixStream::connect(folder.path().join("files").join(number.to_string())).unwrap();
            let again = binder.bind(listener.as_fd(), &unix_address(&path), 9).unwrap_err();
            assert_eq!(again.raw_os_error(), Some(libc::EINVAL));
        }
        drop(binder);
        serving.join().unwrap();
    }
}
