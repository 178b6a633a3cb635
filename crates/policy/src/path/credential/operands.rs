//! Which words of a command are values of its options.

use handraise_shell::Word;

/// The values of `options` among `words`: glued, behind `=`, or the next word. A long option may be cut short.
pub(crate) fn values_of(words: &[&Word], options: &str) -> Vec<Word> {
    let mut values = Vec::new();
    for (index, word) in words.iter().enumerate() {
        for option in options.split_ascii_whitespace() {
            match value_in(&word.text, option) {
                Some("") => values.extend(words.get(index + 1).map(|word| (*word).clone())),
                Some(value) => values.push(Word { text: value.to_owned(), kind: word.kind }),
                None => {}
            }
        }
    }
    values
}

/// The value of `option` in `text`; empty: it is the next word. In doubt there is one.
fn value_in<'a>(text: &'a str, option: &str) -> Option<&'a str> {
    if option.starts_with("--") {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        return (name.len() > 3 && option.starts_with(name)).then_some(value);
    }
    if option.len() > 2 {
        return (text == option).then_some("");
    }
    let letter = option.chars().nth(1)?;
    let cluster = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    // Behind another sign than a letter stands the value of another option.
    let (_, value) =
        cluster.split_once(letter).filter(|(before, _)| before.chars().all(|c| c.is_ascii_alphanumeric()))?;
    Some(value)
}

/// Positions of the words that are surely the values of `options`, or hold them: what they name is not read.
pub(super) fn surely_values(words: &[&Word], options: &str) -> Vec<usize> {
    let mut positions = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        let surely = |option: &str| match option.strip_prefix('-') {
            None => text.starts_with(option).then_some(index),
            Some(long) if long.len() > 1 => {
                let glued = || text.strip_prefix(option).is_some_and(|rest| rest.starts_with('='));
                if text == option { Some(index + 1) } else { glued().then_some(index) }
            }
            Some(letter) => {
                // Behind one of these letters the rest of a cluster is a value.
                let flags =
                    |before: &str| before.chars().all(|c| c.is_ascii_alphabetic() && !"dfFTAmBCDKXHuUp".contains(c));
                let cluster = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
                match cluster.strip_suffix(letter) {
                    Some(before) if before.len() < 5 && flags(before) => Some(index + 1),
                    _ => cluster.starts_with(letter).then_some(index),
                }
            }
        };
        positions.extend(options.split_ascii_whitespace().find_map(surely));
    }
    positions
}

/// `!.env`, `-g!.env`, `:(exclude).env`: what a pattern leaves out.
pub(super) fn is_exclusion(text: &str) -> bool {
    ["!", "--glob=!", "--iglob=!", "-g!", ":!", ":^", ":(exclude"].iter().any(|start| text.starts_with(start))
}
