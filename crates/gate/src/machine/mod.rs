//! The state machine: inputs and the time in, effects out.

mod batch;
mod clock;
mod collect;
mod confined_run;
mod decide;
mod end;
mod evaluate;
mod hook;
mod pause;
mod size;
mod state;
mod submit;
mod walls;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use collect::Uncollected;
pub use confined_run::ConfinedRun;
pub use evaluate::Evaluation;
pub use size::arguments_size;
pub use state::{Entry, SessionState};
pub use walls::MAX_DENIED;

use crate::lifecycle::{self, Departure, Registry, RegistryLimits, add};
use crate::{Outcome, PersonsDecision};
use handraise_policy::rules::Foreseen;
use handraise_policy::{ApproverProcess, Requesters};
use handraise_policy::{
    CallKey, EditedRuleError, Grant, GrantId, PolicyInForce, Request, RequestId, RuleDraft, SessionKey, WallsDenial,
};

/// Rule for everything at once, set by a person from the tray or the settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The policy decides.
    #[default]
    Normal,
    /// What the policy or a grant would allow is asked for; what is denied stays denied.
    AskEverything,
    /// Everything is denied.
    DenyEverything,
}

/// Bounds that keep a flood from costing more than its own denial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of requests.
    pub requests: RegistryLimits,
    /// Sessions known at once; the one idle for longest gives way.
    pub sessions: usize,
    /// Grants in force.
    pub grants: usize,
    /// A session without a call for this long is over, with its grants.
    pub session_idle: SignedDuration,
    /// How long after its requester went away an approval can still be collected.
    pub uncollected: SignedDuration,
    /// How long a person's answer to the first phase of a call is good for the second one.
    pub second_phase: SignedDuration,
    /// How long the walls of a call wait for the program that puts them up.
    pub walls: SignedDuration,
    /// How long a late approval waits for the next identical call.
    pub ticket: SignedDuration,
    /// Reach of the scope `minutes`.
    pub minutes: SignedDuration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests: RegistryLimits::REQUESTS,
            sessions: 10_000,
            grants: 10_000,
            session_idle: SignedDuration::from_hours(12),
            uncollected: SignedDuration::from_secs(60),
            second_phase: SignedDuration::from_mins(2),
            walls: SignedDuration::from_mins(2),
            ticket: SignedDuration::from_mins(10),
            minutes: SignedDuration::from_mins(15),
        }
    }
}

/// Who decides, and by what right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approver {
    /// For the audit log: the token's name, or the surface.
    pub name: String,
    /// By what right.
    pub authority: Authority,
    /// What was found out about the deciding process; nothing, when it is this one.
    pub process: ApproverProcess,
}

/// By what right somebody decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Authority {
    /// A surface of this process: notification, prompt window, tray, its own terminal.
    InProcess,
    /// An approver token that a person gave to another program.
    Token,
    /// An interactive terminal on the Unix socket.
    Terminal,
}

/// What somebody wants to do who may decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApproverAction {
    /// See what is not their own: calls, questions, sessions, grants, the policy.
    Look,
    /// Change something: decide, answer, end a session, take a grant back, change the policy.
    Change,
}

/// What may be decided outside of this process: at terminals, and by programs with an approver's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExternalDecisions {
    /// Terminals may decide.
    pub terminals: bool,
    /// What destroys something may be approved.
    pub destructive: bool,
}

