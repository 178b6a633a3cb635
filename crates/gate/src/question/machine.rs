//! The state machine of questions: inputs and the time in, effects out.

use std::collections::{BTreeMap, HashMap, VecDeque};

use jiff::{SignedDuration, Timestamp};

use super::{
    Question, QuestionEffect, QuestionEntry, QuestionId, QuestionInput, QuestionLimits, QuestionOutcome,
    QuestionReaction, QuestionRecord, QuestionRefusal, QuestionStatus, Reply,
};
use crate::machine::moved;
use crate::{Approver, Refusal};

type Taken = Result<Option<QuestionId>, QuestionRefusal>;

/// Every question that is open or ended not long ago.
#[derive(Clone, Debug)]
pub struct Questions {
    limits: QuestionLimits,
    entries: BTreeMap<QuestionId, QuestionEntry>,
    finished: VecDeque<(Timestamp, QuestionId)>,
    keys: HashMap<(String, String), QuestionId>,
    shutting_down: bool,
}

impl Questions {
    /// No questions yet.
    #[must_use]
    pub fn new(limits: QuestionLimits) -> Self {
        Self { limits, entries: BTreeMap::new(), finished: VecDeque::new(), keys: HashMap::new(), shutting_down: false }
    }

    /// Takes in what happened at the time `now`. Whatever is due by then comes first: a time-out
    /// that is due beats an answer that arrives with it.
    pub fn handle(&mut self, input: QuestionInput, now: Timestamp) -> QuestionReaction {
        let mut effects = Vec::new();
        self.expire(now, &mut effects);
        let answer = self.take(input, now, &mut effects);
        QuestionReaction { effects, answer }
    }

