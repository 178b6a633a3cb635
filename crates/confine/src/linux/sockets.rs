//! Whom a socket reaches: sockets of the call itself, and nobody else. Connecting, binding and listening are done here,
//! on a copy of the address and on the caller's own socket.
//!
//! With namespaces the network is the call's own, and its sockets have no path that others could come by (`stand_ins.rs`).
//! Without them, who listens is known because listening is done here, too. For a Unix socket sock_diag(7) says which socket
//! a file belongs to, and a file belongs to one socket for ever; for a TCP port it says who listens there now.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use libc::{AF_NETLINK, AF_UNIX, AT_FDCWD};
use nix::sys::stat::fstat;
use nix::unistd::{AccessFlags, access};

use super::address::{Address, MAX_UNIX_ADDRESS, unix_address};
use super::caller::{Caller, Errno, OpenedPath, done, number};
use super::connecting::{Connect, Connecting, Listener, Listens};
use super::kernel::{self, SystemCallReply};
use super::namespaces;
use super::socket_list::{listening_ports, owner_of_socket_file};
use super::stand_ins::StandIns;
use super::territory::Territory;
use crate::lexical::lexical;

/// `sizeof(struct sockaddr_storage)`.
const MAX_ADDRESS: usize = 128;

/// The sockets of the call.
pub(super) struct Sockets {
    /// Without namespaces: inode numbers of those that listen, or are bound to a port. The kernel does not use one again.
    own: Arc<Mutex<BTreeSet<u64>>>,
    /// With namespaces: the network is the call's own, and all addresses in it, but for paths.
    stand_ins: Option<StandIns>,
    /// What lists sockets, in the network that the call is in. Of two who ask at one time each would get the other's answers.
    diagnosis: Option<Arc<Mutex<OwnedFd>>>,
    connecting: Connecting,
}

