//! What a command may run: found once, and then held against every rule that denies or asks.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::super::command_line::{CommandLine, Layer, Part, Word, WordKind};
use super::super::operand_effects::inner_commands::{self, InnerCommand};
use super::rule_match::RuleMatch;
use super::spellings;
use crate::programs;
use crate::programs::fact::Fact;
use crate::programs::name::{base_name, canonical};

/// Words of one command that are looked at. Of a longer one the rest is not known.
const MAX_LENGTH: usize = 1024;
/// Words behind a program in the middle of other words.
const MAX_TEXT_LENGTH: usize = 32;

/// Every command that a simple command, or a line that was not understood, may run: itself, with and without its
/// wrappers, and whatever may start somewhere in its words and in what the line hands to it.
#[derive(Debug, Default)]
pub struct MayRun<'a> {
    /// It runs what it reads, which may be anything.
    runs_its_input: bool,
    passages: Vec<Passage<'a>>,
    starts: Vec<Start>,
    programs: Vec<Program>,
    /// Positions of the programs by how they are written.
    by_word: HashMap<Word, usize>,
    /// By each of their names, in small letters.
    by_name: HashMap<String, Vec<usize>>,
    /// Of those that the shell decides about.
    varying: Vec<usize>,
}

/// What decides what a simple command may run: all of it but where it runs and which files its redirections name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wording<'a> {
    words: &'a [Word],
    layers: &'a [Layer],
    assignments: &'a [String],
    given: &'a [String],
    from_files: &'a [String],
}

/// Words in which commands may start.
#[derive(Debug)]
struct Passage<'a> {
    words: Cow<'a, [Word]>,
    /// Words behind a program that are looked at.
    longest: usize,
    /// How surely runs what starts here.
    most: RuleMatch,
    /// A word of which nothing is known may be the program.
    unknown: bool,
    /// Any of its words may be a sub-command; otherwise those behind the first.
    anywhere: bool,
}

/// Where a command may start in a passage.
#[derive(Debug)]
struct Start {
    passage: usize,
    at: usize,
    program: usize,
    /// What comes of its words under first names.
    readings: OnceCell<Vec<Vec<Word>>>,
}

/// A word that may be a program. In a text the same ones stand again and again.
#[derive(Debug)]
struct Program {
    /// Its first name.
    name: String,
    /// What it stands for: `npm` where it is `npx`.
    stands_for: Option<String>,
    /// Positions of where it may start a command.
    starts: Vec<usize>,
}

/// A command that may start somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct PossibleCommand<'m> {
    start: &'m Start,
    /// Which of the words it is that may be programs.
    pub(super) program: usize,
    /// Its words, up to the end of its passage.
    pub(super) words: &'m [Word],
    /// The first name of its program.
    pub(super) name: &'m str,
    /// What its program stands for: `npm` where that is `npx`.
    pub(super) stands_for: Option<&'m str>,
    /// Words behind the program that are looked at.
    pub(super) longest: usize,
    /// How surely it runs.
    pub(super) most: RuleMatch,
    /// A word of which nothing is known may be the program.
    pub(super) unknown: bool,
}

impl Part {
    /// What decides what it may run.
    #[must_use]
    pub fn wording(&self) -> Wording<'_> {
        Wording {
            words: &self.words,
            layers: &self.layers,
            assignments: &self.assignments,
            given: &self.given,
            from_files: &self.from_files,
        }
    }
}

impl<'a> MayRun<'a> {
    /// What a simple command may run.
    #[must_use]
    pub fn of_part(part: &'a Part) -> Self {
        let mut may_run = Self::default();
        may_run.add_part(part);
        may_run
    }

    /// What may run of a line that was not understood: every command that could be found in it, and every word of its
    /// text.
    #[must_use]
    pub fn of_line(line: &'a CommandLine) -> Self {
        let mut may_run = Self::default();
        inner_commands::of_line(&line.flat).into_iter().for_each(|inner| may_run.add_inner(inner));
        line.parts.iter().for_each(|part| may_run.add_part(part));
        may_run
    }

