//! What happened lately, numbered, so that a listener can resume.

use std::collections::VecDeque;

use handraise_protocol::Event;
use tokio::sync::broadcast;

/// Events that a listener can go back to.
const REMEMBERED: usize = 1024;
/// Events that a slow listener can be behind before it is dropped.
const BEHIND: usize = 256;

/// An event with its number and its owner.
#[derive(Clone, Debug)]
pub struct Published {
    /// Counts up from 1 as long as the program runs.
    pub number: u64,
    /// The requester that it concerns; `None`: everybody.
    pub owner: Option<String>,
    /// What happened.
    pub event: Event,
}

/// What happened lately.
#[derive(Debug)]
pub(crate) struct EventLog {
    run: String,
    last: u64,
    recent: VecDeque<Published>,
    sender: broadcast::Sender<Published>,
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
        Self { run, last: 0, recent: VecDeque::new(), sender: broadcast::channel(BEHIND).0 }
    }

    pub(super) fn publish(&mut self, owner: Option<String>, event: Event) {
        self.last += 1;
        let published = Published { number: self.last, owner, event };
        if self.recent.len() == REMEMBERED {
            self.recent.pop_front();
        }
        self.recent.push_back(published.clone());
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
            self.recent.iter().filter(|published| published.number > seen).cloned().collect()
        });
        Subscription { run: self.run.clone(), missed, coming: self.receiver() }
    }
}
