//! From the grammar's tree to the simple commands that would run.
//!
//! Source of the syntax: bash manual, "Shell Commands".

mod braces;
mod compound;
mod conditional;
mod home;
mod place;
mod simple;
mod told;

use std::cell::Cell;

use brush_parser::ast::{
    AndOr, AndOrList, Command, CompoundList, IoRedirect, Pipeline, Program, RedirectList, SeparatorOperator,
};
use brush_parser::{ParserOptions, Token as GrammarToken, TokenizerOptions};

use super::command_line::{Input, Layer, Part, Shell, Word, WordKind};
use super::obstacle::Obstacle;
use super::programs::name::base_name;
use super::values::Values;
use super::word::Reader;
use super::{characters, expansion, lexer, redirect, shell_differences, word, written};
use place::ShellState;
pub(super) use told::add_told;

/// Wrappers in wrappers, `bash -c` in `bash -c`.
const MAX_WRAPPER_DEPTH: usize = 4;
/// Commands that are looked at.
const MAX_STEPS: usize = 1024;
/// As many of them is what a script within the line costs, which is read anew each time.
const STEPS_OF_SCRIPT: usize = 8;
/// Stack that the grammar may use: measured need is below 1 MiB at the deepest nesting accepted.
const STACK: usize = 2 * 1024 * 1024;

/// Every simple command that `text` would run in `shell`.
///
/// # Errors
/// The first thing that is not understood, or that the shells that may read it read in different ways.
pub(super) fn parts(text: &str, shell: Shell) -> Result<Vec<Part>, Obstacle> {
    let look = |tells_folders_apart| {
        let walked = Walked { tells_folders_apart, ..Walked::default() };
        let start = ShellState::default();
        let mut parts = stacker::maybe_grow(STACK, 2 * STACK, || script(text, shell, &start, 0, &walked))?;
        written::hand_on(&mut parts, walked.loops.get());
        if home::is_set_and_named(&parts, text) { Err(Obstacle::OtherHome) } else { Ok(parts) }
    };
    match look(true) {
        // Each counts once for every folder that it may run in.
        Err(Obstacle::TooManyCommands(_)) => look(false),
        found => found,
    }
}

fn script(text: &str, shell: Shell, place: &ShellState, depth: usize, walked: &Walked) -> Result<Vec<Part>, Obstacle> {
    walked.step(STEPS_OF_SCRIPT)?;
    if let Some(character) = characters::refused(text) {
        return Err(Obstacle::Character(u32::from(character)));
    }
    let lexer::Tokens { tokens, text, expanding } = lexer::tokens(text, shell)?;
    let program = parse(&text, &tokens, shell)?;
    let mut lowering = Lowering::new(&text, shell, depth, walked);
    let mut place = place.clone();
    for list in &program.complete_commands {
        lowering.list(list, &mut place)?;
    }
    // One of them stands where nobody has looked for it.
    if lowering.expanded != expanding {
        return Err(Obstacle::CommandSubstitution);
    }
    Ok(lowering.parts)
}

/// Parses with the grammar, once its tokens are the same as `ours`.
fn parse(text: &str, ours: &[lexer::Token], shell: Shell) -> Result<Program, Obstacle> {
    shell_differences::check_words(ours, shell)?;
    let options = TokenizerOptions { enable_extended_globbing: false, posix_mode: false, sh_mode: false };
    let tokens = brush_parser::uncached_tokenize_str(text, &options).map_err(|_| Obstacle::Unfinished)?;
    let same = |(ours, theirs): (&lexer::Token, &GrammarToken)| {
        ours.text == theirs.to_str() && ours.operator == matches!(theirs, GrammarToken::Operator(..))
    };
    if ours.len() != tokens.len() || !ours.iter().zip(&tokens).all(same) {
        return Err(Obstacle::NotAnalysed);
    }
    let options = ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() };
    brush_parser::parse_tokens(&tokens, &options).map_err(|_| Obstacle::Syntax)
}

/// What was met so far, in all scripts of a line.
#[derive(Default)]
struct Walked {
    /// How many commands were looked at, those of a loop again in each round.
    steps: Cell<usize>,
    /// Something may run again behind what follows it.
    loops: Cell<bool>,
    /// A command that may run in one of several folders is looked at in each.
    tells_folders_apart: bool,
}

impl Walked {
    fn step(&self, steps: usize) -> Result<(), Obstacle> {
        self.steps.set(self.steps.get() + steps);
        if self.steps.get() > MAX_STEPS { Err(Obstacle::TooManyRounds) } else { Ok(()) }
    }
}

