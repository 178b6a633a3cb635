//! Real processes.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use handraise_policy::{Contradiction, ProcessId, Provenance};

use super::super::{Claims, find, look};
use crate::peer::Peer;

/// How long a test waits for something that ought to happen.
const TEST_TIMEOUT: Duration = Duration::from_secs(30);

/// A program and the process to look at.
struct Running(Child, u32);

impl Drop for Running {
    fn drop(&mut self) {
        // It leads a process group, so that its children go as well.
        let process = |pid: u32| nix::unistd::Pid::from_raw(i32::try_from(pid).unwrap());
        let _ = nix::sys::signal::killpg(process(self.0.id()), nix::sys::signal::Signal::SIGKILL);
        // This one may have left it.
        let _ = nix::sys::signal::kill(process(self.1), nix::sys::signal::Signal::SIGKILL);
        let _ = self.0.wait();
    }
}

/// Runs `script` in a copy of bash called `name`, in `folder`; it writes the number of the process to
/// look at into the file `pid`.
fn run(name: &str, script: &str, folder: &Path) -> (Running, u32) {
    let program = folder.join(name);
    std::fs::copy("/bin/bash", &program).unwrap();
    let mut command = Command::new(program);
    command.args(["-c", script]).current_dir(folder).stdin(Stdio::null()).process_group(0);
    let child = command.spawn().unwrap();
    let mut running = Running(child, 0);
    running.1 = running.0.id();
    let begin = Instant::now();
    loop {
        let text = std::fs::read_to_string(folder.join("pid")).unwrap_or_default();
        if let Some(pid) = text.strip_suffix('\n').and_then(|pid| pid.parse().ok()) {
            running.1 = pid;
            return (running, pid);
        }
        assert!(begin.elapsed() < TEST_TIMEOUT, "it did not start");
        std::thread::yield_now();
    }
}

fn lineage(pid: u32) -> Vec<ProcessId> {
    let stat = procfs::process::Process::new(i32::try_from(pid).unwrap()).unwrap().stat().unwrap();
    let process = Some(ProcessId { pid, started: stat.starttime });
    Peer::Unix { path: String::new(), process }.requester().lineage
}

fn provenance(pid: u32, agent: &str) -> Provenance {
    look(&lineage(pid), &Claims { agent: Some(agent.to_owned()), folder: None }).unwrap().0
}

#[test]
fn an_agent_is_found_behind_a_shell_and_in_a_session_of_its_own() {
    for start in ["", "setsid "] {
        let folder = tempfile::tempdir().unwrap();
        // Two commands, so that no shell replaces itself with the last one.
        let script = format!("{start}sh -c 'sleep 600 & echo $! > pid; wait; true'; true");
        let (_running, pid) = run("claude", &script, folder.path());
        let provenance = provenance(pid, "claude-code");
        let agent = provenance.agent.and_then(|at| provenance.programs.get(at)).unwrap();
        assert_eq!(agent.agent.as_deref(), Some("claude-code"), "{provenance:?}");
        assert_eq!(agent.executable.as_deref(), folder.path().canonicalize().unwrap().join("claude").to_str());
        assert_eq!(provenance.programs.first().map(|program| program.pid), Some(pid));
        assert_eq!(provenance.folder.as_deref(), folder.path().canonicalize().unwrap().to_str());
        assert_eq!(provenance.contradictions, []);
        assert_eq!(provenance.container, None, "the gate runs where the agent runs");
    }
}

#[test]
fn a_program_with_another_agents_name_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let (_running, pid) = run("codex", "sleep 600 & echo $! > pid; wait; true", folder.path());
    let expected = Contradiction::OtherAgent { claimed: "claude-code".into(), found: "codex".into() };
    assert_eq!(provenance(pid, "claude-code").contradictions, [expected]);
}

#[test]
fn a_process_that_has_gone_or_is_another_one_is_not_told_about() {
    let folder = tempfile::tempdir().unwrap();
    let (running, pid) = run("claude", "echo $$ > pid; sleep 600; true", folder.path());
    let lineage = lineage(pid);
    let claims = Claims::default();
    assert!(look(&lineage, &claims).is_some());
    let another: Vec<ProcessId> =
        lineage.iter().map(|id| ProcessId { started: id.started.wrapping_add(1), ..*id }).collect();
    assert!(look(&another, &claims).is_none());
    drop(running);
    assert!(look(&lineage, &claims).is_none());
}

#[test]
fn a_mount_namespace_of_its_own_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let works = Command::new("unshare").args(["--user", "--map-current-user", "--mount", "true"]).output();
    if !works.is_ok_and(|output| output.status.success()) {
        // A system that does not let users make namespaces: nothing to find.
        return;
    }
    let script = "unshare --user --map-current-user --mount sleep 600 & echo $! > pid; wait; true";
    let (_running, pid) = run("claude", script, folder.path());
    let begin = Instant::now();
    // `unshare` becomes `sleep` after it has made the namespace.
    loop {
        let found = provenance(pid, "claude-code");
        if found.container.is_some() {
            assert!(found.contradictions.contains(&Contradiction::InContainer));
            break;
        }
        assert!(begin.elapsed() < TEST_TIMEOUT, "{found:?}");
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn the_repository_of_its_folder_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut git = Command::new("git");
    git.args(["init", "--quiet", "--initial-branch", "trunk"]).current_dir(folder.path());
    assert!(git.status().unwrap().success());
    let (_running, pid) = run("claude", "sleep 600 & echo $! > pid; wait; true", folder.path());
    let provenance = find(lineage(pid), Claims::default()).await.unwrap();
    assert_eq!(provenance.repository.unwrap().branch.as_deref(), Some("trunk"));
}

#[tokio::test]
async fn nothing_is_known_without_a_process() {
    assert_eq!(find(Vec::new(), Claims::default()).await, None);
}
