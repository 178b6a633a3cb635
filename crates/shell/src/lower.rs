//! From the grammar's tree to the simple commands that would run.
//!
//! Source of the syntax: bash manual, "Shell Commands".

use brush_parser::ast::{
    AndOr, AndOrList, Command, CommandPrefixOrSuffixItem, CompoundCommand, CompoundList, ForClauseCommand, IoRedirect,
    Pipeline, Program, RedirectList, SeparatorOperator, SimpleCommand,
};
use brush_parser::{ParserOptions, Token as GrammarToken, TokenizerOptions};

use super::assignments::is_harmless;
use super::command_line::{Input, Layer, Part, Shell, Word, WordKind};
use super::obstacle::Obstacle;
use super::word::Values;
use super::wrapper::{self, Inner};
use super::{characters, dialect, lexer, redirect, shell_differences, source, variables, word, written};

/// Values of a loop that are followed one by one.
const MAX_ROUNDS: usize = 16;
/// Wrappers in wrappers, `bash -c` in `bash -c`.
const MAX_WRAPPER_DEPTH: usize = 4;
/// `-exec` in one `find`.
const MAX_EXECUTED: usize = 4;
/// Stack that the grammar may use: measured need is below 1 MiB at the deepest nesting accepted.
const STACK: usize = 2 * 1024 * 1024;

/// Every simple command that `text` would run in `shell`.
///
/// # Errors
/// The first thing that is not understood, or that the shells that may read it read in different ways.
pub(super) fn parts(text: &str, shell: Shell) -> Result<Vec<Part>, Obstacle> {
    let mut parts = stacker::maybe_grow(STACK, 2 * STACK, || script(text, shell, &Place::default(), 0))?;
    written::hand_on(&mut parts);
    Ok(parts)
}

/// Where a command runs, and what is known there.
#[derive(Clone, Debug, Default)]
struct Place {
    folders: Vec<String>,
    unknown: bool,
    /// Variables that the line has given a value, and that nothing else can have set since.
    values: Values,
}

impl Place {
    /// Forgets every variable that may not have here what it had in `before`.
    fn keep_values_of(&mut self, before: &Values) {
        self.values.retain(|name, value| before.get(name) == Some(value));
    }
}

fn script(text: &str, shell: Shell, place: &Place, depth: usize) -> Result<Vec<Part>, Obstacle> {
    if let Some(character) = characters::refused(text) {
        return Err(Obstacle::Character(u32::from(character)));
    }
    let lexer::Tokens { tokens, text, expanding } = lexer::tokens(text, shell)?;
    let program = parse(&text, &tokens, shell)?;
    let mut lowering =
        Lowering { text: &text, shell, parts: Vec::new(), depth, expanded: 0, in_loop: false, set: false };
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

struct Lowering<'a> {
    text: &'a str,
    shell: Shell,
    parts: Vec<Part>,
    depth: usize,
    /// How many words were followed that hold a `$(…)`, or a variable outside of quotes.
    expanded: usize,
    /// What is assigned may be assigned again before the next command.
    in_loop: bool,
    /// A setting of the shell may have changed, as `IFS`: what it makes of a variable is not known any more.
    set: bool,
}

