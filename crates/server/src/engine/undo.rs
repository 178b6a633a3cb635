//! What calls change: kept before they are answered, and put back.

use std::collections::BTreeSet;

use handraise_gate::{Approver, ApproverAction, Entry};
use handraise_policy::{Action, Request, RequestId};
use handraise_protocol::{
    self as protocol, DecidedBy, DecisionResponse, KeptCalls, Problem, ProblemCode, PutBackRequest, PutBackResult,
    Status, UndoSettings,
};
use handraise_undo::{KeptPath, NewCall, Restore, Store, StoreError};
use jiff::Timestamp;
use serde_json::json;
use uuid::Uuid;

use super::{Engine, Standing, Turn};
use crate::keeping::{KeepResult, kept_call, put_back, unseen};
use crate::prepare::{Files, Inner, Prepared};

/// Whose places looks at kept files take.
const KEPT: &str = "kept files";

/// What to list.
#[derive(Clone, Debug, Default)]
pub struct KeptSearch {
    /// Only these.
    pub ids: Option<Vec<RequestId>>,
    /// Only those of this session.
    pub session: Option<String>,
    /// Only those since then.
    pub since: Option<Timestamp>,
    /// At most so many.
    pub limit: usize,
    /// With what has changed in each file.
    pub with_diff: bool,
}

impl Engine {
    /// Keeps what `prepared` is about to change, when it would pass without a person. One that passes only because it
    /// can be undone, and cannot be kept, is one that a person is asked about.
    pub(super) async fn keep_first(
        &self,
        mut prepared: Prepared,
        turn: &mut Option<Turn>,
    ) -> Result<Prepared, Problem> {
        if !self.preparer.would_keep(&prepared) || !self.would_pass(&prepared).await? {
            return Ok(prepared);
        }
        let kept = self.preparer.keep(prepared.request.id, &prepared, turn).await?;
        let obstacle = kept.obstacle().map(str::to_owned);
        prepared.kept = Some(kept);
        match obstacle.filter(|_| prepared.has_to_be_kept()) {
            Some(why) => {
                self.discard_kept(&prepared);
                self.preparer.unkept(prepared, why, turn).await
            }
            None => Ok(prepared),
        }
    }

    /// What the policy allows passes; what it asks about may pass by what was remembered.
    async fn would_pass(&self, prepared: &Prepared) -> Result<bool, Problem> {
        if !prepared.asks() {
            return Ok(prepared.passes());
        }
        let (request, foreseen) = (prepared.request.clone(), prepared.foreseen());
        self.call(move |state| {
            let passes = || state.gate.evaluate_as(&foreseen, &request, state.clock.now()).action == Action::Allow;
            !state.gate.grants().is_empty() && passes()
        })
        .await
    }

    /// The call is answered as it stands: what was kept stays when it passed, and only then. What passed
    /// although nobody expected it to is kept now, since its answer has not left yet.
    pub(super) async fn settle_kept(&self, prepared: &Prepared, standing: &Standing<Entry>, turn: &mut Option<Turn>) {
        let id = prepared.request.id;
        let has_passed = matches!(standing, Standing::Ended(result) if result.id == id.into()
            && result.status == Status::Approved
            && matches!(result.decided_by, Some(DecidedBy::Policy | DecidedBy::Grant)));
        if !has_passed {
            self.discard_kept(prepared);
            return;
        }
        if prepared.kept.is_none()
            && self.preparer.would_keep(prepared)
            && let Err(problem) = self.preparer.keep(id, prepared, turn).await
        {
            tracing::warn!(detail = problem.detail, "what a call changes was not kept");
        }
        self.preparer.note_running(id, &prepared.request);
    }

    /// Keeps what the call `request` changes, which a person is about to approve. Its answer waits for that, and for no
    /// longer than for other looks at files; where it fails, the person's answer counts all the same.
    pub(super) async fn keep_approved(&self, request: &Request) -> bool {
        match self.preparer.keep_approved(request.clone()).await {
            Ok(kept) => kept,
            Err(problem) => {
                tracing::warn!(detail = problem.detail, "what a call changes was not kept");
                false
            }
        }
    }

    /// The person's answer to the call `request`, of which something `is_kept`, has come to `response`.
    pub(super) async fn settle_approved(
        &self,
        request: &Request,
        is_kept: bool,
        response: &Result<DecisionResponse, Problem>,
    ) {
        let id = request.id;
        if response.as_ref().is_ok_and(|response| response.result.status == Status::Approved) {
            self.preparer.note_running(id, request);
            return;
        }
        // Another answer may have come first, and have approved it.
        let approved = self.call(move |state| state.result(id).is_ok_and(|result| result.status == Status::Approved));
        if is_kept && !approved.await.unwrap_or_default() {
            self.preparer.forget_kept(id);
        }
    }

    /// The call was not taken, or waits for a person: nothing stays kept of it.
    pub(super) fn discard_kept(&self, prepared: &Prepared) {
        if matches!(prepared.kept, Some(KeepResult::Files { .. })) {
            self.preparer.forget_kept(prepared.request.id);
        }
    }

