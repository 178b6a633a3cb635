//! What happened lately, for the tray menu: calls that changed something without a question, and answers of the person.
//!
//! Agents may call thousands of times in an hour. So what ended is noted by its event alone, and is looked at together with
//! what ends soon after it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use handraise_protocol::{
    Approval, CanBeUndone, DecidedBy, Event, KeptCall, Problem, Reach, RequestId, RiskLevel, Status, UndoOutcome,
};
use handraise_server::{Engine, KeptSearch};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;

use crate::compact_view::{agent, compact_view};

/// Calls of each kind that are remembered.
const MAX_LISTED: usize = 5;
/// Calls that ended and are looked at together; of more than that, the latest.
const MAX_NEW: usize = 16;
/// What ends soon after another call is looked at together with it.
const TOGETHER: Duration = Duration::from_millis(250);
/// Shortest time between two looks.
const MIN_PAUSE: Duration = Duration::from_secs(2);

/// What happened lately, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lately {
    /// Calls that changed something without a question.
    pub changed: Vec<Past>,
    /// Calls that a person answered.
    pub answered: Vec<Past>,
}

/// A call of the past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Past {
    /// Which.
    pub id: RequestId,
    /// Who asked and what it did, a plain line.
    pub line: String,
    /// It ran.
    pub is_approved: bool,
    /// Something is kept of what it changed.
    pub can_be_undone: bool,
}

/// Tells what happened lately, whenever that may have changed. Ends when the engine has ended.
pub(crate) async fn follow(engine: Engine, tell: impl Fn(Lately) + Send) {
    let Ok(mut events) = engine.subscribe().await else { return };
    let (mut ended, mut lately) = (Ended::default(), Lately::default());
    let mut due: Option<Instant> = None;
    let mut not_before = Instant::now();
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Err(RecvError::Closed) => return,
                // The list is of what happened lately, not of all that happened.
                Err(RecvError::Lagged(_)) => {}
                Ok(published) => {
                    if published.event().is_some_and(|event| ended.note(&event)) && due.is_none() {
                        due = Some(not_before.max(Instant::now() + TOGETHER));
                    }
                }
            },
            () = sleep_until(due) => {
                due = None;
                not_before = Instant::now() + MIN_PAUSE;
                match look(&engine, &lately, std::mem::take(&mut ended)).await {
                    Ok(now) => {
                        tell(now.clone());
                        lately = now;
                    }
                    Err(problem) => tracing::warn!(detail = problem.detail, "the tray does not show the last calls"),
                }
            }
        }
    }
}

async fn sleep_until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// Calls that ended since the last look, the latest last.
#[derive(Debug, Default)]
struct Ended {
    unasked: VecDeque<RequestId>,
    answered: VecDeque<RequestId>,
}

impl Ended {
    /// Notes what an event tells, and says whether that was anything.
    fn note(&mut self, event: &Event) -> bool {
        let Event::ApprovalResolved(resolved) = event else { return false };
        let result = &resolved.result;
        let list = match (result.decided_by, result.status) {
            (Some(DecidedBy::Person), Status::Approved | Status::Denied) => &mut self.answered,
            (Some(DecidedBy::Policy | DecidedBy::Grant), Status::Approved) if result.risk != RiskLevel::ReadOnly => {
                &mut self.unasked
            }
            _ => return false,
        };
        if list.len() == MAX_NEW {
            list.pop_front();
        }
        list.push_back(resolved.id);
        true
    }
}

/// The calls with these `ids`. The engine is not asked about none.
async fn calls(engine: &Engine, ids: VecDeque<RequestId>) -> Result<Vec<Arc<Approval>>, Problem> {
    if ids.is_empty() { Ok(Vec::new()) } else { engine.calls(ids.into()).await }
}

/// What is kept of these calls. Where nothing can be kept, nothing can be undone.
async fn kept(engine: &Engine, ids: Vec<RequestId>) -> Vec<KeptCall> {
    if ids.is_empty() {
        return Vec::new();
    }
    let (limit, ids) = (ids.len(), Some(ids.into_iter().map(Into::into).collect()));
    let search = KeptSearch { limit, ids, ..KeptSearch::default() };
    engine.kept(search).await.map(|kept| kept.calls).unwrap_or_default()
}

/// What happened lately, after what has `ended`.
async fn look(engine: &Engine, before: &Lately, ended: Ended) -> Result<Lately, Problem> {
    let listed = before.changed.iter().map(|past| past.id);
    let ids = ended.unasked.iter().copied().chain(listed).collect();
    let kept = kept(engine, ids).await;
    let is_kept = |id: RequestId| kept.iter().any(|call| call.id == id && can_be_undone(call));

    let unasked = calls(engine, ended.unasked).await?;
    let unasked = unasked.iter().filter(|call| is_kept(call.id) || stays_changed(call));
    let unasked: Vec<Past> = unasked.map(|call| past(call, is_kept(call.id))).collect();
    let answered = calls(engine, ended.answered).await?;
    let answered: Vec<Past> = answered.iter().map(|call| past(call, false)).collect();
    let mut changed = joined(unasked, &before.changed);
    changed.iter_mut().for_each(|past| past.can_be_undone = is_kept(past.id));
    Ok(Lately { changed, answered: joined(answered, &before.answered) })
}

/// `new`, the latest last, in front of what was there, the latest first.
fn joined(new: Vec<Past>, before: &[Past]) -> Vec<Past> {
    let mut all = Vec::with_capacity(MAX_LISTED);
    for past in new.into_iter().rev().chain(before.iter().cloned()) {
        // An answer that came late is about a call that may be there already.
        if all.len() < MAX_LISTED && !all.iter().any(|other: &Past| other.id == past.id) {
            all.push(past);
        }
    }
    all
}

fn past(call: &Approval, can_be_undone: bool) -> Past {
    let line = format!("{} · {}", agent(call), compact_view(call).title);
    Past { id: call.id, line, is_approved: call.result.status == Status::Approved, can_be_undone }
}

/// It changed what is outside the project or of nobody's keeping. What builds and tests leave in a project is no news.
fn stays_changed(call: &Approval) -> bool {
    call.effect.can_be_undone == CanBeUndone::No && matches!(call.effect.reach, Reach::Machine | Reach::Outside)
}

/// Something is kept of it. An agent may still be at it, so that nothing differs yet.
fn can_be_undone(call: &KeptCall) -> bool {
    call.files.iter().any(|file| file.outcome != UndoOutcome::Refused)
}
