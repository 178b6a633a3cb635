//! JSON that can be read in exactly one way.
//!
//! RFC 8259 leaves open what a duplicate key means, and readers differ: one takes the first value,
//! another the last. A call that is shown with one value and run with the other must not exist, so
//! such text is refused here, before anything looks at it.

use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Arrays and objects inside each other, at most.
pub const MAX_DEPTH: usize = 64;

/// Why a text was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrictJsonError {
    /// Not UTF-8 (RFC 8259 §8.1).
    #[error("it is not valid UTF-8")]
    NotUtf8,
    /// Begins with a byte order mark, which RFC 8259 §8.1 forbids to write.
    #[error("it begins with a byte order mark; leave that out")]
    ByteOrderMark,
    /// Syntax, a duplicate key, or too deep. The text names line and column.
    #[error("{0}")]
    Invalid(String),
}

/// Reads exactly one JSON value.
///
/// # Errors
/// On anything that is not one JSON value in UTF-8 without a byte order mark, on a duplicate key at
/// any depth, and on more than [`MAX_DEPTH`] levels.
pub fn from_slice(bytes: &[u8]) -> Result<Value, StrictJsonError> {
    let text = std::str::from_utf8(bytes).map_err(|_| StrictJsonError::NotUtf8)?;
    if text.starts_with('\u{feff}') {
        return Err(StrictJsonError::ByteOrderMark);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict { levels_left: MAX_DEPTH }
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| StrictJsonError::Invalid(error.to_string()))
}

#[derive(Clone, Copy)]
struct Strict {
    levels_left: usize,
}

impl Strict {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        let levels_left = self.levels_left.checked_sub(1);
        let levels_left = levels_left.ok_or_else(|| E::custom(format!("more than {MAX_DEPTH} levels deep")))?;
        Ok(Self { levels_left })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number out of range"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format!(
                    "the key `{}` is there twice",
                    handraise_display::line(&key, 80)
                )));
            }
            let value = entries.next_value_seed(inner)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refused(text: &str) -> String {
        from_slice(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_duplicate_key_is_refused_at_any_depth_and_in_any_spelling() {
        assert!(refused(r#"{"a":1,"a":2}"#).contains("`a` is there twice"));
        assert!(refused(r#"[{"b":{"a":1,"\u0061":1}}]"#).contains("`a` is there twice"));
        assert!(refused("{\"\u{202e}\":1,\"\u{202e}\":1}").contains("⟨U+202E⟩"));
    }

    #[test]
    fn sixty_four_levels_are_taken_and_one_more_is_not() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(from_slice(nested(MAX_DEPTH).as_bytes()).is_ok());
        assert!(refused(&nested(MAX_DEPTH + 1)).contains("more than 64 levels"));
        assert!(from_slice(nested(100_000).as_bytes()).is_err());
    }

    #[test]
    fn what_is_not_one_json_text_is_refused() {
        assert_eq!(from_slice(b"\xef\xbb\xbf{}"), Err(StrictJsonError::ByteOrderMark));
        assert_eq!(from_slice(b"\"\xff\""), Err(StrictJsonError::NotUtf8));
        for text in ["", " ", "{} {}", "{}x", "{\"a\":}", "[1,]", "NaN", "1e999", r#""\ud800""#, "// c\n{}"] {
            assert!(from_slice(text.as_bytes()).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_means_what_serde_json_says(text in r#"[\[\]{}",:0-9a-e\\. -]{0,40}"#) {
            if let Ok(value) = from_slice(text.as_bytes()) {
                prop_assert_eq!(value, serde_json::from_str::<Value>(&text).unwrap());
            }
        }
    }
}
