//! Whether one command goes on reading what it is to do.

use super::super::command_line::{Word, WordKind};
use crate::operand_effects::inner_commands::may_start;
use crate::programs::class::Class;
use crate::programs::fact::Fact;
use crate::programs::interactive::{Console, Interactive};
use crate::programs::name::base_name;
use crate::programs::{self, Program};

/// What a command reads that can be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// Its standard input, for what it is to do.
    Input,
    /// Its standard input, for what it is to write into a file.
    Text,
    /// The terminal, wherever its standard input comes from.
    Terminal,
}

/// The program of `words` that goes on reading what it is to do, and from where. `keeps`: what it prints goes
/// into a file.
pub(super) fn reads_on(words: &[Word], keeps: bool) -> Option<(&str, Reads)> {
    let (program, operands) = words.split_first()?;
    if program.kind == WordKind::Varies {
        return None;
    }
    let name = base_name(&program.text);
    let texts: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    if matches!(texts.as_slice(), ["--help" | "--version" | "-V" | "help" | "version"]) {
        return None;
    }
    if matches!(texts.as_slice(), [only] if says_version(name, only)) {
        return None;
    }
    if name == "tmux" && tells(&texts) {
        return None;
    }
    let known = programs::of(name);
    if known.interactive.iter().any(|way| matches!(way, Interactive::Terminal)) {
        return Some((name, Reads::Terminal));
    }
    if known.interactive.iter().any(|way| opens_editor(way, &texts)) {
        return Some((name, Reads::Terminal));
    }
    let reads = known.interactive.iter().any(|way| reads_input(way, &texts))
        || console(name).is_some_and(|console| is_bare(console, &texts))
        || takes_program_from_input(name, &texts)
        || is_console(known, &texts);
    if reads {
        return Some((name, Reads::Input));
    }
    if takes_text(name, &texts, keeps) {
        return Some((name, Reads::Text));
    }
    inner(name, words, &texts).and_then(|inner| reads_on(inner, false))
}

/// Whether the one word `option` makes `program` say its version and nothing else, where that is not `--version`: node(1),
/// npm-version(1), git(1), docker(1), ruby(1), perlrun(1), php(1), make(1), java(1), and what yarn, pnpm, bun, tsc and
/// composer print for `--help`. To python, `-v` means another thing.
pub(crate) fn says_version(program: &str, option: &str) -> bool {
    let program = programs::of(program);
    match option {
        "-v" => program.is(Fact::SaysVersionByLetter),
        "-version" => program.is(Fact::SaysVersionByWord),
        _ => false,
    }
}

/// Whether `operands` make tmux tell about what is there, and nothing else (tmux(1): `;` starts a second command, and
/// `#(…)` in a format runs one).
pub(crate) fn tells(operands: &[&str]) -> bool {
    const TELL: &[&str] =
        &["ls", "list-sessions", "list-windows", "lsw", "list-panes", "lsp", "list-clients", "has-session", "has"];
    // Without `-p` they write a buffer, or a message in somebody's status line.
    const TELL_ON_OUTPUT: &[&str] = &["capture-pane", "capturep", "display-message", "display"];
    let prints = || operands.iter().any(|word| !word.starts_with("--") && word.starts_with('-') && word.contains('p'));
    operands.first().is_some_and(|first| TELL.contains(first) || TELL_ON_OUTPUT.contains(first) && prints())
        && !operands.iter().any(|word| word.ends_with(';') || word.contains("#("))
}

/// Whether `operands` are nothing but the sub-command that most programs call their console, of one that is known neither to
/// have another meaning for it nor to take any word there: `ansible-test shell`, `wp shell`.
fn is_console(known: &Program, operands: &[&str]) -> bool {
    const CONSOLES: &[&str] = &["shell", "console", "repl", "dbshell", "dbconsole", "tinker", "sql:cli", "php:cli"];
    const GIVEN: &[&str] = &["-c", "--command", "-e", "--execute", "--eval", "--run", "-h", "--help"];
    let has_sub_commands = match known.class {
        Class::Unlisted | Class::Never(_) => !known.is(Fact::TakesCommands) && !known.is(Fact::TakesText),
        Class::SubCommands(_) | Class::HarmlessCommands(_) => true,
        Class::AnyText | Class::Writer | Class::Script(_) | Class::Options(_) | Class::Tasks(_) => false,
    };
    let is_other = [Fact::OnlyNames, Fact::Builtin, Fact::OfTheSystem, Fact::Fed].iter().any(|fact| known.is(*fact));
    let plain: Vec<&str> = operands.iter().copied().filter(|word| !word.starts_with('-')).collect();
    has_sub_commands
        && !is_other
        && plain.first().is_some_and(|first| CONSOLES.contains(first))
        && !has_one(operands, GIVEN)
}

