//! Words written so that the analyser and the patterns read back exactly these words.

use super::CommandPattern;

impl CommandPattern {
    /// The text of a pattern that matches exactly `words`.
    #[must_use]
    pub fn spell(words: &[&str]) -> String {
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// `word` as it is, or in single quotes, in which nothing but the single quote is special
/// (POSIX.1-2024, Shell Command Language, 2.2.2).
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./,:=+@%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
