//! What the engine owns.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use handraise_display::line;
use handraise_gate::{Acknowledgement, Entry, Gate, Input, QuestionEntry, QuestionId, Questions};
use handraise_policy::{Grant, PolicyInForce, Request, RequestId, SessionKey};
use handraise_protocol::{
    ApprovalResult, Notice, Problem, ProblemCode, Question, QuestionResult, Session, SurfaceState,
};
use jiff::SignedDuration;

use super::health::Recording;
use super::policy_change::PolicyChanges;
use super::policy_look::PolicyLooks;
use super::shown::ShownRequest;
use super::waiting::{Waiters, WaitsTo};
use super::{AcceptedCall, Engine, EventLog, Retention};
use crate::approval_result;
use crate::audit::Audit;
use crate::clock::ClockWatch;
use crate::credentials::Credentials;
use crate::policy_file::PolicyStore;
use crate::prepare::{Known, Prepared, Preparer};
use crate::redacted::RequestRedactor;
use crate::results::RedactedResults;
use crate::telemetry::Telemetry;
use crate::{Clock, GrantList, Surface, view};

/// Longest path that is told of a session, in characters.
const MAX_PATH: usize = 400;

/// What the engine owns.
pub(crate) struct State {
    pub(crate) gate: Gate,
    pub(crate) questions: Questions,
    pub(crate) audit: Audit,
    /// The folder that the log is kept in, for messages.
    pub(crate) audit_folder: PathBuf,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) clock_watch: ClockWatch,
    /// Whether what is answered can be recorded.
    pub(crate) recording: Recording,
    /// When it was looked whether there is room on the disk, by [`Clock::elapsed`].
    pub(crate) probed: Option<Duration>,
    pub(crate) surfaces: Vec<Arc<dyn Surface>>,
    pub(crate) grant_list: Arc<dyn GrantList>,
    pub(crate) credentials: Credentials,
    pub(crate) policy: PolicyStore,
    /// When the policy file is looked at.
    pub(crate) policy_looks: PolicyLooks,
    /// What a person changes in it.
    pub(crate) policy_changes: PolicyChanges,
    /// Does what is slow, beside the engine. Nothing here looks at a file that an agent has named.
    pub(crate) preparer: Preparer,
    /// Takes secrets out of whatever leaves the gate.
    pub(crate) redactor: Arc<RequestRedactor>,
    /// Open requests as a person is shown them.
    pub(crate) shown: HashMap<RequestId, ShownRequest>,
    /// How requests have ended, as everybody but their requesters may have it.
    pub(crate) results: RedactedResults<Entry>,
    /// The same of questions.
    pub(crate) question_results: RedactedResults<QuestionEntry>,
    /// Open questions as a person is shown them.
    pub(crate) shown_questions: HashMap<QuestionId, Arc<Question>>,
    pub(crate) events: EventLog,
    /// Tells a receiver outside how calls have ended.
    pub(crate) telemetry: Telemetry,
    pub(crate) notices: Vec<Notice>,
    /// How it stands with what the embedding program asks on.
    pub(crate) surface_states: Vec<SurfaceState>,
    /// How long the log is kept.
    pub(crate) retention: Retention,
    /// It was told to end.
    pub(crate) is_over: bool,
    /// Everyone who waits for an open request.
    pub(crate) waiters: HashMap<RequestId, Waiters<ApprovalResult>>,
    /// Everyone who waits for the answer to an open question.
    pub(crate) question_waiters: HashMap<QuestionId, Waiters<QuestionResult>>,
}

/// What became of a call that came in.
pub(super) enum Submitted {
    /// The engine has it.
    Accepted(AcceptedCall),
    /// Nothing has happened: a person would be asked, and what is shown is not ready.
    PersonNeeded(Box<Prepared>),
    /// Nothing has happened: what counts as a secret has changed since it was prepared.
    Outdated(Box<Prepared>),
}

impl State {
    /// Lets the gate take `input` in and carries out what follows. `prepared` is stored with a
    /// request that the input brings.
    pub(crate) fn handle(&mut self, input: Input, prepared: Option<&Prepared>) -> Result<Acknowledgement, Problem> {
        self.look_at_clock();
        let (now, mode) = (self.clock.now(), self.gate.mode());
        let reaction = self.gate.handle(input, now);
        // A person has changed it, or its time is up.
        if self.gate.mode() != mode {
            self.tell_preparer(self.gate.policy().clone());
        }
        let carried_out = self.carry_out(reaction.effects, prepared, now);
        let answer = reaction.answer.map_err(|refusal| self.problem(refusal))?;
        carried_out?;
        Ok(answer)
    }

    /// Submits a request and gives the id that it is known by.
    pub(super) fn submit(&mut self, request: Request, prepared: &Prepared) -> Result<RequestId, Problem> {
        let own = request.id;
        let (request, foreseen) = (Box::new(request), Some(Box::new(prepared.foreseen())));
        let answer = self.handle(Input::Submit { request, foreseen, unless_asked: false }, Some(prepared))?;
        Ok(known_by(answer).unwrap_or(own))
    }

