//! Stretches of a text.

/// The longest stretches of `text` whose characters all are `wanted`, with their first byte.
pub(super) fn stretches(text: &str, wanted: impl Fn(char) -> bool) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices() {
        if wanted(character) {
            start.get_or_insert(at);
        } else if let Some(stretch) = start.take().and_then(|from| Some((from, text.get(from..at)?))) {
            found.push(stretch);
        }
    }
    if let Some(stretch) = start.and_then(|from| Some((from, text.get(from..)?))) {
        found.push(stretch);
    }
    found
}

/// The lines of `text`, with their first byte.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    text.split('\n').map(move |line| {
        let start = next;
        next += line.len() + 1;
        (start, line)
    })
}
