//! A TOML document read key by key, with a place for everything that is wrong.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::{Diagnostic, Severity};
use super::nearest::nearest;

/// A value with its place.
pub(super) type Value<'d> = Spanned<DeValue<'d>>;

/// Collects what is wrong with one text.
pub(super) struct Reader<'t> {
    text: &'t str,
    line_starts: Vec<usize>,
    /// The rule that is being read.
    pub(super) rule: Option<usize>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self {
            text,
            line_starts: std::iter::once(0).chain(after_breaks).collect(),
            rule: None,
            diagnostics: Vec::new(),
        }
    }

    pub(super) fn error(&mut self, code: &str, span: Range<usize>, message: String, help: Option<String>) {
        self.add(Severity::Error, code, span, message, help);
    }

    pub(super) fn warning(&mut self, code: &str, span: Range<usize>, message: String, help: Option<String>) {
        self.add(Severity::Warning, code, span, message, help);
    }

    fn add(&mut self, severity: Severity, code: &str, span: Range<usize>, message: String, help: Option<String>) {
        let span = self.within(span);
        let (line, column) = self.position(span.start);
        let code = format!("policy::{code}");
        self.diagnostics.push(Diagnostic { severity, code, message, span, line, column, help, rule: self.rule });
    }

    /// `span` inside the text and at the borders of characters.
    fn within(&self, span: Range<usize>) -> Range<usize> {
        let border = |at: usize| (0..=at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at));
        let start = border(span.start).unwrap_or(0);
        start..border(span.end.max(span.start)).unwrap_or(0).max(start)
    }

    /// Line and column of a byte, both from 1.
    pub(super) fn position(&self, at: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start <= at).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start..at).unwrap_or("");
        (line, before.chars().count() + 1)
    }

    /// The first line of `span`: a table is pointed at where it begins.
    pub(super) fn first_line(&self, span: &Range<usize>) -> Range<usize> {
        let text = self.text.get(span.clone()).unwrap_or("");
        span.start..span.start + text.lines().next().unwrap_or("").len()
    }

    /// Says that `key` is not known in `place`, and which one is meant.
    pub(super) fn unknown_key(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>, place: &str, known: &[&str]) {
        let help = match nearest(key.get_ref(), known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the keys of {place} are {}", known.join(", ")),
        };
        self.error("unknown_key", key.span(), format!("`{}` is not a key of {place}", key.get_ref()), Some(help));
    }

    fn wrong_type(&mut self, key: &str, value: &Value<'_>, wanted: &str, help: String) {
        let message = format!("`{key}` is {}, but must be {wanted}", article(value.get_ref().type_str()));
        self.error("wrong_type", value.span(), message, Some(help));
    }

    pub(super) fn string<'v>(&mut self, key: &str, value: &'v Value<'_>) -> Option<&'v str> {
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong_type(key, value, "text in quotes", "put it in double quotes".to_owned());
        }
        text
    }

    pub(super) fn boolean(&mut self, key: &str, value: &Value<'_>) -> Option<bool> {
        let truth = value.get_ref().as_bool();
        if truth.is_none() {
            let help = format!("write `{key} = true`, or leave the key out");
            self.wrong_type(key, value, "`true` or `false`", help);
        }
        truth
    }

    pub(super) fn table<'v, 'd>(&mut self, key: &str, value: &'v Value<'d>) -> Option<&'v DeTable<'d>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            let help = format!("write `[{key}]` and its keys below, or `{{ … }}` on one line");
            self.wrong_type(key, value, "a table", help);
        }
        table
    }

    /// The elements of a list.
    pub(super) fn list<'v, 'd>(&mut self, key: &str, value: &'v Value<'d>, wanted: &str) -> Vec<&'v Value<'d>> {
        match value.get_ref().as_array() {
            Some(values) => values.iter().collect(),
            None => {
                let help = match value.get_ref() {
                    DeValue::Table(_) => format!("write `[[{key}]]`, with two brackets, above each"),
                    _ => format!("write `{key} = [ … ]`"),
                };
                self.wrong_type(key, value, wanted, help);
                Vec::new()
            }
        }
    }

    /// An error for every key of `table`, which is `place`, that is not `known`.
    pub(super) fn check_keys(&mut self, table: &DeTable<'_>, place: &str, known: &[&str]) {
        for (key, _) in table.iter().filter(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            self.unknown_key(key, place, known);
        }
    }

    /// A list of texts. Whatever is none is an error, and left out.
    pub(super) fn texts(&mut self, key: &str, value: &Value<'_>) -> Vec<String> {
        let values = self.list(key, value, "a list of texts");
        values.into_iter().filter_map(|value| self.string(key, value).map(str::to_owned)).collect()
    }

    /// One text, or a list of texts that is not empty, each with its place.
    pub(super) fn strings<'v>(&mut self, key: &str, value: &'v Value<'_>) -> Vec<(&'v str, Range<usize>)> {
        let values = match value.get_ref() {
            DeValue::Array(values) => values.iter().collect(),
            DeValue::String(_) => vec![value],
            _ => {
                let help = format!("write `{key} = \"…\"` or `{key} = [\"…\", \"…\"]`");
                self.wrong_type(key, value, "text in quotes, or a list of such texts", help);
                return Vec::new();
            }
        };
        if values.is_empty() {
            let help = Some("leave the key out, or name at least one".to_owned());
            self.error("empty_list", value.span(), format!("`{key}` is an empty list, which nothing matches"), help);
        }
        values.into_iter().filter_map(|value| Some((self.string(key, value)?, value.span()))).collect()
    }

    /// The time-out `90s`, `5m` or `1h` as seconds, from one to `most`.
    pub(super) fn seconds(&mut self, value: &Value<'_>, most: u32, help: &str) -> Option<u32> {
        let text = self.string("timeout", value)?;
        let duration: Option<jiff::SignedDuration> = text.parse().ok();
        let seconds = duration.and_then(|duration| u32::try_from(duration.as_secs()).ok());
        let seconds = seconds.filter(|seconds| (1..=most).contains(seconds));
        if seconds.is_none() {
            self.error("bad_timeout", value.span(), format!("`{text}` is no time-out"), Some(help.to_owned()));
        }
        seconds
    }

    /// The value that a word stands for.
    pub(super) fn word<T: Copy>(&mut self, key: &str, value: &Value<'_>, words: &[(&str, T)]) -> Option<T> {
        let word = self.string(key, value)?;
        self.known_word(key, word, value.span(), words)
    }

    pub(super) fn known_word<T: Copy>(
        &mut self,
        key: &str,
        word: &str,
        span: Range<usize>,
        words: &[(&str, T)],
    ) -> Option<T> {
        let found = words.iter().find(|(known, _)| *known == word).map(|(_, value)| *value);
        if found.is_none() {
            let known: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
            let help = match nearest(word, words.iter().map(|(word, _)| *word)) {
                Some(meant) => format!("did you mean \"{meant}\"?"),
                None => format!("write one of {}", known.join(", ")),
            };
            let noun = noun(key);
            self.error(
                &format!("unknown_{}", noun.replace(' ', "_")),
                span,
                format!("`{word}` is no {noun}"),
                Some(help),
            );
        }
        found
    }
}

/// What the words of `key` are, for a person.
fn noun(key: &str) -> &str {
    match key {
        "path_in" => "place",
        "risk" => "risk level",
        "unknown_tools" | "read_only" | "write" | "destructive" => "action",
        other => other,
    }
}

fn article(kind: &str) -> String {
    let vowel = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {kind}", if vowel { "an" } else { "a" })
}