impl Default for ExternalDecisions {
    /// Everything: without a desktop there is no other place.
    fn default() -> Self {
        Self { terminals: true, destructive: true }
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// An agent asks.
    Submit {
        /// For what.
        request: Box<Request>,
        /// What a policy said about it ahead. It counts as long as it holds; else the gate decides itself.
        foreseen: Option<Box<Foreseen>>,
        /// When a person would be asked, this only says so.
        unless_asked: bool,
    },
    /// A request that was open when the program last stopped.
    Restore(Box<Entry>),
    /// Somebody decides.
    Decide {
        /// About which request.
        id: RequestId,
        /// What.
        decision: PersonsDecision,
        /// Who.
        approver: Approver,
    },
    /// A person denies everything that waits from one agent.
    DenyAll {
        /// The agent as it is shown, or the name of the credential that it asks with.
        agent: String,
        /// Words for the model.
        reason: Option<String>,
        /// Who.
        approver: Approver,
    },
    /// The requester takes its request back.
    Cancel {
        /// Which request.
        id: RequestId,
        /// Name of the credential that asks for it.
        requester: String,
        /// Why, for the audit log.
        reason: String,
    },
    /// Nobody waits for the answer any more.
    HangUp {
        /// Which request.
        id: RequestId,
        /// How that is known.
        departure: Departure,
    },
    /// The requester was told the id and to come back: from now on it outlives every connection.
    Keep(RequestId),
    /// A hook says that a call has run or was refused elsewhere: what is open about it is stale.
    CallEnded {
        /// Of which session.
        session: SessionKey,
        /// Which call.
        call: CallKey,
    },
    /// A hook says that the agent has stopped working: no call of the session is about to run any more.
    TurnEnded(SessionKey),
    /// The requester uses an approval it did not wait for; each can be used once.
    Redeem {
        /// The request as it is about to run; must be the one that was approved.
        request: Box<Request>,
        /// Which approval.
        id: RequestId,
    },
    /// The program that puts walls up asks for those of a call, which it is about to run; each can be asked for once.
    EnterWalls {
        /// Which call.
        id: RequestId,
        /// Name of the credential that asks for it.
        requester: String,
    },
    /// A call has ended inside its walls.
    WallsReported {
        /// Which call.
        id: RequestId,
        /// Name of the credential that says so.
        requester: String,
        /// Each thing that the walls have denied it.
        denied: Vec<WallsDenial>,
        /// It has failed, for whatever reason.
        failed: bool,
    },
    /// Time has passed.
    Tick,
    /// New rules take the place of the old.
    SetPolicy(Arc<PolicyInForce>),
    /// Somebody wants to know what the new rules say about this open request.
    Settle(RequestId),
    /// A person pauses or resumes.
    SetMode(Mode),
    /// A person pauses until this time; after it the policy decides again.
    PauseUntil(Mode, Timestamp),
    /// A session is over, and its grants with it.
    EndSession(SessionKey),
    /// Grants that survived a restart, each backed by its decision in the audit log, with the time
    /// of the latest call of its session.
    RestoreGrants(Vec<(Grant, Timestamp)>),
    /// A person takes a grant back.
    RevokeGrant(GrantId),
    /// The program ends.
    Shutdown,
}

impl Input {
    /// An agent asks for `request`, about which nothing was said ahead.
    #[must_use]
    pub fn submit(request: Request) -> Self {
        Self::Submit { request: Box::new(request), foreseen: None, unless_asked: false }
    }
}

/// What the owner of the gate has to do, in the order given.
pub type Effect = lifecycle::Effect<Entry>;

/// What an answer makes beyond the call that it was given for.
#[derive(Clone, Debug, PartialEq)]
pub enum LastingEffect {
    /// The grants in force are different now: store them.
    GrantsChanged,
    /// A person's answer to this request is to stand as rules: write them into the policy.
    AddRule(RequestId, RuleDraft),
}

/// An entry for the audit log.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A request was accepted.
    Requested(RequestId),
    /// A request ended; with the approver when a person ended it.
    Decided(RequestId, Outcome, Option<String>),
    /// A grant was made.
    GrantAdded(Grant),
    /// A person's answer to this request is to stand as these rules.
    RuleGiven(RequestId, RuleDraft),
    /// A grant ended, and why.
    GrantRevoked(Grant, &'static str),
    /// A session ended.
    SessionEnded(SessionKey),
    /// A timed-out request was approved late: its next identical retry passes once.
    TicketMinted(RequestId, String),
    /// Somebody tried to decide who may not.
    ApproverRefused(RequestId, String),
    /// An approval was used.
    Redeemed(RequestId),
    /// The second phase of the call of this request has come, and gets the answer to the first.
    AskedAgain(RequestId),
    /// A call runs inside its walls now.
    WallsEntered(RequestId),
    /// Walls have denied a call something.
    WallsDenied(RequestId, Vec<WallsDenial>),
    /// The policy was replaced.
    PolicyChanged,
    /// The mode was changed; with the time at which it ends by itself.
    ModeChanged(Mode, Option<Timestamp>),
    /// The wall clock was set, by this much, and everything that runs keeps the time that it had left.
    ClockMoved(SignedDuration),
}

/// What an input led to.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// To be carried out in order, also when the input itself was refused.
    pub effects: Vec<Effect>,
    /// What to tell the one who made the input.
    pub answer: Result<Acknowledgement, Refusal>,
}

/// An input was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acknowledgement {
    /// Done.
    Done,
    /// The request was accepted under its own id.
    Accepted(RequestId),
    /// A retry, or the second phase of the same call: it is the request that has this id.
    Joined(RequestId),
    /// A person would be asked. The request was not taken in.
    PersonNeeded,
    /// The approval came late and became a ticket for the next identical call.
    TicketMinted,
    /// So many requests were denied.
    Denied(u32),
}

