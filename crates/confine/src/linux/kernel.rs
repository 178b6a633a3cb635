//! What the kernel offers and no crate binds safely. The only file with `unsafe`.
#![expect(unsafe_code, reason = "seccomp user notification, fork and raw addresses have no safe binding")]

use std::ffi::CString;
use std::io;
use std::mem;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use libc::{c_int, c_long, c_ulong};
use nix::unistd::Pid;
use rustix::process;
use seccompiler::sock_filter;

/// Which side of a fork this is.
pub(super) enum Fork {
    /// The new process.
    Child,
    /// The old one, and the number of the new one.
    Parent(Pid),
}

fn checked(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Splits this process in two. The new one enters new namespaces when `namespaces` (the `CLONE_NEW…` of clone(2)) says so.
///
/// # Errors
/// When this process has more than one thread, or the kernel refuses.
pub(super) fn fork(namespaces: c_int) -> io::Result<Fork> {
    if std::fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err(io::Error::other("a process with threads cannot be split"));
    }
    let flags = c_ulong::from((namespaces | libc::SIGCHLD).cast_unsigned());
    // SAFETY: with no stack given, clone(2) is fork(2). There is one thread, so no lock is held by another, and the
    // memory of the new process is a copy.
    match checked(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })? {
        0 => Ok(Fork::Child),
        pid => Ok(Fork::Parent(Pid::from_raw(narrow(pid)?))),
    }
}

fn narrow(number: c_long) -> io::Result<c_int> {
    c_int::try_from(number).map_err(io::Error::other)
}

/// Takes ownership of a descriptor that the kernel has just made.
fn own(descriptor: c_long) -> io::Result<OwnedFd> {
    let descriptor = narrow(descriptor)?;
    // SAFETY: every caller passes what a system call returned in this moment; nobody else knows the number.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// Takes ownership of descriptors that recvmsg(2) has just put into this process.
pub(super) fn own_received(descriptors: &[RawFd]) -> Vec<OwnedFd> {
    // SAFETY: as `own`.
    descriptors.iter().map(|descriptor| unsafe { OwnedFd::from_raw_fd(*descriptor) }).collect()
}

/// Ends this process at once, without what would be done twice after a fork.
pub(super) fn exit(status: c_int) -> ! {
    // SAFETY: it takes a number and does not return.
    unsafe { libc::_exit(status) }
}

/// Closes all descriptors but the first three and `kept`.
pub(super) fn close_all_but(kept: BorrowedFd<'_>) -> io::Result<()> {
    let kept = kept.as_raw_fd().cast_unsigned();
    for (first, last) in [(3, kept.saturating_sub(1)), (kept + 1, u32::MAX)] {
        if first <= last {
            // SAFETY: it takes numbers. What it closes belongs to values that the new process never uses.
            checked(unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) })?;
        }
    }
    Ok(())
}

/// Ignores a signal, for this process and what it becomes, or lets it do what it does by default.
pub(super) fn ignore_signal(signal: c_int, ignored: bool) {
    // SAFETY: no handler of ours is involved.
    unsafe { libc::signal(signal, if ignored { libc::SIG_IGN } else { libc::SIG_DFL }) };
}

/// Lets this process, and all that come of it, get no capability by what they start. Without one it changes nothing.
pub(super) fn bound_capabilities() {
    let mut number: c_ulong = 0;
    // Until there is no such number, or no right to drop one.
    // SAFETY: plain numbers.
    while unsafe { libc::prctl(libc::PR_CAPBSET_DROP, number, 0, 0, 0) } >= 0 {
        number += 1;
    }
}

/// Gives up every capability of this process, for good; those to get, `bound_capabilities` does. Without any it changes
/// nothing.
pub(super) fn drop_capabilities() -> io::Result<()> {
    /// SECBIT_NOROOT, SECBIT_NO_SETUID_FIXUP, SECBIT_NO_CAP_AMBIENT_RAISE, each with its lock: capabilities(7).
    const SECURE_BITS: c_ulong = 0b1100_1111;
    #[repr(C)]
    struct Header {
        version: u32,
        pid: c_int,
    }
    let header = Header { version: 0x2008_0522, pid: 0 };
    let none = [0_u32; 6];
    // SAFETY: plain numbers, and structures as capset(2) has them for version 3.
    unsafe {
        // It fails for want of a capability where there is none to lose.
        libc::prctl(libc::PR_SET_SECUREBITS, SECURE_BITS, 0, 0, 0);
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        checked(libc::syscall(libc::SYS_capset, &raw const header, none.as_ptr()))?;
    }
    Ok(())
}

