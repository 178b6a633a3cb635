//! What happens, as server-sent events.

use std::convert::Infallible;
use std::sync::{Arc, PoisonError};

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT;
use axum::response::sse::{Event as Frame, KeepAlive, Sse};
use futures_util::{Stream, StreamExt, stream};
use handraise_policy::ProcessId;
use handraise_protocol::{ApprovalChanged, ApprovalRequested, Event, ProblemCode};
use tokio_stream::wrappers::BroadcastStream;

use super::Shared;
use super::caller::Caller;
use super::refusal::{HttpResult, refuse};
use crate::cloud_event::{CloudEvent, MEDIA_TYPE};
use crate::engine::Published;
use crate::view::without_file;

/// Streams that one process can have open.
const STREAMS_OF_PROCESS: usize = 8;
/// Streams that the processes with one credential can have open. Terminals have none, and each its own budget.
const STREAMS_OF_CREDENTIAL: usize = 16;
/// Streams that requesters can have open, so that they leave room for those who decide.
const STREAMS_OF_REQUESTERS: usize = 128;
/// Streams that can be open.
const STREAMS: usize = 256;

pub(super) async fn stream(
    State(shared): State<Shared>,
    caller: Caller,
    headers: HeaderMap,
) -> HttpResult<Sse<impl Stream<Item = Result<Frame, Infallible>>>> {
    let owner = caller.sees_only();
    let listener = Listener {
        process: caller.process().await,
        credential: caller.credential().map(str::to_owned),
        is_requester: owner.is_some(),
    };
    let stream = OpenStream::take(&shared, listener)?;
    let last_seen = headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let subscription = shared.engine.call(move |state| state.events.subscribe(last_seen.as_deref())).await?;
    let run = subscription.run;
    // A listener that falls behind gets an error here: its stream ends, and it comes back with the
    // id of the last event that it has seen.
    let coming = BroadcastStream::new(subscription.coming)
        .take_while(|event| std::future::ready(event.is_ok()))
        .filter_map(|event| std::future::ready(event.ok()));
    let is_requester = owner.is_some();
    let in_envelope = wants_cloud_events(&headers);
    let events = stream::iter(subscription.missed)
        .chain(coming)
        .filter(move |published| {
            let sees = owner.is_none() || published.owner.is_none() || published.owner == owner;
            std::future::ready(sees)
        })
        .map(move |published| {
            // The place is held as long as the stream lives.
            let _held = &stream;
            frame(&run, &published, is_requester, in_envelope)
        })
        // One that is not kept any more: the listener has fallen behind as well.
        .take_while(|frame| std::future::ready(frame.is_some()))
        .filter_map(|frame| std::future::ready(frame.map(Ok)))
        .take_until(shared.stopping.clone().cancelled_owned());
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// Whether the listener takes each event as a CloudEvent.
fn wants_cloud_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let types = accepted.flat_map(|value| value.split(',')).filter_map(|range| range.split(';').next());
    types.map(str::trim).any(|media_type| media_type.eq_ignore_ascii_case(MEDIA_TYPE))
}

fn frame(run: &str, published: &Published, for_requester: bool, in_envelope: bool) -> Option<Frame> {
    let event = published.event()?;
    let frame = Frame::default().id(format!("{run}-{}", published.number)).event(event.name());
    let event = match &*event {
        Event::ApprovalRequested(asked) if for_requester => {
            let approval = Arc::new(without_file(&asked.approval));
            Arc::new(Event::ApprovalRequested(ApprovalRequested { approval }))
        }
        Event::ApprovalChanged(changed) if for_requester => {
            let approval = Arc::new(without_file(&changed.approval));
            Arc::new(Event::ApprovalChanged(ApprovalChanged { approval }))
        }
        _ => event,
    };
    let data = if in_envelope {
        let (time, subject) = about(&event);
        let (id, source) = (published.number.to_string(), format!("urn:handraise:run:{run}"));
        serde_json::to_string(&CloudEvent::new(id, source, event.name(), &*event).about(time, subject))
    } else {
        serde_json::to_string(&*event)
    };
    Some(frame.data(data.unwrap_or_default()))
}