/// An answer, none when a thread gives it later, and what to tell as denied.
type SocketAnswer = (Option<SystemCallReply>, Option<(&'static str, String)>);

struct Refusal {
    errno: Errno,
    told: Option<(&'static str, String)>,
}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Self {
        Self { errno, told: None }
    }
}

fn refuse(action: &'static str, target: String) -> Refusal {
    Refusal { errno: libc::EPERM, told: Some((action, target)) }
}

impl Sockets {
    pub(super) fn new(stand_ins: Option<StandIns>, diagnosis: Option<OwnedFd>) -> Self {
        let (own, diagnosis) = (Arc::default(), diagnosis.map(|socket| Arc::new(Mutex::new(socket))));
        Self { own, stand_ins, diagnosis, connecting: Connecting::new() }
    }

    fn is_private(&self) -> bool {
        self.stand_ins.is_some()
    }

    /// Takes away what stands for sockets of the call, which is over.
    pub(super) fn remove_stand_ins(&self) {
        if let Some(stand_ins) = &self.stand_ins {
            stand_ins.remove_all();
        }
    }

    /// Answers connect, bind, listen and sendto with an address.
    pub(super) fn answer(
        &mut self,
        caller: &Caller<'_>,
        listener: &Arc<OwnedFd>,
        territory: &Territory,
    ) -> SocketAnswer {
        let answered = |reply| (Some(reply), None);
        let done = match caller.held.call {
            libc::SYS_connect => self.connect(caller, listener, territory),
            libc::SYS_bind => self.bind(caller, territory).map(answered),
            libc::SYS_listen => self.listen(caller).map(answered),
            libc::SYS_sendto => send(caller).map(answered),
            _ => Err(Refusal::from(libc::EPERM)),
        };
        done.unwrap_or_else(|Refusal { errno, told }| (Some(SystemCallReply::Fail(errno)), told))
    }

    fn connect(
        &self,
        caller: &Caller<'_>,
        listener: &Arc<OwnedFd>,
        territory: &Territory,
    ) -> Result<SocketAnswer, Refusal> {
        let socket = caller.descriptor(caller.int(0))?;
        let address = address(caller, 1, 2)?;
        let start = |socket, address, place, listens| {
            self.connecting.start(caller, listener, Connect { socket, address, place, listens })
        };
        match Address::of(&address) {
            Address::UnixPath(path) => {
                let place = caller.find(AT_FDCWD, &path, true).map_err(|errno| missing(caller, &path, errno))?;
                let path = self.way_to_listener(caller, &place, territory)?;
                Ok((start(socket, unix_address(&path), Some(place), None), None))
            }
            Address::Internet(there) => {
                // Who connects to no address in particular comes to loopback.
                let is_here = there.ip().is_loopback() || there.ip().is_unspecified();
                let listens = (!self.is_private()).then(|| self.listens_at(there.port()));
                if listens.as_ref().is_some_and(|listens| !is_here || listens() != Listener::Own) {
                    return Err(refuse("connect", there.to_string()));
                }
                // With namespaces anything else fails by itself, and the person should know what was wanted.
                let is_wanted = || !is_here || self.is_private() && self.listens_outside_alone(there.port());
                let told = is_wanted().then(|| ("connect", there.to_string()));
                Ok((start(socket, address, None, listens), told))
            }
            Address::UnixAbstract(_) if self.is_private() => Ok((start(socket, address, None, None), None)),
            Address::UnixAbstract(name) => Err(refuse("connect", format!("abstract socket {name}"))),
            // Gives up a connection, or names the kernel itself.
            Address::None | Address::Kernel => Ok((Some(done(kernel::connect(socket.as_fd(), &address))), None)),
            Address::Other => Err(Refusal::from(libc::EPERM)),
        }
    }

    /// The path by which this process comes to a socket of the call, whose file is at `place`: through a handle, so nobody
    /// exchanges it meanwhile. Somebody else may listen in the project, too.
    fn way_to_listener(
        &self,
        caller: &Caller<'_>,
        place: &OpenedPath,
        territory: &Territory,
    ) -> Result<PathBuf, Refusal> {
        let refusal = || refuse("connect", place.path.to_string_lossy().into_owned());
        if !territory.is_writable(&place.path) {
            return Err(refusal());
        }
        if let Some(stand_ins) = &self.stand_ins {
            let path = stand_ins.behind(place).ok_or(libc::ECONNREFUSED)?;
            access(&place.handle(), AccessFlags::W_OK).map_err(|error| error as Errno)?;
            return Ok(path);
        }
        let diagnosis = self.diagnosis.as_ref().ok_or_else(refusal)?;
        match owner_of_socket_file(&locked(diagnosis), &place.descriptor, caller.held.thread) {
            Ok(Some(socket)) if self.is_own(socket) => Ok(place.handle()),
            Ok(Some(_)) | Err(_) => Err(refusal()),
            // Nobody listens: as the kernel says it.
            Ok(None) => Err(Refusal::from(libc::ECONNREFUSED)),
        }
    }

    fn bind(&mut self, caller: &Caller<'_>, territory: &Territory) -> Result<SystemCallReply, Refusal> {
        let socket = caller.descriptor(caller.int(0))?;
        let address = address(caller, 1, 2)?;
        match Address::of(&address) {
            Address::UnixPath(path) if self.is_private() => {
                self.bind_to_path(caller, territory, &socket, &address, &path)
            }
            _ if self.is_private() => Ok(done(kernel::bind(socket.as_fd(), &address))),
            // Landlock says where a socket may be made. Should the address change under our eyes, nobody can listen
            // at what comes of it.
            Address::UnixPath(_) => Ok(SystemCallReply::GoOn),
            Address::UnixAbstract(name) => Err(refuse("listen", format!("abstract socket {name}"))),
            Address::Internet(there) if there.ip().is_loopback() => {
                let answer = done(kernel::bind(socket.as_fd(), &address));
                if answer == SystemCallReply::Done(0) {
                    self.add(&socket);
                }
                Ok(answer)
            }
            Address::Internet(there) => Err(refuse("listen", there.to_string())),
            Address::Kernel => Ok(done(kernel::bind(socket.as_fd(), &address))),
            Address::None | Address::Other => Err(Refusal::from(libc::EPERM)),
        }
    }

    /// With namespaces: the socket gets the name, and a stand-in the place.
    fn bind_to_path(
        &mut self,
        caller: &Caller<'_>,
        territory: &Territory,
        socket: &OwnedFd,
        address: &[u8],
        path: &Path,
    ) -> Result<SystemCallReply, Refusal> {
        let system = |error: std::io::Error| Refusal::from(number(&error));
        if kernel::family(socket.as_fd()).map_err(system)? != AF_UNIX {
            return Err(Refusal::from(libc::EAFNOSUPPORT));
        }
        // A name is for ever.
        let has_name = kernel::local_address(socket.as_fd()).map_err(system)?.len() > 2;
        if has_name || address.len() > MAX_UNIX_ADDRESS {
            return Err(Refusal::from(libc::EINVAL));
        }
        let (folder, name) = folder_and_name(path)?;
        let folder = caller.find(AT_FDCWD, folder, true)?;
        if !territory.is_writable(&folder.path) {
            let place = folder.path.join(name).to_string_lossy().into_owned();
            return Err(Refusal { errno: libc::EACCES, told: Some(("write", place)) });
        }
        let found = fstat(socket).map_err(|error| error as Errno)?;
        let modes = (found.st_mode & 0o777, caller.mask()?);
        let stand_ins = self.stand_ins.as_mut().ok_or(libc::EPERM)?;
        if let Some(diagnosis) = &self.diagnosis {
            stand_ins.forget_closed(&locked(diagnosis));
        }
        let is_shared = territory.is_shared(&folder.path);
        Ok(done(stand_ins.bind(socket, found.st_ino, address, (&folder, name), modes, is_shared)))
    }

    /// Only without namespaces. A socket that is not bound would be bound to every address.
    fn listen(&mut self, caller: &Caller<'_>) -> Result<SystemCallReply, Refusal> {
        let socket = caller.descriptor(caller.int(0))?;
        let bound = kernel::local_address(socket.as_fd()).map_err(|error| number(&error))?;
        match Address::of(&bound) {
            Address::UnixPath(_) => {}
            Address::Internet(here) if here.port() != 0 && here.ip().is_loopback() => {
                if inode(&socket).is_none_or(|inode| !self.is_own(inode)) {
                    return Err(refuse("listen", here.to_string()));
                }
                // Also by another address of this machine: who asks for `localhost` gets either.
                if self.listens_at(here.port())() == Listener::Other {
                    return Err(Refusal::from(libc::EADDRINUSE));
                }
            }
            Address::Internet(here) => return Err(refuse("listen", here.to_string())),
            Address::UnixAbstract(name) => return Err(refuse("listen", format!("abstract socket {name}"))),
            Address::None | Address::Kernel | Address::Other => return Err(Refusal::from(libc::EPERM)),
        }
        let answer = done(kernel::listen(socket.as_fd(), caller.int(1)));
        if answer == SystemCallReply::Done(0) {
            self.add(&socket);
        }
        Ok(answer)
    }

    /// Says who listens at a port, on any address.
    fn listens_at(&self, port: u16) -> Listens {
        let (diagnosis, own) = (self.diagnosis.clone(), Arc::clone(&self.own));
        Box::new(move || {
            let listening = diagnosis.as_ref().and_then(|diagnosis| listening_ports(&locked(diagnosis), port).ok());
            match listening.as_deref() {
                Some([]) => Listener::Nobody,
                Some(all) if all.iter().all(|socket| locked(&own).contains(socket)) => Listener::Own,
                Some(_) | None => Listener::Other,
            }
        })
    }

    /// With namespaces: whether somebody listens at a port of the machine's loopback, and nobody of the call at its own.
    fn listens_outside_alone(&self, port: u16) -> bool {
        let is_taken = |diagnosis: &OwnedFd| listening_ports(diagnosis, port).ok().map(|all| !all.is_empty());
        let inside = self.diagnosis.as_ref().and_then(|diagnosis| is_taken(&locked(diagnosis)));
        inside == Some(false) && namespaces::diagnosis().ok().and_then(|outside| is_taken(&outside)) == Some(true)
    }

    fn is_own(&self, socket: u64) -> bool {
        locked(&self.own).contains(&socket)
    }

    fn add(&self, socket: &OwnedFd) {
        locked(&self.own).extend(inode(socket));
    }
}

/// Whoever had it before left nothing half done.
fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path as bind(2) takes it: the name is there in whole, and is one.
fn folder_and_name(path: &Path) -> Result<(&Path, &OsStr), Errno> {
    let bytes = path.as_os_str().as_bytes();
    let (folder, name) = match bytes.iter().rposition(|byte| *byte == b'/') {
        Some(at) => bytes.split_at(at + 1),
        None => (&b"."[..], bytes),
    };
    match name {
        b"" => Err(libc::ENOENT),
        b"." | b".." => Err(libc::EADDRINUSE),
        _ => Ok((Path::new(OsStr::from_bytes(folder)), OsStr::from_bytes(name))),
    }
}

/// What the call does not see may be somebody's socket outside: the person should know that it was wanted.
fn missing(caller: &Caller<'_>, path: &Path, errno: Errno) -> Refusal {
    let whole = caller.whole(AT_FDCWD, path).map(|whole| lexical(&whole)).unwrap_or_default();
    let is_socket = std::fs::metadata(&whole).is_ok_and(|found| found.file_type().is_socket());
    Refusal { errno, told: is_socket.then(|| ("connect", whole.to_string_lossy().into_owned())) }
}

/// A message to the kernel's list of interfaces; nothing else has an address here.
fn send(caller: &Caller<'_>) -> Result<SystemCallReply, Refusal> {
    /// Requests are a few dozen bytes.
    const MAX_REQUEST: u64 = 4096;
    let socket = caller.descriptor(caller.int(0))?;
    let there = address(caller, 4, 5)?;
    if kernel::family(socket.as_fd()).map_err(|error| number(&error))? != AF_NETLINK {
        return match Address::of(&there) {
            Address::Internet(there) => Err(refuse("connect", there.to_string())),
            _ => Err(Refusal::from(libc::EPERM)),
        };
    }
    let (Address::Kernel, true) = (Address::of(&there), caller.long(2) <= MAX_REQUEST) else {
        return Err(Refusal::from(libc::EPERM));
    };
    let length = usize::try_from(caller.long(2)).map_err(|_| libc::EMSGSIZE)?;
    let bytes = caller.exact_memory(caller.long(1), length)?;
    let kernel = nix::sys::socket::NetlinkAddr::new(0, 0);
    let sent = nix::sys::socket::sendto(socket.as_raw_fd(), &bytes, &kernel, nix::sys::socket::MsgFlags::MSG_DONTWAIT);
    match sent {
        Ok(count) => Ok(SystemCallReply::Done(i64::try_from(count).unwrap_or(i64::MAX))),
        Err(errno) => Err(Refusal::from(errno as Errno)),
    }
}

/// A copy of the address in the caller's memory.
fn address(caller: &Caller<'_>, at: usize, length: usize) -> Result<Vec<u8>, Errno> {
    let length = usize::try_from(caller.int(length)).map_err(|_| libc::EINVAL)?;
    if !(2..=MAX_ADDRESS).contains(&length) {
        return Err(libc::EINVAL);
    }
    caller.exact_memory(caller.long(at), length)
}

fn inode(socket: &OwnedFd) -> Option<u64> {
    fstat(socket).ok().map(|found| found.st_ino)
}
