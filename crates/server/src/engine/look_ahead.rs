//! What a call would do to what is there, where that was found after the call was shown.

use std::sync::Arc;

use handraise_policy::RequestId;
use handraise_protocol::{ApprovalChanged, Consequence, Event};

use super::{Engine, State};
use crate::prepare::LookAhead;

impl Engine {
    /// Adds what `looking` finds to the request `id`, if that is still open then.
    pub(super) fn tell_later(&self, id: RequestId, looking: LookAhead) {
        let engine = self.clone();
        tokio::spawn(async move {
            let redactor = looking.redactor().clone();
            let found = looking.late().await;
            if !found.is_empty() {
                engine.tell(move |state| {
                    // What counts as a secret may have changed meanwhile.
                    if Arc::ptr_eq(&redactor, &state.redactor) {
                        state.found_consequences(id, found);
                    }
                });
            }
        });
    }
}

impl State {
    fn found_consequences(&mut self, id: RequestId, found: Vec<Consequence>) {
        let Some(entry) = self.gate.entry(id).filter(|entry| entry.life.outcome.is_none()) else { return };
        let requester = entry.request.requester.clone();
        // What no person was asked about is on no surface.
        let Some(shown) = self.shown.get_mut(&id) else { return };
        if let Some(approval) = &mut shown.approval {
            Arc::make_mut(approval).consequences.clone_from(&found);
        }
        shown.consequences = found;
        let Some(approval) = self.shown(id) else { return };
        self.events.publish(Some(requester), Event::ApprovalChanged(ApprovalChanged { approval }));
    }
}
