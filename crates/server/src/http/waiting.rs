//! Waiting as long as a requester asks, and telling how what it asked stands then.

use std::time::Duration;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use handraise_policy::rules::MAX_TIMEOUT_SECONDS;
use handraise_protocol::ProblemCode;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout_at};

use super::refusal::{HttpResult, refuse};
use crate::engine::{Awaited, Standing};

/// How long to wait for the end.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wait {
    wait: Option<u32>,
}

impl Wait {
    /// How long, if there is a limit.
    pub(super) fn checked(self) -> HttpResult<Option<Duration>> {
        if self.wait.is_some_and(|seconds| seconds > MAX_TIMEOUT_SECONDS) {
            return Err(refuse(ProblemCode::InvalidRequest, "`wait` is at most 86400 seconds."));
        }
        Ok(self.wait.map(|seconds| Duration::from_secs(seconds.into())))
    }
}

/// How it stands when it has ended, or at the deadline. Its requester is told to come back then.
pub(super) async fn end<Entry: Awaited>(
    standing: Standing<Entry>,
    deadline: Option<Instant>,
) -> HttpResult<Entry::Result> {
    let mut waiting = match standing {
        Standing::Ended(result) => return Ok(*result),
        Standing::Pending(waiting) => waiting,
    };
    let ended = match deadline {
        None => waiting.end().await,
        Some(deadline) => match timeout_at(deadline, waiting.end()).await {
            Ok(ended) => ended,
            Err(_) => return Ok(waiting.keep()),
        },
    };
    ended.ok_or_else(|| refuse(ProblemCode::ShuttingDown, STOPPED))
}

const STOPPED: &str = "The gate has stopped; nothing is approved, and nobody will answer.";

/// Waits as long as asked, then tells how it stands.
pub(super) async fn answer<Entry: Awaited<Result: Serialize>>(
    standing: Standing<Entry>,
    wait: Option<Duration>,
) -> HttpResult<Response> {
    Ok(told::<Entry>(end(standing, wait.map(|wait| Instant::now() + wait)).await?))
}

/// How it stands, with the status that says whether it is over.
pub(super) fn told<Entry: Awaited<Result: Serialize>>(result: Entry::Result) -> Response {
    let status = if Entry::is_pending(&result) { StatusCode::ACCEPTED } else { StatusCode::OK };
    (status, axum::Json(result)).into_response()
}
