//! The user's own patterns and names of keys, from the section `[redaction]` of the policy file.

use regex::{Regex, RegexBuilder};

use super::mark::{self, MAX_KIND};
use super::span::{Rank, Span};

/// Memory that one compiled pattern may take, in bytes.
const MAX_PATTERN: usize = 1 << 20;

/// A user's own kind of secret.
///
/// The pattern is a regular expression as the crate `regex` understands it. The whole match is
/// redacted, or its group `secret` where it has one. Each match is found in time linear in the
/// text; a pattern that looks far ahead at every place (`a.*b`) can make finding all of them
/// quadratic, so a bound (`a.{0,99}b`) is better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserPattern {
    /// Names the kind in marks: lower-case letters, digits and hyphens, at most 32.
    pub name: String,
    /// The regular expression.
    pub regex: String,
}

/// What the user adds to the built-in formats and names. Nothing of the user's can take away a
/// built-in one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserRedaction {
    /// Patterns for text.
    pub patterns: Vec<UserPattern>,
    /// Names of keys whose values are secret, whatever their case and word separators.
    pub keys: Vec<String>,
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

#[derive(Debug)]
pub(super) struct UserPatterns {
    patterns: Vec<(String, Regex)>,
}

impl UserPatterns {
    pub(super) fn new(patterns: &[UserPattern]) -> Result<Self, InvalidUserPattern> {
        let compiled: Result<_, _> = patterns.iter().map(compile).collect();
        Ok(Self { patterns: compiled? })
    }

    pub(super) fn find<'a>(&'a self, text: &str, spans: &mut Vec<Span<'a>>) {
        for (name, regex) in &self.patterns {
            for captures in regex.captures_iter(text) {
                if let Some(found) = captures.name("secret").or_else(|| captures.get(0)) {
                    spans.push(Span::new(found.range(), name, Rank::User));
                }
            }
        }
    }
}

fn compile(pattern: &UserPattern) -> Result<(String, Regex), InvalidUserPattern> {
    let name = pattern.name.clone();
    if !mark::is_kind(&name) {
        return Err(InvalidUserPattern::Name { name });
    }
    let compiled = RegexBuilder::new(&pattern.regex).size_limit(MAX_PATTERN).build();
    match compiled {
        Ok(regex) if regex.is_match("") => Err(InvalidUserPattern::MatchesNothing { name }),
        Ok(regex) => Ok((name, regex)),
        Err(error) => Err(InvalidUserPattern::Regex { name, reason: error.to_string() }),
    }
}
