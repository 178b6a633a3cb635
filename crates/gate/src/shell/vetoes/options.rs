//! Reading a listed program's options against what is known to be harmless.
//!
//! Sources: POSIX.1-2024 XBD 12.2 "Utility Syntax Guidelines"; getopt_long(3) (abbreviations,
//! options after operands, `--`).

use super::super::command_line::{Word, WordKind};
use super::effect::Effect;
use super::{Spelled, sed, shape, tasks};

/// How a program spells its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// getopt: clusters of letters, `--long`, abbreviations.
    Letters,
    /// Words with one dash, as find(1), gcc(1), go(1).
    Words,
}

/// Operands that are harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// Any.
    Any,
    /// Any that names no other host than github.com.
    GitHub,
    /// So many; one more is an output file, or changes something.
    AtMost(usize),
    /// None with a `=` in it, which would be a variable, and none that starts with `@`.
    Plain,
    /// As `Plain`, and in the folder it runs in: it runs what it finds there.
    Inside,
    /// Only those that start with `+` (date(1): the format).
    Format,
    /// A sed script first.
    SedScript,
    /// The first word is a cluster of letters even without a dash (tar(1), "Traditional usage").
    Cluster,
    /// At least so many have to be spelled out, and the rest stays in the folder: `npm run NAME`.
    Pinned(usize),
    /// A git remote, which has to be spelled out unless it is one of these, and plain names of branches.
    Remote(&'static str),
    /// Tasks, each of which has to be spelled out.
    Tasks,
    /// Addresses of web pages, written out.
    Addresses,
    /// Names as a registry has them: no path, no address, no `user/repo`.
    Names,
    /// So many files in the folder it runs in; one more would be an output.
    InsideAtMost(usize),
    /// None: every operand has to be spelled out.
    None,
    /// Anything but a subscript with a substitution, which some shells evaluate.
    Values,
}

impl Operands {
    /// Whether an operand may be refused for what it looks like.
    const fn are_judged(self) -> bool {
        !matches!(self, Self::Any | Self::GitHub | Self::SedScript | Self::Cluster | Self::Values | Self::AtMost(_))
    }
}

/// What is known of one program or sub-command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spec {
    /// Programs, or sub-commands, separated by blanks.
    pub(super) names: &'static str,
    /// How it spells options.
    pub(super) style: Style,
    /// Harmless letters without a value; `#` for numbers as in `-5`; `*`: every letter that is not
    /// refused.
    pub(super) flags: &'static str,
    /// Harmless letters with a value.
    pub(super) valued: &'static str,
    /// Harmless long options (or words with one dash), separated by blanks; `*`: every one whose
    /// name no refused one starts with. `since:` has its value in the next word, `report=term` is
    /// harmless only with this value, glued or in the next word, `-Iseconds` is a letter with its value.
    pub(super) long: &'static str,
    /// Options that are not harmless: names separated by blanks, and why.
    pub(super) refused: &'static [(&'static str, Effect)],
    /// Texts that no word may hold, wherever they stand in it, and why.
    pub(super) holding: &'static [(&'static str, Effect)],
    /// Operands that are harmless.
    pub(super) operands: Operands,
    /// What reads the words behind `--`, when it is another program.
    pub(super) passes_on_to: Option<&'static Spec>,
    /// It runs what it finds in the folder that it runs in, or is set up by it.
    pub(super) runs_project: bool,
    /// Its first operand may be a sub-command that does more than check what it names.
    pub(super) has_verbs: bool,
    /// A `*` for everything behind the name deserves a warning when the rule is loaded.
    pub(super) broad: bool,
}

/// What most programs have in common.
pub(super) const PLAIN: Spec = Spec {
    names: "",
    style: Style::Letters,
    flags: "",
    valued: "",
    long: "help version",
    refused: &[],
    holding: &[],
    operands: Operands::Any,
    passes_on_to: None,
    runs_project: false,
    has_verbs: false,
    broad: false,
};

/// Words that are sub-commands of many programs, do more than check, and are seldom names of folders or files
/// (`vitest init`, `playwright install`, `mocha debug`, `cargo nextest self`; each program's `--help`).
const VERBS: &str = "init install uninstall install-deps update upgrade add remove rm delete create new generate publish deploy \
    release push login logout auth migrate debug inspect serve preview open start stop restart eject sync reset clean \
    clear-cache reset-cache clearCache completion lsp lsp-proxy daemon exec eval repl codegen self-update self-upgrade setup self \
    bootstrap configtest show-report show-trace merge-reports screenshot cr ff wk rage dev clear \
    installGitPreCommitHook installGitPrePushHook generateEditorConfig";

