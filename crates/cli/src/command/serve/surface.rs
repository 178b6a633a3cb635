//! This terminal as a surface of the server.

use handraise_protocol::{Approval, ApprovalResult, Question, QuestionId, QuestionResult, RequestId};
use handraise_server::Surface;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What the server tells its surfaces.
#[derive(Debug)]
pub(super) enum SurfaceEvent {
    /// A person is to be asked.
    Present(Box<Approval>),
    /// It is over.
    Withdraw(RequestId, Box<ApprovalResult>),
    /// A person is to be asked a question.
    PresentQuestion(Box<Question>),
    /// The question is over.
    WithdrawQuestion(QuestionId, Box<QuestionResult>),
}

/// Passes on what the server tells; the number of open requests, which the gate limits, bounds what
/// can pile up.
#[derive(Debug)]
pub(super) struct TerminalSurface {
    sender: UnboundedSender<SurfaceEvent>,
}

impl TerminalSurface {
    /// A surface, and where its news come out.
    pub(super) fn new() -> (Self, UnboundedReceiver<SurfaceEvent>) {
        let (sender, receiver) = unbounded_channel();
        (Self { sender }, receiver)
    }
}

impl Surface for TerminalSurface {
    fn present(&self, approval: &Approval) {
        // Nobody listens any more when the program ends.
        let _ = self.sender.send(SurfaceEvent::Present(Box::new(approval.clone())));
    }

    fn withdraw(&self, id: RequestId, result: &ApprovalResult) {
        let _ = self.sender.send(SurfaceEvent::Withdraw(id, Box::new(result.clone())));
    }

    fn present_question(&self, question: &Question) {
        let _ = self.sender.send(SurfaceEvent::PresentQuestion(Box::new(question.clone())));
    }

    fn withdraw_question(&self, id: QuestionId, result: &QuestionResult) {
        let _ = self.sender.send(SurfaceEvent::WithdrawQuestion(id, Box::new(result.clone())));
    }
}
