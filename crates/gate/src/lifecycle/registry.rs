//! Everything of one kind that is open or ended not long ago.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use jiff::{SignedDuration, Timestamp};

use super::{Asked, Attendance, Departure, Effect, End, Refused, RegistryLimits, add, moved};
use handraise_policy::SessionKey;

/// Everything of one kind that is open or ended not long ago.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Registry<Entry: Asked> {
    pub(super) limits: RegistryLimits,
    entries: BTreeMap<Entry::Id, Entry>,
    /// Those of `entries` that have no outcome.
    open: BTreeSet<Entry::Id>,
    pub(super) finished: VecDeque<(Timestamp, Entry::Id)>,
    /// Bytes that those of `finished` hold, which have let go of what was asked.
    pub(crate) finished_bytes: usize,
    keys: HashMap<(String, String), Entry::Id>,
    /// Ended in the latest reaction: what was asked is still needed to record it.
    just_ended: Vec<Entry::Id>,
    is_closed: bool,
}

impl<Entry: Asked> Registry<Entry> {
    /// Nothing yet.
    pub(crate) fn new(limits: RegistryLimits) -> Self {
        Self {
            limits,
            entries: BTreeMap::new(),
            open: BTreeSet::new(),
            finished: VecDeque::new(),
            finished_bytes: 0,
            keys: HashMap::new(),
            just_ended: Vec::new(),
            is_closed: false,
        }
    }

    /// One of them.
    pub(crate) fn entry(&self, id: Entry::Id) -> Option<&Entry> {
        self.entries.get(&id)
    }

    /// One of them, to change what its kind knows about it.
    pub(crate) fn entry_mut(&mut self, id: Entry::Id) -> Option<&mut Entry> {
        self.entries.get_mut(&id)
    }

    /// Open ones, oldest first.
    pub(crate) fn pending(&self) -> impl Iterator<Item = &Entry> {
        self.open.iter().filter_map(|id| self.entries.get(id))
    }

    /// Those that ended not long ago, the latest first.
    pub(crate) fn ended(&self) -> impl Iterator<Item = &Entry> {
        self.finished.iter().rev().filter_map(|(_, id)| self.entries.get(id))
    }

    /// How many [`Registry::ended`] gives.
    pub(crate) fn ended_count(&self) -> usize {
        self.finished.len()
    }