impl Lowering<'_> {
    fn list(&mut self, list: &CompoundList, place: &mut Place) -> Result<(), Obstacle> {
        for item in &list.0 {
            if matches!(item.1, SeparatorOperator::Async) {
                return Err(Obstacle::Background);
            }
            self.and_or(&item.0, place)?;
        }
        Ok(())
    }

    /// A `cd` that may have failed, or may not have run, leaves the folder unknown: after `cd a &&`
    /// it is known until the list ends.
    fn and_or(&mut self, list: &AndOrList, place: &mut Place) -> Result<(), Obstacle> {
        let before = place.clone();
        let mut moved = self.pipeline(&list.first, place)?;
        let after_first = place.values.clone();
        for item in &list.additional {
            let (pipeline, may_be_skipped) = match item {
                AndOr::And(pipeline) => (pipeline, false),
                AndOr::Or(pipeline) => (pipeline, true),
            };
            place.unknown |= moved && may_be_skipped;
            if may_be_skipped {
                place.keep_values_of(&after_first);
            }
            let before_this = place.values.clone();
            moved |= self.pipeline(pipeline, place)?;
            // `a || x=1 && b` runs `b` without the assignment where `a` succeeds.
            if may_be_skipped {
                place.keep_values_of(&before_this);
            }
        }
        // Only the first is sure to run.
        place.keep_values_of(&after_first);
        if moved {
            *place = Place { unknown: true, values: std::mem::take(&mut place.values), ..before };
        }
        Ok(())
    }

    /// Whether it may have changed the folder.
    fn pipeline(&mut self, pipeline: &Pipeline, place: &mut Place) -> Result<bool, Obstacle> {
        let first = self.parts.len();
        let mut moved = false;
        match pipeline.seq.as_slice() {
            [] => return Err(Obstacle::Syntax),
            [command] => moved = self.command(command, place)?,
            // Each runs in a shell of its own (bash manual, "Pipelines"); in zsh the last one runs in this shell (zsh FAQ,
            // 3.9), so that a `cd` in it lasts.
            commands => {
                for (position, command) in commands.iter().enumerate() {
                    let start = self.parts.len();
                    let printed = self.parts.get(first..).and_then(<[Part]>::last).and_then(written::printed);
                    let mut inside = place.clone();
                    let goes = self.command(command, &mut inside)?;
                    if position + 1 == commands.len() && self.shell.keeps_last_of_pipeline() {
                        place.keep_values_of(&inside.values);
                        place.unknown |= goes;
                        moved |= goes;
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
            // To dash `time` is a program, which gets the assignment as its operand.
            if self.parts.len() == first {
                return Err(Obstacle::ReadOtherwise { what: "it gives `time` an assignment", shell: "dash" });
            }
            self.time(first);
        }
        // `! cd a && b` runs `b` when the `cd` failed.
        place.unknown |= moved && pipeline.bang;
        Ok(moved)
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

    fn command(&mut self, command: &Command, place: &mut Place) -> Result<bool, Obstacle> {
        match command {
            Command::Simple(simple) => self.simple(simple, place),
            Command::Compound(compound, redirects) => {
                let first = self.parts.len();
                let moved = self.compound(compound, place)?;
                self.redirect_all(first, redirects.as_ref(), &place.values)?;
                Ok(moved)
            }
            Command::Function(_) => Err(Obstacle::Function),
            Command::ExtendedTest(..) => Err(Obstacle::Compound("[[")),
        }
    }

    fn compound(&mut self, compound: &CompoundCommand, place: &mut Place) -> Result<bool, Obstacle> {
        let keyword = match compound {
            CompoundCommand::Subshell(subshell) => {
                self.list(&subshell.list, &mut place.clone())?;
                return Ok(false);
            }
            CompoundCommand::BraceGroup(group) => {
                let mut inside = place.clone();
                self.list(&group.list, &mut inside)?;
                let moved = inside.unknown != place.unknown || inside.folders != place.folders;
                place.unknown |= moved;
                place.values = inside.values;
                return Ok(moved);
            }
            CompoundCommand::ForClause(clause) => return self.for_clause(clause, place),
            CompoundCommand::Arithmetic(_) | CompoundCommand::ArithmeticForClause(_) => {
                return Err(Obstacle::Arithmetic);
            }
            CompoundCommand::CaseClause(_) => "case",
            CompoundCommand::IfClause(_) => "if",
            CompoundCommand::WhileClause(_) => "while",
            CompoundCommand::UntilClause(_) => "until",
            CompoundCommand::Coprocess(_) => "coproc",
        };
        Err(Obstacle::Compound(keyword))
    }

    fn for_clause(&mut self, clause: &ForClauseCommand, place: &mut Place) -> Result<bool, Obstacle> {
        let values = clause.values.as_ref().ok_or(Obstacle::Loop)?;
        // The body sees the variable as a word of which nothing is known, whatever the values are.
        if values.is_empty() {
            return Err(Obstacle::Loop);
        }
        if !variables::is_free(&clause.variable_name) {
            return Err(Obstacle::LoopVariable(clause.variable_name.clone()));
        }
        let mut written = Vec::new();
        for value in values {
            written.push(self.word(&value.value, place)?);
        }
        let outside = std::mem::replace(&mut self.in_loop, true);
        let moved = self.for_body(clause, &written, place);
        self.in_loop = outside;
        moved
    }

    /// Runs the body once for each of `values` where all of them are written out, and else once, with a variable of
    /// which nothing is known.
    fn for_body(&mut self, clause: &ForClauseCommand, values: &[Word], place: &mut Place) -> Result<bool, Obstacle> {
        let name = &clause.variable_name;
        let first = self.parts.len();
        let expanded = self.expanded;
        let mut before = place.clone();
        before.values.remove(name);
        let all_written = values.iter().all(|value| value.kind == WordKind::Exact);
        if all_written && !self.set && values.len() <= MAX_ROUNDS {
            let mut counted = expanded;
            let unrolled = values.iter().try_for_each(|value| {
                let mut inside = before.clone();
                inside.values.insert(name.clone(), value.text.clone());
                self.expanded = expanded;
                self.list(&clause.body.list, &mut inside)?;
                counted = self.expanded;
                inside.values.remove(name);
                // The next round would start with something else.
                let same = inside.values == before.values && inside.folders == before.folders;
                if same && inside.unknown == before.unknown { Ok(()) } else { Err(Obstacle::Loop) }
            });
            self.expanded = counted;
            if unrolled.is_ok() {
                *place = before;
                return Ok(false);
            }
            self.parts.truncate(first);
            self.expanded = expanded;
        }
        let mut inside = Place { values: Values::new(), ..before.clone() };
        self.list(&clause.body.list, &mut inside)?;
        // The second round starts where the first one ended.
        let moved = inside.unknown != place.unknown || inside.folders != place.folders;
        if moved {
            self.parts.iter_mut().skip(first).for_each(|part| part.folder_unknown = true);
        }
        *place = Place { unknown: place.unknown || moved, values: Values::new(), ..before };
        Ok(moved)
    }

    /// A word as the program gets it. What it inserts is followed first.
    fn word(&mut self, raw: &str, place: &Place) -> Result<Word, Obstacle> {
        self.substitutions(raw, place)?;
        self.expanded += usize::from(word::expands(raw));
        word::decode_with(raw, &place.values)
    }

    /// Adds what `redirect` reads and writes to `part`.
    fn redirect(&mut self, redirect: &IoRedirect, values: &Values, part: &mut Part) -> Result<(), Obstacle> {
        if let Some(raw) = redirect::word(redirect) {
            if !word::substitutions(raw).is_empty() {
                return Err(Obstacle::CommandSubstitution);
            }
            self.expanded += usize::from(word::expands(raw));
        }
        redirect::apply(redirect, values, part)
    }

    /// Files what the `$(…)` in a word run. Each runs in a shell of its own, before the command that the word belongs to
    /// (bash manual, "Command Substitution").
    fn substitutions(&mut self, raw: &str, place: &Place) -> Result<(), Obstacle> {
        for text in word::substitutions(raw) {
            if self.depth >= MAX_WRAPPER_DEPTH {
                return Err(Obstacle::TooDeep);
            }
            for part in script(text, self.shell, place, self.depth + 1)? {
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
            self.redirect(redirect, values, &mut Part::default())?;
            for part in self.parts.iter_mut().skip(first) {
                let own = part.input;
                redirect::apply(redirect, values, part)?;
                if own != Input::Inherited {
                    part.input = own;
                }
            }
        }
        Ok(())
    }

    fn simple(&mut self, command: &SimpleCommand, place: &mut Place) -> Result<bool, Obstacle> {
        let mut part = Part {
            folders: place.folders.clone(),
            folder_unknown: place.unknown,
            text: source::of(self.text, command),
            ..Part::default()
        };
        for item in command.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                CommandPrefixOrSuffixItem::IoRedirect(io) => self.redirect(io, &place.values, &mut part)?,
                CommandPrefixOrSuffixItem::AssignmentWord(_, raw) => {
                    if is_subscripted(&raw.value) || raw.value.contains("=(") {
                        return Err(Obstacle::Array);
                    }
                    shell_differences::check_assignment(&raw.value, self.shell)?;
                    let decoded = self.word(&raw.value, place)?;
                    if command.word_or_name.is_none() {
                        // What stands in it may run where the variable is a number: `declare -i n; n='a[$(x)]'`.
                        let may_run = decoded.text.contains("$(") || decoded.text.contains('`');
                        if !self.assign(&raw.value, place)? || decoded.kind == WordKind::Exact && may_run {
                            part.assignments.push(decoded.text);
                        }
                    } else if decoded.kind != WordKind::Exact || !is_harmless(&decoded.text) {
                        part.assignments.push(decoded.text);
                    }
                }
                _ => return Err(Obstacle::Syntax),
            }
        }
        if command.word_or_name.as_ref().is_some_and(|name| is_subscripted(&name.value)) {
            return Err(Obstacle::Array);
        }
        if let Some(name) = &command.word_or_name {
            part.words.push(self.word(&name.value, place)?);
        }
        for item in command.suffix.iter().flat_map(|suffix| &suffix.0) {
            match item {
                CommandPrefixOrSuffixItem::IoRedirect(io) => self.redirect(io, &place.values, &mut part)?,
                CommandPrefixOrSuffixItem::Word(raw) | CommandPrefixOrSuffixItem::AssignmentWord(_, raw) => {
                    part.words.push(self.word(&raw.value, place)?);
                }
                CommandPrefixOrSuffixItem::ProcessSubstitution(..) => return Err(Obstacle::ProcessSubstitution),
            }
        }
        let assigns = command.prefix.iter().flat_map(|prefix| &prefix.0);
        let assigns = || assigns.clone().any(|item| matches!(item, CommandPrefixOrSuffixItem::AssignmentWord(..)));
        if part.words.is_empty() && !assigns() {
            shell_differences::check_bare_redirection(self.shell)?;
        }
        // The keyword at the start of a pipeline is gone by now: what is left is one for zsh only.
        if part.program() == Some("time") {
            shell_differences::check_timed_part(self.shell)?;
        }
        if dialect::is_foreign(&part.words) {
            return Err(Obstacle::OtherShell);
        }
        // Only names were set that nothing but this line looks at.
        if command.word_or_name.is_none()
            && part.assignments.is_empty()
            && part.writes.is_empty()
            && part.reads.is_empty()
        {
            return Ok(false);
        }
        let moved = change_folder(&part, place);
        let first = self.parts.len();
        self.unwrap(part, self.depth)?;
        self.set |= self.parts.iter().skip(first).any(|part| !part.assignments.is_empty());
        if self.set || self.parts.iter().skip(first).any(|part| variables::may_set(part, self.shell)) {
            place.values.clear();
        }
        Ok(moved)
    }

    /// Follows `NAME=value` without a program. Whether nothing but the line itself looks at the name.
    fn assign(&mut self, raw: &str, place: &mut Place) -> Result<bool, Obstacle> {
        let Some((name, value)) = raw.split_once('=') else { return Ok(false) };
        let value = word::decode_with(value, &place.values)?;
        place.values.remove(name.trim_end_matches('+'));
        let is_free = variables::is_free(name);
        if is_free && !self.in_loop && !self.set && value.kind == WordKind::Exact {
            place.values.insert(name.to_owned(), value.text);
        }
        Ok(is_free)
    }

    /// Takes wrappers off until a command is left, and files it.
    fn unwrap(&mut self, mut part: Part, depth: usize) -> Result<(), Obstacle> {
        let program = part.words.first();
        if program.is_some_and(|program| program.kind == WordKind::Varies || program.text.is_empty()) {
            return Err(Obstacle::ProgramVaries);
        }
        if let Some(program) = program {
            shell_differences::check_program(&program.text, self.shell)?;
        }
        let inner = wrapper::inner(&part.words)?;
        let genuine = program.is_some_and(|program| wrapper::is_genuine(&program.text));
        if !matches!(inner, Inner::Nothing) && depth >= MAX_WRAPPER_DEPTH {
            return Err(Obstacle::TooDeep);
        }
        match inner {
            Inner::Nothing => {
                part.assignments.extend(variables::set_by(&part.words, self.shell));
                self.file(part)
            }
            Inner::Rest { taken, transparent, assignments, unknown_operands, replaced } => {
                let words = part.words.iter().skip(taken).map(|word| match &replaced {
                    Some(mark) if word.text.contains(mark) => Word { text: word.text.clone(), kind: WordKind::Varies },
                    _ => word.clone(),
                });
                let words = words.chain(unknown_operands.then(Word::unknown)).collect();
                wrap(&mut part, Some(taken), transparent && genuine);
                part.words = words;
                part.assignments.extend(assignments.into_iter().filter(|assignment| !is_harmless(assignment)));
                self.unwrap(part, depth + 1)
            }
            Inner::Script(text, shell) => {
                wrap(&mut part, None, genuine);
                let place =
                    Place { folders: part.folders.clone(), unknown: part.folder_unknown, values: Values::new() };
                for inner in script(&text, shell, &place, depth + 1)? {
                    self.file(within(&part, inner))?;
                }
                Ok(())
            }
            Inner::Executed(commands) if commands.len() > MAX_EXECUTED => {
                Err(Obstacle::TooManyCommands(lexer::MAX_COMMANDS))
            }
            Inner::Executed(commands) => {
                self.file(part.clone())?;
                wrap(&mut part, None, false);
                commands.into_iter().try_for_each(|words| self.unwrap(Part { words, ..part.clone() }, depth + 1))
            }
        }
    }

    fn file(&mut self, part: Part) -> Result<(), Obstacle> {
        if self.parts.len() >= lexer::MAX_COMMANDS {
            return Err(Obstacle::TooManyCommands(lexer::MAX_COMMANDS));
        }
        self.parts.push(part);
        Ok(())
    }
}

/// `name[`: bash reads on to the `]`, over blanks and operators, before it looks for words.
fn is_subscripted(raw: &str) -> bool {
    raw.split_once('[').is_some_and(|(name, _)| characters::is_variable_name(name))
}

fn wrap(part: &mut Part, taken: Option<usize>, transparent: bool) {
    part.wrappers.extend(part.words.first().map(|word| word.text.clone()));
    part.layers.push(Layer { words: part.words.clone(), taken, transparent });
}

/// `inner` as it runs inside of `outer`'s wrappers and redirections.
fn within(outer: &Part, mut inner: Part) -> Part {
    inner.wrappers.splice(0..0, outer.wrappers.iter().cloned());
    inner.layers.splice(0..0, outer.layers.iter().cloned());
    inner.assignments.extend(outer.assignments.iter().cloned());
    inner.writes.extend(outer.writes.iter().cloned());
    inner.reads.extend(outer.reads.iter().cloned());
    if inner.input == Input::Inherited {
        inner.input = outer.input;
    }
    inner
}

/// Follows `cd`; whether the folder may have changed.
fn change_folder(part: &Part, place: &mut Place) -> bool {
    let mut words = part.words.as_slice();
    while let Some((first, rest)) = words.split_first()
        && matches!(first.text.as_str(), "builtin" | "command")
    {
        words = rest;
    }
    match words {
        [program] if program.text == "cd" => place.folders = vec!["~".to_owned()],
        [program, folder] if program.text == "cd" && is_folder(folder) => place.folders.push(folder.text.clone()),
        // What these run may go anywhere.
        [program, ..] if ["cd", "chdir", "pushd", "popd", "eval", "source", "."].contains(&program.text.as_str()) => {
            place.unknown = true
        }
        _ => return false,
    }
    true
}

fn is_folder(word: &Word) -> bool {
    let plain = !word.text.is_empty() && !word.text.starts_with(['-', '+']);
    plain && (word.kind == WordKind::Home || (word.kind == WordKind::Exact && !word.text.starts_with('~')))
}
