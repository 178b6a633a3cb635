//! Programs of which nothing is known.
//!
//! A program that has no table gets little from a `*` ([`plain_refusal`]): it may run, write or send whatever it
//! is given, so only what is harmless in any program is covered. A script of the project's own, which the
//! pattern spells out with its path, is judged by the names of the options that it gets ([`refusal`]).

use super::super::command_line::{Word, WordKind};
use super::shape;
use super::spelled::Spelled;
use crate::programs;
use crate::programs::effect::Effect;
use crate::programs::fact::Fact;

/// Parts of a long option's name after which it most likely runs or loads something.
const RUNS: &[&str] = &[
    "exec", "cmd", "command", "shell", "script", "eval", "hook", "wrapper", "editor", "pager", "browser", "rsh",
    "filter", "launcher", "runner",
];
const LOADS: &[&str] = &[
    "config",
    "cfg",
    "settings",
    "plugin",
    "preload",
    "require",
    "import",
    "load",
    "module",
    "path",
    "rcfile",
    "rc-file",
    "init",
    "include",
    "program",
    "prefix",
    "root",
    "dir",
    "env",
    "kubeconfig",
    "profile",
    "context-file",
    "from-file",
    "loader",
    "setup",
    "transform",
    "resolver",
    "rootdir",
    "environment",
    "template",
];
const WRITES: &[&str] = &[
    "output",
    "outfile",
    "out-file",
    "out",
    "write",
    "save",
    "delete",
    "remove",
    "in-place",
    "inplace",
    "overwrite",
    "fix",
    "force",
    "log-file",
    "logfile",
    "export",
];
const SENDS: &[&str] = &["upload", "proxy", "endpoint", "server", "remote", "webhook", "registry", "host"];

/// Letters that mean output, code, configuration or a folder in most programs.
const LETTERS: &[(char, Effect)] = &[
    ('o', Effect::Writes),
    ('O', Effect::Writes),
    ('e', Effect::Runs),
    ('x', Effect::Runs),
    ('c', Effect::Loads),
    ('C', Effect::Loads),
    ('i', Effect::Writes),
];

/// Options of test programs whose names only sound like more (The Rustc Book, "Tests").
const HARMLESS: &[&str] = &["show-output", "include-ignored", "no-output", "noprofile"];

/// Options that mean the same wherever they are known, and take no value (GNU coding standards, "Command-Line
/// Interfaces"; clig.dev, "Arguments and flags").
const FLAGS: &[&str] = &[
    "--help",
    "--version",
    "--verbose",
    "--quiet",
    "--silent",
    "--no-color",
    "--no-colors",
    "--no-colour",
    "--no-progress",
    "--no-pager",
    "--dry-run",
    "--color=always",
    "--color=never",
    "--color=auto",
    "-v",
    "-vv",
    "-q",
    "-V",
];
/// The same, but some programs give them a value: harmless where no operand follows at once.
const UNIVERSAL: &[&str] = &[
    "--json",
    "--color",
    "--colour",
    "--plain",
    "--stats",
    "--summary",
    "--all",
    "--list",
    "--strict",
    "--long",
    "--brief",
    "--pretty",
];
/// Options whose value is a number and can be nothing else that matters.
const COUNTS: &[&str] =
    &["--timeout", "--depth", "--max-depth", "--jobs", "--limit", "--lines", "--width", "--max-count", "--level"];
/// Sub-commands that look, in any program that has them.
const LOOKING: &[&str] = &[
    "list", "ls", "show", "status", "info", "version", "help", "view", "describe", "check", "lint", "verify",
    "validate", "diff", "log", "logs", "history", "stats", "summary", "explain", "doctor", "tree", "count",
];
/// Endings of files that hold text, tables and pictures. Other data (`.yaml`, `.json`, `.patch`) may say what a
/// program is to run or change.
const DATA: &[&str] = &["txt", "md", "rst", "adoc", "csv", "tsv", "log", "png", "jpg", "jpeg", "gif", "webp", "pdf"];
/// Folders by names that are no sub-command of anything.
const FOLDERS: &[&str] =
    &[".", "./", "src", "lib", "tests", "docs", "app", "apps", "crates", "packages", "include", "examples"];

/// Why a pattern does not cover the words of a program that has no table. Behind the name a `*` covers a
/// sub-command that only looks and one plain operand: a second one may be a file that is written.
pub(super) fn plain_refusal(words: &[Word], spelled: &[Spelled]) -> Option<String> {
    let name = words.first().map(|word| word.text.as_str()).unwrap_or_default();
    let refused = |text: &str| {
        let text: String = text.chars().take(60).collect();
        Some(format!("nobody here knows what `{name}` does with `{text}`, so a pattern has to spell it out"))
    };
    // Once a sub-command is written in the pattern, an operand may be any plain word.
    let mut has_command = false;
    let mut operands = 0;
    // The option in front may take the next word as its value after all: `--json out.json`.
    let mut may_be_value = false;
    let mut behind_option = false;
    for (index, (word, spelled)) in words.iter().zip(spelled).enumerate().skip(1) {
        let text = word.text.as_str();
        if *spelled != Spelled::Not {
            // A word behind an option may be its value.
            has_command |= !text.starts_with('-') && !behind_option;
            behind_option = text.starts_with('-');
            continue;
        }
        let is_only = words.len() == 2;
        if word.may_be_option() {
            if !(UNIVERSAL.contains(&text) || FLAGS.contains(&text) || is_count(text) || (text == "-h" && is_only)) {
                return refused(text);
            }
            may_be_value = UNIVERSAL.contains(&text);
            continue;
        }
        if let Some(program) = runs(text) {
            return Some(Effect::Runs.sentence(program));
        }
        operands += 1;
        if !is_plain(word) || operands > 1 || may_be_value {
            return refused(text);
        }
        let looks = index == 1 && LOOKING.contains(&text);
        if looks {
            has_command = true;
            operands = 0;
        } else if !has_command && !is_data(text) {
            return refused(text);
        }
    }
    None
}

