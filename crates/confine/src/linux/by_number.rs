//! Steps of a filter that go by the number of a system call. The kernel goes through a filter for each number there is when it
//! is installed, so no number takes more of them than it needs.

use std::collections::BTreeMap;

use seccompiler::{BackendError, BpfProgram, sock_filter};

use super::calls;

pub(super) type Built<T> = Result<T, BackendError>;

// Steps: linux/bpf_common.h, linux/seccomp.h.
const LOAD: u16 = 0x20;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const JUMP_IF_EQUAL: u16 = 0x15;
pub(super) const RETURN: u16 = 0x06;
pub(super) const ALLOW: u32 = 0x7fff_0000;

// Where the number of a call lies, and its architecture, the lower halves of the first three arguments, and the upper one of
// the third: `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST: u32 = 16;
const SECOND: u32 = 24;
const THIRD: u32 = 32;
const THIRD_UPPER: u32 = 36;

/// The architecture whose calls these tables have: linux/audit.h. On another one nothing goes the short way.
pub(super) const OWN_ARCHITECTURE: u32 = if cfg!(target_arch = "x86_64") {
    0xc000_003e
} else if cfg!(target_arch = "aarch64") {
    0xc000_00b7
} else {
    0
};

/// What is decided by the number of a call alone, and the limit for memory of a crash, which gets an answer that no list of
/// refusals gives. The compiler of conditions makes several times as many steps of it.
///
/// # Errors
/// When a jump would be longer than its 8 bits.
pub(super) fn program(has_own_ipc: bool) -> Built<BpfProgram> {
    let ipc = if has_own_ipc { &[] } else { calls::IPC };
    let answers = [
        (calls::REFUSED, libc::EPERM),
        (ipc, libc::EPERM),
        (calls::ABSENT, libc::ENOSYS),
        (calls::ATTRIBUTES, libc::ENOTSUP),
    ];
    let fail = |errno: i32| step(RETURN, 0x0005_0000 | errno.cast_unsigned(), 0, 0);
    // What the program ends with, and where in it each answer begins.
    let mut ends = vec![step(RETURN, ALLOW, 0, 0)];
    let mut chosen = BTreeMap::new();
    for (numbers, errno) in answers {
        chosen.extend(numbers.iter().map(|call| (number(*call), ends.len())));
        ends.push(fail(errno));
    }
    // The limit for memory of a crash stays what it was set to. A program that sets one of its own, as ssh-agent does, is told
    // that it has: without that it ends.
    chosen.insert(number(libc::SYS_setrlimit), ends.len());
    ends.extend([
        step(LOAD, FIRST, 0, 0),
        step(JUMP_IF_EQUAL, libc::RLIMIT_CORE, 0, 1),
        fail(0),
        step(RETURN, ALLOW, 0, 0),
    ]);
    chosen.insert(number(libc::SYS_prlimit64), ends.len());
    ends.extend([
        step(LOAD, SECOND, 0, 0),
        step(JUMP_IF_EQUAL, libc::RLIMIT_CORE, 0, 5),
        step(LOAD, THIRD, 0, 0),
        step(JUMP_IF_EQUAL, 0, 0, 2),
        step(LOAD, THIRD_UPPER, 0, 0),
        step(JUMP_IF_EQUAL, 0, 1, 0),
        fail(0),
        step(RETURN, ALLOW, 0, 0),
    ]);
    let mut ranges = ranges(&chosen);
    if cfg!(target_arch = "x86_64") {
        // Calls of x32 have the same architecture and other numbers: no list of refusals would meet them.
        const X32: u32 = 0x4000_0000;
        ranges.push((X32, ends.len()));
        ends.push(fail(libc::ENOSYS));
    }
    let mut program = vec![step(LOAD, NUMBER, 0, 0)];
    choose(&ranges, &mut program)?;
    program.extend(ends);
    Ok(program)
}

