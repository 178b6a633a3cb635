//! Characters that must never reach a shell unseen or a person unlabelled, told apart without the code under test.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// A control character other than line break and tab: no accepted command line holds one.
#[must_use]
pub fn is_refused_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// A character that may act on a terminal, a menu or a text layout, or that nobody sees: controls,
/// format characters (bidirectional and joining ones among them), separators of lines and
/// paragraphs, private and unassigned code points, and the invisible letters of
/// `Default_Ignorable_Code_Point` (Unicode, DerivedCoreProperties.txt) that are commonly abused.
fn acts_on_its_surroundings(character: char) -> bool {
    is_refused_control(character)
        || matches!(character, '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
        || ('\u{e0000}'..='\u{e0fff}').contains(&character)
        || matches!(
            character.general_category(),
            GeneralCategory::Format
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
                | GeneralCategory::PrivateUse
                | GeneralCategory::Unassigned
        )
}

/// The first character of `text` that acts on its surroundings. A zero-width joiner after an emoji
/// makes one picture of two, which is all it does (Unicode Technical Standard 51).
#[must_use]
pub fn first_acting(text: &str) -> Option<char> {
    let picture = |character: char| {
        matches!(character, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
            || character.general_category() == GeneralCategory::OtherSymbol
    };
    let mut before = None;
    text.chars().find(|&character| {
        let joins = character == '\u{200d}' && before.is_some_and(picture);
        before = Some(character);
        acts_on_its_surroundings(character) && !joins
    })
}