    fn add_part(&mut self, part: &'a Part) {
        self.runs_its_input |= runs_its_input(&part.words);
        for assignment in &part.assignments {
            inner_commands::of_assignment(assignment).into_iter().for_each(|inner| self.add_inner(inner));
        }
        if let Some(added) = spellings::with_added(&part.assignments, &part.words) {
            self.add_command(added, RuleMatch::Perhaps);
        }
        inner_commands::of_handed(part).into_iter().for_each(|inner| self.add_inner(inner));
        for words in layers(part) {
            self.add_command(words, RuleMatch::Yes);
            inner_commands::of(words).into_iter().for_each(|inner| self.add_inner(inner));
        }
    }

    fn add_command(&mut self, words: impl Into<Cow<'a, [Word]>>, most: RuleMatch) {
        let words = words.into();
        self.add(Passage { words, longest: MAX_LENGTH, most, unknown: true, anywhere: false }, 1);
    }

    fn add_inner(&mut self, inner: InnerCommand<'a>) {
        let InnerCommand { words, starts, surely, unknown } = inner;
        let most = if surely { RuleMatch::Yes } else { RuleMatch::Perhaps };
        self.add(Passage { words, longest: MAX_TEXT_LENGTH, most, unknown, anywhere: true }, starts);
    }

    /// Takes a passage in, of whose words the first `starts` may start a command.
    fn add(&mut self, passage: Passage<'a>, starts: usize) {
        for (at, word) in passage.words.iter().take(starts).enumerate() {
            let program = self.by_word.get(word).copied().unwrap_or_else(|| self.new_program(word));
            let start = Start { passage: self.passages.len(), at, program, readings: OnceCell::new() };
            self.programs.get_mut(program).into_iter().for_each(|program| program.starts.push(self.starts.len()));
            self.starts.push(start);
        }
        self.passages.push(passage);
    }

    fn new_program(&mut self, word: &Word) -> usize {
        let position = self.programs.len();
        let name = canonical(&word.text);
        let stands_for = spellings::longer(&name).and_then(|words| words.into_iter().next());
        if shell_decides(word) {
            self.varying.push(position);
        }
        if word.kind != WordKind::Varies {
            let first = stands_for.as_deref().map(|program| [canonical(program), program.to_ascii_lowercase()]);
            let written = Some(word.text.to_ascii_lowercase()).filter(|written| *written != name);
            let names = [Some(name.clone()), written].into_iter().flatten().chain(first.into_iter().flatten());
            for name in names {
                let positions = self.by_name.entry(name).or_default();
                if positions.last() != Some(&position) {
                    positions.push(position);
                }
            }
        }
        self.by_word.insert(word.clone(), position);
        self.programs.push(Program { name, stands_for, starts: Vec::new() });
        position
    }
}

