//! Interpreters: the pattern has to name what they run.
//!
//! Sources: python(1), node(1), perlrun(1), ruby(1), php(1), bash(1), gawk(1), Rscript(1).

use super::super::command_line::Word;
use super::spelled::Spelled;
use super::{options, shape, unlisted};
use crate::programs::class::{Interpreter, Kind};
use crate::programs::effect::Effect::{self, Loads, Runs, Writes};
use crate::programs::spec::{Operands, PLAIN, Spec};

/// Sub-commands of Deno and Bun that work on the project (Deno manual, "Command line interface"; Bun documentation,
/// "bun test"). Deno gives a test only the rights that an option names.
const PROJECT: &[Spec] = &[
    Spec {
        names: "test",
        flags: "qht",
        long: "quiet help filter: fail-fast parallel shuffle doc trace-leaks no-check no-run ignore coverage timeout: bail only todo \
            rerun-each: max-concurrency: watch no-clear-screen test-name-pattern: reporter=pretty reporter=dot reporter=tap",
        refused: &[
            (
                "-A --allow-all --allow-run --allow-net --allow-read --allow-write --allow-env --allow-ffi --allow-sys",
                Runs,
            ),
            (
                "-r --preload --require --import --import-map -c --config --cwd --env-file --define --loader --reload --lock",
                Loads,
            ),
            ("-u --update-snapshots --junit-path --coverage-dir --reporter-outfile --reporter", Writes),
        ],
        operands: Operands::Inside,
        runs_project: true,
        ..PLAIN
    },
    Spec {
        names: "lint check info",
        flags: "qh",
        long: "quiet help json compact rules",
        refused: &[("--fix", Writes), ("-c --config --rules-tags --import-map --reload -r --plugin", Loads)],
        operands: Operands::Inside,
        runs_project: true,
        ..PLAIN
    },
];

/// The word behind the options of a shell with a `c` in them, of the words behind its name.
pub(crate) fn script_word(words: &[Word]) -> Option<&Word> {
    let is_option = |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--");
    let at = words.iter().position(|word| is_option(word) && word.text.contains('c'))?;
    words.iter().skip(at + 1).find(|word| !word.text.starts_with(['-', '+']))
}

fn project_command(sub: &str) -> Option<&'static Spec> {
    PROJECT.iter().find(|spec| spec.names.split(' ').any(|listed| listed == sub))
}

/// Why a command of an interpreter is not covered.
pub(super) fn refusal(name: &str, interpreter: &Interpreter, words: &[Word], spelled: &[Spelled]) -> Option<String> {
    // `bun install --cwd /elsewhere`, `deno install https://…`: another project, another machine.
    if interpreter.kind == Kind::Deno
        && let Some((word, _)) = words.iter().zip(spelled).skip(1).find(|(word, spelled)| {
            let (name, _) = word.text.split_once('=').unwrap_or((&word.text, ""));
            **spelled != Spelled::Out && (matches!(name, "--cwd" | "--root") || word.text.contains("://"))
        })
    {
        let effect = if word.text.contains("://") { Effect::Sends } else { Effect::Loads };
        return Some(effect.sentence(&word.text));
    }
    if interpreter.kind == Kind::Deno
        && let Some((sub, spec)) = words.get(1).and_then(|sub| Some((sub, project_command(&sub.text)?)))
        && spelled.get(1) == Some(&Spelled::Out)
    {
        return options::check(&format!("{name} {}", sub.text), spec, words, spelled, 2);
    }
    // gawk(1), "Special File Names": a file that is a connection.
    if interpreter.kind == Kind::Awk
        && let Some((word, _)) = words
            .iter()
            .zip(spelled)
            .skip(1)
            .find(|(word, spelled)| **spelled != Spelled::Out && shape::may_be_connection(word))
    {
        return Some(Effect::Sends.sentence(&word.text));
    }
    let listed = |list: &str, text: &str| list.split(' ').any(|listed| listed == text);
    let unpinned = || Some(format!("`{name}` runs whatever it is given, so a pattern has to name the script"));
    let mut index = 1;
    loop {
        let Some(word) = words.get(index) else { return unpinned() };
        let text = word.text.as_str();
        if spelled.get(index) != Some(&Spelled::Out) || text == "-" {
            return unpinned();
        }
        if listed(interpreter.tells, text) && words.len() == index + 1 {
            return None;
        }
        if listed(interpreter.code, text) {
            // Its value is the script.
            if spelled.get(index + 1) != Some(&Spelled::Out) {
                return unpinned();
            }
            // A module is a program of its own: `python3 -m pytest`.
            let module = words.get(index + 1..).zip(spelled.get(index + 1..)).filter(|_| text == "-m");
            return match module {
                Some((words, spelled)) if interpreter.kind == Kind::Python => super::refusal(words, spelled),
                _ => unlisted::refusal(words, spelled, index + 2),
            };
        }
        // `-s` and `-i` read commands from the standard input.
        let stdin = interpreter.kind == Kind::Shell && !text.starts_with("--") && text.contains(['s', 'i']);
        if text.starts_with('-') && stdin {
            return unpinned();
        }
        if listed(interpreter.valued, text) {
            if spelled.get(index + 1) != Some(&Spelled::Out) {
                return unpinned();
            }
            index += 2;
        } else if text.starts_with(['-', '+']) || listed(interpreter.subs, text) {
            index += 1;
        } else {
            return elsewhere(text, words, spelled, index + 1).or_else(|| unlisted::refusal(words, spelled, index + 1));
        }
    }
}

/// django-admin(1), `test`: the program of a project runs what lies in the folders that it is given.
fn elsewhere(script: &str, words: &[Word], spelled: &[Spelled], start: usize) -> Option<String> {
    let is_django = script.rsplit('/').next() == Some("manage.py");
    let mut free = words.iter().zip(spelled).skip(start).filter(|(_, spelled)| **spelled != Spelled::Out);
    let (word, _) = free.find(|(word, _)| is_django && shape::leaves_folder(shape::value_of(&word.text)))?;
    Some(Runs.sentence(&word.text))
}
