//! Values that stand in a field of their own, near the one that holds the name.

use std::ops::Range;

use super::super::look_alikes;
use super::name::{MAX_GAP, Name};
use super::view::View;

/// Longest block that is looked through, in bytes.
const MAX_BLOCK: usize = 512;

/// What stands around a name or a value in quotes.
const QUOTES: [char; 3] = ['"', '\'', '\\'];

/// What may stand before `value` in the name of such a field: AWS CloudFormation, Android manifests.
const PREFIXES: &[&str] = &["parameter", "android:"];

/// `"NAME", "value": "…"` and `key="NAME" value="…"`: the value stands in the next field.
pub(super) fn paired_value(view: &View<'_>, after: usize) -> Option<usize> {
    let next = view.until_within(after, MAX_GAP, |byte| {
        !(byte.is_ascii_whitespace() || matches!(byte, b',' | b'"' | b'\'' | b'\\'))
    });
    value_field(view, next)
}

/// `- name: NAME`, then `value: …` on the next line.
pub(super) fn listed_value(view: &View<'_>, after: usize) -> Option<usize> {
    let line = view.skip_blanks(after);
    if !matches!(view.byte(line), b'\n' | b'\r' | b',') {
        return None;
    }
    value_field(view, view.until_within(line, MAX_GAP, |byte| !(byte.is_ascii_whitespace() || byte == b',')))
}

pub(super) fn value_field(view: &View<'_>, place: usize) -> Option<usize> {
    let prefix = PREFIXES.iter().find(|prefix| view.starts(place, prefix)).map_or(0, |prefix| prefix.len());
    let place = place + prefix;
    if !view.starts(place, "value") {
        return None;
    }
    let sign = view.until_within(place + "value".len(), MAX_GAP, |byte| {
        !(byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'\\'))
    });
    matches!(view.byte(sign), b':' | b'=').then(|| view.until(sign + 1, |byte| !byte.is_ascii_whitespace()))
}

/// What stands before the field that holds the name: `name: NAME`, `"key": "NAME"`; `None` when it is no such field.
fn before_field<'t>(view: &View<'t>, name: Name) -> Option<&'t str> {
    let head = view.left(name.start);
    let base = name.start - head.len();
    let head = head.trim_end_matches(QUOTES).trim_end_matches([' ', '\t']).strip_suffix([':', '='])?;
    let head = head.trim_end_matches([' ', '\t']).trim_end_matches(QUOTES);
    let field = ["name", "key"]
        .into_iter()
        .find(|field| head.len() >= field.len() && view.starts(base + head.len() - field.len(), field))?;
    Some(head.get(..head.len() - field.len())?.trim_end_matches(QUOTES))
}

/// `"key": "NAME", "type": "…", "value": "…"`: the value stands in the same object as the name that ends at `after`.
pub(super) fn value_in_object(view: &View<'_>, name: Name, after: usize) -> Option<usize> {
    before_field(view, name).filter(|_| view.byte(view.skip_blanks(after)) == b',')?;
    in_block(view, after.checked_sub(1)?, &["value"])
}

/// `value: …`, then `name: NAME`: where the value stands before the name, and whether in quotes.
pub(super) fn value_before(view: &View<'_>, name: Name) -> Option<(Range<usize>, bool)> {
    let head = before_field(view, name)?;
    let base = name.start - view.left(name.start).len();
    let gap = head.trim_end_matches([' ', '\t', '\n', '\r', ',']);
    if gap.len() == head.len() {
        return None;
    }
    let at = gap.to_ascii_lowercase().rfind("value")? + "value".len();
    let sign = gap.get(at..)?.trim_start_matches(QUOTES).trim_start();
    let text = sign.strip_prefix([':', '='])?.trim_start();
    let start = base + gap.len() - text.len();
    // A form has buttons as well, whose values are words.
    let bare = text.trim_matches(QUOTES);
    if sign.starts_with('=') && !look_alikes::mixes(bare) && !look_alikes::looks_random(bare) {
        return None;
    }
    if let Some(quote) = view.quote(start) {
        let (end, next) = view.quote_end(quote);
        return (next == base + gap.len()).then_some((quote.content..end, true));
    }
    let is_word = !text.is_empty() && !text.contains(char::is_whitespace) && !text.contains(['{', '}', '"']);
    is_word.then_some((start..start + text.len(), false))
}

/// `variable "NAME" { default = "…" }` (Terraform), `"NAME": { "value": "…" }`: where the value of one of `fields` stands
/// in the block that opens at `open`.
pub(super) fn in_block(view: &View<'_>, open: usize, fields: &[&str]) -> Option<usize> {
    let (mut place, mut depth) = (open + 1, 0_usize);
    while place < view.length().min(open + MAX_BLOCK) {
        let byte = view.byte(place);
        let (content, next) = match view.quote(place).filter(|quote| quote.sign == b'"') {
            Some(quote) => {
                let (end, next) = view.quote_end(quote);
                (quote.content..end, next.max(place + 1))
            }
            None => {
                let end = view.until_within(place, MAX_GAP, |byte| !byte.is_ascii_alphanumeric() && byte != b'_');
                (place..end, end.max(place + 1))
            }
        };
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        let is_field = depth == 0 && fields.contains(&view.slice(content));
        if let Some(value) = is_field.then(|| behind_sign(view, next)).flatten() {
            return Some(value);
        }
        place = next;
    }
    None
}

/// The quote behind `:` or `=`.
fn behind_sign(view: &View<'_>, place: usize) -> Option<usize> {
    let sign = view.skip_blanks(place);
    let value = view.until_within(sign + 1, MAX_GAP, |byte| !byte.is_ascii_whitespace());
    (matches!(view.byte(sign), b':' | b'=') && view.quote(value).is_some()).then_some(value)
}
