//! One process, as the system tells about it.

use std::path::PathBuf;

use handraise_agents::{ProgramKind, program_kind, script};
use handraise_policy::{ProcessId, ProvenanceProgram};

/// Our own commands: whoever started one of them is the one who asks.
const SHIMS: &[&str] = &["handraise", "handraise-hook"];

/// What the system tells about one process.
#[derive(Clone, Debug, Default)]
pub(super) struct Process {
    pub(super) id: Option<ProcessId>,
    /// Its name, which it can choose.
    pub(super) name: String,
    pub(super) executable: Option<String>,
    /// Its arguments, which it can change.
    pub(super) arguments: Vec<String>,
    pub(super) folder: Option<PathBuf>,
    /// Number of its terminal device; 0: none.
    pub(super) terminal: u64,
    /// It leads a session (setsid(2)), as what is to outlive its terminal does.
    pub(super) leads_session: bool,
    /// Effective user.
    pub(super) user: Option<u32>,
}

impl Process {
    pub(super) fn kind(&self) -> ProgramKind {
        program_kind(self.executable.as_deref(), &self.name, &self.arguments)
    }

    /// The last part of the executable's path, or else the name.
    pub(super) fn command(&self) -> &str {
        let path = self.executable.as_deref().unwrap_or(&self.name);
        let path = path.strip_suffix(" (deleted)").unwrap_or(path);
        path.rsplit('/').next().unwrap_or(path)
    }

    pub(super) fn agent(&self) -> Option<&'static str> {
        if let ProgramKind::Agent(name) = self.kind() { Some(name) } else { None }
    }

    /// It is an agent without a terminal in a session of its own: a server, perhaps, that works for every
    /// terminal, as Codex has one.
    pub(super) fn serves_many(&self) -> bool {
        self.leads_session && self.terminal == 0 && self.agent().is_some()
    }

    pub(super) fn is_shim(&self) -> bool {
        SHIMS.contains(&self.command())
    }

    pub(super) fn program(&self) -> ProvenanceProgram {
        ProvenanceProgram {
            name: self.name.clone(),
            pid: self.id.map_or(0, |id| id.pid),
            executable: self.executable.clone(),
            script: script(self.command(), &self.arguments).map(str::to_owned),
            agent: self.agent().map(str::to_owned),
        }
    }
}
