//! Reading a listed program's options against what is known to be harmless.
//!
//! Sources: POSIX.1-2024 XBD 12.2 "Utility Syntax Guidelines"; getopt_long(3) (abbreviations,
//! options after operands, `--`).

use super::super::command_line::{Word, WordKind};
use super::spelled::Spelled;
use super::{sed, shape};
use crate::programs::effect::Effect;
use crate::programs::spec::{Operands, Spec, Style};

/// Words that are sub-commands of many programs, do more than check, and are seldom names of folders or files
/// (`vitest init`, `playwright install`, `mocha debug`, `cargo nextest self`; each program's `--help`).
const VERBS: &str = "init install uninstall install-deps update upgrade add remove rm delete create new generate publish deploy \
    release push login logout auth migrate debug inspect serve preview open start stop restart eject sync reset clean \
    clear-cache reset-cache clearCache completion lsp lsp-proxy daemon exec eval repl codegen self-update self-upgrade setup self \
    bootstrap configtest show-report show-trace merge-reports screenshot cr ff wk rage dev clear \
    installGitPreCommitHook installGitPrePushHook generateEditorConfig run-server launch-server pdf link dictionaries \
    loader plugin download generate-roblox-std update-roblox-std upgrade-std configure kill restart infer server scan \
    unlink trace-viewer";

/// Global options in front of a sub-command that change nothing about it.
const HARMLESS_GLOBALS: &[&str] =
    &["--no-pager", "-P", "--no-optional-locks", "-q", "--quiet", "--color", "--no-color"];

/// Whether a pattern that does not name `option` in front of a sub-command of git still means the
/// command.
pub(crate) fn is_harmless_global(option: &str) -> bool {
    matches!(option, "--no-pager" | "-P" | "--no-optional-locks")
}

/// The same with a value in the next word, where the sub-command has them too; where a pattern names the sub-command,
/// they have to be spelled out.
const VALUED_GLOBALS: &[&str] = &["-n", "--namespace"];

