//! A person of the past: answers what the gate would have asked.

use std::collections::BTreeMap;

use handraise_agents::{PastCall, PastOutcome};
use handraise_gate::{Approver, Entry, Evaluation, Gate, Input, Limits, Mode, PersonsDecision};
use handraise_policy::{
    Action, Breadth, Policy, Request, RequestId, RiskLevel, Scope, SessionKey, ToolClass, choices, written_findings,
};
use handraise_shell::CommandLine;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;

use super::category::Category;
use crate::command::policy::shown::Shown;

/// What a person is shown for "this session", the first that is offered.
const BREADTHS: [Breadth; 3] = [Breadth::Prefix, Breadth::Folder, Breadth::Exact];
/// The same of a tool that is none for files, pages or command lines: two calls of it are hardly ever alike.
const OF_OTHER_TOOLS: [Breadth; 2] = [Breadth::Tool, Breadth::Exact];

/// Sessions that are remembered at a time.
const MAX_SESSIONS: usize = 500;

/// Answers in the place of a person.
pub(super) struct Person {
    policy: Policy,
    /// The gates that remember, of the sessions that had a call last, each with the number of that call. What is
    /// remembered belongs to its session, so one for each says the same as one for all, whose room a long history would
    /// fill. `None`: each call is answered once.
    gates: Option<BTreeMap<SessionKey, (u64, Gate)>>,
    calls: u64,
    now: Timestamp,
}

/// What the gate did with a call.
pub(super) struct ReplayedCall {
    /// Without a person's answer to this very call.
    pub(super) action: Action,
    /// What the tool does.
    pub(super) class: ToolClass,
    /// In a few words, what it was asked about or denied for.
    pub(super) cause: String,
    /// The call itself.
    pub(super) title: String,
    /// What it may do.
    pub(super) risk: RiskLevel,
    /// How far it reaches, each as a sentence.
    pub(super) reaches: Vec<String>,
    /// What it is about.
    pub(super) category: Category,
    why: String,
}

impl Person {
    /// One who is asked as `policy` says, and approves for the session, or else each call once.
    pub(super) fn new(policy: Policy, remembers: bool) -> Self {
        Self { policy, gates: remembers.then(BTreeMap::new), calls: 0, now: Timestamp::UNIX_EPOCH }
    }

    /// Puts a call before the gate, and answers if it asks.
    pub(super) fn submit(&mut self, request: &Request, call: &PastCall) -> ReplayedCall {
        self.calls += 1;
        let tick = self.now + SignedDuration::from_millis(1);
        self.now = call.time.map_or(tick, |time| time.max(tick));
        let decision = self.policy.decide(request, self.now);
        let evaluation = Evaluation::by_policy(decision, Mode::Normal, request);
        // What the policy answers no approval changes.
        let asked = evaluation.action == Action::Ask;
        let remembered = if asked { self.remembered(request, call) } else { None };
        let evaluation = remembered.unwrap_or(evaluation);
        ReplayedCall {
            action: evaluation.action,
            class: request.class,
            cause: cause(request, &evaluation),
            title: request.title(),
            category: Category::of(request, evaluation.policy.risk.level),
            risk: evaluation.policy.risk.level,
            reaches: match evaluation.action {
                Action::Allow => reached(request, evaluation.policy.risk.level),
                _ => Vec::new(),
            },
            why: evaluation.policy.why,
        }
    }

