//! Agent text as a person may see it: what is there, all of it, and nothing that only looks like it.
//!
//! One division of a text into [`segment`]s is under everything here: [`pieces`] for surfaces that draw
//! chips, [`line()`] for those that have one line, [`show`] for those that have many, and the findings that
//! go with them. Nothing that could act on a terminal, a menu, a notification server or a text layout
//! leaves this module unlabelled.

mod body;
mod character;
mod claim;
mod destination;
mod finding;
mod homoglyph;
mod host;
mod json;
mod known;
mod layout;
mod markup;
mod name;
mod script;
mod segment;
mod stretch;
mod text_role;

pub use body::escape_markup;
pub use destination::{Destination, host_of};
pub use finding::{Finding, FindingKind};
pub use json::fold as fold_name;
use segment::{Segment, content_segments, segments};
pub use text_role::{TextRole, findings};

/// A text that is safe and honest to print, with what is odd about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The text: line breaks and tabs as they are, everything else that is not drawn as itself in angle
    /// brackets, as `⟨U+202E⟩` or `⟨600 blanks⟩`.
    pub text: String,
    /// What is odd about it, one of each kind.
    pub findings: Vec<Finding>,
}

/// `text` as it is safe and honest to print, on as many lines as it has, with what is odd about it.
///
/// Ordinary text comes back unchanged and without findings. Text that could be taken for a label of this
/// function is labelled itself; a text that is too long to be read whole ends with its size.
#[must_use]
pub fn show(text: &str) -> Shown {
    let segments = segments(text);
    let findings = text_role::findings_in(text, TextRole::Anywhere, &segments);
    let mut shown = String::with_capacity(text.len());
    for segment in &segments {
        match segment {
            Segment::Plain(plain) => push_unmistakable(&mut shown, plain),
            other => bracket(&mut shown, other),
        }
    }
    if findings.iter().any(|finding| finding.kind == FindingKind::Long) {
        let summary = layout::summary(text.chars().count(), stretch::lines(text).count());
        shown.push_str(&format!(" ⟨{summary}⟩"));
    }
    Shown { text: shown, findings }
}

/// Adds `plain`, with the brackets labelled that would make labels of what the agent wrote.
fn push_unmistakable(shown: &mut String, plain: &str) {
    let mut characters = plain.chars().peekable();
    while let Some(character) = characters.next() {
        let imitates = |next: &char| next.is_ascii_digit() || matches!(next, 'U' | 'x');
        if character == '⟨' && characters.peek().is_some_and(imitates) {
            shown.push_str(&format!("⟨{}⟩", character::label(character)));
        } else {
            shown.push(character);
        }
    }
}

fn bracket(shown: &mut String, segment: &Segment) {
    if let Some(label) = segment.label() {
        shown.push_str(&format!("⟨{label}⟩"));
    }
}

/// A run of text that can be drawn as it is, or something that must be drawn as a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text that is drawn as it is.
    Text(String),
    /// The label of characters that would be invisible, change how their neighbours are drawn, or push them away, as
    /// `U+202E`, `U+200B ×3` or `600 blanks`; after a host that looks like another, the host as a resolver spells it.
    Hidden(String),
}

/// Divides `text` into what can be drawn and what must be labelled. Line breaks and tabs stay text.
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece> {
    into_pieces(segments(text))
}

/// As [`pieces`], for the content of a file: columns are aligned with longer gaps, and empty lines stay.
#[must_use]
pub fn content_pieces(text: &str) -> Vec<Piece> {
    into_pieces(content_segments(text))
}

fn into_pieces(segments: Vec<Segment>) -> Vec<Piece> {
    let pieces = segments.into_iter().map(|segment| match (segment.label(), segment) {
        (Some(label), _) => Piece::Hidden(label),
        (None, Segment::Plain(text)) => Piece::Text(text),
        (None, _) => Piece::Text(String::new()),
    });
    pieces.collect()
}

/// What is left out of a line, in characters, is no shorter than this: what says so would be longer.
const MIN_LEFT_OUT: usize = 20;

/// `text` as one plain line for a terminal, a menu or a notification: labels in angle brackets,
/// line breaks and tabs as visible signs, and at most `longest` characters with the rest counted. A rest that is shorter
/// than what would count it is shown.
#[must_use]
pub fn line(text: &str, longest: usize) -> String {
    let (shown, rest) = beginning(text, longest);
    if (1..MIN_LEFT_OUT).contains(&rest) {
        let (whole, left) = beginning(text, longest + MIN_LEFT_OUT);
        if left == 0 {
            return whole;
        }
    }
    match rest {
        0 => shown,
        1 => format!("{shown} … 1 more character"),
        _ => format!("{shown} … {rest} more characters"),
    }
}

/// About the first `longest` characters of `text` as one plain line, and how many characters are left.
fn beginning(text: &str, longest: usize) -> (String, usize) {
    let mut shown = String::new();
    let mut room = longest;
    let mut rest = 0;
    for segment in segments(text) {
        match &segment {
            Segment::Plain(plain) => {
                let (kept, cut) = split(plain, room);
                shown.extend(kept.chars().map(|character| match character {
                    '\n' => '⏎',
                    '\t' => '⇥',
                    other => other,
                }));
                let cut = cut.chars().count();
                rest += cut;
                room = if cut == 0 { room.saturating_sub(kept.chars().count()) } else { 0 };
            }
            _ if room == 0 => rest += segment.length(),
            other => {
                let before = shown.chars().count();
                bracket(&mut shown, other);
                room = room.saturating_sub(shown.chars().count() - before);
            }
        }
    }
    (shown, rest)
}

