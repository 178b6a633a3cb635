//! The words of one simple command (POSIX shell, 2.9.1), wherever it stands: in a script, in quotes, in JSON.

use std::ops::Range;

use super::view::View;

/// Most words of a command that are looked at.
const MAX_WORDS: usize = 48;

/// Longest part of a command that is looked at, in bytes.
const MAX_LENGTH: usize = 2048;

/// A word as it is written, with its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Word {
    /// What its quotes enclose; the whole word when they enclose only a part of it.
    pub(super) fn content(self, view: &View<'_>) -> Range<usize> {
        inside_quotes(view, self.start..self.end)
    }

    pub(super) fn text<'t>(self, view: &View<'t>) -> &'t str {
        view.slice(self.content(view))
    }
}

/// The part of a word without the quotes around it.
pub(super) fn inside_quotes(view: &View<'_>, part: Range<usize>) -> Range<usize> {
    let Some(quote) = view.quote(part.start) else { return part };
    let (end, next) = view.quote_end(quote);
    if next < part.end { part } else { quote.content..end.min(part.end).max(quote.content) }
}

/// The words from `from` on, and where the command ends: at an operator, a redirection, the end of its line or of the
/// quotes that it stands in.
pub(super) fn words(view: &View<'_>, from: usize) -> (Vec<Word>, usize) {
    let head = view.line_before(from).as_bytes();
    let is_odd = |sign: u8| head.iter().filter(|byte| **byte == sign).count() % 2 == 1;
    let outer = [b'"', b'\'', b'`'].map(|sign| (sign, is_odd(sign)));
    let is_outer = |byte: u8| outer.contains(&(byte, true));
    let mut words = Vec::new();
    let mut place = from;
    while words.len() < MAX_WORDS && place < view.length().min(from + MAX_LENGTH) {
        place = skip_blanks(view, place);
        let start = place;
        place = word_end(view, start, is_outer);
        if place == start {
            break;
        }
        words.push(Word { start, end: place });
    }
    (words, place)
}

/// Behind blanks and the ends of continued lines (POSIX shell, 2.2.1).
pub(super) fn skip_blanks(view: &View<'_>, from: usize) -> usize {
    let mut place = view.skip_blanks(from);
    while view.byte(place) == b'\\' && matches!(view.byte(place + 1), b'\n' | b'\r') {
        place = view.until(place + 1, |byte| !byte.is_ascii_whitespace());
    }
    place
}

fn word_end(view: &View<'_>, start: usize, is_outer: impl Fn(u8) -> bool) -> usize {
    let mut place = start;
    while place < view.length() {
        let byte = view.byte(place);
        match byte {
            b';' | b'|' | b'&' | b'<' | b'>' => return place,
            b')' if !view.byte(place + 1).is_ascii_alphanumeric() => return place,
            b'#' if place == start => return place,
            byte if byte.is_ascii_whitespace() || is_outer(byte) => return place,
            // A line break in JSON.
            b'\\' if is_outer(b'"') && view.byte(place + 1) == b'n' => return place,
            b'"' | b'\'' | b'`' | b'\\' => {
                let quote = view.quote(place);
                place = quote.map_or(place + 2, |quote| view.quote_end(quote).1.max(place + 1));
            }
            _ => place += 1,
        }
    }
    place.min(view.length())
}
