//! The state machine of questions: inputs and the time in, effects out.

use std::convert::Infallible;

use jiff::{SignedDuration, Timestamp};

use super::{
    Question, QuestionEffect, QuestionEntry, QuestionId, QuestionInput, QuestionOutcome, QuestionReaction,
    QuestionRecord, QuestionRefusal, QuestionStatus, Reply,
};
use crate::lifecycle::{Asked, BYTES_PER_ENTRY, End, Lifecycle, Refused, Registry, RegistryLimits, add};
use crate::{Approver, Refusal};
use handraise_policy::SessionKey;

type Handled = Result<Option<QuestionId>, QuestionRefusal>;

/// Every question that is open or ended not long ago.
#[derive(Clone, Debug)]
pub struct Questions {
    book: Registry<QuestionEntry>,
}

impl Questions {
    /// No questions yet.
    #[must_use]
    pub fn new(limits: RegistryLimits) -> Self {
        Self { book: Registry::new(limits) }
    }

    /// Takes in what happened at the time `now`. Whatever is due by then comes first: a time-out
    /// that is due beats an answer that arrives with it.
    pub fn handle(&mut self, input: QuestionInput, now: Timestamp) -> QuestionReaction {
        let mut effects = Vec::new();
        self.book.expire(now, &mut effects);
        let answer = self.take(input, now, &mut effects);
        QuestionReaction { effects, answer }
    }

    /// When [`Questions::handle`] should next be called with [`QuestionInput::Tick`], if nothing else
    /// happens.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        self.book.next_deadline()
    }

    /// The wall clock was set by `by`: whatever runs keeps the time that it had left.
    pub fn clock_moved(&mut self, by: SignedDuration) {
        self.book.clock_moved(by);
    }

    /// One question, open or ended not long ago.
    #[must_use]
    pub fn entry(&self, id: QuestionId) -> Option<&QuestionEntry> {
        self.book.entry(id)
    }

    /// Open questions, oldest first.
    pub fn pending(&self) -> impl Iterator<Item = &QuestionEntry> {
        self.book.pending()
    }

    /// How many have ended and are still known.
    #[must_use]
    pub fn ended_count(&self) -> usize {
        self.book.ended_count()
    }

    /// Nothing of `effects` could be recorded: what was being asked or answered is over without an answer, before
    /// anybody was told of one.
    pub fn unrecorded(&mut self, effects: &mut Vec<QuestionEffect>, now: Timestamp) {
        self.book.unrecorded(effects, now);
        effects.retain(|effect| !matches!(effect, QuestionEffect::Record(_)));
    }

    fn take(&mut self, input: QuestionInput, now: Timestamp, effects: &mut Vec<QuestionEffect>) -> Handled {
        let about = |id, taken: Result<(), Refused>| {
            taken.map(|()| Some(id)).map_err(|refused| QuestionRefusal::of(refused, id))
        };
        match input {
            QuestionInput::Ask(question) => self.ask(*question, now, effects),
            QuestionInput::Reply { id, reply, approver, refused } => {
                self.reply(id, reply, &approver, refused, now, effects)
            }
            QuestionInput::Cancel { id, requester } => {
                about(id, self.book.cancel(id, &requester, &End::Cancelled(TAKEN_BACK.to_owned()), now, effects))
            }
            QuestionInput::HangUp { id, departure } => about(id, self.book.hang_up(id, departure, now, effects)),
            QuestionInput::Keep(id) => about(id, self.book.keep(id)),
            QuestionInput::Tick => Ok(None),
            QuestionInput::EndSession(key) => {
                self.book.end_session(&key, now, effects);
                Ok(None)
            }
            QuestionInput::Shutdown => {
                self.book.close(now, effects);
                Ok(None)
            }
        }
    }

    fn ask(&mut self, question: Question, now: Timestamp, effects: &mut Vec<QuestionEffect>) -> Handled {
        let id = question.id;
        let refused = |refused| QuestionRefusal::of(refused, id);
        self.book.check_open().map_err(refused)?;
        let is_same = |known: &QuestionEntry| known.question.is_same(&question);
        let known = self.book.keyed(&question.requester, question.idempotency_key.as_deref(), is_same);
        // An answer lets nothing run: whoever asks again may have it again.
        if let Some(known) = known.map_err(refused)?.map(Asked::id) {
            self.book.came_back(known);
            return Ok(Some(known));
        }
        let entry = QuestionEntry::new(question, now);
        self.book.check_room(&entry, &[]).map_err(refused)?;
        self.book.insert(entry);
        effects.push(QuestionEffect::Record(QuestionRecord::Asked(id)));
        effects.push(QuestionEffect::Present(id));
        Ok(Some(id))
    }

    fn reply(
        &mut self,
        id: QuestionId,
        reply: Reply,
        approver: &Approver,
        refused: Option<Refusal>,
        now: Timestamp,
        effects: &mut Vec<QuestionEffect>,
    ) -> Handled {
        let entry = self.entry(id).ok_or(QuestionRefusal::Unknown)?;
        if let Some(refusal) = refused.or_else(|| approver.refused_for(&entry.question.processes)) {
            effects.push(QuestionEffect::Record(QuestionRecord::ApproverRefused(id, approver.name.clone())));
            return Err(QuestionRefusal::Approver(Box::new(refusal)));
        }
        if !entry.life.is_open() {
            return Err(QuestionRefusal::AlreadyOver(id));
        }
        let outcome = outcome(&entry.question, reply, now)?;
        self.book.finish(id, outcome, Some(approver.name.clone()), effects);
        Ok(Some(id))
    }
}