impl MayRun<'_> {
    /// It runs what it reads, which may be anything.
    pub(super) fn runs_its_input(&self) -> bool {
        self.runs_its_input
    }

    /// Every program that it may run as far as its name is written, in small letters: under its first name, and with its
    /// folder.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Whether it may run any other as well. Of a word of which nothing is written the rules take no notice, where it is
    /// only one of many.
    #[must_use]
    pub fn may_be_any_program(&self) -> bool {
        let is_variable = |word: &Word| word.kind == WordKind::Varies && word.text.starts_with('$');
        let counts = |command: PossibleCommand<'_>| command.unknown || !command.words.first().is_some_and(is_variable);
        self.runs_its_input || self.commands_of(&self.varying).any(counts)
    }

    /// Every word that may be a sub-command of a program that it may run; `None`: any.
    #[must_use]
    pub fn sub_commands(&self) -> Option<HashSet<&str>> {
        let is_cut = |passage: &Passage<'_>| passage.words.len() > passage.longest;
        if self.may_be_any_program() || self.passages.iter().any(is_cut) {
            return None;
        }
        let of_passages =
            self.passages.iter().flat_map(|passage| passage.words.iter().skip(usize::from(!passage.anywhere)));
        let of_readings = self.all().flat_map(|command| command.readings()).flat_map(|words| words.iter().skip(1));
        let mut found = HashSet::new();
        for word in of_passages.chain(of_readings) {
            if word.kind == WordKind::Varies {
                return None;
            }
            let text = word.text.as_str();
            let glued = text.get(2..).filter(|_| text.starts_with('-'));
            let value = text.split_once('=').map(|(_, value)| value);
            found.extend([Some(text), glued, value].into_iter().flatten());
        }
        Some(found)
    }

    /// The commands whose program may be called one of `names`, which are in small letters.
    pub(super) fn called<'m>(&'m self, names: [Option<&str>; 2]) -> impl Iterator<Item = PossibleCommand<'m>> {
        let named = names.into_iter().flatten().filter_map(|name| self.by_name.get(name)).flatten();
        self.commands_of(named.chain(&self.varying))
    }

    /// Every command.
    pub(super) fn all(&self) -> impl Iterator<Item = PossibleCommand<'_>> {
        self.starts.iter().filter_map(|start| self.command(start))
    }

    fn commands_of<'m>(
        &'m self,
        programs: impl IntoIterator<Item = &'m usize>,
    ) -> impl Iterator<Item = PossibleCommand<'m>> {
        let programs = programs.into_iter().filter_map(|position| self.programs.get(*position));
        let starts = programs.flat_map(|program| &program.starts).filter_map(|position| self.starts.get(*position));
        starts.filter_map(|start| self.command(start))
    }

    fn command<'m>(&'m self, start: &'m Start) -> Option<PossibleCommand<'m>> {
        let passage = self.passages.get(start.passage)?;
        let program = self.programs.get(start.program)?;
        Some(PossibleCommand {
            start,
            program: start.program,
            words: passage.words.get(start.at..)?,
            name: &program.name,
            stands_for: program.stands_for.as_deref(),
            longest: passage.longest,
            most: passage.most,
            unknown: passage.unknown,
        })
    }
}

impl<'m> PossibleCommand<'m> {
    /// What comes of its words under first names.
    pub(super) fn readings(&self) -> &'m [Vec<Word>] {
        let cut = self.words.get(..=self.longest).unwrap_or(self.words);
        self.start.readings.get_or_init(|| spellings::readings(cut))
    }
}

/// The words of a command with each of its wrappers, and without any.
fn layers(part: &Part) -> impl Iterator<Item = &[Word]> {
    part.layers.iter().map(|layer| layer.words.as_slice()).chain([part.words.as_slice()])
}

/// Whether what the shell makes of `word` is another text. A bracket expression may be taken for a character.
pub(super) fn shell_decides(word: &Word) -> bool {
    word.kind == WordKind::Varies || word.text.contains('[') && word.text.contains(']')
}

/// Whether `words` run what they read: a shell without a script, which reads its standard input.
fn runs_its_input(words: &[Word]) -> bool {
    let Some((first, operands)) = words.split_first() else { return false };
    let name = base_name(&first.text);
    let is_input = |word: &Word| {
        word.kind == WordKind::Varies
            || matches!(word.text.as_str(), "-" | "/dev/stdin")
            || word.text.starts_with("/dev/fd/")
            || word.text.starts_with("/proc/self/fd/")
    };
    let known = programs::of(name);
    if known.is(Fact::Sources) {
        return operands.first().is_some_and(is_input);
    }
    if known.is(Fact::RunsInput) {
        return true;
    }
    let tells = |word: &Word| matches!(word.text.as_str(), "--version" | "--help");
    let script = operands.iter().find(|word| !word.text.starts_with(['-', '+']) || word.text == "-");
    let reads = |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('s');
    known.is(Fact::RunsScripts)
        && !operands.iter().any(tells)
        && (script.is_none_or(is_input) || operands.iter().take_while(|word| word.text.starts_with('-')).any(reads))
}
