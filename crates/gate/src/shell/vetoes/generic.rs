//! Options of programs that are not listed, judged by their names.

use super::super::command_line::{Word, WordKind};
use super::Spelled;
use super::effect::Effect;

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

/// Programs that are mostly named to be run: as an operand of a program that is not listed one may
/// show that it is a wrapper.
const PROGRAMS: &[&str] = &[
    "rm", "rmdir", "unlink", "mv", "cp", "dd", "touch", "tee", "chmod", "chown", "truncate", "shred", "mkfs", "kill",
    "sh", "bash", "dash", "zsh", "fish", "ksh", "eval", "exec", "env", "sudo", "doas", "su", "xargs", "curl", "wget",
    "nc", "ssh", "scp", "python", "python3", "perl", "ruby", "node", "php", "docker", "shutdown", "reboot", "busybox",
];

/// Why the words from `start` on are not covered.
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
    PROGRAMS.contains(&super::name_of(first)).then_some(first)
}

/// Whether `value` names a file or folder outside of the one that the program runs in.
fn leaves(value: &str) -> bool {
    value.starts_with(['/', '~']) || value.split('/').any(|component| component == "..")
}

/// Why a word behind `--` is not covered: an option as above, or the value of one that names what
/// is somewhere else.
pub(super) fn passed_on(word: &Word, spelled: Spelled) -> Option<String> {
    if spelled != Spelled::Not {
        return None;
    }
    let value = word.text.split_once('=').map_or(word.text.as_str(), |(_, value)| value);
    if leaves(value) || word.kind == WordKind::Home {
        return Some(Effect::Loads.sentence(&word.text));
    }
    refusal(std::slice::from_ref(word), &[spelled], 0)
}

fn effect(option: &str) -> Option<Effect> {
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
