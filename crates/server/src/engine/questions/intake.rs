//! A question as it came over the wire, made into one that is asked.

use handraise_gate::{Question, QuestionId};
use handraise_policy::{ProcessTree, SessionKey};
use handraise_protocol::{InvalidRequest, Problem, ProblemCode, QuestionRequest};

use crate::intake::RequesterIdentity;

/// Checks `request` and makes it a question.
pub(super) fn question(
    request: QuestionRequest,
    requester: RequesterIdentity,
    id: QuestionId,
    processes: ProcessTree,
) -> Result<Question, Problem> {
    let invalid = |error: InvalidRequest| Problem::new(ProblemCode::InvalidRequest, format!("{error}."));
    request.check().map_err(invalid)?;
    let agent = requester.agent(request.agent.as_deref());
    let requester = requester.credential;
    let session = request.session_id().map(|id| SessionKey {
        requester: requester.clone(),
        agent: agent.as_ref().map(|agent| agent.name.clone()),
        id: id.to_owned(),
    });
    Ok(Question {
        id,
        requester,
        agent,
        session,
        timeout_seconds: request.timeout_seconds(),
        text: request.question,
        header: request.header,
        choices: request.choices.into_iter().map(Into::into).collect(),
        multiple: request.multiple,
        custom: request.custom,
        custom_label: request.custom_label,
        cwd: request.cwd,
        trace_id: request.trace_id,
        idempotency_key: request.idempotency_key,
        processes,
    })
}