impl QuestionEntry {
    /// A question at the moment when it is asked.
    fn new(question: Question, now: Timestamp) -> Self {
        let expires_at = add(now, SignedDuration::from_secs(question.timeout_seconds.into()));
        let life = Lifecycle::new(now, expires_at, question.size());
        Self { question, life }
    }
}

impl Question {
    /// What it holds, in bytes.
    fn size(&self) -> usize {
        let texts = [&self.header, &self.custom_label, &self.cwd, &self.trace_id, &self.idempotency_key];
        let texts = texts.into_iter().flatten().chain([&self.text]).map(String::len);
        let of_choice = |choice: &super::QuestionChoice| {
            BYTES_PER_ENTRY + choice.label.len() + choice.description.as_ref().map_or(0, String::len)
        };
        BYTES_PER_ENTRY + texts.chain(self.choices.iter().map(of_choice)).sum::<usize>()
    }
}

impl Asked for QuestionEntry {
    type Id = QuestionId;
    type Outcome = QuestionOutcome;
    type Record = QuestionRecord;
    type LastingEffect = Infallible;

    fn id(&self) -> QuestionId {
        self.question.id
    }

    fn life(&self) -> &Lifecycle<QuestionOutcome> {
        &self.life
    }

    fn life_mut(&mut self) -> &mut Lifecycle<QuestionOutcome> {
        &mut self.life
    }

    fn requester(&self) -> &str {
        &self.question.requester
    }

    fn session(&self) -> Option<&SessionKey> {
        self.question.session.as_ref()
    }

    fn idempotency_key(&self) -> Option<&str> {
        self.question.idempotency_key.as_deref()
    }

    fn without_answer(&self, end: &End, now: Timestamp) -> QuestionOutcome {
        let status = if *end == End::TimedOut { QuestionStatus::Timeout } else { QuestionStatus::Cancelled };
        let why = if *end == End::Unrecorded { UNRECORDED } else { end.reason() };
        unanswered(status, why, now)
    }

    fn ended_at(outcome: &QuestionOutcome) -> Timestamp {
        outcome.ended_at
    }

    /// Whatever a person has said of it.
    fn counts_only_recorded(_: &QuestionOutcome) -> bool {
        true
    }

    fn ended(id: QuestionId, outcome: QuestionOutcome, approver: Option<String>) -> QuestionRecord {
        QuestionRecord::Ended(id, outcome, approver)
    }

    /// Nothing: a retry is compared with it.
    fn let_go(&mut self) -> usize {
        let said = self.life.outcome.as_ref().map_or(0, |outcome| {
            let words = [&outcome.custom, &outcome.reason].into_iter().flatten();
            words.chain(&outcome.selected).map(String::len).sum()
        });
        self.life.size + said
    }
}

impl QuestionRefusal {
    fn of(refused: Refused, id: QuestionId) -> Self {
        match refused {
            Refused::Unknown => Self::Unknown,
            Refused::AlreadyOver => Self::AlreadyOver(id),
            Refused::KeyReused => Self::KeyReused,
            Refused::TooMany | Refused::TooManyInSession | Refused::TooManyBytes => Self::TooMany,
            Refused::ShuttingDown => Self::ShuttingDown,
        }
    }
}

const TAKEN_BACK: &str = "The requester took the question back.";
const UNRECORDED: &str = "Handraise cannot write its audit log, so no answer counts.";
const DECLINED: &str = "The person did not want to answer this question.";

fn unanswered(status: QuestionStatus, reason: &str, now: Timestamp) -> QuestionOutcome {
    QuestionOutcome { status, selected: Vec::new(), custom: None, reason: Some(reason.to_owned()), ended_at: now }
}

fn outcome(question: &Question, reply: Reply, now: Timestamp) -> Result<QuestionOutcome, QuestionRefusal> {
    let said = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let (selected, custom) = match reply {
        Reply::Decline { reason } => {
            let reason = said(reason);
            return Ok(unanswered(QuestionStatus::Declined, reason.as_deref().unwrap_or(DECLINED), now));
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
