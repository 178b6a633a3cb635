//! Bodies: strict JSON of a bounded size, or a clear refusal.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Bytes, HttpBody as Body};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use handraise_protocol::{MAX_BODY, ProblemCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use super::Shared;
use super::refusal::{Refused, refuse};

/// What a body may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limits {
    /// Bytes.
    length: usize,
    /// How long it may take to arrive, with the wait for a place.
    wait: Duration,
}

/// Of somebody with a credential, or a terminal.
const OF_CALLER: Limits = Limits { length: MAX_BODY, wait: Duration::from_secs(10) };
/// Of anybody else on this machine: what lets the server prove itself is small, and sent at once. It takes no place, so
/// nobody keeps others from it. A connection has one body on its way, and connections are bounded.
const OF_ANYBODY: Limits = Limits { length: 1024, wait: Duration::from_secs(1) };

/// Bodies of one caller that may be on their way at once; more wait until one of them has arrived.
const ARRIVING: usize = 16;

/// Who sends a body: the name of the credential.
#[derive(Clone, Debug)]
pub(super) struct Sender(pub(super) String);

/// Bodies that are on their way. However many connections one caller opens, it fills a bounded piece of memory, and
/// nobody else waits for its bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrivals(Arc<Mutex<HashMap<String, Arc<Semaphore>>>>);

impl Arrivals {
    /// Waits for a place for a body of `sender`, until `deadline` at most.
    async fn place(&self, sender: &str, deadline: Instant) -> Result<OwnedSemaphorePermit, Refused> {
        let places = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody needs a place where nothing is on its way.
            all.retain(|name, places| name == sender || places.available_permits() < ARRIVING);
            let places = all.entry(sender.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(ARRIVING)));
            Arc::clone(places)
        };
        let place = timeout_at(deadline, places.acquire_owned()).await;
        let taken = || refuse(ProblemCode::TooManyRequests, "Too many bodies of this caller are on their way.");
        place.ok().and_then(Result::ok).ok_or_else(taken)
    }
}

/// The body, when it is whole.
async fn whole<Arriving>(body: Arriving, limits: Limits, deadline: Instant) -> Result<Bytes, Refused>
where
    Arriving: Body,
    Arriving::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let arriving = Limited::new(body, limits.length).collect();
    let too_slow = |_| refuse(ProblemCode::InvalidJson, "The body took too long to arrive.");
    match timeout_at(deadline, arriving).await.map_err(too_slow)? {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(limits)),
        Err(error) => Err(refuse(ProblemCode::InvalidJson, format!("The body did not arrive whole: {error}"))),
    }
}

/// A body of JSON, as it came.
pub(super) struct JsonBytes(pub(super) Bytes);

/// A body of JSON that holds a `Content`.
pub(super) struct Json<Content>(pub(super) Content);

impl FromRequest<Shared> for JsonBytes {
    type Rejection = Refused;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, Refused> {
        let sender = request.extensions().get::<Sender>().cloned();
        let limits = if sender.is_some() { OF_CALLER } else { OF_ANYBODY };
        check_headers(request.headers(), limits)?;
        let deadline = Instant::now() + limits.wait;
        let _place = match &sender {
            Some(Sender(name)) => Some(shared.arrivals.place(name, deadline).await?),
            None => None,
        };
        whole(request.into_body(), limits, deadline).await.map(Self)
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

fn check_headers(headers: &HeaderMap, limits: Limits) -> Result<(), Refused> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let plain = content_type.map(|value| value.to_ascii_lowercase().replace(' ', ""));
    if !matches!(plain.as_deref(), Some("application/json" | "application/json;charset=utf-8")) {
        return Err(refuse(ProblemCode::UnsupportedMediaType, "Send Content-Type: application/json."));
    }
    if headers.contains_key(header::CONTENT_ENCODING) {
        return Err(refuse(ProblemCode::UnsupportedMediaType, "Send the body without Content-Encoding."));
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > limits.length) {
        return Err(too_large(limits));
    }
    Ok(())
}

fn too_large(limits: Limits) -> Refused {
    refuse(ProblemCode::BodyTooLarge, format!("The body is larger than {} bytes.", limits.length))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn nobody_waits_for_the_bodies_of_another() {
        let arrivals = Arrivals::default();
        let soon = Instant::now() + OF_CALLER.wait;
        let mut held = Vec::new();
        for _ in 0..ARRIVING {
            held.push(arrivals.place("loud", soon).now_or_never().unwrap().unwrap());
        }
        assert!(arrivals.place("loud", soon).now_or_never().is_none(), "a body too many");
        assert!(arrivals.place("quiet", soon).now_or_never().unwrap().is_ok());
        held.pop();
        assert!(arrivals.place("loud", soon).now_or_never().unwrap().is_ok());
        drop(held);
        drop(arrivals.place("quiet", soon).await);
        assert_eq!(arrivals.0.lock().unwrap().len(), 1);
    }

    #[tokio::test]
    async fn the_wait_for_a_place_ends_with_that_for_the_body() {
        let arrivals = Arrivals::default();
        let over = Instant::now();
        let mut held = Vec::new();
        for _ in 0..ARRIVING {
            held.push(arrivals.place("loud", over).await.unwrap());
        }
        let refused = arrivals.place("loud", over).await.unwrap_err();
        assert_eq!(refused.0.code, ProblemCode::TooManyRequests);
        let never = axum::body::Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
        let refused = whole(never, OF_CALLER, over).await.unwrap_err();
        assert_eq!(refused.0.detail, "The body took too long to arrive.");
    }

    #[tokio::test]
    async fn anybody_may_send_little() {
        let deadline = Instant::now() + OF_CALLER.wait;
        let body = |length| axum::body::Body::from(vec![b'a'; length]);
        assert_eq!(whole(body(1024), OF_ANYBODY, deadline).await.unwrap().len(), 1024);
        assert_eq!(whole(body(1025), OF_ANYBODY, deadline).await.unwrap_err().0.code, ProblemCode::BodyTooLarge);
        assert_eq!(whole(body(1025), OF_CALLER, deadline).await.unwrap().len(), 1025);
    }
}
