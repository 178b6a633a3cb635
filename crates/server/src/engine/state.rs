//! What the engine owns.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use handraise_gate::{Answer, Entry, Gate, Grant, Input, ProcessTree, QuestionOrder, Questions, Request, ScriptFacts};
use handraise_protocol::{Approval, ApprovalResult, Notice, Problem, ProblemCode, QuestionId, RequestId, Session};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::health::Recording;
use super::waiting::{Waiters, WaitsTo};
use super::{Engine, EventLog, QuestionWaiters, Taken};
use crate::audit::Audit;
use crate::clock::ClockWatch;
use crate::credentials::Credentials;
use crate::intake::{Submission, intake, reread};
use crate::masking::{Mask, Masked, holds_mark};
use crate::paths::{PathResolver, Protected};
use crate::policy::PolicyStore;
use crate::protections::GuardedFiles;
use crate::{Clock, SessionStore, Surface, skills, view};

/// How long a look at the guarded files counts. Their names are always compared; this is for those that
/// are made anew under another inode.
const PROTECTED_FOR: SignedDuration = SignedDuration::from_secs(60);

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
    pub(crate) store: Arc<dyn SessionStore>,
    pub(crate) credentials: Credentials,
    pub(crate) policy: PolicyStore,
    /// Something has happened to the policy file: look at it then.
    pub(crate) policy_due: Option<Timestamp>,
    /// When the policy file was looked at last.
    pub(crate) policy_looked: Timestamp,
    pub(crate) resolver: PathResolver,
    pub(crate) guarded: GuardedFiles,
    /// What is guarded, as it was found on the disk at this time.
    pub(crate) protected: (Timestamp, Protected),
    /// Takes secrets out of whatever leaves the gate.
    pub(crate) mask: Mask,
    pub(crate) events: EventLog,
    pub(crate) notices: Vec<Notice>,
    /// Everyone who waits for an open request.
    pub(crate) waiters: HashMap<RequestId, Waiters>,
    /// Everyone who waits for the answer to an open question.
    pub(crate) question_waiters: HashMap<QuestionId, QuestionWaiters>,
}

impl State {
    /// Lets the gate take `input` in and carries out what follows. `submission` is stored with a
    /// request that the input brings.
    pub(crate) fn handle(&mut self, input: Input, submission: Option<&Submission>) -> Result<Answer, Problem> {
        self.look_at_clock();
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
        let answer = self.handle(Input::Submit(Box::new(request)), Some(&submission))?;
        Ok(known_by(answer).unwrap_or(own))
    }

    /// Takes a submission in. `None`, and nothing has happened: a person would be asked, and
    /// `unless_asked` says that this has to wait.
    pub(super) fn take(
        &mut self,
        submission: Submission,
        processes: ProcessTree,
        engine: Engine,
        unless_asked: bool,
    ) -> Result<Option<Taken>, Problem> {
        let own = RequestId(Uuid::now_v7());
        let behind = processes.agent.clone();
        let request = self.request(&submission, own, processes)?;
        // What a person is asked about, and whoever comes back for the answer, is about what its files hold now.
        let is_second = request.question.as_ref().is_some_and(|question| question.order == QuestionOrder::Second);
        let comes_back = is_second || self.gate.knows_key(&request);
        let request = Box::new(if unless_asked && !comes_back { request } else { self.with_scripts(request) });
        let input = if unless_asked { Input::SubmitUnlessAsked(request) } else { Input::Submit(request) };
        let Some(id) = known_by(self.handle(input, Some(&submission))?) else { return Ok(None) };
        let joined = id != own;
        // Both questions of a hook about one call are answered; of a call that was sent again, only the latest.
        if joined && submission.question.is_none() {
            self.came_back(id);
        }
        Ok(Some(Taken { submitted: self.submitted(id, WaitsTo::Act, engine)?, joined, behind }))
    }

    /// Makes a submission a request of the gate and looks its paths up.
    pub(crate) fn request(
        &mut self,
        submission: &Submission,
        id: RequestId,
        processes: ProcessTree,
    ) -> Result<Request, Problem> {
        let request = intake(submission, id, processes)?;
        Ok(self.look_up(request))
    }

