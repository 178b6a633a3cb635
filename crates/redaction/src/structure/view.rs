//! A text to look around in without leaving it.

use std::cell::Cell;
use std::ops::Range;

/// How far a look to the left goes, in bytes.
const LEFT: usize = 256;

#[derive(Debug)]
pub(super) struct View<'t> {
    pub(super) text: &'t str,
    bytes: &'t [u8],
    /// From where a line end was last sought and where it was: many names on one long line must not
    /// walk through all of it each.
    line: Cell<(usize, usize)>,
}

impl<'t> View<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, bytes: text.as_bytes(), line: Cell::new((1, 0)) }
    }

    /// The byte at `place`; zero outside.
    pub(super) fn byte(&self, place: usize) -> u8 {
        self.bytes.get(place).copied().unwrap_or_default()
    }

    /// The byte before `place`; zero at the beginning.
    pub(super) fn before(&self, place: usize) -> u8 {
        place.checked_sub(1).map_or(0, |before| self.byte(before))
    }

    pub(super) fn length(&self) -> usize {
        self.bytes.len()
    }

    /// The text in `range`; empty where that is no text.
    pub(super) fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    pub(super) fn rest(&self, from: usize) -> &'t str {
        self.text.get(from..).unwrap_or_default()
    }

    pub(super) fn starts(&self, place: usize, with: &str) -> bool {
        self.bytes.get(place..place + with.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(with.as_bytes()))
    }

    /// The first place from `from` on whose byte `ends` says yes to.
    pub(super) fn until(&self, from: usize, ends: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        rest.iter().position(|byte| ends(*byte)).map_or(self.length(), |length| from + length)
    }

    /// As [`View::until`], at most `most` bytes far.
    pub(super) fn until_within(&self, from: usize, most: usize, ends: impl Fn(u8) -> bool) -> usize {
        let stop = from.saturating_add(most).min(self.length());
        let rest = self.bytes.get(from..stop).unwrap_or_default();
        rest.iter().position(|byte| ends(*byte)).map_or(stop.max(from), |length| from + length)
    }

    /// Behind blanks and tabs.
    pub(super) fn skip_blanks(&self, from: usize) -> usize {
        self.until(from, |byte| !matches!(byte, b' ' | b'\t'))
    }

    /// The end of the line that `from` stands on.
    pub(super) fn line_end(&self, from: usize) -> usize {
        let (start, end) = self.line.get();
        if (start..=end).contains(&from) {
            return end;
        }
        let end = self.until(from, |byte| matches!(byte, b'\n' | b'\r'));
        self.line.set((from, end));
        end
    }

    /// What stands to the left of `place`, at most 256 bytes of it.
    pub(super) fn left(&self, place: usize) -> &'t str {
        let start =
            (place.saturating_sub(LEFT)..=place).find(|start| self.text.is_char_boundary(*start)).unwrap_or(place);
        self.slice(start..place)
    }

    /// The part of it on the same line.
    pub(super) fn line_before(&self, place: usize) -> &'t str {
        let head = self.left(place);
        let line = head.bytes().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |end| end + 1);
        head.get(line..).unwrap_or_default()
    }

    /// Whether an odd number of `quote` stands to the left of `place` on its line.
    pub(super) fn is_inside(&self, quote: u8, place: usize) -> bool {
        self.line_before(place).bytes().filter(|byte| *byte == quote).count() % 2 == 1
    }

    /// An opening quote at `place`, with the backslashes before it: how many there are, the quote and
    /// where its content begins.
    pub(super) fn quote(&self, place: usize) -> Option<Quote> {
        let content = self.until(place, |byte| byte != b'\\');
        let sign = self.byte(content);
        let escapes = content - place;
        matches!(sign, b'"' | b'\'' | b'`').then_some(Quote { sign, escapes, content: content + 1 })
    }

    /// Where the content of a quote ends, and where the text goes on. A quote that is not closed ends
    /// with its line.
    pub(super) fn quote_end(&self, quote: Quote) -> (usize, usize) {
        let mut escapes = 0;
        let mut place = quote.content;
        while place < self.length() {
            let byte = self.byte(place);
            place += 1;
            if byte == b'\\' && (quote.sign != b'\'' || quote.escapes > 0) {
                escapes += 1;
                continue;
            }
            let closes = if quote.escapes == 0 { escapes % 2 == 0 } else { escapes <= quote.escapes };
            if byte == quote.sign && closes {
                // SQL and YAML double a single quote to write it.
                let is_doubled = quote.sign == b'\'' && self.byte(place) == b'\'' && place > quote.content + 1;
                if !is_doubled {
                    return (place - 1 - escapes, place);
                }
                place += 1;
            }
            escapes = 0;
        }
        let end = self.line_end(quote.content);
        (end, end)
    }
}

/// An opening quote.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    pub(super) sign: u8,
    /// Backslashes before it: the text is quoted itself.
    pub(super) escapes: usize,
    pub(super) content: usize,
}
