//! The identity of a call's arguments: SHA-256 over their canonical form, which is that of RFC 8785, but for integers
//! that no double holds.
//!
//! RFC 8785 reads every number as a double, so it writes neighbours beyond 2^53 alike, and who approves one would have
//! approved the other. Such an integer is written here with its own digits. RFC 8785 writes some doubles with the same
//! digits: those get `.0`, so that no two numbers that differ have one text. What has more than 64 bits was read as a
//! double before it comes here.

use std::fmt;

use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

/// The largest integer up to which every integer is a double of its own: 2^53 - 1.
const EXACT_IN_DOUBLES: u64 = (1 << 53) - 1;

/// SHA-256 of the RFC 8785 canonical JSON of a call's arguments, in lower-case hexadecimal.
///
/// A decision is bound to this value: what was shown is what may run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArgumentsHash(String);

/// The arguments have no canonical form (RFC 8785 knows no number beyond IEEE 754 doubles).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the arguments have no canonical JSON form: {0}")]
pub struct NoCanonicalForm(String);

impl ArgumentsHash {
    /// Hashes `arguments`.
    ///
    /// # Errors
    /// When the arguments have no RFC 8785 form.
    pub fn of(arguments: &Map<String, Value>) -> Result<Self, NoCanonicalForm> {
        let canonical = canonical_json(arguments)?;
        let digest = Sha256::digest(canonical.as_bytes());
        let hexadecimal = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self(hexadecimal))
    }

    /// The hash that somebody names, to be compared with one of [`Self::of`]; whatever else it is, it equals none.
    #[must_use]
    pub fn named(text: String) -> Self {
        Self(text)
    }

    /// The hash as lower-case hexadecimal text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ArgumentsHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The canonical text of `arguments`; rule patterns of the form `name:arguments` match against it.
pub(crate) fn canonical_json(arguments: &Map<String, Value>) -> Result<String, NoCanonicalForm> {
    let mut text = String::new();
    write_object(arguments, &mut text)?;
    Ok(text)
}

/// The canonical text of one value.
pub(crate) fn canonical_value(value: &Value) -> Result<String, NoCanonicalForm> {
    let mut text = String::new();
    write(value, &mut text)?;
    Ok(text)
}

fn write(value: &Value, text: &mut String) -> Result<(), NoCanonicalForm> {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write(item, text)?;
            }
            text.push(']');
        }
        Value::Object(entries) => write_object(entries, text)?,
        Value::Number(number) => text.push_str(&number_text(number)?),
        scalar => text.push_str(&rfc_8785(scalar)?),
    }
    Ok(())
}

/// The names in the order of RFC 8785, section 3.2.3: by UTF-16 code units.
fn write_object(entries: &Map<String, Value>, text: &mut String) -> Result<(), NoCanonicalForm> {
    let mut entries: Vec<(&String, &Value)> = entries.iter().collect();
    entries.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
    text.push('{');
    for (index, (name, value)) in entries.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&rfc_8785(&Value::String(name.clone()))?);
        text.push(':');
        write(value, text)?;
    }
    text.push('}');
    Ok(())
}

fn number_text(number: &Number) -> Result<String, NoCanonicalForm> {
    if !number.is_f64() {
        return Ok(number.to_string());
    }
    let text = rfc_8785(&Value::Number(number.clone()))?;
    Ok(if is_inexact_integer(&text) { format!("{text}.0") } else { text })
}

/// Whether a number of JSON with these digits is read as an integer that other doubles round to.
fn is_inexact_integer(digits: &str) -> bool {
    let positive = digits.parse::<u64>().ok();
    let magnitude = positive.or_else(|| digits.parse::<i64>().ok().map(i64::unsigned_abs));
    magnitude.is_some_and(|magnitude| magnitude > EXACT_IN_DOUBLES)
}

fn rfc_8785(value: &Value) -> Result<String, NoCanonicalForm> {
    serde_jcs::to_string(value).map_err(|error| NoCanonicalForm(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Map<String, Value> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn key_order_and_blanks_do_not_matter() {
        let one = ArgumentsHash::of(&arguments(r#"{"a":1,"b":"x"}"#)).unwrap();
        let other = ArgumentsHash::of(&arguments(r#"{ "b" : "x", "a" : 1.0 }"#)).unwrap();
        assert_eq!(one, other);
    }

    #[test]
    fn any_changed_value_changes_the_hash() {
        let one = ArgumentsHash::of(&arguments(r#"{"command":"ls"}"#)).unwrap();
        let other = ArgumentsHash::of(&arguments(r#"{"command":"ls "}"#)).unwrap();
        assert_ne!(one, other);
    }

    #[test]
    fn the_hash_of_an_empty_object_is_the_published_one() {
        let hash = ArgumentsHash::of(&Map::new()).unwrap();
        assert_eq!(hash.as_str(), "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    }

    fn text(arguments_text: &str) -> String {
        canonical_json(&arguments(arguments_text)).unwrap()
    }

    #[test]
    fn integers_that_differ_have_texts_that_differ() {
        let numbers = [
            "1234567890123456768",
            "1234567890123456789",
            "1234567890123456800",
            "1234567890123456789.0",
            "9007199254740991",
            "9007199254740992",
            "9007199254740993",
            "9007199254740992.0",
            "-9007199254740991",
            "-9007199254740992",
            "-9007199254740993",
            "-9007199254740992.0",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775807",
            "-9223372036854775808",
            "-9223372036854775808.0",
            "18446744073709551615",
            "18446744073709551614",
            "18446744073709551616",
        ];
        let texts: std::collections::BTreeSet<String> =
            numbers.iter().map(|number| text(&format!(r#"{{"n":[{number}]}}"#))).collect();
        assert_eq!(texts.len(), numbers.len(), "{texts:?}");
        assert_eq!(text(r#"{"n":1234567890123456789}"#), r#"{"n":1234567890123456789}"#);
        assert_eq!(text(r#"{"n":1234567890123456800.0}"#), r#"{"n":1234567890123456800.0}"#);
    }

    #[test]
    fn everything_else_has_its_rfc_8785_text() {
        // RFC 8785, sections 3.2.2 and 3.2.3.
        let given = r#"{"\u20ac":"Euro Sign","\r":"\u20ac$\u000f\nA'\u0042\"\\\\\"\/","\ufb33":[56.0,{"d":true,"10":null}],
            "1":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0,1.0,9007199254740991.0,1e20],
            "\ud83d\ude00":{},"\u0080":[],"\u00f6":-9007199254740991}"#;
        assert_eq!(text(given), serde_jcs::to_string(&arguments(given)).unwrap());
    }
}
