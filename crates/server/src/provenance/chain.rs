//! The chain of programs behind a request: how far it goes, which of them is the agent, and what they
//! run in.

use std::path::PathBuf;

use handraise_agents::ProgramKind;
use handraise_policy::{ProvenanceProgram, ProvenanceTerminal};

use super::host_programs;
use super::process::Process;

/// Programs that stand between an agent and its hook.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "fish", "ksh", "busybox", "ash", "env", "timeout"];

/// The processes from a requester up to its terminal.
pub(super) struct Chain<'a> {
    /// The requester first. What shows the terminal is the last one, where there is a terminal.
    pub(super) processes: &'a [Process],
    /// Which of them is the agent.
    pub(super) agent: Option<usize>,
    pub(super) terminal: Option<ProvenanceTerminal>,
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
        let terminal = (!is_elsewhere && (device.is_some() || place.is_some())).then(|| ProvenanceTerminal {
            program: place.map(host_programs::name),
            device: device.map(|process| host_programs::device(process.terminal)),
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

    pub(super) fn programs(&self) -> Vec<ProvenanceProgram> {
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
        if at > nearest_agent && (host_programs::is_host(process) || (has_terminal && process.terminal == 0)) {
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
