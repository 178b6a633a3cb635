//! Query parameters, or a clear refusal.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use handraise_protocol::ProblemCode;
use serde::de::DeserializeOwned;

use super::refusal::{Refused, refuse};

/// The query parameters of a call; unknown ones are refused by name where `Content` denies them.
pub(super) struct Params<Content>(pub(super) Content);

impl<State: Send + Sync, Content: DeserializeOwned> FromRequestParts<State> for Params<Content> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Refused> {
        let Query(content) = Query::<Content>::from_request_parts(parts, state)
            .await
            .map_err(|error| refuse(ProblemCode::InvalidRequest, error.body_text()))?;
        Ok(Self(content))
    }
}
