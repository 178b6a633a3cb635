//! Requests of the past, from the audit log.

use std::collections::HashMap;
use std::sync::Arc;

use handraise_protocol::{Approval, ApprovalResult, Problem, ProblemCode, RequestId, Status};

use super::Engine;
use crate::audit::{AuditError, Search, StoredRequest};

/// A page of requests.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) approvals: Vec<Approval>,
    pub(crate) next_cursor: Option<String>,
}

impl Engine {
    /// Searches the requests of the past, the latest first.
    pub(crate) async fn search(&self, search: Search) -> Result<Page, Problem> {
        let found = self.reader.search(search).await.map_err(unreadable)?;
        let ids: Vec<RequestId> = found.requests.iter().map(|stored| stored.id).collect();
        let open: HashMap<RequestId, Arc<Approval>> =
            self.call(move |state| ids.into_iter().filter_map(|id| Some((id, state.shown(id)?))).collect()).await?;
        let next_cursor = found.last.filter(|_| found.is_full);
        let order: Vec<RequestId> = found.requests.iter().map(|stored| stored.id).collect();
        let over: Vec<StoredRequest> =
            found.requests.into_iter().filter(|stored| !open.contains_key(&stored.id)).collect();
        let mut known: HashMap<RequestId, Arc<Approval>> = open;
        let over = self.preparer.shown(over).await?.into_iter().flatten();
        known.extend(over.map(|approval| (approval.id, Arc::new(approval))));
        let approvals = order.iter().filter_map(|id| known.remove(id)).map(Arc::unwrap_or_clone).collect();
        Ok(Page { approvals, next_cursor })
    }

    /// How a request ended that the gate no longer knows.
    pub(super) async fn stored_result(
        &self,
        id: RequestId,
        requester: Option<&str>,
    ) -> Result<ApprovalResult, Problem> {
        let stored = self.reader.request(id).await.map_err(unreadable)?;
        stored
            .filter(|stored| requester.is_none_or(|name| stored.submission.asker.requester == name))
            .map(|stored| if requester.is_some() { whole(stored.result) } else { stored.result })
            .ok_or_else(|| Problem::new(ProblemCode::NotFound, "There is no such request."))
    }
}

/// A result as its requester may act on it. Changed arguments that were masked when they were stored can
/// be run by nobody any more.
fn whole(result: ApprovalResult) -> ApprovalResult {
    let Some(arguments) = &result.arguments else { return result };
    if handraise_protocol::ArgumentsHash::of(arguments).is_ok_and(|hash| hash == result.arguments_hash) {
        return result;
    }
    let reason = "The changed arguments held a secret and are not kept for so long. Ask again.".to_owned();
    ApprovalResult { status: Status::Cancelled, arguments: None, reason: Some(reason), ..result }
}

pub(super) fn unreadable(error: AuditError) -> Problem {
    Problem::new(ProblemCode::AuditUnavailable, error.to_string())
}