    /// When [`Questions::handle`] should next be called with [`QuestionInput::Tick`], if nothing else
    /// happens.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let finished = self.finished.front().map(|(ended, _)| add(*ended, self.limits.finished_for));
        self.pending().map(due).chain(finished).min()
    }

    /// The wall clock was set by `by`: whatever runs keeps the time that it had left.
    pub fn clock_moved(&mut self, by: SignedDuration) {
        for entry in self.entries.values_mut().filter(|entry| entry.outcome.is_none()) {
            entry.expires_at = moved(entry.expires_at, by);
            entry.orphaned_until = entry.orphaned_until.map(|end| moved(end, by));
        }
        for (ended, _) in &mut self.finished {
            *ended = moved(*ended, by);
        }
    }

    /// One question, open or ended not long ago.
    #[must_use]
    pub fn entry(&self, id: QuestionId) -> Option<&QuestionEntry> {
        self.entries.get(&id)
    }

    /// Open questions, oldest first.
    pub fn pending(&self) -> impl Iterator<Item = &QuestionEntry> {
        self.entries.values().filter(|entry| entry.outcome.is_none())
    }

    fn take(&mut self, input: QuestionInput, now: Timestamp, effects: &mut Vec<QuestionEffect>) -> Taken {
        match input {
            QuestionInput::Ask(question) => self.ask(*question, now, effects),
            QuestionInput::Reply { id, reply, approver, refused } => {
                self.reply(id, reply, &approver, refused, now, effects)
            }
            QuestionInput::Cancel { id, requester } => self.cancel(id, &requester, now, effects),
            QuestionInput::HangUp { id } => self.hang_up(id, now, effects),
            QuestionInput::Tick => Ok(None),
            QuestionInput::EndSession(key) => {
                self.cancel_where(|question| question.session.as_ref() == Some(&key), SESSION_ENDED, now, effects);
                Ok(None)
            }
            QuestionInput::Shutdown => {
                self.shutting_down = true;
                self.cancel_where(|_| true, CLOSED, now, effects);
                Ok(None)
            }
        }
    }

    fn ask(&mut self, question: Question, now: Timestamp, effects: &mut Vec<QuestionEffect>) -> Taken {
        if self.shutting_down {
            return Err(QuestionRefusal::ShuttingDown);
        }
        if let Some(known) = self.join(&question)? {
            return Ok(Some(known));
        }
        let own = self.pending().filter(|entry| entry.question.requester == question.requester).count();
        if own >= self.limits.pending_per_requester || self.pending().count() >= self.limits.pending {
            return Err(QuestionRefusal::TooMany);
        }
        let id = question.id;
        if let Some(key) = &question.idempotency_key {
            self.keys.insert((question.requester.clone(), key.clone()), id);
        }
        let expires_at = add(now, SignedDuration::from_secs(question.timeout_seconds.into()));
        let entry = QuestionEntry { question, asked_at: now, expires_at, outcome: None, orphaned_until: None };
        self.entries.insert(id, entry);
        effects.push(QuestionEffect::Record(QuestionRecord::Asked(id)));
        effects.push(QuestionEffect::Present(id));
        Ok(Some(id))
    }

    /// A retry of a question that is known by its idempotency key is that question.
    fn join(&mut self, question: &Question) -> Result<Option<QuestionId>, QuestionRefusal> {
        let Some(key) = &question.idempotency_key else { return Ok(None) };
        let known = self.keys.get(&(question.requester.clone(), key.clone()));
        let Some(entry) = known.and_then(|id| self.entries.get_mut(id)) else { return Ok(None) };
        if !entry.question.is_same(question) {
            return Err(QuestionRefusal::KeyReused);
        }
        entry.orphaned_until = None;
        Ok(Some(entry.question.id))
    }

    fn reply(
        &mut self,
        id: QuestionId,
        reply: Reply,
        approver: &Approver,
        refused: Option<Refusal>,
        now: Timestamp,
        effects: &mut Vec<QuestionEffect>,
    ) -> Taken {
        let entry = self.entries.get(&id).ok_or(QuestionRefusal::Unknown)?;
        if let Some(refusal) = refused.or_else(|| approver.refused_for(&entry.question.processes)) {
            effects.push(QuestionEffect::Record(QuestionRecord::ApproverRefused(id, approver.name.clone())));
            return Err(QuestionRefusal::Approver(Box::new(refusal)));
        }
        if entry.outcome.is_some() {
            return Err(QuestionRefusal::AlreadyOver(id));
        }
        let outcome = outcome(&entry.question, reply, now)?;
        self.finish(id, outcome, Some(approver.name.clone()), effects);
        Ok(Some(id))
    }

    fn cancel(&mut self, id: QuestionId, requester: &str, now: Timestamp, effects: &mut Vec<QuestionEffect>) -> Taken {
        let own = self.entries.get(&id).filter(|entry| entry.question.requester == requester);
        if own.ok_or(QuestionRefusal::Unknown)?.outcome.is_some() {
            return Err(QuestionRefusal::AlreadyOver(id));
        }
        self.finish(id, without_answer(QuestionStatus::Cancelled, TAKEN_BACK, now), None, effects);
        Ok(Some(id))
    }

    fn hang_up(&mut self, id: QuestionId, now: Timestamp, effects: &mut Vec<QuestionEffect>) -> Taken {
        let entry = self.entries.get_mut(&id).ok_or(QuestionRefusal::Unknown)?;
        if entry.outcome.is_some() {
            return Ok(Some(id));
        }
        if entry.question.idempotency_key.is_some() {
            entry.orphaned_until = Some(add(now, self.limits.reconnect));
            return Ok(Some(id));
        }
        self.finish(id, without_answer(QuestionStatus::Cancelled, GONE, now), None, effects);
        Ok(Some(id))
    }

    fn cancel_where(
        &mut self,
        ends: impl Fn(&Question) -> bool,
        why: &str,
        now: Timestamp,
        effects: &mut Vec<QuestionEffect>,
    ) {
        let open: Vec<QuestionId> =
            self.pending().map(|entry| &entry.question).filter(|one| ends(one)).map(|question| question.id).collect();
        for id in open {
            self.finish(id, without_answer(QuestionStatus::Cancelled, why, now), None, effects);
        }
    }

    /// Ends what could not be recorded without an answer, before anybody was told of one.
    pub fn void(&mut self, ids: &[QuestionId], now: Timestamp) {
        for id in ids {
            let Some(entry) = self.entries.get_mut(id) else { continue };
            if entry.outcome.is_none() {
                self.finished.push_back((now, *id));
            }
            entry.outcome = Some(without_answer(QuestionStatus::Cancelled, UNRECORDED, now));
        }
    }

    /// Ends whatever is due by `now`.
    fn expire(&mut self, now: Timestamp, effects: &mut Vec<QuestionEffect>) {
        let ended = |entry: &QuestionEntry| {
            let is_late = entry.expires_at <= now;
            let (status, why) =
                if is_late { (QuestionStatus::Timeout, NOBODY) } else { (QuestionStatus::Cancelled, GONE) };
            (entry.question.id, without_answer(status, why, now))
        };
        let over: Vec<(QuestionId, QuestionOutcome)> =
            self.pending().filter(|entry| due(entry) <= now).map(ended).collect();
        for (id, outcome) in over {
            self.finish(id, outcome, None, effects);
        }
        while let Some((ended, id)) = self.finished.front().copied() {
            let is_old = add(ended, self.limits.finished_for) <= now;
            if !is_old && self.finished.len() <= self.limits.finished {
                break;
            }
            self.finished.pop_front();
            self.forget(id);
        }
    }

    fn finish(
        &mut self,
        id: QuestionId,
        outcome: QuestionOutcome,
        approver: Option<String>,
        effects: &mut Vec<QuestionEffect>,
    ) {
        let Some(entry) = self.entries.get_mut(&id).filter(|entry| entry.outcome.is_none()) else { return };
        entry.outcome = Some(outcome.clone());
        self.finished.push_back((outcome.ended_at, id));
        effects.push(QuestionEffect::Record(QuestionRecord::Ended(id, outcome.clone(), approver)));
        effects.push(QuestionEffect::Withdraw(id));
        effects.push(QuestionEffect::Resolve(id, outcome));
    }

    fn forget(&mut self, id: QuestionId) {
        let Some(entry) = self.entries.remove(&id) else { return };
        if let Some(key) = entry.question.idempotency_key {
            self.keys.remove(&(entry.question.requester, key));
        }
    }
}

