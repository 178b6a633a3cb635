//! The engine: one task with one mailbox that owns the gate and turns its effects into I/O.

mod activity;
mod batch;
mod deny_all;
mod edited;
mod effects;
mod evaluation;
mod events;
mod health;
mod history;
mod look_ahead;
mod mode;
mod policy;
mod policy_change;
mod policy_look;
mod policy_problem;
mod preview;
mod problem;
mod projects;
mod questions;
mod retention;
mod reveal;
mod rule_check;
mod settings;
mod shown;
mod state;
mod suggested_widenings;
mod suggestions;
mod under_way;
mod undo;
mod waiting;
mod widening;

use std::pin::pin;
use std::sync::Arc;

use handraise_gate::{Approver, Entry, Input, PersonsDecision, QuestionInput, Refusal, Status};
use handraise_policy::{CallKey, GrantId, ProcessId, ProcessTree, Provenance, RequestId, Scope, SessionKey, WallsHash};
use handraise_protocol::{
    Approval, ApprovalResult, ConfinedCommand, DecisionRequest, DecisionResponse, EvaluationResult, Grant, Mode,
    Problem, ProblemCode, Session, WallsReport,
};
use tokio::sync::{Mutex, broadcast, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub(crate) use events::EventLog;
pub use events::Published;
pub(crate) use health::Recording;
pub(crate) use policy::OpenedFacts;
pub(crate) use policy_change::PolicyChanges;
pub(crate) use policy_look::PolicyLooks;
pub(crate) use retention::Retention;
pub(crate) use shown::ShownRequest;
pub(crate) use state::State;
use state::Submitted;
pub use undo::KeptSearch;
use waiting::WaitsTo;
pub(crate) use waiting::{Awaited, Standing};

use crate::approval_result;
use crate::audit::AuditReader;
use crate::credentials::Credentials;
use crate::intake::Submission;
use crate::prepare::{LookAhead, Prepared, Preparer};
use crate::redacted::holds_mark;
use crate::threads;
use crate::turns::{Turn, Turns};
use crate::walls;

/// Messages that may wait in the mailbox before senders have to.
const MAILBOX: usize = 1024;
/// How often a call is prepared anew because the policy has changed meanwhile.
const TRIES: usize = 5;
/// Longest sleep between two looks at the clock, so that a suspended or set clock is noticed.
const MAX_SLEEP: std::time::Duration = std::time::Duration::from_secs(30);

/// A submission that the engine has taken.
#[derive(Debug)]
pub(crate) struct AcceptedCall {
    /// Its answer, or the wait for it.
    pub(crate) standing: Standing<Entry>,
    /// It gets the answer to an earlier request: it is a retry, or the second phase of a call.
    pub(crate) joined: bool,
    /// The processes from the requester up to the agent.
    pub(crate) behind: Vec<ProcessId>,
}

type Message = Box<dyn FnOnce(&mut State) + Send>;

/// A handle of the engine. Every answer comes from the one task that owns the gate; only whose credential a
/// token is can be told without it.
#[derive(Clone, Debug)]
pub struct Engine {
    mailbox: mpsc::Sender<Message>,
    credentials: Credentials,
    /// Held while they are changed.
    credential_changes: Arc<Mutex<()>>,
    stopped: CancellationToken,
    turns: Turns,
    preparer: Preparer,
    reader: AuditReader,
}

impl Engine {
    /// Starts the engine on a thread of its own: it writes to the disk, and waits for that.
    pub(crate) fn start(state: State, reader: AuditReader) -> std::io::Result<Self> {
        let (mailbox, messages) = mpsc::channel(MAILBOX);
        let stopped = CancellationToken::new();
        let credentials = state.credentials.clone();
        let preparer = state.preparer.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        let guard = stopped.clone().drop_guard();
        std::thread::Builder::new().name("engine".to_owned()).stack_size(threads::STACK).spawn(move || {
            // Also dropped when the thread panics: whoever waits learns that nobody will answer.
            let _guard = guard;
            runtime.block_on(run(state, messages));
        })?;
        let credential_changes = Arc::default();
        Ok(Self { mailbox, credentials, credential_changes, stopped, turns: Turns::default(), preparer, reader })
    }

    /// Ends when the engine has ended, whatever the reason. Nothing is approved after that.
    pub async fn stopped(&self) {
        self.stopped.cancelled().await;
    }

    /// Lets the engine do something and gives its answer.
    pub(crate) async fn call<Output: Send + 'static>(
        &self,
        work: impl FnOnce(&mut State) -> Output + Send + 'static,
    ) -> Result<Output, Problem> {
        let (sender, answer) = oneshot::channel();
        let message: Message = Box::new(move |state| {
            // Nobody waits for the answer any more: nothing is lost.
            let _ = sender.send(work(state));
        });
        self.mailbox.send(message).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())
    }

    /// Like [`Engine::call`], from where nobody can wait.
    fn tell(&self, work: impl FnOnce(&mut State) + Send + 'static) {
        if let Err(mpsc::error::TrySendError::Full(message)) = self.mailbox.try_send(Box::new(work)) {
            let mailbox = self.mailbox.clone();
            // Fails only when the engine has ended, and with it whatever was to be told.
            tokio::spawn(async move { mailbox.send(message).await.ok() });
        }
    }

    /// Submits a request. The answer is there at once unless a person has to be asked; only then `provenance`
    /// finds out where the request comes from.
    pub(crate) async fn submit(
        &self,
        submission: Submission,
        processes: ProcessTree,
        provenance: impl Future<Output = Option<Provenance>>,
    ) -> Result<AcceptedCall, Problem> {
        let requester = submission.requester.credential.clone();
        let mut turn = Some(self.turns.take(&requester, submission.size()).await?);
        let mut provenance = pin!(provenance);
        let mut found = None;
        let mut looking = None;
        let mut prepared = self.preparer.prepare(submission, processes.clone(), false, &mut turn).await?;
        for _ in 0..TRIES {
            let wants_prompt = prepared.asks() && !prepared.has_prompt();
            prepared = if wants_prompt {
                self.with_prompt(prepared, &mut turn, &mut provenance, &mut found, &mut looking).await?
            } else {
                prepared
            };
            prepared.request.id = RequestId(Uuid::now_v7());
            prepared.kept = None;
            prepared = self.keep_first(prepared, &mut turn).await?;
            if prepared.asks() && !prepared.has_prompt() {
                // It was to pass, and could not be kept.
                continue;
            }
            if turn.is_none() {
                turn = Some(self.turns.again(&requester).await?);
            }
            let (engine, request) = (self.clone(), Box::new(prepared.request.clone()));
            let id = request.id;
            let settling = self.preparer.is_to_settle(&prepared).then(|| prepared.clone());
            let submitted = self.call(move |state| state.take(prepared, request, engine)).await?;
            let own = settling.as_ref().filter(|_| !matches!(submitted, Ok(Submitted::Accepted(_))));
            own.into_iter().for_each(|prepared| self.discard_kept(prepared));
            match submitted? {
                Submitted::Accepted(taken) => {
                    if let Some(looking) = looking.filter(|_| !taken.joined) {
                        self.tell_later(id, looking);
                    }
                    if let Some(prepared) = settling {
                        self.settle_kept(&prepared, &taken.standing, &mut turn).await;
                    }
                    return Ok(taken);
                }
                Submitted::PersonNeeded(back) => {
                    prepared = self.with_prompt(*back, &mut turn, &mut provenance, &mut found, &mut looking).await?;
                }
                Submitted::Outdated(back) => {
                    let submission = back.submission;
                    prepared = self.preparer.prepare(submission, processes.clone(), false, &mut turn).await?;
                }
            }
        }
        Err(moved_on())
    }

    /// Adds what a person is shown, with where the call comes from. Others go first meanwhile. What it would do goes on
    /// being looked at in `looking` where that takes long.
    async fn with_prompt(
        &self,
        prepared: Prepared,
        turn: &mut Option<Turn>,
        provenance: &mut (impl Future<Output = Option<Provenance>> + Unpin),
        found: &mut Option<Option<Provenance>>,
        looking: &mut Option<LookAhead>,
    ) -> Result<Prepared, Problem> {
        let requester = prepared.request.requester.clone();
        let begun = self.preparer.look_ahead(&prepared);
        let provenance = match found {
            Some(found) => found.clone(),
            None => {
                turn.take();
                found.insert(provenance.await).clone()
            }
        };
        if turn.is_none() {
            *turn = Some(self.turns.again(&requester).await?);
        }
        let mut prepared = self.preparer.finish(prepared, provenance, turn).await?;
        *looking = None;
        if let Some(begun) = begun {
            match begun.early().await {
                Ok(found) => prepared.add_consequences(found),
                Err(late) => *looking = Some(late),
            }
        }
        Ok(prepared)
    }

    /// A hook says that a call is over: what is open about it is withdrawn.
    pub(crate) async fn call_ended(&self, session: SessionKey, call: CallKey) -> Result<(), Problem> {
        let (key, ended) = (session.clone(), call.clone());
        self.call(move |state| state.handle(Input::CallEnded { session, call }, None).map(|_| ())).await??;
        self.preparer.call_over(&key, &ended).await;
        Ok(())
    }

    /// A hook says that the agent has stopped: what it asked itself is withdrawn.
    pub(crate) async fn turn_ended(&self, session: SessionKey) -> Result<(), Problem> {
        self.call(move |state| state.handle(Input::TurnEnded(session), None).map(|_| ())).await?
    }

    /// Goes on waiting for a request of this requester's own.
    pub(crate) async fn resume(&self, id: RequestId, requester: String) -> Result<Standing<Entry>, Problem> {
        let (engine, name) = (self.clone(), requester.clone());
        let own = self.call(move |state| state.is_own(id, &name).then(|| state.standing(id, WaitsTo::Know, engine)));
        match own.await? {
            Some(submitted) => submitted,
            None => Ok(Standing::Ended(Box::new(self.stored_result(id, Some(&requester)).await?))),
        }
    }

    /// How a request stands; one of this requester's own, when one is given.
    pub(crate) async fn look(&self, id: RequestId, requester: Option<String>) -> Result<ApprovalResult, Problem> {
        let name = requester.clone();
        let known = self.call(move |state| match &name {
            None => state.shown_result(id),
            Some(requester) => {
                let own = state.gate.entry(id).filter(|entry| entry.request.requester == *requester);
                own.map(|entry| Arc::new(approval_result::result(entry)))
            }
        });
        match known.await? {
            Some(known) => Ok(Arc::unwrap_or_clone(known)),
            None => self.stored_result(id, requester.as_deref()).await,
        }
    }

    /// Takes a request back.
    pub(crate) async fn cancel(&self, id: RequestId, requester: String) -> Result<ApprovalResult, Problem> {
        self.call(move |state| {
            let reason = "The requester took the request back.".to_owned();
            state.handle(Input::Cancel { id, requester, reason }, None)?;
            state.result(id)
        })
        .await?
    }

    /// Uses an approval that was not waited for.
    pub(crate) async fn redeem(&self, id: RequestId, submission: Submission) -> Result<ApprovalResult, Problem> {
        let mut turn = Some(self.turns.take(&submission.requester.credential, submission.size()).await?);
        let request = self.preparer.prepare(submission, ProcessTree::default(), true, &mut turn).await?.request;
        self.call(move |state| {
            state.handle(Input::Redeem { request: Box::new(request), id }, None)?;
            state.result(id)
        })
        .await?
    }

    /// What runs inside walls for a call of this requester; once.
    pub(crate) async fn enter_walls(&self, id: RequestId, requester: String) -> Result<ConfinedCommand, Problem> {
        self.call(move |state| {
            let run = state.gate.walls_of(id, &requester, state.clock.now()).cloned();
            state.handle(Input::EnterWalls { id, requester }, None)?;
            run.map(walls::command).ok_or_else(|| state.problem(Refusal::NoWalls))
        })
        .await?
    }

    /// How a call of this requester has ended inside its walls.
    pub(crate) async fn walls_reported(
        &self,
        id: RequestId,
        requester: String,
        report: WallsReport,
    ) -> Result<(), Problem> {
        let WallsReport { failed, denied, made } = report;
        if !made.is_empty() {
            self.made_inside(id, requester.clone(), made).await?;
            if denied.is_empty() && !failed {
                return Ok(());
            }
        }
        let denied = self.preparer.denials(&requester, denied).await?;
        self.call(move |state| {
            state.handle(Input::WallsReported { id, requester, denied, failed }, None)?;
            Ok(())
        })
        .await?
    }

    /// Of `made`, what the walls of the call let it make belongs to its session from now on.
    async fn made_inside(&self, id: RequestId, requester: String, made: Vec<String>) -> Result<(), Problem> {
        let of = self.call(move |state| {
            let (session, allowed) = state.gate.made_inside(id, &requester)?;
            Some((session.clone(), allowed.to_vec()))
        });
        let Some((session, allowed)) = of.await? else { return Ok(()) };
        let made = made.into_iter().filter(|path| allowed.contains(path)).collect();
        self.preparer.made(&session, made).await
    }

    /// What would happen to a request. Changes nothing.
    pub(crate) async fn evaluate(&self, submission: Submission) -> Result<EvaluationResult, Problem> {
        let mut turn = Some(self.turns.take(&submission.requester.credential, submission.size()).await?);
        let prepared = self.preparer.prepare(submission, ProcessTree::default(), false, &mut turn).await?;
        let (foreseen, request) = (prepared.foreseen(), prepared.request);
        let (entry, remarks) = self
            .call(move |state| {
                let now = state.clock.now();
                let evaluation = state.gate.evaluate_as(&foreseen, &request, now);
                (Entry::new(request, evaluation, now, now), state.policy_remarks(state.policy.confirmed()))
            })
            .await?;
        let known = prepared.known;
        self.preparer.one("", (), &mut turn, move |_, (), _| evaluation::explained(&entry, &known, &remarks)).await
    }

    /// Decides about a request.
    ///
    /// # Errors
    /// When it is over already (with its real end), when the approver may not, or when the decision
    /// does not fit the request.
    pub async fn decide(
        &self,
        id: RequestId,
        request: DecisionRequest,
        approver: Approver,
    ) -> Result<DecisionResponse, Problem> {
        let changed = request.arguments;
        if changed.as_ref().is_some_and(holds_mark) {
            let what = "The changed arguments hold a mark that stands for a secret. Reveal it first.";
            return Err(Problem::new(ProblemCode::InvalidRequest, what));
        }
        let decision = PersonsDecision {
            decision: request.decision.into(),
            scope: request.scope.into(),
            breadth: request.breadth.into(),
            commands: request.commands.map(rule_check::positions),
            rule: request.rule.map(Into::into),
            reason: request.reason,
            arguments: None,
            edited: None,
            scripts: None,
            tasks: None,
            arguments_hash: request.arguments_hash.map(Into::into),
            confined: request.confined.map(|hash| Box::new(WallsHash::named(hash))),
            late: request.late,
        };
        if matches!(decision.scope, Scope::Project | Scope::Always) {
            // The answer is to stand as rules in the policy.
            self.look_at_policy().await?;
        }
        if let Some(result) = self.widen(id, &decision, &approver).await? {
            return Ok(DecisionResponse { result, ticket: false });
        }
        let (mut edited, mut scripts, mut tasks, mut kept) = (None, None, None, None);
        if decision.approves()
            && let Some(request) = self.call(move |state| state.open_request(id)).await?
        {
            match &changed {
                Some(arguments) => {
                    let request = self.preparer.edited(request, arguments.clone()).await?;
                    if let Some(why) = &request.unseen {
                        let what = format!(
                            "The changed arguments cannot be checked: {why}. Approve or deny the call as it is."
                        );
                        return Err(Problem::new(ProblemCode::InvalidRequest, what));
                    }
                    kept = Some((self.keep_approved(&request).await, request.clone()));
                    edited = Some(Box::new(request));
                }
                None => {
                    kept = Some((self.keep_approved(&request).await, request.clone()));
                    (scripts, tasks) = self
                        .preparer
                        .files_now(request)
                        .await
                        .map(|(scripts, tasks)| (Some(Box::new(scripts)), Some(tasks)))?;
                }
            }
        }
        let decided = self.call(move |state| {
            state.check_lasting_rule(id, &decision)?;
            let decision = PersonsDecision { arguments: changed, edited, scripts, tasks, ..decision };
            let answer = state.handle(Input::Decide { id, decision, approver }, None)?;
            let ticket = answer == handraise_gate::Acknowledgement::TicketMinted;
            let gone = || Problem::new(ProblemCode::NotFound, "There is no such request.");
            let result = state.shown_result(id).ok_or_else(gone)?;
            let response = DecisionResponse { result: Arc::unwrap_or_clone(result), ticket };
            Ok((response, state.policy_changes.take_of_answer()))
        });
        let (decided, saved) = match decided.await.flatten() {
            Ok((response, saved)) => (Ok(response), saved),
            Err(problem) => (Err(problem), None),
        };
        if let Some((is_kept, request)) = kept {
            self.settle_approved(&request, is_kept, &decided).await;
        }
        if let Some(saved) = saved {
            // The answer stands, and who gave it hears whether its rule does.
            saved.await.map_err(|_| gone())??;
        }
        decided
    }

    /// Open requests, oldest first.
    ///
    /// # Errors
    /// Only when the engine has stopped; so for every method without a word about errors.
    pub async fn pending(&self) -> Result<Vec<Arc<Approval>>, Problem> {
        self.render_missing().await?;
        self.call(State::shown_pending).await
    }

    /// Requests that timed out and can still be answered late, the latest first.
    ///
    /// # Errors
    /// When the audit log cannot be read.
    pub async fn missed(&self) -> Result<Vec<Arc<Approval>>, Problem> {
        let timed_out =
            |entry: &&Entry| entry.life.outcome.as_ref().is_some_and(|outcome| outcome.status == Status::Timeout);
        let missed: Vec<RequestId> = self
            .call(move |state| state.gate.ended().filter(timed_out).map(|entry| entry.request.id).collect())
            .await?;
        let stored = self.reader.requests(missed).await.map_err(history::unreadable)?;
        Ok(self.preparer.shown(stored).await?.into_iter().flatten().map(Arc::new).collect())
    }

    /// The mode in force.
    #[expect(clippy::missing_errors_doc, reason = "see `pending`")]
    pub async fn mode(&self) -> Result<Mode, Problem> {
        self.call(|state| state.gate.mode().into()).await
    }

    /// Pauses or resumes.
    ///
    /// # Errors
    /// When the audit log cannot be written.
    pub async fn set_mode(&self, mode: Mode) -> Result<(), Problem> {
        self.call(move |state| state.handle(Input::SetMode(mode.into()), None).map(|_| ())).await?
    }

    /// Sessions with what is remembered for them, the latest first.
    #[expect(clippy::missing_errors_doc, reason = "see `pending`")]
    pub async fn sessions(&self) -> Result<Vec<Session>, Problem> {
        self.call(|state| state.sessions()).await
    }

    /// Everything that is remembered.
    #[expect(clippy::missing_errors_doc, reason = "see `pending`")]
    pub async fn grants(&self) -> Result<Vec<Grant>, Problem> {
        self.call(|state| state.grants().into_iter().map(Grant::from).collect()).await
    }

    /// Takes a grant back, at once.
    ///
    /// # Errors
    /// When there is no such grant, or the audit log cannot be written.
    pub async fn revoke_grant(&self, id: GrantId) -> Result<(), Problem> {
        self.call(move |state| state.handle(Input::RevokeGrant(id), None).map(|_| ())).await?
    }

    /// Ends a session and forgets what is remembered for it.
    ///
    /// # Errors
    /// When the audit log cannot be written.
    pub async fn end_session(&self, key: SessionKey) -> Result<(), Problem> {
        self.call(move |state| {
            state.tell_questions(QuestionInput::EndSession(key.clone()));
            state.handle(Input::EndSession(key), None).map(|_| ())
        })
        .await?
    }

    /// What happens from now on; a receiver that falls behind misses some and is told so.
    #[expect(clippy::missing_errors_doc, reason = "see `pending`")]
    pub async fn subscribe(&self) -> Result<broadcast::Receiver<Published>, Problem> {
        self.call(|state| state.events.receiver()).await
    }

    /// Ends everything: open requests are denied, and nothing is accepted any more.
    pub(crate) async fn shut_down(&self) {
        // An error means that the engine has ended already.
        let _ = self
            .call(|state| {
                state.tell_questions(QuestionInput::Shutdown);
                if let Err(problem) = state.handle(Input::Shutdown, None) {
                    tracing::error!(detail = problem.detail, "could not record the shutdown");
                }
                if let Err(error) = state.audit.seal(state.clock.now()) {
                    tracing::error!(%error, "the end of the audit log could not be noted");
                }
                state.is_over = true;
            })
            .await;
    }
}

