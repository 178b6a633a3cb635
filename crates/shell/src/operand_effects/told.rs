//! The command lines that a command is told to run: by an option (`rsync -e 'sh -i'`), by a word that holds one
//! (`hyperfine 'make'`, `fzf --bind 'start:execute(make)'`), or by a variable (`GIT_PAGER='less -R' git log`).
//!
//! What is told here can only add questions, so that a text which may be a command line counts as one.

use super::inner_commands;
use super::{class, options, runs_text, script_word};
use crate::command_line::{Part, Word, WordKind};
use crate::programs;
use crate::programs::class::Class;
use crate::programs::effect::Effect;
use crate::programs::fact::Fact;
use crate::programs::name::{base_name, canonical};
use crate::programs::spec::Spec;
use crate::programs::variables;
use crate::word::is_only_inserted;

/// Most of them in one command.
const MAX_LINES: usize = 16;

/// What a command is told to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NestedCommand<'a> {
    /// What a shell reads, or the words of a command in one text.
    Text(&'a str),
    /// A command by its words.
    Words(&'a [Word]),
    /// What only a variable or another command tells.
    Untold,
}

/// What `part` is told to run.
pub(crate) fn told(part: &Part) -> Vec<NestedCommand<'_>> {
    let mut found = Vec::new();
    by_words(&part.words, &mut found);
    let declares = part.program().is_some_and(|program| programs::has_fact(program, Fact::Declares));
    let is_alias = part.program() == Some("alias");
    let declared = part.words.iter().skip(1).filter(|_| declares || is_alias).map(|word| word.text.as_str());
    for setting in part.assignments.iter().map(String::as_str).chain(declared) {
        let Some((name, value)) = setting.split_once('=') else { continue };
        if is_alias || variables::names_program(name) {
            add(&mut found, NestedCommand::Text(value));
        }
        by_pieces(value, &mut found);
        // `let 'a[$(x)]=1'`: a subscript is calculated with.
        by_pieces(name, &mut found);
    }
    found.truncate(MAX_LINES);
    found
}

fn add<'a>(found: &mut Vec<NestedCommand<'a>>, told: NestedCommand<'a>) {
    let says_nothing = matches!(told, NestedCommand::Text(text) if text.trim().is_empty());
    if !says_nothing && !found.contains(&told) {
        found.push(told);
    }
}

fn by_words<'a>(words: &'a [Word], found: &mut Vec<NestedCommand<'a>>) {
    let Some((program, operands)) = words.split_first() else { return };
    let name = canonical(&program.text);
    let known = programs::of(&name);
    let class = class::of(&name);
    if matches!(class, Class::AnyText) || known.is(Fact::OnlyNames) {
        return;
    }
    // A shell's call whose options or words are others than the analysis takes off: `zsh -c 'x'`, `sh -c 'x' a`.
    let script = script_word(operands).filter(|_| known.is(Fact::RunsScripts));
    script.into_iter().for_each(|script| by_value(&script.text, script.kind, found));
    let spec = spec_of(&name, class, words);
    for (index, word) in operands.iter().enumerate() {
        let text = word.text.as_str();
        let executes = known.executing.split_ascii_whitespace().any(|option| option == text);
        if !executes && text.starts_with('-') && text.len() > 1 && runs(&name, spec, words, text) {
            let next = operands.get(index + 1).map(|next| (next.text.as_str(), next.kind));
            let value = value_of(text).map(|value| (value, word.kind)).or(next);
            let at = if value_of(text).is_some() { index + 1 } else { index + 2 };
            let value = value.filter(|(value, _)| !names_shell(words, at, text, value));
            value.into_iter().for_each(|(value, kind)| by_value(value, kind, found));
        }
        // `fd -x cp {} dir`: the rest, up to a sign that ends it.
        if executes {
            let behind = operands.get(index + 1..).unwrap_or_default();
            let end = behind.iter().position(|word| matches!(word.text.as_str(), ";" | "+")).unwrap_or(behind.len());
            add(found, NestedCommand::Words(behind.get(..end).unwrap_or(behind)));
        }
    }
    // What runs on another machine, or in a container, finds other files there.
    let runs_here = !known.is(Fact::RunsElsewhere) && !known.is(Fact::RunsContainers);
    if !runs_here {
        return;
    }
    if known.wrapper.is_none()
        && let Some((rest, as_text)) = inner_commands::behind(words)
    {
        match rest {
            [only] if as_text => by_value(&only.text, only.kind, found),
            rest => add(found, NestedCommand::Words(rest)),
        }
    }
    for rest in inner_commands::told_behind(&name, words) {
        match rest {
            [only] => by_value(&only.text, only.kind, found),
            rest => add(found, NestedCommand::Words(rest)),
        }
    }
    match class {
        // perlfunc(1), "qx"; Ruby, "Kernel": what stands between backquotes runs.
        Class::Script(_) => operands.iter().for_each(|word| by_backquotes(&word.text, found)),
        _ if runs_text(words) => operands.iter().for_each(|word| by_pieces(&word.text, found)),
        _ => {}
    }
}