/// Why words of a program with sub-commands are not covered: everything up to the sub-command has
/// to be spelled out, and it has to be a known one. Where all that is listed is harmless (`must_name` is
/// false), the pattern need not name it.
pub(super) fn sub_command(
    name: &str,
    specs: &[&'static [Spec]],
    words: &[Word],
    spelled: &[Spelled],
    must_name: bool,
) -> Option<String> {
    let index = skip_globals(specs, words);
    let is_named = spelled.iter().take(index + 1).all(|spelled| *spelled == Spelled::Out);
    if index >= words.len() || (must_name && !is_named) {
        return Some(needs_sub_command(name));
    }
    let sub = words.get(index).map(|word| word.text.as_str()).unwrap_or_default();
    let depth = if !must_name || spelled.get(index + 1) == Some(&Spelled::Out) { 2 } else { 1 };
    // Where `-n` has no value, the word behind it is the sub-command: `composer -n remove list`.
    let takes_value = |spec: &Spec| spec.valued.contains('n');
    let skipped = words.iter().zip(spelled).take(index);
    let skips_value = skipped
        .filter(|(_, spelled)| **spelled != Spelled::Out)
        .any(|(word, _)| VALUED_GLOBALS.contains(&word.text.as_str()));
    match find(specs, words, depth) {
        Some((spec, _)) if skips_value && !takes_value(spec) => Some(needs_sub_command(name)),
        Some((spec, start)) => check(&format!("{name} {sub}"), spec, words, spelled, start),
        None => Some(format!("`{name} {sub}` is not known to be harmless, so a pattern has to spell it out")),
    }
}

fn named(specs: &[&'static [Spec]], name: &str) -> Option<&'static Spec> {
    specs.iter().copied().flatten().find(|spec| spec.names.split(' ').any(|listed| listed == name))
}

/// Where the sub-command stands, behind harmless global options. `-q` of `rpm -q` is the sub-command.
fn skip_globals(specs: &[&'static [Spec]], words: &[Word]) -> usize {
    let mut index = 1;
    while let Some(word) = words.get(index) {
        index += match word.text.as_str() {
            text if named(specs, text).is_some() => break,
            text if HARMLESS_GLOBALS.contains(&text) => 1,
            text if VALUED_GLOBALS.contains(&text) => 2,
            _ => break,
        };
    }
    index
}

/// What is known of the sub-command of `words`, and where its own words start. `depth` is how many words may
/// name it: `stash` or `stash list`.
pub(super) fn find(specs: &[&'static [Spec]], words: &[Word], depth: usize) -> Option<(&'static Spec, usize)> {
    let start = skip_globals(specs, words);
    let find = |name: &str| named(specs, name);
    let sub = words.get(start)?.text.as_str();
    let nested = words.get(start + 1).filter(|_| depth > 1).map(|word| format!("{sub}:{}", word.text));
    let nested = nested.and_then(|name| find(&name)).map(|spec| (spec, start + 2));
    nested.or_else(|| find(sub).map(|spec| (spec, start + 1)))
}

/// The same for words that begin with the sub-command.
pub(super) fn find_from(specs: &[&'static [Spec]], words: &[Word]) -> Option<(&'static Spec, usize)> {
    let sub = words.first()?.text.as_str();
    let nested = words.get(1).and_then(|word| named(specs, &format!("{sub}:{}", word.text))).map(|spec| (spec, 2));
    nested.or_else(|| named(specs, sub).map(|spec| (spec, 1)))
}

fn needs_sub_command(name: &str) -> String {
    format!("a pattern for `{name}` has to name the sub-command")
}

/// Why the words from `start` on are not covered by a pattern that did not spell them out.
pub(super) fn check(name: &str, spec: &Spec, words: &[Word], spelled: &[Spelled], start: usize) -> Option<String> {
    let reading = Reading { next: start, operands: 0, options: true, value: false, doubtful: false };
    read(name, spec, words, spelled, start, reading)
        .or_else(|| (spec.operands == Operands::SedScript).then(|| sed::refusal(words, spelled)).flatten())
}

/// How far the words of a command were read, and as what.
#[derive(Clone, Copy)]
struct Reading {
    /// The next word.
    next: usize,
    operands: usize,
    /// A `-` still begins an option.
    options: bool,
    /// The next word is the value of the option in front.
    value: bool,
    /// A `--` was taken for a value.
    doubtful: bool,
}

fn read(
    name: &str,
    spec: &Spec,
    words: &[Word],
    spelled: &[Spelled],
    start: usize,
    mut reading: Reading,
) -> Option<String> {
    for (index, (word, matched)) in words.iter().zip(spelled).enumerate().skip(reading.next) {
        reading.next = index + 1;
        let free = *matched != Spelled::Out;
        let text = word.text.as_str();
        // tar(1): `host:file` is an archive on another machine.
        if free && spec.operands == Operands::Cluster && text.contains(':') {
            return Some(Effect::Sends.sentence(text));
        }
        if free && spec.operands == Operands::GitHub && shape::is_on_another_forge(text) {
            return Some(Effect::Sends.sentence(text));
        }
        if free && let Some(effect) = held(spec, text) {
            return Some(effect.sentence(text));
        }
        if reading.options && text == "--" && word.kind == WordKind::Exact && spec.style == Style::Letters {
            let is_value = index > start && words.get(index - 1).is_some_and(|option| may_take(spec, option));
            if is_value && reading.doubtful {
                return Some(Effect::Unknown.sentence(text));
            }
            let ended = Reading { options: false, value: false, ..reading };
            let behind = match spec.passes_on_to {
                Some(inner) => passed_on(name, spec, inner, words, spelled, index + 1),
                None if is_value => read(name, spec, words, spelled, start, ended),
                None => None,
            };
            if behind.is_some() || (!is_value && spec.passes_on_to.is_some()) {
                return behind;
            }
            // What is read both ways has to be harmless both ways.
            reading = if is_value { Reading { value: false, doubtful: true, ..reading } } else { ended };
        } else if reading.options && text.starts_with('-') && text.len() > 1 {
            // Behind an option with a value this may be that value.
            let sure = !reading.value;
            let next = words.get(index + 1).filter(|next| next.kind == WordKind::Exact);
            if next.is_some_and(|next| is_listed_value(spec, text, &next.text)) {
                reading.value = sure;
                continue;
            }
            if free && let Some(effect) = option_effect(spec, text) {
                return Some(effect.sentence(text));
            }
            reading.value = takes_next(spec, text) && sure;
        } else if reading.options && free && word.may_be_option() && text != "-" {
            return Some(Effect::Unknown.sentence(text));
        } else if std::mem::take(&mut reading.value) {
            // The value of the option in front.
        } else if !reading.options && free && word.may_be_option() && spec.operands.are_judged() {
            // Whether it still reads options here is not known.
            return Some(Effect::Unknown.sentence(text));
        } else {
            reading.operands += 1;
            if let Some(refusal) = operand(name, spec, reading.operands, index - start, word, *matched) {
                return Some(refusal);
            }
        }
    }
    None
}

/// What a text in `word` does that no word may hold, written with blanks in it or without.
fn held(spec: &Spec, word: &str) -> Option<Effect> {
    if spec.holding.is_empty() {
        return None;
    }
    let without: String = word.chars().filter(|character| !character.is_whitespace()).collect();
    let holds = |held: &str| word.contains(held) || without.contains(held);
    spec.holding.iter().find(|(held, _)| holds(held)).map(|(_, effect)| *effect)
}

/// Why the words from `start` on are not covered, which `inner` reads and which `spec` hands to it.
fn passed_on(
    name: &str,
    spec: &Spec,
    inner: &Spec,
    words: &[Word],
    spelled: &[Spelled],
    start: usize,
) -> Option<String> {
    let free = words.iter().zip(spelled).skip(start).filter(|(_, spelled)| **spelled != Spelled::Out);
    let mut held = free.filter_map(|(word, _)| held(spec, &word.text).map(|effect| effect.sentence(&word.text)));
    held.next().or_else(|| check(name, inner, words, spelled, start))
}

/// Whether `option`, the word in front of a `--`, may take it as its value, as getopt_long(3) has it, so that the
/// options go on behind it: `rg -e -- --pre=./x`. Where another program reads what follows, the tables tell which
/// options have none.
fn may_take(spec: &Spec, option: &Word) -> bool {
    let text = option.text.as_str();
    let is_option = option.kind != WordKind::Exact || (text.starts_with('-') && text.len() > 1);
    if !is_option || text == "--" {
        return is_option;
    }
    if spec.passes_on_to.is_none() || option.kind != WordKind::Exact {
        return !(text.starts_with("--") && text.contains('='));
    }
    match text.strip_prefix("--") {
        Some(long) if long.contains('=') => false,
        Some(long) => !names(spec.long).any(|listed| listed == long),
        None => !text.chars().skip(1).all(|letter| spec.flags.contains(letter) && !spec.valued.contains(letter)),
    }
}

fn operand(name: &str, spec: &Spec, count: usize, position: usize, word: &Word, spelled: Spelled) -> Option<String> {
    if spelled == Spelled::Out {
        return None;
    }
    if spec.has_verbs && count == 1 && VERBS.split_ascii_whitespace().any(|verb| verb == word.text) {
        return Some(format!("`{}` may be a sub-command of `{name}`, so a pattern has to spell it out", word.text));
    }
    let refused = match spec.operands {
        Operands::Any | Operands::GitHub | Operands::SedScript => false,
        Operands::Cluster => {
            let effect = (position == 0).then(|| cluster_effect(spec, &word.text)).flatten();
            return effect.map(|effect| effect.sentence(&word.text));
        }
        // A word that varies may be several.
        Operands::AtMost(most) => count > most || word.kind == WordKind::Varies,
        Operands::Command(known) if count == 1 => {
            word.kind != WordKind::Exact || !names(known).any(|name| name == word.text)
        }
        Operands::Plain | Operands::Command(_) => {
            word.text.contains('=')
                || word.text.starts_with('@')
                || word.kind == WordKind::Varies
                || shape::is_address(&word.text)
        }
        Operands::NoHosts => !stays_inside(word) || shape::may_be_host(&word.text),
        Operands::Inside => !stays_inside(word),
        Operands::InsideOrTemporary => !stays_inside(word) && !shape::is_temporary(word),
        // `-` is the standard input, which may be anything.
        Operands::InsideAtMost(most) => {
            count > most || word.text == "-" || word.kind == WordKind::Varies || !stays_inside(word)
        }
        Operands::Sockets => word.kind != WordKind::Exact || shape::may_name_host(&word.text),
        Operands::Names => word.kind != WordKind::Exact || !shape::is_registry_name(&word.text),
        Operands::None => true,
        Operands::Format => !word.text.starts_with('+'),
        Operands::Pinned(least) => count <= least || shape::leaves_folder(&word.text),
        Operands::Tasks => !shape::is_harmless_operand(word),
        Operands::Remote(known) => {
            (count == 1 && !names(known).any(|name| name == word.text))
                || word.kind != WordKind::Exact
                || word.text.contains(['+', ':', '^'])
        }
        Operands::Addresses => word.kind != WordKind::Exact || !is_web_address(&word.text),
        Operands::Values => word.text.contains('[') && word.text.contains(['$', '`']),
    };
    refused.then(|| format!("`{name}` does something else with `{}`, so a pattern has to spell it out", word.text))
}

/// Whether an operand names something below the folder that the program runs in.
fn stays_inside(word: &Word) -> bool {
    !word.text.contains('=')
        && !word.text.starts_with('@')
        && !shape::leaves_folder(&word.text)
        && !shape::is_address(&word.text)
        && (word.kind == WordKind::Exact || !word.fixed_start().is_empty())
}

/// curl(1): without a scheme a host name is meant; `host:port` is none.
fn is_web_address(text: &str) -> bool {
    match text.split_once(':') {
        None => true,
        Some((scheme, rest)) => {
            ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str())
                || (!rest.contains("://") && rest.starts_with(|first: char| first.is_ascii_digit()))
        }
    }
}

/// `--format json`, where `format=json` is listed.
fn is_listed_value(spec: &Spec, option: &str, value: &str) -> bool {
    let name = option.trim_start_matches('-');
    names(spec.long).filter_map(|listed| listed.split_once('=')).any(|listed| listed == (name, value))
}

/// Whether the next word is this option's value, for counting operands only: it is checked as an
/// option all the same.
pub(super) fn takes_next(spec: &Spec, option: &str) -> bool {
    let last = option.chars().last().unwrap_or('-');
    if let Some(long) = option.strip_prefix("--") {
        return names(spec.long).any(|listed| listed.strip_suffix(':') == Some(long));
    }
    let plain = option.chars().count() == 2 && spec.valued.contains(last);
    spec.style == Style::Letters && (plain || is_apart(spec, last))
}

/// Whether `letter` has its value in the next word, wherever in a cluster it stands (`tree -dL 2`).
fn is_apart(spec: &Spec, letter: char) -> bool {
    names(spec.long)
        .filter_map(|listed| listed.strip_prefix('-')?.strip_suffix(':'))
        .any(|listed| listed.chars().eq([letter]))
}

/// What `option` does that is not harmless.
pub(super) fn option_effect(spec: &Spec, option: &str) -> Option<Effect> {
    match (spec.style, option.strip_prefix("--")) {
        (Style::Letters, Some(long)) => long_effect(spec, long),
        (Style::Letters, None) => letters_effect(spec, option.trim_start_matches('-')),
        (Style::Words, _) => word_effect(spec, option),
    }
}

fn names(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split(' ').filter(|name| !name.is_empty())
}

fn long_effect(spec: &Spec, option: &str) -> Option<Effect> {
    let name = option.split('=').next().unwrap_or_default();
    let refused = || {
        let matches = |listed: &str| listed.strip_prefix("--").is_some_and(|listed| listed.starts_with(name));
        spec.refused.iter().find(|(listed, _)| names(listed).any(matches)).map(|(_, effect)| *effect)
    };
    let harmless = |listed: &str| {
        if listed.contains('=') { listed == option } else { listed.strip_suffix(':').unwrap_or(listed) == name }
    };
    if names(spec.long).any(harmless) {
        return None;
    }
    refused().or_else(|| (spec.long != "*").then_some(Effect::Unknown))
}

/// Letters without a dash have their values in the words behind, so each of them is an option.
fn cluster_effect(spec: &Spec, cluster: &str) -> Option<Effect> {
    cluster.char_indices().find_map(|(start, letter)| {
        letters_effect(spec, cluster.get(start..start + letter.len_utf8()).unwrap_or_default())
    })
}

fn letters_effect(spec: &Spec, cluster: &str) -> Option<Effect> {
    if names(spec.long).any(|listed| listed.strip_prefix('-') == Some(cluster)) {
        return None;
    }
    let mut rest = cluster.chars();
    while let Some(letter) = rest.next() {
        if is_apart(spec, letter) {
            // Nothing but a number can be glued to it.
            let number = rest.as_str().bytes().all(|byte| byte.is_ascii_digit());
            return if number { None } else { Some(Effect::Unknown) };
        }
        let refused = spec.refused.iter().find(|(listed, _)| {
            names(listed).any(|name| name.strip_prefix('-').is_some_and(|name| name.chars().eq([letter])))
        });
        if let Some((_, effect)) = refused {
            return Some(*effect);
        }
        if spec.valued.contains(letter) {
            return None;
        }
        let number = letter.is_ascii_digit() && spec.flags.contains('#');
        if !number && spec.flags != "*" && !spec.flags.contains(letter) {
            return Some(Effect::Unknown);
        }
    }
    None
}

/// A refused word also covers what it is glued to (`-wrapper`, `-fplugin=x`, `-o` of gcc only as
/// it is written in the table).
fn word_effect(spec: &Spec, option: &str) -> Option<Effect> {
    let name = option.split('=').next().unwrap_or(option);
    let short = name.strip_prefix('-').unwrap_or(name);
    // find(1): `-mtime -1`.
    if short.starts_with(|first: char| first.is_ascii_digit()) && short.chars().all(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    let listed = |listed: &str| {
        let listed = listed.trim_start_matches('-');
        listed == short.trim_start_matches('-')
    };
    // `-style=llvm` is harmless with this value only.
    if names(spec.long).any(|listed| listed.contains('=') && listed == option.trim_start_matches('-')) {
        return None;
    }
    let refused = spec.refused.iter().find(|(list, _)| names(list).any(listed)).map(|(_, effect)| *effect);
    refused.or_else(|| (!names(spec.long).any(listed)).then_some(Effect::Unknown))
}
