//! `"$(cat <<'EOF' …)"`: text that is written out, as agents write long commit messages.
//!
//! Sources: bash manual, "Here Documents" and "Command Substitution": with a quoted delimiter nothing in the lines is
//! expanded, `cat` without operands copies them, and line breaks at the end are removed. What bash before 4.0 makes
//! of a parenthesis or quote in such lines is not considered.

use std::borrow::Cow;
use std::ops::Range;

/// Such a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Document {
    /// Where it stands, in bytes, from the `$` to the `)`.
    place: Range<usize>,
    /// The text as it is written within double quotes.
    pub(super) quoted: String,
}

impl Document {
    /// Reads one that starts `rest`, which stands at `start` within double quotes; and what follows it.
    pub(super) fn read(rest: &str, start: usize) -> Option<(Self, &str)> {
        let blank = |text: &str| text.trim_start_matches([' ', '\t']).len();
        let skip = |text: &'_ str| text.len() - blank(text);
        let inside = rest.strip_prefix("$(")?;
        let inside = inside.get(skip(inside)..)?.strip_prefix("cat")?;
        let behind = inside.get(skip(inside)..)?.strip_prefix("<<").filter(|_| blank(inside) < inside.len())?;
        let behind = behind.get(skip(behind)..)?;
        let quote = behind.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        let (delimiter, behind) = behind.get(1..)?.split_once(quote)?;
        let is_plain =
            !delimiter.is_empty() && delimiter.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let mut lines = behind.get(skip(behind)..)?.strip_prefix('\n').filter(|_| is_plain)?;
        let mut text = String::new();
        loop {
            let (line, rest) = lines.split_once('\n')?;
            lines = rest;
            if line == delimiter {
                break;
            }
            text.push_str(line);
            text.push('\n');
        }
        let after = lines.trim_start_matches([' ', '\t', '\n']).strip_prefix(')')?;
        let mut quoted = String::with_capacity(text.len());
        for character in text.trim_end_matches('\n').chars() {
            if matches!(character, '\\' | '"' | '$' | '`') {
                quoted.push('\\');
            }
            quoted.push(character);
        }
        Some((Self { place: start..start + rest.len() - after.len(), quoted }, after))
    }
}

/// `text` with each of `documents`, which stand in it in this order, written out.
pub(super) fn inlined<'a>(text: &'a str, documents: &[Document]) -> Cow<'a, str> {
    if documents.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut inlined = String::with_capacity(text.len());
    let mut from = 0;
    for document in documents {
        inlined.push_str(text.get(from..document.place.start).unwrap_or_default());
        inlined.push_str(&document.quoted);
        from = document.place.end;
    }
    inlined.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(inlined)
}
