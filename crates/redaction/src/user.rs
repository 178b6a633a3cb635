//! The user's own patterns and names of keys, from the section `[redaction]` of the policy file.

use regex::{Regex, RegexBuilder};

use super::mark::{self, MAX_KIND};
use super::secrecy::words_of;
use super::span::{Rank, Span};

/// Memory that one compiled pattern may take, in bytes.
const MAX_PATTERN: usize = 1 << 20;

/// A user's own kind of secret, ready to be looked for.
///
/// The pattern is a regular expression as the crate `regex` understands it. The whole match is
/// redacted, or its group `secret` where it has one. Each match is found in time linear in the
/// text; a pattern that looks far ahead at every place (`a.*b`) can make finding all of them
/// quadratic, so a bound (`a.{0,99}b`) is better.
#[derive(Clone, Debug)]
pub struct UserPattern {
    name: String,
    regex: Regex,
}

/// The name of a key whose value is secret, whatever its case and word separators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserKey {
    text: String,
    words: Vec<String>,
}

/// What the user adds to the built-in formats and names. Nothing of the user's can take away a
/// built-in one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserRedaction {
    /// Patterns for text.
    pub patterns: Vec<UserPattern>,
    /// Names of keys.
    pub keys: Vec<UserKey>,
}

/// A pattern or name of the user that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidUserPattern {
    /// The name cannot stand in a mark.
    #[error(
        "the redaction pattern name `{name}` cannot be used; write lower-case letters, digits and hyphens, at most {MAX_KIND}"
    )]
    Name {
        /// The name as it is written.
        name: String,
    },
    /// The regular expression does not compile or is too large.
    #[error("the redaction pattern `{name}` is not a usable regular expression: {reason}")]
    Regex {
        /// The pattern's name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The pattern matches the empty text.
    #[error("the redaction pattern `{name}` matches the empty text; make it match at least one character")]
    MatchesNothing {
        /// The pattern's name.
        name: String,
    },
    /// The name of a key has no letter or digit.
    #[error("the redaction key `{key}` cannot be used; write the name of a field, with letters or digits")]
    Key {
        /// The key as it is written.
        key: String,
    },
}

impl UserPattern {
    /// The kind of secret that `regex` finds. `name` names it in marks: lower-case letters, digits and hyphens, at
    /// most 32.
    ///
    /// # Errors
    /// When the name cannot stand in a mark, or the regular expression cannot be used.
    pub fn new(name: &str, regex: &str) -> Result<Self, InvalidUserPattern> {
        let name = name.to_owned();
        if !mark::is_kind(&name) {
            return Err(InvalidUserPattern::Name { name });
        }
        match RegexBuilder::new(regex).size_limit(MAX_PATTERN).build() {
            Ok(regex) if regex.is_match("") => Err(InvalidUserPattern::MatchesNothing { name }),
            Ok(regex) => Ok(Self { name, regex }),
            Err(error) => Err(InvalidUserPattern::Regex { name, reason: reason(&error) }),
        }
    }

    /// What it is called in marks.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn find<'a>(&'a self, text: &str, spans: &mut Vec<Span<'a>>) {
        for captures in self.regex.captures_iter(text) {
            if let Some(found) = captures.name("secret").or_else(|| captures.get(0)) {
                spans.push(Span::new(found.range(), &self.name, Rank::User));
            }
        }
    }
}

impl PartialEq for UserPattern {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.regex.as_str() == other.regex.as_str()
    }
}

impl Eq for UserPattern {}

impl UserKey {
    /// The key called `text`.
    ///
    /// # Errors
    /// When it has no letter or digit.
    pub fn new(text: &str) -> Result<Self, InvalidUserPattern> {
        let words = words_of(text);
        if words.first().is_none_or(String::is_empty) {
            return Err(InvalidUserPattern::Key { key: text.to_owned() });
        }
        Ok(Self { text: text.to_owned(), words })
    }

    /// As it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its words, in small letters; there is one at least.
    pub(super) fn words(&self) -> &[String] {
        &self.words
    }
}

fn reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        // The last line of a syntax error says what it is; those before it draw the expression.
        error => error.to_string().lines().last().unwrap_or("").trim_start_matches("error: ").to_owned(),
    }
}
