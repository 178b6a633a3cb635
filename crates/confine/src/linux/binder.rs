//! Binds sockets for the supervisor, in the root of the call. What a socket is bound to stays its name for ever
//! (getsockname(2)), so it has to be one that the call can follow, and the supervisor does not see that root.

use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

use nix::sys::socket::{
    AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags, SockFlag, SockType, recv, recvmsg, send, sendmsg,
    socketpair,
};

use super::kernel;

/// `sizeof(struct sockaddr_un)`.
const MAX_ADDRESS: usize = 110;

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

    pub(super) fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    /// Has a socket bound.
    ///
    /// # Errors
    /// What bind(2) says, or that nobody is there to do it.
    pub(super) fn bind(&self, socket: BorrowedFd<'_>, address: &[u8]) -> io::Result<()> {
        let rights = [socket.as_raw_fd()];
        let control = [ControlMessage::ScmRights(&rights)];
        sendmsg::<()>(self.0.as_raw_fd(), &[IoSlice::new(address)], &control, MsgFlags::MSG_NOSIGNAL, None)?;
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

/// Does what it is asked for, until nobody is left to ask.
pub(super) fn serve(binds: &OwnedFd) {
    while let Ok(Some((address, socket))) = next(binds) {
        let done = socket
            .map_or(Err(io::Error::from_raw_os_error(libc::EBADF)), |socket| kernel::bind(socket.as_fd(), &address));
        let said = done.err().map_or(0, |error| error.raw_os_error().unwrap_or(libc::EPERM));
        if send(binds.as_raw_fd(), &said.to_ne_bytes(), MsgFlags::MSG_NOSIGNAL).is_err() {
            return;
        }
    }
}

fn next(binds: &OwnedFd) -> io::Result<Option<(Vec<u8>, Option<OwnedFd>)>> {
    let mut address = vec![0; MAX_ADDRESS];
    let mut space = nix::cmsg_space!([RawFd; 1]);
    let mut parts = [IoSliceMut::new(&mut address)];
    let message = recvmsg::<()>(binds.as_raw_fd(), &mut parts, Some(&mut space), MsgFlags::MSG_CMSG_CLOEXEC)?;
    let mut sockets = Vec::new();
    for control in message.cmsgs()? {
        if let ControlMessageOwned::ScmRights(numbers) = control {
            sockets.extend(kernel::own_received(&numbers));
        }
    }
    let count = message.bytes;
    address.truncate(count);
    Ok((count > 0).then(|| (address, sockets.pop())))
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn a_socket_is_bound_by_the_other_side() {
        let (binder, binds) = pair().unwrap();
        let serving = std::thread::spawn(move || serve(&binds));
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("s");
        let mut address = u16::try_from(libc::AF_UNIX).unwrap().to_ne_bytes().to_vec();
        address.extend(place.as_os_str().as_bytes());
        address.push(0);
        let socket =
            || nix::sys::socket::socket(AddressFamily::Unix, SockType::Stream, SockFlag::empty(), None).unwrap();
        binder.bind(socket().as_fd(), &address).unwrap();
        assert!(std::fs::symlink_metadata(&place).is_ok());
        let taken = binder.bind(socket().as_fd(), &address).unwrap_err();
        assert_eq!(taken.raw_os_error(), Some(libc::EADDRINUSE));
        drop(binder);
        serving.join().unwrap();
    }
}
