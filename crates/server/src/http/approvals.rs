//! Asking and deciding.

use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use handraise_gate::policy::LONGEST_TIMEOUT_SECONDS;
use handraise_protocol::{
    ApprovalPage, ApprovalRequest, ApprovalResult, DecisionRequest, DecisionResponse, DenyAllRequest, DenyAllResponse,
    EvaluationResult, ProblemCode, RequestId, Revealed, Status,
};
use serde::Deserialize;

use super::Shared;
use super::body::Json;
use super::caller::{self, ApproverCaller, Caller, Requester};
use super::params::Params;
use super::refusal::{Answer, refuse};
use crate::audit::Search;
use crate::engine::{Submitted, Waiting};
use crate::intake::Submission;

/// How long to wait for the end of a request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wait {
    wait: Option<u32>,
}

/// What to look for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    status: Option<String>,
    session: Option<String>,
    agent: Option<String>,
    q: Option<String>,
    cursor: Option<String>,
    limit: Option<u32>,
}

pub(super) async fn submit(
    State(shared): State<Shared>,
    requester: Requester,
    Params(wait): Params<Wait>,
    Json(request): Json<ApprovalRequest>,
) -> Answer<Response> {
    let wait = checked(wait)?;
    let submission =
        Submission { comes_back: wait.is_some(), ..Submission::of_program(request, requester.asker.clone()) };
    let taken = caller::submit(&shared, &requester, submission).await?;
    answer(taken.submitted, wait).await
}

pub(super) async fn look(
    State(shared): State<Shared>,
    caller: Caller,
    Path(id): Path<String>,
    Params(wait): Params<Wait>,
) -> Answer<Response> {
    let (id, wait) = (request_id(&id)?, checked(wait)?);
    match (caller, wait) {
        (Caller::Requester(requester), Some(wait)) if !wait.is_zero() => {
            let submitted = shared.engine.resume(id, requester.asker.requester).await?;
            answer(submitted, Some(wait)).await
        }
        // Who only looks neither holds the request open nor ends it by going away.
        (caller, _) => Ok(pending(shared.engine.look(id, caller.sees_only()).await?)),
    }
}

pub(super) async fn cancel(
    State(shared): State<Shared>,
    requester: Requester,
    Path(id): Path<String>,
) -> Answer<axum::Json<ApprovalResult>> {
    Ok(axum::Json(shared.engine.cancel(request_id(&id)?, requester.asker.requester).await?))
}

pub(super) async fn decide(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Path(id): Path<String>,
    Json(decision): Json<DecisionRequest>,
) -> Answer<axum::Json<DecisionResponse>> {
    Ok(axum::Json(shared.engine.decide(request_id(&id)?, decision, caller.approver).await?))
}

pub(super) async fn deny_all(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Json(request): Json<DenyAllRequest>,
) -> Answer<axum::Json<DenyAllResponse>> {
    Ok(axum::Json(shared.engine.deny_all(request, caller.approver).await?))
}

/// Which argument.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Field {
    field: Option<String>,
}

pub(super) async fn reveal(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Path(id): Path<String>,
    Params(Field { field }): Params<Field>,
) -> Answer<axum::Json<Revealed>> {
    Ok(axum::Json(shared.engine.reveal(request_id(&id)?, field, caller.approver).await?))
}

pub(super) async fn redeem(
    State(shared): State<Shared>,
    requester: Requester,
    Path(id): Path<String>,
    Json(request): Json<ApprovalRequest>,
) -> Answer<axum::Json<ApprovalResult>> {
    let submission = Submission::of_program(request, requester.asker);
    Ok(axum::Json(shared.engine.redeem(request_id(&id)?, submission).await?))
}

pub(super) async fn evaluate(
    State(shared): State<Shared>,
    requester: Requester,
    Json(request): Json<ApprovalRequest>,
) -> Answer<axum::Json<EvaluationResult>> {
    let submission = Submission::of_program(request, requester.asker);
    Ok(axum::Json(shared.engine.evaluate(submission).await?))
}

pub(super) async fn list(
    State(shared): State<Shared>,
    _: ApproverCaller,
    Params(list): Params<List>,
) -> Answer<axum::Json<ApprovalPage>> {
    let status = list.status.unwrap_or_else(|| "pending".to_owned());
    if !["pending", "approved", "denied", "timeout", "cancelled", "all"].contains(&status.as_str()) {
        return Err(refuse(
            ProblemCode::InvalidRequest,
            "`status` is one of pending, approved, denied, timeout, cancelled, all.",
        ));
    }
    let limit = list.limit.unwrap_or(50);
    if !(1..=200).contains(&limit) {
        return Err(refuse(ProblemCode::InvalidRequest, "`limit` is between 1 and 200."));
    }
    let search = Search {
        status: (status != "all").then_some(status),
        session: list.session,
        agent: list.agent,
        text: list.q,
        before: list.cursor,
        limit,
    };
    let page = shared.engine.search(search).await?;
    Ok(axum::Json(ApprovalPage { approvals: page.approvals, next_cursor: page.next_cursor }))
}

/// Waits as long as asked, then tells how the request stands.
async fn answer(submitted: Submitted, wait: Option<Duration>) -> Answer<Response> {
    let mut waiting: Box<Waiting> = match submitted {
        Submitted::Ended(result) => return Ok(axum::Json(result).into_response()),
        Submitted::Pending(waiting) => waiting,
    };
    let ended = match wait {
        None => waiting.end().await,
        Some(wait) => match tokio::time::timeout(wait, waiting.end()).await {
            Ok(ended) => ended,
            Err(_) => return Ok(pending(waiting.keep())),
        },
    };
    match ended {
        Some(result) => Ok(axum::Json(result).into_response()),
        None => Err(refuse(ProblemCode::ShuttingDown, "The gate has stopped; nothing is approved.")),
    }
}

fn pending(result: ApprovalResult) -> Response {
    let status = if result.status == Status::Pending { StatusCode::ACCEPTED } else { StatusCode::OK };
    (status, axum::Json(result)).into_response()
}

pub(super) fn checked(Wait { wait }: Wait) -> Answer<Option<Duration>> {
    if wait.is_some_and(|seconds| seconds > LONGEST_TIMEOUT_SECONDS) {
        return Err(refuse(ProblemCode::InvalidRequest, "`wait` is at most 86400 seconds."));
    }
    Ok(wait.map(|seconds| Duration::from_secs(seconds.into())))
}

fn request_id(text: &str) -> Answer<RequestId> {
    let id = text.parse().map_err(|_| refuse(ProblemCode::NotFound, "There is no such request."))?;
    Ok(RequestId(id))
}
