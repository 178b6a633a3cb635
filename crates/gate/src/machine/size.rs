//! What a request holds, and what of it is kept when it is over.

use serde_json::{Map, Value};

use super::Entry;
use crate::lifecycle::BYTES_PER_ENTRY;

/// What an ended request still holds, in bytes: its changed arguments, and texts that somebody else chose.
pub(super) fn kept_size(entry: &Entry) -> usize {
    let request = &entry.request;
    let outcome = entry.life.outcome.as_ref();
    let changed = outcome.and_then(|outcome| outcome.arguments.as_ref()).map_or(0, arguments_size);
    let words = outcome.map_or(0, |outcome| outcome.reason.len());
    let session = request.session.as_ref().map_or(0, |session| session.id.len());
    let texts =
        [&request.cwd, &request.server, &request.user, &request.batch, &request.trace_id, &request.idempotency_key];
    let texts: usize = texts.into_iter().flatten().map(String::len).sum();
    let why = entry.evaluation.policy.why.len();
    BYTES_PER_ENTRY + changed + words + session + texts + why + request.tool.len() + request.scripts.size()
}

/// What arguments hold, in bytes: the texts in them, and the place that each value takes.
#[must_use]
pub fn arguments_size(arguments: &Map<String, Value>) -> usize {
    fn of(value: &Value) -> usize {
        BYTES_PER_ENTRY
            + match value {
                Value::String(text) => text.len(),
                Value::Array(items) => items.iter().map(of).sum(),
                Value::Object(fields) => arguments_size(fields),
                Value::Null | Value::Bool(_) | Value::Number(_) => 0,
            }
    }
    arguments.iter().map(|(key, value)| BYTES_PER_ENTRY + key.len() + of(value)).sum()
}