/// Nobody will answer.
fn gone() -> Problem {
    Problem::new(ProblemCode::ShuttingDown, "The gate has stopped; nothing is approved.")
}

/// The policy changed whenever the call was ready.
fn moved_on() -> Problem {
    let what = "The policy changed again and again while the call was looked at, so it is not approved. Ask again.";
    Problem::new(ProblemCode::PolicyMoved, what)
}

async fn run(mut state: State, mut messages: mpsc::Receiver<Message>) {
    loop {
        state.look_at_clock();
        state.look_at_policy_in_time().await;
        state.begin_policy_change();
        let sleep = state.next_deadline().map_or(MAX_SLEEP, |left| left.min(MAX_SLEEP));
        tokio::select! {
            message = messages.recv() => match message {
                Some(work) => {
                    work(&mut state);
                    // Whatever the clock or the files do now is for the next run.
                    if state.is_over {
                        return state.policy_changes.end().await;
                    }
                }
                None => return,
            },
            news = state.policy_looks.news() => state.hear_of_policy_look(news),
            news = state.policy_changes.news() => state.hear_of_policy_change(news),
            () = tokio::time::sleep(sleep) => {
                state.tell_questions(QuestionInput::Tick);
                if let Err(problem) = state.handle(Input::Tick, None) {
                    tracing::error!(detail = problem.detail, "could not record what was due");
                }
                state.try_to_record_again();
                state.prune_in_time();
            }
        }
    }
}
