//! Which socket is behind a port or behind the file of a Unix socket.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use libc::c_int;
use nix::sys::socket::{MsgFlags, recv, send};
use nix::sys::stat::{FileStat, fstat, major, minor};

// linux/sock_diag.h, linux/unix_diag.h, linux/netlink.h.
const SOCK_DIAG_BY_FAMILY: u16 = 20;
const REQUEST_DUMP: u16 = 0x301;
const MESSAGE_ERROR: u16 = 2;
const MESSAGE_DONE: u16 = 3;
const SHOW_FILE: u32 = 2;
const FILE: u16 = 1;
/// Only sockets that listen: `1 << TCP_LISTEN`.
const LISTENING: u32 = 1 << 10;
const HEADER: usize = 16;
const UNIX_MESSAGE: usize = 16;

/// The inode number of the socket that listens at the file that `file` is open on, in the mounts of the process `caller`;
/// none when nobody does.
///
/// # Errors
/// When the kernel does not say.
pub(super) fn owner_of_socket_file(diagnosis: &OwnedFd, file: &OwnedFd, caller: c_int) -> io::Result<Option<u64>> {
    let found = fstat(file)?;
    let device = device_of_mount(file, caller).unwrap_or_else(|| device(&found));
    let mut wanted = Vec::new();
    for (socket, inode, on) in unix_sockets(diagnosis, LISTENING)? {
        // The kernel tells 32 bits of the file's number.
        if u64::from(inode) == found.st_ino & u64::from(u32::MAX) && on == device {
            wanted.push(u64::from(socket));
        }
    }
    match wanted.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        // Two files whose numbers differ only above: nobody knows which.
        _ => Err(io::Error::other("more than one socket fits")),
    }
}

/// The inode numbers of all Unix sockets that are bound to a file.
///
/// # Errors
/// When the kernel does not say.
pub(super) fn sockets_with_a_file(diagnosis: &OwnedFd) -> io::Result<BTreeSet<u64>> {
    const IN_ANY_STATE: u32 = u32::MAX;
    Ok(unix_sockets(diagnosis, IN_ANY_STATE)?.into_iter().map(|(socket, ..)| u64::from(socket)).collect())
}

/// The number of a device as the kernel itself writes it: twenty bits for the minor number.
fn device(found: &FileStat) -> u32 {
    encode(major(found.st_dev), minor(found.st_dev))
}

fn encode(major: u64, minor: u64) -> u32 {
    u32::try_from((major << 20) | minor).unwrap_or(u32::MAX)
}

/// The device of the mount that a file was opened on. Some file systems (btrfs) give their files other ones.
fn device_of_mount(file: &OwnedFd, caller: c_int) -> Option<u32> {
    let told = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd())).ok()?;
    let mount: u64 = told.lines().find_map(|line| line.strip_prefix("mnt_id:"))?.trim().parse().ok()?;
    let mounts = std::fs::read_to_string(format!("/proc/{caller}/mountinfo")).ok()?;
    // proc_pid_mountinfo(5): mount, parent, major:minor.
    mounts.lines().find_map(|line| {
        let mut fields = line.split(' ');
        let is_it = fields.next()?.parse() == Ok(mount);
        let (major, minor) = fields.nth(1)?.split_once(':')?;
        is_it.then(|| Some(encode(major.parse().ok()?, minor.parse().ok()?)))?
    })
}

/// Socket, number of its file, device of its file: of every Unix socket in this state that is bound to a file.
fn unix_sockets(diagnosis: &OwnedFd, state: u32) -> io::Result<Vec<(u32, u32, u32)>> {
    let mut request = vec![family(libc::AF_UNIX), 0, 0, 0];
    request.extend(state.to_ne_bytes());
    request.extend(0_u32.to_ne_bytes());
    request.extend(SHOW_FILE.to_ne_bytes());
    request.extend([0; 8]);
    let mut found = Vec::new();
    list(diagnosis, &request, |message| {
        if let (Some(socket), Some((inode, on))) = (number(message, 4), file(message)) {
            found.push((socket, inode, on));
        }
    })?;
    Ok(found)
}

fn family(number: c_int) -> u8 {
    u8::try_from(number).unwrap_or_default()
}

