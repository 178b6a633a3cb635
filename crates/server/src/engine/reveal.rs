//! The original of what is redacted, for the person who decides.

use handraise_display::escape_json;
use handraise_gate::{Approver, ApproverAction, Entry};
use handraise_policy::RequestId;
use handraise_protocol::{Problem, ProblemCode, Revealed};
use serde_json::json;

use super::{Engine, State};
use crate::view;

impl Engine {
    /// The arguments of an open request with their secrets, or only the one called `field`. Recorded
    /// before it is answered.
    ///
    /// # Errors
    /// When the request is over, when its original is not there any more, or when the audit log cannot
    /// be written.
    pub async fn reveal(&self, id: RequestId, field: Option<String>, by: Approver) -> Result<Revealed, Problem> {
        let wanted = field.clone();
        let entry = self.call(move |state| state.reveal(id, wanted.as_deref(), &by)).await??;
        self.preparer.one("", entry, &mut None, move |_, entry, _| revealed(entry, field.as_deref())).await
    }
}

impl State {
    fn reveal(&mut self, id: RequestId, field: Option<&str>, by: &Approver) -> Result<Entry, Problem> {
        let not_found = |what| Problem::new(ProblemCode::NotFound, what);
        self.gate.admit(by, ApproverAction::Change).map_err(|refusal| self.problem(refusal))?;
        let entry = self.gate.entry(id).ok_or_else(|| not_found("There is no such request."))?;
        if entry.life.outcome.is_some() || entry.request.is_redacted {
            let what = "Secrets are kept only while a request is open, and not over a restart.";
            return Err(Problem::new(ProblemCode::NotRevealable, what));
        }
        let request = &entry.request;
        if field.is_some_and(|field| !request.arguments.contains_key(field)) {
            return Err(not_found("The request has no such argument."));
        }
        let revealed = entry.clone();
        let entry = json!({ "kind": "revealed", "id": id.0, "field": field, "by": by.name });
        self.audit.note(&entry, self.clock.now()).map_err(|error| {
            let what = format!("The audit log cannot be written, so nothing is revealed. ({error})");
            Problem::new(ProblemCode::AuditUnavailable, what)
        })?;
        Ok(revealed)
    }
}

/// The arguments of `entry` with their secrets, or only the one called `field`.
fn revealed(entry: &Entry, field: Option<&str>) -> Revealed {
    let request = &entry.request;
    let rows = request.arguments.iter().filter(|(name, _)| field.is_none_or(|field| field == *name));
    Revealed {
        arguments: rows.map(|row| view::argument_row(row, &request.subject)).collect(),
        subject: field.is_none().then(|| view::subject(entry)),
        editable_arguments: (field.is_none() && request.accepts_edits)
            .then(|| serde_json::to_string_pretty(&request.arguments).ok())
            .flatten()
            .map(|json| escape_json(&json)),
    }
}
