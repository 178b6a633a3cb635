//! How much may wait for a person, and how much of what is over is kept.

use serde_json::{Map, Value};

use super::{Entry, Gate, Refusal};
use crate::Request;

/// What a value costs beside its text, in bytes: the place that it takes in a list or a map.
const EACH: usize = 64;

impl Gate {
    /// Whether `request` may wait for a person, when `earlier` ones of its batch do.
    pub(super) fn check_room(&self, request: &Request, earlier: &[&Request]) -> Result<(), Refusal> {
        let (mut all, mut own, mut bytes, mut in_session, mut in_batch) =
            (0, 0, arguments_size(&request.arguments), 0, 0);
        let open = self.pending().map(|entry| (&entry.request, entry.size));
        for (other, size) in open.chain(earlier.iter().map(|other| (*other, arguments_size(&other.arguments)))) {
            all += 1;
            if other.requester != request.requester {
                continue;
            }
            own += 1;
            bytes += size;
            if request.session.is_none() || other.session != request.session {
                continue;
            }
            match request.batch.is_some() && other.batch == request.batch {
                true => in_batch += 1,
                false => in_session += 1,
            }
        }
        let limits = &self.limits;
        if own >= limits.pending_per_requester || all >= limits.pending && own >= limits.pending_share {
            return Err(Refusal::TooManyPending);
        }
        if in_session >= limits.pending_per_session || in_batch >= limits.pending_per_batch {
            return Err(Refusal::TooManyInSession);
        }
        // One alone always fits: its size was bounded where it came in.
        if own > 0 && bytes > limits.pending_bytes {
            return Err(Refusal::TooManyBytes);
        }
        Ok(())
    }

    /// Whether ended requests hold more than they may, in number or in bytes. The latest one always may.
    pub(super) fn is_finished_full(&self) -> bool {
        let (count, bytes) = (self.finished.len(), self.finished_bytes);
        count > self.limits.finished || count > 1 && bytes > self.limits.finished_bytes
    }

    /// Lets go of what ended before this reaction: whatever it was recorded with is on the disk by now. What is
    /// left tells how it ended, and which call it was.
    pub(super) fn let_go_of_arguments(&mut self) {
        for id in std::mem::take(&mut self.just_ended) {
            let Some(entry) = self.entries.get_mut(&id) else { continue };
            entry.request.let_go();
            entry.evaluation.policy.parts = Vec::new();
            entry.is_whole = false;
            entry.size = kept_size(entry);
            self.finished_bytes += entry.size;
        }
    }
}

impl Request {
    fn let_go(&mut self) {
        self.arguments = Map::new();
        self.subject = crate::Subject::default();
        self.command = None;
        self.files = Vec::new();
        self.paths = crate::PathFacts::default();
        self.project_code = crate::ProjectFacts::default();
        (self.intent, self.summary, self.description, self.origin) = (None, None, None, None);
        self.tags = Vec::new();
    }
}

/// What an ended request still holds, in bytes: its changed arguments, and texts that somebody else chose.
fn kept_size(entry: &Entry) -> usize {
    let request = &entry.request;
    let outcome = entry.outcome.as_ref();
    let changed = outcome.and_then(|outcome| outcome.arguments.as_ref()).map_or(0, arguments_size);
    let words = outcome.map_or(0, |outcome| outcome.reason.len());
    let session = request.session.as_ref().map_or(0, |session| session.id.len());
    let texts =
        [&request.cwd, &request.server, &request.user, &request.batch, &request.trace_id, &request.idempotency_key];
    let texts: usize = texts.into_iter().flatten().map(String::len).sum();
    let why = entry.evaluation.policy.why.len();
    EACH + changed + words + session + texts + why + request.tool.len() + request.scripts.size()
}

/// What arguments hold, in bytes: the texts in them, and the place that each value takes.
#[must_use]
pub fn arguments_size(arguments: &Map<String, Value>) -> usize {
    fn of(value: &Value) -> usize {
        EACH + match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(of).sum(),
            Value::Object(fields) => arguments_size(fields),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
    }
    arguments.iter().map(|(key, value)| EACH + key.len() + of(value)).sum()
}