const NOBODY: &str = "No person answered in time. This is not a refusal: nobody has looked at it yet.";
const GONE: &str = "The requester went away before a person answered.";
const TAKEN_BACK: &str = "The requester took the question back.";
const SESSION_ENDED: &str = "The session has ended.";
const CLOSED: &str = "Handraise was closed before a person answered.";
const UNRECORDED: &str = "Handraise cannot write its audit log, so no answer counts.";
const DECLINED: &str = "The person did not want to answer this question.";

/// When it ends by itself.
fn due(entry: &QuestionEntry) -> Timestamp {
    entry.orphaned_until.map_or(entry.expires_at, |end| end.min(entry.expires_at))
}

fn add(time: Timestamp, duration: SignedDuration) -> Timestamp {
    time.checked_add(duration).unwrap_or(Timestamp::MAX)
}

fn without_answer(status: QuestionStatus, reason: &str, now: Timestamp) -> QuestionOutcome {
    QuestionOutcome { status, selected: Vec::new(), custom: None, reason: Some(reason.to_owned()), ended_at: now }
}

fn outcome(question: &Question, reply: Reply, now: Timestamp) -> Result<QuestionOutcome, QuestionRefusal> {
    let said = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let (selected, custom) = match reply {
        Reply::Decline { reason } => {
            let reason = said(reason);
            return Ok(without_answer(QuestionStatus::Declined, reason.as_deref().unwrap_or(DECLINED), now));
        }
        Reply::Answer { selected, custom } => (selected, said(custom)),
    };
    if selected.iter().any(|label| question.choices.iter().all(|choice| choice.label != *label)) {
        return Err(QuestionRefusal::UnknownChoice);
    }
    let labels = question.choices.iter().map(|choice| &choice.label);
    let selected: Vec<String> = labels.filter(|label| selected.contains(label)).cloned().collect();
    if selected.len() > 1 && !question.multiple {
        return Err(QuestionRefusal::OneChoice);
    }
    if custom.is_some() && !question.custom {
        return Err(QuestionRefusal::NoFreeText);
    }
    if selected.is_empty() && custom.is_none() {
        return Err(QuestionRefusal::Empty);
    }
    Ok(QuestionOutcome { status: QuestionStatus::Answered, selected, custom, reason: None, ended_at: now })
}
