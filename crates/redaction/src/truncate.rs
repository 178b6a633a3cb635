//! Long values cut, with their length stated, for what is stored, streamed or shown.
//!
//! Comes after redaction, and never cuts a mark in half. Defaults: requirement 000-18.

use serde_json::{Map, Value};

use super::mark;

/// The mark of a cut; also the key that states how many keys of an object were left out.
const CUT: &str = "…";

/// How much of a value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncation {
    /// Characters of a text or of a key.
    pub string_characters: usize,
    /// Items of an array.
    pub array_items: usize,
    /// Keys of an object.
    pub object_keys: usize,
    /// Levels of arrays and objects inside each other. A value that is neither is level 0.
    pub depth: usize,
}

impl Default for Truncation {
    fn default() -> Self {
        Self { string_characters: 500, array_items: 50, object_keys: 50, depth: 4 }
    }
}

impl Truncation {
    /// The text, or its beginning and how many characters are missing.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let Some(cut) = self.cut(text) else { return text.to_owned() };
        let (kept, missing) = text.split_at_checked(cut).unwrap_or((text, ""));
        match missing.chars().count() {
            0 => kept.to_owned(),
            missing => format!("{kept}{CUT} {}", more(missing, "character")),
        }
    }

    /// The value with long texts, arrays and objects cut and deep ones left out.
    #[must_use]
    pub fn value(&self, value: &Value) -> Value {
        self.at_depth(value, self.depth)
    }

    /// The arguments of a tool call, cut as [`Truncation::value`] cuts an object.
    #[must_use]
    pub fn arguments(&self, arguments: &Map<String, Value>) -> Map<String, Value> {
        self.object(arguments, self.depth.saturating_sub(1))
    }

    fn at_depth(&self, value: &Value, left: usize) -> Value {
        match (value, left.checked_sub(1)) {
            (Value::String(text), _) => Value::String(self.text(text)),
            (Value::Array(items), None) => Value::String(format!("{CUT} {}", counted(items.len(), "item"))),
            (Value::Object(entries), None) => Value::String(format!("{CUT} {}", counted(entries.len(), "key"))),
            (Value::Array(items), Some(left)) => self.array(items, left),
            (Value::Object(entries), Some(left)) => Value::Object(self.object(entries, left)),
            (scalar, _) => scalar.clone(),
        }
    }

    fn array(&self, items: &[Value], left: usize) -> Value {
        let mut kept: Vec<_> = items.iter().take(self.array_items).map(|item| self.at_depth(item, left)).collect();
        if let Some(missing) = missing(items.len(), self.array_items) {
            kept.push(Value::String(format!("{CUT} {}", more(missing, "item"))));
        }
        Value::Array(kept)
    }

    fn object(&self, entries: &Map<String, Value>, left: usize) -> Map<String, Value> {
        let mut kept = Map::new();
        for (key, value) in entries.iter().take(self.object_keys) {
            kept.insert(distinct(&kept, self.text(key)), self.at_depth(value, left));
        }
        if let Some(missing) = missing(entries.len(), self.object_keys) {
            kept.insert(distinct(&kept, CUT.to_owned()), Value::String(more(missing, "key")));
        }
        kept
    }

    /// Where to cut, in bytes; `None` when the text is short enough. Behind a mark that the limit
    /// falls into.
    fn cut(&self, text: &str) -> Option<usize> {
        let (limit, _) = text.char_indices().nth(self.string_characters)?;
        let inside = mark::find(text).into_iter().find(|mark| mark.start < limit && limit < mark.end);
        Some(inside.map_or(limit, |mark| mark.end))
    }
}

fn missing(length: usize, kept: usize) -> Option<usize> {
    length.checked_sub(kept).filter(|missing| *missing > 0)
}

/// `key`, or the key with more cut marks behind it where two keys became equal by being cut.
fn distinct(entries: &Map<String, Value>, mut key: String) -> String {
    while entries.contains_key(&key) {
        key.push_str(CUT);
    }
    key
}

fn more(count: usize, noun: &str) -> String {
    format!("{} more {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

fn counted(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// The number with a blank before each three digits, as ISO 80000-1 groups them.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_long_text_states_what_is_missing() {
        let limits = Truncation::default();
        assert_eq!(limits.text(&"é".repeat(500)), "é".repeat(500));
        assert_eq!(limits.text(&"é".repeat(501)), format!("{}… 1 more character", "é".repeat(500)));
        assert_eq!(limits.text(&"é".repeat(1734)), format!("{}… 1 234 more characters", "é".repeat(500)));
    }

    #[test]
    fn a_mark_is_never_cut() {
        let mark = "‹redacted:password:7:01234567›";
        for before in 480..500 {
            let text = format!("{}{mark} and more", "a".repeat(before));
            let cut = Truncation::default().text(&text);
            assert!(cut.contains(mark), "{cut}");
            assert!(cut.ends_with("more characters"), "{cut}");
        }
        assert_eq!(
            Truncation::default().text(&format!("{}{mark}", "a".repeat(490))),
            format!("{}{mark}", "a".repeat(490))
        );
    }

    #[test]
    fn arrays_objects_and_depth_are_bounded() {
        let limits = Truncation { string_characters: 4, array_items: 2, object_keys: 2, depth: 2 };
        let value = json!({"a": [1, 2, 3], "b": {"c": {"d": 1}}, "e": 1, "f": 2});
        assert_eq!(
            limits.value(&value),
            json!({"a": [1, 2, "… 1 more item"], "b": {"c": "… 1 key"}, "…": "2 more keys"})
        );
    }

    #[test]
    fn keys_that_become_equal_stay_apart() {
        let limits = Truncation { string_characters: 1, ..Truncation::default() };
        let cut = limits.value(&json!({"abc": 1, "abd": 2}));
        assert_eq!(cut.as_object().unwrap().len(), 2);
    }

    #[test]
    fn a_value_of_any_depth_is_cut() {
        let mut value = json!(1);
        for _ in 0..10_000 {
            value = Value::Array(vec![value]);
        }
        assert_eq!(Truncation::default().value(&value), json!([[[["… 1 item"]]]]));
        // Dropping so deep a value would recurse as deeply.
        std::mem::forget(value);
    }
}
