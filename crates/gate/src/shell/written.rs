//! Text that a line writes into a file, or hands from one command to another, for rules that deny.

use super::command_line::{Part, Word};
use super::wrapper;

/// The value in `of=s`, or the word itself.
fn value_of(text: &str) -> &str {
    text.split_once('=').map_or(text, |(_, value)| value)
}

/// `echo 'rm x' > s && sh s`: what a command writes into a file is given to the later ones that name the file.
pub(super) fn hand_on(parts: &mut [Part]) {
    let file = |word: &Word| wrapper::base_name(&word.text).to_owned();
    let written: Vec<(usize, String, String)> = parts
        .iter()
        .enumerate()
        .flat_map(|(index, part)| {
            let printed = printed(part).filter(|_| !part.writes.is_empty());
            let texts: Vec<String> = part.given.iter().cloned().chain(printed).collect();
            // `tee s`, `dd of=s`, `cp /dev/stdin s`: what is given to a command may go into any file that it names.
            let operands =
                part.words.iter().skip(1).filter(|word| !part.given.is_empty() && !word.text.starts_with('-'));
            let named = operands.map(|word| Word { text: value_of(&word.text).to_owned(), kind: word.kind });
            let files = part.writes.iter().cloned().chain(named).map(|word| file(&word));
            let files = files.filter(|name| !name.is_empty() && !texts.is_empty());
            let text = texts.join("\n");
            files.map(move |name| (index, name, text.clone())).collect::<Vec<_>>()
        })
        .collect();
    for (index, name, text) in written {
        let names = |part: &&mut Part| part.words.iter().chain(&part.reads).any(|word| file(word) == name);
        parts.iter_mut().skip(index + 1).filter(names).for_each(|part| part.given.push(text.clone()));
    }
}

/// What `echo` and `printf` print of their own words.
pub(super) fn printed(part: &Part) -> Option<String> {
    let (program, operands) = part.words.split_first()?;
    let prints = matches!(wrapper::base_name(&program.text), "echo" | "printf");
    let texts = || operands.iter().map(|word| word.text.as_str()).collect::<Vec<_>>();
    prints.then(|| texts().join(" "))
}
