//! The tables of system calls behind the filters. Numbers that the C library's binding does not have are those of the
//! kernel's `include/uapi/asm-generic/unistd.h`, the same on all architectures since 424.

/// Refused whatever the arguments.
pub(super) const REFUSED: &[i64] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_perf_event_open,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // The kernel as such.
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    443, // quotactl_fd
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_fanotify_init,
    libc::SYS_open_by_handle_at,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // Keys.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Asynchronous calls would go around this filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Memory, messages and semaphores that all processes of the user share.
pub(super) const IPC: &[i64] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semctl,
    libc::SYS_semtimedop,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// Made to look absent: what they are told stands in memory, or they are too new for anybody to need them.
pub(super) const ABSENT: &[i64] = &[
    libc::SYS_clone3,
    libc::SYS_openat2,
    463, // setxattrat
    466, // removexattrat
    467, // open_tree_attr
    469, // file_setattr
    470, // listns
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_uselib,
];

/// Reading extended attributes: no version of Landlock guards it, and programs keep in them where a file came from, with
/// what that address held. As on a file system that has none, which every program knows.
pub(super) const ATTRIBUTES: &[i64] = &[
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    464, // getxattrat
    465, // listxattrat
];

/// Changes of metadata: no version of Landlock guards them.
pub(super) const METADATA: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
];

/// fchmodat(2) with flags, since Linux 6.6.
pub(super) const FCHMODAT2: i64 = 452;

/// Calls that send a signal.
pub(super) const SIGNALS: &[i64] = &[
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
];

/// Calls that put a process into another group. Handed over where there are no namespaces: so none has a new group once the
/// supervisor ends them all.
pub(super) const GROUPS: &[i64] = &[libc::SYS_setpgid, libc::SYS_setsid];

/// Calls that change a folder, watched to tell what was denied. And when nobody answers any more, they fail: also for a
/// process that could not be ended.
pub(super) const WATCHED: &[i64] = &[
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_unlinkat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_creat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mknod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
];

/// Calls that make a link or a second name, or move something.
pub(super) const LINKS: &[i64] = &[
    libc::SYS_symlinkat,
    libc::SYS_linkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_symlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_link,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
];

/// Calls that open a file: number, which argument has the flags, which the mode of a new file.
pub(super) const OPEN: &[(i64, u8, u8)] = &[
    (libc::SYS_openat, 2, 3),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1, 2),
];

/// Calls that make a file: number, which argument has its mode.
pub(super) const MAKE: &[(i64, u8)] = &[
    (libc::SYS_mknodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
];

/// Calls that change a process: number, which argument says which.
pub(super) const WITH_PROCESS: &[(i64, u8)] = &[
    (libc::SYS_prlimit64, 0),
    (libc::SYS_sched_setaffinity, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setattr, 0),
    (libc::SYS_setpriority, 1),
    (libc::SYS_ioprio_set, 1),
];

/// Options of setsockopt(2), by level, with which a connection goes elsewhere than where it was allowed to: by way of
/// another machine (ip(7), ipv6(7), linux/in6.h: IP_OPTIONS, IPV6_2292RTHDR, IPV6_2292PKTOPTIONS, IPV6_RTHDR), out of a device
/// that is not loopback (socket(7): SO_BINDTODEVICE, SO_BINDTOIFINDEX), or not until something is sent (tcp(7):
/// TCP_FASTOPEN_CONNECT).
pub(super) const WAYS: &[(i32, i32)] = &[
    (libc::SOL_SOCKET, libc::SO_BINDTODEVICE),
    (libc::SOL_SOCKET, libc::SO_BINDTOIFINDEX),
    (libc::IPPROTO_IP, 4),
    (libc::IPPROTO_IPV6, 5),
    (libc::IPPROTO_IPV6, 6),
    (libc::IPPROTO_IPV6, 57),
    (libc::IPPROTO_TCP, libc::TCP_FASTOPEN_CONNECT),
];

/// Tells a terminal its size, and everybody in its foreground: ioctl_tty(2).
pub(super) const TIOCSWINSZ: u64 = 0x5414;

/// The numbers of ioctl(2) that are allowed, first and last, in order: ioctl_tty(2), netdevice(7), ioctl_ficlone(2),
/// ioctl_fideduperange(2), ioctl_fs(2). Left out of the first range, because they act on others: TCXONC (0x540A), which keeps
/// a terminal from printing after the call, too, TIOCEXCL (0x540C), TIOCSTI (0x5412), TIOCLINUX (0x541C), TIOCCONS (0x541D), TIOCSETD (0x5423), TIOCVHANGUP (0x5437).
/// TIOCSWINSZ in there is refused or handed over.
/// FIOASYNC (0x5452), FIOSETOWN and SIOCSPGRP (0x8901, 0x8902) have a signal sent to somebody.
pub(super) const IOCTLS: &[(u64, u64)] = &[
    (0x5401, 0x5409),
    (0x540b, 0x540b),
    (0x540d, 0x5411),
    (0x5413, 0x541b),
    (0x541e, 0x5422),
    (0x5424, 0x5436),
    (0x5438, 0x5451),
    (0x5453, 0x5460),
    (0x8903, 0x89df),
    (0x4004_5431, 0x4004_5431), // TIOCSPTLCK
    (0x4004_9409, 0x4004_9409), // FICLONE
    (0x4020_940d, 0x4020_940d), // FICLONERANGE
    (0x402c_542b, 0x402c_542d), // TCSETS2 and its forms
    (0x8004_5430, 0x8004_5432), // TIOCGPTN and TIOCGDEV
    (0x8004_5438, 0x8004_5440), // TIOCGPKT, TIOCGPTLCK, TIOCGEXCL
    (0x8008_1272, 0x8008_1272), // BLKGETSIZE64
    (0x8008_6601, 0x8008_6601), // FS_IOC_GETFLAGS
    (0x801c_581f, 0x801c_581f), // FS_IOC_FSGETXATTR
    (0x802c_542a, 0x802c_542a), // TCGETS2
    (0xc018_9436, 0xc018_9436), // FIDEDUPERANGE
    (0xc020_660b, 0xc020_660b), // FS_IOC_FIEMAP
];