/// The entry of the program, or of the sub-command that `words` call.
fn spec_of(name: &str, class: Class, words: &[Word]) -> Option<&'static Spec> {
    match class {
        Class::Options(spec) | Class::Tasks(spec) => Some(spec),
        Class::SubCommands(specs) | Class::HarmlessCommands(specs) => {
            let own = words.get(inner_commands::sub_command(name, words)?..)?;
            options::find_from(specs, own).map(|(spec, _)| spec)
        }
        _ => None,
    }
}

/// Whether `option` of the program called `name` runs its value: as its entry says, or going by its name.
fn runs(name: &str, spec: Option<&'static Spec>, words: &[Word], option: &str) -> bool {
    let listed = || spec.is_some_and(|spec| options::option_effect(spec, option) == Some(Effect::Runs));
    !inner_commands::only_looks_up(name, option)
        && (inner_commands::runs_by_manual(name, option)
            || listed()
            || inner_commands::runs_behind_sub_command(name, words, option)
            || inner_commands::runs_by_name(option))
}

/// Whether `value`, which stands at `at` in `words`, only says which shell `option` means, of a program that starts no
/// others there: `oh-my-posh print --shell bash`, `just --shell bash test`.
fn names_shell(words: &[Word], at: usize, option: &str, value: &str) -> bool {
    let known = words.first().map(|program| programs::of(&canonical(&program.text)));
    let facts = [Fact::RunsOperands, Fact::RunsOthers, Fact::RunsElsewhere];
    let starts = || known.is_some_and(|known| facts.into_iter().any(|fact| known.is(fact)));
    let name = option.split('=').next().unwrap_or(option);
    name.contains("shell") && is_shell(value) && !(starts() && inner_commands::may_start(words, at))
}

/// Whether `text` is the name of a shell, and nothing else.
fn is_shell(text: &str) -> bool {
    programs::find(text).is_some_and(|program| program.is(Fact::RunsScripts))
}

/// The value in the word of an option itself: `--exec=make`, `-x'make'`.
fn value_of(option: &str) -> Option<&str> {
    match option.strip_prefix("--") {
        Some(_) => option.split_once('=').map(|(_, value)| value),
        None => option.split_once('=').map(|(_, value)| value).or_else(|| {
            // A cluster of letters is no value: `-avze`.
            option.get(2..).filter(|value| value.contains([' ', '/', '!', '|']))
        }),
    }
}

fn by_value<'a>(value: &'a str, kind: WordKind, found: &mut Vec<NestedCommand<'a>>) {
    if kind == WordKind::Varies && is_only_inserted(value) {
        return add(found, NestedCommand::Untold);
    }
    add(found, NestedCommand::Text(value));
    // `git -c core.pager=bash`, `gcc -wrapper sh,-s`.
    let shells = value.split(['=', ',']).filter(|piece| *piece != value && is_shell(piece));
    shells.for_each(|piece| add(found, NestedCommand::Text(piece)));
    by_pieces(value, found);
}

/// Pieces of a text that may be command lines: `exec=make`, `start:execute(make)`, `!make`, `|make`.
fn by_pieces<'a>(text: &'a str, found: &mut Vec<NestedCommand<'a>>) {
    if !text.contains([' ', '\t', '>']) {
        return;
    }
    let behind = |sign: char| text.split_once(sign).map(|(_, rest)| rest);
    let between = |open: char, close: char| {
        let from = text.find(open)? + open.len_utf8();
        text.get(from..text.rfind(close)?)
    };
    let pieces = [
        Some(text),
        behind('='),
        behind(':'),
        behind('!'),
        between('(', ')'),
        between('{', '}'),
        between('[', ']'),
        between('`', '`'),
        between('"', '"'),
        between('\'', '\''),
        text.split_once("%pipe%").map(|(_, rest)| rest),
        text.split_once("$(").map(|(_, rest)| rest.trim_end_matches(')')),
    ];
    for piece in pieces.into_iter().flatten() {
        let piece = piece.trim_matches([' ', '\t', '\n', '"', '\'', '[']).trim_start_matches(['!', '|', '@', ':', '+']);
        if begins_command(piece) {
            add(found, NestedCommand::Text(piece));
        }
    }
}

fn by_backquotes<'a>(text: &'a str, found: &mut Vec<NestedCommand<'a>>) {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|text| begins_command(text)).for_each(|text| add(found, NestedCommand::Text(text)));
}

/// Whether `text` begins as a command does and goes on: prose, a message, a pattern seldom do.
fn begins_command(text: &str) -> bool {
    let text = text.trim_start();
    let Some((first, rest)) = text.split_once([' ', '\t', '>']) else { return false };
    let is_setting = || first.split_once('=').is_some_and(|(name, _)| crate::characters::is_variable_name(name));
    let is_path = || first.starts_with(['/', '~']) || first.starts_with("./");
    !rest.trim().is_empty()
        && (first.is_empty() || programs::find(base_name(first)).is_some() || is_path() || is_setting())
}
