//! Which system calls the walls refuse, make look absent, or hand over to the supervisor.
//!
//! Three filters lie one on the other, and the kernel takes the strictest answer (seccomp(2): KILL, ERRNO, USER_NOTIF,
//! ALLOW). Whatever a filter compares is an `int` for the kernel, so 32 bits are compared: a comparison of 64 is passed
//! with a bit above (CVE-2019-10063). Pointers are compared whole.

use std::collections::BTreeMap;

use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::SeccompCmpOp::{Eq, Gt, Lt, MaskedEq, Ne};
use seccompiler::{BpfProgram, SeccompAction, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule};

use super::by_number::{self, Built, RETURN};
use super::calls;

/// What the other walls hold, so that the filter has to hold the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// Landlock guards truncation (version 3).
    pub(super) truncation: bool,
    /// Signals cannot leave: Landlock scopes them (version 6), or there is a namespace for processes.
    pub(super) signals: bool,
    /// Network and IPC are the command's own.
    pub(super) namespaces: bool,
}

/// The three programs, to be installed in this order: installing the first needs calls that the others refuse.
pub(super) struct Programs {
    pub(super) handed_over: BpfProgram,
    pub(super) by_number: BpfProgram,
    pub(super) refused: BpfProgram,
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Compiles the filters.
///
/// # Errors
/// On an architecture that the compiler does not know.
pub(super) fn programs(around: Around) -> Built<Programs> {
    Ok(Programs {
        handed_over: handed_over(around)?,
        by_number: by_number::program(around.namespaces)?,
        refused: refused(around)?,
    })
}

/// One comparison of the 32 bits of an argument.
fn when(argument: u8, operator: SeccompCmpOp, value: u64) -> Built<SeccompCondition> {
    SeccompCondition::new(argument, Dword, operator, value)
}

/// Adds a rule to a call: all `conditions` have to hold. Rules of one call are alternatives.
fn add(rules: &mut Rules, call: i64, conditions: Vec<SeccompCondition>) -> Built<()> {
    rules.entry(call).or_default().push(SeccompRule::new(conditions)?);
    Ok(())
}

/// The calls whatever their arguments.
fn add_all(rules: &mut Rules, calls: &[i64]) {
    rules.extend(calls.iter().map(|call| (*call, Vec::new())));
}

fn compile(rules: Rules, action: SeccompAction) -> Built<BpfProgram> {
    let architecture = std::env::consts::ARCH.try_into()?;
    let calls: Vec<i64> = rules.keys().copied().collect();
    by_number::for_calls(&calls, SeccompFilter::new(rules, SeccompAction::Allow, action, architecture)?.try_into()?)
}

/// Refused with EPERM for some arguments.
fn refused(around: Around) -> Built<BpfProgram> {
    let mut rules = Rules::new();
    clone(&mut rules)?;
    ioctl(&mut rules, around)?;
    file_control(&mut rules)?;
    other_processes(&mut rules)?;
    files(&mut rules, around)?;
    sockets(&mut rules, around)?;
    compile(rules, SeccompAction::Errno(libc::EPERM.cast_unsigned()))
}

/// Namespaces, and children that are not one's own: clone(2).
fn clone(rules: &mut Rules) -> Built<()> {
    let flags = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_PARENT,
        libc::CLONE_PTRACE,
    ];
    for flag in flags.map(|flag| u64::from(flag.cast_unsigned())) {
        add(rules, libc::SYS_clone, vec![when(0, MaskedEq(flag), flag)?])?;
    }
    Ok(())
}

/// ioctl(2) reaches every driver and file system, past Landlock for what is not a device: attributes of files that may
/// only be read, snapshots of btrfs. So what is allowed is named, and everything between is refused.
fn ioctl(rules: &mut Rules, around: Around) -> Built<()> {
    let mut after = 0;
    for (first, last) in calls::IOCTLS {
        if after < *first {
            // The numbers from `after` to before `first`. Number 0 does nothing anywhere.
            add(rules, libc::SYS_ioctl, vec![when(1, Gt, after.saturating_sub(1))?, when(1, Lt, *first)?])?;
        }
        after = last + 1;
    }
    if !around.namespaces {
        // There are no terminals but those that were given.
        add(rules, libc::SYS_ioctl, vec![when(1, Eq, calls::TIOCSWINSZ)?])?;
    }
    add(rules, libc::SYS_ioctl, vec![when(1, Gt, after - 1)?])
}

/// fcntl(2) can make the kernel send a signal to any process when a file is ready, and hold up whoever opens a file that
/// may only be read. A terminal sends it to whoever is in its foreground, without F_SETOWN.
fn file_control(rules: &mut Rules) -> Built<()> {
    const F_SETOWN: u64 = 8;
    const F_SETOWN_EX: u64 = 15;
    const F_SETLEASE: u64 = 1024;
    const F_NOTIFY: u64 = 1026;
    for command in [F_SETOWN, F_SETOWN_EX, F_SETLEASE, F_NOTIFY] {
        add(rules, libc::SYS_fcntl, vec![when(1, Eq, command)?])?;
    }
    let (set, tells) = [libc::F_SETFL, libc::O_ASYNC].map(|number| u64::from(number.cast_unsigned())).into();
    add(rules, libc::SYS_fcntl, vec![when(1, Eq, set)?, when(2, MaskedEq(tells), tells)?])
}

