//! The identity of a call's arguments: SHA-256 over their RFC 8785 canonical form.

use std::fmt;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

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

/// The RFC 8785 text of `arguments`; rule patterns of the form `name:arguments` match against it.
pub(crate) fn canonical_json(arguments: &Map<String, Value>) -> Result<String, NoCanonicalForm> {
    serde_jcs::to_string(arguments).map_err(|error| NoCanonicalForm(error.to_string()))
}

/// The RFC 8785 text of one value.
pub(crate) fn canonical_value(value: &Value) -> Result<String, NoCanonicalForm> {
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
}
