//! An agent's own hook message in, that agent's own answer out.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use handraise_agents::{Agent, HookAnswer, HookCall, HookMessage};
use handraise_protocol::{ApprovalResult, Problem, ProblemCode, SessionKey};
use serde::Deserialize;

use super::Shared;
use super::body::JsonBytes;
use super::caller::{Requester, submit};
use super::params::Params;
use super::refusal::{Answer, refuse};
use crate::engine::Submitted;
use crate::intake::Submission;

/// Seconds before the hook's own end at which the answer leaves.
const MARGIN_SECONDS: u32 = 3;

/// How long the hook can wait.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wait {
    wait: Option<u32>,
}

/// Answers an agent. Past the credential check every failure is that agent's own denial, with status
/// 200: agents ignore other statuses and let the call pass.
pub(super) async fn hook(
    State(shared): State<Shared>,
    requester: Requester,
    Path(name): Path<String>,
    Params(Wait { wait }): Params<Wait>,
    JsonBytes(bytes): JsonBytes,
) -> Answer<Response> {
    let agent = handraise_agents::agent(&name)
        .ok_or_else(|| refuse(ProblemCode::NotFound, "Handraise does not know this agent."))?;
    let answer = match agent.parse(&bytes) {
        Ok(HookMessage::Ask(call)) => match decide(&shared, requester, &call, wait).await {
            Ok(result) => agent.render(&call, &result),
            Err(problem) => denial(agent, &bytes, &problem.detail),
        },
        Ok(HookMessage::SessionEnded { session }) => {
            let key = SessionKey {
                agent: requester.asker.is_agent.then(|| requester.asker.requester.clone()),
                requester: requester.asker.requester,
                id: session,
            };
            if let Err(problem) = shared.engine.end_session(key).await {
                tracing::error!(detail = problem.detail, "could not end a session");
            }
            agent.pass()
        }
        Ok(HookMessage::CallEnded { .. } | HookMessage::TurnEnded { .. } | HookMessage::Nothing) => agent.pass(),
        Err(error) => denial(agent, &bytes, &format!("Handraise cannot take this call: {error}.")),
    };
    Ok(([(header::CONTENT_TYPE, "application/json")], answer.to_body()).into_response())
}

async fn decide(
    shared: &Shared,
    requester: Requester,
    call: &HookCall,
    wait: Option<u32>,
) -> Result<ApprovalResult, Problem> {
    let longest_wait = wait.map(|seconds| seconds.saturating_sub(MARGIN_SECONDS).max(1));
    let submission = Submission::new(call.request.clone(), requester.asker, call.accepts_edits, longest_wait);
    match submit(shared, &requester.peer, submission).await? {
        Submitted::Ended(result) => Ok(*result),
        Submitted::Pending(mut waiting) => waiting
            .end()
            .await
            .ok_or_else(|| Problem::new(ProblemCode::ShuttingDown, "Handraise stopped before anybody answered.")),
    }
}

fn denial(agent: &dyn Agent, bytes: &Bytes, what: &str) -> HookAnswer {
    agent.failure(bytes, &format!("{what} The call was denied. Do not try to work around this."))
}
