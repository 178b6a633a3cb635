//! Requesters that wait, and what their going away means.

use handraise_gate::{Gone, Input};
use handraise_protocol::{ApprovalResult, DecidedBy, Problem, RequestId, Status};
use jiff::Timestamp;
use tokio::sync::oneshot;

use super::{Engine, State};

/// How a submitted request stands.
#[derive(Debug)]
pub(crate) enum Submitted {
    /// It is over.
    Ended(Box<ApprovalResult>),
    /// A person is being asked.
    Pending(Box<Waiting>),
}

/// What somebody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitsTo {
    /// The answer to its call, which an approval lets run.
    Act,
    /// How the request ends, to know it. An approval has to be redeemed then.
    Know,
}

/// Everyone who waits for one request.
#[derive(Debug, Default)]
pub(crate) struct Waiters {
    senders: Vec<(WaitsTo, oneshot::Sender<ApprovalResult>)>,
}

impl Waiters {
    /// Whether anybody took it who may act on it.
    pub(super) fn tell(self, result: &ApprovalResult) -> bool {
        let mut is_taken = false;
        for (waits_to, sender) in self.senders {
            // A waiter that has just gone away is told nothing.
            is_taken |= sender.send(result.clone()).is_ok() && waits_to == WaitsTo::Act;
        }
        is_taken
    }

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
pub(crate) struct Waiting {
    /// The request as it was when the waiting began.
    pub(crate) pending: ApprovalResult,
    answer: oneshot::Receiver<ApprovalResult>,
    engine: Engine,
    over: bool,
    gone: Gone,
}

impl Waiting {
    /// Waits for the end; `None`: the engine has stopped, so nobody will decide.
    pub(crate) async fn end(&mut self) -> Option<ApprovalResult> {
        let result = (&mut self.answer).await.ok();
        self.over = true;
        result
    }

    /// Stops waiting, since a process that the answer would have gone through has ended.
    pub(crate) fn process_ended(mut self) {
        self.gone = Gone::Process;
    }

    /// Stops waiting without giving the request up: the requester has its id.
    pub(crate) fn keep(mut self) -> ApprovalResult {
        self.over = true;
        self.answer.close();
        // It may have ended at this very moment. Then this is its answer, and nobody comes back for it.
        if let Ok(result) = self.answer.try_recv() {
            return result;
        }
        let id = self.pending.id;
        self.engine.tell(move |state| state.keep(id));
        self.pending.clone()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let (id, gone) = (self.pending.id, self.gone);
        self.answer.close();
        self.engine.tell(move |state| state.gone(id, gone));
    }
}

impl State {
    /// How a request stands that the gate knows, and a way to wait for its end.
    pub(super) fn submitted(&mut self, id: RequestId, waits_to: WaitsTo, engine: Engine) -> Result<Submitted, Problem> {
        let result = self.result(id)?;
        if result.status != Status::Pending {
            return Ok(Submitted::Ended(Box::new(result)));
        }
        let (sender, answer) = oneshot::channel();
        self.waiters.entry(id).or_default().senders.push((waits_to, sender));
        Ok(Submitted::Pending(Box::new(Waiting {
            pending: result,
            answer,
            engine,
            over: false,
            gone: Gone::Connection,
        })))
    }

    /// The requester has sent the request again: only the latest one gets the answer to act on.
    pub(super) fn came_back(&mut self, id: RequestId) {
        let now = self.clock.now();
        if let (Ok(pending), Some(waiters)) = (self.result(id), self.waiters.get_mut(&id)) {
            waiters.displace(&pending, now);
        }
    }

    /// The requester was told the id, and to come back.
    fn keep(&mut self, id: RequestId) {
        if let Err(problem) = self.handle(Input::Keep(id), None) {
            tracing::debug!(detail = problem.detail, "a request that was to be kept is not known any more");
        }
        self.gone(id, Gone::Connection);
    }

    /// A waiting requester went away; when it was the last one, so does its request.
    fn gone(&mut self, id: RequestId, gone: Gone) {
        let Some(waiters) = self.waiters.get_mut(&id) else { return };
        waiters.senders.retain(|(_, sender)| !sender.is_closed());
        if !waiters.senders.is_empty() {
            return;
        }
        self.waiters.remove(&id);
        if let Err(problem) = self.handle(Input::HangUp { id, gone }, None) {
            tracing::error!(detail = problem.detail, "could not record that a requester went away");
        }
    }
}
