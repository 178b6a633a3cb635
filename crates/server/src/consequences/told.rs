//! What is told of one command, in words for a person.

use handraise_display::line;
use handraise_protocol::Consequence;

use crate::redacted::RequestRedactor;

/// Names that stand in the sentence itself.
const IN_SENTENCE: usize = 3;
/// Names that are told at all; more are counted.
const MAX_NAMES: usize = 50;
/// Longest command, sentence and name, in characters; the rest is counted.
const MAX_COMMAND: usize = 80;
const MAX_SENTENCE: usize = 400;
const MAX_NAME: usize = 200;

/// What is told of one command. Its texts are as they were found: an agent may have chosen them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandConsequence {
    /// The command; empty: the whole call.
    pub(crate) command: String,
    /// What it would do, without the names: a clause that begins with a capital letter.
    pub(crate) clause: String,
    /// What stands first among the names is lost for good.
    pub(crate) loses: bool,
    /// Files, commits or scripts, the most telling first.
    pub(crate) names: Vec<String>,
    /// How many there are.
    pub(crate) count: usize,
    /// Commands in front of it may change what is there.
    pub(crate) is_behind_changes: bool,
}

impl CommandConsequence {
    /// As a surface may have it.
    pub(crate) fn shown(&self, redactor: &RequestRedactor) -> Consequence {
        let safe = |text: &str, longest| line(&redactor.text(text), longest);
        let first = self.names.iter().take(IN_SENTENCE).map(|name| safe(name, MAX_NAME / 2)).collect::<Vec<_>>();
        let more = self.count.saturating_sub(first.len());
        let rest = if more > 0 { format!(" and {} more", number(more)) } else { String::new() };
        let names = if first.is_empty() { String::new() } else { format!(": {}{rest}", first.join(", ")) };
        let behind = if self.is_behind_changes { " (as it is now)" } else { "" };
        let sentence = format!("{}{names}{behind}.", safe(&self.clause, MAX_SENTENCE));
        let all: Vec<String> = self.names.iter().take(MAX_NAMES).map(|name| safe(name, MAX_NAME)).collect();
        // What the sentence says whole is not said twice.
        let names = if self.count > IN_SENTENCE { all } else { Vec::new() };
        let more = self.count.saturating_sub(names.len());
        Consequence {
            command: safe(&self.command, MAX_COMMAND),
            sentence,
            loses: self.loses,
            more: if names.is_empty() { 0 } else { u32::try_from(more).unwrap_or(u32::MAX) },
            names,
        }
    }
}

/// `1 file`, `1,204 files`.
#[cfg(any(unix, test))]
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// `1,204`.
pub(super) fn number(number: usize) -> String {
    let digits = number.to_string();
    let (start, length) = (digits.len() % 3, digits.len());
    let grouped = digits.chars().enumerate().flat_map(|(at, digit)| {
        let separates = at > 0 && at % 3 == start && at < length;
        separates.then_some(',').into_iter().chain([digit])
    });
    grouped.collect()
}

#[cfg(any(unix, test))]
/// `2.3 MB`, as file managers count: by thousands.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1_000 {
        return counted(usize::try_from(bytes).unwrap_or(usize::MAX), "byte", "bytes");
    }
    let (mut tenths, mut unit) = (bytes / 100, 0);
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1_000;
        unit += 1;
    }
    let name = UNITS.get(unit).copied().unwrap_or("TB");
    if tenths < 100 { format!("{}.{} {name}", tenths / 10, tenths % 10) } else { format!("{} {name}", tenths / 10) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_sizes_are_short() {
        assert_eq!([1, 12, 999, 1_204, 1_234_567].map(number), ["1", "12", "999", "1,204", "1,234,567"]);
        assert_eq!(
            [0, 1, 999, 1_000, 2_345, 23_456, 2_345_678, 999_999, 5_000_000_000].map(size),
            ["0 bytes", "1 byte", "999 bytes", "1.0 kB", "2.3 kB", "23 kB", "2.3 MB", "999 kB", "5.0 GB"]
        );
    }

    #[test]
    fn what_an_agent_named_is_safe_and_without_secrets() {
        let redactor = RequestRedactor::new([7; 32]);
        let names = vec!["a\u{202e}b".to_owned(), "ghp_0123456789abcdefghijABCDEFGHIJ012345".to_owned()];
        let told =
            CommandConsequence { clause: "Deletes 2 files".into(), names, count: 2, ..CommandConsequence::default() }
                .shown(&redactor);
        assert!(!handraise_display::has_hidden(&told.sentence), "{}", told.sentence);
        assert!(told.sentence.contains("U+202E") && !told.sentence.contains("ghp_0123456789"), "{}", told.sentence);
        assert_eq!(told.names, Vec::<String>::new());
    }
}
