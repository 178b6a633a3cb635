//! What is known of the programs that run others.
//!
//! Sources: the manual page of each program, its section on how it is called.

use super::super::super::command_line::{Word, WordKind};
use super::unlisted;
use crate::programs::class::Class;
use crate::programs::effect::Effect;
use crate::programs::fact::Fact;
use crate::programs::name::base_name;
use crate::programs::name::canonical;
use crate::programs::takes_next;
use crate::programs::{self, Program};

/// Where the program of a wrapper stands.
pub(super) struct Prefix {
    /// `None`: there is one, but nobody here can tell where.
    pub(super) start: Option<usize>,
    /// A shell reads what stands there.
    pub(super) script: bool,
}

/// Where the command starts that `words` run, if they are a wrapper's.
pub(super) fn prefix(name: &str, words: &[Word]) -> Option<Prefix> {
    let program = programs::find(name)?;
    let found = program.runs.iter().filter_map(|runs| {
        let from = behind_subs(name, words, runs.sub)?;
        Some(Prefix { start: start(program, name, words, from, runs.operands), script: runs.script })
    });
    let project = program.project_commands.iter().filter_map(|command| {
        let from = behind_subs(name, words, command)?;
        Some(Prefix { start: start(program, name, words, from, 0), script: false })
    });
    found.chain(project).next()
}

/// The words behind the sub-commands of the program `name` whose operands are a command, and behind their options.
pub(super) fn told_behind<'a>(name: &str, words: &'a [Word]) -> impl Iterator<Item = &'a [Word]> {
    programs::of(name).told_behind.iter().filter_map(move |subs| {
        let start = position(name, words, behind_subs(name, words, subs)?)?;
        words.get(start..)
    })
}

/// Behind the sub-commands `subs` of `words`.
fn behind_subs(name: &str, words: &[Word], subs: &str) -> Option<usize> {
    let mut index = 1;
    for sub in subs.split_ascii_whitespace() {
        // `cmake -E`: an option that stands in the place of a sub-command.
        if !sub.starts_with('-') {
            index = position(name, words, index)?;
        }
        if words.get(index)?.text != sub {
            return None;
        }
        index += 1;
    }
    Some(index)
}

/// The first word from `from` on that is neither an option nor the value of one.
pub(super) fn position(name: &str, words: &[Word], from: usize) -> Option<usize> {
    let mut index = from;
    loop {
        let text = words.get(index)?.text.as_str();
        let toolchain = name == "cargo" && text.starts_with('+');
        index += match text {
            _ if takes_next(name, text) => 2,
            _ if text.starts_with('-') || toolchain => 1,
            _ => return Some(index),
        };
    }
}

/// The word behind `operands` operands and all options, if it is surely that one.
fn start(program: &Program, name: &str, words: &[Word], from: usize, mut operands: usize) -> Option<usize> {
    // `mise exec node@20 -- rm x`: tools may stand in front.
    if programs::called_like(name) == "mise"
        && let Some(dashes) = words.iter().position(|word| word.text == "--")
    {
        return (words.len() > dashes + 1).then_some(dashes + 1);
    }
    let mut index = from;
    let mut unclear = false;
    loop {
        let word = words.get(index)?;
        let text = word.text.as_str();
        if text == "--" {
            return (operands == 0 || words.len() > index + 1).then_some(index + 1);
        }
        if word.kind == WordKind::Varies && (operands == 0 || unclear) {
            return None;
        }
        if listed(program.announcing, text) {
            return (words.len() > index + 1).then_some(index + 1);
        }
        if text.starts_with('-') && text.len() > 1 {
            let takes = takes_next(name, text);
            let is_flag = listed(program.flags, text);
            unclear = !takes && !is_flag && !text.contains('=');
            index += if takes { 2 } else { 1 };
            continue;
        }
        // `env A=b`, `docker exec -e A=b`.
        if text.split_once('=').is_some_and(|(name, _)| super::super::super::characters::is_variable_name(name)) {
            index += 1;
            continue;
        }
        if unclear {
            return None;
        }
        if operands == 0 {
            return Some(index);
        }
        operands -= 1;
        index += 1;
    }
}

