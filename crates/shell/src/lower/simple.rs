//! One simple command, and what its wrappers run.

use brush_parser::ast::{CommandPrefixOrSuffixItem, SimpleCommand};

use super::place::{Folders, ShellState};
use super::{Lowering, MAX_WRAPPER_DEPTH, braces, script};
use crate::assignments::is_harmless;
use crate::command_line::{Input, Layer, Part, Word, WordKind};
use crate::obstacle::Obstacle;
use crate::programs;
use crate::programs::fact::Fact;
use crate::values::{Value, Values};
use crate::wrapper::{self, Inner};
use crate::{characters, dialect, lexer, shell_differences, source, variables, word};

/// `-exec` in one `find`.
const MAX_EXECUTED: usize = 4;

/// Commands behind which the next one may not come, or that may run one of these.
const LEAVING: &[&str] = &["break", "continue", "return", "exit", "eval", "source", ".", "trap"];

/// Commands behind which a later assignment may do something else: what a trap runs may set a variable at any time, and a
/// variable may be read-only, calculated, or in capitals from then on.
const BINDING: &[&str] = &["trap", "readonly", "declare", "typeset", "integer", "float", "private", "nameref", "local"];

/// Commands of the shell itself behind which an assignment in front of them stays.
const SPECIAL_BUILTINS: &[&str] = &[
    ":", ".", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift", "source",
    "times", "trap", "unset", "command", "builtin",
];

