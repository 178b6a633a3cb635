//! Characters that make a command line read differently from how it runs.

use unicode_properties::{GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};

/// Code points that Unicode calls default ignorable without giving them the category Cf
/// (DerivedCoreProperties.txt, `Default_Ignorable_Code_Point`).
const IGNORABLE: &[(u32, u32)] = &[
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2065, 0x2065),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
];

/// The fullwidth forms of ASCII characters (Unicode block "Halfwidth and Fullwidth Forms").
const FULLWIDTH_ASCII: std::ops::RangeInclusive<u32> = 0xFF01..=0xFF5E;

/// Small forms of ASCII punctuation (Unicode block "Small Form Variants"), and the Greek question
/// mark, which looks like a semicolon.
const SMALL_FORMS: &[std::ops::RangeInclusive<u32>] = &[0xFE50..=0xFE6F, 0x037E..=0x037E];

/// Behind an emoji: it is drawn in colours.
const EMOJI_PRESENTATION: char = '\u{fe0f}';
/// Between two emojis: they are drawn as one.
const JOINER: char = '\u{200d}';

/// The first character of `text` that is refused: controls other than newline and tab, format and
/// invisible characters, separators and blanks outside ASCII, fullwidth and small forms of ASCII, U+FFFD.
/// What belongs to an emoji is none of them.
pub(super) fn refused(text: &str) -> Option<char> {
    let mut before = [None; 2];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if is_refused(character) && !is_in_emoji(before, character, characters.peek().copied()) {
            return Some(character);
        }
        before = [before[1], Some(character)];
    }
    None
}

/// Whether `character` is a part of an emoji between the two `before` it and the `next` one: Unicode Technical Standard 51,
/// ED-9a and ED-16.
fn is_in_emoji(before: [Option<char>; 2], character: char, next: Option<char>) -> bool {
    let is_emoji = |of: Option<char>| of.is_some_and(|of| !of.is_ascii() && of.is_emoji_char());
    match (character, before) {
        (EMOJI_PRESENTATION, [_, last]) => is_emoji(last),
        (JOINER, [first, Some(EMOJI_PRESENTATION)]) => is_emoji(first) && is_emoji(next),
        (JOINER, [_, last]) => is_emoji(last) && is_emoji(next),
        _ => false,
    }
}

fn is_refused(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control() && !matches!(character, '\n' | '\t');
    }
    let code = u32::from(character);
    matches!(
        character.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
            | GeneralCategory::SpaceSeparator
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned
    ) || IGNORABLE.iter().any(|&(first, last)| (first..=last).contains(&code))
        || FULLWIDTH_ASCII.contains(&code)
        || SMALL_FORMS.iter().any(|forms| forms.contains(&code))
        || character == char::REPLACEMENT_CHARACTER
}

/// Whether `name` is a shell variable's name (bash manual, "Definitions": name).
pub(super) fn is_variable_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

#[cfg(test)]
mod tests {
    use super::refused;

    #[test]
    fn ordinary_text_in_any_language_is_not_refused() {
        assert_eq!(refused("echo \"h\u{e9}llo \u{4e16}\u{754c} \u{1f680}\"\n\tx"), None);
    }

    #[test]
    fn what_belongs_to_an_emoji_is_not_refused() {
        for text in ["⚠\u{fe0f} x", "❤\u{fe0f}", "👨\u{200d}💻", "❤\u{fe0f}\u{200d}🔥", "👍🏽", "🇩🇪"]
        {
            assert_eq!(refused(text), None, "{text}");
        }
        for text in ["r\u{fe0f}m", "1\u{fe0f}", "⚠\u{fe0f}\u{fe0f}", "\u{fe0f}", "⚠\u{fe0e}"] {
            assert!(refused(text).is_some_and(|refused| ['\u{fe0e}', '\u{fe0f}'].contains(&refused)), "{text:?}");
        }
        for text in ["a\u{200d}b", "👨\u{200d}b", "a\u{200d}👨", "👨\u{200d}", "👨\u{200d}\u{200d}💻", "r\u{fe0f}"]
        {
            assert!(refused(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn controls_invisible_and_fullwidth_characters_are_refused() {
        for character in
            ['\0', '\r', '\u{b}', '\u{1b}', '\u{7f}', '\u{85}', '\u{a0}', '\u{200b}', '\u{202e}', '\u{2028}']
        {
            assert_eq!(refused(&format!("ls {character}")), Some(character), "{character:?}");
        }
        for character in ['\u{3000}', '\u{feff}', '\u{ff1b}', '\u{e0072}', '\u{3164}', '\u{ad}', '\u{fe54}', '\u{37e}']
        {
            assert_eq!(refused(&format!("ls {character}")), Some(character), "{character:?}");
        }
    }
}
