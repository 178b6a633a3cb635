//! Requesters that wait for an answer, and what their going away means.

use handraise_gate::QuestionInput;
use handraise_protocol::{Problem, QuestionResult, QuestionStatus};
use tokio::sync::oneshot;

use super::QuestionId;
use crate::engine::{Engine, State};

/// How a question stands that was just asked.
#[derive(Debug)]
pub(crate) enum Asked {
    /// It is over.
    Ended(Box<QuestionResult>),
    /// A person is being asked.
    Pending(Box<QuestionWaiting>),
}

/// Everyone who waits for one answer.
#[derive(Debug, Default)]
pub(crate) struct QuestionWaiters {
    senders: Vec<oneshot::Sender<QuestionResult>>,
    /// Somebody has its id and will come back: nobody waiting does not mean that it is over.
    kept: bool,
}

impl QuestionWaiters {
    pub(super) fn tell(self, result: &QuestionResult) {
        for sender in self.senders {
            // The waiter has just gone away: nothing to tell it.
            let _ = sender.send(result.clone());
        }
    }
}

/// One requester that waits. Dropping it means that the requester went away.
#[derive(Debug)]
pub(crate) struct QuestionWaiting {
    pending: QuestionResult,
    answer: oneshot::Receiver<QuestionResult>,
    engine: Engine,
    over: bool,
}

impl QuestionWaiting {
    /// Waits for the end; `None`: the engine has stopped, so nobody will answer.
    pub(crate) async fn end(&mut self) -> Option<QuestionResult> {
        let result = (&mut self.answer).await.ok();
        self.over = true;
        result
    }

    /// Stops waiting without giving the question up: the requester has its id.
    pub(crate) fn keep(mut self) -> QuestionResult {
        self.over = true;
        let id = self.pending.id;
        self.engine.tell(move |state| {
            if let Some(waiters) = state.question_waiters.get_mut(&id) {
                waiters.kept = true;
            }
        });
        self.pending.clone()
    }
}

impl Drop for QuestionWaiting {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let id = self.pending.id;
        self.answer.close();
        self.engine.tell(move |state| state.asker_gone(id));
    }
}

impl State {
    /// How a question stands, and a way to wait for its end.
    pub(super) fn asked(&mut self, id: QuestionId, engine: Engine) -> Result<Asked, Problem> {
        let result = self.question_result(id)?;
        if result.status != QuestionStatus::Pending {
            return Ok(Asked::Ended(Box::new(result)));
        }
        let (sender, answer) = oneshot::channel();
        self.question_waiters.entry(id).or_default().senders.push(sender);
        Ok(Asked::Pending(Box::new(QuestionWaiting { pending: result, answer, engine, over: false })))
    }

    /// A waiting requester went away; when it was the last one, so does its question.
    fn asker_gone(&mut self, id: QuestionId) {
        let Some(waiters) = self.question_waiters.get_mut(&id) else { return };
        waiters.senders.retain(|sender| !sender.is_closed());
        if !waiters.senders.is_empty() || waiters.kept {
            return;
        }
        self.question_waiters.remove(&id);
        self.tell_questions(QuestionInput::HangUp { id });
    }
}