struct Lowering<'a> {
    text: &'a str,
    shell: Shell,
    parts: Vec<Part>,
    depth: usize,
    /// How many words were followed that [`word::expands`] speaks of.
    expanded: usize,
    /// For each loop that it stands in, outermost first: what is known where a `break` or `continue` may leave a round.
    leaving: Vec<Option<ShellState>>,
    /// A variable was set that a program may look at: what one prints may be something else than without it.
    set: bool,
    /// A setting of the shell may have changed, as `IFS`: what it makes of a variable is not known any more.
    reads_otherwise: bool,
    walked: &'a Walked,
}

impl<'a> Lowering<'a> {
    fn new(text: &'a str, shell: Shell, depth: usize, walked: &'a Walked) -> Self {
        let (parts, leaving) = (Vec::new(), Vec::new());
        Self { text, shell, parts, depth, expanded: 0, leaving, set: false, reads_otherwise: false, walked }
    }
}

impl Lowering<'_> {
    fn list(&mut self, list: &CompoundList, place: &mut ShellState) -> Result<(), Obstacle> {
        for item in &list.0 {
            if matches!(item.1, SeparatorOperator::Async) {
                return Err(Obstacle::Background);
            }
            self.and_or(&item.0, place)?;
        }
        Ok(())
    }

    /// Behind `cd a &&` the folder is `a`; behind the list it may be any that something in it ran in.
    fn and_or(&mut self, list: &AndOrList, place: &mut ShellState) -> Result<(), Obstacle> {
        let mut reached = place.folders.clone();
        self.pipeline(&list.first, place)?;
        reached.join(&place.folders);
        let after_first = place.values.clone();
        for item in &list.additional {
            let (pipeline, may_be_skipped) = match item {
                AndOr::And(pipeline) => (pipeline, false),
                AndOr::Or(pipeline) => (pipeline, true),
            };
            // Something in front has failed, or has not run.
            if may_be_skipped {
                place.folders.clone_from(&reached);
                place.keep_values_of(&after_first);
            }
            let before_this = place.values.clone();
            self.pipeline(pipeline, place)?;
            reached.join(&place.folders);
            // `a || x=1 && b` runs `b` without the assignment where `a` succeeds.
            if may_be_skipped {
                place.folders.clone_from(&reached);
                place.keep_values_of(&before_this);
            }
        }
        // Only the first is sure to run.
        place.keep_values_of(&after_first);
        place.folders = reached;
        Ok(())
    }

    fn pipeline(&mut self, pipeline: &Pipeline, place: &mut ShellState) -> Result<(), Obstacle> {
        let first = self.parts.len();
        let before = place.folders.clone();
        match pipeline.seq.as_slice() {
            [] => return Err(Obstacle::Syntax),
            [command] => self.command(command, place)?,
            // Each runs in a shell of its own (bash manual, "Pipelines"); in zsh the last one runs in this shell (zsh FAQ,
            // 3.9), so that a `cd` in it lasts.
            commands => {
                for (position, command) in commands.iter().enumerate() {
                    let start = self.parts.len();
                    let printed = self.parts.get(first..).and_then(<[Part]>::last).and_then(written::printed);
                    let mut inside = place.clone();
                    self.command(command, &mut inside)?;
                    if position + 1 == commands.len() && self.shell.keeps_last_of_pipeline() {
                        place.join(&inside);
                    }
                    if position > 0 {
                        let readers = self.parts.iter_mut().skip(start);
                        readers.for_each(|part| part.given.extend(printed.clone()));
                        let inherits = |part: &&mut Part| part.input == Input::Inherited;
                        self.parts.iter_mut().skip(start).filter(inherits).for_each(|part| part.input = Input::Piped);
                    }
                }
            }
        }
        if pipeline.timed.is_some() {
            // To dash `time` is a program, which gets the assignment or the `{` as its operand.
            let own = self.parts.get(first..).unwrap_or_default();
            if own.is_empty() || own.iter().any(|part| part.words.is_empty() && part.writes.is_empty()) {
                return Err(Obstacle::ReadOtherwise { what: "it gives `time` an assignment", shell: "dash" });
            }
            if !matches!(pipeline.seq.first(), Some(Command::Simple(_))) {
                shell_differences::check_timed_group(self.shell)?;
            }
            self.time(first);
        }
        // `! cd a && b` runs `b` when the `cd` failed.
        if pipeline.bang {
            place.folders.join(&before);
        }
        Ok(())
    }

    /// `time` in front of a pipeline is a keyword; for rules it is a wrapper.
    fn time(&mut self, first: usize) {
        let time = Word { text: "time".to_owned(), kind: WordKind::Exact };
        for part in self.parts.iter_mut().skip(first) {
            let inner = part.layers.first().map_or(&part.words, |layer| &layer.words);
            let words = std::iter::once(&time).chain(inner).cloned().collect();
            part.layers.insert(0, Layer { words, taken: Some(1), transparent: true });
            part.wrappers.insert(0, "time".to_owned());
        }
    }

    fn command(&mut self, command: &Command, place: &mut ShellState) -> Result<(), Obstacle> {
        self.walked.step(1)?;
        // A redirection of a group is expanded before what stands in the group.
        let (first, values) = (self.parts.len(), place.values.clone());
        match command {
            Command::Simple(simple) => self.simple(simple, place),
            Command::Compound(compound, redirects) => {
                self.compound(compound, place)?;
                self.redirect_all(first, redirects.as_ref(), &values)
            }
            Command::Function(_) => Err(Obstacle::Function),
            Command::ExtendedTest(test, redirects) => {
                self.conditional(test, place)?;
                self.redirect_all(first, redirects.as_ref(), &values)
            }
        }
    }

    /// A word as the program gets it. What it inserts is followed first.
    fn word(&mut self, raw: &str, place: &ShellState) -> Result<Word, Obstacle> {
        self.substitutions(raw, place)?;
        self.expanded += usize::from(word::expands(raw));
        calculate(raw, &place.values)?;
        Ok(word::decode_with(raw, self.reader(&place.values)))
    }

    fn reader<'v>(&self, values: &'v Values) -> Reader<'v> {
        Reader { shell: self.shell, values, loosely: false }
    }

    /// What `raw`, which was read as `word`, finds where a variable in it stands outside of quotes.
    fn found(&self, raw: &str, word: &Word, values: &Values) -> Vec<Word> {
        if values.is_empty() || word.kind != WordKind::Varies || !raw.contains('$') {
            return Vec::new();
        }
        let loose = word::decode_with(raw, Reader { loosely: true, ..self.reader(values) });
        let texts = loose.text.split_ascii_whitespace().filter(|_| loose != *word);
        texts.map(|text| Word { text: text.to_owned(), kind: WordKind::Varies }).collect()
    }

    /// Adds what `redirect` reads and writes to `part`.
    fn redirect(&mut self, redirect: &IoRedirect, values: &Values, part: &mut Part) -> Result<(), Obstacle> {
        if let Some(raw) = redirect::word(redirect) {
            if !word::substitutions(raw).is_empty() {
                return Err(Obstacle::CommandSubstitution);
            }
            self.expanded += usize::from(word::expands(raw));
            calculate(raw, values)?;
            let word = word::decode_with(raw, self.reader(values));
            part.found.extend(self.found(raw, &word, values));
        }
        redirect::apply(redirect, self.reader(values), part)
    }

    /// Files what the `$(…)` in a word run. Each runs in a shell of its own, before the command that the word belongs to
    /// (bash manual, "Command Substitution").
    fn substitutions(&mut self, raw: &str, place: &ShellState) -> Result<(), Obstacle> {
        for text in word::substitutions(raw) {
            if self.depth >= MAX_WRAPPER_DEPTH {
                return Err(Obstacle::TooDeep);
            }
            for part in script(text, self.shell, place, self.depth + 1, self.walked)? {
                self.file(part)?;
            }
        }
        Ok(())
    }

    fn redirect_all(
        &mut self,
        first: usize,
        redirects: Option<&RedirectList>,
        values: &Values,
    ) -> Result<(), Obstacle> {
        for redirect in redirects.iter().flat_map(|list| &list.0) {
            let mut group = Part::default();
            self.redirect(redirect, values, &mut group)?;
            let reader = self.reader(values);
            for part in self.parts.iter_mut().skip(first) {
                let own = part.input;
                redirect::apply(redirect, reader, part)?;
                part.found.extend(group.found.iter().cloned());
                if own != Input::Inherited {
                    part.input = own;
                }
            }
        }
        Ok(())
    }

    fn file(&mut self, mut part: Part) -> Result<(), Obstacle> {
        part.writes.extend(copied_to(&part));
        if self.parts.len() >= lexer::MAX_COMMANDS {
            return Err(Obstacle::TooManyCommands(lexer::MAX_COMMANDS));
        }
        self.parts.push(part);
        Ok(())
    }
}

/// The files that `tee` writes, which it names as a redirection does (tee(1)).
fn copied_to(part: &Part) -> Vec<Word> {
    let is_tee = |program: &Word| base_name(&program.text) == "tee";
    let Some((_, words)) = part.words.split_first().filter(|(program, _)| is_tee(program)) else { return Vec::new() };
    words.iter().filter(|word| !word.text.starts_with('-') && !part.writes.contains(word)).cloned().collect()
}

/// Whether the `$((…))` in a word of the lexer calculate with nothing but numbers: of any other value the shell makes an
/// expression, and runs the commands in it.
fn calculate(raw: &str, values: &Values) -> Result<(), Obstacle> {
    let is_number = |name: &str| values.get(name).is_some_and(super::values::Value::is_number);
    let plain =
        |expression: &str| expansion::names_in(expression).is_some_and(|names| names.into_iter().all(is_number));
    match word::expressions(raw).into_iter().all(plain) {
        true => Ok(()),
        false => Err(Obstacle::Arithmetic),
    }
}