/// Asks for a list, and passes what each entry says on.
fn list(diagnosis: &OwnedFd, request: &[u8], mut entry: impl FnMut(&[u8])) -> io::Result<()> {
    let length = u32::try_from(HEADER + request.len()).map_err(io::Error::other)?;
    let mut whole = Vec::new();
    whole.extend(length.to_ne_bytes());
    whole.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    whole.extend(REQUEST_DUMP.to_ne_bytes());
    whole.extend([0; 8]);
    whole.extend(request);
    send(diagnosis.as_raw_fd(), &whole, MsgFlags::empty())?;
    let mut buffer = vec![0; 64 << 10];
    loop {
        let count = recv(diagnosis.as_raw_fd(), &mut buffer, MsgFlags::empty())?;
        let mut rest = buffer.get(..count).unwrap_or_default();
        if rest.is_empty() {
            return Err(io::Error::other("no answer"));
        }
        while let (Some(length), Some(kind)) = (number(rest, 0), short(rest, 4)) {
            let length = length as usize;
            match kind {
                MESSAGE_DONE => return Ok(()),
                MESSAGE_ERROR => return Err(io::Error::other("the kernel lists no such sockets")),
                _ => {}
            }
            entry(rest.get(HEADER..length).ok_or_else(|| io::Error::other("a short message"))?);
            rest = rest.get(aligned(length)..).unwrap_or_default();
        }
    }
}

/// The attribute that says which file a socket is bound to.
fn file(message: &[u8]) -> Option<(u32, u32)> {
    let mut rest = message.get(UNIX_MESSAGE..)?;
    loop {
        let (length, kind) = (usize::from(short(rest, 0)?), short(rest, 2)?);
        if kind == FILE {
            return Some((number(rest, 4)?, number(rest, 8)?));
        }
        rest = rest.get(aligned(length.max(4))..)?;
    }
}

fn aligned(length: usize) -> usize {
    length.div_ceil(4) * 4
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_ne_bytes(*bytes))
}

/// The inode numbers of the TCP sockets that listen at a port, on any address.
///
/// # Errors
/// When the kernel does not say.
pub(super) fn listening_ports(diagnosis: &OwnedFd, port: u16) -> io::Result<Vec<u64>> {
    /// Where the port and the inode number stand in `struct inet_diag_msg` of linux/inet_diag.h.
    const PORT: usize = 4;
    const INODE: usize = 68;
    let mut found = Vec::new();
    for address in [libc::AF_INET, libc::AF_INET6] {
        let mut request = vec![family(address), family(libc::IPPROTO_TCP), 0, 0];
        request.extend(LISTENING.to_ne_bytes());
        request.extend(port.to_be_bytes());
        // Any other port, any addresses, any interface, any socket.
        request.extend([0; 46]);
        list(diagnosis, &request, |message| {
            let there =
                message.get(PORT..).and_then(|bytes| bytes.first_chunk()).map(|bytes| u16::from_be_bytes(*bytes));
            if let (true, Some(inode)) = (there == Some(port), number(message, INODE)) {
                found.push(u64::from(inode));
            }
        })?;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn the_socket_behind_a_file_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let listeners: Vec<UnixListener> =
            (0..3).map(|name| UnixListener::bind(folder.path().join(name.to_string())).unwrap()).collect();
        let diagnosis = super::super::namespaces::diagnosis().unwrap();
        let own = c_int::try_from(std::process::id()).unwrap();
        for (name, listener) in listeners.iter().enumerate() {
            let path = folder.path().join(name.to_string());
            let flags = nix::fcntl::OFlag::O_PATH;
            let file = nix::fcntl::open(&path, flags, nix::sys::stat::Mode::empty()).unwrap();
            let owner = owner_of_socket_file(&diagnosis, &file, own).unwrap();
            assert_eq!(owner, Some(fstat(listener).unwrap().st_ino));
        }
        let gone = folder.path().join("0");
        let file = nix::fcntl::open(&gone, nix::fcntl::OFlag::O_PATH, nix::sys::stat::Mode::empty()).unwrap();
        drop(listeners);
        assert_eq!(owner_of_socket_file(&diagnosis, &file, own).unwrap(), None);
    }

    #[test]
    fn the_socket_behind_a_port_is_found() {
        let diagnosis = super::super::namespaces::diagnosis().unwrap();
        // Another program may listen on the same number at another address.
        let finds = |port: u16, socket: u64| listening_ports(&diagnosis, port).unwrap().contains(&socket);
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let listener = std::net::TcpListener::bind(address).unwrap();
            let (port, socket) = (listener.local_addr().unwrap().port(), fstat(&listener).unwrap().st_ino);
            assert!(finds(port, socket) && !finds(port ^ 1, socket));
            drop(listener);
            assert!(!finds(port, socket));
        }
    }
}
