//! Which programs a command may mean, for an index of the rules that deny or ask.
//!
//! Has to find everything that [`super::CommandPattern::touch`] finds; a law in `policy/tests` holds
//! the two together.

use std::collections::HashSet;

use super::command_line::{CommandLine, Part, Word, WordKind};
use super::pattern::{layers, runs_its_input, runs_varying};
use super::{lenient, vetoes};

/// What stands in a command where a pattern that denies or asks may begin, and behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mentions {
    /// Programs that may run, with and without their folders, in small letters.
    pub(crate) programs: HashSet<String>,
    /// Any other may run as well.
    pub(crate) any_program: bool,
    /// Words that may be a sub-command.
    pub(crate) words: HashSet<String>,
    /// Any other may be one as well.
    pub(crate) any_word: bool,
}

/// Words of one command behind which nothing is looked at.
const LONGEST: usize = 1024;

/// Every program and word in `part`.
pub(crate) fn in_part(part: &Part) -> Mentions {
    let mut mentions = Mentions::default();
    mentions.add_part(part);
    mentions
}

/// The same for a line that was not understood.
pub(crate) fn in_line(line: &CommandLine) -> Mentions {
    let mut mentions = Mentions::default();
    mentions.add_flat(&line.flat);
    line.parts.iter().for_each(|part| mentions.add_part(part));
    mentions
}

impl Mentions {
    fn add_part(&mut self, part: &Part) {
        self.any_program |= runs_its_input(&part.words);
        self.any_word |= self.any_program;
        for words in layers(part) {
            let Some(first) = words.first() else { continue };
            self.add_program(first);
            self.any_word |= words.len() > LONGEST;
            words.iter().skip(1).for_each(|word| self.add_word(word));
            let renames = matches!(first.text.as_str(), "alias" | "hash");
            self.any_word |= renames;
            if !renames && !vetoes::runs_operands(&first.text) {
                continue;
            }
            for word in words.iter().skip(1) {
                if word.kind != WordKind::Varies || renames || runs_varying(words) {
                    self.add_program(word);
                }
                let tail = word.text.rsplit('=').next().unwrap_or_default();
                let lines = [word.text.as_str(), if renames { tail } else { "" }];
                lines.into_iter().for_each(|text| self.add_flat(&lenient::flat_words(text)));
            }
        }
    }

    /// Text in which any word may be a program.
    fn add_flat(&mut self, words: &[Word]) {
        // More words than are looked at behind a program.
        self.any_word |= words.len() > 32;
        for word in words {
            if word.kind != WordKind::Varies {
                self.add_program(word);
            }
            self.add_word(word);
        }
    }

    fn add_program(&mut self, word: &Word) {
        if word.kind == WordKind::Varies {
            // It may be the whole command.
            self.any_program = true;
            self.any_word = true;
            return;
        }
        let text = word.text.to_ascii_lowercase();
        if let Some((_, base)) = text.rsplit_once('/') {
            self.programs.insert(base.to_owned());
        }
        self.programs.insert(text);
    }

    fn add_word(&mut self, word: &Word) {
        self.any_word |= word.kind == WordKind::Varies;
        let text = word.text.as_str();
        let glued = text.get(2..).filter(|_| text.starts_with('-'));
        let value = text.split_once('=').map(|(_, value)| value);
        self.words.extend([Some(text), glued, value].into_iter().flatten().map(str::to_owned));
    }
}
