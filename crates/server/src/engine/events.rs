//! What happened lately, numbered, so that a listener can resume.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Weak};

use handraise_protocol::Event;
use tokio::sync::broadcast;

/// Events that a listener can go back to.
const REMEMBERED: usize = 1024;
/// Bytes that they hold together, as JSON; the newest one is always there.
const REMEMBERED_BYTES: usize = 8 * 1024 * 1024;
/// Events that a slow listener can be behind before it is dropped.
const BEHIND: usize = 256;

/// An event with its number and its owner.
#[derive(Clone, Debug)]
pub struct Published {
    /// Counts up from 1 as long as the program runs.
    pub number: u64,
    /// The requester that it concerns; `None`: everybody.
    pub owner: Option<String>,
    event: Weak<Event>,
}

impl Published {
    /// What happened; `None`: it was forgotten meanwhile, and the listener has to come back for what it missed.
    #[must_use]
    pub fn event(&self) -> Option<Arc<Event>> {
        self.event.upgrade()
    }
}

/// What happened lately.
#[derive(Debug)]
pub(crate) struct EventLog {
    run: String,
    last: u64,
    recent: VecDeque<RecentEvent>,
    /// Bytes in `recent`.
    bytes: usize,
    sender: broadcast::Sender<Published>,
}

/// An event that is kept.
#[derive(Debug)]
struct RecentEvent {
    number: u64,
    owner: Option<String>,
    event: Arc<Event>,
    bytes: usize,
}

impl RecentEvent {
    fn published(&self) -> Published {
        Published { number: self.number, owner: self.owner.clone(), event: Arc::downgrade(&self.event) }
    }
}

/// What a listener missed, and what comes.
pub(crate) struct Subscription {
    /// Names this run of the program; part of every event id.
    pub(crate) run: String,
    pub(crate) missed: Vec<Published>,
    pub(crate) coming: broadcast::Receiver<Published>,
}

impl EventLog {
    pub(crate) fn new() -> Self {
        let run = uuid::Uuid::now_v7().simple().to_string();
        Self { run, last: 0, recent: VecDeque::new(), bytes: 0, sender: broadcast::channel(BEHIND).0 }
    }

    pub(super) fn publish(&mut self, owner: Option<String>, event: Event) {
        self.last += 1;
        let bytes = size(&event);
        let kept = RecentEvent { number: self.last, owner, event: Arc::new(event), bytes };
        let published = kept.published();
        self.bytes += bytes;
        self.recent.push_back(kept);
        while self.recent.len() > REMEMBERED || self.recent.len() > 1 && self.bytes > REMEMBERED_BYTES {
            self.bytes -= self.recent.pop_front().map_or(0, |oldest| oldest.bytes);
        }
        // Nobody listens: nothing is lost.
        let _ = self.sender.send(published);
    }

    pub(super) fn receiver(&self) -> broadcast::Receiver<Published> {
        self.sender.subscribe()
    }

    /// Subscribes; with the id of the last event that was seen, everything since then comes first.
    /// An id of another run, or one too long ago, gives all that is remembered.
    pub(crate) fn subscribe(&self, last_seen: Option<&str>) -> Subscription {
        let seen = last_seen.map(|id| match id.split_once('-') {
            Some((run, number)) if run == self.run => number.parse().unwrap_or(0),
            _ => 0_u64,
        });
        let missed = seen.map_or_else(Vec::new, |seen| {
            self.recent.iter().filter(|kept| kept.number > seen).map(RecentEvent::published).collect()
        });
        Subscription { run: self.run.clone(), missed, coming: self.receiver() }
    }
}

/// What an event takes as JSON, in bytes.
fn size(event: &Event) -> usize {
    struct Counter(usize);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    // It cannot fail: counting does not, and every event is JSON.
    let _ = serde_json::to_writer(&mut counter, event);
    counter.0
}

#[cfg(test)]
mod tests {
    use handraise_protocol::{GrantRevoked, PolicyChanged};

    use super::*;

    fn event(bytes: usize) -> Event {
        Event::GrantRevoked(GrantRevoked {
            id: handraise_protocol::GrantId(uuid::Uuid::nil()),
            reason: "x".repeat(bytes),
        })
    }

    #[test]
    fn what_is_remembered_is_bounded_in_bytes() {
        let mut log = EventLog::new();
        let mut listener = log.receiver();
        for _ in 0..100 {
            log.publish(None, event(1024 * 1024));
        }
        assert!(log.bytes <= REMEMBERED_BYTES, "{} bytes", log.bytes);
        // A listener that was not there for all of it is told so: what it missed is not kept for it.
        assert!(listener.try_recv().unwrap().event().is_none());
        log.publish(None, event(2 * REMEMBERED_BYTES));
        assert_eq!(log.recent.len(), 1);
        log.publish(None, Event::PolicyChanged(PolicyChanged {}));
        assert_eq!(log.recent.len(), 1);
        let last = log.subscribe(Some("another")).missed;
        assert!(matches!(last.last().and_then(Published::event).as_deref(), Some(Event::PolicyChanged(_))));
    }
}