/// Whether `name` does nothing with its words but look them up, or open them for a person.
pub(super) fn only_names(name: &str) -> bool {
    programs::of(name).is(Fact::OnlyNames)
}

/// Builtins that calculate with their words, or with the subscript of a variable that one of them names (bash manual,
/// "Shell Arithmetic", "Arrays").
pub(super) fn calculates(name: &str) -> bool {
    programs::of(name).is(Fact::Calculates)
}

/// Whether `option` of the program called `name` runs its value: by its manual, or going by its name.
pub(super) fn runs(name: &str, option: &str) -> bool {
    runs_by_manual(name, option) || option.starts_with("--") && unlisted::effect(option) == Some(Effect::Runs)
}

/// The same by its manual alone.
pub(super) fn runs_by_manual(name: &str, option: &str) -> bool {
    let bare = option.split('=').next().unwrap_or(option);
    let letter = option.get(..2).unwrap_or(option);
    // getopt_long(3) takes the beginning of a name.
    let abbreviated = |full: &str| bare.len() > 2 && full.starts_with("--") && full.starts_with(bare);
    // `-avze rm`: the last of a cluster.
    let cluster = |full: &str| {
        !option.starts_with("--") && full.len() == 2 && full.chars().last().is_some_and(|last| option.contains(last))
    };
    programs::of(name)
        .running
        .split_ascii_whitespace()
        .any(|full| full == bare || full == letter && !option.starts_with("--") || abbreviated(full) || cluster(full))
}

fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == name)
}

/// Options whose value is the command that runs, and its words: find(1), fd(1).
pub(super) fn is_command(name: &str, option: &str) -> bool {
    listed(programs::of(name).executing, option)
}

/// Options that the tables of what may be allowed list among those that run, but whose value names a folder, a
/// file or a form of printing.
pub(super) fn only_looks_up(name: &str, option: &str) -> bool {
    listed(programs::of(name).naming, option)
}

/// Options that hold a text, a name or a number in every program that has them.
const DATA: &[&str] = &[
    "message",
    "body",
    "title",
    "subject",
    "description",
    "notes",
    "note",
    "comment",
    "search",
    "query",
    "grep",
    "regex",
    "regexp",
    "pattern",
    "label",
    "name",
    "author",
    "assignee",
    "milestone",
    "branch",
    "base",
    "head",
    "tag",
    "date",
    "since",
    "until",
    "format",
    "jq",
    "json",
    "limit",
    "namespace",
    "selector",
    "repo",
    "project",
    "package",
    "region",
    "profile",
    "include",
    "exclude",
    "glob",
    "type",
    "field",
    "raw-field",
    "body-file",
    "notes-file",
    "reason",
    "workspace",
    "filter",
    "features",
    "bin",
    "example",
    "test",
    "rm",
    "reviewer",
];
/// Letters of which the same is true where there are sub-commands.
const DATA_LETTERS: &str = "mtbnlpgFR";

/// Whether the value of `option` is a text, a name or a number whatever the program is.
pub(super) fn is_data(option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(long) => DATA.contains(&long.split('=').next().unwrap_or(long)),
        // Behind a longer one its value may be glued to it: `-e/bin/rm`.
        None => option.len() == 2 && option.ends_with(|letter: char| DATA_LETTERS.contains(letter)),
    }
}

/// Whether a word of `name`, which writes files, may be a text that it runs.
pub(super) fn reads_language(name: &str) -> bool {
    programs::of(name).is(Fact::ReadsLanguage)
}

/// Programs that take words for text, patterns or expressions, in which a `|` means nothing else.
pub(super) fn takes_pipes(name: &str) -> bool {
    !programs::of(name).is(Fact::TakesText)
}

/// Shells of which `-c` takes a script that begins its commands as bash does.
pub(super) fn is_shell(name: &str) -> bool {
    programs::of(name).is(Fact::Shell)
}

/// The name under which `program` stands in the tables.
pub(super) fn listed_name(program: &str) -> String {
    let base = base_name(program);
    if !matches!(super::class::of(base), Class::Unlisted) { base.to_owned() } else { canonical(base) }
}
