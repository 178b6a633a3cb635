//! Requesters that wait for an answer, and what their going away means. The same for calls and for questions.

use std::collections::HashMap;
use std::fmt::Debug;

use handraise_gate::QuestionId;
use handraise_gate::{Asked, Departure, Entry, Input, QuestionEntry, QuestionInput};
use handraise_policy::RequestId;
use handraise_protocol::{ApprovalResult, DecidedBy, Problem, QuestionResult, QuestionStatus, Status};
use jiff::Timestamp;
use tokio::sync::oneshot;

use super::{Engine, State};

/// What a requester can wait for the end of.
pub(crate) trait Awaited: Asked<Id: Send> + 'static {
    /// How it stands, as its requester is told.
    type Result: Clone + Debug + Send + 'static;

    /// Everyone who waits.
    fn waiters(state: &mut State) -> &mut HashMap<Self::Id, Waiters<Self::Result>>;
    /// How one that is known stands.
    fn result(state: &State, id: Self::Id) -> Result<Self::Result, Problem>;
    /// A person is being asked.
    fn is_pending(result: &Self::Result) -> bool;
    /// The requester was told the id, and to come back.
    fn keep(state: &mut State, id: Self::Id) -> Result<(), Problem>;
    /// Nobody waits any more.
    fn hang_up(state: &mut State, id: Self::Id, departure: Departure) -> Result<(), Problem>;
}

impl Awaited for Entry {
    type Result = ApprovalResult;

    fn waiters(state: &mut State) -> &mut HashMap<RequestId, Waiters<ApprovalResult>> {
        &mut state.waiters
    }

    fn result(state: &State, id: RequestId) -> Result<ApprovalResult, Problem> {
        state.result(id)
    }

    fn is_pending(result: &ApprovalResult) -> bool {
        result.status == Status::Pending
    }

    fn keep(state: &mut State, id: RequestId) -> Result<(), Problem> {
        state.handle(Input::Keep(id), None).map(|_| ())
    }

    fn hang_up(state: &mut State, id: RequestId, departure: Departure) -> Result<(), Problem> {
        state.handle(Input::HangUp { id, departure }, None).map(|_| ())
    }
}

impl Awaited for QuestionEntry {
    type Result = QuestionResult;

    fn waiters(state: &mut State) -> &mut HashMap<QuestionId, Waiters<QuestionResult>> {
        &mut state.question_waiters
    }

    fn result(state: &State, id: QuestionId) -> Result<QuestionResult, Problem> {
        state.question_result(id)
    }

    fn is_pending(result: &QuestionResult) -> bool {
        result.status == QuestionStatus::Pending
    }

    fn keep(state: &mut State, id: QuestionId) -> Result<(), Problem> {
        state.handle_question(QuestionInput::Keep(id)).map(|_| ())
    }

    fn hang_up(state: &mut State, id: QuestionId, departure: Departure) -> Result<(), Problem> {
        state.handle_question(QuestionInput::HangUp { id, departure }).map(|_| ())
    }
}

/// How something stands that was asked.
#[derive(Debug)]
pub(crate) enum Standing<Entry: Awaited> {
    /// It is over.
    Ended(Box<Entry::Result>),
    /// A person is being asked.
    Pending(Box<Waiting<Entry>>),
}

/// What somebody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitsTo {
    /// The answer to its call, which an approval lets run.
    Act,
    /// How it ends, to know it. An approval has to be redeemed then; an answer lets nothing run.
    Know,
}

/// Everyone who waits for one end.
#[derive(Debug)]
pub(crate) struct Waiters<Result> {
    senders: Vec<(WaitsTo, oneshot::Sender<Result>)>,
}

impl<Result: Clone> Waiters<Result> {
    /// Whether anybody took it who may act on it.
    pub(super) fn tell(self, result: &Result) -> bool {
        let mut is_taken = false;
        for (waits_to, sender) in self.senders {
            // A waiter that has just gone away is told nothing.
            is_taken |= sender.send(result.clone()).is_ok() && waits_to == WaitsTo::Act;
        }
        is_taken
    }
}