    /// Says where the paths of `request` lead, as far as the file system tells.
    pub(super) fn look_up(&mut self, request: Request) -> Request {
        let now = self.clock.now();
        if !(self.protected.0..self.protected.0 + PROTECTED_FOR).contains(&now) {
            self.protected = (now, self.guarded.look());
        }
        self.resolver.look_up(request, &self.protected.1)
    }

    /// Says what the files hold that `request` runs.
    pub(crate) fn with_scripts(&self, request: Request) -> Request {
        Request { scripts: self.resolver.script_facts(&request), ..request }
    }

    /// What the files of an open request hold now.
    pub(super) fn scripts_now(&self, id: RequestId) -> Option<ScriptFacts> {
        self.gate.entry(id).map(|entry| self.resolver.script_facts(&entry.request))
    }

    /// An open request with other `arguments`, read anew; `None` when there is no such request.
    pub(super) fn edited(&mut self, id: RequestId, arguments: &Map<String, Value>) -> Result<Option<Request>, Problem> {
        if holds_mark(arguments) {
            let what = "The changed arguments hold a mark that stands for a secret. Reveal it first.";
            return Err(Problem::new(ProblemCode::InvalidRequest, what));
        }
        let edited = self.gate.entry(id).map(|entry| reread(&entry.request, arguments.clone()));
        Ok(edited.map(|request| self.look_up(request)))
    }

    /// A request as a surface may have it.
    pub(crate) fn shown(&self, entry: &Entry) -> Approval {
        let mut approval = view::approval(&Masked::of(entry, &self.mask));
        let runs = skills::of(&entry.request, self.resolver.home());
        approval.arguments.extend(runs.map(|runs| view::runs_by_itself(&runs, &self.mask)));
        approval
    }

    /// A request that is over as a surface may have it: as the audit log keeps it.
    pub(crate) fn shown_from_log(&mut self, id: RequestId) -> Option<Approval> {
        let stored = self.audit.request(id).ok().flatten()?;
        let entry = self.entry(stored)?;
        Some(self.shown(&entry))
    }

    /// How a request stands, as everybody but its requester may have it.
    pub(super) fn shown_result(&self, entry: &Entry) -> ApprovalResult {
        self.mask.result(entry)
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
        (self.policy_due, self.policy_looked, self.protected.0) = (None, now, now);
        let reaction = self.gate.clock_moved(by);
        if let Err(problem) = self.carry_out(reaction.effects, None, now) {
            tracing::error!(detail = problem.detail, "could not record that the clock was set");
        }
    }

    /// Grants in force, as they may be shown and stored.
    pub(crate) fn grants(&self) -> Vec<Grant> {
        self.gate.grants().iter().map(|grant| self.mask.grant(grant)).collect()
    }

    /// A policy came into force: its own kinds of secrets count, and what is guarded is looked at anew.
    pub(crate) fn policy_applied(&mut self) {
        let in_force = self.policy.in_force();
        let policies = std::iter::once(&in_force.confirmed).chain(&in_force.unconfirmed);
        match self.mask.with(policies) {
            Ok(mask) => self.mask = mask,
            Err(error) => tracing::error!(%error, "the policy's own secrets are not known; the earlier ones are"),
        }
        self.protected = (self.clock.now(), self.guarded.look());
    }

    /// How long until something is due.
    pub(super) fn next_deadline(&self) -> Option<Duration> {
        let due = self.gate.next_deadline().into_iter().chain(self.questions.next_deadline()).chain(self.policy_due);
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
                grants: self.grants().into_iter().filter(|grant| grant.session == *key).collect(),
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

/// The id that a submitted request is known by, if it was taken in.
fn known_by(answer: Answer) -> Option<RequestId> {
    match answer {
        Answer::Accepted(id) | Answer::Joined(id) => Some(id),
        Answer::Done | Answer::TicketMinted | Answer::PersonNeeded | Answer::Denied(_) => None,
    }
}

/// A session key as it stands in a path: a hash, since its parts may hold anything.
fn session_id(key: &handraise_protocol::SessionKey) -> String {
    use sha2::{Digest, Sha256};
    let text = serde_json::to_vec(key).unwrap_or_default();
    Sha256::digest(&text).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
