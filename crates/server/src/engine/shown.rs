//! Open requests as a person is shown them: redacted and put together once, beside the engine, and shared.

use std::sync::Arc;

use handraise_gate::Entry;
use handraise_policy::RequestId;
use handraise_protocol::{Approval, Consequence, Problem};

use super::{Engine, State};
use crate::redacted::{RedactedEntry, RequestRedactor};
use crate::skills::RunsByItself;
use crate::view;

/// An open request as a person is shown it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownRequest {
    /// What the skill runs by itself that it loads.
    pub(crate) runs: Option<RunsByItself>,
    /// What it would do, as it was found.
    pub(crate) consequences: Vec<Consequence>,
    /// All of it; `None`: to be put together when somebody wants it.
    pub(crate) approval: Option<Arc<Approval>>,
}

impl ShownRequest {
    /// All of the open request `entry`, put together anew.
    fn rendered(&self, entry: &Entry, redactor: &RequestRedactor) -> Approval {
        let mut approval = view::approval(&RedactedEntry::of(entry, redactor));
        approval.arguments.extend(self.runs.iter().map(|runs| view::runs_by_itself(runs, redactor)));
        approval.consequences.clone_from(&self.consequences);
        approval
    }
}

impl Engine {
    /// Puts together beside the engine what is shown of open requests and is not ready: something else counts as a
    /// secret since a while ago.
    pub(super) async fn render_missing(&self) -> Result<(), Problem> {
        let (missing, redactor) = self.call(|state| (state.missing(), state.redactor.clone())).await?;
        if missing.is_empty() {
            return Ok(());
        }
        let used = redactor.clone();
        let render = move |_: &_, (entry, shown): &(Entry, ShownRequest), _: crate::prepare::Files<'_>| {
            (entry.request.id, shown.rendered(entry, &used))
        };
        let rendered = self.preparer.each("", missing, &mut None, render).await?;
        self.call(move |state| {
            // Otherwise it is not what would be shown now.
            if Arc::ptr_eq(&redactor, &state.redactor) {
                rendered.into_iter().for_each(|(id, approval)| state.take_rendered(id, approval));
            }
        })
        .await
    }
}

impl State {
    /// A request as a surface may have it.
    pub(super) fn shown(&mut self, id: RequestId) -> Option<Arc<Approval>> {
        let entry = self.gate.entry(id).filter(|entry| entry.life.outcome.is_none())?;
        let shown = self.shown.entry(id).or_default();
        if let Some(ready) = &shown.approval {
            return Some(ready.clone());
        }
        let approval = Arc::new(shown.rendered(entry, &self.redactor));
        shown.approval = Some(approval.clone());
        Some(approval)
    }

    /// Open requests, oldest first.
    pub(super) fn shown_pending(&mut self) -> Vec<Arc<Approval>> {
        let open: Vec<RequestId> = self.gate.pending().map(|entry| entry.request.id).collect();
        open.into_iter().filter_map(|id| self.shown(id)).collect()
    }

    /// Open requests of which what is shown is not ready.
    fn missing(&self) -> Vec<(Entry, ShownRequest)> {
        let shown = |entry: &Entry| self.shown.get(&entry.request.id);
        let is_missing = |entry: &&Entry| shown(entry).is_none_or(|shown| shown.approval.is_none());
        let missing = self.gate.pending().filter(is_missing);
        missing.map(|entry| (entry.clone(), shown(entry).cloned().unwrap_or_default())).collect()
    }

    fn take_rendered(&mut self, id: RequestId, approval: Approval) {
        let Some(entry) = self.gate.entry(id).filter(|entry| entry.life.outcome.is_none()) else { return };
        let shown = self.shown.entry(id).or_default();
        // It may have been asked anew, or been shown, meanwhile.
        if shown.approval.is_none() {
            shown.approval = Some(Arc::new(view::at_times_of(entry, approval)));
        }
    }

    /// What is shown of open requests and questions is put together again when somebody wants it.
    pub(super) fn show_anew(&mut self) {
        for shown in self.shown.values_mut() {
            shown.approval = None;
            shown.consequences.clear();
        }
        self.shown_questions.clear();
    }

    /// What is open is due at another time.
    pub(super) fn show_new_times(&mut self) {
        for (id, shown) in &mut self.shown {
            if let (Some(entry), Some(approval)) = (self.gate.entry(*id), &mut shown.approval) {
                *approval = Arc::new(view::at_times_of(entry, Approval::clone(approval)));
            }
        }
        self.shown_questions.clear();
    }
}
