//! Agent text as a person may see it: what is there, all of it, and nothing that only looks like it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// A run of text that can be drawn as it is, or one character that must be drawn as a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Piece {
    /// Drawn as it is.
    Text(TextPiece),
    /// A character that would be invisible or would change how its neighbours are drawn.
    Hidden(HiddenPiece),
}

/// Text that can be drawn as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TextPiece {
    /// The text.
    pub text: String,
}

/// A character that must be drawn as a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct HiddenPiece {
    /// Its label, as `U+202E`.
    pub label: String,
}

/// Divides `text` into what can be drawn and what must be labelled. Line breaks and tabs stay text.
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut run = String::new();
    for character in text.chars() {
        if is_plain(character) {
            run.push(character);
            continue;
        }
        if !run.is_empty() {
            pieces.push(Piece::Text(TextPiece { text: std::mem::take(&mut run) }));
        }
        pieces.push(Piece::Hidden(HiddenPiece { label: label(character) }));
    }
    if !run.is_empty() {
        pieces.push(Piece::Text(TextPiece { text: run }));
    }
    pieces
}

/// `text` as one plain line for a terminal, a menu or a notification: labels in angle brackets,
/// line breaks and tabs as visible signs, and at most `longest` characters with the rest counted.
#[must_use]
pub fn line(text: &str, longest: usize) -> String {
    let mut shown = String::new();
    let mut characters = text.chars();
    for character in characters.by_ref().take(longest) {
        match character {
            '\n' => shown.push('⏎'),
            '\t' => shown.push('⇥'),
            plain if is_plain(plain) => shown.push(plain),
            hidden => shown.push_str(&format!("⟨{}⟩", label(hidden))),
        }
    }
    let rest = characters.count();
    if rest > 0 {
        shown.push_str(&format!(" … {rest} more characters"));
    }
    shown
}

/// Whether `text` holds a character that must be labelled.
#[must_use]
pub fn has_hidden(text: &str) -> bool {
    !text.chars().all(is_plain)
}

fn label(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}

/// A character that is drawn as itself and leaves its neighbours alone.
fn is_plain(character: char) -> bool {
    if matches!(character, ' '..='~' | '\n' | '\t') {
        return true;
    }
    // Invisible although their category says letter, mark or symbol (Unicode: Default_Ignorable_Code_Point).
    let ignorable = matches!(u32::from(character),
        0x034F | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x2800 | 0x3164
        | 0xFE00..=0xFE0F | 0xFFA0 | 0xE0000..=0xE0FFF);
    !ignorable
        && !matches!(
            character.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::Surrogate
                | GeneralCategory::PrivateUse
                | GeneralCategory::Unassigned
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
                | GeneralCategory::SpaceSeparator
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_to_left_override_is_labelled() {
        assert_eq!(line("rm \u{202e}fdp.exe", 80), "rm ⟨U+202E⟩fdp.exe");
        assert_eq!(
            pieces("a\u{200b}b"),
            [
                Piece::Text(TextPiece { text: "a".into() }),
                Piece::Hidden(HiddenPiece { label: "U+200B".into() }),
                Piece::Text(TextPiece { text: "b".into() }),
            ]
        );
    }

    #[test]
    fn ordinary_text_in_any_script_is_left_alone() {
        for text in ["cargo test --workspace", "größe", "日本語", "emoji 🙂", "two\nlines\tand a tab"] {
            assert_eq!(pieces(text), [Piece::Text(TextPiece { text: text.into() })], "{text}");
        }
    }

    #[test]
    fn what_is_cut_off_is_counted() {
        assert_eq!(line("abcdef", 4), "abcd … 2 more characters");
    }

    #[test]
    fn escape_sequences_cannot_reach_a_terminal() {
        assert_eq!(line("\u{1b}[2Jok", 80), "⟨U+001B⟩[2Jok");
    }
}