/// How many characters one sign may be made of before a cut goes through it.
const MAX_JOINED: usize = 16;

/// `text` in two, the first part with at most `longest` characters. What joins two characters stays with both
/// of them: alone it would not be seen.
#[must_use]
pub fn split(text: &str, longest: usize) -> (&str, &str) {
    let cut = |length: usize| {
        let at = text.char_indices().nth(length).map_or(text.len(), |(at, _)| at);
        text.split_at_checked(at).unwrap_or((text, ""))
    };
    let whole = |(kept, rest): &(&str, &str)| !has_hidden(kept) && !begins_hidden(rest);
    let shorter = (longest.saturating_sub(MAX_JOINED).max(1)..=longest).rev();
    let (kept, rest) = cut(longest);
    if rest.is_empty() { (kept, rest) } else { shorter.map(cut).find(whole).unwrap_or((kept, rest)) }
}

fn begins_hidden(text: &str) -> bool {
    let beginning: String = text.chars().take(MAX_JOINED).collect();
    segments(&beginning).first().is_some_and(|first| matches!(first, Segment::Hidden(..) | Segment::Marks(_)))
}

/// JSON text with every character escaped that must be labelled, and with these all combining marks,
/// so that a person edits what is there and sees all of it. Such characters stand only inside strings
/// of valid JSON (RFC 8259 §7), but for the carriage return, which is a blank between its tokens there.
#[must_use]
pub fn escape_json(json: &str) -> String {
    let is_escaped = |character: char| character::hidden(character).is_some();
    // A mark would stand without its base once what is before it is escaped.
    let marks = has_hidden(json) || json.contains(is_escaped);
    let mut units = [0; 2];
    let escaped = json.chars().map(|character| {
        if character == '\r' {
            return "\n".to_owned();
        }
        if !(is_escaped(character) || marks && character::is_mark(character)) {
            return character.to_string();
        }
        character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
    });
    escaped.collect()
}

/// Whether `text` holds characters that must be labelled because they would not be seen as what they are.
#[must_use]
pub fn has_hidden(text: &str) -> bool {
    segments(text).iter().any(|segment| match segment {
        Segment::Hidden(hidden, ..) => *hidden != character::Hidden::Large,
        segment => matches!(segment, Segment::Marks(_)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carriage_return_between_tokens_stays_a_blank() {
        assert_eq!(escape_json("{\"a\":\r\"b\u{202e}\"}"), "{\"a\":\n\"b\\u202e\"}");
    }

    #[test]
    fn a_right_to_left_override_is_labelled() {
        assert_eq!(line("rm \u{202e}fdp.exe", 80), "rm ⟨U+202E⟩fdp.exe");
        assert_eq!(
            pieces("a\u{200b}b"),
            [Piece::Text("a".into()), Piece::Hidden("U+200B".into()), Piece::Text("b".into()),]
        );
    }

    #[test]
    fn ordinary_text_in_any_script_is_left_alone() {
        for text in ["cargo test --workspace", "größe", "日本語", "emoji 🙂", "two\nlines\tand a tab"] {
            assert_eq!(pieces(text), [Piece::Text(text.into())], "{text}");
        }
    }

    #[test]
    fn a_host_is_named_once_however_often_its_line_is_shown() {
        for text in ["c:/\u{4cf}.com", "https://paypa\u{4cf}.com", "https://paypa\u{4cf}.com/x"] {
            let once = line(text, 80);
            assert!(once.contains("⟨xn--"), "{once}");
            assert_eq!(line(&once, 80), once);
        }
    }

    #[test]
    fn what_is_cut_off_is_counted() {
        assert_eq!(line(&"a".repeat(24), 4), "aaaa … 20 more characters");
        // Saying so would take more room than what is left out.
        assert_eq!(line("abcdef", 4), "abcdef");
        assert_eq!(line(&"a".repeat(23), 4), "a".repeat(23));
        // What is left out takes more room than it has characters.
        let hidden = format!("abcd{}", "\u{202e}a".repeat(9));
        assert_eq!(line(&hidden, 4), "abcd … 18 more characters");
    }

    #[test]
    fn a_text_is_not_cut_between_what_joins_and_what_is_joined() {
        let texts =
            ["می\u{200c}خواهم بروم", "👨\u{200d}👩\u{200d}👧 and 🏳\u{fe0f}\u{200d}🌈", "क\u{94d}\u{200d}ष", "abcdef"];
        for text in texts.map(|text| format!("echo all of this: {text}")) {
            let text = text.as_str();
            assert!(!has_hidden(text), "{text}");
            for longest in MAX_JOINED..text.chars().count() {
                let (kept, rest) = split(text, longest);
                assert!(!has_hidden(kept) && !begins_hidden(rest), "{kept:?} {rest:?}");
                assert_eq!(format!("{kept}{rest}"), text);
                assert!((1..=longest).contains(&kept.chars().count()), "{kept:?}");
                assert!(!has_hidden(&line(text, longest)), "{:?}", line(text, longest));
            }
        }
    }

    #[test]
    fn escape_sequences_cannot_reach_a_terminal() {
        assert_eq!(line("\u{1b}[2Jok", 80), "⟨U+001B⟩[2Jok");
    }
}