/// Sets and clears attributes of a mount and, if `recursive`, of all below it: mount_setattr(2).
pub(super) fn set_mount_attributes(path: &Path, set: u64, clear: u64, recursive: bool) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let attributes = [set, clear, 0, 0];
    let flags = if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: a string that ends with zero, and a structure of four 64-bit numbers whose size is given.
    checked(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            attributes.as_ptr(),
            mem::size_of_val(&attributes),
        )
    })?;
    Ok(())
}

/// Switches the loopback interface of this network namespace on: netdevice(7).
pub(super) fn loopback_up(socket: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: all zeros is a valid request; the name is shorter than the field.
    let mut request: libc::ifreq = unsafe { mem::zeroed() };
    for (place, letter) in request.ifr_name.iter_mut().zip(*b"lo") {
        *place = letter.cast_signed();
    }
    request.ifr_ifru.ifru_flags = i16::try_from(libc::IFF_UP | libc::IFF_RUNNING).map_err(io::Error::other)?;
    // SAFETY: the request is of the type that this ioctl takes.
    checked(c_long::from(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) }))?;
    Ok(())
}

/// Puts a filter around this process and returns where its held calls arrive: seccomp(2).
pub(super) fn install_with_listener(program: &[sock_filter]) -> io::Result<OwnedFd> {
    #[repr(C)]
    struct Program {
        len: u16,
        filter: *const sock_filter,
    }
    let given = Program { len: u16::try_from(program.len()).map_err(io::Error::other)?, filter: program.as_ptr() };
    let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    // SAFETY: the kernel copies the program, which outlives the call.
    own(checked(unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const given) })?)
}

/// Whether the kernel knows listeners whose held calls no signal interrupts (5.19). Installs nothing.
pub(super) fn knows_listeners() -> bool {
    let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    // SAFETY: with no program, the kernel looks at the flags, then fails with EFAULT (seccomp(2)).
    let done =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, std::ptr::null::<u8>()) };
    done < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::EFAULT)
}

/// A system call that waits for an answer.
#[derive(Clone, Copy)]
pub(super) struct HeldCall {
    /// Its name towards the kernel.
    pub(super) id: u64,
    /// The thread that asks.
    pub(super) thread: c_int,
    /// Number of the system call.
    pub(super) call: c_long,
    /// Its arguments.
    pub(super) arguments: [u64; 6],
}

// seccomp_unotify(2): SECCOMP_IOCTL_NOTIF_RECV, _SEND, _ID_VALID.
const RECEIVE: c_ulong = 0xc050_2100;
const SEND: c_ulong = 0xc018_2101;
const IS_VALID: c_ulong = 0x4008_2102;

/// The next held call.
pub(super) fn receive(listener: BorrowedFd<'_>) -> io::Result<HeldCall> {
    // SAFETY: the kernel wants the structure zeroed.
    let mut asked: libc::seccomp_notif = unsafe { mem::zeroed() };
    // SAFETY: the structure is of the size that the number of the ioctl tells.
    checked(c_long::from(unsafe { libc::ioctl(listener.as_raw_fd(), RECEIVE as _, &raw mut asked) }))?;
    let thread = c_int::try_from(asked.pid).map_err(io::Error::other)?;
    Ok(HeldCall { id: asked.id, thread, call: c_long::from(asked.data.nr), arguments: asked.data.args })
}

/// What a system call gets in reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SystemCallReply {
    /// The kernel goes on with the call. Only right where this reply decides nothing.
    GoOn,
    /// The call was done here, and returned this.
    Done(i64),
    /// The call fails with this error number.
    Fail(c_int),
}

