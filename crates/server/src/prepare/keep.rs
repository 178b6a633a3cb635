//! Keeping what a call is about to change, on the threads that look at files.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use handraise_policy::{Request, RequestId, RiskLevel, SessionKey, ToolClass, surely_made};
use handraise_protocol::Problem;

use super::{Files, Inner, Prepared, Preparer};
use crate::keeping::{CallToKeep, KeepResult, may_write};
use crate::redacted::RedactedRequest;
use crate::threads;
use crate::turns::Turn;

/// Whoever waits for it still does.
const WAITED_FOR: u8 = 0;
/// It took too long: the call is answered without.
const GIVEN_UP: u8 = 1;
/// It was looked at in time, and is being written.
const WRITTEN: u8 = 2;

impl Preparer {
    /// Whether something is to be noted of `prepared` once it is answered: what is kept of it, or what its session makes.
    pub(crate) fn is_to_settle(&self, prepared: &Prepared) -> bool {
        self.would_keep(prepared) || !surely_made(&prepared.request).is_empty()
    }

    /// Whether something of `prepared` is to be kept, should it pass.
    pub(crate) fn would_keep(&self, prepared: &Prepared) -> bool {
        self.0.keeping.is_on() && may_write(&prepared.request, prepared.risk())
    }

    /// Keeps what `prepared` is about to change as `id`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) async fn keep(
        &self,
        id: RequestId,
        prepared: &Prepared,
        turn: &mut Option<Turn>,
    ) -> Result<KeepResult, Problem> {
        let about = CallToKeep { title: prepared.asked().title(), names_all: prepared.names_all_that_it_changes() };
        self.keep_call(id, prepared.request.clone(), about, turn).await
    }

    /// Keeps what `request`, which a person is about to approve, changes as its id, and says whether anything was.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) async fn keep_approved(&self, request: Request) -> Result<bool, Problem> {
        // Whoever approves has its risk before the eyes; what is known only to look names nothing that it writes.
        if !self.0.keeping.is_on() || !may_write(&request, RiskLevel::Write) {
            return Ok(false);
        }
        let title = RedactedRequest::of(&request, &self.known().redactor).request().title();
        let about = CallToKeep { title, names_all: request.class == ToolClass::FileWrite };
        let kept = self.keep_call(request.id, request, about, &mut None).await?;
        Ok(matches!(kept, KeepResult::Files { .. }))
    }

    async fn keep_call(
        &self,
        id: RequestId,
        request: Request,
        about: CallToKeep,
        turn: &mut Option<Turn>,
    ) -> Result<KeepResult, Problem> {
        let requester = request.requester.clone();
        let state = Arc::new(AtomicU8::new(WAITED_FOR));
        let turn_to = move |state: &AtomicU8, next| {
            state.compare_exchange(WAITED_FOR, next, Ordering::AcqRel, Ordering::Acquire).is_ok()
        };
        self.one(&requester, (request, about, state), turn, move |inner, (request, about, state), files| match files {
            Files::Seen => {
                let is_wanted = || turn_to(state, WRITTEN);
                inner.keeping.keep(id, request, about.clone(), inner.clock.now(), is_wanted)
            }
            Files::Unseen(why) => {
                turn_to(state, GIVEN_UP);
                KeepResult::Failed(why.to_owned())
            }
        })
        .await
    }

    /// `prepared`, which could not be kept and passes only because it can be undone: a person decides.
    pub(crate) async fn unkept(
        &self,
        prepared: Prepared,
        why: String,
        turn: &mut Option<Turn>,
    ) -> Result<Prepared, Problem> {
        let requester = prepared.request.requester.clone();
        self.one(&requester, (prepared, why), turn, move |inner, (prepared, why), files| {
            inner.unkept(prepared.clone(), why, files)
        })
        .await?
    }

    /// Does `work` with what is kept, however long it takes.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) async fn with_kept<Done: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Done + Send + 'static,
    ) -> Result<Done, Problem> {
        let inner = self.0.clone();
        let begun = threads::begin(move || work(&inner)).map_err(|error| {
            tracing::error!(%error, "the system gives no thread");
            super::failed()
        })?;
        begun.await.map_err(|_| super::failed())
    }

    /// The call `id`, `request`, passed, and runs.
    pub(crate) fn note_running(&self, id: RequestId, request: &Request) {
        if let Some(session) = &request.session {
            self.0.made.expect(session, surely_made(request));
        }
        self.0.keeping.note_running(id, request);
    }

    /// The call `id` did not pass.
    pub(crate) fn forget_kept(&self, id: RequestId) {
        let inner = self.0.clone();
        // It is a file of ours, and still nobody is to wait for a disk. Without a thread it goes with its age.
        threads::run(move || inner.keeping.forget(id)).ok();
    }

    /// A hook says that `call` of `session` is over: what it has left is noted.
    pub(crate) async fn call_over(&self, session: &SessionKey, call: &handraise_policy::CallKey) {
        let over = self.0.keeping.ended(session, call);
        if over.is_empty() {
            return;
        }
        let mut turn = None;
        let noted = self.one(&session.requester, over, &mut turn, |inner: &Inner, over, files| {
            if matches!(files, Files::Seen) {
                inner.keeping.observe(over);
            }
        });
        if let Err(problem) = noted.await {
            tracing::debug!(detail = problem.detail, "what a call has left could not be looked at");
        }
    }
}
