//! Secrets that were found in one text, to be hidden in others that are made from it.
//!
//! Often only what stands around a secret tells that it is one. Of `echo SECRET | sudo -S ls` the first command alone
//! is harmless, and a sentence about it is, too.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use serde_json::{Map, Value};

use super::mark;
use super::span::{Rank, Span, without};

/// Secrets of one call that are remembered; more than a person would read.
const MAX_SECRETS: usize = 1000;
/// Longest secret that is remembered, in bytes. Longer ones are key files, whose own first line tells what they are.
const MAX_LENGTH: usize = 1024;
/// Shortest secret that is remembered, in characters. A shorter one stands in too many words.
const MIN_CHARACTERS: usize = 3;
/// From this length on, in bytes, a secret is hidden in the middle of a word, too.
const ALONE_BELOW: usize = 8;

/// One secret that was found, and its kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Secret {
    pub(super) text: String,
    pub(super) kind: String,
}

/// Secrets that were found in the arguments of a call; [`super::Redactor::knowing`] hides them elsewhere.
#[derive(Clone, Default)]
pub struct Secrets(Option<Arc<Search>>);

struct Search {
    secrets: Vec<Secret>,
    automaton: AhoCorasick,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Secrets({})", self.0.as_ref().map_or(0, |search| search.secrets.len()))
    }
}

impl Secrets {
    /// Those of `found` that `shown`, the arguments without their secrets, does not show. What stands there for
    /// everybody to read is no secret, and nobody should be able to have a word struck out of what Handraise says.
    pub(super) fn hidden(found: Vec<Secret>, shown: &Map<String, Value>) -> Self {
        let all = Self::of(found);
        let Some(search) = &all.0 else { return all };
        let mut is_shown = vec![false; search.secrets.len()];
        each_text(shown, &mut |text| {
            for (index, _) in search.found_in(text) {
                is_shown.get_mut(index).into_iter().for_each(|shown| *shown = true);
            }
        });
        if !is_shown.contains(&true) {
            return all;
        }
        let hidden = search.secrets.iter().zip(is_shown).filter(|(_, shown)| !shown);
        Self::of(hidden.map(|(secret, _)| secret.clone()).collect())
    }

    fn of(found: Vec<Secret>) -> Self {
        let mut secrets: Vec<Secret> = found.into_iter().flat_map(Secret::spellings).collect();
        secrets
            .retain(|secret| secret.text.len() <= MAX_LENGTH && secret.text.chars().nth(MIN_CHARACTERS - 1).is_some());
        secrets.sort();
        secrets.dedup_by(|one, other| one.text == other.text);
        secrets.truncate(MAX_SECRETS);
        if secrets.is_empty() {
            return Self::default();
        }
        let mut automaton = AhoCorasick::builder();
        // The smallest kind: it is made for one call.
        automaton.kind(Some(AhoCorasickKind::NoncontiguousNFA)).match_kind(MatchKind::LeftmostLongest);
        // Fails only for automata of gigabytes.
        let automaton = automaton.build(secrets.iter().map(|secret| &secret.text)).ok();
        Self(automaton.map(|automaton| Arc::new(Search { secrets, automaton })))
    }

    pub(super) fn find<'a>(&'a self, text: &str, spans: &mut Vec<Span<'a>>) {
        let Some(search) = &self.0 else { return };
        spans.extend(search.spans(text).map(|(_, span)| span));
    }
}

impl Search {
    /// Where secrets stand in `text`, and which.
    fn spans(&self, text: &str) -> impl Iterator<Item = (usize, Span<'_>)> {
        self.automaton.find_iter(text).filter_map(move |hit| {
            let index = hit.pattern().as_usize();
            let secret = self.secrets.get(index)?;
            let counts = secret.text.len() >= ALONE_BELOW || stands_alone(text, hit.range());
            counts.then(|| (index, Span::new(hit.range(), &secret.kind, Rank::Structure)))
        })
    }

    /// The same outside of marks.
    fn found_in(&self, text: &str) -> Vec<(usize, usize)> {
        let marks = mark::find(text);
        let spans = self.spans(text).filter(|(_, span)| !without(vec![*span], &marks).is_empty());
        spans.map(|(index, span)| (index, span.start)).collect()
    }
}

impl Secret {
    /// As it is written, and as a shell reads it.
    fn spellings(self) -> impl Iterator<Item = Self> {
        let text = self.text.trim();
        let plain = text.contains('\\').then(|| Self { text: text.replace('\\', ""), kind: self.kind.clone() });
        std::iter::once(Self { text: text.to_owned(), kind: self.kind }).chain(plain)
    }
}

/// Whether no letter or digit stands beside `range`.
fn stands_alone(text: &str, range: Range<usize>) -> bool {
    let before = text.get(..range.start).and_then(|before| before.chars().next_back());
    let after = text.get(range.end..).and_then(|after| after.chars().next());
    !before.into_iter().chain(after).any(char::is_alphanumeric)
}

/// Every name and every text in `arguments`. They are as deep as what was redacted.
fn each_text(arguments: &Map<String, Value>, look: &mut impl FnMut(&str)) {
    let mut open: Vec<&Value> = Vec::new();
    let mut objects = vec![arguments];
    loop {
        if let Some(entries) = objects.pop() {
            entries.keys().for_each(|key| look(key));
            open.extend(entries.values());
        }
        match open.pop() {
            Some(Value::Object(entries)) => objects.push(entries),
            Some(Value::Array(items)) => open.extend(items),
            Some(Value::String(text)) => look(text),
            Some(Value::Number(number)) => look(&number.to_string()),
            Some(Value::Null | Value::Bool(_)) => {}
            None => return,
        }
    }
}
