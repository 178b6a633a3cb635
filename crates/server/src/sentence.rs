//! Clauses as sentences.

/// An error's words as a sentence.
pub(crate) fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    let first = characters.next().map(char::to_uppercase).into_iter().flatten();
    first.chain(characters).chain(['.']).collect()
}
