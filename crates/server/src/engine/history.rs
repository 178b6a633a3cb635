//! Requests of the past, from the audit log.

use std::collections::HashMap;
use std::sync::Arc;

use handraise_gate::{Asked, Entry};
use handraise_policy::{ArgumentsHash, RequestId};
use handraise_protocol::{Approval, ApprovalResult, Problem, ProblemCode, Status};

use super::{Engine, State};
use crate::audit::{AuditError, Search, StoredRequest};

/// Calls that are looked at in one go: in between, others have their turn.
const IN_ONE_GO: u32 = 100;

/// The latest calls of the audit log, the latest first, a part of them at a time.
#[derive(Debug)]
pub(super) struct PastCalls {
    /// The last one that was read.
    before: Option<String>,
    left: u32,
}

impl PastCalls {
    /// The latest `wanted` calls.
    pub(super) fn latest(wanted: u32) -> Self {
        Self { before: None, left: wanted }
    }

    /// The next of them that can be read; `None` when there are no more.
    ///
    /// # Errors
    /// When the audit log cannot be read.
    pub(super) async fn next(&mut self, engine: &Engine) -> Result<Option<Vec<StoredRequest>>, Problem> {
        if self.left == 0 {
            return Ok(None);
        }
        let limit = self.left.min(IN_ONE_GO);
        let search = Search { before: self.before.take(), limit, ..Search::default() };
        let found = engine.reader.search(search).await.map_err(unreadable)?;
        self.before = found.last.filter(|_| found.is_full);
        self.left = if self.before.is_some() { self.left - limit } else { 0 };
        Ok(Some(found.requests))
    }
}

/// A page of requests.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) approvals: Vec<Arc<Approval>>,
    pub(crate) next_cursor: Option<String>,
}

impl Engine {
    /// Searches the requests, the latest first. Those that wait for a person are known to the engine alone, and
    /// are the ones that every surface shows; the others are in the audit log. A text is looked for there in both.
    pub(crate) async fn search(&self, search: Search) -> Result<Page, Problem> {
        let only_open = search.status.as_deref() == Some(PENDING);
        self.render_missing().await?;
        if only_open && search.is_known_to_engine() {
            return self.call(move |state| state.search_pending(&search)).await;
        }
        let found = self.reader.search(search).await.map_err(unreadable)?;
        let next_cursor = found.last.filter(|_| found.is_full);
        let approvals = self.rendered(found.requests, only_open).await?;
        Ok(Page { approvals, next_cursor })
    }

    /// These requests, as they are shown, in this order; those that are not known are left out.
    ///
    /// # Errors
    /// When the audit log cannot be read.
    pub async fn calls(&self, ids: Vec<handraise_protocol::RequestId>) -> Result<Vec<Arc<Approval>>, Problem> {
        self.render_missing().await?;
        let mut requests = Vec::with_capacity(ids.len());
        for id in ids {
            requests.extend(self.reader.request(id.into()).await.map_err(unreadable)?);
        }
        self.rendered(requests, false).await
    }

    /// What is in the audit log, as it is shown now. `only_open`: those that wait for a person.
    async fn rendered(&self, mut requests: Vec<StoredRequest>, only_open: bool) -> Result<Vec<Arc<Approval>>, Problem> {
        let unended = requests.iter().filter(|stored| stored.result.status == Status::Pending);
        let unended: Vec<RequestId> = unended.map(|stored| stored.id).collect();
        // How it ended is known before it is written, where that fails for a while.
        let ends: HashMap<RequestId, Arc<ApprovalResult>> = self
            .call(move |state| unended.into_iter().filter_map(|id| Some((id, state.shown_result(id)?))).collect())
            .await?;
        for stored in &mut requests {
            if let Some(end) = ends.get(&stored.id) {
                stored.result = ApprovalResult::clone(end);
            }
        }
        let order: Vec<RequestId> = requests.iter().map(|stored| stored.id).collect();
        let ids = order.clone();
        let open: HashMap<RequestId, Arc<Approval>> =
            self.call(move |state| ids.into_iter().filter_map(|id| Some((id, state.shown(id)?))).collect()).await?;
        let is_over = |stored: &StoredRequest| !only_open && !open.contains_key(&stored.id);
        let over: Vec<StoredRequest> = requests.into_iter().filter(is_over).collect();
        let mut known: HashMap<RequestId, Arc<Approval>> = open;
        let over = self.preparer.shown(over).await?.into_iter().flatten();
        known.extend(over.map(|approval| (approval.id.into(), Arc::new(approval))));
        Ok(order.iter().filter_map(|id| known.remove(id)).collect())
    }

    /// How a request ended that the gate no longer knows.
    pub(super) async fn stored_result(
        &self,
        id: RequestId,
        requester: Option<&str>,
    ) -> Result<ApprovalResult, Problem> {
        let stored = self.reader.request(id).await.map_err(unreadable)?;
        stored
            .filter(|stored| requester.is_none_or(|name| stored.submission.requester.credential == name))
            .map(|stored| if requester.is_some() { for_requester(stored.result) } else { stored.result })
            .ok_or_else(|| Problem::new(ProblemCode::NotFound, "There is no such request."))
    }
}

impl State {
    fn search_pending(&mut self, search: &Search) -> Page {
        let fits = |entry: &&Entry| search.before.as_ref().is_none_or(|before| entry.request.id.to_string() < *before);
        let mut found: Vec<RequestId> =
            self.gate.pending().filter(fits).filter(|entry| is_meant(entry, search)).map(Asked::id).collect();
        found.reverse();
        found.truncate(usize::try_from(search.limit).unwrap_or(usize::MAX));
        let is_full = u32::try_from(found.len()).is_ok_and(|count| count == search.limit);
        let next_cursor = found.last().filter(|_| is_full).map(ToString::to_string);
        let approvals = found.into_iter().filter_map(|id| self.shown(id)).collect();
        Page { approvals, next_cursor }
    }
}

/// Whether an open request is searched for, whatever its text is.
fn is_meant(entry: &Entry, search: &Search) -> bool {
    let request = &entry.request;
    let is_of_session = |id: &String| request.session.as_ref().is_some_and(|session| session.id == *id);
    let is_of_agent = |name: &String| request.agent_name() == Some(name);
    search.session.as_ref().is_none_or(is_of_session) && search.agent.as_ref().is_none_or(is_of_agent)
}

/// The status of what waits for a person, as it is called in the API.
const PENDING: &str = "pending";

/// A result as its requester may act on it. Changed arguments that were redacted when they were stored can
/// be run by nobody any more.
fn for_requester(result: ApprovalResult) -> ApprovalResult {
    let Some(arguments) = &result.arguments else { return result };
    if ArgumentsHash::of(arguments).is_ok_and(|hash| hash.as_str() == result.arguments_hash.as_str()) {
        return result;
    }
    let reason = "The changed arguments held a secret and are not kept for so long. Ask again.".to_owned();
    ApprovalResult { status: Status::Cancelled, arguments: None, reason: Some(reason), ..result }
}

pub(super) fn unreadable(error: AuditError) -> Problem {
    Problem::new(ProblemCode::AuditUnavailable, error.to_string())
}
