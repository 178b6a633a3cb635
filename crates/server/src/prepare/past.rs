//! Requests of the past, as the gate would hold them, with files as they are now.

use std::sync::Arc;

use handraise_gate::{DecidedBy, Entry, Outcome};
use handraise_policy::{PolicyInForce, ProcessTree, Widening};
use handraise_protocol::{Approval, ApprovalResult, Problem, Status};
use jiff::Timestamp;

use super::prepared::approval;
use super::{Files, Inner, Known, Preparer};
use crate::audit::StoredRequest;
use crate::intake::{Submission, intake};
use crate::redacted::RedactedRequest;
use crate::skills::RunsByItself;

/// Whose slots looks at the past take.
const PAST: &str = "requests of the past";

/// A request of the past, while files can be looked at or cannot.
pub(crate) struct LoggedCall<'a> {
    inner: &'a Inner,
    files: Files<'a>,
    /// As it was stored.
    pub(crate) submission: &'a Submission,
    /// How it ended.
    result: &'a ApprovalResult,
    /// As the gate would hold it.
    pub(crate) entry: Entry,
}

impl Preparer {
    /// Does `work` with each of `stored` that this version can read.
    pub(crate) async fn past<Done: Send + 'static>(
        &self,
        stored: Vec<StoredRequest>,
        work: impl Fn(LoggedCall<'_>, &Known) -> Done + Send + Sync + 'static,
    ) -> Result<Vec<Option<Done>>, Problem> {
        let known = self.known();
        self.each(PAST, stored, &mut None, move |inner, stored, files| {
            let entry = inner.past(stored, &known, files)?;
            let StoredRequest { submission, result, .. } = stored;
            Some(work(LoggedCall { inner, files, submission, result, entry }, &known))
        })
        .await
    }

    /// Requests of the past as a person is shown them.
    pub(crate) async fn shown(&self, stored: Vec<StoredRequest>) -> Result<Vec<Option<Approval>>, Problem> {
        self.past(stored, |call, known| {
            let asked = RedactedRequest::of(&call.entry.request, &known.redactor);
            let mut shown = approval(asked, &call.entry, call.runs_by_itself().as_ref(), &known.redactor);
            // Of its walls no more is stored than this sentence.
            shown.result.confined.clone_from(&call.result.confined);
            shown
        })
        .await
    }
}

impl LoggedCall<'_> {
    /// With what the files hold that it runs.
    pub(crate) fn with_scripts(mut self) -> Self {
        self.entry.request.scripts = self.inner.scripts(&self.entry.request, self.files);
        self
    }

    /// What could be opened to the walls of its project, as these would stand around it today, of what they have denied
    /// it then. The disk has not been asked whether it still can.
    pub(crate) fn widenings(&self, policy: &PolicyInForce) -> Vec<Widening> {
        let Entry { request, evaluation, .. } = &self.entry;
        if evaluation.denied_by_walls.is_empty() {
            return Vec::new();
        }
        let decision = policy.decide(request, self.now());
        let walls = decision.walls_around();
        walls.map(|walls| policy.widenings(request, walls, &evaluation.denied_by_walls)).unwrap_or_default()
    }

    /// The time.
    pub(crate) fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// What the skill runs by itself that it loads.
    pub(crate) fn runs_by_itself(&self) -> Option<RunsByItself> {
        self.inner.runs_by_itself(&self.entry.request, self.files)
    }
}

impl Inner {
    /// `None` when this version cannot read it any more.
    fn past(&self, stored: &StoredRequest, known: &Arc<Known>, files: Files<'_>) -> Option<Entry> {
        let StoredRequest { id, submission, result, denied_by_walls, is_understood: _ } = stored;
        let request = intake(submission, *id, ProcessTree::default()).ok()?;
        let request = self.look_up_all(request, submission.ran_changed_command(), files);
        let (mut evaluation, _) = self.evaluate(&request, known);
        evaluation.denied_by_walls.clone_from(denied_by_walls);
        let outcome = (result.status != Status::Pending).then(|| Outcome {
            status: result.status.into(),
            decided_by: result.decided_by.map_or(DecidedBy::Policy, DecidedBy::from),
            scope: result.scope.map(Into::into),
            reason: result.reason.clone().unwrap_or_default(),
            rule: result.rule.clone(),
            risk: result.risk.into(),
            arguments: result.arguments.clone(),
            walls: None,
            arguments_hash: result.arguments_hash.clone().into(),
            decided_at: result.decided_at.unwrap_or(result.requested_at),
        });
        let mut entry = Entry::new(request, evaluation, result.requested_at, result.expires_at);
        entry.life.outcome = outcome;
        Some(entry)
    }
}
