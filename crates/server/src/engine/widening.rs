//! A person opens something to the walls of a project.

use handraise_gate::{Approver, Input, PersonsDecision};
use handraise_policy::RequestId;
use handraise_protocol::{ApprovalResult, Problem};

use super::Engine;
use crate::policy_file::PolicyEdit;

impl Engine {
    /// Opens what `decision` needs for the walls that it names, if these are wider ones that were offered. The decision
    /// itself comes then, about the walls of the changed policy; where that policy has let the call run inside of them
    /// already, this is how it ended.
    pub(super) async fn widen(
        &self,
        id: RequestId,
        decision: &PersonsDecision,
        approver: &Approver,
    ) -> Result<Option<ApprovalResult>, Problem> {
        let (decision, approver) = (decision.clone(), approver.clone());
        let wanted = decision.confined.as_deref().cloned();
        let table = self.call(move |state| {
            let table = state.gate.widening(id, &decision, &approver).map(|widening| widening.table.toml.clone());
            table.map(|table| state.check_rule(id, &table).map(|()| table)).transpose()
        });
        let Some(table) = table.await?? else { return Ok(None) };
        self.edit_policy(PolicyEdit::ProjectWalls(table), format!("answer to {id}")).await?;
        self.call(move |state| {
            // Many may wait, and the changed policy is asked about them one after the other.
            if let Err(problem) = state.handle(Input::Settle(id), None) {
                tracing::error!(detail = problem.detail, "what the changed policy says could not be recorded");
            }
            let outcome = state.gate.entry(id)?.life.outcome.as_ref()?;
            let is_inside = outcome.walls.as_ref().map(handraise_policy::Walls::hash) == wanted;
            let result = state.shown_result(id).filter(|_| is_inside)?;
            Some(std::sync::Arc::unwrap_or_clone(result))
        })
        .await
    }
}