/// When `event` happened, where it says so, and the request or question that it is about.
fn about(event: &Event) -> (Option<String>, Option<String>) {
    match event {
        Event::ApprovalRequested(asked) => {
            (Some(asked.approval.requested_at.to_string()), Some(asked.approval.id.to_string()))
        }
        Event::ApprovalChanged(changed) => (None, Some(changed.approval.id.to_string())),
        Event::ApprovalResolved(ended) => {
            (ended.result.decided_at.map(|at| at.to_string()), Some(ended.id.to_string()))
        }
        Event::QuestionAsked(asked) => (None, Some(asked.question.id.to_string())),
        Event::QuestionResolved(ended) => (None, Some(ended.id.to_string())),
        Event::GrantAdded(_) | Event::GrantRevoked(_) | Event::PolicyChanged(_) | Event::ModeChanged(_) => (None, None),
    }
}

/// Who listens.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Listener {
    process: Option<ProcessId>,
    credential: Option<String>,
    is_requester: bool,
}

/// Everyone who listens.
#[derive(Debug, Default)]
pub(crate) struct OpenStreams(Vec<Listener>);

impl OpenStreams {
    /// Whether there is room for one more.
    fn take(&mut self, new: &Listener) -> bool {
        let count = |is_alike: &dyn Fn(&Listener) -> bool| self.0.iter().filter(|open| is_alike(open)).count();
        let of_process = new.process.map_or(0, |process| count(&|open| open.process == Some(process)));
        let of_credential = new.credential.as_ref().map_or(0, |_| count(&|open| open.credential == new.credential));
        let of_requesters = if new.is_requester { count(&|open| open.is_requester) } else { 0 };
        let has_room = of_process < STREAMS_OF_PROCESS
            && of_credential < STREAMS_OF_CREDENTIAL
            && of_requesters < STREAMS_OF_REQUESTERS
            && self.0.len() < STREAMS;
        if has_room {
            self.0.push(new.clone());
        }
        has_room
    }

    fn give_back(&mut self, old: &Listener) {
        if let Some(position) = self.0.iter().position(|open| open == old) {
            self.0.swap_remove(position);
        }
    }
}

/// One open stream; given back when dropped.
struct OpenStream {
    shared: Shared,
    listener: Listener,
}

impl OpenStream {
    fn take(shared: &Shared, listener: Listener) -> HttpResult<Self> {
        let taken = shared.streams.lock().unwrap_or_else(PoisonError::into_inner).take(&listener);
        if !taken {
            return Err(refuse(ProblemCode::TooManyRequests, "Close another event stream first."));
        }
        Ok(Self { shared: shared.clone(), listener })
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.shared.streams.lock().unwrap_or_else(PoisonError::into_inner).give_back(&self.listener);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listener(pid: u32, credential: Option<&str>, is_requester: bool) -> Listener {
        let process = Some(ProcessId { pid, started: 1 });
        Listener { process, credential: credential.map(str::to_owned), is_requester }
    }

    #[test]
    fn nobody_takes_the_streams_of_another() {
        let mut open = OpenStreams::default();
        let taken = |open: &mut OpenStreams, new: &Listener| (0..300).filter(|_| open.take(new)).count();
        // One terminal, and one program with a token, leave the others theirs.
        assert_eq!(taken(&mut open, &listener(1, None, false)), STREAMS_OF_PROCESS);
        assert_eq!(taken(&mut open, &listener(2, None, false)), STREAMS_OF_PROCESS);
        assert_eq!(taken(&mut open, &listener(3, Some("phone"), false)), STREAMS_OF_PROCESS);
        assert_eq!(taken(&mut open, &listener(4, Some("phone"), false)), STREAMS_OF_CREDENTIAL - STREAMS_OF_PROCESS);
        assert_eq!(taken(&mut open, &listener(5, Some("phone"), false)), 0);
        assert_eq!(taken(&mut open, &listener(5, Some("bot"), false)), STREAMS_OF_PROCESS);
        // However many requesters there are.
        let requesters: usize =
            (10..200).map(|pid| taken(&mut open, &listener(pid, Some(&pid.to_string()), true))).sum();
        assert_eq!(requesters, STREAMS_OF_REQUESTERS);
        assert_eq!(taken(&mut open, &listener(6, None, false)), STREAMS_OF_PROCESS);
        let others: usize = (300..600).map(|pid| taken(&mut open, &listener(pid, None, false))).sum();
        assert_eq!(open.0.len(), STREAMS, "{others}");
        open.give_back(&listener(1, None, false));
        assert!(open.take(&listener(700, None, false)));
    }
}
