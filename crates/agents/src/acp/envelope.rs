//! The outside of a line: what it is, without taking in what it carries.
//!
//! Lines may be many megabytes large, and only few of them matter. What a line is must also be found
//! where it could be read in two ways, so nothing here depends on which of two equal keys counts.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// What a line says about itself. More than one line's worth when it is a list of messages.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    /// Every method that is named.
    methods: Vec<String>,
    /// The last id.
    pub(super) id: Option<Value>,
    /// It is a list of messages, which the protocol does not have.
    is_list: bool,
}

impl Envelope {
    /// `None`: no JSON, or JSON that is no message.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }

    /// A reader may take it for a message with this method.
    pub(super) fn may_be(&self, method: &str) -> bool {
        self.methods.iter().any(|named| named == method)
    }

    /// The method, where there is no doubt about it. A response has none.
    pub(super) fn method(&self) -> Option<&str> {
        match self.methods.as_slice() {
            [method] if !self.is_list => Some(method),
            _ => None,
        }
    }

    /// An answer to a request.
    pub(super) fn is_response(&self) -> bool {
        !self.is_list && self.methods.is_empty() && self.id.is_some()
    }
}

impl<'de> Deserialize<'de> for Envelope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Outside)
    }
}

struct Outside;

impl<'de> Visitor<'de> for Outside {
    type Value = Envelope;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Envelope, A::Error> {
        let mut envelope = Envelope::default();
        while let Some(Lossy(key)) = fields.next_key()? {
            match key.as_str() {
                "method" => match fields.next_value()? {
                    Value::String(method) => envelope.methods.push(method),
                    _ => continue,
                },
                "id" => envelope.id = Some(fields.next_value()?).filter(|id: &Value| !id.is_null()),
                _ => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(envelope)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut messages: A) -> Result<Envelope, A::Error> {
        let mut all = Envelope { is_list: true, ..Envelope::default() };
        while let Some(Element(message)) = messages.next_element()? {
            all.methods.extend(message.methods);
        }
        Ok(all)
    }
}

/// A message in a list, or anything else there.
struct Element(Envelope);

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Taken in whole: there are no lists of messages in the protocol, so this is never large.
        let value = Value::deserialize(deserializer)?;
        let method = value.get("method").and_then(Value::as_str).map(str::to_owned);
        Ok(Self(Envelope { methods: method.into_iter().collect(), ..Envelope::default() }))
    }
}

/// A key, whatever bytes it is made of.
struct Lossy(String);

impl<'de> Deserialize<'de> for Lossy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Lossy;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a key")
            }

            fn visit_str<E>(self, text: &str) -> Result<Lossy, E> {
                Ok(Lossy(text.to_owned()))
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Lossy, E> {
                Ok(Lossy(String::from_utf8_lossy(bytes).into_owned()))
            }
        }
        deserializer.deserialize_bytes(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_is_does_not_depend_on_what_it_carries() {
        let of = |line: &[u8]| Envelope::read(line).unwrap();
        assert_eq!(of(br#" {"id":1,"method":"a/b","params":{"x":[1]}} "#).method(), Some("a/b"));
        assert_eq!(of(b"{\"method\":\"a\",\"params\":{\"t\":\"\xff\\ud800\"}}").method(), Some("a"));
        assert_eq!(of(b"{\"\xff\":1,\"method\":\"a\"}").method(), Some("a"));
        assert_eq!(of(br#"{"m\u0065thod":"session\/x"}"#).method(), Some("session/x"));
        assert!(of(br#"{"id":"x","result":{}}"#).is_response());
        assert!(!of(br#"{"id":null}"#).is_response());
        let deep = format!("{{\"method\":\"a\",\"params\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(of(deep.as_bytes()).method(), Some("a"));
    }

    #[test]
    fn a_line_that_can_be_read_in_two_ways_may_be_either() {
        let double = Envelope::read(br#"{"method":"a","method":"b","id":7}"#).unwrap();
        assert!(double.may_be("a") && double.may_be("b"));
        assert_eq!(double.method(), None);
        assert_eq!(double.id, Some(7.into()));
        let list = Envelope::read(br#"[{"method":"a","id":7},3]"#).unwrap();
        assert!(list.may_be("a") && !list.is_response());
        assert_eq!(list.method(), None);
    }

    #[test]
    fn what_is_no_message_is_none() {
        for line in [&b""[..], b"hello", b"7", b"{\"method\":\"a\"", b"{\"method\":\"a\"} x", b"\xef\xbb\xbf{}"] {
            assert!(Envelope::read(line).is_none(), "{}", String::from_utf8_lossy(line));
        }
    }
}
