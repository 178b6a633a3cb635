//! Asking and deciding.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use handraise_gate::Entry;
use handraise_policy::RequestId;
use handraise_protocol::{
    ApprovalPage, ApprovalRequest, ApprovalResult, ConfinedCommand, DecisionRequest, DecisionResponse, DenyAllRequest,
    DenyAllResponse, EvaluationResult, ProblemCode, Revealed, WallsReport,
};
use serde::Deserialize;

use super::Shared;
use super::body::Json;
use super::caller::{self, ApproverCaller, Caller, Requester};
use super::params::Params;
use super::refusal::{HttpResult, refuse};
use super::waiting::{Wait, answer, told};
use crate::audit::Search;
use crate::intake::Submission;

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
) -> HttpResult<Response> {
    let wait = wait.checked()?;
    let submission =
        Submission { comes_back: wait.is_some(), ..Submission::of_program(request, requester.identity.clone()) };
    let taken = caller::submit(&shared, &requester, submission).await?;
    answer(taken.standing, wait).await
}

pub(super) async fn look(
    State(shared): State<Shared>,
    caller: Caller,
    Path(id): Path<String>,
    Params(wait): Params<Wait>,
) -> HttpResult<Response> {
    let (id, wait) = (request_id(&id)?, wait.checked()?);
    match (caller, wait) {
        (Caller::Requester(requester), Some(wait)) if !wait.is_zero() => {
            answer(shared.engine.resume(id, requester.identity.credential).await?, Some(wait)).await
        }
        // Who only looks neither holds the request open nor ends it by going away.
        (caller, _) => Ok(told::<Entry>(shared.engine.look(id, caller.sees_only()).await?)),
    }
}

pub(super) async fn cancel(
    State(shared): State<Shared>,
    requester: Requester,
    Path(id): Path<String>,
) -> HttpResult<axum::Json<ApprovalResult>> {
    Ok(axum::Json(shared.engine.cancel(request_id(&id)?, requester.identity.credential).await?))
}

pub(super) async fn decide(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Path(id): Path<String>,
    Json(decision): Json<DecisionRequest>,
) -> HttpResult<axum::Json<DecisionResponse>> {
    Ok(axum::Json(shared.engine.decide(request_id(&id)?, decision, caller.approver).await?))
}

pub(super) async fn deny_all(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Json(request): Json<DenyAllRequest>,
) -> HttpResult<axum::Json<DenyAllResponse>> {
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
) -> HttpResult<axum::Json<Revealed>> {
    Ok(axum::Json(shared.engine.reveal(request_id(&id)?, field, caller.approver).await?))
}

pub(super) async fn redeem(
    State(shared): State<Shared>,
    requester: Requester,
    Path(id): Path<String>,
    Json(request): Json<ApprovalRequest>,
) -> HttpResult<axum::Json<ApprovalResult>> {
    let submission = Submission::of_program(request, requester.identity);
    Ok(axum::Json(shared.engine.redeem(request_id(&id)?, submission).await?))
}

pub(super) async fn enter_walls(
    State(shared): State<Shared>,
    requester: Requester,
    Path(id): Path<String>,
) -> HttpResult<axum::Json<ConfinedCommand>> {
    Ok(axum::Json(shared.engine.enter_walls(request_id(&id)?, requester.identity.credential).await?))
}

pub(super) async fn walls_report(
    State(shared): State<Shared>,
    requester: Requester,
    Path(id): Path<String>,
    Json(report): Json<WallsReport>,
) -> HttpResult<StatusCode> {
    shared.engine.walls_reported(request_id(&id)?, requester.identity.credential, report).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn evaluate(
    State(shared): State<Shared>,
    requester: Requester,
    Json(request): Json<ApprovalRequest>,
) -> HttpResult<axum::Json<EvaluationResult>> {
    let submission = Submission::of_trial(request, requester.identity);
    Ok(axum::Json(shared.engine.evaluate(submission).await?))
}

pub(super) async fn list(
    State(shared): State<Shared>,
    _: ApproverCaller,
    Params(list): Params<List>,
) -> HttpResult<axum::Json<ApprovalPage>> {
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
        ..Search::default()
    };
    let page = shared.engine.search(search).await?;
    Ok(axum::Json(ApprovalPage { approvals: page.approvals, next_cursor: page.next_cursor }))
}

fn request_id(text: &str) -> HttpResult<RequestId> {
    let id = text.parse().map_err(|_| refuse(ProblemCode::NotFound, "There is no such request."))?;
    Ok(RequestId(id))
}
