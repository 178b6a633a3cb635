//! Requesters that wait, and what their going away means.

use handraise_gate::{Gone, Input};
use handraise_protocol::{ApprovalResult, Problem, RequestId, Status};
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

/// Everyone who waits for one request.
#[derive(Debug, Default)]
pub(crate) struct Waiters {
    senders: Vec<oneshot::Sender<ApprovalResult>>,
    /// Somebody has its id and will come back: nobody waiting does not mean that it is over.
    kept: bool,
}

impl Waiters {
    pub(super) fn tell(self, result: &ApprovalResult) {
        for sender in self.senders {
            // The waiter has just gone away: nothing to tell it.
            let _ = sender.send(result.clone());
        }
    }
}

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
        let id = self.pending.id;
        self.engine.tell(move |state| {
            if let Some(waiters) = state.waiters.get_mut(&id) {
                waiters.kept = true;
            }
        });
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
    pub(super) fn submitted(&mut self, id: RequestId, engine: Engine) -> Result<Submitted, Problem> {
        let result = self.result(id)?;
        if result.status != Status::Pending {
            return Ok(Submitted::Ended(Box::new(result)));
        }
        let (sender, answer) = oneshot::channel();
        self.waiters.entry(id).or_default().senders.push(sender);
        Ok(Submitted::Pending(Box::new(Waiting {
            pending: result,
            answer,
            engine,
            over: false,
            gone: Gone::Connection,
        })))
    }

    /// The requester has sent the request again: from now on it lives as long as somebody waits for it.
    pub(super) fn came_back(&mut self, id: RequestId) {
        if let Some(waiters) = self.waiters.get_mut(&id) {
            waiters.kept = false;
        }
    }

    /// A waiting requester went away; when it was the last one, so does its request.
    fn gone(&mut self, id: RequestId, gone: Gone) {
        let Some(waiters) = self.waiters.get_mut(&id) else { return };
        waiters.senders.retain(|sender| !sender.is_closed());
        if !waiters.senders.is_empty() || waiters.kept {
            return;
        }
        self.waiters.remove(&id);
        if let Err(problem) = self.handle(Input::HangUp { id, gone }, None) {
            tracing::error!(detail = problem.detail, "could not record that a requester went away");
        }
    }
}
