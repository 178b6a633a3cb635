//! Whom a socket reaches: sockets of the call itself, and nobody else. Connecting, binding and listening are done here,
//! on a copy of the address and on the caller's own socket.
//!
//! Who listens is known because listening is done here, too. For a Unix socket sock_diag(7) says which socket a file
//! belongs to, and a file belongs to one socket for ever; for a TCP port it says who listens there now.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libc::{AF_INET, AF_INET6, AF_NETLINK, AF_UNIX, AF_UNSPEC, AT_FDCWD, c_int};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::stat::fstat;

use super::binder::Binder;
use super::caller::{Caller, Errno, OpenedPath, number};
use super::kernel::{self, SystemCallReply};
use super::no_links::{Entry, read, remove};
use super::root::SOCKETS;
use super::socket_list::{binder_of_socket_file, listening_ports, owner_of_socket_file};
use super::territory::Territory;
use crate::lexical::lexical;

/// `sizeof(struct sockaddr_storage)`.
const MAX_ADDRESS: usize = 128;

/// The sockets of the call.
pub(super) struct Sockets {
    /// Inode numbers of those that listen, or are bound to a port. The kernel does not use one again.
    own: BTreeSet<u64>,
    /// With it, the network is the call's own: every address in it is, but for paths that others know.
    binder: Option<Binder>,
    /// Where sockets were to be bound by the kernel itself, by their inode numbers.
    bound: BTreeMap<u64, PathBuf>,
    /// Links that stand where sockets were to be bound.
    links: Vec<PathBuf>,
    /// What lists sockets, in the network that the call is in.
    diagnosis: Option<OwnedFd>,
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
    pub(super) fn new(binder: Option<Binder>, diagnosis: Option<OwnedFd>) -> Self {
        Self { own: BTreeSet::new(), binder, bound: BTreeMap::new(), links: Vec::new(), diagnosis }
    }

    fn is_private(&self) -> bool {
        self.binder.is_some()
    }

    /// Takes away the links to sockets of the call, which is over. One that was moved stays, and leads nowhere.
    pub(super) fn remove_links(&self) {
        for link in &self.links {
            let is_own = |target: &Path| target.starts_with(SOCKETS);
            if matches!(read(link, 0), Ok(Some(Entry::Link { target })) if is_own(&target)) {
                let _ = remove(link);
            }
        }
    }

    /// Answers connect, bind, listen and sendto with an address.
    pub(super) fn answer(
        &mut self,
        caller: &Caller<'_>,
        listener: &Arc<OwnedFd>,
        territory: &Territory,
    ) -> SocketAnswer {
        let done = match caller.held.call {
            libc::SYS_connect => self.connect(caller, listener, territory),
            libc::SYS_bind => self.bind(caller, territory).map(Some),
            libc::SYS_listen => self.listen(caller, territory).map(Some),
            libc::SYS_sendto => send(caller).map(Some),
            _ => Err(Refusal::from(libc::EPERM)),
        };
        match done {
            Ok(answer) => (answer, None),
            Err(Refusal { errno, told }) => (Some(SystemCallReply::Fail(errno)), told),
        }
    }

    fn connect(
        &self,
        caller: &Caller<'_>,
        listener: &Arc<OwnedFd>,
        territory: &Territory,
    ) -> Result<Option<SystemCallReply>, Refusal> {
        let socket = caller.descriptor(caller.int(0))?;
        let address = address(caller, 1, 2)?;
        match Address::of(&address) {
            Address::UnixPath(path) => {
                let place = caller.find(AT_FDCWD, &path, true).map_err(|errno| missing(caller, &path, errno))?;
                self.check_listener(caller, &place, territory)?;
                // Through our own handle: no path that somebody exchanges meanwhile.
                let address = unix_address(&place.handle());
                Ok(connect_now_or_later(caller, listener, socket, address, Some(place), false))
            }
            Address::Internet(there) => {
                let is_own = || there.ip().is_loopback() && self.holds_port(there.port());
                if !self.is_private() && !is_own() {
                    return Err(refuse("connect", there.to_string()));
                }
                if self.is_private() && !there.ip().is_loopback() {
                    // It will fail by itself, and the person should know what was wanted.
                    let failed =
                        kernel::connect(socket.as_fd(), &address).err().map_or(libc::EPERM, |error| number(&error));
                    return Err(Refusal { errno: failed, told: Some(("connect", there.to_string())) });
                }
                Ok(connect_now_or_later(caller, listener, socket, address, None, !self.is_private()))
            }
            Address::UnixAbstract(_) if self.is_private() => {
                Ok(connect_now_or_later(caller, listener, socket, address, None, false))
            }
            Address::UnixAbstract(name) => Err(refuse("connect", format!("abstract socket {name}"))),
            // Gives up a connection, or names the kernel itself.
            Address::None | Address::Kernel => Ok(Some(done(kernel::connect(socket.as_fd(), &address)))),
            Address::Other => Err(Refusal::from(libc::EPERM)),
        }
    }