impl Waiters<ApprovalResult> {
    /// The same call was sent again: who waited for the answer until now has given up, or must not act on it too.
    fn displace(&mut self, pending: &ApprovalResult, now: Timestamp) {
        let displaced = ApprovalResult {
            status: Status::Cancelled,
            decided_by: Some(DecidedBy::Requester),
            reason: Some(DISPLACED.to_owned()),
            decided_at: Some(now),
            ..pending.clone()
        };
        for (_, sender) in self.senders.extract_if(.., |(waits_to, _)| *waits_to == WaitsTo::Act) {
            // As above.
            let _ = sender.send(displaced.clone());
        }
    }
}

const DISPLACED: &str =
    "The same call was sent again with the same idempotency key; the answer goes to the one that was sent last.";

/// One requester that waits. Dropping it means that the requester went away.
#[derive(Debug)]
pub(crate) struct Waiting<Entry: Awaited> {
    id: Entry::Id,
    /// As it was when the waiting began.
    pending: Entry::Result,
    answer: oneshot::Receiver<Entry::Result>,
    engine: Engine,
    is_over: bool,
    departure: Departure,
}

impl<Entry: Awaited> Waiting<Entry> {
    /// Waits for the end; `None`: the engine has stopped, so nobody will answer.
    pub(crate) async fn end(&mut self) -> Option<Entry::Result> {
        let result = (&mut self.answer).await.ok();
        self.is_over = true;
        result
    }

    /// Stops waiting, since a process that the answer would have gone through has ended.
    pub(crate) fn process_ended(mut self) {
        self.departure = Departure::ProcessEnded;
    }

    /// Stops waiting without giving it up: the requester has its id.
    pub(crate) fn keep(mut self) -> Entry::Result {
        self.is_over = true;
        self.answer.close();
        // It may have ended at this very moment. Then this is its answer, and nobody comes back for it.
        if let Ok(result) = self.answer.try_recv() {
            return result;
        }
        let id = self.id;
        self.engine.tell(move |state| state.keep::<Entry>(id));
        self.pending.clone()
    }
}

impl<Entry: Awaited> Drop for Waiting<Entry> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let (id, departure) = (self.id, self.departure);
        self.answer.close();
        self.engine.tell(move |state| state.left::<Entry>(id, departure));
    }
}

impl State {
    /// How something stands that is known, and a way to wait for its end.
    pub(super) fn standing<Entry: Awaited>(
        &mut self,
        id: Entry::Id,
        waits_to: WaitsTo,
        engine: Engine,
    ) -> Result<Standing<Entry>, Problem> {
        let pending = Entry::result(self, id)?;
        if !Entry::is_pending(&pending) {
            return Ok(Standing::Ended(Box::new(pending)));
        }
        let (sender, answer) = oneshot::channel();
        let waiters = Entry::waiters(self).entry(id).or_insert_with(|| Waiters { senders: Vec::new() });
        waiters.senders.push((waits_to, sender));
        let departure = Departure::ConnectionClosed;
        Ok(Standing::Pending(Box::new(Waiting { id, pending, answer, engine, is_over: false, departure })))
    }

    /// The requester has sent the request again: only the latest one gets the answer to act on.
    pub(super) fn came_back(&mut self, id: RequestId) {
        let now = self.clock.now();
        if let (Ok(pending), Some(waiters)) = (self.result(id), self.waiters.get_mut(&id)) {
            waiters.displace(&pending, now);
        }
    }

    /// The requester was told the id, and to come back.
    fn keep<Entry: Awaited>(&mut self, id: Entry::Id) {
        if let Err(problem) = Entry::keep(self, id) {
            tracing::debug!(detail = problem.detail, "what was to be kept is not known any more");
        }
        self.left::<Entry>(id, Departure::ConnectionClosed);
    }

    /// A waiting requester went away; when it was the last one, so does what it asked.
    fn left<Entry: Awaited>(&mut self, id: Entry::Id, departure: Departure) {
        let Some(waiters) = Entry::waiters(self).get_mut(&id) else { return };
        waiters.senders.retain(|(_, sender)| !sender.is_closed());
        if !waiters.senders.is_empty() {
            return;
        }
        Entry::waiters(self).remove(&id);
        if let Err(problem) = Entry::hang_up(self, id, departure) {
            tracing::error!(detail = problem.detail, "could not record that a requester went away");
        }
    }
}