/// Why an input was refused. Nothing changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// No such request, or not the requester's own.
    #[error("there is no such request")]
    UnknownRequest,
    /// No such grant.
    #[error("there is no such grant")]
    UnknownGrant,
    /// It has ended already.
    #[error("the request is already over")]
    AlreadyOver(Box<Outcome>),
    /// The idempotency key belongs to another call.
    #[error("this idempotency key was used for another call; use a new key for each call")]
    KeyReused,
    /// Too many open requests.
    #[error("too many requests are waiting for a person; answer some, or wait")]
    TooManyPending,
    /// Too many open requests of one session.
    #[error("too many requests of this session are waiting for a person; answer some, or wait")]
    TooManyInSession,
    /// The open requests of this requester hold too much.
    #[error("the requests that are waiting for a person hold too many bytes; answer some, or wait")]
    TooManyBytes,
    /// Too many sessions with something to remember.
    #[error("too many sessions are open; end some")]
    TooManySessions,
    /// Too many grants.
    #[error("too many grants are in force; revoke some")]
    TooManyGrants,
    /// The one who decides belongs to the agent that asked.
    #[error(
        "a process that belongs to the requesting agent cannot decide; answer from another terminal or from the desktop"
    )]
    OwnProcessTree,
    /// It cannot be told whose process decides.
    #[error("{}", .0.trim_end_matches('.'))]
    UnknownApprover(String),
    /// Terminals may not decide.
    #[error(
        "while the Handraise application runs, terminals do not decide; answer in its window, or allow terminals in its settings"
    )]
    TerminalsOff,
    /// Only the window may approve it.
    #[error("this destroys something, so it is approved in the window of Handraise only; you can deny it here")]
    WindowOnly,
    /// What the approver was shown is not what was asked.
    #[error("the arguments are not the ones that were shown; look again")]
    OtherArguments,
    /// A file that the call runs is another one than was put before a person.
    #[error("`{0}`, which this call runs, changed while you were reading; the call is asked anew, look again")]
    FileChanged(String),
    /// Nobody can tell whether the files are those that were put before a person: why.
    #[error("{0}, so nobody can tell whether they are those that were approved; ask again with a new key")]
    Unseen(String),
    /// The agent does not take changed arguments.
    #[error("this agent cannot take changed arguments; approve or deny the call as it is")]
    EditsNotAccepted,
    /// Changed arguments and a scope beyond once.
    #[error("changed arguments can only be approved once")]
    EditBeyondOnce,
    /// The policy denies the changed arguments.
    #[error("the policy denies the changed arguments")]
    EditDenied,
    /// Nothing can be remembered without a session.
    #[error("the request names no session, so nothing can be remembered for it; decide it once")]
    NoSession,
    /// No rule says just this.
    #[error("no rule can say just this; choose the scope session or minutes, or decide it once")]
    NoSuchRule,
    /// Some simple commands, and no answer that covers some.
    #[error(
        "simple commands are chosen for an approval with a scope beyond once and the breadth prefix, and for nothing else"
    )]
    CommandsAlone,
    /// A changed rule, and no answer that makes one.
    #[error(
        "a changed rule comes with an approval for this project or for good, of the call as it is, and with nothing else"
    )]
    RuleAlone,
    /// Nobody can approve with the changed rule.
    #[error("{0}")]
    RuleUnfit(EditedRuleError),
    /// The breadth is for other calls.
    #[error("this call has no operands or folder that could be left open; approve exactly this call")]
    BreadthDoesNotFit,
    /// More than was put before a person.
    #[error("a shell cannot be approved as a whole, nor a destructive call beyond exactly this call and its session")]
    TooWide,
    /// It touches files that no remembered answer may give away.
    #[error("it touches protected files, so it can only be approved once; a person is asked each time")]
    Protected,
    /// The approval cannot be used (again).
    #[error("the approval was already used, or is not good for this call any more; ask again with a new key")]
    NotRedeemable,
    /// There are no walls for it (any more).
    #[error(
        "this call has run inside its walls already, waited too long, or was not approved for any; ask again as before"
    )]
    NoWalls,
    /// It cannot run inside walls.
    #[error("this call cannot run inside walls; approve it without, or deny it")]
    NotConfinable,
    /// The walls are not those that were shown.
    #[error("the walls of this call changed while you were reading; the call is asked anew, look again")]
    WallsChanged,
    /// A confined approval that says more than that.
    #[error("a confined approval is for one call as it was asked about: leave out changed arguments, scope and `late`")]
    ConfinedAlone,
    /// The program is ending.
    #[error("Handraise is shutting down")]
    ShuttingDown,
}

/// Decides about requests. See the crate documentation.
#[derive(Clone, Debug)]
pub struct Gate {
    policy: Arc<PolicyInForce>,
    mode: Mode,
    /// When the mode ends by itself; never for [`Mode::Normal`].
    paused_until: Option<Timestamp>,
    limits: Limits,
    requests: Registry<Entry>,
    /// Open requests that the policy in force has not been asked about, the oldest first.
    unsettled: VecDeque<RequestId>,
    /// Since when there are some.
    unsettled_since: Timestamp,
    /// Answers that wait for somebody to collect them.
    uncollected: Vec<Uncollected>,
    grants: Vec<Grant>,
    sessions: HashMap<SessionKey, SessionState>,
    requesters: Requesters,
    external: ExternalDecisions,
}