/// How the interpreter `name` is called that goes on reading, if it is one.
fn console(name: &str) -> Option<&'static Console> {
    let of = |name: &str| {
        programs::of(name).interactive.iter().find_map(|way| match way {
            Interactive::WithoutScript(console) => Some(*console),
            _ => None,
        })
    };
    let unversioned = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | '-'));
    of(name).or_else(|| of(unversioned))
}

/// Neither a script nor a program is given, or it is told to go on all the same.
fn is_bare(console: &Console, operands: &[&str]) -> bool {
    let mut words = operands.iter().copied();
    let mut has_program = false;
    while let Some(word) = words.next() {
        if console.goes_on.contains(&word) || has_letter(word, console.goes_on, console.program) {
            return true;
        }
        if matches!(word, "-" | "/dev/stdin" | "/dev/tty" | "/dev/fd/0" | "/proc/self/fd/0") {
            return !has_program;
        }
        if console.program.iter().any(|option| is_option(word, option)) || has_letter(word, console.program, &[]) {
            let value = if word.contains('=') { None } else { words.next() };
            if word == "-m" {
                // What follows are the module's own words.
                return value.is_some_and(|module| console.modules.contains(&module));
            }
            has_program = true;
        } else if console.valued.contains(&word) {
            words.next();
        } else if !word.starts_with(['-', '+']) {
            // A script; what follows are its own words.
            return false;
        }
    }
    !has_program
}

