//! What a character does to the text around it when it is drawn.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_security::skeleton;

/// Why a character cannot be drawn as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    /// Changes the order in which its neighbours are drawn (Unicode Standard Annex 9).
    Bidi,
    /// Invisible copy of an ASCII character (Unicode block Tags).
    Tag,
    /// Draws nothing, or nothing that could be told beforehand.
    Invisible,
    /// Looks like a blank or like no blank, and is none.
    OddSpace,
    /// C0, DEL or C1: acts on a terminal.
    Control,
    /// Breaks the line, and only some programs know it: U+2028 and U+2029.
    Separator,
    /// Drawn over whatever stands before it.
    Mark,
    /// Drawn many times as wide or as high as a letter, and not the first such in its text.
    Large,
}

/// Why `character` must be labelled wherever it stands; `None` when it can be drawn as it is.
///
/// By general category (Unicode chapter 4.5), with the code points that are invisible although their
/// category says letter, mark or symbol (`Default_Ignorable_Code_Point`, and the blanks and
/// placeholders among the symbols).
pub(super) fn hidden(character: char) -> Option<Hidden> {
    if matches!(character, ' '..='~' | '\n' | '\t') {
        return None;
    }
    match u32::from(character) {
        0x061C | 0x200E | 0x200F | 0x202A..=0x202E | 0x2066..=0x2069 => return Some(Hidden::Bidi),
        0xE0000..=0xE007F => return Some(Hidden::Tag),
        0x034F
        | 0x115F..=0x1160
        | 0x17B4..=0x17B5
        | 0x180B..=0x180F
        | 0x2800
        | 0x3164
        | 0xFE00..=0xFE0F
        | 0xFFA0
        | 0xFFFC
        | 0x1D159
        | 0xE0080..=0xE0FFF => return Some(Hidden::Invisible),
        _ => {}
    }
    match character.general_category() {
        GeneralCategory::Control => Some(Hidden::Control),
        GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator => Some(Hidden::Separator),
        GeneralCategory::SpaceSeparator => Some(Hidden::OddSpace),
        GeneralCategory::Format
        | GeneralCategory::Surrogate
        | GeneralCategory::PrivateUse
        | GeneralCategory::Unassigned => Some(Hidden::Invisible),
        _ => None,
    }
}

/// A character that is drawn over or under the one before it. Thai and Lao AM and the conjoining
/// Hangul vowels and finals are letters by category and are stacked all the same.
pub(super) fn is_mark(character: char) -> bool {
    if character.is_ascii() {
        return false;
    }
    matches!(u32::from(character), 0x0E33 | 0x0EB3 | 0x1161..=0x11FF | 0xD7B0..=0xD7FB)
        || matches!(character.general_category(), GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark)
}

/// A mark that strikes through or encloses its base, and so makes another sign of it.
pub(super) fn is_overlay(mark: char) -> bool {
    matches!(u32::from(mark), 0x0334..=0x0338 | 0x0488..=0x0489 | 0x1ABE | 0x20D2..=0x20D3 | 0x20D8..=0x20DA
        | 0x20DD..=0x20E0 | 0x20E2..=0x20E6 | 0x20EA..=0x20EB | 0xA670..=0xA672)
}

/// A sign that is drawn several times as wide or as high as a letter: a few of them push what follows out
/// of a window. The ligatures of whole phrases and the long dashes, Tamil, Javanese and Balinese signs, and
/// the scripts and notations above the Basic Multilingual Plane that no living program is written in
/// (Unicode blocks Cuneiform, Egyptian Hieroglyphs, Anatolian Hieroglyphs, Bamum Supplement, Byzantine and
/// Western Musical Symbols).
pub(super) fn is_large(character: char) -> bool {
    matches!(u32::from(character), 0x0BF5..=0x0BFA | 0x0E5A..=0x0E5B | 0x1B5A..=0x1B60 | 0x2E3A..=0x2E3B
        | 0xA9C1..=0xA9CD | 0xFDFA..=0xFDFB | 0xFDFD | 0x12000..=0x1254F | 0x12F90..=0x12FFF | 0x13000..=0x143FF
        | 0x14400..=0x1467F | 0x16800..=0x16A3F | 0x1D000..=0x1D24F)
}

/// A character that may begin or go on an emoji sequence (Unicode Technical Standard 51).
pub(super) fn is_emoji(character: char) -> bool {
    !character.is_ascii() && character.is_emoji_char() && hidden(character).is_none()
}

/// What the flags of parts of countries begin with.
pub(super) const BLACK_FLAG: char = '\u{1f3f4}';

