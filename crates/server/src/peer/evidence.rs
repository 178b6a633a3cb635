//! What is looked up about each process of a chain (proc(5), cgroups(7)).

use std::fs::{File, Metadata};
use std::io::Read;
use std::net::IpAddr;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use procfs::process::Stat;

use super::lineage::{id, lineage};
use super::standing::{Link, Own, Program};

/// Bytes that are read of a short text about a process.
const MAX_TEXT: u64 = 4 * 1024;
/// Bytes that are read of a process's environment.
const MAX_ENVIRONMENT: u64 = 128 * 1024;
/// Programs that hold the server's end of an SSH session.
const SSH: &[&str] = &["sshd", "sshd-session", "dropbear"];
/// Bits of a file's mode: its group may write, others may.
const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;

/// The links of a chain of processes.
pub(super) fn chain(lineage: &[Stat]) -> Vec<Link> {
    let mut links: Vec<Link> = lineage.iter().map(link).collect();
    let from_ssh: Vec<bool> =
        links.iter().skip(1).map(|parent| SSH.contains(&parent.program.name())).chain([false]).collect();
    for (link, from_ssh) in links.iter_mut().zip(from_ssh) {
        link.is_from_here = from_ssh && !comes_from_elsewhere(link.id.pid);
    }
    links
}

/// Where this process stands.
pub(super) fn own() -> Own {
    let pid = std::process::id();
    Own { user: nix::unistd::geteuid().as_raw(), lineage: lineage(pid).iter().map(id).collect(), unit: unit(pid) }
}

/// The systemd unit that a process runs in: its control group, in the hierarchy that systemd keeps (cgroups(7)).
/// The root group is no unit.
pub(super) fn unit(pid: u32) -> Option<String> {
    let text = text(&format!("/proc/{pid}/cgroup"), MAX_TEXT);
    let of = |prefix: &str| text.lines().find_map(|line| line.strip_prefix(prefix)).filter(|path| *path != "/");
    of("0::").or_else(|| of("1:name=systemd:")).map(str::to_owned)
}

fn link(stat: &Stat) -> Link {
    let id = id(stat);
    let pid = id.pid;
    Link {
        id,
        parent: stat.ppid.unsigned_abs(),
        terminal: stat.tty_nr,
        leads_session: stat.session == stat.pid,
        user: effective_user(pid),
        program: program(pid, &stat.comm),
        arguments: arguments(pid),
        unit: unit(pid),
        is_from_here: false,
    }
}

/// The line `Uid:` has the real, the effective, the saved and the file system user. A user who cannot be told is
/// none of those that count.
fn effective_user(pid: u32) -> u32 {
    let status = text(&format!("/proc/{pid}/status"), MAX_TEXT);
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(u32::MAX)
}

fn arguments(pid: u32) -> Vec<String> {
    let text = text(&format!("/proc/{pid}/cmdline"), MAX_TEXT);
    text.trim_end_matches('\0').split('\0').map(str::to_owned).collect()
}

fn program(pid: u32, name: &str) -> Program {
    let link = format!("/proc/{pid}/exe");
    let Ok(path) = std::fs::read_link(&link) else { return Program::Hidden(name.to_owned()) };
    let fixed = || {
        // The very file that runs, and the one that lies at its path for us: another one after an update, in
        // another mount namespace, or in a file system that somebody mounted over it.
        let (running, lying) = (std::fs::metadata(&link).ok()?, std::fs::symlink_metadata(&path).ok()?);
        let is_same = (running.dev(), running.ino()) == (lying.dev(), lying.ino());
        let name = path.file_name()?.to_str()?;
        (is_same && only_root_changes(&path)).then(|| Program::Fixed(name.to_owned()))
    };
    fixed().unwrap_or_else(|| Program::Changeable(path.to_string_lossy().into_owned()))
}

/// Whether nobody but root can put something else in the place of `path`: it and every folder above it belong to
/// root, and nobody else may write there.
fn only_root_changes(path: &Path) -> bool {
    let closed = |found: Metadata| {
        let group = found.mode() & GROUP_WRITES == 0 || found.gid() == 0;
        found.uid() == 0 && group && found.mode() & OTHERS_WRITE == 0
    };
    path.ancestors().all(|part| std::fs::symlink_metadata(part).is_ok_and(closed))
}

/// Whether the environment that the SSH server gave a shell names another machine as the client:
/// `CLIENT-ADDRESS CLIENT-PORT SERVER-ADDRESS SERVER-PORT` (ssh(1)).
fn comes_from_elsewhere(pid: u32) -> bool {
    let environment = text(&format!("/proc/{pid}/environ"), MAX_ENVIRONMENT);
    let connection = environment.split('\0').find_map(|entry| entry.strip_prefix("SSH_CONNECTION="));
    let mut words = connection.unwrap_or_default().split(' ');
    let (client, server) = (words.next(), words.nth(1));
    let address = |word: Option<&str>| word.and_then(|word| word.parse::<IpAddr>().ok());
    address(client).is_some_and(|client| !client.to_canonical().is_loopback() && Some(client) != address(server))
}

fn text(path: &str, largest: u64) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(path) {
        // What came before an error is still what was there.
        let _ = file.take(largest).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