impl Lowering<'_> {
    pub(super) fn simple(&mut self, command: &SimpleCommand, place: &mut ShellState) -> Result<(), Obstacle> {
        let mut part = Part { text: source::of(self.text, command), ..Part::default() };
        for item in command.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                CommandPrefixOrSuffixItem::IoRedirect(io) => self.redirect(io, &place.values, &mut part)?,
                CommandPrefixOrSuffixItem::AssignmentWord(_, raw) => {
                    if is_subscripted(&raw.value) || raw.value.contains("=(") {
                        return Err(Obstacle::Array);
                    }
                    shell_differences::check_assignment(&raw.value, self.shell)?;
                    let decoded = self.word(&raw.value, place)?;
                    if is_for_read(&decoded, command) {
                        // Only that one command splits its line by it.
                    } else if command.word_or_name.is_none() {
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
                CommandPrefixOrSuffixItem::Word(raw)
                    if self.shell.has_braces()
                        && !self.set
                        && let Some(words) = braces::alternatives(&raw.value) =>
                {
                    for word in words {
                        part.words.push(self.word(&word, place)?);
                    }
                }
                CommandPrefixOrSuffixItem::Word(raw) | CommandPrefixOrSuffixItem::AssignmentWord(_, raw) => {
                    let word = self.word(&raw.value, place)?;
                    part.found.extend(self.found(&raw.value, &word, &place.values));
                    part.words.push(word);
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
        self.assign_in_front(command, &part, place);
        if dialect::is_foreign(&part.words) {
            return Err(Obstacle::OtherShell);
        }
        // Only names were set that nothing but this line looks at.
        if command.word_or_name.is_none()
            && part.assignments.is_empty()
            && part.writes.is_empty()
            && part.reads.is_empty()
        {
            return Ok(());
        }
        let first = self.parts.len();
        place
            .folders
            .each(&part, self.walked.tells_folders_apart)
            .try_for_each(|part| self.unwrap(part, self.depth))?;
        change_folder(&part, place);
        let own = self.parts.get(first..).unwrap_or_default();
        let binds = |part: &Part| part.programs().any(|program| BINDING.contains(&program));
        let sets = |assignment: &String| variables::changes_reading(assignment);
        self.set |= own.iter().any(|part| !part.assignments.is_empty() || binds(part));
        self.reads_otherwise |= own.iter().any(|part| part.assignments.iter().any(sets) || binds(part));
        if self.reads_otherwise {
            place.values.clear();
        } else if self.set {
            // What a program has printed may be something else.
            place.values.retain(|_, value| matches!(value, Value::Text(_)));
        }
        for part in own {
            match variables::sets_only(part) {
                Some(names) => names.iter().for_each(|name| drop(place.values.remove(*name))),
                None if variables::may_set(part, self.shell) => place.values.clear(),
                None => {}
            }
        }
        if own.iter().flat_map(Part::programs).any(|program| LEAVING.contains(&program)) {
            for left in &mut self.leaving {
                match left {
                    Some(left) => left.join(place),
                    None => *left = Some(place.clone()),
                }
            }
        }
        Ok(())
    }

    /// What is not known any more behind `NAME=value COMMAND`: in front of some of the shell's own commands it stays
    /// (POSIX.1-2024, "Special Built-In Utilities"; dash does so).
    fn assign_in_front(&mut self, command: &SimpleCommand, part: &Part, place: &mut ShellState) {
        if command.word_or_name.is_none() {
            return;
        }
        let is_special = part
            .words
            .first()
            .is_none_or(|program| program.kind != WordKind::Exact || SPECIAL_BUILTINS.contains(&program.text.as_str()));
        for item in command.prefix.iter().flat_map(|prefix| &prefix.0) {
            let CommandPrefixOrSuffixItem::AssignmentWord(_, raw) = item else { continue };
            let name = raw.value.split(['=', '+']).next().unwrap_or_default();
            place.values.remove(name);
            if is_special && variables::changes_reading(name) {
                (self.set, self.reads_otherwise) = (true, true);
                place.values.clear();
            }
        }
    }

    /// Follows `NAME=value` without a program. Whether nothing but the line itself looks at the name.
    fn assign(&mut self, raw: &str, place: &mut ShellState) -> Result<bool, Obstacle> {
        let Some((name, value)) = raw.split_once('=') else { return Ok(false) };
        let decoded = word::decode_with(value, self.reader(&place.values));
        let known = match decoded.kind {
            // zsh looks for a program behind `:=` (zshexpn(1), "`=' expansion").
            WordKind::Exact if decoded.text.contains(":=") => None,
            WordKind::Exact => Some(Value::Text(decoded.text)),
            _ if decoded.text == word::REVISION => Some(Value::Revision),
            _ if word::is_number(value, &place.values) || word::prints_number(value) => Some(Value::Number),
            _ => word::new_name(value).map(Value::Whole),
        };
        let (name, appends) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
        place.values.remove(name);
        let is_free = variables::is_free(name);
        let is_sure = match known {
            Some(Value::Text(_)) => !self.reads_otherwise && !variables::changes_reading(name),
            _ => is_free && !self.set,
        };
        if !appends
            && is_sure
            && let Some(known) = known
        {
            place.values.insert(name.to_owned(), known);
        }
        Ok(is_free)
    }

    /// Takes wrappers off until a command is left, and files it.
    pub(super) fn unwrap(&mut self, mut part: Part, depth: usize) -> Result<(), Obstacle> {
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
                let place = ShellState { folders: Folders::of(&part), values: Values::new() };
                for inner in script(&text, shell, &place, depth + 1, self.walked)? {
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
}

/// Whether `assignment` is `IFS=…` in front of `read`.
fn is_for_read(assignment: &Word, command: &SimpleCommand) -> bool {
    let reads = command.word_or_name.as_ref().is_some_and(|name| name.value == "read");
    reads && assignment.kind == WordKind::Exact && assignment.text.starts_with("IFS=")
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

/// Follows `cd`, as if it succeeded.
fn change_folder(part: &Part, place: &mut ShellState) {
    let mut words = part.words.as_slice();
    while let Some((first, rest)) = words.split_first()
        && matches!(first.text.as_str(), "builtin" | "command")
    {
        words = rest;
    }
    match words {
        [program] if program.text == "cd" => place.folders.go("~"),
        [program, folder] if program.text == "cd" && is_folder(folder) => place.folders.go(&folder.text),
        // What these run may go anywhere.
        [program, ..] if program.text == "chdir" || moves(&program.text) => place.folders.lose(),
        _ => {}
    }
}

/// Whether `program`, a command of the shell itself, may change its folder.
fn moves(program: &str) -> bool {
    let known = programs::of(program);
    known.is(Fact::ChangesFolder) || known.is(Fact::RunsWords)
}

fn is_folder(word: &Word) -> bool {
    let plain = !word.text.is_empty() && !word.text.starts_with(['-', '+']);
    plain && (word.kind == WordKind::Home || (word.kind == WordKind::Exact && !word.text.starts_with('~')))
}
