//! What a call would do to what is there, looked at beside everything else: nobody's answer waits for it.

use std::sync::Arc;
use std::time::Duration;

use handraise_protocol::Consequence;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout, timeout_at};

use super::slots::SlotWatch;
use super::{MAX_TIME, Prepared, Preparer};
use crate::consequences::{consequences, may_be_told};
use crate::redacted::RequestRedactor;
use crate::threads;

/// So long the prompt waits for it: what comes in time is there from the beginning, and nothing moves later.
const EARLY: Duration = Duration::from_millis(100);

/// A look at what a call would do that has begun.
#[derive(Debug)]
pub(crate) struct LookAhead {
    /// Took the secrets out of what is found.
    redactor: Arc<RequestRedactor>,
    begun: Instant,
    found: oneshot::Receiver<Vec<Consequence>>,
    watch: SlotWatch,
}

impl Preparer {
    /// Begins to look what `prepared` would do. `None`: nothing can be told of it, its files do not answer, or too many
    /// looks of its requester are out already.
    pub(crate) fn look_ahead(&self, prepared: &Prepared) -> Option<LookAhead> {
        let (request, known) = (prepared.request.clone(), prepared.known.clone());
        if request.unseen.is_some() || !may_be_told(&request) {
            return None;
        }
        // Other slots than those of what is needed for the decision: none of that waits for these.
        let slot = self.0.look_ahead_slots.take(&request.requester)?;
        let (inner, watch, redactor) = (self.0.clone(), slot.watch(), known.redactor.clone());
        let work = move || {
            let _slot = slot;
            consequences(&request, inner.resolver.home(), &known.redactor)
        };
        let found = threads::begin(work).ok()?;
        Some(LookAhead { redactor, begun: Instant::now(), found, watch })
    }
}

impl LookAhead {
    /// What is found soon enough to be there from the beginning; else the look, which goes on.
    pub(crate) async fn early(mut self) -> Result<Vec<Consequence>, Self> {
        match timeout_at(self.begun + EARLY, &mut self.found).await {
            Ok(found) => Ok(found.unwrap_or_default()),
            Err(_) => Err(self),
        }
    }

    /// What took the secrets out of what is found.
    pub(crate) fn redactor(&self) -> &Arc<RequestRedactor> {
        &self.redactor
    }

    /// What is found later. Nothing: it takes too long.
    pub(crate) async fn late(self) -> Vec<Consequence> {
        match timeout(MAX_TIME, self.found).await {
            Ok(found) => found.unwrap_or_default(),
            Err(_) => {
                self.watch.give_up();
                Vec::new()
            }
        }
    }
}
