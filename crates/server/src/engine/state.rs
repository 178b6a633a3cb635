//! What the engine owns.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use handraise_gate::{Answer, Gate, Input, Request};
use handraise_protocol::{ApprovalResult, Notice, Problem, ProblemCode, RequestId, Session};
use jiff::SignedDuration;

use super::EventLog;
use super::waiting::Waiters;
use crate::audit::Audit;
use crate::credentials::Credentials;
use crate::intake::Submission;
use crate::policy_file::PolicyFile;
use crate::{Clock, SessionStore, Surface, view};

/// What the engine owns.
pub(crate) struct State {
    pub(crate) gate: Gate,
    pub(crate) audit: Audit,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) surfaces: Vec<Arc<dyn Surface>>,
    pub(crate) store: Arc<dyn SessionStore>,
    pub(crate) credentials: Credentials,
    pub(crate) policy_file: PolicyFile,
    pub(crate) events: EventLog,
    pub(crate) notices: Vec<Notice>,
    /// Everyone who waits for an open request.
    pub(crate) waiters: HashMap<RequestId, Waiters>,
}

impl State {
    /// Lets the gate take `input` in and carries out what follows. `submission` is stored with a
    /// request that the input brings.
    pub(crate) fn handle(&mut self, input: Input, submission: Option<&Submission>) -> Result<Answer, Problem> {
        let now = self.clock.now();
        let reaction = self.gate.handle(input, now);
        let carried_out = self.carry_out(reaction.effects, submission, now);
        let answer = reaction.answer.map_err(|refusal| self.problem(refusal))?;
        carried_out?;
        Ok(answer)
    }

    /// Submits a request and gives the id that it is known by.
    pub(super) fn submit(&mut self, request: Request, submission: Submission) -> Result<RequestId, Problem> {
        let own = request.id;
        match self.handle(Input::Submit(Box::new(request)), Some(&submission))? {
            Answer::Accepted(id) | Answer::Joined(id) => Ok(id),
            Answer::Done | Answer::TicketMinted => Ok(own),
        }
    }

    /// How long until something is due.
    pub(super) fn next_deadline(&self) -> Option<Duration> {
        let left = self.gate.next_deadline()?.duration_since(self.clock.now());
        Some(Duration::try_from(left.max(SignedDuration::ZERO)).unwrap_or_default())
    }

    /// Whether the gate knows a request and it is this requester's own.
    pub(super) fn is_own(&self, id: RequestId, requester: &str) -> bool {
        self.gate.entry(id).is_some_and(|entry| entry.request.requester == requester)
    }

    /// How a request that the gate still knows stands.
    pub(super) fn result(&self, id: RequestId) -> Result<ApprovalResult, Problem> {
        self.gate
            .entry(id)
            .map(view::result)
            .ok_or_else(|| Problem::new(ProblemCode::NotFound, "There is no such request."))
    }

    /// Sessions with their grants, the latest first.
    pub(super) fn sessions(&self) -> Vec<Session> {
        let mut sessions: Vec<Session> = self
            .gate
            .sessions()
            .map(|(key, session)| Session {
                id: session_id(key),
                key: key.clone(),
                first_call: session.first_call,
                last_call: session.last_call,
                calls: session.calls,
                grants: self.gate.grants().iter().filter(|grant| grant.session == *key).cloned().collect(),
            })
            .collect();
        sessions.sort_by(|one, other| other.last_call.cmp(&one.last_call).then(one.key.cmp(&other.key)));
        sessions
    }

    /// The session that has this id in a path.
    pub(crate) fn session_key(&self, id: &str) -> Option<handraise_protocol::SessionKey> {
        self.gate.sessions().map(|(key, _)| key).find(|key| session_id(key) == id).cloned()
    }
}

/// A session key as it stands in a path: a hash, since its parts may hold anything.
fn session_id(key: &handraise_protocol::SessionKey) -> String {
    use sha2::{Digest, Sha256};
    let text = serde_json::to_vec(key).unwrap_or_default();
    Sha256::digest(&text).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
