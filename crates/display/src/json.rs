//! JSON as text: what two readers of it could disagree about, and what a person could miss.
//!
//! Unlike a parser this reads text that parsers refuse or repair, such as lone surrogates (RFC 8259 §8.2),
//! duplicate names (§4) and numbers out of range (§6): exactly that is what it looks for.

use std::collections::BTreeSet;

use super::character;
use super::finding::{FindingKind, Findings};
use super::line;

/// Most members of one object that a person sees at once.
const MAX_MEMBERS: usize = 40;
/// Most texts in one array that a person sees at once.
const MAX_TEXTS: usize = 100;
/// Integers up to here are the same in every reader (RFC 7493 §2.2).
const MAX_EXACT: u64 = 1 << 53;

/// Notes what is odd about `text` when it begins like a JSON object or array.
pub(super) fn json(text: &str, findings: &mut Findings<'_>) {
    surrogates(text, findings);
    let trimmed = text.trim_start();
    if !trimmed.starts_with(['{', '[']) || !text.trim_end().ends_with(['}', ']']) || !text.contains('"') {
        return;
    }
    members(text, findings);
}

/// Notes what is odd about the members and numbers of `text`, which is taken for JSON.
pub(super) fn members(text: &str, findings: &mut Findings<'_>) {
    let mut levels: Vec<Level> = Vec::new();
    let mut rest = text;
    let byte = |rest: &str| text.len() - rest.len();
    while let Some(first) = rest.chars().next() {
        let at = byte(rest);
        let next = |rest: &'_ str| rest.len() - first.len_utf8();
        match first {
            '{' | '[' => levels.push(Level { is_object: first == '{', expects_name: first == '{', ..Level::default() }),
            '}' | ']' => {
                if let Some(level) = levels.pop() {
                    level.report(at, findings);
                }
            }
            ',' => {
                if let Some(level) = levels.last_mut() {
                    level.expects_name = level.is_object;
                }
            }
            '"' => {
                let (content, after) = string(rest);
                rest = after;
                if let Some(level) = levels.last_mut().filter(|level| !level.is_object) {
                    level.texts += 1;
                }
                if let Some(level) = levels.last_mut().filter(|level| level.expects_name) {
                    level.expects_name = false;
                    level.name(&unescape(content), at, findings);
                }
                continue;
            }
            'N' | 'I' if is_bare_number(rest) => findings.tell(FindingKind::Number, at, || line(rest, 8)),
            '-' | '+' | '.' | '0'..='9' => {
                let end = rest
                    .find(|character: char| {
                        !(character.is_ascii_alphanumeric() || matches!(character, '-' | '+' | '.' | '_'))
                    })
                    .unwrap_or(rest.len());
                let Some((number, after)) = rest.split_at_checked(end) else { return };
                if !is_exact(number) {
                    findings.tell(FindingKind::Number, at, || line(number, 40));
                }
                rest = after;
                continue;
            }
            _ => {}
        }
        let skip = rest.len() - next(rest);
        rest = rest.get(skip..).unwrap_or_default();
    }
}

#[derive(Default)]
struct Level {
    is_object: bool,
    expects_name: bool,
    names: BTreeSet<String>,
    folded: BTreeSet<String>,
    count: usize,
    /// Texts in an array.
    texts: usize,
}

impl Level {
    fn name(&mut self, name: &str, at: usize, findings: &mut Findings<'_>) {
        self.count += 1;
        if name.is_empty()
            || name.chars().any(|character| character::hidden(character).is_some())
            || name.trim() != name
        {
            findings.tell(FindingKind::HiddenField, at, || {
                format!("the name {} holds what cannot be seen", line(name, 60))
            });
        }
        if !self.names.insert(name.to_owned()) {
            findings.tell(FindingKind::DuplicateKey, at, || line(name, 60));
        } else if !self.folded.insert(fold(name)) {
            findings.tell(FindingKind::CaseKey, at, || line(name, 60));
        }
    }

