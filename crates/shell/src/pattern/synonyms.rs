//! Words that often mean the same, for programs whose own words are not listed, and options that do.

use super::super::command_line::{Word, WordKind};
use super::super::operand_effects::inner_commands;
use crate::programs;
use crate::programs::fact::Fact;

/// Verbs that programs take for one another: `gsutil del`, `pulumi down`, `flyctl apps delete`.
///
/// Collected from the help texts of gsutil, Pulumi, flyctl, doctl, hcloud, linode-cli, az, Heroku, Vercel, Netlify,
/// Supabase, rclone, mc, restic, borg, lxc, incus, virsh, vagrant, nomad, consul, vault, eksctl and pm2.
const VERBS: &[&str] = &[
    "delete del rm remove destroy down dn erase purge drop unlink teardown nuke prune wipe clear d r",
    "create new add make mk init c",
    "apply up deploy sync ship",
    "publish push upload release submit promote",
    "install i in add get",
    "uninstall un remove rm del delete erase purge",
    "stop kill halt terminate down shutdown poweroff off end",
    "start run up boot launch exec x",
    "restart reload reboot bounce cycle",
    "update upgrade up edit set patch",
    "rollback revert undo restore reset",
    "flushall flushdb flush clear",
    "move mv rename ren",
    "copy cp clone dup",
];

/// Whether a word `text` of a command of `program` may mean what a rule names `wanted`: another verb for it, its
/// beginning, or the same in other letters. A word that the program is known to have for something else does not.
pub(super) fn may_mean(program: &str, text: &str, wanted: &str) -> bool {
    let is_word = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    if !is_word(text) || !is_word(wanted) || inner_commands::is_sub_command(program, text) {
        return false;
    }
    if text.eq_ignore_ascii_case(wanted) {
        return true;
    }
    let same = |verbs: &&str| [text, wanted].iter().all(|word| verbs.split(' ').any(|verb| verb == *word));
    let is_beginning = text.len() > 1 && wanted.starts_with(text) && !inner_commands::is_listed(program);
    VERBS.iter().any(same) || is_beginning
}

/// Whether another word than `wanted` may mean it to `program`.
pub(super) fn has_other(program: &str, wanted: &str) -> bool {
    !inner_commands::is_listed(program) || VERBS.iter().any(|verbs| verbs.split(' ').any(|verb| verb == wanted))
}

/// Signals by their numbers on Linux (signal(7)).
const SIGNALS: &[(&str, &str)] = &[
    ("1", "HUP"),
    ("2", "INT"),
    ("3", "QUIT"),
    ("6", "ABRT"),
    ("9", "KILL"),
    ("10", "USR1"),
    ("12", "USR2"),
    ("13", "PIPE"),
    ("14", "ALRM"),
    ("15", "TERM"),
    ("18", "CONT"),
    ("19", "STOP"),
    ("20", "TSTP"),
];

/// `kill -s KILL`, `kill -SIGKILL`, `kill -n 9` and `kill -9` are one command (kill(1), pkill(1), killall(1)): it, in
/// each of these ways.
pub(super) fn by_signal(name: &str, words: &[Word]) -> Vec<Vec<Word>> {
    if !programs::of(name).is(Fact::TakesSignal) {
        return Vec::new();
    }
    let signal = |text: &str| {
        let upper = text.to_ascii_uppercase();
        let plain = upper.strip_prefix("SIG").unwrap_or(&upper);
        SIGNALS.iter().find(|(number, name)| *number == plain || *name == plain)
    };
    let found = words.iter().enumerate().skip(1).find_map(|(index, word)| {
        let option = word.text.strip_prefix('-')?;
        if matches!(option, "s" | "n" | "-signal") {
            return Some((index, 2, signal(&words.get(index + 1)?.text)?));
        }
        let glued = option.strip_prefix("-signal=").or_else(|| option.strip_prefix('s')).unwrap_or(option);
        signal(glued).or_else(|| signal(option)).map(|signal| (index, 1, signal))
    });
    let Some((index, taken, (number, signal))) = found else { return Vec::new() };
    let spelled = [
        vec![format!("-{number}")],
        vec![format!("-{signal}")],
        vec![format!("-SIG{signal}")],
        vec!["-s".to_owned(), (*signal).to_owned()],
        vec!["-s".to_owned(), (*number).to_owned()],
        vec!["--signal".to_owned(), (*signal).to_owned()],
    ];
    let exact = |text: String| Word { text, kind: WordKind::Exact };
    let with = |texts: Vec<String>| {
        let behind = words.iter().skip(index + taken).cloned();
        words.iter().take(index).cloned().chain(texts.into_iter().map(exact)).chain(behind).collect()
    };
    spelled.into_iter().map(with).collect()
}

/// The mode of a `chmod` as plain digits: `0777`, `a+rwx` and `ugo=rwx` as `777` (chmod(1)).
pub(super) fn by_mode(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    const EVERYTHING: &[&str] = &["a", "ugo", "ogu", "gou", "uog", "guo", "oug"];
    if name != "chmod" {
        return None;
    }
    let index = words.iter().skip(1).position(|word| !word.text.starts_with('-'))? + 1;
    let mode = words.get(index)?.text.as_str();
    let is_symbolic = EVERYTHING.iter().filter_map(|who| mode.strip_prefix(who)).any(|what| {
        let rights = what.strip_prefix(['+', '=']).unwrap_or_default();
        rights.len() >= 3 && ['r', 'w', 'x'].iter().all(|right| rights.contains(*right))
    });
    let digits = mode.trim_start_matches('0');
    let plain = match digits {
        _ if is_symbolic => "777",
        digits if digits.len() < mode.len() && digits.bytes().all(|byte| byte.is_ascii_digit()) => digits,
        _ => return None,
    };
    (!plain.is_empty()).then(|| {
        let mut words = words.to_vec();
        if let Some(word) = words.get_mut(index) {
            *word = Word { text: plain.to_owned(), kind: WordKind::Exact };
        }
        words
    })
}

/// The same command with the other option.
pub(super) fn by_option(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    let (option, means) = programs::of(name).same_option?;
    let (index, taken) = words.iter().enumerate().skip(1).find_map(|(index, word)| {
        let next = words.get(index + 1).map_or("", |next| next.text.as_str());
        let behind = option.strip_prefix(word.text.as_str()).and_then(|behind| behind.strip_prefix('='));
        match word.text == option {
            true => Some((index, 1)),
            false => (behind == Some(next)).then_some((index, 2)),
        }
    })?;
    let option = Word { text: means.to_owned(), kind: WordKind::Exact };
    let behind = words.iter().skip(index + taken).cloned();
    Some(words.iter().take(index).cloned().chain([option]).chain(behind).collect())
}