    /// Takes `request` in, which was `prepared` and has its id.
    pub(super) fn take(
        &mut self,
        prepared: Prepared,
        request: Box<Request>,
        engine: Engine,
    ) -> Result<Submitted, Problem> {
        if !self.redacts_as(&prepared) {
            return Ok(Submitted::Outdated(Box::new(prepared)));
        }
        let own = request.id;
        let behind = request.processes.agent.clone();
        let (foreseen, unless_asked) = (Some(Box::new(prepared.foreseen())), !prepared.has_prompt());
        let input = Input::Submit { request, foreseen, unless_asked };
        let Some(id) = known_by(self.handle(input, Some(&prepared))?) else {
            return Ok(Submitted::PersonNeeded(Box::new(prepared)));
        };
        let joined = id != own;
        // Both phases of a call are answered; of a call that was sent again, only the latest.
        if joined && prepared.submission.hook_phase.is_none() {
            self.came_back(id);
        }
        Ok(Submitted::Accepted(AcceptedCall { standing: self.standing(id, WaitsTo::Act, engine)?, joined, behind }))
    }

    /// Whether it was redacted as it would be now.
    pub(super) fn redacts_as(&self, prepared: &Prepared) -> bool {
        Arc::ptr_eq(&prepared.known.redactor, &self.redactor)
    }

    /// A request that a person may decide about.
    pub(super) fn open_request(&self, id: RequestId) -> Option<Request> {
        self.gate.entry(id).filter(|entry| entry.life.outcome.is_none()).map(|entry| entry.request.clone())
    }

    /// How a request stands that the gate knows, as everybody but its requester may have it.
    pub(super) fn shown_result(&mut self, id: RequestId) -> Option<Arc<ApprovalResult>> {
        let entry = self.gate.entry(id)?;
        Some(self.results.of(entry, &self.redactor))
    }

    /// Tells the gate when somebody has set the wall clock: what runs keeps the time that it had left.
    pub(crate) fn look_at_clock(&mut self) {
        if let Some(by) = self.clock_watch.moved(&*self.clock) {
            self.clock_moved(by);
        }
    }

    /// The wall clock was set by `by`.
    pub(crate) fn clock_moved(&mut self, by: SignedDuration) {
        tracing::warn!(seconds = by.as_secs(), "the clock was set");
        let now = self.clock.now();
        self.questions.clock_moved(by);
        self.policy_looks.clock_moved(now);
        let reaction = self.gate.clock_moved(by);
        self.show_new_times();
        if let Err(problem) = self.carry_out(reaction.effects, None, now) {
            tracing::error!(detail = problem.detail, "could not record that the clock was set");
        }
    }

    /// Grants in force, as they may be shown and stored.
    pub(crate) fn grants(&self) -> Vec<Grant> {
        self.gate.grants().iter().map(|grant| self.redactor.grant(grant)).collect()
    }

    /// A policy came into force: its own kinds of secrets count, and what is guarded is looked at anew.
    pub(crate) fn policy_applied(&mut self, in_force: &Arc<PolicyInForce>) {
        let policies = std::iter::once(&in_force.confirmed).chain(&in_force.unconfirmed);
        if let Some(redactor) = self.redactor.with(policies) {
            self.redactor = Arc::new(redactor);
            self.results.clear();
            self.question_results.clear();
            self.show_anew();
        }
        self.tell_preparer(in_force.clone());
    }

    /// Lets what is prepared from now on be prepared with what is in force.
    pub(super) fn tell_preparer(&self, policy: Arc<PolicyInForce>) {
        self.preparer.learn(Known { redactor: self.redactor.clone(), policy, mode: self.gate.mode() });
    }

    /// How long until something is due.
    pub(super) fn next_deadline(&self) -> Option<Duration> {
        let due =
            self.gate.next_deadline().into_iter().chain(self.questions.next_deadline()).chain(self.policy_looks.due());
        let next = due.min()?;
        let left = next.duration_since(self.clock.now());
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
            .map(approval_result::result)
            .ok_or_else(|| Problem::new(ProblemCode::NotFound, "There is no such request."))
    }

    /// Sessions with their grants, the latest first.
    pub(super) fn sessions(&self) -> Vec<Session> {
        let mut grants: HashMap<SessionKey, Vec<handraise_protocol::Grant>> = HashMap::new();
        for grant in self.grants() {
            grants.entry(grant.session.clone()).or_default().push(grant.into());
        }
        let mut sessions: Vec<Session> = self
            .gate
            .sessions()
            .map(|(key, session)| Session {
                id: session_id(key),
                key: key.clone().into(),
                agent_title: view::agent::session_title(key),
                project: session.project.as_deref().map(|project| line(&self.redactor.text(project), MAX_PATH)),
                first_call: session.first_call,
                last_call: session.last_call,
                calls: session.calls,
                grants: grants.remove(key).unwrap_or_default(),
            })
            .collect();
        sessions.sort_by(|one, other| other.last_call.cmp(&one.last_call).then(one.key.cmp(&other.key)));
        sessions
    }

    /// The session that has this id in a path.
    pub(crate) fn session_key(&self, id: &str) -> Option<SessionKey> {
        self.gate.sessions().map(|(key, _)| key).find(|key| session_id(key) == id).cloned()
    }
}

/// The id that a submitted request is known by, if it was taken in.
fn known_by(answer: Acknowledgement) -> Option<RequestId> {
    match answer {
        Acknowledgement::Accepted(id) | Acknowledgement::Joined(id) => Some(id),
        Acknowledgement::Done
        | Acknowledgement::TicketMinted
        | Acknowledgement::PersonNeeded
        | Acknowledgement::Denied(_) => None,
    }
}

/// A session key as it stands in a path: a hash, since its parts may hold anything.
fn session_id(key: &SessionKey) -> String {
    use sha2::{Digest, Sha256};
    let text = serde_json::to_vec(&handraise_protocol::SessionKey::from(key.clone())).unwrap_or_default();
    hex::encode(Sha256::digest(&text).get(..16).unwrap_or_default())
}