    /// Calls that have changed something, the latest first, and what putting each of them back would do.
    ///
    /// # Errors
    /// When nothing can be kept here.
    pub async fn kept(&self, search: KeptSearch) -> Result<KeptCalls, Problem> {
        let KeptSearch { limit, with_diff, .. } = search;
        let found = self.preparer.with_kept(move |inner| {
            let meant = store(inner)?.calls().into_iter().rev().filter(|kept| is_meant(kept, &search));
            Ok(meant.take(limit).map(|kept| kept.call.id.clone()).collect())
        });
        let found: Vec<String> = found.await??;
        let known = self.preparer.known();
        let look = move |inner: &Inner, id: &String, files: Files<'_>| {
            let (store, redactor) = (store(inner).ok()?, with_diff.then_some(&*known.redactor));
            let (kept, outcomes) = match files {
                Files::Seen => store.examine(std::slice::from_ref(id)).pop()?,
                Files::Unseen(why) => {
                    let kept = store.call(id)?;
                    let outcomes = unseen(&kept, why);
                    (kept, outcomes)
                }
            };
            kept_call(store, &kept, &outcomes, redactor)
        };
        let calls = self.preparer.each(KEPT, found, &mut None, look).await?;
        Ok(KeptCalls { calls: calls.into_iter().flatten().collect() })
    }

    /// Puts back what calls have changed. Recorded before it is done.
    ///
    /// # Errors
    /// When the approver may not, when nothing is kept of a call, or when the store or the audit log cannot be written.
    pub async fn put_back(&self, request: PutBackRequest, by: Approver) -> Result<PutBackResult, Problem> {
        let PutBackRequest { ids, session, since, force, dry_run } = request;
        if ids.is_empty() && session.is_none() && since.is_none() {
            let what = "Say what to put back: `ids`, `session` or `since`.";
            return Err(Problem::new(ProblemCode::InvalidRequest, what));
        }
        let all = KeptSearch { session, since, ..KeptSearch::default() };
        let is_all = all.session.is_some() || all.since.is_some();
        let ids: BTreeSet<String> = ids.iter().map(ToString::to_string).collect();
        let ids = self.preparer.with_kept(move |inner| {
            let calls =
                store(inner)?.calls().into_iter().filter(|kept| is_all && !kept.call.is_undo && is_meant(kept, &all));
            Ok(ids.into_iter().chain(calls.map(|kept| kept.call.id.clone())).collect::<BTreeSet<String>>())
        });
        let ids = ids.await??;
        let undo = protocol::RequestId(Uuid::now_v7());
        let noted = ids.clone();
        self.call(move |state| {
            let act = if dry_run { ApproverAction::Look } else { ApproverAction::Change };
            state.gate.admit(&by, act).map_err(|refusal| state.problem(refusal))?;
            if dry_run || noted.is_empty() {
                return Ok(());
            }
            let entry = json!({ "kind": "put_back", "id": undo, "calls": noted, "force": force, "by": by.name });
            state.audit.note(&entry, state.clock.now()).map_err(|error| {
                let what = format!("The audit log cannot be written, so nothing is put back. ({error})");
                Problem::new(ProblemCode::AuditUnavailable, what)
            })
        })
        .await??;
        let (outcomes, is_kept) = self
            .preparer
            .with_kept(move |inner| {
                let undo = NewCall {
                    id: undo.to_string(),
                    at: inner.clock.now(),
                    requester: "handraise".to_owned(),
                    agent: None,
                    session: None,
                    tool: "undo".to_owned(),
                    title: title(ids.len()),
                    root: KeptPath::from("/"),
                    names_all: true,
                    is_undo: true,
                };
                let (store, id) = (store(inner)?, undo.id.clone());
                let outcomes = store.restore(Restore { ids, force, dry_run, undo }).map_err(problem)?;
                Ok((outcomes, store.call(&id).is_some()))
            })
            .await??;
        Ok(PutBackResult { files: put_back(&outcomes), undo: is_kept.then_some(undo) })
    }

    /// Keeps as `settings` say from now on.
    ///
    /// # Errors
    /// When its numbers are out of their bounds.
    pub async fn set_undo(&self, settings: UndoSettings) -> Result<(), Problem> {
        if !settings.is_usable() {
            let what = "What is kept for undo is kept for 1 to 365 days, in 64 to 65536 MiB.";
            return Err(Problem::new(ProblemCode::InvalidRequest, what));
        }
        self.preparer.with_kept(move |inner| inner.keeping.set(settings, inner.clock.now())).await
    }
}

fn store(inner: &Inner) -> Result<&Store, Problem> {
    let what = "Nothing can be undone here: the folder for what is kept cannot be used.";
    inner.keeping.store().ok_or_else(|| Problem::new(ProblemCode::NotFound, what))
}

fn is_meant(kept: &handraise_undo::KeptCall, search: &KeptSearch) -> bool {
    let is_named = |ids: &Vec<RequestId>| ids.iter().any(|id| id.to_string() == kept.call.id);
    search.ids.as_ref().is_none_or(is_named)
        && search.session.as_ref().is_none_or(|session| kept.call.session.as_ref() == Some(session))
        && search.since.is_none_or(|since| kept.call.at >= since)
}

fn title(calls: usize) -> String {
    match calls {
        1 => "Undo of one call".to_owned(),
        calls => format!("Undo of {calls} calls"),
    }
}

fn problem(error: StoreError) -> Problem {
    match error {
        StoreError::Unknown(id) => Problem::new(ProblemCode::NotFound, format!("Nothing is kept of the call {id}.")),
        error => Problem::new(ProblemCode::Internal, format!("It could not be put back: {error}")),
    }
}
