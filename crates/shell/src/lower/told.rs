//! What commands are told to run, taken apart as if it stood in the line itself: by their words, by an alias that the line
//! has made, by a script that it has written.

use std::collections::{BTreeMap, BTreeSet};

use super::place::{Folders, ShellState};
use super::{Lowering, MAX_WRAPPER_DEPTH, STACK, Walked, script};
use crate::command_line::{CommandLine, Part, Script, Shell, Word};
use crate::obstacle::Obstacle;
use crate::operand_effects::runs_scripts;
use crate::operand_effects::told::{NestedCommand, told};
use crate::programs::name::base_name;
use crate::programs::{self, Fact};
use crate::recovery;
use crate::values::Values;
use crate::written::{files_of, interpreter_of};

/// More text than this is not taken apart, in KiB: of one of them, and of all in a line.
const MAX_KIB: usize = 4;
const MAX_KIB_OF_ALL: usize = 16;
/// Most of them in a line, those in each other too.
const MAX_LINES: usize = 64;

/// What may still be taken apart.
struct Left {
    lines: usize,
    bytes: usize,
}

/// Tells each of `parts` what it is told to run, and which scripts it runs that the line has written.
pub(crate) fn add_told(parts: &mut [Part]) {
    let mut left = Left { lines: MAX_LINES, bytes: MAX_KIB_OF_ALL * 1024 };
    let aliases = aliases(parts);
    let files: BTreeSet<String> = parts.iter().flat_map(files_of).map(|file| base_name(file).to_owned()).collect();
    for part in parts {
        let texts = if runs_file(part, &files) { part.from_files.clone() } else { Vec::new() };
        let scripts = texts.into_iter().map(|text| Script { interpreter: interpreter(part, &text).to_owned(), text });
        let (of_shell, others): (Vec<_>, _) = scripts.partition(|script| is_shell(&script.interpreter));
        let of_shell = of_shell.into_iter().map(|script| script.text);
        part.scripts = others;
        add(part, aliased(part, &aliases).into_iter().chain(of_shell).collect(), 0, &mut left);
    }
}

/// Whether `part` does what a file says: one that it names, or one of `files` that is itself the program.
fn runs_file(part: &Part, files: &BTreeSet<String>) -> bool {
    let program = part.program().unwrap_or_default();
    is_interpreter(program) || program.contains('/') && files.contains(base_name(program))
}

/// What runs a script with this text when `part` runs it.
fn interpreter<'a>(part: &'a Part, text: &'a str) -> &'a str {
    part.program().filter(|program| is_interpreter(program)).unwrap_or_else(|| interpreter_of(text))
}

fn is_interpreter(program: &str) -> bool {
    is_shell(program) || runs_scripts(program)
}

fn is_shell(program: &str) -> bool {
    [Fact::RunsScripts, Fact::Sources].into_iter().any(|fact| programs::has_fact(program, fact))
}

/// What the line makes aliases for. Which of two of the same name holds nobody tells, so that the last one does.
fn aliases(parts: &[Part]) -> BTreeMap<String, String> {
    let made = parts.iter().filter(|part| part.program() == Some("alias")).flat_map(|part| part.words.iter().skip(1));
    let made = made.filter_map(|word| word.text.split_once('='));
    made.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// What `part` runs if its program is an alias: the alias's words, and its own behind them.
fn aliased(part: &Part, aliases: &BTreeMap<String, String>) -> Option<String> {
    let (program, operands) = part.words.split_first()?;
    let value = aliases.get(&program.text)?;
    let words = [value.as_str()].into_iter().chain(operands.iter().map(|word| word.text.as_str()));
    Some(words.collect::<Vec<_>>().join(" "))
}

/// Adds what the words of `part` tell it to run, and what is `given` beside them.
fn add(part: &mut Part, given: Vec<String>, depth: usize, left: &mut Left) {
    let (mut lines, mut unknown) = (Vec::new(), false);
    let given = given.iter().map(|text| NestedCommand::Text(text));
    for told in told(part).into_iter().chain(given) {
        let (text, words) = match told {
            NestedCommand::Untold => {
                unknown = true;
                continue;
            }
            NestedCommand::Text(text) => (text.to_owned(), None),
            NestedCommand::Words(words) => {
                let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
                (texts.join(" "), Some(words))
            }
        };
        let fits = text.len() <= (MAX_KIB * 1024).min(left.bytes) && left.lines > 0 && depth < MAX_WRAPPER_DEPTH;
        if !fits {
            lines.push(unseen(text));
            continue;
        }
        left.bytes -= text.len();
        left.lines -= 1;
        let mut line = taken_apart(part, text, words);
        line.parts.iter_mut().for_each(|part| add(part, Vec::new(), depth + 1, left));
        lines.push(line);
    }
    part.told = lines;
    part.told_unknown = unknown;
}

/// A line that is too long to be looked at.
fn unseen(text: String) -> CommandLine {
    CommandLine { text, parts: Vec::new(), flat: Vec::new(), obstacle: Some(Obstacle::TooLong(MAX_KIB)) }
}

/// `text`, or `words`, as it runs where `part` does.
fn taken_apart(part: &Part, text: String, words: Option<&[Word]>) -> CommandLine {
    let walked = Walked::default();
    let place = ShellState { folders: Folders::of(part), values: Values::new() };
    let command = words.map(|words| Part {
        words: words.to_vec(),
        folders: part.folders.clone(),
        folder_unknown: part.folder_unknown,
        input: part.input,
        text: text.clone(),
        ..Part::default()
    });
    let understood = stacker::maybe_grow(STACK, 2 * STACK, || match &command {
        None => script(&text, Shell::Bash, &place, 1, &walked),
        Some(command) => unwrapped(command.clone(), &text, &walked),
    });
    match (understood, command) {
        (Ok(parts), _) => CommandLine { text, parts, flat: Vec::new(), obstacle: None },
        (Err(obstacle), Some(command)) => {
            CommandLine { text, parts: vec![command], flat: Vec::new(), obstacle: Some(obstacle) }
        }
        (Err(obstacle), None) => {
            CommandLine { parts: recovery::parts(&text), flat: Vec::new(), obstacle: Some(obstacle), text }
        }
    }
}

fn unwrapped(command: Part, text: &str, walked: &Walked) -> Result<Vec<Part>, Obstacle> {
    let depth = 1;
    let mut lowering = Lowering::new(text, Shell::Bash, depth, walked);
    lowering.unwrap(command, depth)?;
    Ok(lowering.parts)
}
