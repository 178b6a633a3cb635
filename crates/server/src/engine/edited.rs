//! An open request as it would be with other arguments, for the person who changes them.

use handraise_gate::Entry;
use handraise_policy::RequestId;
use handraise_protocol::{Approval, Problem, ProblemCode};
use serde_json::{Map, Value};

use super::Engine;
use crate::redacted::holds_mark;

impl Engine {
    /// The open request `id` as it would be shown with `arguments`: its parts, its risk, and what it would do. Changes
    /// nothing, and asks no external decision point.
    ///
    /// # Errors
    /// When the request is over, or the arguments cannot be taken.
    pub async fn preview_edit(&self, id: RequestId, arguments: Map<String, Value>) -> Result<Approval, Problem> {
        if holds_mark(&arguments) {
            let what = "The changed arguments hold a mark that stands for a secret. Reveal it first.";
            return Err(Problem::new(ProblemCode::InvalidRequest, what));
        }
        let entry = self.call(move |state| {
            let entry = state.gate.entry(id).filter(|entry| entry.life.outcome.is_none())?;
            entry.request.accepts_edits.then(|| Entry { under: None, ..entry.clone() })
        });
        let gone =
            || Problem::new(ProblemCode::NotFound, "There is no such open request whose arguments can be changed.");
        let entry = entry.await?.ok_or_else(gone)?;
        self.preparer.edited_shown(entry, arguments).await
    }
}
