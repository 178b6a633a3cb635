//! Processes as the domain sees them: enough to tell whether an approver belongs to an agent that has asked.
//! Finding the facts out is the owner's work.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Agents and processes above them that are remembered.
const MAX_PROCESSES: usize = 10_000;
/// Short-lived processes between an agent and its question that are remembered.
const MAX_WORDS_BETWEEN: usize = 2_000;
/// Units that are remembered.
const MAX_UNITS: usize = 2_000;

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
    /// The systemd unit (service or scope) that the requester runs in, where the system has any.
    pub unit: Option<String>,
    /// The system tells about processes, but not about this one: it has ended, or it hides.
    pub is_hidden: bool,
}

/// What was found out about the process of an approver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApproverProcess {
    /// The process and then its ancestors; empty when it is this process, or cannot be told.
    pub lineage: Vec<ProcessId>,
    /// The units that it, and what it comes from, run in, as far as they tell it apart from other programs.
    pub units: Vec<String>,
    /// Why it may be anybody's; `None`: where it comes from is known without a gap.
    pub doubt: Option<Doubt>,
}

/// Why a process may be anybody's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// One sentence for the person: what is the matter, and what to do instead.
    pub sentence: String,
    /// It may look all the same: a person reads there, but other programs can type there.
    pub may_look: bool,
}

/// Every process that has asked, with what it belongs to, for as long as this program runs. Of what is more
/// than fits, it forgets what was not heard of for longest.
#[derive(Clone, Debug, Default)]
pub struct Requesters {
    /// Agents.
    agents: Recent<ProcessId>,
    /// What stands between an agent and its question: a hook and its shell, which soon end.
    between: Recent<ProcessId>,
    /// What an agent shares its terminal with.
    terminals: Recent<ProcessId>,
    units: Recent<String>,
}

impl ProcessTree {
    /// Whether the process with this `lineage` (itself first, then its ancestors) was started by
    /// the agent. The process itself may be the one that submitted: a program that holds both
    /// credentials was given both by a person; what it starts was not.
    fn started(&self, lineage: &[ProcessId]) -> bool {
        lineage.iter().skip(1).any(|ancestor| self.agent.contains(ancestor))
    }

    /// Whether the process with this `lineage` shares the agent's tree or terminal session.
    fn contains(&self, lineage: &[ProcessId]) -> bool {
        lineage.iter().any(|process| self.agent.contains(process) || self.terminal.contains(process))
    }

    /// Whether an approver with a token belongs to this agent.
    pub fn is_of_program(&self, approver: &ApproverProcess) -> bool {
        self.started(&approver.lineage)
    }

    /// Whether an approver at a terminal belongs to this agent.
    pub fn is_of_terminal(&self, approver: &ApproverProcess) -> bool {
        self.contains(&approver.lineage) || self.unit.as_ref().is_some_and(|unit| approver.units.contains(unit))
    }
}

impl Requesters {
    /// Remembers who asked.
    pub fn note(&mut self, tree: &ProcessTree) {
        if let Some((agent, between)) = tree.agent.split_last() {
            self.agents.note(agent, MAX_PROCESSES);
            between.iter().for_each(|process| self.between.note(process, MAX_WORDS_BETWEEN));
        }
        tree.terminal.iter().for_each(|process| self.terminals.note(process, MAX_PROCESSES));
        tree.unit.iter().for_each(|unit| self.units.note(unit, MAX_UNITS));
    }

    /// Whether a program with an approver's token belongs to somebody who has asked.
    pub fn started(&self, approver: &ApproverProcess) -> bool {
        let Some((own, ancestors)) = approver.lineage.split_first() else { return false };
        ancestors.iter().any(|ancestor| self.has_asked(ancestor))
            || (!self.has_asked(own) && approver.units.iter().any(|unit| self.units.contains(unit)))
    }

    /// Whether a process at a terminal belongs to somebody who has asked.
    pub fn contain(&self, approver: &ApproverProcess) -> bool {
        let is_known = |process: &ProcessId| self.has_asked(process) || self.terminals.contains(process);
        approver.lineage.iter().any(is_known) || approver.units.iter().any(|unit| self.units.contains(unit))
    }

    fn has_asked(&self, process: &ProcessId) -> bool {
        self.agents.contains(process) || self.between.contains(process)
    }
}

/// The members of a set that were noted last.
#[derive(Clone, Debug)]
struct Recent<Member> {
    /// Each with the moment at which it was noted last.
    moments: HashMap<Member, u64>,
    by_moment: BTreeMap<u64, Member>,
    next: u64,
}

impl<Member> Default for Recent<Member> {
    fn default() -> Self {
        Self { moments: HashMap::new(), by_moment: BTreeMap::new(), next: 0 }
    }
}

impl<Member: Clone + Eq + Hash> Recent<Member> {
    fn note(&mut self, member: &Member, most: usize) {
        let moment = self.next;
        self.next += 1;
        if let Some(earlier) = self.moments.insert(member.clone(), moment) {
            self.by_moment.remove(&earlier);
        }
        self.by_moment.insert(moment, member.clone());
        while self.moments.len() > most {
            let Some((_, oldest)) = self.by_moment.pop_first() else { return };
            self.moments.remove(&oldest);
        }
    }

    fn contains(&self, member: &Member) -> bool {
        self.moments.contains_key(member)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32) -> ProcessId {
        ProcessId { pid, started: 1 }
    }

    #[test]
    fn an_agent_that_asks_seldom_is_not_forgotten_for_the_hooks_of_another() {
        let mut requesters = Requesters::default();
        requesters.note(&ProcessTree { agent: vec![process(3), process(2)], ..ProcessTree::default() });
        for hook in 0..100_000 {
            let agent = vec![process(1_000 + hook), process(7)];
            requesters.note(&ProcessTree { agent, ..ProcessTree::default() });
        }
        let child_of = |pid| ApproverProcess { lineage: vec![process(1), process(pid)], ..ApproverProcess::default() };
        assert!(
            requesters.contain(&child_of(2)) && requesters.started(&child_of(2)) && requesters.started(&child_of(7))
        );
        assert!(requesters.between.moments.len() <= MAX_WORDS_BETWEEN, "it grows without end");
    }

    #[test]
    fn a_unit_in_which_somebody_asked_vouches_for_nobody_but_who_asked() {
        let mut requesters = Requesters::default();
        let unit = || "app.slice/bot.service".to_owned();
        requesters.note(&ProcessTree { agent: vec![process(2)], unit: Some(unit()), ..ProcessTree::default() });
        let of =
            |pid| ApproverProcess { lineage: vec![process(pid)], units: vec![unit()], ..ApproverProcess::default() };
        assert!(requesters.started(&of(9)) && requesters.contain(&of(9)));
        assert!(!requesters.started(&of(2)), "a program that was given both credentials decides");
        assert!(requesters.contain(&of(2)), "a terminal has no such excuse");
    }
}