    fn report(&self, at: usize, findings: &mut Findings<'_>) {
        if self.count > MAX_MEMBERS {
            findings.tell(FindingKind::HiddenField, at, || format!("it is one of {} fields", self.count));
        }
        if self.texts > MAX_TEXTS {
            findings.tell(FindingKind::HiddenField, at, || format!("it is one of {} texts", self.texts));
        }
    }
}

/// The name of a JSON member as readers see it that ignore case, and the separators between words.
#[must_use]
pub fn fold(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// The content of the string that `rest` begins with, still escaped, and what comes after it.
fn string(rest: &str) -> (&str, &str) {
    let body = rest.get(1..).unwrap_or_default();
    let mut escaped = false;
    for (at, character) in body.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return (body.get(..at).unwrap_or_default(), body.get(at + 1..).unwrap_or_default()),
            _ => {}
        }
    }
    (body, "")
}

/// `content` with its escapes resolved; a lone surrogate becomes U+FFFD.
fn unescape(content: &str) -> String {
    let mut units: Vec<u16> = Vec::new();
    let mut characters = content.chars();
    let mut buffer = [0; 2];
    while let Some(character) = characters.next() {
        if character != '\\' {
            units.extend_from_slice(character.encode_utf16(&mut buffer));
            continue;
        }
        let unit = match characters.next() {
            Some('u') => {
                let digits: String = characters.by_ref().take(4).collect();
                u16::from_str_radix(&digits, 16).unwrap_or(0xFFFD)
            }
            Some('n') => u16::from(b'\n'),
            Some('t') => u16::from(b'\t'),
            Some('r') => u16::from(b'\r'),
            Some('b') => 8,
            Some('f') => 12,
            Some(other) => {
                units.extend_from_slice(other.encode_utf16(&mut buffer));
                continue;
            }
            None => break,
        };
        units.push(unit);
    }
    String::from_utf16_lossy(&units)
}

/// Escapes of UTF-16 surrogates that are not pairs.
fn surrogates(text: &str, findings: &mut Findings<'_>) {
    let mut high_ends = None;
    let mut last_high = 0;
    for (at, _) in text.match_indices("\\u") {
        let unit = text.get(at + 2..at + 6).and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let pairs = high_ends == Some(at);
        if high_ends.is_some() && !(pairs && matches!(unit, Some(0xDC00..=0xDFFF))) {
            findings.note(FindingKind::Encoding, last_high, 1);
        }
        match unit {
            Some(0xD800..=0xDBFF) => {
                high_ends = Some(at + 6);
                last_high = at;
                continue;
            }
            Some(0xDC00..=0xDFFF) if !pairs => findings.note(FindingKind::Encoding, at, 1),
            _ => {}
        }
        high_ends = None;
    }
    if high_ends.is_some() {
        findings.note(FindingKind::Encoding, last_high, 1);
    }
}

/// Not JSON, and read by some programs all the same: `NaN`, `Infinity` (RFC 8259 §6).
fn is_bare_number(rest: &str) -> bool {
    ["NaN", "Infinity"].iter().any(|name| {
        rest.strip_prefix(name)
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    })
}

/// Every reader gets the same value from `number`.
fn is_exact(number: &str) -> bool {
    let unsigned = number.strip_prefix('-').unwrap_or(number);
    let octal = unsigned.strip_prefix('0').is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()));
    if octal || !unsigned.starts_with(|first: char| first.is_ascii_digit()) {
        return false;
    }
    if let Ok(integer) = number.parse::<i128>() {
        return integer.unsigned_abs() <= u128::from(MAX_EXACT) && number != "-0";
    }
    let digits = number.split(['e', 'E']).next().unwrap_or_default().bytes().filter(u8::is_ascii_digit).count();
    number.parse::<f64>().is_ok_and(|float| float.is_finite() && float != 0.0 && digits <= 17)
        || matches!(number, "0.0" | "0.00" | "0e0")
        || number.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}
