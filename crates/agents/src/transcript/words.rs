//! Words and times of transcripts.

use jiff::Timestamp;
use serde_json::Value;

/// How much of what a tool has put out is looked at for the words of a refusal: they stand at its beginning, and what
/// a program prints may have the same words.
const MAX_REFUSAL: usize = 400;
/// What every denial by Handraise says (`Instruction::of`).
const DENIED: &str = "Denied in Handraise";

/// What `output` says: a text, or a list of them, or an object with one of them.
pub(crate) fn spoken(output: &Value) -> String {
    match output {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(spoken).collect::<Vec<_>>().join("\n"),
        Value::Object(fields) => {
            let words = ["text", "content", "message", "error"].iter().find_map(|name| fields.get(*name));
            words.map(spoken).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Whether `output` is that of a call which Handraise has kept from running.
pub(crate) fn refused_in_handraise(output: &str) -> bool {
    let end = output.char_indices().nth(MAX_REFUSAL).map_or(output.len(), |(end, _)| end);
    output.get(..end).is_some_and(|beginning| beginning.contains(DENIED))
}

/// A time as RFC 3339, or in milliseconds since 1970.
pub(crate) fn time(value: Option<&Value>) -> Option<Timestamp> {
    match value? {
        Value::String(text) => text.parse().ok(),
        value => Timestamp::from_millisecond(value.as_i64()?).ok(),
    }
}
