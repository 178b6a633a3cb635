//! A text as the search sees it: without control sequences that would split a secret, and with
//! earlier marks covered.

use std::borrow::Cow;
use std::ops::Range;

use super::span::Span;

/// Stands for each byte of a mark. It is taken out of the original like every control character, so a
/// run of it is always a mark, and one repeated sign is never a secret.
const MASK: char = '\u{1a}';
const ESCAPE: char = '\u{1b}';
/// Longest control sequence that is taken out, in characters.
const MAX_SEQUENCE: usize = 64;

/// The text to search, and the way back to the original.
pub(super) struct Plain<'t> {
    text: Cow<'t, str>,
    /// For each byte of `text` where it stands in the original; `None` when nothing was taken out.
    places: Option<Vec<usize>>,
    original: &'t str,
    reading: Reading,
}

/// What becomes of the parameters and the final character of a control sequence, and of characters that JSON escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Sequences are taken out with the escape character, as a terminal does.
    TakenOut,
    /// They are kept, as everybody else does, who may find a secret in them.
    Kept,
    /// As a parser of JSON reads the text: `pass\u0077ord` is a name like any other (RFC 8259, section 7).
    Unescaped,
}

/// Begins the escape of an ASCII character in JSON, and how long it is.
const JSON_ESCAPE: &str = "\\u00";
const JSON_ESCAPE_LENGTH: usize = 6;

impl<'t> Plain<'t> {
    /// The readings of `original`: one, and one each when it has control sequences or escaped letters.
    pub(super) fn readings(original: &'t str, marks: &[Range<usize>]) -> impl Iterator<Item = Self> {
        let kept = original.contains("\u{1b}[").then(|| Self::new(original, marks, Reading::Kept));
        let unescaped = original.contains(JSON_ESCAPE).then(|| Self::new(original, marks, Reading::Unescaped));
        std::iter::once(Self::new(original, marks, Reading::TakenOut)).chain(kept).chain(unescaped)
    }

    fn new(original: &'t str, marks: &[Range<usize>], reading: Reading) -> Self {
        if marks.is_empty() && !original.contains(is_invisible) && reading != Reading::Unescaped {
            return Self { text: Cow::Borrowed(original), places: None, original, reading };
        }
        let mut text = String::with_capacity(original.len());
        let mut places = Vec::with_capacity(original.len());
        let mut marks = marks.iter().peekable();
        let mut characters = original.char_indices().peekable();
        while let Some((place, character)) = characters.next() {
            while marks.next_if(|mark| mark.end <= place).is_some() {}
            if marks.peek().is_some_and(|mark| mark.start <= place) {
                text.extend(std::iter::repeat_n(MASK, character.len_utf8()));
                places.extend(place..place + character.len_utf8());
            } else if character == ESCAPE && reading != Reading::Kept {
                skip_sequence(&mut characters);
            } else if let Some(letter) = escaped_at(original, place).filter(|_| reading == Reading::Unescaped) {
                text.push(letter);
                places.push(place);
                // The rest of the escape is ASCII.
                for _ in 1..JSON_ESCAPE_LENGTH {
                    characters.next();
                }
            } else if !is_invisible(character) {
                text.push(character);
                places.extend(place..place + character.len_utf8());
            }
        }
        Self { text: Cow::Owned(text), places: Some(places), original, reading }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The spans, found in [`Plain::text`], as they stand in the original.
    pub(super) fn to_original<'a>(&self, mut spans: Vec<Span<'a>>) -> Vec<Span<'a>> {
        let Some(places) = &self.places else { return spans };
        for span in &mut spans {
            let length = self.original.len();
            span.start = places.get(span.start).copied().unwrap_or(length);
            let last = span.end.checked_sub(1).and_then(|last| places.get(last));
            span.end = last.map_or(length, |last| last + self.length_at(*last)).max(span.start);
        }
        spans
    }

    /// How long what stands for a byte of [`Plain::text`] is at `place` in the original.
    fn length_at(&self, place: usize) -> usize {
        let is_escaped = self.reading == Reading::Unescaped && escaped_at(self.original, place).is_some();
        if is_escaped { JSON_ESCAPE_LENGTH } else { 1 }
    }
}

/// The letter, digit or other sign that JSON escapes at `place`; none that would end a text there.
fn escaped_at(original: &str, place: usize) -> Option<char> {
    let escape = original.get(place..place + JSON_ESCAPE_LENGTH)?;
    let code = u8::from_str_radix(escape.strip_prefix(JSON_ESCAPE)?, 16).ok()?;
    (code.is_ascii_graphic() && !b"\"'\\".contains(&code)).then_some(char::from(code))
}

/// Characters that a reader does not see and that would end a match: controls except the blanks,
/// soft hyphen, zero-width characters, direction marks, tags and variation selectors.
fn is_invisible(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => false,
        character if character.is_ascii() => character.is_ascii_control(),
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

/// Skips the rest of an ANSI control sequence (ECMA-48, section 5.4): `[`, parameters, one final
/// character. Any other escape is only the escape character itself.
fn skip_sequence(characters: &mut std::iter::Peekable<std::str::CharIndices<'_>>) {
    if characters.next_if(|(_, character)| *character == '[').is_none() {
        return;
    }
    for _ in 0..MAX_SEQUENCE {
        if characters.next_if(|(_, character)| (' '..='?').contains(character)).is_none() {
            break;
        }
    }
    characters.next_if(|(_, character)| ('@'..='~').contains(character));
}

#[cfg(test)]
mod tests {
    use super::super::span::Rank;
    use super::*;

    #[test]
    fn a_colour_inside_a_word_is_taken_out_and_covered() {
        let text = "a Fa\u{1b}[1;31mke\u{200b}X b";
        let plain = Plain::new(text, &[], Reading::TakenOut);
        assert_eq!(plain.text(), "a FakeX b");
        let spans = plain.to_original(vec![Span::new(2..7, "x", Rank::Token)]);
        assert_eq!(text.get(spans[0].range()).unwrap(), "Fa\u{1b}[1;31mke\u{200b}X");
    }

    #[test]
    fn marks_are_masked_byte_by_byte() {
        let mark = "‹redacted:x:1:01234567›";
        let text = format!("a{mark}b");
        let place = 1..mark.len() + 1;
        let plain = Plain::new(&text, &[place], Reading::TakenOut);
        assert_eq!(plain.text(), format!("a{}b", "\u{1a}".repeat(mark.len())));
    }
}