fn is_count(option: &str) -> bool {
    option.split_once('=').is_some_and(|(name, value)| {
        COUNTS.contains(&name) && !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// A word that names something in the folder and can be nothing else: no address, no assignment, no
/// `@file`, no hidden file, no script, no code.
fn is_plain(word: &Word) -> bool {
    let text = word.text.as_str();
    let odd = |c: char| c.is_whitespace() || c.is_control() || "=:@;|&$<>(){}`'\"\\!%,+~".contains(c);
    let hidden = |component: &str| component.starts_with('.') && component != ".";
    let code = ends_like(text, CODE);
    word.kind == WordKind::Exact
        && !text.is_empty()
        && !text.contains(odd)
        && !shape::leaves_folder(text)
        && !text.split('/').any(hidden)
        // `./x` is how a program of the folder is called.
        && (!text.starts_with("./") || text == "./" || has_ending(text))
        && !code
}

/// Endings of files that are run by what takes them, or loaded into it.
const CODE: &[&str] = &[
    "sh", "bash", "zsh", "fish", "ksh", "py", "pyc", "rb", "pl", "pm", "js", "mjs", "cjs", "ts", "mts", "cts", "jsx",
    "tsx", "lua", "php", "phar", "ps1", "r", "jl", "tcl", "awk", "sed", "groovy", "gradle", "kts", "exs", "clj",
    "cljs", "scm", "lisp", "el", "vim", "nu", "bat", "cmd", "exe", "so", "dll", "dylib", "jar", "war", "class", "wasm",
    "xsl", "xslt", "mk", "cmake", "nix", "service", "desktop", "run", "appimage", "deb", "rpm", "apk", "whl", "gem",
    "sql",
];

fn has_ending(text: &str) -> bool {
    text.rsplit('/').next().unwrap_or(text).contains('.')
}

fn ends_like(text: &str, endings: &[&str]) -> bool {
    let ending = text.rsplit('/').next().unwrap_or(text).rsplit_once('.').map_or("", |(_, ending)| ending);
    endings.iter().any(|listed| listed.eq_ignore_ascii_case(ending))
}

fn is_data(text: &str) -> bool {
    ends_like(text, DATA) || FOLDERS.contains(&text) || text.ends_with('/')
}

/// Why the words from `start` on are not covered, for a script of the project's own.
pub(super) fn refusal(words: &[Word], spelled: &[Spelled], start: usize) -> Option<String> {
    words.iter().zip(spelled).skip(start).filter(|(_, spelled)| **spelled == Spelled::Not).find_map(|(word, _)| {
        if let Some(program) = runs(&word.text) {
            return Some(Effect::Runs.sentence(program));
        }
        if !word.may_be_option() {
            return None;
        }
        if !word.text.starts_with('-') {
            return Some(Effect::Unknown.sentence(&word.text));
        }
        effect(&word.text).map(|effect| effect.sentence(&word.text))
    })
}

/// The program that an operand names, alone or at the start of a command in one word.
fn runs(operand: &str) -> Option<&str> {
    let first = operand.split([' ', '\t', '\n', ';', '&', '|']).next().unwrap_or_default();
    programs::has_fact(first, Fact::OftenRun).then_some(first)
}

/// What the name of `option` says that it does.
pub(super) fn effect(option: &str) -> Option<Effect> {
    let name = option.trim_start_matches('-').split('=').next().unwrap_or_default().to_ascii_lowercase();
    if !option.starts_with("--") && name.chars().count() <= 1 {
        return LETTERS.iter().find(|(letter, _)| option.chars().nth(1) == Some(*letter)).map(|(_, effect)| *effect);
    }
    if HARMLESS.contains(&name.as_str()) {
        return None;
    }
    // Short words are common inside of others (`timeout`): they count only as a part of the name.
    let is_part = |word: &str| name.split(['-', '_', '.']).any(|part| part == word);
    let contains = |words: &[&str]| {
        words.iter().any(|word| {
            is_part(word) || (word.len() > 4 && name.contains(word)) || (word.len() == 4 && name.ends_with(word))
        })
    };
    [(RUNS, Effect::Runs), (WRITES, Effect::Writes), (LOADS, Effect::Loads), (SENDS, Effect::Sends)]
        .into_iter()
        .find(|(parts, _)| contains(parts))
        .map(|(_, effect)| effect)
        .or_else(|| {
            // A cluster, or a letter with its value.
            let cluster = !option.starts_with("--");
            let letter = LETTERS.iter().find(|(letter, _)| option.chars().nth(1) == Some(*letter));
            letter.filter(|_| cluster).map(|(_, effect)| *effect)
        })
}
