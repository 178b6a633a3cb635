//! Text that a line writes into a file, or hands from one command to another, for rules that deny.

use std::collections::BTreeSet;
use std::ops::Range;

use super::command_line::Part;
use super::operand_effects;
use crate::programs::name::base_name;
use crate::programs::{Fact, has_fact};

/// The value in `of=s`, or the word itself.
fn value_of(text: &str) -> &str {
    text.split_once('=').map_or(text, |(_, value)| value)
}

/// Ends of the names of files that are written for people: no program takes an instruction from them.
const PROSE: &[&str] = &["md", "markdown", "txt", "rst", "adoc", "log", "csv", "html", "svg"];

/// `echo 'rm x' > s && sh s`: what a command writes into a file reaches the later ones that may take it from there,
/// because they name the file, or because they do what they find in the project. In a line with a loop (`loops`) any
/// other may be a later one.
pub(super) fn hand_on(parts: &mut [Part], loops: bool) {
    let mut texts: Vec<String> = Vec::new();
    let mut own: Vec<Range<usize>> = Vec::new();
    for part in parts.iter() {
        let first = texts.len();
        texts.extend(texts_of(part));
        own.push(first..texts.len());
    }
    let mut reached: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); parts.len()];
    // What the last command writes may go through two others to the first.
    for _ in 0..if loops { 2 } else { 1 } {
        for (index, (part, own)) in parts.iter().zip(&own).enumerate() {
            let held: Vec<usize> = reached.get(index).into_iter().flatten().copied().chain(own.clone()).collect();
            let files = if held.is_empty() { Vec::new() } else { files_of(part) };
            if files.is_empty() {
                continue;
            }
            for (other, (later, reached)) in parts.iter().zip(&mut reached).enumerate() {
                if (other > index || loops && other != index) && takes(later, &files) {
                    reached.extend(&held);
                }
            }
        }
    }
    for (part, reached) in parts.iter_mut().zip(reached) {
        part.from_files.extend(reached.into_iter().filter_map(|index| texts.get(index).cloned()));
    }
}

/// Whether `part` may take what it does from one of `files`.
fn takes(part: &Part, files: &[&str]) -> bool {
    let program = part.words.first().map_or("", |program| program.text.as_str());
    if base_name(program) == "git" {
        return files.iter().any(|file| is_gits(file));
    }
    let is_prose = |file: &str| file.rsplit_once('.').is_some_and(|(_, end)| PROSE.contains(&end));
    let does_what_it_finds =
        || operand_effects::runs_tasks(program) || operand_effects::runs_what_it_finds(&part.words);
    let names = |file: &str| {
        let name = base_name(file);
        part.words.iter().chain(&part.reads).any(|word| base_name(&word.text) == name)
    };
    files.iter().any(|file| names(file)) || files.iter().any(|file| !is_prose(file)) && does_what_it_finds()
}

/// Whether git takes settings or programs from the file (gitrepository-layout(5), gitattributes(5), gitmodules(5)).
fn is_gits(path: &str) -> bool {
    path.split('/').any(|component| component.starts_with(".git") || matches!(component, ".husky" | "hooks"))
}

/// What `part` may write: a text that it is given, or its own words, as in `echo 'rm x' > s`, `find -fprintf s 'rm %p'`
/// and `sed -i 's/^/rm /' s`.
fn texts_of(part: &Part) -> Vec<String> {
    let words = part.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    // printf(1), `echo -e`, awk and jq make something of `\n`.
    let escaped = words.contains('\\').then(|| words.replace("\\n", "\n").replace("\\t", "\t"));
    let writes = !part.writes.is_empty() || !only_prints(part);
    let own = std::iter::once(words).chain(escaped).filter(|words| writes && !words.is_empty());
    let printed = printed(part).filter(|text| writes && !text.is_empty());
    part.given.iter().cloned().chain(own).chain(printed).collect()
}

/// The files that `part` may write: where a redirection leads, and whatever it names, as in `tee s` and `dd of=s`.
pub(super) fn files_of(part: &Part) -> Vec<&str> {
    let operands = part.words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
    let named = operands.filter(|_| !only_prints(part)).map(|word| value_of(&word.text));
    let files = part.writes.iter().map(|word| word.text.as_str()).chain(named);
    files.filter(|path| !base_name(path).is_empty()).collect()
}

/// Whether what `part` says ends up where its redirections lead and nowhere else.
fn only_prints(part: &Part) -> bool {
    part.words.first().is_none_or(|program| operand_effects::only_reads(&program.text))
}

/// What `echo` and `printf` print of their own words.
pub(super) fn printed(part: &Part) -> Option<String> {
    let (program, operands) = part.words.split_first()?;
    let prints = has_fact(&program.text, Fact::PrintsWords);
    let texts = || operands.iter().map(|word| word.text.as_str()).collect::<Vec<_>>();
    prints.then(|| texts().join(" "))
}

/// What runs a file that holds `text` (execve(2), "Interpreter scripts"), without its folder; without a first line that says
/// it, the shell.
pub(super) fn interpreter_of(text: &str) -> &str {
    let first = text.lines().next().and_then(|line| line.strip_prefix("#!")).unwrap_or_default();
    let mut names = first.split_ascii_whitespace().map(base_name);
    names.find(|name| *name != "env" && !name.starts_with('-')).unwrap_or("sh")
}

#[cfg(test)]
mod tests {
    use super::interpreter_of;

    #[test]
    fn the_first_line_of_a_file_says_what_runs_it() {
        assert_eq!(interpreter_of("#!/usr/bin/env python3\nprint(1)"), "python3");
        assert_eq!(interpreter_of("#!/usr/bin/env -S node --x\n"), "node");
        assert_eq!(interpreter_of("#! /bin/bash -e\nls"), "bash");
        assert_eq!(interpreter_of("ls"), "sh");
        assert_eq!(interpreter_of(""), "sh");
    }
}