    /// The file of a Unix socket lies where the call may write, and one of its own sockets listens there. Somebody else
    /// may listen in the project, too.
    fn check_listener(&self, caller: &Caller<'_>, place: &OpenedPath, territory: &Territory) -> Result<(), Refusal> {
        let refusal = || refuse("connect", place.path.to_string_lossy().into_owned());
        if !territory.is_writable(&place.path) {
            return Err(refusal());
        }
        let diagnosis = self.diagnosis.as_ref().ok_or_else(refusal)?;
        match owner_of_socket_file(diagnosis, &place.descriptor, caller.held.thread) {
            Ok(Some(socket)) if self.own.contains(&socket) => Ok(()),
            Ok(Some(_)) | Err(_) => Err(refusal()),
            // Nobody listens: as the kernel says it.
            Ok(None) => Err(Refusal::from(libc::ECONNREFUSED)),
        }
    }

    fn bind(&mut self, caller: &Caller<'_>, territory: &Territory) -> Result<SystemCallReply, Refusal> {
        let socket = caller.descriptor(caller.int(0))?;
        let address = address(caller, 1, 2)?;
        match Address::of(&address) {
            Address::UnixPath(path) if self.is_private() => self.bind_to_path(caller, territory, &socket, &path),
            _ if self.is_private() => Ok(done(kernel::bind(socket.as_fd(), &address))),
            // Landlock says where a socket may be made. Should the address change under our eyes, nobody can listen
            // at what comes of it.
            Address::UnixPath(_) => Ok(SystemCallReply::GoOn),
            Address::UnixAbstract(name) => Err(refuse("listen", format!("abstract socket {name}"))),
            Address::Internet(there) if there.ip().is_loopback() => {
                if there.port() != 0 && self.is_taken(there.port()) {
                    return Err(Refusal::from(libc::EADDRINUSE));
                }
                let answer = done(kernel::bind(socket.as_fd(), &address));
                if answer == SystemCallReply::Done(0) {
                    self.own.extend(inode(&socket));
                }
                Ok(answer)
            }
            Address::Internet(there) => Err(refuse("listen", there.to_string())),
            Address::Kernel => Ok(done(kernel::bind(socket.as_fd(), &address))),
            Address::None | Address::Other => Err(Refusal::from(libc::EPERM)),
        }
    }

    /// With namespaces: binds to a path that others know, too, by a link to where they do not come, so that nobody outside
    /// is served. What others do not know is for the kernel to bind, and looked at again before somebody listens there.
    fn bind_to_path(
        &mut self,
        caller: &Caller<'_>,
        territory: &Territory,
        socket: &OwnedFd,
        path: &Path,
    ) -> Result<SystemCallReply, Refusal> {
        let inode = inode(socket).ok_or(libc::EBADF)?;
        let name = path.file_name().ok_or(libc::EADDRINUSE)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = caller.find(AT_FDCWD, folder, true)?;
        let place = folder.path.join(name);
        if !territory.is_shared(&folder.path) {
            self.bound.insert(inode, place);
            return Ok(SystemCallReply::GoOn);
        }
        let target = Path::new(SOCKETS).join(inode.to_string());
        match symlink(&target, folder.handle().join(name)) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Err(Refusal::from(libc::EADDRINUSE)),
            Err(error) => Err(Refusal::from(number(&error))),
            Ok(()) => {
                let binder = self.binder.as_ref().ok_or(libc::EPERM)?;
                let bound = binder.bind(socket.as_fd(), &unix_address(&target));
                match &bound {
                    Ok(()) => {
                        self.bound.insert(inode, target);
                        self.links.push(place);
                    }
                    // It is this one still, or somebody's who has replaced it: nobody else is harmed.
                    Err(_) => drop(std::fs::remove_file(folder.handle().join(name))),
                }
                Ok(done(bound))
            }
        }
    }

    /// The socket's file is where others do not come.
    fn is_out_of_reach(&self, caller: &Caller<'_>, territory: &Territory, socket: &OwnedFd) -> bool {
        let (Some(diagnosis), Some(inode)) = (self.diagnosis.as_ref(), inode(socket)) else { return false };
        let place = self.bound.get(&inode).and_then(|place| caller.find(AT_FDCWD, place, false).ok());
        place.is_some_and(|place| {
            let bound = || binder_of_socket_file(diagnosis, &place.descriptor, caller.held.thread);
            let listens = || owner_of_socket_file(diagnosis, &place.descriptor, caller.held.thread);
            let is_it = |found: std::io::Result<Option<u64>>| matches!(found, Ok(Some(found)) if found == inode);
            !territory.is_shared(&place.path)
                && territory.is_writable(&place.path)
                && (is_it(bound()) || is_it(listens()))
        })
    }

    /// A socket that is not bound would be bound to every address.
    fn listen(&mut self, caller: &Caller<'_>, territory: &Territory) -> Result<SystemCallReply, Refusal> {
        let socket = caller.descriptor(caller.int(0))?;
        let bound = kernel::local_address(socket.as_fd()).map_err(|error| number(&error))?;
        match Address::of(&bound) {
            Address::UnixPath(path) if self.is_private() => {
                if !self.is_out_of_reach(caller, territory, &socket) {
                    return Err(refuse("listen", path.to_string_lossy().into_owned()));
                }
            }
            _ if self.is_private() => {}
            Address::UnixPath(_) => {}
            Address::Internet(here) if here.port() != 0 && here.ip().is_loopback() => {
                if inode(&socket).is_none_or(|inode| !self.own.contains(&inode)) {
                    return Err(refuse("listen", here.to_string()));
                }
            }
            Address::Internet(here) => return Err(refuse("listen", here.to_string())),
            Address::UnixAbstract(name) => return Err(refuse("listen", format!("abstract socket {name}"))),
            Address::None | Address::Kernel | Address::Other => return Err(Refusal::from(libc::EPERM)),
        }
        let answer = done(kernel::listen(socket.as_fd(), caller.int(1)));
        if answer == SystemCallReply::Done(0) {
            self.own.extend(inode(&socket));
        }
        Ok(answer)
    }

    /// Whether who listens at the port, on any address, is one of the call's own sockets, and nobody else does.
    fn holds_port(&self, port: u16) -> bool {
        let listening = self.listening(port);
        listening.is_some_and(|all| !all.is_empty() && all.iter().all(|socket| self.own.contains(socket)))
    }

    /// Somebody else listens there. With SO_REUSEPORT the call would get connections that are meant for it.
    fn is_taken(&self, port: u16) -> bool {
        self.listening(port).is_none_or(|all| all.iter().any(|socket| !self.own.contains(socket)))
    }

    /// None when the kernel does not say.
    fn listening(&self, port: u16) -> Option<Vec<u64>> {
        listening_ports(self.diagnosis.as_ref()?, port).ok()
    }
}