impl Gate {
    /// A gate that starts with `policy` and remembers nothing.
    #[must_use]
    pub fn new(policy: impl Into<Arc<PolicyInForce>>, limits: Limits) -> Self {
        Self {
            policy: policy.into(),
            mode: Mode::default(),
            paused_until: None,
            limits,
            requests: Registry::new(limits.requests),
            unsettled: VecDeque::new(),
            unsettled_since: Timestamp::UNIX_EPOCH,
            uncollected: Vec::new(),
            grants: Vec::new(),
            sessions: HashMap::new(),
            requesters: Requesters::default(),
            external: ExternalDecisions::default(),
        }
    }

    /// Says what may be decided outside of this process from now on.
    pub fn set_external_decisions(&mut self, decisions: ExternalDecisions) {
        self.external = decisions;
    }

    /// Takes in what happened at the time `now`. Whatever is due by then comes first: a time-out
    /// that is due beats a click that arrives with it. So do some of the requests that a changed policy is to be asked
    /// about.
    pub fn handle(&mut self, input: Input, now: Timestamp) -> Reaction {
        let mut effects = Vec::new();
        self.expire(now, &mut effects);
        self.settle_some(now, &mut effects);
        let answer = self.take(input, now, &mut effects);
        Reaction { effects, answer }
    }

    /// When [`Gate::handle`] should next be called with [`Input::Tick`], if nothing else happens.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let grants = self.grants.iter().map(|grant| {
            let idle = self.sessions.get(&grant.session).map(|session| session.last_call);
            let idle_end = idle.map_or(grant.created_at, |last| add(last, self.limits.session_idle));
            grant.expires_at.map_or(idle_end, |end| end.min(idle_end))
        });
        let unsettled = self.unsettled.front().map(|_| self.unsettled_since);
        self.requests.next_deadline().into_iter().chain(grants).chain(self.paused_until).chain(unsettled).min()
    }

    fn take(&mut self, input: Input, now: Timestamp, effects: &mut Vec<Effect>) -> Result<Acknowledgement, Refusal> {
        match input {
            Input::Submit { request, foreseen, unless_asked } => {
                self.submit(*request, foreseen.as_deref(), unless_asked, now, effects)
            }
            Input::Restore(entry) => self.restore(*entry, effects),
            Input::Decide { id, decision, approver } => self.decide(id, &decision, &approver, now, effects),
            Input::DenyAll { agent, reason, approver } => self.deny_all(&agent, reason, &approver, now, effects),
            Input::Cancel { id, requester, reason } => self.cancel(id, &requester, reason, now, effects),
            Input::HangUp { id, departure } => self.hang_up(id, departure, now, effects),
            Input::Keep(id) => self.keep(id),
            Input::CallEnded { session, call } => self.call_ended(&session, &call, now, effects),
            Input::TurnEnded(session) => self.turn_ended(&session, now, effects),
            Input::Redeem { request, id } => self.redeem(&request, id, now, effects),
            Input::EnterWalls { id, requester } => self.enter_walls(id, &requester, now, effects),
            Input::WallsReported { id, requester, denied, failed } => {
                self.walls_reported(id, &requester, denied, failed, effects)
            }
            Input::Tick => Ok(Acknowledgement::Done),
            Input::SetPolicy(policy) => {
                self.policy = policy;
                self.take_walls_back();
                effects.push(Effect::Record(Record::PolicyChanged));
                self.settle_in_turns(now, effects);
                Ok(Acknowledgement::Done)
            }
            Input::Settle(id) => {
                self.settle_first(id, now, effects);
                Ok(Acknowledgement::Done)
            }
            Input::SetMode(mode) => {
                self.set_mode(mode, None, effects);
                self.settle(now, effects);
                Ok(Acknowledgement::Done)
            }
            Input::PauseUntil(mode, end) => {
                self.set_mode(mode, Some(end), effects);
                self.settle(now, effects);
                Ok(Acknowledgement::Done)
            }
            Input::EndSession(key) => self.end_session(&key, now, effects),
            Input::RestoreGrants(grants) => self.restore_grants(grants),
            Input::RevokeGrant(id) => self.revoke(id, effects),
            Input::Shutdown => self.shut_down(now, effects),
        }
    }
}

#[cfg(test)]
mod collect_laws;
#[cfg(test)]
mod hook_tests;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod pause_tests;
#[cfg(test)]
mod settle_tests;
#[cfg(test)]
pub(crate) mod test_support;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod walls_failure_tests;
#[cfg(test)]
mod walls_tests;