/// Answers a held call. Whoever made it may be gone, which is no error.
pub(super) fn answer(listener: BorrowedFd<'_>, id: u64, answer: SystemCallReply) {
    let (val, error, flags) = match answer {
        SystemCallReply::GoOn => (0, 0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
        SystemCallReply::Done(value) => (value, 0, 0),
        SystemCallReply::Fail(number) => (0, -number, 0),
    };
    let mut given = libc::seccomp_notif_resp { id, val, error, flags };
    // SAFETY: the structure is of the size that the number of the ioctl tells.
    unsafe { libc::ioctl(listener.as_raw_fd(), SEND as _, &raw mut given) };
}

/// Whether whoever asked still waits, so that its number is still its own.
pub(super) fn still_waits(listener: BorrowedFd<'_>, id: u64) -> bool {
    // SAFETY: it reads eight bytes.
    unsafe { libc::ioctl(listener.as_raw_fd(), IS_VALID as _, &raw const id) == 0 }
}

/// A handle of the process `pid`: pidfd_open(2).
pub(super) fn process_handle(pid: c_int) -> io::Result<OwnedFd> {
    // The kernel's own answer to such a number.
    let pid = Some(pid).filter(|pid| *pid > 0).and_then(process::Pid::from_raw).ok_or(rustix::io::Errno::INVAL)?;
    Ok(process::pidfd_open(pid, process::PidfdFlags::empty())?)
}

/// A copy of the descriptor `number` of a process: pidfd_getfd(2).
pub(super) fn descriptor_of(process: BorrowedFd<'_>, number: c_int) -> io::Result<OwnedFd> {
    Ok(process::pidfd_getfd(process, number, process::PidfdGetfdFlags::empty())?)
}

/// Sends a signal, with `information` as rt_sigqueueinfo(2) has it, to the process of a handle.
pub(super) fn signal_process(
    process: BorrowedFd<'_>,
    signal: c_int,
    information: Option<&[u8; 128]>,
) -> io::Result<()> {
    let information = information.map_or(std::ptr::null(), |bytes| bytes.as_ptr());
    // SAFETY: `siginfo_t` has 128 bytes; the kernel reads it.
    checked(unsafe { libc::syscall(libc::SYS_pidfd_send_signal, process.as_raw_fd(), signal, information, 0) })?;
    Ok(())
}

/// Lets go of all locks that belong to an open file and not to a process: flock(2), F_OFD_SETLK in fcntl(2).
pub(super) fn unlock(stream: BorrowedFd<'_>) {
    // SAFETY: all zeros is the whole file.
    let mut whole: libc::flock = unsafe { mem::zeroed() };
    whole.l_type = libc::F_UNLCK as _;
    // SAFETY: numbers, and a structure that is read.
    unsafe {
        libc::flock(stream.as_raw_fd(), libc::LOCK_UN);
        libc::fcntl(stream.as_raw_fd(), libc::F_OFD_SETLK, &raw const whole);
    }
}

/// Has `events`, a descriptor of inotify(7), tell what happens at a path: inotify_add_watch(2).
pub(super) fn watch(events: &OwnedFd, path: &Path, wanted: u32) -> io::Result<c_int> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: a string that ends with zero, and numbers.
    narrow(checked(c_long::from(unsafe { libc::inotify_add_watch(events.as_raw_fd(), path.as_ptr(), wanted) }))?)
}

/// Tells a terminal its size, a `struct winsize`: TIOCSWINSZ of ioctl_tty(2).
pub(super) fn set_window_size(terminal: BorrowedFd<'_>, size: &[u8; 8]) -> io::Result<()> {
    // SAFETY: the structure has four numbers of 16 bits, which are read.
    checked(c_long::from(unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCSWINSZ, size.as_ptr()) }))?;
    Ok(())
}

/// connect(2) with an address of any family.
pub(super) fn connect(socket: BorrowedFd<'_>, address: &[u8]) -> io::Result<()> {
    let length = libc::socklen_t::try_from(address.len()).map_err(io::Error::other)?;
    // SAFETY: the address is as long as told.
    checked(c_long::from(unsafe { libc::connect(socket.as_raw_fd(), address.as_ptr().cast(), length) }))?;
    Ok(())
}

/// bind(2) with an address of any family.
pub(super) fn bind(socket: BorrowedFd<'_>, address: &[u8]) -> io::Result<()> {
    let length = libc::socklen_t::try_from(address.len()).map_err(io::Error::other)?;
    // SAFETY: the address is as long as told.
    checked(c_long::from(unsafe { libc::bind(socket.as_raw_fd(), address.as_ptr().cast(), length) }))?;
    Ok(())
}

/// listen(2), with whatever backlog the caller gave.
pub(super) fn listen(socket: BorrowedFd<'_>, backlog: c_int) -> io::Result<()> {
    // SAFETY: it takes numbers.
    checked(c_long::from(unsafe { libc::listen(socket.as_raw_fd(), backlog) }))?;
    Ok(())
}

/// The address that a socket is bound to, as the kernel writes it.
pub(super) fn local_address(socket: BorrowedFd<'_>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0_u8; 128];
    let mut length: libc::socklen_t = 128;
    // SAFETY: the buffer is as long as told.
    let done = unsafe { libc::getsockname(socket.as_raw_fd(), bytes.as_mut_ptr().cast(), &raw mut length) };
    checked(c_long::from(done))?;
    bytes.truncate(usize::try_from(length).map_err(io::Error::other)?);
    Ok(bytes)
}

/// The family of a socket (`AF_…`), `SO_DOMAIN` of socket(7).
pub(super) fn family(socket: BorrowedFd<'_>) -> io::Result<c_int> {
    let mut family: c_int = 0;
    let mut length = libc::socklen_t::try_from(mem::size_of::<c_int>()).map_err(io::Error::other)?;
    // SAFETY: the place is as long as told.
    let done = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_DOMAIN,
            (&raw mut family).cast(),
            &raw mut length,
        )
    };
    checked(c_long::from(done))?;
    Ok(family)
}
