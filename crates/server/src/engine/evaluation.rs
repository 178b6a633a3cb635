//! What the policy would do, for the one who asks.

use handraise_agents::{TrialCall, trial_call};
use handraise_gate::Entry;
use handraise_locations::DEFAULT_REQUESTER;
use handraise_policy::Subject;
use handraise_policy::rules::{Diagnostic, Explanation};
use handraise_protocol::{ApprovalRequest, EvaluationResult, Problem, ProblemCode, TriedCall};

use super::Engine;
use crate::intake::{RequesterIdentity, Submission};
use crate::prepare::Known;
use crate::redacted::RequestRedactor;
use crate::view;

/// What is written where it does not matter what.
const CONTENT: &str = "a";

impl Engine {
    /// What would happen to a call in the folder `cwd`, from an agent that proves its name, or from nobody in particular.
    /// Changes nothing.
    ///
    /// # Errors
    /// When it could be no request, or the agent has no such tool.
    pub async fn try_call(
        &self,
        call: TriedCall,
        cwd: Option<String>,
        agent: Option<String>,
    ) -> Result<EvaluationResult, Problem> {
        let request = ApprovalRequest { cwd, ..tried(call, agent.as_deref())? };
        let is_agent = agent.is_some();
        let requester =
            RequesterIdentity { credential: agent.unwrap_or_else(|| DEFAULT_REQUESTER.to_owned()), is_agent };
        self.evaluate(Submission::of_trial(request, requester)).await
    }
}

/// The call as the agent would spell it.
fn tried(call: TriedCall, agent: Option<&str>) -> Result<ApprovalRequest, Problem> {
    let content = || CONTENT.to_owned();
    let subject = match call {
        TriedCall::Command { line } => Subject::Command { line },
        TriedCall::Read { path } => Subject::Read { path },
        TriedCall::Edit { path } => Subject::Edit { path, before: content(), after: String::new() },
        TriedCall::Write { path } => Subject::Write { path, content: content() },
        TriedCall::Fetch { url } => Subject::Fetch { url },
        TriedCall::Tool { tool, server, arguments } => {
            return Ok(ApprovalRequest { tool, server, arguments, ..ApprovalRequest::default() });
        }
    };
    // A name that no table has is that of a program of one's own.
    let known = agent.filter(|agent| handraise_agents::agent(agent).is_some());
    match trial_call(known, &subject) {
        Some(TrialCall { tool, arguments }) => Ok(ApprovalRequest { tool, arguments, ..ApprovalRequest::default() }),
        None => {
            let name = known.and_then(handraise_agents::agent).map_or("The agent", |agent| agent.display_name());
            let what = format!("{name} has no tool for that which is known here. Try it by the name of a tool.");
            Err(Problem::new(ProblemCode::InvalidRequest, what))
        }
    }
}

/// The answer to a question that changes nothing: what `entry` says, with what is to be known of the policy.
pub(super) fn explained(entry: &Entry, known: &Known, remarks: &[Diagnostic]) -> EvaluationResult {
    let policy = &known.policy;
    let (request, now) = (&entry.request, entry.life.asked_at);
    let redactor = &known.redactor.knowing(request);
    let unconfirmed = policy.unconfirmed.as_ref().map(|policy| readable(policy.explain(request, now), redactor).into());
    EvaluationResult {
        action: entry.evaluation.action.into(),
        decided_by: entry.evaluation.decided_by.into(),
        risk: entry.evaluation.policy.risk.into(),
        class: request.class.into(),
        rule: entry.evaluation.policy.rule.as_ref().map(|rule| rule.text().to_owned()),
        explanation: redactor.text(&view::explanation(entry)),
        policy: readable(policy.confirmed.explain(request, now), redactor).into(),
        unconfirmed,
        diagnostics: remarks.iter().cloned().map(Into::into).collect(),
    }
}

/// Without secrets, as everything that leaves the gate.
fn readable(mut explanation: Explanation, redactor: &RequestRedactor) -> Explanation {
    explanation.why = redactor.text(&explanation.why);
    explanation.risk_sentence = redactor.text(&explanation.risk_sentence);
    explanation.project = explanation.project.map(|project| redactor.text(&project));
    explanation.obstacle = explanation.obstacle.map(|obstacle| redactor.text(&obstacle));
    explanation.unproved = explanation.unproved.map(|sentence| redactor.text(&sentence));
    for part in &mut explanation.parts {
        for considered in &mut part.considered {
            considered.because = considered.because.as_deref().map(|clause| redactor.text(clause));
        }
        part.text = redactor.text(&part.text);
        part.why = redactor.text(&part.why);
        part.risk_sentence = redactor.text(&part.risk_sentence);
    }
    explanation
}
