//! What the policy would do, for the one who asks.

use handraise_gate::Entry;
use handraise_protocol::{ApprovalRequest, EvaluationResult, Explanation, Problem};
use serde_json::{Map, Value};

use super::{Engine, State};
use crate::credentials::DEFAULT_REQUESTER;
use crate::intake::{Asker, Submission};

/// A name for a shell tool that every agent's table, and the one for unknown agents, has.
const SHELL_TOOL: &str = "Bash";

impl Engine {
    /// What would happen to a command line in the folder `cwd`, from an agent that proves its name, or
    /// from nobody in particular. Changes nothing.
    ///
    /// # Errors
    /// When it could be no request, as with a folder that is not absolute.
    pub async fn try_command(
        &self,
        line: String,
        cwd: Option<String>,
        agent: Option<String>,
    ) -> Result<EvaluationResult, Problem> {
        let arguments = Map::from_iter([("command".to_owned(), Value::String(line))]);
        let request = ApprovalRequest { tool: SHELL_TOOL.to_owned(), arguments, cwd, ..ApprovalRequest::default() };
        let is_agent = agent.is_some();
        let asker = Asker { requester: agent.unwrap_or_else(|| DEFAULT_REQUESTER.to_owned()), is_agent };
        self.evaluate(Submission::of_program(request, asker)).await
    }
}

impl State {
    /// The answer to a question that changes nothing.
    pub(super) fn explained(&self, entry: Entry, explanation: String) -> EvaluationResult {
        let in_force = self.gate.policy();
        let now = entry.requested_at;
        let request = &entry.request;
        let unconfirmed = in_force.unconfirmed.as_ref().map(|policy| self.readable(policy.explain(request, now)));
        EvaluationResult {
            action: entry.evaluation.action,
            decided_by: entry.evaluation.decided_by,
            risk: entry.evaluation.policy.risk,
            class: request.class,
            rule: entry.evaluation.policy.rule.as_ref().map(|rule| rule.text().to_owned()),
            explanation: self.mask.text(&explanation),
            policy: self.readable(in_force.confirmed.explain(request, now)),
            unconfirmed,
            diagnostics: self.policy_remarks(self.policy.confirmed()),
        }
    }

    /// Without secrets, as everything that leaves the gate.
    fn readable(&self, mut explanation: Explanation) -> Explanation {
        explanation.why = self.mask.text(&explanation.why);
        for part in &mut explanation.parts {
            part.text = self.mask.text(&part.text);
            part.why = self.mask.text(&part.why);
        }
        explanation
    }
}
