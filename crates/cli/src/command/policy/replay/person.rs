//! A person of the past: answers what the gate would have asked.

use handraise_gate::display::line;
use handraise_gate::shell::CommandLine;
use handraise_gate::{
    Acknowledgement, Approver, Breadth, Entry, Evaluation, Gate, Input, Request, RequestId, Scope, ToolClass, Verdict,
    choices,
};
use handraise_protocol::Action;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;

use super::past_call::{PastCall, PastOutcome};

/// Longest text of a call, in characters; the rest is counted.
const LONGEST_TEXT: usize = 2_000;
/// What a person is shown for "this session", the first that is offered.
const BREADTHS: [Breadth; 3] = [Breadth::Prefix, Breadth::Folder, Breadth::Exact];

/// Answers in the place of a person.
pub(super) struct Person {
    remembers: bool,
    calls: u64,
    now: Timestamp,
}

/// What the gate did with a call.
pub(super) struct Answered {
    /// Without a person's answer to this very call.
    pub(super) action: Action,
    /// What the tool does.
    pub(super) class: ToolClass,
    /// In a few words, what it was asked about or denied for.
    pub(super) cause: String,
    title: String,
    why: String,
}

impl Person {
    /// One who approves for the session, or else each call once.
    pub(super) fn new(remembers: bool) -> Self {
        Self { remembers, calls: 0, now: Timestamp::UNIX_EPOCH }
    }

    /// Puts a call before the gate, and answers if it asks.
    pub(super) fn submit(&mut self, gate: &mut Gate, request: Request, call: &PastCall) -> Answered {
        self.calls += 1;
        let tick = self.now + SignedDuration::from_millis(1);
        self.now = call.time.map_or(tick, |time| time.max(tick));
        let id = RequestId(Uuid::from_u64_pair(0, self.calls));
        let request = Request { id, ..request };
        let evaluation = gate.evaluate(&request, self.now);
        let answered = Answered {
            action: evaluation.action,
            class: request.class,
            cause: cause(&request, &evaluation),
            title: line(&request.title(), LONGEST_TEXT),
            why: evaluation.policy.why.clone(),
        };
        let accepted =
            gate.handle(Input::Submit(Box::new(request)), self.now).answer == Ok(Acknowledgement::Accepted(id));
        if accepted && evaluation.action == Action::Ask {
            let verdict = gate.entry(id).map(|entry| self.verdict(entry, call));
            if let Some(verdict) = verdict {
                let approver = Approver::in_process("replay");
                // A refusal leaves the call without an answer, as it would be without a person.
                let _ = gate.handle(Input::Decide { id, verdict, approver }, self.now);
            }
        }
        answered
    }

    fn verdict(&self, entry: &Entry, call: &PastCall) -> Verdict {
        if call.outcome == PastOutcome::Rejected {
            return Verdict::deny(None);
        }
        let verdict = Verdict::approve();
        if !self.remembers {
            return verdict;
        }
        let offered = choices(&entry.request, &entry.evaluation);
        let session = |breadth: &Breadth| {
            offered.iter().any(|choice| choice.scope == Scope::Session && choice.breadth == *breadth)
        };
        match BREADTHS.into_iter().find(session) {
            Some(breadth) => Verdict { scope: Scope::Session, breadth, ..verdict },
            None => verdict,
        }
    }
}

impl Answered {
    /// The call as a JSON line, if a person is asked about it.
    pub(super) fn line(&self, call: &PastCall) -> Option<String> {
        let asked = json!({
            "action": self.action,
            "cause": self.cause,
            "why": self.why,
            "call": self.title,
            "agent": call.agent,
            "source": call.source,
            "outcome": matches!(call.outcome, PastOutcome::Rejected).then_some("rejected"),
        });
        (self.action != Action::Allow).then(|| asked.to_string())
    }
}

/// What a call is asked about for: what nobody understood, the first command that asks, or the tool.
fn cause(request: &Request, evaluation: &Evaluation) -> String {
    match (&request.command, request.class) {
        (Some(CommandLine { obstacle: Some(obstacle), .. }), _) => format!("not understood: {obstacle}"),
        (Some(line), _) => evaluation.policy.asked_parts(line).next().map_or_else(
            || "a redirection or a file".to_owned(),
            |part| {
                let words = part.words.iter().map(|word| word.text.as_str()).take(2);
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
