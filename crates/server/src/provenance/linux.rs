//! Processes on Linux, from `/proc` (proc(5)). Every file is read up to a limit.

use std::fs::File;
use std::io::Read;
use std::net::IpAddr;
use std::path::Path;

use handraise_agents::ProgramKind;
use handraise_policy::{Contradiction, ProcessId, Provenance, ProvenanceSsh};
use procfs::process::Process as ProcProcess;

use super::chain::Chain;
use super::container::{Namespaces, Surroundings, container};
use super::folders::Folders;
use super::process::Process;
use super::{Claims, claims, host_programs};

/// Bytes that are read of a process's arguments, and of other texts about it.
const MAX_TEXT: u64 = 4 * 1024;
/// Bytes that are read of a process's environment.
const MAX_ENVIRONMENT: u64 = 128 * 1024;
/// Children of one process that are looked at.
const MAX_CHILDREN: usize = 64;

/// Where the request of the process with this `lineage` comes from, and the folders that tell the rest.
pub(super) fn look(lineage: &[ProcessId], claims: &Claims) -> Option<(Provenance, Folders)> {
    let processes: Vec<Process> = lineage.iter().map_while(|id| process(*id)).collect();
    let chain = Chain::of(&processes);
    let requester = chain.processes.first()?.id?;
    let agent = chain.agent.and_then(|at| chain.processes.get(at)).or(chain.processes.first())?;
    let container = container(&surroundings(&requester.pid.to_string()), &surroundings("self"));
    let own_user = nix::unistd::geteuid().as_raw();
    let mut contradictions = claims::contradictions(&chain, claims, own_user, &children);
    let folders = if container.is_some() {
        contradictions.push(Contradiction::InContainer);
        // Its folders are not ours, whatever they are called.
        Folders::default()
    } else {
        Folders { agent: chain.folder().cloned(), claimed: claims::folders(&chain, claims) }
    };
    let provenance = Provenance {
        programs: chain.programs(),
        agent: chain.agent,
        terminal: chain.terminal.clone(),
        folder: chain.folder().map(|folder| folder.to_string_lossy().into_owned()),
        repository: None,
        ssh: ssh(&processes, agent),
        container,
        contradictions,
    };
    // It waits for its answer; a process that has gone has left its number to another one, perhaps.
    is_still(requester).then_some((provenance, folders))
}

/// What the system tells about the process with this number, started at that time.
fn process(id: ProcessId) -> Option<Process> {
    let path = format!("/proc/{}", id.pid);
    let stat = stat(id.pid)?;
    if stat.starttime != id.started {
        return None;
    }
    let link = |name: &str| std::fs::read_link(format!("{path}/{name}")).ok();
    let status = read(&format!("{path}/status"), MAX_TEXT);
    Some(Process {
        id: Some(id),
        name: stat.comm,
        executable: link("exe").map(|executable| executable.to_string_lossy().into_owned()),
        arguments: words(&read(&format!("{path}/cmdline"), MAX_TEXT)),
        folder: link("cwd").filter(|folder| is_there(folder)),
        terminal: u64::from(stat.tty_nr.cast_unsigned()),
        leads_session: stat.session == stat.pid,
        user: effective_user(&status),
    })
}

fn stat(pid: u32) -> Option<procfs::process::Stat> {
    ProcProcess::new(i32::try_from(pid).ok()?).and_then(|process| process.stat()).ok()
}

fn is_still(id: ProcessId) -> bool {
    stat(id.pid).is_some_and(|stat| stat.starttime == id.started)
}

/// A folder that was removed, or that lies outside of what can be reached, is marked so in its text.
fn is_there(folder: &Path) -> bool {
    folder.is_absolute() && !folder.as_os_str().as_encoded_bytes().ends_with(b" (deleted)")
}

/// The line `Uid:` has the real, the effective, the saved and the file system user.
fn effective_user(status: &[u8]) -> Option<u32> {
    let text = String::from_utf8_lossy(status);
    let line = text.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn surroundings(pid: &str) -> Surroundings {
    let link = |name: &str| {
        let target = std::fs::read_link(format!("/proc/{pid}/ns/{name}")).ok()?;
        Some(target.to_string_lossy().into_owned())
    };
    let has = |path: &str| std::fs::symlink_metadata(format!("/proc/{pid}/root/{path}")).is_ok();
    Surroundings {
        cgroup: String::from_utf8_lossy(&read(&format!("/proc/{pid}/cgroup"), MAX_TEXT)).into_owned(),
        namespaces: Namespaces { processes: link("pid"), mounts: link("mnt") },
        has_docker_mark: has(".dockerenv"),
        has_podman_mark: has("run/.containerenv"),
    }
}

/// An SSH session: the server is among the ancestors, or, where a multiplexer outlives its session, the
/// environment of the agent tells of one.
fn ssh(lineage: &[Process], agent: &Process) -> Option<ProvenanceSsh> {
    let environment = read(&format!("/proc/{}/environ", agent.id?.pid), MAX_ENVIRONMENT);
    let connection = environment.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(b"SSH_CONNECTION="));
    // CLIENT-ADDRESS CLIENT-PORT SERVER-ADDRESS SERVER-PORT (ssh(1))
    let text = connection.map(String::from_utf8_lossy);
    let client: Option<IpAddr> = text.and_then(|text| text.split(' ').next()?.parse().ok());
    let has_server = lineage.iter().any(host_programs::is_ssh);
    (has_server || client.is_some()).then(|| ProvenanceSsh { client: client.map(|address| address.to_string()) })
}

/// The agents among the children of `processes`.
fn children(processes: &[Process]) -> Vec<&'static str> {
    let of = |process: &Process| -> Option<Vec<Process>> {
        let pid = process.id?.pid;
        let text = read(&format!("/proc/{pid}/task/{pid}/children"), MAX_TEXT);
        let text = String::from_utf8_lossy(&text).into_owned();
        let ids = text.split_whitespace().filter_map(|child| child.parse().ok()).take(MAX_CHILDREN);
        Some(ids.filter_map(process_now).collect())
    };
    let kinds = processes.iter().filter_map(of).flatten().map(|child| child.kind());
    kinds.filter_map(|kind| if let ProgramKind::Agent(name) = kind { Some(name) } else { None }).collect()
}

fn process_now(pid: u32) -> Option<Process> {
    process(ProcessId { pid, started: stat(pid)?.starttime })
}

fn words(bytes: &[u8]) -> Vec<String> {
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// The beginning of a file; nothing of one that cannot be read.
fn read(path: &str, largest: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(path) {
        // What came before an error is still what was there.
        let _ = file.take(largest).read_to_end(&mut bytes);
    }
    bytes
}
