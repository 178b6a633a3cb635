//! Words of a POSIX shell's command line (POSIX.1-2024, XCU 2.2 "Quoting").

/// `text` as one word.
pub(crate) fn quote(text: &str) -> String {
    let is_bare = |character: char| character.is_ascii_alphanumeric() || "_-./+:@%,".contains(character);
    if !text.is_empty() && text.chars().all(is_bare) {
        return text.to_owned();
    }
    // Within single quotes nothing is special but the single quote.
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The words of `line`, as far as [`quote`] writes them; `None` for anything else.
pub(crate) fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        '\'' => break,
                        quoted => word.push(quoted),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(letters.next()?),
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_word_comes_back() {
        for text in ["/usr/bin/handraise", "/opt/Hand Raise/it's here", "", "a\"b$c`d\\e", "größe"] {
            let line = format!("{} hook", quote(text));
            assert_eq!(words(&line), Some(vec![text.to_owned(), "hook".to_owned()]), "{line}");
        }
        assert_eq!(words("'open"), None);
    }
}