/// Limits, priorities and processors of other processes. 0 is the calling process itself.
fn other_processes(rules: &mut Rules) -> Built<()> {
    for (call, argument) in calls::WITH_PROCESS {
        add(rules, *call, vec![when(*argument, Ne, 0)?])?;
    }
    let groups: [(i64, u32); 4] = [
        (libc::SYS_setpriority, libc::PRIO_PGRP),
        (libc::SYS_setpriority, libc::PRIO_USER),
        // IOPRIO_WHO_PGRP, IOPRIO_WHO_USER: ioprio_set(2).
        (libc::SYS_ioprio_set, 2),
        (libc::SYS_ioprio_set, 3),
    ];
    for (call, kind) in groups {
        add(rules, call, vec![when(0, Eq, u64::from(kind))?])?;
    }
    Ok(())
}

/// What of opening and making files Landlock does not guard.
fn files(rules: &mut Rules, around: Around) -> Built<()> {
    let creates = u64::from(libc::O_CREAT.cast_unsigned());
    let nameless = u64::from((libc::O_TMPFILE & !libc::O_DIRECTORY).cast_unsigned());
    let truncates = u64::from(libc::O_TRUNC.cast_unsigned());
    let access = u64::from(libc::O_ACCMODE.cast_unsigned());
    for (call, flags, mode) in calls::OPEN {
        // A program of this user that others may run with this user's rights, and the same for the group.
        for bit in [0o4000, 0o2000] {
            for made in [creates, nameless] {
                add(rules, *call, vec![when(*flags, MaskedEq(made), made)?, when(*mode, MaskedEq(bit), bit)?])?;
            }
        }
        if !around.truncation {
            // What may only be read would be emptied.
            add(rules, *call, vec![when(*flags, MaskedEq(access | truncates), truncates)?])?;
        }
    }
    for (call, mode) in calls::MAKE {
        for bit in [0o4000, 0o2000] {
            add(rules, *call, vec![when(*mode, MaskedEq(bit), bit)?])?;
        }
    }
    if !around.truncation {
        add_all(rules, &[libc::SYS_truncate]);
    }
    Ok(())
}

/// Which sockets there may be at all. Whom they reach is decided when they connect.
fn sockets(rules: &mut Rules, around: Around) -> Built<()> {
    /// The bits of a socket's type that are no flags: socket(2).
    const TYPE: u64 = 0xf;
    /// All types but streams (1) and sequenced packets (5): datagrams can be sent to any address, and a raw Unix
    /// socket is one of datagrams.
    const NO_STREAM: [u64; 6] = [2, 3, 4, 6, 8, 10];
    let number = |value: i32| u64::from(value.cast_unsigned());
    let [unix, four, six, netlink] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK].map(number);
    let call = libc::SYS_socket;
    add(rules, call, vec![when(0, Ne, unix)?, when(0, Ne, four)?, when(0, Ne, six)?, when(0, Ne, netlink)?])?;
    // NETLINK_ROUTE only: programs list the interfaces with it. Changing something takes a capability.
    add(rules, call, vec![when(0, Eq, netlink)?, when(2, Ne, 0)?])?;
    for kind in NO_STREAM {
        add(rules, call, vec![when(0, Eq, unix)?, when(1, MaskedEq(TYPE), kind)?])?;
        add(rules, libc::SYS_socketpair, vec![when(1, MaskedEq(TYPE), kind)?])?;
    }
    add(rules, libc::SYS_socketpair, vec![when(0, Ne, unix)?])?;
    for (level, option) in calls::WAYS {
        let [level, option] = [*level, *option].map(number);
        add(rules, libc::SYS_setsockopt, vec![when(1, Eq, level)?, when(2, Eq, option)?])?;
    }
    if around.namespaces {
        return Ok(());
    }
    // A port of the call would be one of somebody else's, too, with connections that are meant for them: socket(7).
    let [level, shared] = [libc::SOL_SOCKET, libc::SO_REUSEPORT].map(number);
    add(rules, libc::SYS_setsockopt, vec![when(1, Eq, level)?, when(2, Eq, shared)?])?;
    for family in [four, six] {
        for kind in NO_STREAM.into_iter().chain([5]) {
            add(rules, call, vec![when(0, Eq, family)?, when(1, MaskedEq(TYPE), kind)?])?;
        }
        // Multipath TCP and SCTP connect by other doors.
        let tcp = number(libc::IPPROTO_TCP);
        add(rules, call, vec![when(0, Eq, family)?, when(2, Ne, 0)?, when(2, Ne, tcp)?])?;
    }
    // TCP Fast Open connects while it sends.
    let fast = number(libc::MSG_FASTOPEN);
    for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
        add(rules, call, vec![when(flags, MaskedEq(fast), fast)?])?;
    }
    Ok(())
}