/// What the call does not see may be somebody's socket outside: the person should know that it was wanted.
fn missing(caller: &Caller<'_>, path: &Path, errno: Errno) -> Refusal {
    let whole = caller.whole(AT_FDCWD, path).map(|whole| lexical(&whole)).unwrap_or_default();
    let is_socket = std::fs::metadata(&whole).is_ok_and(|found| found.file_type().is_socket());
    Refusal { errno, told: is_socket.then(|| ("connect", whole.to_string_lossy().into_owned())) }
}

fn done(result: std::io::Result<()>) -> SystemCallReply {
    match result {
        Ok(()) => SystemCallReply::Done(0),
        Err(error) => SystemCallReply::Fail(number(&error)),
    }
}

/// Connecting may take as long as the other side likes. A socket that waits gets a thread to wait in. With `at_once`, who
/// was looked up has to take the connection now: later, somebody else may listen there, and the kernel tries again.
fn connect_now_or_later(
    caller: &Caller<'_>,
    listener: &Arc<OwnedFd>,
    socket: OwnedFd,
    address: Vec<u8>,
    place: Option<OpenedPath>,
    at_once: bool,
) -> Option<SystemCallReply> {
    let flags = fcntl(&socket, FcntlArg::F_GETFL).unwrap_or_default();
    if OFlag::from_bits_truncate(flags).contains(OFlag::O_NONBLOCK) {
        let answer = done(kernel::connect(socket.as_fd(), &address));
        // On loopback nobody is waited for: who is not connected by now was not taken.
        if at_once && answer == SystemCallReply::Fail(libc::EINPROGRESS) && !is_connected(&socket) {
            give_up(&socket);
            return Some(SystemCallReply::Fail(libc::ECONNREFUSED));
        }
        return Some(answer);
    }
    let (listener, id) = (Arc::clone(listener), caller.held.id);
    let waits = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
        let answer =
            if at_once { connect_at_once(&socket, &address) } else { kernel::connect(socket.as_fd(), &address) };
        // The handle has to live as long as the address that names it.
        drop(place);
        kernel::answer(listener.as_fd(), id, done(answer));
    });
    match waits {
        Ok(_) => None,
        Err(_) => Some(SystemCallReply::Fail(libc::EAGAIN)),
    }
}

