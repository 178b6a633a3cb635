//! The chain of programs behind a request: how far it goes, which of them is the agent, and what they
//! run in.

use std::path::PathBuf;

use handraise_agents::{ProgramKind, program_kind, script};
use handraise_policy::{OriginProgram, OriginTerminal, ProcessId};

use super::places;

/// Our own commands: whoever started one of them is the one who asks.
const SHIMS: &[&str] = &["handraise", "handraise-hook"];
/// Programs that stand between an agent and its hook.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "fish", "ksh", "busybox", "ash", "env", "timeout"];

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

    fn agent(&self) -> Option<&'static str> {
        if let ProgramKind::Agent(name) = self.kind() { Some(name) } else { None }
    }

    /// It is an agent without a terminal in a session of its own: a server, perhaps, that works for every
    /// terminal, as Codex has one.
    fn serves_many(&self) -> bool {
        self.leads_session && self.terminal == 0 && self.agent().is_some()
    }

    pub(super) fn is_shim(&self) -> bool {
        SHIMS.contains(&self.command())
    }

    fn program(&self) -> OriginProgram {
        OriginProgram {
            name: self.name.clone(),
            pid: self.id.map_or(0, |id| id.pid),
            executable: self.executable.clone(),
            script: script(self.command(), &self.arguments).map(str::to_owned),
            agent: self.agent().map(str::to_owned),
        }
    }
}

/// The processes from a requester up to its terminal.
pub(super) struct Chain<'a> {
    /// The requester first. What shows the terminal is the last one, where there is a terminal.
    pub(super) processes: &'a [Process],
    /// Which of them is the agent.
    pub(super) agent: Option<usize>,
    pub(super) terminal: Option<OriginTerminal>,
}

impl<'a> Chain<'a> {
    /// Reads `lineage`: a requester, then its ancestors.
    pub(super) fn of(lineage: &'a [Process]) -> Self {
        let (end, shown_by) = end(lineage);
        let processes = lineage.get(..end).unwrap_or(lineage);
        let within = processes.get(..shown_by.unwrap_or(end)).unwrap_or(processes);
        // A terminal that an agent has made for what it runs is not its own.
        let device = within.iter().skip(nearest_agent(lineage)).rev().find(|process| process.terminal != 0);
        let place = shown_by.and_then(|at| processes.get(at));
        let agent = agent(within);
        // What started an agent that serves many is not where this request comes from; an editor keeps its own.
        let is_elsewhere = agent.and_then(|at| within.get(at)).is_some_and(Process::serves_many)
            && !place.is_some_and(|place| matches!(place.kind(), ProgramKind::Editor(_)));
        let terminal = (!is_elsewhere && (device.is_some() || place.is_some())).then(|| OriginTerminal {
            program: place.map(places::name),
            device: device.map(|process| places::device(process.terminal)),
        });
        Self { processes, agent, terminal }
    }

    /// The working folder: that of the agent, or, where it serves many, that of what it has started for
    /// this request.
    pub(super) fn folder(&self) -> Option<&'a PathBuf> {
        let asking = self.up_to_agent();
        let (agent, started) = asking.split_last()?;
        let nearest = started.last().filter(|_| agent.serves_many()).unwrap_or(agent);
        nearest.folder.as_ref()
    }

    /// The requester and whatever stands between it and its agent, the agent included.
    pub(super) fn up_to_agent(&self) -> &'a [Process] {
        let end = self.agent.map_or(1, |agent| agent + 1);
        self.processes.get(..end).unwrap_or(self.processes)
    }

    pub(super) fn programs(&self) -> Vec<OriginProgram> {
        self.processes.iter().map(Process::program).collect()
    }
}

fn nearest_agent(lineage: &[Process]) -> usize {
    lineage.iter().position(|process| process.agent().is_some()).unwrap_or(0)
}

/// How many processes belong to the chain, and which one of them shows the terminal.
fn end(lineage: &[Process]) -> (usize, Option<usize>) {
    let nearest_agent = nearest_agent(lineage);
    let mut has_terminal = false;
    for (at, process) in lineage.iter().enumerate() {
        if at > nearest_agent && (places::is_place(process) || (has_terminal && process.terminal == 0)) {
            return (at + 1, Some(at));
        }
        has_terminal |= at >= nearest_agent && process.terminal != 0;
    }
    (lineage.len(), None)
}

/// The nearest program that is known to be an agent. Without one it is the requester itself, or, where
/// that is our own command, whoever started it.
fn agent(chain: &[Process]) -> Option<usize> {
    let known = chain.iter().position(|process| process.agent().is_some());
    known.or_else(|| match chain.split_first()? {
        (requester, ancestors) if requester.is_shim() => {
            let started = ancestors.iter().position(|next| !SHELLS.contains(&next.command()))?;
            Some(started + 1)
        }
        _ => Some(0),
    })
}
