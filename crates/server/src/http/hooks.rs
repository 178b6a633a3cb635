//! An agent's own hook message in, that agent's own answer out.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use handraise_agents::{Agent, CallKey, HookCall, HookMessage, HookOutput};
use handraise_display::line;
use handraise_policy::{ArgumentsHash, SessionKey};
use handraise_protocol::{ApprovalResult, HOOK_PROTOCOL, PROTOCOL_HEADER, Problem, ProblemCode, speaks_with_us};
use serde::Deserialize;

use super::Shared;
use super::body::JsonBytes;
use super::caller::{Requester, submit};
use super::params::Params;
use super::refusal::{HttpResult, refuse};
use crate::engine::{AcceptedCall, Standing};
use crate::intake::Submission;
use crate::peer;

/// Seconds before the hook's own end at which the answer leaves.
const MARGIN_SECONDS: u32 = 3;
/// Longest version of another protocol that is told, in characters.
const MAX_VERSION: usize = 20;

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
    headers: HeaderMap,
    JsonBytes(bytes): JsonBytes,
) -> HttpResult<Response> {
    let agent = handraise_agents::agent(&name)
        .ok_or_else(|| refuse(ProblemCode::NotFound, "Handraise does not know this agent."))?;
    let theirs = headers.get(PROTOCOL_HEADER).map(|version| version.to_str().unwrap_or_default());
    let answer = match agent.parse(&bytes) {
        _ if !speaks_with_us(theirs) => denial(agent, &bytes, &other_version(theirs)),
        Ok(HookMessage::Ask(call)) => match decide(&shared, requester, agent, &call, wait).await {
            Ok(result) => agent.render(&call, &result),
            Err(problem) => denial(agent, &bytes, &problem.detail),
        },
        Ok(HookMessage::CallEnded { session, call }) => {
            noted(shared.engine.call_ended(session_key(requester, session), call).await);
            agent.pass()
        }
        Ok(HookMessage::TurnEnded { session }) => {
            noted(shared.engine.turn_ended(session_key(requester, session)).await);
            agent.pass()
        }
        Ok(HookMessage::SessionEnded { session }) => {
            noted(shared.engine.end_session(session_key(requester, session)).await);
            agent.pass()
        }
        Ok(HookMessage::Nothing) => agent.pass(),
        Err(error) => denial(agent, &bytes, &format!("Handraise cannot take this call: {error}.")),
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (HeaderName::from_static(PROTOCOL_HEADER), HeaderValue::from(HOOK_PROTOCOL)),
    ];
    Ok((headers, answer.to_body()).into_response())
}

/// What a hook of another version reads.
fn other_version(theirs: Option<&str>) -> String {
    let theirs = line(theirs.unwrap_or_default(), MAX_VERSION);
    format!(
        "This hook speaks version `{theirs}`, and the Handraise that runs speaks version {HOOK_PROTOCOL}. Update \
         Handraise: let all its programs be of one version, restart it, and run `handraise connect` again."
    )
}

/// The session as it is known by its requests.
fn session_key(requester: Requester, id: String) -> SessionKey {
    let agent = requester.identity.agent(None).map(|agent| agent.name);
    SessionKey { agent, requester: requester.identity.credential, id }
}

/// The agent is told nothing about it: it only said what has happened.
fn noted(taken: Result<(), Problem>) {
    if let Err(problem) = taken {
        tracing::error!(detail = problem.detail, "could not take in what a hook said");
    }
}

async fn decide(
    shared: &Shared,
    requester: Requester,
    agent: &dyn Agent,
    call: &HookCall,
    wait: Option<u32>,
) -> Result<ApprovalResult, Problem> {
    let longest_wait = wait.map(|seconds| seconds.saturating_sub(MARGIN_SECONDS).max(1));
    let submission = Submission {
        hook_phase: Some(call.hook_phase(agent.order(call))),
        ..Submission::new(call.request.clone(), requester.identity.clone(), call.accepts_edits, longest_wait)
    };
    let AcceptedCall { standing, joined, behind } = submit(shared, &requester, submission).await?;
    let result = match standing {
        Standing::Ended(result) => *result,
        Standing::Pending(mut waiting) => tokio::select! {
            ended = waiting.end() => ended.ok_or_else(|| {
                Problem::new(ProblemCode::ShuttingDown, "Handraise stopped before anybody answered.")
            })?,
            () = peer::one_ended(&behind) => {
                waiting.process_ended();
                return Err(Problem::new(ProblemCode::AlreadyOver, "The agent that asked has ended."));
            }
        },
    };
    Ok(if joined { as_answer_to(agent, call, result) } else { result })
}

/// The answer to the first phase of a call, as one to the second: the gate has found that both are
/// about the same call, though one may say less about it, as what a command is for.
fn as_answer_to(agent: &dyn Agent, call: &HookCall, result: ApprovalResult) -> ApprovalResult {
    let HookCall { request, key, .. } = call;
    let Ok(arguments_hash) = ArgumentsHash::of(&request.arguments) else { return result };
    let is_unchanged = result.arguments.as_ref().is_none_or(|changed| {
        let class = agent.tool_facts(&request.tool, request.server.as_deref(), changed).class;
        let (session, server) = (request.session.as_deref(), request.server.as_deref());
        let digest = CallKey::digest(session, server, &request.tool, class, changed);
        digest.is_some() && digest == key.digest
    });
    match is_unchanged {
        true => ApprovalResult { arguments: None, arguments_hash: arguments_hash.into(), ..result },
        false => result,
    }
}

fn denial(agent: &dyn Agent, bytes: &Bytes, what: &str) -> HookOutput {
    agent.failure(bytes, &format!("{what} The call was denied. Do not try to work around this."))
}
