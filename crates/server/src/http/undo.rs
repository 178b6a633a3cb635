//! What calls have changed, and putting it back.

use axum::extract::State;
use handraise_policy::RequestId;
use handraise_protocol::{KeptCalls, ProblemCode, PutBackRequest, PutBackResult};
use jiff::Timestamp;
use serde::Deserialize;

use super::Shared;
use super::body::Json;
use super::caller::ApproverCaller;
use super::params::Params;
use super::refusal::{HttpResult, refuse};
use crate::engine::KeptSearch;

/// What to list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    ids: Option<String>,
    session: Option<String>,
    since: Option<Timestamp>,
    limit: Option<usize>,
    diff: Option<bool>,
}

pub(super) async fn list(
    State(shared): State<Shared>,
    _: ApproverCaller,
    Params(list): Params<List>,
) -> HttpResult<axum::Json<KeptCalls>> {
    let limit = list.limit.unwrap_or(50);
    if !(1..=200).contains(&limit) {
        return Err(refuse(ProblemCode::InvalidRequest, "`limit` is between 1 and 200."));
    }
    let ids = list.ids.map(|ids| ids.split(',').map(|id| id.parse().map(RequestId)).collect::<Result<Vec<_>, _>>());
    let ids = ids.transpose().map_err(|_| refuse(ProblemCode::InvalidRequest, "`ids` are ids of requests."))?;
    let search =
        KeptSearch { ids, session: list.session, since: list.since, limit, with_diff: list.diff.unwrap_or_default() };
    Ok(axum::Json(shared.engine.kept(search).await?))
}

pub(super) async fn restore(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Json(request): Json<PutBackRequest>,
) -> HttpResult<axum::Json<PutBackResult>> {
    Ok(axum::Json(shared.engine.put_back(request, caller.approver).await?))
}
