//! What happens, as server-sent events.

use std::convert::Infallible;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event as Frame, KeepAlive, Sse};
use futures_util::{Stream, StreamExt, stream};
use handraise_protocol::ProblemCode;
use tokio_stream::wrappers::BroadcastStream;

use super::Shared;
use super::caller::Caller;
use super::refusal::{Answer, refuse};
use crate::engine::Published;

/// Streams that one credential can have open.
const STREAMS_PER_CREDENTIAL: usize = 16;

pub(super) async fn stream(
    State(shared): State<Shared>,
    caller: Caller,
    headers: HeaderMap,
) -> Answer<Sse<impl Stream<Item = Result<Frame, Infallible>>>> {
    let owner = caller.sees_only();
    let place = Place::take(&shared, owner.clone().unwrap_or_default())?;
    let last_seen = headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let subscription = shared.engine.call(move |state| state.events.subscribe(last_seen.as_deref())).await?;
    let run = subscription.run;
    // A listener that falls behind gets an error here: its stream ends, and it comes back with the
    // id of the last event that it has seen.
    let coming = BroadcastStream::new(subscription.coming)
        .take_while(|event| std::future::ready(event.is_ok()))
        .filter_map(|event| std::future::ready(event.ok()));
    let events = stream::iter(subscription.missed)
        .chain(coming)
        .filter(move |published| {
            let sees = owner.is_none() || published.owner.is_none() || published.owner == owner;
            std::future::ready(sees)
        })
        .map(move |published| {
            // The place is held as long as the stream lives.
            let _held = &place;
            frame(&run, &published)
        })
        // One that is not kept any more: the listener has fallen behind as well.
        .take_while(|frame| std::future::ready(frame.is_some()))
        .filter_map(|frame| std::future::ready(frame.map(Ok)))
        .take_until(shared.stopping.clone().cancelled_owned());
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn frame(run: &str, published: &Published) -> Option<Frame> {
    let event = published.event()?;
    let frame = Frame::default().id(format!("{run}-{}", published.number)).event(event.name());
    let data = serde_json::to_string(&*event).unwrap_or_default();
    Some(frame.data(data))
}

/// One open stream of a credential; given back when dropped.
struct Place {
    shared: Shared,
    name: String,
}

impl Place {
    fn take(shared: &Shared, name: String) -> Answer<Self> {
        let mut streams = shared.streams.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let open = streams.entry(name.clone()).or_default();
        if *open >= STREAMS_PER_CREDENTIAL {
            return Err(refuse(ProblemCode::TooManyRequests, "Close another event stream first."));
        }
        *open += 1;
        drop(streams);
        Ok(Self { shared: shared.clone(), name })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut streams = self.shared.streams.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(open) = streams.get_mut(&self.name) {
            *open = open.saturating_sub(1);
        }
    }
}
