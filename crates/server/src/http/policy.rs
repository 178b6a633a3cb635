//! Reading, changing and trying out the policy.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use handraise_protocol::{
    PolicyCheck, PolicyEtag, PolicyText, PolicyView, Preview, PreviewRequest, Problem, ProblemCode, Suggestions,
};
use serde::Deserialize;

use super::Shared;
use super::body::Json;
use super::caller::{ApproverCaller, Caller};
use super::params::Params;
use super::refusal::{HttpResult, Refused, refuse};
use crate::engine::Engine;

pub(super) async fn read(State(shared): State<Shared>, _: ApproverCaller) -> HttpResult<Response> {
    Ok(answer(shared.engine.policy().await?))
}

pub(super) async fn replace(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    headers: HeaderMap,
    Json(policy): Json<PolicyText>,
) -> HttpResult<Response> {
    caller.check_may_change(&shared).await?;
    let etag = if_match(&headers)?;
    Ok(answer(shared.engine.replace_policy(policy.text, etag, caller.approver.name).await?))
}

pub(super) async fn check(
    State(shared): State<Shared>,
    caller: Caller,
    Json(policy): Json<PolicyText>,
) -> HttpResult<axum::Json<PolicyCheck>> {
    let _turn = shared.policy_checks.take(caller.name(), policy.text.len()).await?;
    // A large text with many examples takes a while, and others wait for this thread.
    let check = tokio::task::spawn_blocking(move || Engine::check_policy(&policy.text)).await;
    let failed = |_| Problem::new(ProblemCode::Internal, "The check did not end.");
    Ok(axum::Json(check.map_err(failed)?))
}

pub(super) async fn confirm(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Json(seen): Json<PolicyEtag>,
) -> HttpResult<Response> {
    caller.check_may_change(&shared).await?;
    Ok(answer(shared.engine.confirm_policy(seen.etag, caller.approver.name).await?))
}

pub(super) async fn discard(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Json(seen): Json<PolicyEtag>,
) -> HttpResult<Response> {
    caller.check_may_change(&shared).await?;
    Ok(answer(shared.engine.discard_policy(seen.etag, caller.approver.name).await?))
}

pub(super) async fn preview(
    State(shared): State<Shared>,
    _: ApproverCaller,
    Json(request): Json<PreviewRequest>,
) -> HttpResult<axum::Json<Preview>> {
    Ok(axum::Json(shared.engine.preview_rule(request).await?))
}

/// How many calls of the past.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Calls {
    calls: Option<u32>,
}

pub(super) async fn suggestions(
    State(shared): State<Shared>,
    _: ApproverCaller,
    Params(Calls { calls }): Params<Calls>,
) -> HttpResult<axum::Json<Suggestions>> {
    Ok(axum::Json(shared.engine.suggest_rules(calls).await?))
}

/// The policy with its `ETag` (RFC 9110, 8.8.3).
fn answer(policy: PolicyView) -> Response {
    let etag = HeaderValue::from_str(&format!("\"{}\"", policy.etag)).ok();
    let mut response = axum::Json(policy).into_response();
    if let Some(etag) = etag {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}

/// The one strong entity tag of `If-Match` (RFC 9110, 13.1.1). A list, `*` and a weak tag name no one
/// text that somebody has started from.
fn if_match(headers: &HeaderMap) -> Result<String, Refused> {
    let missing = || {
        let what = "Send If-Match with the ETag of the policy that you started from, as GET /v1/policy gives it.";
        refuse(ProblemCode::IfMatchMissing, what)
    };
    let header = headers.get(header::IF_MATCH).ok_or_else(missing)?.to_str().map_err(|_| missing())?.trim();
    let tag = header.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|tag| !tag.contains('"'));
    tag.map(str::to_owned).ok_or_else(missing)
}
