//! The original of what is masked, for the person who decides.

use handraise_gate::display::escape_json;
use handraise_gate::{Act, Approver};
use handraise_protocol::{Problem, ProblemCode, RequestId, Revealed};
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
        self.call(move |state| state.reveal(id, field.as_deref(), &by)).await?
    }
}

impl State {
    fn reveal(&mut self, id: RequestId, field: Option<&str>, by: &Approver) -> Result<Revealed, Problem> {
        let not_found = |what| Problem::new(ProblemCode::NotFound, what);
        self.gate.admit(by, Act::Change).map_err(|refusal| self.problem(refusal))?;
        let entry = self.gate.entry(id).ok_or_else(|| not_found("There is no such request."))?;
        if entry.outcome.is_some() || entry.request.is_masked {
            let what = "Secrets are kept only while a request is open, and not over a restart.";
            return Err(Problem::new(ProblemCode::NotRevealable, what));
        }
        let request = &entry.request;
        let rows: Vec<_> =
            request.arguments.iter().filter(|(name, _)| field.is_none_or(|field| field == *name)).collect();
        if rows.is_empty() && field.is_some() {
            return Err(not_found("The request has no such argument."));
        }
        let revealed = Revealed {
            arguments: rows.into_iter().map(|row| view::argument_row(row, &request.subject)).collect(),
            subject: field.is_none().then(|| view::subject(entry)),
            editable_arguments: (field.is_none() && request.accepts_edits)
                .then(|| serde_json::to_string_pretty(&request.arguments).ok())
                .flatten()
                .map(|json| escape_json(&json)),
        };
        let entry = json!({ "kind": "revealed", "id": id, "field": field, "by": by.name });
        self.audit.note(&entry, self.clock.now()).map_err(|error| {
            let what = format!("The audit log cannot be written, so nothing is revealed. ({error})");
            Problem::new(ProblemCode::AuditUnavailable, what)
        })?;
        Ok(revealed)
    }
}
