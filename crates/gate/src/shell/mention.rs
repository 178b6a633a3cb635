//! Which programs a command may mean, for an index of the rules that deny or ask.

use super::command_line::{CommandLine, Part, Word, WordKind};
use super::{lenient, vetoes};

/// A word that a pattern's program may stand at, and the word after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The word, or the last component of it; `None`: the shell decides.
    pub(crate) program: Option<String>,
    /// What follows.
    pub(crate) next: Next,
}

/// The word after a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// This one.
    Is(String),
    /// None.
    Nothing,
    /// The shell decides.
    Varies,
}

/// Every place in `part` at which a pattern that denies or asks may begin, as
/// [`super::CommandPattern::touches`] reads it.
pub(crate) fn in_part(part: &Part) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let layers = part.layers.iter().map(|layer| layer.words.as_slice());
    for words in layers.chain([part.words.as_slice()]) {
        let runs = words.first().is_some_and(|word| vetoes::runs_operands(&word.text));
        let starts = if runs { words.len() } else { words.len().min(1) };
        for start in 0..starts {
            add(words.get(start..).unwrap_or_default(), &mut mentions);
        }
        for word in words.iter().filter(|word| runs && word.text.contains([' ', '\t', '\n', ';'])) {
            mentions.extend(in_flat(&lenient::flat_words(&word.text)));
        }
    }
    mentions
}

/// The same for a line that was not understood, as [`super::CommandPattern::touches_text`] reads it.
pub(crate) fn in_line(line: &CommandLine) -> Vec<Mention> {
    let of_parts = line.parts.iter().flat_map(in_part);
    in_flat(&line.flat).into_iter().chain(of_parts).collect()
}

fn in_flat(words: &[Word]) -> Vec<Mention> {
    let mut mentions = Vec::new();
    for start in 0..words.len() {
        add(words.get(start..).unwrap_or_default(), &mut mentions);
    }
    mentions
}

fn add(words: &[Word], mentions: &mut Vec<Mention>) {
    let Some((program, rest)) = words.split_first() else { return };
    let next = match rest.first() {
        None => Next::Nothing,
        Some(word) if word.kind == WordKind::Varies => Next::Varies,
        Some(word) => Next::Is(word.text.clone()),
    };
    if program.kind == WordKind::Varies {
        mentions.push(Mention { program: None, next });
        return;
    }
    // `git --no-pager log` is `git log` to a pattern.
    if let Some((global, after)) = rest.split_first()
        && vetoes::is_harmless_global(&global.text)
    {
        let without: Vec<Word> = std::iter::once(program).chain(after).cloned().collect();
        add(&without, mentions);
    }
    let base = program.text.rsplit_once('/').map(|(_, base)| base);
    for name in base.into_iter().chain([program.text.as_str()]) {
        mentions.push(Mention { program: Some(name.to_owned()), next: next.clone() });
    }
}
