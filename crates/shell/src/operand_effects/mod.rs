//! What programs do besides reading their operands: which words of a command a pattern has to
//! spell out, because they execute, write, or load something.
//!
//! A program that is not listed is judged by the names of its options ([`unlisted`]).

mod class;
pub(super) mod free_words;
mod git;
pub(super) mod inner_commands;
mod options;
mod scripts;
mod sed;
pub(crate) mod shape;
mod spelled;
mod tasks;
pub(crate) mod told;
mod unlisted;

use super::command_line::{Word, WordKind};
use crate::programs;
use crate::programs::class::{Class, Kind};
use crate::programs::fact::Fact;
use crate::programs::name::base_name;
use crate::programs::spec::CODE;
pub(super) use options::is_harmless_global;
pub(super) use spelled::Spelled;

pub(super) use class::is_broad;
pub(crate) use git::verifies_signature;
pub(crate) use scripts::script_word;
pub(crate) use sed::handed_on as handed_on_by_sed;
pub(crate) use sed::is_harmless as is_harmless_sed;
pub(crate) use sed::runs_programs as sed_runs_programs;

/// Why a pattern that matches `words` does not cover them; `None` when it does. `spelled` tells for
/// each word how it was matched.
pub(super) fn refusal(words: &[Word], spelled: &[Spelled]) -> Option<String> {
    let (program, _) = words.split_first()?;
    let name = base_name(&program.text);
    let all_out = spelled.iter().all(|spelled| *spelled == Spelled::Out);
    if let Some(inner) = runs_rest(words, spelled) {
        return refusal(words.get(inner..).unwrap_or_default(), spelled.get(inner..).unwrap_or_default());
    }
    let class = class::of(name);
    let is_script =
        matches!(class, Class::Script(_)) || (matches!(class, Class::Unlisted) && is_own_script(&program.text));
    if !is_script
        && !all_out
        && let Some(refusal) = free_words::refusal(name, matches!(class, Class::AnyText), words, spelled)
    {
        return Some(refusal);
    }
    if name == "git"
        && let Some(refusal) =
            words.iter().zip(words.iter().zip(spelled).skip(1)).find_map(|(front, (word, spelled))| {
                let effect = git::word_effect(&front.text, &word.text).filter(|_| *spelled != Spelled::Out);
                effect.map(|effect| effect.sentence(&word.text))
            })
    {
        return Some(refusal);
    }
    match class {
        Class::Script(interpreter) => scripts::refusal(name, interpreter, words, spelled),
        _ if all_out => None,
        Class::Writer if spelled.iter().all(|spelled| matches!(spelled, Spelled::Out | Spelled::Path)) => None,
        Class::Writer => Some(format!("`{name}` changes files, so a pattern has to spell out which")),
        Class::Never(why) => Some(format!("`{name}` {why}, so a pattern has to spell it out")),
        Class::SubCommands(specs) => options::sub_command(name, specs, words, spelled, true),
        Class::HarmlessCommands(specs) => options::sub_command(name, specs, words, spelled, false),
        Class::Options(spec) => options::check(name, spec, words, spelled, 1),
        Class::Tasks(spec) => tasks::refusal(name, spec, words, spelled),
        Class::AnyText => None,
        Class::Unlisted if is_own_script(&program.text) => unlisted::refusal(words, spelled, 1),
        Class::Unlisted => unlisted::plain_refusal(words, spelled),
    }
}

/// Where the command starts that a runner runs, when the runner and that command's name are spelled
/// out and no option stands between.
fn runs_rest(words: &[Word], spelled: &[Spelled]) -> Option<usize> {
    let (runner, behind) = words.split_first()?;
    let commands = programs::find(&runner.text)?.project_commands;
    let subs = |command: &str| command.split_ascii_whitespace().count();
    let starts = |command: &&&str| {
        let steps = command.split_ascii_whitespace();
        subs(command) < behind.len() && steps.zip(behind).all(|(step, word)| word.text == step)
    };
    let length = 1 + subs(commands.iter().find(starts)?);
    let program = words.get(length).filter(|word| !word.text.starts_with('-'))?;
    let named = spelled.iter().take(length + 1).all(|spelled| *spelled == Spelled::Out);
    (named && !program.text.is_empty()).then_some(length)
}

/// Whether the command runs what it finds in the folder that it runs in, or is set up by it: a build, a
/// project's tests, a linter with plugins.
pub(super) fn runs_what_it_finds(words: &[Word]) -> bool {
    let Some(program) = words.first() else { return false };
    match class::of(base_name(&program.text)) {
        Class::AnyText | Class::Writer => false,
        Class::Options(spec) | Class::Tasks(spec) => spec.runs_project,
        Class::SubCommands(specs) | Class::HarmlessCommands(specs) => {
            options::find(specs, words, 2).is_none_or(|(spec, _)| spec.runs_project)
        }
        // Its scripts are written out, and name no file as a rule.
        Class::Script(interpreter) => interpreter.kind != Kind::Awk,
        Class::Never(_) | Class::Unlisted => true,
    }
}

/// Whether the command only shows something, as its program's entry has it: the same options and operands as
/// a rule `PROGRAM *` would cover, of a program that nothing else sets up.
pub(crate) fn only_looks(words: &[Word]) -> bool {
    let Some(program) = words.first() else { return false };
    let Some(entry) = programs::find(&program.text).filter(|entry| entry.is(Fact::OnlyLooks)) else { return false };
    let spelled: Vec<Spelled> =
        (0..words.len()).map(|index| if index == 0 { Spelled::Out } else { Spelled::Not }).collect();
    words.iter().all(|word| word.kind == WordKind::Exact)
        && matches!(entry.class, Class::Options(_) | Class::HarmlessCommands(_))
        && refusal(words, &spelled).is_none()
}

