//! What an agent has told its client about its tool calls before it asks about one.
//!
//! A permission request changes the tool call that the client already knows, and may leave out
//! everything that has been said before (ACP, "Tool Calls", "Requesting Permission").

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::known::Known;

/// What is kept of a call.
const FIELDS: &[&str] = &["name", "title", "kind", "rawInput", "content", "locations"];
/// Calls that are remembered at once.
const MAX_CALLS: usize = 1024;
/// What is remembered of all of them, in bytes of the lines that it came in.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The calls that have not ended. The oldest are forgotten when there are too many.
#[derive(Debug, Default)]
pub(super) struct ToolCalls {
    known: Known<ToolCall>,
    bytes: usize,
}

#[derive(Debug, Default)]
struct ToolCall {
    fields: Map<String, Value>,
    /// Sizes of the lines that the fields came in.
    bytes: HashMap<&'static str, usize>,
}

impl ToolCalls {
    /// Whether the agent has mentioned the call.
    pub(super) fn has(&self, session: &str, call: &str) -> bool {
        self.known.get(session, call).is_some()
    }

    /// Applies what a line of `size` bytes says about a call, and gives all that is known of it now.
    /// `null` stands for "unchanged" in version 1 and for "none" (`null_clears`) in version 2.
    pub(super) fn apply(
        &mut self,
        session: &str,
        update: &Map<String, Value>,
        size: usize,
        null_clears: bool,
    ) -> Map<String, Value> {
        let mut whole = update.clone();
        let Some(id) = update.get("toolCallId").and_then(Value::as_str) else { return whole };
        if matches!(update.get("status").and_then(Value::as_str), Some("completed" | "failed" | "cancelled")) {
            let forgotten = self.known.forget(session, id);
            self.free(forgotten);
            return whole;
        }
        let known = self.known.entry(session, id);
        for field in FIELDS {
            let freed = match update.get(*field) {
                None => continue,
                Some(Value::Null) if !null_clears => continue,
                Some(Value::Null) => {
                    known.fields.remove(*field);
                    known.bytes.remove(field)
                }
                Some(value) => {
                    known.fields.insert((*field).to_owned(), value.clone());
                    self.bytes = self.bytes.saturating_add(size);
                    known.bytes.insert(field, size)
                }
            };
            self.bytes = self.bytes.saturating_sub(freed.unwrap_or(0));
        }
        whole.extend(known.fields.clone());
        while self.known.len() > MAX_CALLS || self.bytes > MAX_BYTES {
            let Some(oldest) = self.known.forget_oldest() else { break };
            self.free(Some(oldest));
        }
        whole
    }

    /// Adds the content of a `tool_call_content_chunk`, which came in a line of `size` bytes, to its call. The first thing
    /// that is said of a call makes it.
    pub(super) fn append(&mut self, session: &str, chunk: &Map<String, Value>, size: usize) {
        let Some(piece) = chunk.get("content").filter(|piece| piece.is_object()) else { return };
        let id = chunk.get("toolCallId").cloned().unwrap_or_default();
        let known = id.as_str().and_then(|id| self.known.get(session, id)).and_then(|known| {
            Some((known.fields.get("content")?.as_array()?.clone(), known.bytes.get("content").copied()?))
        });
        let (mut content, before) = known.unwrap_or_default();
        content.push(piece.clone());
        let whole = Map::from_iter([("toolCallId".to_owned(), id), ("content".to_owned(), content.into())]);
        self.apply(session, &whole, before.saturating_add(size), false);
    }

    /// `forgotten` counts no more.
    fn free(&mut self, forgotten: Option<ToolCall>) {
        let bytes = forgotten.map_or(0, |call| call.bytes.values().sum());
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::known::tests::object;
    use super::*;

    #[test]
    fn what_was_said_before_counts_until_it_is_replaced_or_cleared() {
        let mut calls = ToolCalls::default();
        let mut apply = |update, clears| Value::Object(calls.apply("s", &object(update), 10, clears));
        apply(json!({ "toolCallId": "c", "kind": "execute", "rawInput": {} }), false);
        apply(json!({ "toolCallId": "c", "rawInput": { "command": "ls" }, "kind": null }), false);
        let whole = apply(json!({ "toolCallId": "c", "title": "List" }), false);
        let expected =
            json!({ "toolCallId": "c", "title": "List", "kind": "execute", "rawInput": { "command": "ls" } });
        assert_eq!(whole, expected);
        let cleared = apply(json!({ "toolCallId": "c", "rawInput": null }), true);
        assert_eq!(cleared["rawInput"], Value::Null);
        assert!(!calls.has("other", "c") && calls.has("s", "c"));
    }

    #[test]
    fn what_comes_in_pieces_is_put_together_until_it_is_replaced() {
        let mut calls = ToolCalls::default();
        for text in ["one", "two"] {
            calls.append("s", &object(json!({ "toolCallId": "c", "content": { "text": text } })), 10);
        }
        assert_eq!(calls.bytes, 20);
        let mut apply = |update| Value::Object(calls.apply("s", &object(update), 10, true));
        let whole = apply(json!({ "toolCallId": "c", "title": "Say it" }));
        assert_eq!(whole["content"], json!([{ "text": "one" }, { "text": "two" }]));
        assert_eq!(apply(json!({ "toolCallId": "c", "content": [] }))["content"], json!([]));
        assert_eq!(apply(json!({ "toolCallId": "c", "content": null }))["content"], Value::Null);
    }

    #[test]
    fn a_call_that_has_ended_is_forgotten_and_so_is_the_oldest_of_too_many() {
        let mut calls = ToolCalls::default();
        calls.apply("s", &object(json!({ "toolCallId": "c", "title": "a" })), 10, false);
        calls.apply("s", &object(json!({ "toolCallId": "c", "status": "completed" })), 10, false);
        assert!(!calls.has("s", "c"));
        assert_eq!(calls.bytes, 0);
        for number in 0..=MAX_CALLS {
            calls.apply("s", &object(json!({ "toolCallId": number.to_string(), "title": "a" })), 10, false);
        }
        assert!(!calls.has("s", "0") && calls.has("s", "1"));
        calls.apply("s", &object(json!({ "toolCallId": "large", "content": [] })), MAX_BYTES + 1, false);
        assert_eq!(calls.known.len(), 0);
        assert_eq!(calls.bytes, 0);
    }
}
