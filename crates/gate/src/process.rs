//! Processes as the domain sees them: enough to tell whether an approver belongs to the agent that
//! asked. Finding the facts out is the owner's work.

/// One process, told apart from a later one with the same number by its start time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessId {
    /// The number that the system gave it.
    pub pid: u32,
    /// Start time in the system's own unit (Linux: clock ticks after boot, `/proc/PID/stat` field 22).
    pub started: u64,
}

/// The processes behind a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessTree {
    /// The process that submitted, and its ancestors up to and including the agent.
    pub agent: Vec<ProcessId>,
    /// Ancestors of the agent up to, and not including, the shell of its terminal.
    pub terminal: Vec<ProcessId>,
}

impl ProcessTree {
    /// Whether the process with this `lineage` (itself first, then its ancestors) was started by
    /// the agent. The process itself may be the one that submitted: a program that holds both
    /// credentials was given both by a person; what it starts was not.
    pub(crate) fn started(&self, lineage: &[ProcessId]) -> bool {
        lineage.iter().skip(1).any(|ancestor| self.agent.contains(ancestor))
    }

    /// Whether the process with this `lineage` shares the agent's tree or terminal session.
    pub(crate) fn contains(&self, lineage: &[ProcessId]) -> bool {
        lineage.iter().any(|process| self.agent.contains(process) || self.terminal.contains(process))
    }
}
