//! Requests of the past, from the audit log.

use handraise_gate::{DecidedBy, Entry, Outcome, ProcessTree, Status};
use handraise_protocol::{Approval, ApprovalResult, Problem, ProblemCode, RequestId};

use super::{Engine, State};
use crate::audit::{AuditError, OpenRequest, Search};

/// A page of requests.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) approvals: Vec<Approval>,
    pub(crate) next_cursor: Option<String>,
}

impl Engine {
    /// Searches the requests of the past, the latest first.
    pub(crate) async fn search(&self, search: Search) -> Result<Page, Problem> {
        self.call(move |state| {
            let found = state.audit.search(&search).map_err(unreadable)?;
            let next_cursor = found.last.filter(|_| found.is_full);
            let entries: Vec<Entry> = found.requests.into_iter().filter_map(|stored| state.entry(stored)).collect();
            let approvals = entries.iter().map(|entry| state.shown(entry)).collect();
            Ok(Page { approvals, next_cursor })
        })
        .await?
    }
}

impl State {
    /// How a request ended that the gate no longer knows.
    pub(super) fn stored_result(&self, id: RequestId, requester: Option<&str>) -> Result<ApprovalResult, Problem> {
        let stored = self.audit.request(id).map_err(unreadable)?;
        stored
            .filter(|stored| requester.is_none_or(|name| stored.submission.asker.requester == name))
            .map(|stored| if requester.is_some() { whole(stored.result) } else { stored.result })
            .ok_or_else(|| Problem::new(ProblemCode::NotFound, "There is no such request."))
    }

    /// A stored request as the gate would hold it; `None` when this version cannot read it any more.
    pub(crate) fn entry(&mut self, stored: OpenRequest) -> Option<Entry> {
        let OpenRequest { id, submission, result, is_understood: _ } = stored;
        if let Some(entry) = self.gate.entry(id).filter(|entry| entry.is_whole) {
            return Some(entry.clone());
        }
        let request = self.request(&submission, id, ProcessTree::default()).ok()?;
        let evaluation = self.gate.evaluate(&request, self.clock.now());
        let outcome = (result.status != Status::Pending).then(|| Outcome {
            status: result.status,
            decided_by: result.decided_by.unwrap_or(DecidedBy::Policy),
            scope: result.scope,
            reason: result.reason.unwrap_or_default(),
            rule: result.rule,
            risk: result.risk,
            arguments: result.arguments,
            arguments_hash: result.arguments_hash,
            decided_at: result.decided_at.unwrap_or(result.requested_at),
        });
        let open = Entry::new(request, evaluation, result.requested_at, result.expires_at);
        Some(Entry { handed_out: outcome.is_some(), outcome, second_question: None, ..open })
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
