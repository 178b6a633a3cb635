//! How many looks at files one requester may have out at once, and what becomes of those that hang.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Looks of one requester at once. One that hangs keeps its slot until it ends.
pub(super) const EACH: usize = 4;

/// The slots of all requesters.
#[derive(Debug, Default)]
pub(super) struct Slots(Mutex<HashMap<String, Own>>);

/// The slots of one.
#[derive(Clone, Debug)]
struct Own {
    free: Arc<Semaphore>,
    hung: Arc<Mutex<usize>>,
}

/// A look that may be done. Whoever does it holds this.
#[derive(Debug)]
pub(super) struct Slot {
    watch: SlotWatch,
    _permit: OwnedSemaphorePermit,
}

/// Whoever waits for a look.
#[derive(Clone, Debug)]
pub(super) struct SlotWatch {
    state: Arc<Mutex<State>>,
    hung: Arc<Mutex<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Runs,
    Hangs,
    Over,
}

impl Slots {
    /// A slot that is free now. `None`: none is, and [`Slots::wait`] may give one.
    pub(super) fn take(&self, requester: &str) -> Option<Slot> {
        let own = self.of(requester);
        Some(own.slot(own.free.clone().try_acquire_owned().ok()?))
    }

    /// Waits for a slot. `None`: there is none for so long, or all of them hang.
    pub(super) async fn wait(&self, requester: &str, longest: Duration) -> Option<Slot> {
        let own = self.of(requester);
        if *lock(&own.hung) >= EACH {
            return None;
        }
        let permit = tokio::time::timeout(longest, own.free.clone().acquire_owned()).await.ok()?.ok()?;
        Some(own.slot(permit))
    }

    fn of(&self, requester: &str) -> Own {
        let mut all = lock(&self.0);
        // Nothing is out of those that nobody else holds.
        all.retain(|name, own| name == requester || Arc::strong_count(&own.hung) > 1);
        all.entry(requester.to_owned()).or_insert_with(Own::new).clone()
    }
}

impl Own {
    fn new() -> Self {
        Self { free: Arc::new(Semaphore::new(EACH)), hung: Arc::default() }
    }

    fn slot(&self, permit: OwnedSemaphorePermit) -> Slot {
        let watch = SlotWatch { state: Arc::new(Mutex::new(State::Runs)), hung: self.hung.clone() };
        Slot { watch, _permit: permit }
    }
}

impl Slot {
    pub(super) fn watch(&self) -> SlotWatch {
        self.watch.clone()
    }
}

impl SlotWatch {
    /// It takes too long: nobody waits for it any more.
    pub(super) fn give_up(&self) {
        let mut state = lock(&self.state);
        if *state == State::Runs {
            *state = State::Hangs;
            *lock(&self.hung) += 1;
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let before = std::mem::replace(&mut *lock(&self.watch.state), State::Over);
        if before == State::Hangs {
            *lock(&self.watch.hung) -= 1;
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
