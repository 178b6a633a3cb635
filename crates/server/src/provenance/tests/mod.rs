//! Made-up chains of processes, and real ones.

mod chains;
mod honest;
mod real;
mod repositories;

use std::path::PathBuf;

use handraise_policy::ProcessId;

use super::process::Process;

/// A process: its executable, its command line, its terminal device.
fn process(pid: u32, executable: &str, line: &str, terminal: u64) -> Process {
    Process {
        id: Some(ProcessId { pid, started: 1 }),
        name: executable.rsplit('/').next().unwrap_or_default().to_owned(),
        executable: Some(executable.to_owned()),
        arguments: line.split(' ').map(str::to_owned).collect(),
        folder: None,
        terminal,
        leads_session: false,
        user: Some(1000),
    }
}

/// The same in a working folder.
fn in_folder(process: Process, folder: &std::path::Path) -> Process {
    Process { folder: Some(PathBuf::from(folder)), ..process }
}

/// Device number of `pts/3`.
const PTS_3: u64 = 136 << 8 | 3;
/// Device number of `pts/7`.
const PTS_7: u64 = 136 << 8 | 7;

/// What `connect` makes an agent run.
fn shim(terminal: u64) -> Process {
    process(90, "/usr/bin/handraise-hook", "handraise-hook hook claude-code", terminal)
}

fn sh(terminal: u64) -> Process {
    process(80, "/usr/bin/dash", "/bin/sh -c handraise", terminal)
}

fn claude(terminal: u64) -> Process {
    process(70, "/home/ann/.local/share/claude/versions/2.1.197", "claude", terminal)
}

fn bash(terminal: u64) -> Process {
    process(60, "/usr/bin/bash", "bash", terminal)
}

fn gnome_terminal() -> Process {
    process(50, "/usr/libexec/gnome-terminal-server", "/usr/libexec/gnome-terminal-server", 0)
}

fn systemd() -> Process {
    process(40, "/usr/lib/systemd/systemd", "/usr/lib/systemd/systemd --user", 0)
}
