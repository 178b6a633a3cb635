//! Problems as HTTP answers.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use handraise_protocol::{Problem, ProblemCode};

/// A problem that becomes the answer.
#[derive(Debug)]
pub(super) struct Refused(pub(super) Problem);

/// What a handler gives.
pub(super) type HttpResult<Body> = Result<Body, Refused>;

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

/// A refusal with `code`, saying `detail`.
pub(super) fn refuse(code: ProblemCode, detail: impl Into<String>) -> Refused {
    Refused(Problem::new(code, detail))
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self.0).unwrap_or_default();
        let mut response = (status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response();
        if status == StatusCode::TOO_MANY_REQUESTS {
            let seconds = self.0.retry_after_seconds.unwrap_or(1);
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

pub(super) async fn not_found() -> Refused {
    refuse(ProblemCode::NotFound, "There is nothing at this path; see /v1/openapi.json.")
}

pub(super) async fn method_not_allowed() -> Refused {
    refuse(ProblemCode::MethodNotAllowed, "This path takes other methods; see /v1/openapi.json.")
}