/// Handed over to the supervisor.
fn handed_over(around: Around) -> Built<BpfProgram> {
    let mut rules = Rules::new();
    add_all(&mut rules, calls::METADATA);
    add_all(&mut rules, calls::LINKS);
    add_all(&mut rules, &[libc::SYS_connect, libc::SYS_inotify_add_watch]);
    if !around.signals {
        add_all(&mut rules, calls::SIGNALS);
    }
    if around.namespaces {
        add(&mut rules, libc::SYS_ioctl, vec![when(1, Eq, calls::TIOCSWINSZ)?])?;
    } else {
        // Who listens is what tells a socket of the command from one of others.
        add_all(&mut rules, &[libc::SYS_listen]);
        add_all(&mut rules, calls::GROUPS);
        // The address is a pointer: 64 bits, or one with 32 low zero bits would pass.
        add(&mut rules, libc::SYS_sendto, vec![SeccompCondition::new(4, Qword, Ne, 0)?])?;
    }
    // Also with namespaces: a path in the project is one for others, too.
    add_all(&mut rules, &[libc::SYS_bind]);
    // Only to tell what was denied: Landlock decides.
    add_all(&mut rules, calls::WATCHED);
    let writes = [libc::O_WRONLY, libc::O_RDWR, libc::O_CREAT].map(|flag| u64::from(flag.cast_unsigned()));
    for (call, flags, _) in calls::OPEN {
        for flag in writes {
            add(&mut rules, *call, vec![when(*flags, MaskedEq(flag), flag)?])?;
        }
    }
    // seccompiler has no "ask the supervisor": a return value that it has is compiled, and changed.
    const PLACEHOLDER: u16 = 0x0b0b;
    const TRACE: u32 = 0x7ff0_0000 | PLACEHOLDER as u32;
    let mut program = compile(rules, SeccompAction::Trace(u32::from(PLACEHOLDER)))?;
    for step in &mut program {
        if step.code == RETURN && step.k == TRACE {
            step.k = libc::SECCOMP_RET_USER_NOTIF;
        }
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::super::by_number::tests::answer_to;
    use super::super::by_number::{ALLOW, OWN_ARCHITECTURE};
    use super::*;

    #[test]
    fn the_filters_fit_into_the_kernel() {
        const MAX_STEPS: usize = 4096;
        for signals in [false, true] {
            for namespaces in [false, true] {
                let built = programs(Around { truncation: signals, signals, namespaces }).unwrap();
                let asks = built.handed_over.iter().filter(|step| step.k == libc::SECCOMP_RET_USER_NOTIF).count();
                assert!(asks > 0 && !built.handed_over.iter().any(|step| step.k & 0xffff_0000 == 0x7ff0_0000));
                for program in [built.handed_over, built.by_number, built.refused] {
                    assert!(program.len() < MAX_STEPS, "{}", program.len());
                }
            }
        }
    }

    #[test]
    fn the_short_way_leads_past_what_would_let_a_call_pass_and_past_nothing_else() {
        let rules = |around| {
            let mut rules = Rules::new();
            sockets(&mut rules, around).unwrap();
            ioctl(&mut rules, around).unwrap();
            files(&mut rules, around).unwrap();
            rules
        };
        let around = Around { truncation: false, signals: true, namespaces: false };
        let action = SeccompAction::Errno(1);
        let architecture = std::env::consts::ARCH.try_into().unwrap();
        let plain = SeccompFilter::new(rules(around), SeccompAction::Allow, action.clone(), architecture).unwrap();
        let plain: BpfProgram = plain.try_into().unwrap();
        let short = compile(rules(around), action).unwrap();
        let arguments = [0, 1, 2, 8, 16, 0o4100, 0x5421, 0x1_0000_0002, u64::MAX];
        for number in (0..600).chain([0x4000_0000, u32::MAX]) {
            for first in arguments {
                for second in arguments {
                    let arguments = [first, second, first, second, first, second];
                    for architecture in [OWN_ARCHITECTURE, 0x4000_0003] {
                        assert_eq!(
                            answer_to(&short, architecture, number, arguments),
                            answer_to(&plain, architecture, number, arguments),
                            "{number} {first:x} {second:x}"
                        );
                    }
                }
            }
        }
        assert_ne!(answer_to(&short, 0x4000_0003, 0, [0; 6]), ALLOW);
    }

    #[test]
    fn the_ranges_of_ioctl_are_in_order() {
        let mut last = 0;
        for (first, end) in calls::IOCTLS {
            assert!(last < *first && first <= end, "{first:x}");
            last = *end;
        }
    }
}
