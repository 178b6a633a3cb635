//! The kernel's calls, without the C library's opinion about them.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::scene::{NOBODY, is_root};

/// A system call by its number.
pub(crate) fn call(number: i64, arguments: &[i64]) -> io::Result<i64> {
    let at = |index: usize| arguments.get(index).copied().unwrap_or_default();
    // SAFETY: attacks pass addresses of values that outlive the call.
    let done = unsafe { libc::syscall(number, at(0), at(1), at(2), at(3), at(4), at(5)) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(done) }
}

/// A path for the kernel. It lives as long as the program.
pub(crate) fn path(path: impl AsRef<Path>) -> i64 {
    CString::new(path.as_ref().as_os_str().as_bytes()).unwrap().into_raw() as i64
}

/// Opens a file with any flags.
pub(crate) fn open(at: impl AsRef<Path>, flags: i32) -> io::Result<i64> {
    call(libc::SYS_openat, &[i64::from(libc::AT_FDCWD), path(at), i64::from(flags), 0o644])
}

pub(crate) fn write(descriptor: i64, text: &str) -> io::Result<i64> {
    call(libc::SYS_write, &[descriptor, text.as_ptr() as i64, text.len() as i64])
}

/// The address of a Unix socket; a name that begins with `@` is abstract.
pub(crate) fn unix(name: &str) -> Vec<u8> {
    let mut bytes = (libc::AF_UNIX as u16).to_ne_bytes().to_vec();
    match name.strip_prefix('@') {
        Some(name) => {
            bytes.push(0);
            bytes.extend(name.as_bytes());
        }
        None => {
            bytes.extend(name.as_bytes());
            bytes.push(0);
        }
    }
    bytes
}

pub(crate) fn four(address: [u8; 4], port: u16) -> Vec<u8> {
    [&(libc::AF_INET as u16).to_ne_bytes()[..], &port.to_be_bytes(), &address, &[0; 8]].concat()
}

pub(crate) fn six(address: std::net::Ipv6Addr, port: u16) -> Vec<u8> {
    [&(libc::AF_INET6 as u16).to_ne_bytes()[..], &port.to_be_bytes(), &[0; 4], &address.octets(), &[0; 4]].concat()
}

pub(crate) fn socket(family: i32, kind: i32, protocol: i32) -> io::Result<i64> {
    call(libc::SYS_socket, &[i64::from(family), i64::from(kind), i64::from(protocol)])
}

/// connect, bind: calls with a socket and an address.
pub(crate) fn with_address(number: i64, socket: i64, address: &[u8]) -> io::Result<i64> {
    call(number, &[socket, address.as_ptr() as i64, address.len() as i64])
}

pub(crate) fn send_to(socket: i64, text: &str, flags: i32, address: &[u8]) -> io::Result<i64> {
    let (text, length) = (text.as_ptr() as i64, text.len() as i64);
    call(libc::SYS_sendto, &[socket, text, length, i64::from(flags), address.as_ptr() as i64, address.len() as i64])
}

/// As [`send_to`], through sendmsg(2).
pub(crate) fn send_message(socket: i64, text: &str, flags: i32, address: &mut [u8]) -> io::Result<i64> {
    let mut part = libc::iovec { iov_base: text.as_ptr().cast_mut().cast(), iov_len: text.len() };
    // SAFETY: all zeros is a message without anything.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_name = address.as_mut_ptr().cast();
    message.msg_namelen = address.len() as u32;
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    call(libc::SYS_sendmsg, &[socket, &raw const message as i64, i64::from(flags)])
}

pub(crate) fn set_option(socket: i64, option: i32) -> io::Result<i64> {
    let on = 1_i32;
    let (level, option) = (i64::from(libc::SOL_SOCKET), i64::from(option));
    call(libc::SYS_setsockopt, &[socket, level, option, &raw const on as i64, 4])
}

/// Splits off a process that does `then` and ends.
pub(crate) fn split(then: impl FnOnce()) -> i32 {
    // SAFETY: the attacker has one thread when it splits.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        then();
        // SAFETY: it takes a number.
        unsafe { libc::_exit(0) };
    }
    pid
}

pub(crate) fn wait(pid: i32) {
    // SAFETY: no status is asked for.
    unsafe { libc::waitpid(pid, std::ptr::null_mut(), 0) };
}

/// Makes a folder through io_uring(7): mkdirat, without the system call of that name.
pub(crate) fn io_uring_make(at: &Path) -> io::Result<()> {
    const MKDIRAT: u8 = 37;
    const ENTER_GETEVENTS: i64 = 1;
    let mut parameters = [0_u32; 30];
    let ring = call(libc::SYS_io_uring_setup, &[1, parameters.as_mut_ptr() as i64])?;
    let map = |offset: i64, length: usize| {
        let (access, shared) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED);
        // SAFETY: the kernel chooses the place.
        let place = unsafe { libc::mmap(std::ptr::null_mut(), length, access, shared, ring as i32, offset) };
        if place == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(place.cast::<u8>()) }
    };
    // io_uring_params: sq_off begins at word 10: head, tail, mask, entries, flags, dropped, array.
    let (tail, array) = (parameters[11] as usize, parameters[16] as usize);
    let queue = map(0, array + 64)?;
    let entries = map(0x1000_0000, 64)?;
    // SAFETY: offsets as the kernel gave them; an entry has 64 bytes.
    unsafe {
        entries.write(MKDIRAT);
        entries.add(4).cast::<i32>().write(libc::AT_FDCWD);
        entries.add(16).cast::<i64>().write(path(at));
        entries.add(24).cast::<u32>().write(0o755);
        queue.add(array).cast::<u32>().write(0);
        queue.add(tail).cast::<u32>().write(1);
    }
    call(libc::SYS_io_uring_enter, &[ring, 1, 1, ENTER_GETEVENTS, 0, 0]).map(drop)
}

/// Everybody may use it, and it belongs to the ordinary user.
pub(crate) fn share(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    if is_root() {
        own(path);
    }
}

/// Gives a folder and all in it to the ordinary user.
pub(crate) fn own(path: &Path) {
    std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    if path.is_dir() && !path.is_symlink() {
        for entry in fs::read_dir(path).unwrap() {
            own(&entry.unwrap().path());
        }
    }
}

/// The same command by a shell that goes on with `line`, as that of a person would.
pub(crate) fn followed_by(command: &Command, line: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("\"$0\" \"$@\"\n{line}")]).arg(command.get_program()).args(command.get_args());
    shell
}