    /// When [`Registry::expire`] has something to do.
    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        let finished = self.finished.front().map(|(ended, _)| add(*ended, self.limits.finished_for));
        self.pending().map(|entry| entry.life().due()).chain(finished).min()
    }

    /// The one that is known by this idempotency key of this requester, which must be the same as is asked now.
    pub(crate) fn keyed(
        &self,
        requester: &str,
        key: Option<&str>,
        is_same: impl Fn(&Entry) -> bool,
    ) -> Result<Option<&Entry>, Refused> {
        let known = key.and_then(|key| self.keys.get(&(requester.to_owned(), key.to_owned())));
        match known.and_then(|id| self.entries.get(id)) {
            Some(entry) if !is_same(entry) => Err(Refused::KeyReused),
            known => Ok(known),
        }
    }

    /// Refuses everything once the program ends.
    pub(crate) fn check_open(&self) -> Result<(), Refused> {
        if self.is_closed { Err(Refused::ShuttingDown) } else { Ok(()) }
    }

    /// Takes one in, which is open.
    pub(crate) fn insert(&mut self, entry: Entry) {
        let id = entry.id();
        if let Some(key) = entry.idempotency_key() {
            self.keys.insert((entry.requester().to_owned(), key.to_owned()), id);
        }
        self.open.insert(id);
        self.entries.insert(id, entry);
    }

    /// Its requester is there again.
    pub(crate) fn came_back(&mut self, id: Entry::Id) {
        if let Some(entry) = self.entries.get_mut(&id).filter(|entry| entry.life().is_open()) {
            entry.life_mut().attendance = Attendance::Waits;
        }
    }

    /// Its requester was told the id and to come back: from now on it outlives every connection.
    pub(crate) fn keep(&mut self, id: Entry::Id) -> Result<(), Refused> {
        let entry = self.entries.get_mut(&id).ok_or(Refused::Unknown)?;
        if entry.life().is_open() {
            entry.life_mut().attendance = Attendance::ComesBack;
        }
        Ok(())
    }

    /// Nobody waits for it any more. One with an idempotency key waits a while for its requester to come back.
    pub(crate) fn hang_up(
        &mut self,
        id: Entry::Id,
        departure: Departure,
        now: Timestamp,
        effects: &mut Vec<Effect<Entry>>,
    ) -> Result<(), Refused> {
        let until = add(now, self.limits.reconnect);
        let entry = self.entries.get_mut(&id).ok_or(Refused::Unknown)?;
        // What is gone already has been gone for longer.
        if !entry.life().is_open() || entry.life().attendance != Attendance::Waits {
            return Ok(());
        }
        if entry.idempotency_key().is_some() {
            entry.life_mut().attendance = Attendance::Disconnected { since: now, until };
        } else {
            self.end(id, &End::Left(departure), now, effects);
        }
        Ok(())
    }

    /// Its requester takes it back.
    pub(crate) fn cancel(
        &mut self,
        id: Entry::Id,
        requester: &str,
        end: &End,
        now: Timestamp,
        effects: &mut Vec<Effect<Entry>>,
    ) -> Result<(), Refused> {
        let own = self.entries.get(&id).filter(|entry| entry.requester() == requester);
        if !own.ok_or(Refused::Unknown)?.life().is_open() {
            return Err(Refused::AlreadyOver);
        }
        self.end(id, end, now, effects);
        Ok(())
    }

    /// A session is over, and what it asked with it.
    pub(crate) fn end_session(&mut self, key: &SessionKey, now: Timestamp, effects: &mut Vec<Effect<Entry>>) {
        self.end_where(|entry| entry.session() == Some(key), &End::SessionEnded, now, effects);
    }

    /// The program ends, and everything with it.
    pub(crate) fn close(&mut self, now: Timestamp, effects: &mut Vec<Effect<Entry>>) {
        self.is_closed = true;
        self.end_where(|_| true, &End::Closed, now, effects);
    }

    /// Ends those that are open and meant.
    pub(crate) fn end_where(
        &mut self,
        is_meant: impl Fn(&Entry) -> bool,
        end: &End,
        now: Timestamp,
        effects: &mut Vec<Effect<Entry>>,
    ) {
        let meant: Vec<Entry::Id> = self.pending().filter(|entry| is_meant(entry)).map(Asked::id).collect();
        for id in meant {
            self.end(id, end, now, effects);
        }
    }

    /// Ends one that no person has answered.
    pub(crate) fn end(&mut self, id: Entry::Id, end: &End, now: Timestamp, effects: &mut Vec<Effect<Entry>>) {
        let Some(outcome) = self.entries.get(&id).map(|entry| entry.without_answer(end, now)) else { return };
        self.finish(id, outcome, None, effects);
    }

    /// Ends an open one, on every surface and for everyone who waits.
    pub(crate) fn finish(
        &mut self,
        id: Entry::Id,
        outcome: Entry::Outcome,
        approver: Option<String>,
        effects: &mut Vec<Effect<Entry>>,
    ) {
        if self.set_outcome(id, outcome.clone()) {
            effects.push(Effect::Record(Entry::ended(id, outcome.clone(), approver)));
            effects.push(Effect::Withdraw(id));
            effects.push(Effect::Resolve(id, outcome));
        }
    }

    /// Whether it was open.
    fn set_outcome(&mut self, id: Entry::Id, outcome: Entry::Outcome) -> bool {
        let Some(entry) = self.entries.get_mut(&id).filter(|entry| entry.life().is_open()) else { return false };
        self.open.remove(&id);
        self.just_ended.push(id);
        self.finished.push_back((Entry::ended_at(&outcome), id));
        entry.life_mut().outcome = Some(outcome);
        true
    }

    /// Time has passed: lets go of what is recorded by now, ends what is due, and forgets what is old.
    pub(crate) fn expire(&mut self, now: Timestamp, effects: &mut Vec<Effect<Entry>>) {
        self.let_go();
        let due: Vec<Entry::Id> = self.pending().filter(|entry| entry.life().due() <= now).map(Asked::id).collect();
        for id in due {
            let is_late = self.entries.get(&id).is_some_and(|entry| entry.life().expires_at <= now);
            let end = if is_late { End::TimedOut } else { End::Left(Departure::ConnectionClosed) };
            self.end(id, &end, now, effects);
        }
        while let Some((ended, id)) = self.finished.front().copied() {
            let is_old = add(ended, self.limits.finished_for) <= now;
            if !is_old && !self.is_finished_full() {
                break;
            }
            self.finished.pop_front();
            self.forget(id);
        }
    }

    /// Nothing of `effects` could be recorded: ends what was being asked, and what counts only where it is recorded,
    /// before anybody was told. Gives those that it has ended so.
    pub(crate) fn unrecorded(&mut self, effects: &mut Vec<Effect<Entry>>, now: Timestamp) -> Vec<Entry::Id> {
        let touched: Vec<Entry::Id> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Present(id) | Effect::Resolve(id, _) => Some(*id),
                Effect::Record(_) | Effect::Withdraw(_) | Effect::LastingEffect(_) => None,
            })
            .collect();
        let mut ended = Vec::new();
        for id in touched {
            let Some(entry) = self.entries.get_mut(&id) else { continue };
            if entry.life().outcome.as_ref().is_some_and(|outcome| !Entry::counts_only_recorded(outcome)) {
                continue;
            }
            let outcome = entry.without_answer(&End::Unrecorded, now);
            ended.push(id);
            if entry.life().is_open() {
                self.set_outcome(id, outcome);
            } else {
                entry.life_mut().outcome = Some(outcome);
            }
        }
        effects.retain(|effect| !matches!(effect, Effect::Present(_)));
        for effect in effects {
            if let Effect::Resolve(id, outcome) = effect
                && let Some(real) = self.entries.get(id).and_then(|entry| entry.life().outcome.clone())
            {
                *outcome = real;
            }
        }
        ended
    }

    /// The wall clock was set by `by`: whatever runs keeps the time that it had left.
    pub(crate) fn clock_moved(&mut self, by: SignedDuration) {
        for entry in self.entries.values_mut() {
            let life = entry.life_mut();
            if life.is_open() {
                life.expires_at = moved(life.expires_at, by);
            }
            if let Attendance::Disconnected { since, until } = &mut life.attendance {
                (*since, *until) = (moved(*since, by), moved(*until, by));
            }
        }
        for (ended, _) in &mut self.finished {
            *ended = moved(*ended, by);
        }
    }

    /// Lets go of what ended before this reaction: whatever it was recorded with is on the disk by now.
    fn let_go(&mut self) {
        for id in std::mem::take(&mut self.just_ended) {
            let Some(entry) = self.entries.get_mut(&id) else { continue };
            let size = entry.let_go();
            let life = entry.life_mut();
            (life.has_content, life.size) = (false, size);
            self.finished_bytes += size;
        }
    }

    fn forget(&mut self, id: Entry::Id) {
        let Some(entry) = self.entries.remove(&id) else { return };
        // What has just ended is not counted yet.
        if !entry.life().has_content {
            self.finished_bytes = self.finished_bytes.saturating_sub(entry.life().size);
        }
        if let Some(key) = entry.idempotency_key() {
            let key = (entry.requester().to_owned(), key.to_owned());
            // The key may stand for a later one by now.
            if self.keys.get(&key) == Some(&id) {
                self.keys.remove(&key);
            }
        }
    }
}
