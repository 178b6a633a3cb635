//! Which programs a command may mean, for an index of the rules that deny or ask.
//!
//! Has to find everything that [`super::CommandPattern::touch`] finds; a law in `policy/tests` holds
//! the two together.

use std::collections::HashSet;

use super::command_line::{CommandLine, Part, Word, WordKind};
use super::operand_effects::inner_commands;
use super::pattern::{layers, readings, runs_its_input, with_added};
use crate::programs::name::canonical;

/// What stands in a command where a pattern that denies or asks may begin, and behind it.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// Programs that may run, with and without their folders, in small letters.
    pub programs: HashSet<String>,
    /// Any other may run as well.
    pub any_program: bool,
    /// Words that may be a sub-command.
    pub words: HashSet<String>,
    /// Any other may be one as well.
    pub any_word: bool,
}

/// Words of one command behind which nothing is looked at.
const MAX_LENGTH: usize = 1024;
/// The same behind a program in the middle of other words.
const MAX_TEXT_LENGTH: usize = 32;

/// Every program and word in `part`.
pub fn in_part(part: &Part) -> Mentions {
    let mut mentions = Mentions::default();
    mentions.add_part(part);
    mentions
}

/// The same for a line that was not understood.
pub fn in_line(line: &CommandLine) -> Mentions {
    let mut mentions = Mentions::default();
    inner_commands::of_line(&line.flat).iter().for_each(|found| mentions.add_use(found));
    line.parts.iter().for_each(|part| mentions.add_part(part));
    mentions
}

impl Mentions {
    fn add_part(&mut self, part: &Part) {
        self.any_program |= runs_its_input(&part.words);
        self.any_word |= self.any_program;
        for assignment in &part.assignments {
            inner_commands::of_assignment(assignment).iter().for_each(|found| self.add_use(found));
        }
        if let Some(added) = with_added(&part.assignments, &part.words) {
            self.add_start(&added);
            added.iter().skip(1).for_each(|word| self.add_word(word));
        }
        inner_commands::of_handed(part).iter().for_each(|found| self.add_use(found));
        for words in layers(part) {
            self.any_word |= words.len() > MAX_LENGTH;
            self.add_start(words.get(..MAX_LENGTH).unwrap_or(words));
            words.iter().skip(1).for_each(|word| self.add_word(word));
            inner_commands::of(words).iter().for_each(|found| self.add_use(found));
        }
    }

    fn add_use(&mut self, found: &inner_commands::InnerCommand<'_>) {
        // More words than are looked at behind a program.
        self.any_word |= found.words.len() > MAX_TEXT_LENGTH;
        for (start, word) in found.words.iter().take(found.starts).enumerate() {
            // Of a word of which nothing is written the rules take no notice, where it is only one of many.
            if found.unknown || word.kind != WordKind::Varies || !word.text.starts_with('$') {
                let end = found.words.len().min(start + MAX_TEXT_LENGTH);
                self.add_start(found.words.get(start..end).unwrap_or_default());
            }
        }
        found.words.iter().for_each(|word| self.add_word(word));
    }

    /// The program that `words` begin with, and what stands behind it under first names.
    fn add_start(&mut self, words: &[Word]) {
        words.first().into_iter().for_each(|first| self.add_program(first));
        for words in readings(words) {
            words.first().into_iter().for_each(|first| self.add_program(first));
            words.iter().skip(1).for_each(|word| self.add_word(word));
        }
    }

    fn add_program(&mut self, word: &Word) {
        if word.kind == WordKind::Varies {
            // It may be the whole command.
            self.any_program = true;
            self.any_word = true;
            return;
        }
        // A bracket expression may be taken for a character.
        let is_glob = word.text.contains('[') && word.text.contains(']');
        self.any_program |= is_glob;
        self.any_word |= is_glob;
        self.programs.insert(canonical(&word.text));
        self.programs.insert(word.text.to_ascii_lowercase());
    }

    fn add_word(&mut self, word: &Word) {
        self.any_word |= word.kind == WordKind::Varies;
        let text = word.text.as_str();
        let glued = text.get(2..).filter(|_| text.starts_with('-'));
        let value = text.split_once('=').map(|(_, value)| value);
        self.words.extend([Some(text), glued, value].into_iter().flatten().map(str::to_owned));
    }
}
