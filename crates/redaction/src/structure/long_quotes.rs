//! Texts in quotes of more than one sign: `"""…"""`, `[[…]]`, `<![CDATA[…]]>`, here-documents.

use std::ops::Range;

use super::separator::Separator;
use super::view::View;

/// How a quote opens and closes, and whether only behind `=`: elsewhere two brackets are a link or a list.
type LongQuote = (&'static str, &'static str, bool);

#[rustfmt::skip]
const LONG_QUOTES: &[LongQuote] = &[
    // TOML 1.0, "String"; Python, "String literals".
    ("\"\"\"", "\"\"\"", false), ("'''", "'''", false),
    // XML 1.0, 2.7.
    ("<![CDATA[", "]]>", false),
    // Lua 5.4, 3.1.
    ("[[", "]]", true), ("[=[", "]=]", true), ("[==[", "]==]", true),
];

/// Longest content, in bytes.
const MAX_LENGTH: usize = 2048;

/// Longest name that ends a here-document, in bytes.
const MAX_TAG: usize = 32;

/// The content of the long quote that opens at `value`, without the blanks around it.
pub(super) fn content(view: &View<'_>, value: usize, separator: Separator) -> Option<Range<usize>> {
    let is_assigned = matches!(separator, Separator::Equals { .. });
    if !is_assigned && !matches!(separator, Separator::Colon { .. } | Separator::Tag { .. }) {
        return None;
    }
    let quote = LONG_QUOTES.iter().find(|(open, _, assigned)| view.starts(value, open) && (is_assigned || !assigned));
    let content = match quote {
        Some((open, close, _)) => {
            let start = value + open.len();
            start..start + until(view, start, close)?
        }
        None if is_assigned => here_document(view, value)?,
        None => return None,
    };
    let whole = view.slice(content.clone());
    let start = content.start + (whole.len() - whole.trim_start().len());
    let text = whole.trim();
    let has_blanks = |line: &str| line.trim().contains(char::is_whitespace);
    // Several lines of words are a text, and in brackets a link.
    let is_text = text.contains('\n') && text.lines().any(has_blanks);
    let is_link = quote.is_some_and(|(_, _, assigned)| *assigned) && has_blanks(text);
    (!is_text && !is_link).then_some(start..start + text.len())
}

/// How far it is to `close`.
fn until(view: &View<'_>, start: usize, close: &str) -> Option<usize> {
    let rest = view.rest(start);
    let near = (0..=MAX_LENGTH.min(rest.len())).rev().find_map(|end| rest.get(..end))?;
    near.find(close)
}

/// `<<EOT` and `<<-EOT` (HCL native syntax, "Template Expressions"), to the line of that name.
fn here_document(view: &View<'_>, value: usize) -> Option<Range<usize>> {
    let dash = if view.starts(value, "<<-") || view.starts(value, "<<~") { 3 } else { 2 };
    if !view.starts(value, "<<") || view.byte(value + dash) == b'<' {
        return None;
    }
    let tag_start = view.until_within(value + dash, 1, |byte| !matches!(byte, b'"' | b'\''));
    let tag_end = view.until_within(tag_start, MAX_TAG, |byte| !(byte.is_ascii_alphanumeric() || byte == b'_'));
    let tag = view.slice(tag_start..tag_end);
    let start = view.line_end(tag_end) + 1;
    let mut end = start;
    for line in view.rest(start).split_inclusive('\n') {
        if line.trim() == tag && !tag.is_empty() {
            return Some(start..end);
        }
        end += line.len();
        if end > start + MAX_LENGTH {
            break;
        }
    }
    None
}
