//! The table `[redaction]`: what is secret besides what Handraise knows itself.

use std::ops::Range;

use handraise_redaction::{InvalidUserPattern, UserKey, UserPattern, UserRedaction};

use super::reader::{Reader, Value};

const REDACTION_KEYS: &[&str] = &["patterns", "keys"];
const PATTERN_KEYS: &[&str] = &["name", "regex"];
/// Most patterns: each is looked for in every text, and takes memory.
const MAX_PATTERNS: usize = 64;
/// Most names of keys.
const MAX_KEYS: usize = 1_000;

pub(super) fn read_redaction(reader: &mut Reader<'_>, value: &Value<'_>) -> UserRedaction {
    let mut redaction = UserRedaction::default();
    let Some(table) = reader.table("redaction", value) else { return redaction };
    reader.check_keys(table, "[redaction]", REDACTION_KEYS);
    if let Some(value) = table.get("keys") {
        for value in limited(reader, "keys", value, "a list of texts", MAX_KEYS) {
            redaction.keys.extend(read_key(reader, value));
        }
    }
    if let Some(value) = table.get("patterns") {
        let wanted = "a list as `[{ name = \"…\", regex = \"…\" }]`";
        for value in limited(reader, "patterns", value, wanted, MAX_PATTERNS) {
            redaction.patterns.extend(read_pattern(reader, value));
        }
    }
    redaction
}

/// The values of a list, none when there are more than `most`.
fn limited<'v, 'd>(
    reader: &mut Reader<'_>,
    key: &str,
    value: &'v Value<'d>,
    wanted: &str,
    most: usize,
) -> Vec<&'v Value<'d>> {
    let values = reader.list(key, value, wanted);
    if values.len() <= most {
        return values;
    }
    let message = format!("`{key}` has more than {most} entries");
    reader.error("too_many", value.span(), message, Some(format!("{most} are the most")));
    Vec::new()
}

fn read_key(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<UserKey> {
    let text = reader.string("keys", value)?;
    UserKey::new(text).map_err(|error| refuse(reader, &error, value.span(), value.span())).ok()
}

fn read_pattern(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<UserPattern> {
    let table = reader.table("patterns", value)?;
    reader.check_keys(table, "a redaction pattern", PATTERN_KEYS);
    let mut text = |key: &str| match table.get(key) {
        Some(value) => reader.string(key, value).map(|text| (text.to_owned(), value.span())),
        None => {
            let help = Some("write `{ name = \"ticket\", regex = \"TICKET-[0-9]+\" }`".to_owned());
            reader.error("missing_key", value.span(), format!("the redaction pattern has no `{key}`"), help);
            None
        }
    };
    let (name, regex) = (text("name"), text("regex"));
    let ((name, of_name), (regex, of_regex)) = (name?, regex?);
    UserPattern::new(&name, &regex).map_err(|error| refuse(reader, &error, of_name, of_regex)).ok()
}

fn refuse(reader: &mut Reader<'_>, error: &InvalidUserPattern, name: Range<usize>, regex: Range<usize>) {
    const SYNTAX: &str = "see https://docs.rs/regex/#syntax; in TOML, write it in single quotes";
    let unusable = |problem: &str| format!("the regular expression cannot be used: {problem}");
    let (code, span, message, help) = match error {
        InvalidUserPattern::Name { name: text } => {
            let help = "write lower-case letters, digits and hyphens, at most 32";
            ("bad_name", name, format!("`{text}` cannot be the name of a redaction pattern"), help)
        }
        InvalidUserPattern::Key { key } => (
            "bad_key",
            name,
            format!("`{key}` is no name of a key"),
            "write the name of a field, with letters or digits",
        ),
        InvalidUserPattern::Regex { reason, .. } => ("bad_regex", regex, unusable(reason), SYNTAX),
        InvalidUserPattern::MatchesNothing { .. } => {
            ("bad_regex", regex, unusable("it matches the empty text"), SYNTAX)
        }
    };
    reader.error(code, span, message, Some(help.to_owned()));
}