/// The tags of the flags that are recommended for interchange (Unicode Technical Standard 51, ED-14a):
/// England, Scotland and Wales.
const SUBDIVISIONS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// How many tag characters of `following` make a flag of the black one before them.
pub(super) fn subdivision(following: impl Iterator<Item = char> + Clone) -> Option<usize> {
    let tags = |name: &str| name.bytes().map(|letter| 0xE0000 + u32::from(letter)).chain([0xE007F]).collect::<Vec<_>>();
    let found = SUBDIVISIONS.iter().map(|name| tags(name));
    found
        .into_iter()
        .find(|tags| following.clone().take(tags.len()).map(u32::from).eq(tags.iter().copied()))
        .map(|tags| tags.len())
}

/// A sign that takes the vowel from an Indic consonant, so that the next one joins it.
pub(super) fn is_virama(character: char) -> bool {
    matches!(
        u32::from(character),
        0x094D | 0x09CD | 0x0A4D | 0x0ACD | 0x0B4D | 0x0BCD | 0x0C4D | 0x0CCD | 0x0D4D | 0x0DCA
    )
}

/// A sign that puts the next letter under the one before it, in the scripts that stack letters (Unicode
/// `Indic_Syllabic_Category` `Virama` and `Invisible_Stacker`).
pub(super) fn stacks(character: char) -> bool {
    is_virama(character)
        || matches!(
            u32::from(character),
            0x1039
                | 0x17D2
                | 0x1A60
                | 0x1B44
                | 0x1BAB
                | 0xA806
                | 0xA8C4
                | 0xA9C0
                | 0xAAF6
                | 0x10A3F
                | 0x11046
                | 0x110B9
                | 0x11133
                | 0x111C0
                | 0x11235
                | 0x1134D
                | 0x11442
                | 0x114C2
                | 0x115BF
                | 0x1163F
                | 0x116B6
                | 0x11839
                | 0x1193E
                | 0x119E0
                | 0x11A47
                | 0x11A99
                | 0x11C3F
                | 0x11D45
                | 0x11D97
        )
}

/// A letter of Arabic or of an Indic script.
pub(super) fn is_letter_of_joining_script(character: char) -> bool {
    matches!(u32::from(character), 0x0620..=0x064A | 0x066E..=0x06D3 | 0x0750..=0x077F | 0x0904..=0x0DFF)
        && character.is_alphabetic()
}

/// An Arabic letter that the next one would join (Unicode `Joining_Type` D).
pub(super) fn joins_left(character: char) -> bool {
    matches!(
        u32::from(character),
        0x0620 | 0x0626 | 0x0628 | 0x062A..=0x062E | 0x0633..=0x063F | 0x0641..=0x0647 | 0x0649..=0x064A
            | 0x066E..=0x066F | 0x0678..=0x0687 | 0x069A..=0x06BF | 0x06C1..=0x06C2 | 0x06CC | 0x06CE | 0x06D0..=0x06D1
    )
}

/// A small capital of the phonetic alphabets, which looks like the capital letter (Unicode blocks
/// Phonetic Extensions and Latin Extended-D).
pub(super) fn is_small_capital(character: char) -> bool {
    matches!(u32::from(character), 0x1D00 | 0x1D04..=0x1D07 | 0x1D0A..=0x1D0D | 0x1D0F | 0x1D18 | 0x1D1B..=0x1D1C | 0x1D20..=0x1D22 | 0xA730..=0xA731)
}

/// The label of `character`, as `U+202E`.
pub(super) fn label(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}

/// The one ASCII character that `character`, which is not ASCII, may be taken for: by the confusables
/// of Unicode Technical Standard 39, and by compatibility decomposition (fullwidth forms).
pub(super) fn ascii_look(character: char) -> Option<char> {
    if character.is_ascii() {
        return None;
    }
    let mut buffer = [0; 4];
    let text: &str = character.encode_utf8(&mut buffer);
    single_ascii(skeleton(text)).or_else(|| single_ascii(text.nfkc()))
}

fn single_ascii(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    let second = characters.next();
    match (first, second) {
        // The tables write `m` as `rn` and a double quotation mark as two single ones.
        ('r', Some('n')) => characters.next().is_none().then_some('m'),
        ('\'', Some('\'')) => characters.next().is_none().then_some('"'),
        (first, None) if first.is_ascii() => Some(first),
        _ => None,
    }
}

/// A letter of the scripts that are written without blanks, or with Latin words inside.
pub(super) fn is_east_asian(character: char) -> bool {
    matches!(u32::from(character), 0x1100..=0x11FF | 0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3041..=0x318F
        | 0x31A0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF
        | 0xF900..=0xFAFF | 0xFF66..=0xFFDC | 0x20000..=0x3FFFF)
}