/// `-c`, `--eval`, `--eval=…`.
fn is_option(word: &str, option: &str) -> bool {
    word == option || (option.starts_with("--") && word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
}

/// Whether the bundle `word`, as `-lc`, has a letter of `options`, and none of `but` in front of it.
fn has_letter(word: &str, options: &[&str], but: &[&str]) -> bool {
    let letters = |options: &[&str]| -> Vec<char> {
        options.iter().filter(|option| option.len() == 2).filter_map(|option| option.chars().nth(1)).collect()
    };
    let Some(bundle) = word.strip_prefix('-') else { return false };
    let is_bundle = (1..=4).contains(&bundle.len()) && bundle.chars().all(|letter| letter.is_ascii_alphabetic());
    let (wanted, others) = (letters(options), letters(but));
    is_bundle && bundle.chars().take_while(|letter| !others.contains(letter)).any(|letter| wanted.contains(&letter))
}

/// One of `options`, alone or with its value in the same word.
fn has_one(operands: &[&str], options: &[&str]) -> bool {
    let glued = |word: &str, option: &str| option.len() == 2 && word.starts_with(option);
    operands.iter().any(|word| options.iter().any(|option| is_option(word, option) || glued(word, option)))
        || operands.iter().any(|word| has_letter(word, options, &[]))
}

/// One of `forms`.
fn has_form(operands: &[&str], forms: &[&[&str]]) -> bool {
    forms.iter().any(|form| {
        let (flags, words): (Vec<&str>, Vec<&str>) = form.iter().partition(|word| word.starts_with('-'));
        let mut rest = operands.iter();
        words.iter().all(|wanted| rest.any(|word| word == wanted)) && (flags.is_empty() || has_flag(operands, &flags))
    })
}

/// One of `flags`, of which a short one may stand in a bundle, as in `-it`; a long form is written out.
fn has_flag(operands: &[&str], flags: &[&str]) -> bool {
    const LONG: &[(&str, &str)] = &[("-i", "--interactive"), ("-i", "--stdin"), ("-t", "--tty"), ("-t", "--pty")];
    let long = |flag: &str, word: &str| LONG.iter().any(|(short, long)| *short == flag && is_option(word, long));
    operands.iter().any(|word| flags.iter().any(|flag| is_option(word, flag) || long(flag, word)))
        || operands.iter().any(|word| has_letter(word, flags, &[]))
}

/// Whether a program that goes on reading in this `way` does so with `operands`.
fn reads_input(way: &Interactive, operands: &[&str]) -> bool {
    let plain = || operands.iter().filter(|word| !word.starts_with('-')).count();
    match way {
        Interactive::Always => true,
        Interactive::Unless(ends) => !has_one(operands, ends),
        Interactive::Below(most, unless) => plain() < *most && !has_one(operands, unless),
        Interactive::Bare => operands.is_empty(),
        Interactive::WithoutWord => {
            !operands.iter().any(|word| word.len() > 2 && word.chars().all(|letter| letter.is_ascii_alphabetic()))
        }
        Interactive::AsShell => {
            let asks = operands.iter().any(|word| has_letter(word, &["-i", "-s"], &["-u", "-g"]));
            let long = operands.iter().any(|word| matches!(*word, "--login" | "--shell"));
            (asks || long) && plain() <= usize::from(has_one(operands, &["-u", "--user"]))
        }
        Interactive::WithoutRemoteCommand => ssh_command(operands).is_none(),
        Interactive::FromFile => reads_file(operands),
        Interactive::As(forms) => has_form(operands, forms),
        Interactive::WithoutScript(_) | Interactive::Terminal | Interactive::Editor(_) => false,
    }
}

/// Whether an editor is opened with `operands`.
fn opens_editor(way: &Interactive, operands: &[&str]) -> bool {
    let Interactive::Editor(paths) = way else { return false };
    paths.iter().any(|(path, unless)| {
        let path: Vec<&str> = path.split(' ').collect();
        let begins = operands.windows(path.len()).position(|words| words == path);
        let behind = begins.and_then(|at| operands.get(at + path.len()..));
        behind.is_some_and(|behind| !has_one(behind, unless))
    })
}

/// Whether an option that names a file names the standard input.
fn reads_file(operands: &[&str]) -> bool {
    const OPTIONS: &[&str] = &["-f", "--file", "--makefile", "--filename"];
    let pair = |pair: &[&str]| matches!(pair, [option, "-" | "/dev/stdin"] if OPTIONS.contains(option));
    operands.windows(2).any(pair) || operands.iter().any(|word| matches!(*word, "-f-" | "--file=-" | "--filename=-"))
}

/// Programs for which a word of their own means the standard input, or that read it without one.
fn takes_program_from_input(name: &str, operands: &[&str]) -> bool {
    let is_input = |word: &&str| matches!(*word, "/dev/stdin" | "/dev/tty" | "-");
    match name {
        "git" => matches!(operands, ["apply" | "am", rest @ ..] if rest.iter().all(|word| word.starts_with('-'))),
        _ => programs::of(name).is(Fact::Sources) && operands.first().is_some_and(is_input),
    }
}

/// Position of the command that `ssh` is to run on the other side; behind all words where it runs none.
fn ssh_command(operands: &[&str]) -> Option<usize> {
    /// Options with a value (ssh(1), "SYNOPSIS").
    const VALUED: &str = "BbcDEeFIiJLlmOopPQRSWw";
    let mut index = 0;
    let mut has_host = false;
    while let Some(word) = operands.get(index) {
        match word.strip_prefix('-').filter(|option| !option.is_empty()) {
            Some(option) if option.starts_with(['N', 'G', 'V', 'W', 'O', 'Q']) => return Some(operands.len()),
            Some(option) => index += if option.len() == 1 && VALUED.contains(option) { 2 } else { 1 },
            None if has_host => return Some(index),
            None => {
                has_host = true;
                index += 1;
            }
        }
    }
    None
}

/// `cat > file`, `tee file`: what is typed is what is written.
fn takes_text(name: &str, operands: &[&str], keeps: bool) -> bool {
    let has_operand = || operands.iter().any(|word| !word.starts_with('-'));
    match name {
        "cat" => keeps && !has_operand(),
        "tee" => keeps || has_operand(),
        "dd" => {
            let has = |start| operands.iter().any(|word| word.starts_with(start));
            (keeps || has("of=")) && !has("if=")
        }
        _ => false,
    }
}

/// The command that `name` runs somewhere else.
fn inner<'a>(name: &str, words: &'a [Word], texts: &[&str]) -> Option<&'a [Word]> {
    let known = programs::of(name);
    let operands = words.get(1..)?;
    if known.interactive.iter().any(|way| matches!(way, Interactive::WithoutRemoteCommand)) {
        return operands.get(ssh_command(texts)?..);
    }
    let start = if known.is(Fact::RunsOthers) {
        let may = |(index, text): (usize, &&str)| may_read_on(base_name(text)) && may_start(words, index + 1);
        texts.iter().enumerate().position(may)
    } else if console(name).is_some() {
        texts.iter().position(|text| programs::of(base_name(text)).is(Fact::ConsoleScript))
    } else {
        None
    };
    operands.get(start?..)
}

/// Whether a program of that name may go on reading, given the right words.
fn may_read_on(name: &str) -> bool {
    let may = |way: &Interactive| match way {
        Interactive::Terminal | Interactive::Always | Interactive::Unless(_) | Interactive::Below(..) => true,
        Interactive::WithoutWord | Interactive::AsShell | Interactive::WithoutRemoteCommand => true,
        Interactive::Bare | Interactive::FromFile | Interactive::As(_) => false,
        Interactive::WithoutScript(_) | Interactive::Editor(_) => false,
    };
    programs::of(name).interactive.iter().any(may) || console(name).is_some()
}
