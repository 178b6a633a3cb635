//! Between the gate and the controller: what the gate shows becomes signals, and decisions go back.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use handraise_gate::Approver;
use handraise_protocol::{
    AnswerRequest, Approval, ApprovalResult, DecisionRequest, DecisionResponse, Event, ModeRequest, Problem,
    PutBackRequest, Question, QuestionId, QuestionResult, RequestId, Revealed,
};
use handraise_server::{Engine, Surface};
use tauri::async_runtime;
use tokio::sync::Notify;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::UnboundedSender;

use crate::controller::{Signal, Snapshot};
use crate::desktop::{DecidingSurface, Gatekeeper};

/// Changes that come so close together are looked at once.
const COALESCE: Duration = Duration::from_millis(5);
/// How often it is told at most that agents call.
const TOLD_OF_CALLS: Duration = Duration::from_secs(30);
/// How long a timed-out request can be answered late ends without an event.
const MISSED_CHANGES: Duration = Duration::from_secs(30);

/// Decides on behalf of the person at `surface`.
///
/// # Errors
/// As the engine says.
pub(crate) async fn decide(
    engine: &Engine,
    id: RequestId,
    decision: DecisionRequest,
    surface: DecidingSurface,
) -> Result<DecisionResponse, Problem> {
    engine.decide(id.into(), decision, approver(surface)).await
}

/// Answers a question on behalf of the person at `surface`.
///
/// # Errors
/// As the engine says.
pub(crate) async fn answer(
    engine: &Engine,
    id: QuestionId,
    answer: AnswerRequest,
    surface: DecidingSurface,
) -> Result<QuestionResult, Problem> {
    engine.answer(id.into(), answer, approver(surface)).await
}

/// The redacted values of an open request, for the person at `surface`.
///
/// # Errors
/// As the engine says.
pub(crate) async fn reveal(engine: &Engine, id: RequestId, surface: DecidingSurface) -> Result<Revealed, Problem> {
    engine.reveal(id.into(), None, approver(surface)).await
}

fn approver(surface: DecidingSurface) -> Approver {
    Approver::in_process(surface.name())
}

/// The engine, as the controller talks to it.
pub(crate) struct EngineGatekeeper {
    /// The engine.
    pub engine: Engine,
    /// Where answers go.
    pub signals: UnboundedSender<Signal>,
}

impl Gatekeeper for EngineGatekeeper {
    fn decide(&mut self, id: RequestId, decision: DecisionRequest, surface: DecidingSurface) {
        let (engine, signals) = (self.engine.clone(), self.signals.clone());
        async_runtime::spawn(async move {
            let outcome = decide(&engine, id, decision, surface).await;
            // Nobody listens any more only while the program ends.
            let _ = signals.send(Signal::Decided(id, outcome.map(drop).map_err(Box::new)));
        });
    }

    fn answer(&mut self, id: QuestionId, request: AnswerRequest, surface: DecidingSurface) {
        let (engine, signals) = (self.engine.clone(), self.signals.clone());
        async_runtime::spawn(async move {
            let outcome = answer(&engine, id, request, surface).await;
            // Nobody listens any more only while the program ends.
            let _ = signals.send(Signal::Answered(id, outcome.map(drop).map_err(Box::new)));
        });
    }

    fn put_back(&mut self, id: RequestId) {
        let (engine, signals) = (self.engine.clone(), self.signals.clone());
        async_runtime::spawn(async move {
            let request = PutBackRequest { ids: vec![id], ..PutBackRequest::default() };
            let outcome = engine.put_back(request, approver(DecidingSurface::Tray)).await;
            // Nobody listens any more only while the program ends.
            let _ = signals.send(Signal::PutBack(id, outcome.map(|result| result.files).map_err(Box::new)));
        });
    }

    fn set_mode(&mut self, request: ModeRequest) {
        let engine = self.engine.clone();
        async_runtime::spawn(async move {
            if let Err(problem) = engine.change_mode(request).await {
                tracing::error!(detail = problem.detail, "the mode could not be changed");
            }
        });
    }
}

