//! What the policy would do, for the one who asks.

use handraise_gate::Entry;
use handraise_protocol::{EvaluationResult, Explanation};

use super::State;

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
            diagnostics: self.policy.confirmed().warnings.clone(),
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