/// Whether `rest` behind `program` has more than a rule would cover that spells out the program, the first `spelled` words,
/// and then `*`.
pub(crate) fn refuses_behind(program: &Word, rest: &[Word], spelled: usize) -> bool {
    let words: Vec<Word> = std::iter::once(program).chain(rest).cloned().collect();
    let told: Vec<Spelled> =
        (0..words.len()).map(|index| if index <= spelled { Spelled::Out } else { Spelled::Not }).collect();
    refusal(&words, &told).is_some()
}

/// Whether a text among `words`, or on the standard input, may be a program that the command runs.
pub(crate) fn runs_text(words: &[Word]) -> bool {
    let Some(program) = words.first() else { return false };
    let name = base_name(&program.text);
    let is = |fact| programs::of(name).is(fact);
    match class::of(name) {
        Class::AnyText => false,
        Class::Writer => is(Fact::ReadsLanguage),
        Class::Script(_) | Class::Tasks(_) => true,
        Class::Unlisted => !is(Fact::OnlyNames) && !is(Fact::TakesText),
        Class::Never(why) => {
            why == CODE || is(Fact::RunsOperands) || is(Fact::TakesCommands) || is(Fact::ReadsLanguage)
        }
        Class::SubCommands(_) | Class::HarmlessCommands(_) if is(Fact::RunsText) => true,
        Class::Options(_) | Class::SubCommands(_) | Class::HarmlessCommands(_) => {
            is(Fact::RunsOthers) || is(Fact::RunsElsewhere) || is(Fact::TakesCommands)
        }
    }
}

/// The position among `words` of the first operand, which is no value of an option; `None` where an option gives the script
/// that would stand there.
#[must_use]
pub fn script_operand(words: &[Word]) -> Option<usize> {
    let name = base_name(&words.first()?.text);
    let class = class::of(name);
    let mut rest = words.iter().enumerate().skip(1);
    while let Some((index, word)) = rest.next() {
        let text = word.text.as_str();
        if !text.starts_with('-') || text.len() < 2 {
            return Some(index);
        }
        let listed = |list: &str| list.split(' ').any(|option| option == text);
        let takes_next = match class {
            Class::Script(interpreter) if listed(interpreter.code) => return None,
            Class::Script(interpreter) => listed(interpreter.valued),
            Class::Options(spec) => {
                if sed::gives_script(spec, text) {
                    return None;
                }
                options::takes_next(spec, text)
            }
            _ => false,
        };
        if takes_next {
            rest.next();
        }
    }
    None
}

/// Whether the operands of `program` may be files that it runs: an interpreter's script.
#[must_use]
pub fn runs_scripts(program: &str) -> bool {
    let name = base_name(program);
    let known = programs::of(name);
    matches!(class::of(name), Class::Script(_)) || known.is(Fact::Sources) || known.is(Fact::RunsFiles)
}

/// Whether a text among `words` may be a program in any language: of a program with listed options it may be the value
/// of one, but what has sub-commands takes messages and names.
pub(crate) fn takes_code(words: &[Word]) -> bool {
    let class = words.first().map(|program| class::of(base_name(&program.text)));
    runs_text(words)
        || matches!(class, Some(Class::Options(_)))
        || words.first().is_some_and(|word| word.text == "trap")
}

/// Whether the program's entry says that it runs the project's files, or is set up by them: `pytest`, `make`.
/// Programs with sub-commands have no such entry.
pub fn runs_project(words: &[Word]) -> bool {
    let class = words.first().map(|program| class::of(base_name(&program.text)));
    matches!(class, Some(Class::Options(spec) | Class::Tasks(spec)) if spec.runs_project)
}

/// Whether the program `name` is one of the operating system's or the shell's own.
pub fn is_of_the_system(name: &str) -> bool {
    let program = programs::of(name);
    matches!(class::of(name), Class::AnyText | Class::Writer)
        || program.is(Fact::Builtin)
        || program.is(Fact::OfTheSystem)
}

/// A script of the project's own, which a pattern spells out with its path.
fn is_own_script(program: &str) -> bool {
    program.contains('/') && !program.starts_with(['/', '~'])
}

/// Whether `program` has no table, so that a `*` behind it covers next to nothing.
pub(super) fn is_unknown(program: &str) -> bool {
    matches!(class::of(base_name(program)), Class::Unlisted) && !is_own_script(program)
}

/// Whether `program` reads its operands and does nothing else with them.
#[must_use]
pub fn only_reads(program: &str) -> bool {
    matches!(class::of(base_name(program)), Class::AnyText)
}

/// Whether `program` may read more arguments from the file of a word `@file`.
pub(crate) fn takes_lists(program: &str) -> bool {
    free_words::takes_lists(base_name(program), only_reads(program))
}

/// Whether `program` only writes what its operands name.
#[must_use]
pub fn only_writes(program: &str) -> bool {
    matches!(class::of(base_name(program)), Class::Writer)
}

/// Whether plain words behind `program` say what it is to do, and name no files: sub-commands, tasks.
#[must_use]
pub fn names_tasks(program: &str) -> bool {
    matches!(class::of(base_name(program)), Class::SubCommands(_) | Class::HarmlessCommands(_) | Class::Tasks(_))
}

/// Whether it is known how the words of `program` are judged.
#[must_use]
pub fn is_listed(program: &str) -> bool {
    !matches!(class::of(base_name(program)), Class::Unlisted)
}

/// Whether the operands of `program` are tasks, in any number and order: `make X=1 clean deploy`.
pub(super) fn runs_tasks(program: &str) -> bool {
    matches!(class::of(base_name(program)), Class::Tasks(_))
}
