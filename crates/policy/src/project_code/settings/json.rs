//! JSON, with every value of a name that stands there more than once.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{NotUnderstood, Setting};

/// JSON (RFC 8259), with a byte order mark allowed. Of a name that stands twice in an object, readers take the first, the
/// last, or both: all are told.
pub(in super::super) fn json(text: &str) -> Result<Vec<Setting>, NotUnderstood> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut settings = Vec::new();
    let mut reader = serde_json::Deserializer::from_str(text);
    let below = Below { keys: &mut Vec::new(), settings: &mut settings };
    below.deserialize(&mut reader).and_then(|()| reader.end()).map_err(NotUnderstood::because)?;
    Ok(settings)
}

/// The value behind `keys`.
struct Below<'a> {
    keys: &'a mut Vec<String>,
    settings: &'a mut Vec<Setting>,
}

impl Below<'_> {
    fn is<E>(self, value: String) -> Result<(), E> {
        self.settings.push(Setting { keys: self.keys.clone(), value: Some(value) });
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Below<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Below<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut is_empty = true;
        while let Some(name) = map.next_key::<String>()? {
            is_empty = false;
            self.keys.push(name);
            map.next_value_seed(Below { keys: self.keys, settings: self.settings })?;
            self.keys.pop();
        }
        if is_empty { self.is(String::new()) } else { Ok(()) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut is_empty = true;
        while list.next_element_seed(Below { keys: self.keys, settings: self.settings })?.is_some() {
            is_empty = false;
        }
        if is_empty { self.is(String::new()) } else { Ok(()) }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.is(text.to_owned())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.is(value.to_string())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.is(number.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.is(number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.is(number.to_string())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.is(String::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_told_with_its_names() {
        let text = r#"{"a": {"b": "c", "d": [1, -2, true, null, []]}, "a": {}, "e": 1.5}"#;
        let told: Vec<String> =
            json(text).unwrap().iter().map(|one| format!("{}={}", one.name(), one.value())).collect();
        assert_eq!(told, ["a.b=c", "a.d=1", "a.d=-2", "a.d=true", "a.d=", "a.d=", "a=", "e=1.5"]);
        assert!(json("{} x").is_err() && json("{\"a\": }").is_err());
    }
}
