//! Secrets taken out of text before it is shown, stored or streamed.
//!
//! Three layers. [`prefixes`] knows the public formats of keys and tokens and [`blocks`] private key
//! blocks; [`structure`] knows where secrets stand (options, assignments, URLs, headers, keys of
//! JSON, YAML, TOML and ini); [`look_alikes`] knows what is none although it stands there. What is
//! found is replaced by a mark ([`mark`]) that names its kind, its length and a fingerprint.
//!
//! Redaction hides, it decides nothing: policy and hash see the original. No entropy is measured: it
//! hits digests and misses passwords.
//!
//! Every step is linear in the length of the text; only a user's own pattern can be slower, see
//! [`UserPattern`].

mod blocks;
mod foreign_names;
mod key_names;
mod look_alikes;
mod mark;
mod plain;
mod prefixes;
mod secrecy;
mod secrets;
mod span;
mod structure;
mod token_shape;
mod tokens;
pub mod truncate;
mod user;
mod value;

use std::sync::Arc;

pub use key_names::{secrecy_of_name, secret_name_tables};
pub use mark::in_short;
pub use secrets::Secrets;
pub use truncate::Truncation;
pub use user::{InvalidUserPattern, UserKey, UserPattern, UserRedaction};
pub use value::{RedactedArguments, RedactedValue};

use key_names::KeyNames;
use mark::Marks;
use plain::Plain;
use secrets::Secret;
use span::{Rank, Span};
use structure::Structure;
use tokens::Tokens;

/// How often a text is looked at again after something was replaced in it. A replacement changes
/// what stands next to it; the second look nearly always finds nothing.
const ROUNDS: usize = 8;

/// Replaces secrets by marks. Compiled once; a clone shares everything.
#[derive(Clone, Debug)]
pub struct Redactor {
    rules: Arc<Rules>,
    secrets: Secrets,
}

#[derive(Debug)]
struct Rules {
    marks: Marks,
    tokens: Tokens,
    names: KeyNames,
    structure: Structure,
    user: Vec<UserPattern>,
}

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// The text, each secret replaced by `‹redacted:kind:length:fingerprint›`.
    pub text: String,
    /// What was replaced.
    pub redactions: Vec<Redaction>,
}

/// One secret that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redaction {
    /// What it is: the name of a format such as `github-token`, of a place such as `password`, or of
    /// a user's own pattern.
    pub kind: String,
    /// Length of the original in characters.
    pub length: usize,
}

impl Redactor {
    /// A redactor with the built-in formats and names. `key` makes the fingerprints: equal secrets have equal
    /// fingerprints under one key, and the fingerprint tells nothing without it. It is chosen at random for each run
    /// of the program.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self::with(&UserRedaction::default(), key)
    }

    /// The same with what a user adds.
    #[must_use]
    pub fn with(user: &UserRedaction, key: [u8; 32]) -> Self {
        let names = KeyNames::new(user.keys.iter().map(UserKey::words));
        let structure = Structure::new(&names);
        let (marks, tokens) = (Marks::new(key), Tokens::new());
        let rules = Rules { marks, tokens, names, structure, user: user.patterns.clone() };
        Self { rules: Arc::new(rules), secrets: Secrets::default() }
    }

    /// The same for texts that are made from the arguments of one call, such as a part of its command line: it also hides
    /// `secrets`, which were found in the whole.
    #[must_use]
    pub fn knowing(&self, secrets: &Secrets) -> Self {
        Self { rules: Arc::clone(&self.rules), secrets: secrets.clone() }
    }

    /// The text without its secrets. Doing it again changes nothing.
    #[must_use]
    pub fn text(&self, text: &str) -> Redacted {
        self.text_noting(text, &mut Vec::new())
    }

    /// The same; what was hidden is added to `found`.
    fn text_noting(&self, text: &str, found: &mut Vec<Secret>) -> Redacted {
        let mut redacted = Redacted { text: text.to_owned(), redactions: Vec::new() };
        for _ in 0..ROUNDS {
            let spans = self.secrets_in(&redacted.text);
            if spans.is_empty() {
                break;
            }
            let hidden = spans.iter().filter(|span| span.rank != Rank::Block);
            found.extend(hidden.filter_map(|span| {
                Some(Secret { text: redacted.text.get(span.range())?.to_owned(), kind: span.kind.to_owned() })
            }));
            redacted.text = self.replace(&redacted.text, &spans, &mut redacted.redactions);
        }
        redacted
    }

    /// Where the secrets stand in `text`, in order, without overlap, outside of marks.
    fn secrets_in(&self, text: &str) -> Vec<Span<'_>> {
        let marks = self.rules.marks.find(text);
        let mut spans = Vec::new();
        for plain in Plain::readings(text, &marks) {
            let seen = plain.text();
            let mut found = Vec::new();
            blocks::find(seen, &mut found);
            self.rules.tokens.find(seen, &mut found);
            self.rules.structure.find(seen, &self.rules.names, &mut found);
            spans.extend(plain.to_original(found));
        }
        self.rules.user.iter().for_each(|pattern| pattern.find(text, &mut spans));
        self.secrets.find(text, &mut spans);
        let mut spans = span::without(span::merge(spans), &marks);
        // What is left of a secret around a mark may be a quote or a blank.
        spans.retain(|span| text.get(span.range()).is_some_and(|part| part.contains(char::is_alphanumeric)));
        spans
    }

    fn replace(&self, text: &str, spans: &[Span<'_>], redactions: &mut Vec<Redaction>) -> String {
        let mut replaced = String::with_capacity(text.len());
        let mut from = 0;
        for span in spans {
            replaced.push_str(text.get(from..span.start).unwrap_or_default());
            let (mark, redaction) = self.rules.marks.mark(span.kind, text.get(span.range()).unwrap_or_default());
            replaced.push_str(&mark);
            redactions.push(redaction);
            from = span.end;
        }
        replaced.push_str(text.get(from..).unwrap_or_default());
        replaced
    }
}

#[cfg(test)]
mod tests;