fn step(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

fn number(call: i64) -> u32 {
    u32::try_from(call).unwrap_or(u32::MAX)
}

/// Where the program goes on from each number on: at the first of its ends, but for what is `chosen`.
fn ranges(chosen: &BTreeMap<u32, usize>) -> Vec<(u32, usize)> {
    let mut ranges = vec![(0, 0)];
    let mut go_on = |from: u32, end: usize| match ranges.last_mut() {
        Some((start, last)) if *start == from => *last = end,
        Some((_, last)) if *last == end => {}
        _ => ranges.push((from, end)),
    };
    for (number, end) in chosen {
        go_on(*number, *end);
        go_on(number.saturating_add(1), 0);
    }
    ranges
}

/// Adds the steps that go to the end of a number's range: as few as there can be, since the kernel goes through them for each
/// number when a filter is installed. The ends are counted from behind these steps.
///
/// # Errors
/// When a jump would be longer than its 8 bits.
fn choose(ranges: &[(u32, usize)], program: &mut BpfProgram) -> Built<()> {
    fn part(ranges: &[(u32, usize)], behind: usize, program: &mut BpfProgram) -> Built<()> {
        let (lower, upper) = ranges.split_at(ranges.len() / 2);
        let (Some((_, low)), Some((from, high))) = (lower.first(), upper.first()) else { return Ok(()) };
        // Each range but the first takes one step. Behind this one stand those of the lower half, then those of the upper.
        let [of_lower, of_upper] = [lower, upper].map(|half| half.len() - 1);
        let left = of_lower + of_upper + behind;
        let jump = |to: usize| u8::try_from(to).map_err(|_| BackendError::FilterTooLarge(to));
        let not_at_least = if of_lower == 0 { left + low } else { 0 };
        let at_least = if of_upper == 0 { left + high } else { of_lower };
        program.push(step(JUMP_IF_AT_LEAST, *from, jump(at_least)?, jump(not_at_least)?));
        part(lower, of_upper + behind, program)?;
        part(upper, behind, program)
    }
    part(ranges, 0, program)
}

/// `program`, for the calls that it has rules for: all others of this architecture go a short way past it.
///
/// # Errors
/// When a jump would be longer than its 8 bits.
pub(super) fn for_calls(calls: &[i64], program: BpfProgram) -> Built<BpfProgram> {
    let calls = calls.iter().map(|call| (number(*call), 1)).collect();
    let mut short = vec![step(LOAD, NUMBER, 0, 0)];
    choose(&ranges(&calls), &mut short)?;
    short.push(step(RETURN, ALLOW, 0, 0));
    let past = u8::try_from(short.len()).map_err(|_| BackendError::FilterTooLarge(short.len()))?;
    let first = [step(LOAD, ARCHITECTURE, 0, 0), step(JUMP_IF_EQUAL, OWN_ARCHITECTURE, 0, past)];
    Ok(first.into_iter().chain(short).chain(program).collect())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What a program answers to a call with these arguments: the steps of linux/bpf_common.h that there are.
    pub(in super::super) fn answer_to(
        program: &[sock_filter],
        architecture: u32,
        number: u32,
        arguments: [u64; 6],
    ) -> u32 {
        let mut data = vec![number, architecture, 0, 0];
        data.extend(arguments.iter().flat_map(|argument| [*argument as u32, (argument >> 32) as u32]));
        let (mut at, mut value) = (0, 0);
        loop {
            let step = &program[at];
            at += 1;
            let jump = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
            match step.code {
                LOAD => value = data[step.k as usize / 4],
                RETURN => return step.k,
                JUMP_IF_EQUAL => at += jump(value == step.k),
                JUMP_IF_AT_LEAST => at += jump(value >= step.k),
                0x25 => at += jump(value > step.k),
                0x05 => at += step.k as usize,
                0x54 => value &= step.k,
                other => panic!("{other:x}"),
            }
        }
    }

    fn answer(program: &[sock_filter], number: u32) -> u32 {
        answer_to(program, OWN_ARCHITECTURE, number, [0; 6])
    }

    #[test]
    fn each_number_goes_to_the_end_of_its_range() {
        for count in 0..60_u32 {
            // Alone, in rows, at the very first number, and several ends.
            let chosen: BTreeMap<u32, usize> =
                (0..count).map(|at| (at * at % 97, 1 + usize::try_from(at % 3).unwrap())).collect();
            let mut steps = vec![step(LOAD, NUMBER, 0, 0)];
            choose(&ranges(&chosen), &mut steps).unwrap();
            steps.extend((0..4).map(|end| step(RETURN, end, 0, 0)));
            for number in 0..120 {
                let end = chosen.get(&number).copied().unwrap_or(0);
                assert_eq!(answer(&steps, number) as usize, end, "{number} of {chosen:?}");
            }
        }
        let many: BTreeMap<u32, usize> = (0..200).map(|at| (at * 2, 1)).collect();
        assert!(choose(&ranges(&many), &mut Vec::new()).is_err());
    }

    #[test]
    fn what_is_decided_by_number_is_answered_so() {
        let fails = |errno: i32| 0x0005_0000 | errno.cast_unsigned();
        let built = program(false).unwrap();
        for (numbers, errno) in [
            (calls::REFUSED, libc::EPERM),
            (calls::IPC, libc::EPERM),
            (calls::ABSENT, libc::ENOSYS),
            (calls::ATTRIBUTES, libc::ENOTSUP),
        ] {
            for number in numbers {
                assert_eq!(answer(&built, u32::try_from(*number).unwrap()), fails(errno), "{number}");
            }
        }
        let open = [libc::SYS_read, libc::SYS_execve, libc::SYS_openat, libc::SYS_clone, libc::SYS_ioctl];
        for number in open.map(|number| u32::try_from(number).unwrap()) {
            assert_eq!(answer(&built, number), 0x7fff_0000, "{number}");
        }
        let with_namespaces = program(true).unwrap();
        assert_eq!(answer(&with_namespaces, u32::try_from(libc::SYS_shmget).unwrap()), 0x7fff_0000);
        if cfg!(target_arch = "x86_64") {
            assert_eq!(answer(&built, 0x4000_0000 | 15), fails(libc::ENOSYS));
        }
    }
}
