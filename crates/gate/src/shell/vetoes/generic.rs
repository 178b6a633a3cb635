//! Options of programs that are not listed, judged by their names.

use super::super::command_line::Word;
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

/// Why the words from `start` on are not covered.
pub(super) fn refusal(words: &[Word], spelled: &[Spelled], start: usize) -> Option<String> {
    words.iter().zip(spelled).skip(start).filter(|(_, spelled)| **spelled == Spelled::Not).find_map(|(word, _)| {
        if !word.may_be_option() {
            return None;
        }
        if !word.text.starts_with('-') {
            return Some(Effect::Unknown.sentence(&word.text));
        }
        effect(&word.text).map(|effect| effect.sentence(&word.text))
    })
}

fn effect(option: &str) -> Option<Effect> {
    let name = option.trim_start_matches('-').split('=').next().unwrap_or_default().to_ascii_lowercase();
    if !option.starts_with("--") && name.chars().count() <= 1 {
        return LETTERS.iter().find(|(letter, _)| option.chars().nth(1) == Some(*letter)).map(|(_, effect)| *effect);
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
