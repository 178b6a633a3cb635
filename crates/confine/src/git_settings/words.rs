//! The words of a value that a shell may run.

/// Every word as a shell reads it, the whole value, and the pieces between all that can stand around a word: an inner
/// shell (`sh -c "…"`) reads them anew.
pub(super) fn words(value: &[u8]) -> Vec<Vec<u8>> {
    let value = value.strip_prefix(b"!").unwrap_or(value);
    let mut found = vec![value.to_owned()];
    for word in shell_words(value) {
        // `--config=tools/x.sh`, and what such a word sets for a program.
        let behind = word.iter().enumerate().filter(|(_, byte)| **byte == b'=');
        found.extend(behind.filter_map(|(at, _)| word.get(at + 1..)).map(<[u8]>::to_owned));
        found.push(word);
    }
    let pieces = value.split(|byte| is_between(*byte) || b"!\"'\\=:,{}".contains(byte));
    found.extend(pieces.map(<[u8]>::to_owned));
    found.retain(|word| !word.is_empty());
    found.sort();
    found.dedup();
    found
}

/// What ends a word outside of quotes.
fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b";&|()<>`".contains(&byte)
}

/// sh(1), "Quoting".
fn shell_words(value: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut word = Vec::new();
    let mut quote = None;
    let mut left = value;
    while let [byte, rest @ ..] = left {
        left = rest;
        match (quote, byte, rest) {
            (Some(open), _, _) if open == *byte => quote = None,
            (None, b'\'' | b'"', _) => quote = Some(*byte),
            (None, b'\\', [next, rest @ ..])
            | (Some(b'"'), b'\\', [next @ (b'"' | b'\\' | b'$' | b'`' | b'\n'), rest @ ..]) => {
                left = rest;
                if *next != b'\n' {
                    word.push(*next);
                }
            }
            (None, _, _) if is_between(*byte) => words.push(std::mem::take(&mut word)),
            _ => word.push(*byte),
        }
    }
    words.push(word);
    words
}
