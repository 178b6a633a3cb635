//! Asking about the calls of one parallel batch.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::future::join_all;
use handraise_policy::{ProcessId, Provenance};
use handraise_protocol::{ApprovalRequest, ApprovalResult, BatchResult, MAX_BATCH, ProblemCode, RequestId, Status};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;
use uuid::Uuid;

use super::Shared;
use super::body::Json;
use super::caller::Requester;
use super::params::Params;
use super::refusal::{HttpResult, refuse};
use super::waiting::{Wait, end};
use crate::intake::{RequesterIdentity, Submission};
use crate::provenance::Claims;

/// A [`handraise_protocol::BatchRequest`] whose calls are not read yet, so that a bad one can be named.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Batch {
    #[serde(default)]
    batch: Option<String>,
    requests: Vec<Value>,
}

pub(super) async fn submit(
    State(shared): State<Shared>,
    requester: Requester,
    Params(wait): Params<Wait>,
    Json(batch): Json<Batch>,
) -> HttpResult<Response> {
    let wait = wait.checked()?;
    let requests = read(batch)?;
    let process = requester.process().await;
    if process.is_other_user {
        return Err(refuse(ProblemCode::NotARequester, "This gate belongs to another user."));
    }
    let requester = requester.identity;
    let mut submissions: Vec<Submission> =
        requests.into_iter().map(|request| of_batch(request, requester.clone(), wait.is_some())).collect();
    find_provenance(&mut submissions, &process.lineage).await;
    let submitted = shared.engine.submit_batch(submissions, process.tree).await?;
    let deadline = wait.map(|wait: Duration| Instant::now() + wait);
    let results: HttpResult<Vec<ApprovalResult>> =
        join_all(submitted.into_iter().map(|one| end(one, deadline))).await.into_iter().collect();
    let results = results?;
    let is_pending = results.iter().any(|result| result.status == Status::Pending);
    let status = if is_pending { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, axum::Json(BatchResult { results })).into_response())
}

fn of_batch(request: ApprovalRequest, requester: RequesterIdentity, comes_back: bool) -> Submission {
    Submission { comes_back, ..Submission::of_program(request, requester) }
}

/// Says where the calls come from; those with the same claims come from the same place.
async fn find_provenance(submissions: &mut [Submission], lineage: &[ProcessId]) {
    let mut known: Vec<(Claims, Option<Provenance>)> = Vec::new();
    for submission in submissions {
        let claims = Claims::of(&submission.request, &submission.requester);
        submission.provenance = match known.iter().find(|(other, _)| *other == claims) {
            Some((_, provenance)) => provenance.clone(),
            None => {
                let provenance = crate::provenance::find(lineage.to_vec(), claims.clone()).await;
                known.push((claims, provenance.clone()));
                provenance
            }
        };
    }
}

/// The calls, each with the id of the batch.
fn read(Batch { batch, requests }: Batch) -> HttpResult<Vec<ApprovalRequest>> {
    if !(1..=MAX_BATCH).contains(&requests.len()) {
        let what = format!("`requests` holds 1 to {MAX_BATCH} calls.");
        return Err(refuse(ProblemCode::InvalidRequest, what));
    }
    let batch = batch.unwrap_or_else(|| RequestId(Uuid::now_v7()).to_string());
    let one = |(index, value): (usize, Value)| {
        let invalid = |what: String| refuse(ProblemCode::InvalidRequest, format!("`requests[{index}]`: {what}"));
        let request: ApprovalRequest = serde_json::from_value(value).map_err(|error| invalid(error.to_string()))?;
        if request.batch.as_ref().is_some_and(|own| *own != batch) {
            return Err(invalid("its `batch` is another than that of the whole.".to_owned()));
        }
        Ok(ApprovalRequest { batch: Some(batch.clone()), ..request })
    };
    requests.into_iter().enumerate().map(one).collect()
}
