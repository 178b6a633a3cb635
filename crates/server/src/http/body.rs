//! Bodies: strict JSON of a bounded size, or a clear refusal.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use handraise_protocol::{LARGEST_BODY, ProblemCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use super::refusal::{Refused, refuse};

/// How long a body may take to arrive.
const LONGEST_BODY: Duration = Duration::from_secs(10);

/// A body of JSON, as it came.
pub(super) struct JsonBytes(pub(super) Bytes);

/// A body of JSON that holds a `Content`.
pub(super) struct Json<Content>(pub(super) Content);

impl<State: Sync> FromRequest<State> for JsonBytes {
    type Rejection = Refused;

    async fn from_request(request: Request, _: &State) -> Result<Self, Refused> {
        check_headers(request.headers())?;
        let body = Limited::new(request.into_body(), LARGEST_BODY).collect();
        let too_slow = |_| refuse(ProblemCode::InvalidJson, "The body took too long to arrive.");
        match tokio::time::timeout(LONGEST_BODY, body).await.map_err(too_slow)? {
            Ok(body) => Ok(Self(body.to_bytes())),
            Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
            Err(error) => Err(refuse(ProblemCode::InvalidJson, format!("The body did not arrive whole: {error}"))),
        }
    }
}

impl<State: Sync, Content: DeserializeOwned> FromRequest<State> for Json<Content> {
    type Rejection = Refused;

    async fn from_request(request: Request, state: &State) -> Result<Self, Refused> {
        let JsonBytes(bytes) = JsonBytes::from_request(request, state).await?;
        let value = handraise_agents::strict_json::from_slice(&bytes)
            .map_err(|error| refuse(ProblemCode::InvalidJson, error.to_string()))?;
        serde_json::from_value(value).map(Self).map_err(|error| refuse(ProblemCode::InvalidRequest, error.to_string()))
    }
}

fn check_headers(headers: &HeaderMap) -> Result<(), Refused> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let plain = content_type.map(|value| value.to_ascii_lowercase().replace(' ', ""));
    if !matches!(plain.as_deref(), Some("application/json" | "application/json;charset=utf-8")) {
        return Err(refuse(ProblemCode::UnsupportedMediaType, "Send Content-Type: application/json."));
    }
    if headers.contains_key(header::CONTENT_ENCODING) {
        return Err(refuse(ProblemCode::UnsupportedMediaType, "Send the body without Content-Encoding."));
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > LARGEST_BODY) {
        return Err(too_large());
    }
    Ok(())
}

fn too_large() -> Refused {
    refuse(ProblemCode::BodyTooLarge, format!("The body is larger than {LARGEST_BODY} bytes."))
}