/// Connects, and gives up before the kernel would try again. The caller cannot lengthen that: it is another thread that
/// gives up.
fn connect_at_once(socket: &OwnedFd, address: &[u8]) -> std::io::Result<()> {
    /// The kernel tries again after a second: `TCP_TIMEOUT_INIT`.
    const MAX_WAIT: std::time::Duration = std::time::Duration::from_millis(900);
    let copy = socket.try_clone()?;
    let (finished, waits) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
        if waits.recv_timeout(MAX_WAIT) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            give_up(&copy);
        }
    })?;
    let result = kernel::connect(socket.as_fd(), address);
    drop(finished);
    // What it has given up is not connected.
    let _ = watch.join();
    result
}

fn is_connected(socket: &OwnedFd) -> bool {
    use nix::sys::socket::{SockaddrStorage, getpeername};
    getpeername::<SockaddrStorage>(socket.as_raw_fd()).is_ok()
}

fn give_up(socket: &OwnedFd) {
    let _ = nix::sys::socket::shutdown(socket.as_raw_fd(), nix::sys::socket::Shutdown::Both);
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

/// The address of a Unix socket at this path: unix(7).
fn unix_address(path: &Path) -> Vec<u8> {
    let mut bytes = family_bytes(AF_UNIX).to_vec();
    bytes.extend(path.as_os_str().as_bytes());
    bytes.push(0);
    bytes
}

fn family_bytes(family: c_int) -> [u8; 2] {
    u16::try_from(family).unwrap_or_default().to_ne_bytes()
}

/// What an address names.
#[derive(Debug, PartialEq, Eq)]
enum Address {
    /// A port of IPv4 or IPv6. Addresses of IPv4 in those of IPv6 are taken out.
    Internet(SocketAddr),
    UnixPath(PathBuf),
    /// A name, or that the kernel is to choose one.
    UnixAbstract(String),
    /// The kernel, by netlink(7), with no group.
    Kernel,
    /// `AF_UNSPEC`.
    None,
    Other,
}

impl Address {
    fn of(bytes: &[u8]) -> Self {
        let Some((family, rest)) = bytes.split_first_chunk::<2>() else { return Self::Other };
        match (c_int::from(u16::from_ne_bytes(*family)), rest) {
            (AF_UNIX, [] | [0, ..]) => {
                Self::UnixAbstract(String::from_utf8_lossy(rest).trim_start_matches('\0').to_owned())
            }
            (AF_UNIX, name) => {
                let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
                Self::UnixPath(PathBuf::from(OsStr::from_bytes(name.get(..end).unwrap_or_default())))
            }
            (AF_INET, [high, low, a, b, c, d, ..]) => {
                let port = u16::from_be_bytes([*high, *low]);
                Self::Internet(SocketAddr::new(IpAddr::V4(Ipv4Addr::new(*a, *b, *c, *d)), port))
            }
            (AF_INET6, [high, low, _, _, _, _, rest @ ..]) => match rest.first_chunk::<16>() {
                Some(bytes) => {
                    let address = IpAddr::V6(Ipv6Addr::from(*bytes)).to_canonical();
                    Self::Internet(SocketAddr::new(address, u16::from_be_bytes([*high, *low])))
                }
                None => Self::Other,
            },
            // Two bytes of padding, the port of the other side (0 is the kernel), groups.
            (AF_NETLINK, [_, _, _, _, _, _, 0, 0, 0, 0, ..]) => Self::Kernel,
            (AF_UNSPEC, _) => Self::None,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(family: c_int, rest: &[u8]) -> Vec<u8> {
        [&family_bytes(family), rest].concat()
    }

    #[test]
    fn addresses_are_read_as_the_kernel_reads_them() {
        let mapped = [&[0, 80, 0, 0, 0, 0][..], &[0; 10], &[255, 255, 10, 0, 0, 1], &[0; 4]].concat();
        for (given, expected) in [
            (bytes(AF_UNIX, b"/a/b\0rest"), Address::UnixPath("/a/b".into())),
            (bytes(AF_UNIX, b"/a"), Address::UnixPath("/a".into())),
            (bytes(AF_UNIX, b"\0name"), Address::UnixAbstract("name".into())),
            (bytes(AF_UNIX, b""), Address::UnixAbstract(String::new())),
            (bytes(AF_INET, &[1, 0, 127, 0, 0, 1, 0, 0]), Address::Internet("127.0.0.1:256".parse().unwrap())),
            (bytes(AF_INET6, &mapped), Address::Internet("10.0.0.1:80".parse().unwrap())),
            (bytes(AF_INET, &[1, 0, 127]), Address::Other),
            (bytes(AF_NETLINK, &[0; 10]), Address::Kernel),
            (bytes(AF_NETLINK, &[0, 0, 7, 0, 0, 0, 1, 0, 0, 0]), Address::Other),
            (bytes(AF_UNSPEC, &[]), Address::None),
            (vec![1], Address::Other),
        ] {
            assert_eq!(Address::of(&given), expected, "{given:?}");
        }
    }
}