/// Global options in front of a sub-command that change nothing about it.
const HARMLESS_GLOBALS: &[&str] =
    &["--no-pager", "-P", "--no-optional-locks", "-q", "--quiet", "--color", "--no-color"];

/// Whether a pattern that does not name `option` in front of a sub-command of git still means the
/// command.
pub(in crate::shell) fn is_harmless_global(option: &str) -> bool {
    matches!(option, "--no-pager" | "-P" | "--no-optional-locks")
}

/// The same with a value in the next word; like everything in front of the sub-command it has to be
/// spelled out.
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
    match find(specs, words, depth) {
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
    let mut operands = 0;
    let mut options = true;
    let mut value = false;
    for (position, (word, matched)) in words.iter().zip(spelled).skip(start).enumerate() {
        let free = *matched != Spelled::Out;
        let text = word.text.as_str();
        // tar(1): `host:file` is an archive on another machine.
        if free && spec.operands == Operands::Cluster && text.contains(':') {
            return Some(Effect::Sends.sentence(text));
        }
        if free && spec.operands == Operands::GitHub && shape::is_on_another_forge(text) {
            return Some(Effect::Sends.sentence(text));
        }
        if free && let Some((_, effect)) = spec.holding.iter().find(|(held, _)| text.contains(held)) {
            return Some(effect.sentence(text));
        }
        if options && text == "--" && word.kind == WordKind::Exact && spec.style == Style::Letters {
            if let Some(inner) = spec.passes_on_to {
                let behind = words.iter().zip(spelled).skip(start + position + 1);
                let held = behind.filter(|(_, spelled)| **spelled != Spelled::Out).find_map(|(word, _)| {
                    spec.holding
                        .iter()
                        .find(|(held, _)| word.text.contains(held))
                        .map(|(_, effect)| (effect, &word.text))
                });
                if let Some((effect, text)) = held {
                    return Some(effect.sentence(text));
                }
                return check(name, inner, words, spelled, start + position + 1);
            }
            options = false;
        } else if options && text.starts_with('-') && text.len() > 1 {
            let next = words.get(start + position + 1).filter(|next| next.kind == WordKind::Exact);
            if next.is_some_and(|next| is_listed_value(spec, text, &next.text)) {
                value = true;
                continue;
            }
            if free && let Some(effect) = option_effect(spec, text) {
                return Some(effect.sentence(text));
            }
            value = takes_next(spec, text);
        } else if options && free && word.may_be_option() && text != "-" {
            return Some(Effect::Unknown.sentence(text));
        } else if std::mem::take(&mut value) {
            // The value of the option in front.
        } else if !options && free && word.may_be_option() && spec.operands.are_judged() {
            // Whether it still reads options here is not known.
            return Some(Effect::Unknown.sentence(text));
        } else {
            operands += 1;
            if let Some(refusal) = operand(name, spec, operands, position, word, *matched) {
                return Some(refusal);
            }
        }
    }
    (spec.operands == Operands::SedScript).then(|| sed::refusal(words, spelled)).flatten()
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
        Operands::Plain => {
            word.text.contains('=')
                || word.text.starts_with('@')
                || word.kind == WordKind::Varies
                || shape::is_address(&word.text)
        }
        Operands::Inside => !stays_inside(word),
        // `-` is the standard input, which may be anything.
        Operands::InsideAtMost(most) => {
            count > most || word.text == "-" || word.kind == WordKind::Varies || !stays_inside(word)
        }
        Operands::Names => word.kind != WordKind::Exact || !shape::is_registry_name(&word.text),
        Operands::None => true,
        Operands::Format => !word.text.starts_with('+'),
        Operands::Pinned(least) => count <= least || shape::leaves_folder(&word.text),
        Operands::Tasks => !tasks::is_harmless_operand(word),
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
fn takes_next(spec: &Spec, option: &str) -> bool {
    let last = option.chars().last().unwrap_or('-');
    if let Some(long) = option.strip_prefix("--") {
        return names(spec.long).any(|listed| listed.strip_suffix(':') == Some(long));
    }
    spec.style == Style::Letters && option.chars().count() == 2 && spec.valued.contains(last)
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
    for letter in cluster.chars() {
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
