//! Bodies: strict JSON of a bounded size, or a clear refusal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use handraise_protocol::{MAX_BODY, ProblemCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Shared;
use super::refusal::{Refused, refuse};

/// How long a body may take to arrive.
const MAX_BODY_WAIT: Duration = Duration::from_secs(10);

/// Bodies of one caller that may be on their way at once; more wait until one of them has arrived.
const ARRIVING: usize = 16;

/// Who sends a body: the name of the credential. Without one, all share a place.
#[derive(Clone, Debug)]
pub(super) struct Sender(pub(super) String);

/// Bodies that are on their way. However many connections one caller opens, it fills a bounded piece of memory, and
/// nobody else waits for its bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrivals(Arc<Mutex<HashMap<String, Arc<Semaphore>>>>);

impl Arrivals {
    /// Waits for a place for a body of `sender`.
    async fn place(&self, sender: &str) -> Option<OwnedSemaphorePermit> {
        let places = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody needs a place where nothing is on its way.
            all.retain(|name, places| name == sender || places.available_permits() < ARRIVING);
            let places = all.entry(sender.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(ARRIVING)));
            Arc::clone(places)
        };
        places.acquire_owned().await.ok()
    }
}

/// A body of JSON, as it came.
pub(super) struct JsonBytes(pub(super) Bytes);

/// A body of JSON that holds a `Content`.
pub(super) struct Json<Content>(pub(super) Content);

impl FromRequest<Shared> for JsonBytes {
    type Rejection = Refused;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, Refused> {
        check_headers(request.headers())?;
        let sender = request.extensions().get::<Sender>().map_or("", |sender| sender.0.as_str());
        let _place = shared.arrivals.place(sender).await;
        let body = Limited::new(request.into_body(), MAX_BODY).collect();
        let too_slow = |_| refuse(ProblemCode::InvalidJson, "The body took too long to arrive.");
        match tokio::time::timeout(MAX_BODY_WAIT, body).await.map_err(too_slow)? {
            Ok(body) => Ok(Self(body.to_bytes())),
            Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
            Err(error) => Err(refuse(ProblemCode::InvalidJson, format!("The body did not arrive whole: {error}"))),
        }
    }
}

impl<Content: DeserializeOwned> FromRequest<Shared> for Json<Content> {
    type Rejection = Refused;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, Refused> {
        let JsonBytes(bytes) = JsonBytes::from_request(request, shared).await?;
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
    if length.is_some_and(|length: usize| length > MAX_BODY) {
        return Err(too_large());
    }
    Ok(())
}

fn too_large() -> Refused {
    refuse(ProblemCode::BodyTooLarge, format!("The body is larger than {MAX_BODY} bytes."))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn nobody_waits_for_the_bodies_of_another() {
        let arrivals = Arrivals::default();
        let mut held = Vec::new();
        for _ in 0..ARRIVING {
            held.push(arrivals.place("loud").now_or_never().unwrap());
        }
        assert!(arrivals.place("loud").now_or_never().is_none(), "a body too many");
        assert!(arrivals.place("quiet").now_or_never().is_some());
        assert!(arrivals.place("").now_or_never().is_some());
        held.pop();
        assert!(arrivals.place("loud").now_or_never().is_some());
        drop(held);
        drop(arrivals.place("quiet").await);
        assert_eq!(arrivals.0.lock().unwrap().len(), 1);
    }
}
