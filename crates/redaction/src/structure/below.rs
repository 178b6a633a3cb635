//! Values of YAML on the lines below their name (YAML 1.2.2, 8.1 to 8.2.2).

use std::ops::Range;

use super::super::look_alikes::{self, ValueSyntax};
use super::super::secrecy::{Secrecy, Strength};
use super::super::span::{Rank, Span};
use super::name::Name;
use super::view::View;

/// Most lines below a name that are looked at.
const MAX_LINES: usize = 64;

/// Finds the values below a name behind whose colon its line ends at `end`. Returns where the last ends.
pub(super) fn find(
    view: &View<'_>,
    name: Name,
    secrecy: Secrecy,
    end: usize,
    spans: &mut Vec<Span<'_>>,
) -> Option<usize> {
    let head = view.line_before(name.start);
    // In code the name does not begin its line: `if password:`.
    if !matches!(view.byte(end), b'\n' | b'\r') || !head.trim_matches(['-', ' ', '"', '\'']).is_empty() {
        return None;
    }
    let indentation = head.trim_end_matches(['"', '\'']).len();
    let mut place = view.until_within(end, 2, |byte| !matches!(byte, b'\n' | b'\r'));
    let mut found = None;
    for _ in 0..MAX_LINES {
        let line_end = view.line_end(place);
        let line = view.slice(place..line_end);
        let content = line.trim_start_matches(' ');
        let deep = line.len() - content.len();
        let item = content.strip_prefix("- ");
        if deep < indentation || deep == indentation && item.is_none() || item.is_none() && found.is_some() {
            break;
        }
        let text = item.or_else(|| content.strip_prefix("value:")).unwrap_or(content).trim_start();
        let start = line_end - text.len();
        let Some(value) = value(view, start..start + text.trim_end().len(), secrecy.strength) else { break };
        found = Some(value.end);
        spans.push(Span::new(value, secrecy.kind, Rank::Structure));
        place = view.until_within(line_end, 2, |byte| !matches!(byte, b'\n' | b'\r'));
        if place == line_end {
            break;
        }
    }
    found
}

/// The secret that a line holds: one word, in quotes or made up.
fn value(view: &View<'_>, line: Range<usize>, strength: Strength) -> Option<Range<usize>> {
    let quote = view.quote(line.start).map(|quote| (quote.content, view.quote_end(quote)));
    let (value, place) = match quote {
        Some((content, (end, next))) if next == line.end => (content..end, ValueSyntax::Quoted),
        Some(_) => return None,
        None => (line, ValueSyntax::Line),
    };
    let text = view.slice(value.clone());
    let is_enough = look_alikes::looks_random(text) || strength == Strength::Strong && look_alikes::mixes(text);
    let is_entry = text.ends_with(':') || text.contains(char::is_whitespace);
    (is_enough && !is_entry && look_alikes::is_secret(text, strength, place)).then_some(value)
}

/// A YAML block scalar (YAML 1.2.2, section 8.1): `|` or `>`, then lines that are further indented
/// than the name.
pub(super) fn block_scalar(view: &View<'_>, name: Name, value: usize, end: usize) -> Option<(usize, usize)> {
    let header = view.slice(value..end);
    if !header.starts_with(['|', '>']) || header.len() > 3 || view.byte(view.line_end(end)) != b'\n' {
        return None;
    }
    // `- name: NAME`, then `value: |`: what counts is where the field of the value begins.
    let field = view.line_before(value);
    let indentation = if view.slice(name.end..value).contains('\n') {
        field.len() - field.trim_start_matches(' ').len()
    } else {
        view.line_before(name.start).len()
    };
    let start = view.line_end(end) + 1;
    let mut stop = start;
    for line in view.rest(start).split_inclusive('\n') {
        let blank = line.trim().is_empty();
        if !blank && line.len() - line.trim_start_matches(' ').len() <= indentation {
            break;
        }
        stop += line.len();
    }
    let content = view.slice(start..stop);
    let trimmed = content.trim();
    let is_secret = look_alikes::is_secret(trimmed, Strength::Strong, ValueSyntax::Quoted);
    let start = start + (content.len() - content.trim_start().len());
    is_secret.then_some((start, start + trimmed.len()))
}