    /// What the gate says, which knows the answers so far; it is given the answer to this call.
    fn remembered(&mut self, request: &Request, call: &PastCall) -> Option<Evaluation> {
        let (gates, session) = (self.gates.as_mut()?, request.session.as_ref()?);
        if !gates.contains_key(session) && gates.len() == MAX_SESSIONS {
            let oldest = gates.iter().min_by_key(|(_, (last, _))| *last).map(|(key, _)| key.clone());
            oldest.map(|oldest| gates.remove(&oldest));
        }
        let new = || (0, Gate::new(self.policy.clone(), Limits::default()));
        let (last, gate) = gates.entry(session.clone()).or_insert_with(new);
        *last = self.calls;
        let id = RequestId(Uuid::from_u64_pair(0, self.calls));
        let _ = gate.handle(Input::submit(Request { id, ..request.clone() }), self.now);
        let entry = gate.entry(id)?;
        let evaluation = entry.evaluation.clone();
        if evaluation.action == Action::Ask {
            let decision = decision(entry, call);
            let approver = Approver::in_process("replay");
            // A refusal leaves the call without an answer, as it would be without a person.
            let _ = gate.handle(Input::Decide { id, decision, approver }, self.now);
        }
        Some(evaluation)
    }
}

fn decision(entry: &Entry, call: &PastCall) -> PersonsDecision {
    if call.outcome == PastOutcome::Rejected {
        return PersonsDecision::deny(None);
    }
    let offered = choices(&entry.request, &entry.evaluation.policy);
    let session =
        |breadth: &Breadth| offered.iter().any(|choice| choice.scope == Scope::Session && choice.breadth == *breadth);
    let breadths = match entry.request.class {
        ToolClass::Mcp | ToolClass::Other => OF_OTHER_TOOLS.as_slice(),
        ToolClass::Shell | ToolClass::FileRead | ToolClass::FileWrite | ToolClass::Network => BREADTHS.as_slice(),
    };
    match breadths.iter().copied().find(session) {
        Some(breadth) => PersonsDecision { scope: Scope::Session, breadth, ..PersonsDecision::approve() },
        None => PersonsDecision::approve(),
    }
}

impl ReplayedCall {
    /// It does more than look, and reaches beyond the project or the moment, or destroys.
    pub(super) fn looks_bad(&self) -> bool {
        self.risk == RiskLevel::Destructive || !self.reaches.is_empty()
    }

    /// The call as a JSON line, if a person is asked about it.
    pub(super) fn line(&self, call: &PastCall, shown: &Shown) -> Option<String> {
        if self.action < Action::Ask {
            return None;
        }
        let asked = json!({
            "action": handraise_protocol::Action::from(self.action),
            "cause": shown.text(&self.cause),
            "why": shown.text(&self.why),
            "call": shown.text(&self.title),
            "agent": call.agent,
            "source": call.source,
            "outcome": matches!(call.outcome, PastOutcome::Rejected).then_some("rejected"),
        });
        Some(asked.to_string())
    }
}

/// How far a call reaches that passes; one that only looks reaches nowhere.
fn reached(request: &Request, risk: RiskLevel) -> Vec<String> {
    match risk {
        RiskLevel::ReadOnly => Vec::new(),
        risk => written_findings(request, risk).into_iter().map(|(_, sentence)| sentence).collect(),
    }
}

/// What a call is asked about for: what nobody understood, the first command that asks, or the tool.
fn cause(request: &Request, evaluation: &Evaluation) -> String {
    match (&request.command, request.class) {
        (Some(CommandLine { obstacle: Some(obstacle), .. }), _) => format!("not understood: {obstacle}"),
        (Some(line), _) => evaluation.policy.asked_parts(line).next().map_or_else(
            || "a redirection or a file".to_owned(),
            |part| {
                // `git -C sub push` is `git push`.
                let settled = part.settled();
                let words = settled.as_ref().unwrap_or(part).words.iter().map(|word| word.text.as_str()).take(2);
                let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
                let name: Vec<&str> = words.take_while(is_name).collect();
                format!("`{}`", name.join(" "))
            },
        ),
        (None, ToolClass::FileWrite) => "edits of files".to_owned(),
        (None, ToolClass::FileRead) => "reading of files".to_owned(),
        (None, ToolClass::Mcp) => match &request.server {
            Some(server) => format!("MCP server {server}"),
            None => "MCP tools".to_owned(),
        },
        (None, _) => format!("the tool {}", request.tool),
    }
}