/// Tells the controller that something changed; it looks for itself what.
pub(crate) struct ChangeSurface {
    /// Where the ends of requests go.
    pub signals: UnboundedSender<Signal>,
    /// Told about every change.
    pub changed: Arc<Notify>,
}

impl Surface for ChangeSurface {
    fn present(&self, _approval: &Approval) {
        self.changed.notify_one();
    }

    fn withdraw(&self, _id: RequestId, result: &ApprovalResult) {
        // Nobody listens any more only while the program ends.
        let _ = self.signals.send(Signal::Ended(Box::new(result.clone())));
        self.changed.notify_one();
    }

    fn present_question(&self, _question: &Question) {
        self.changed.notify_one();
    }

    fn withdraw_question(&self, _id: QuestionId, result: &QuestionResult) {
        // As above.
        let _ = self.signals.send(Signal::QuestionEnded(Box::new(result.clone())));
        self.changed.notify_one();
    }
}

/// Sends the gate's state at once and after every change, and tells `shown` each time. Ends when the
/// engine has ended.
pub(crate) async fn follow(engine: Engine, changed: Arc<Notify>, signals: UnboundedSender<Signal>, shown: Arc<Notify>) {
    let Ok(mut events) = engine.subscribe().await else { return };
    let mut told_of_calls: Option<Instant> = None;
    'look: while let Ok(snapshot) = snapshot(&engine).await {
        let has_missed = !snapshot.missed.is_empty();
        if signals.send(Signal::Gate(Box::new(snapshot))).is_err() {
            return;
        }
        shown.notify_one();
        let missed_changes =
            async { if has_missed { tokio::time::sleep(MISSED_CHANGES).await } else { std::future::pending().await } };
        let mut missed_changes = pin!(missed_changes);
        loop {
            tokio::select! {
                () = changed.notified() => break,
                () = &mut missed_changes => break,
                event = events.recv() => match event {
                    Err(RecvError::Closed) => break 'look,
                    Err(RecvError::Lagged(_)) => break,
                    Ok(event) if event.event().is_none_or(|event| changes_what_waits(&event)) => break,
                    Ok(event) => {
                        // The settings window counts calls, when it is open.
                        shown.notify_one();
                        let is_call = event.event().is_some_and(|event| is_call(&event));
                        if is_call && told_of_calls.is_none_or(|at| at.elapsed() >= TOLD_OF_CALLS) {
                            told_of_calls = Some(Instant::now());
                            // As above.
                            let _ = signals.send(Signal::AgentCalled);
                        }
                    }
                },
            }
        }
        tokio::time::sleep(COALESCE).await;
        while events.try_recv().is_ok() {}
    }
}

/// Whether an agent has called or asked.
fn is_call(event: &Event) -> bool {
    matches!(event, Event::ApprovalRequested(_) | Event::ApprovalResolved(_) | Event::QuestionAsked(_))
}

/// Whether what waits may be another than before. Of what a person is asked, and of its end, the surface is told; what
/// policy and grants answer by themselves was never on it.
fn changes_what_waits(event: &Event) -> bool {
    match event {
        Event::ApprovalRequested(_)
        | Event::ApprovalResolved(_)
        | Event::QuestionAsked(_)
        | Event::QuestionResolved(_)
        | Event::GrantAdded(_)
        | Event::GrantRevoked(_) => false,
        Event::ApprovalChanged(_) | Event::PolicyChanged(_) | Event::ModeChanged(_) => true,
    }
}

/// The gate's state as far as it is shown.
///
/// # Errors
/// When the engine has ended.
pub(crate) async fn snapshot(engine: &Engine) -> Result<Snapshot, Problem> {
    let mode = engine.mode_state().await?;
    Ok(Snapshot {
        mode: mode.mode,
        mode_until: mode.until,
        pending: engine.pending().await?,
        questions: engine.questions().await?,
        missed: engine.missed().await?,
    })
}
