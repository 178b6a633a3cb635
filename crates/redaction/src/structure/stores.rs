//! Commands that store a secret under any name: `vault kv put secret/x anything=SECRET`. The commands are those of
//! their manuals.

use super::super::key_names::KeyNames;
use super::super::look_alikes::{self, ValueSyntax};
use super::super::secrecy::{Strength, words_of};
use super::super::span::{Rank, Span};
use super::shell_words::{self, Word, inside_quotes};
use super::view::View;

/// Where a command holds the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    /// In every `NAME=secret`.
    Pairs,
    /// In `NAME=secret` behind this option.
    PairOf(&'static str),
    /// Behind this option.
    Option(&'static str),
    /// Behind this option, when the first word names a secret.
    NamedOption(&'static str),
    /// In the first word.
    First,
    /// In the second word; the first is its name.
    Second,
    /// The same, when the name says that it is a secret.
    NamedSecond,
}

/// Programs, the words that have to follow in this order, an option that has to be there, and where the secret is.
struct Store {
    programs: &'static [&'static str],
    words: &'static [&'static str],
    option: &'static str,
    holds: Holds,
}

#[rustfmt::skip]
const STORES: &[Store] = &[
    Store { programs: &["kubectl", "oc"], words: &["create", "secret"], option: "", holds: Holds::PairOf("--from-literal") },
    Store { programs: &["vault", "bao"], words: &["kv", "put"], option: "", holds: Holds::Pairs },
    Store { programs: &["vault", "bao"], words: &["kv", "patch"], option: "", holds: Holds::Pairs },
    Store { programs: &["fly", "flyctl", "supabase", "doppler"], words: &["secrets", "set"], option: "", holds: Holds::Pairs },
    Store { programs: &["az"], words: &["keyvault", "secret", "set"], option: "", holds: Holds::Option("--value") },
    Store { programs: &["pulumi"], words: &["config", "set"], option: "--secret", holds: Holds::Second },
    Store { programs: &["dotnet"], words: &["user-secrets", "set"], option: "", holds: Holds::Second },
    Store { programs: &["poetry", "composer"], words: &["config"], option: "", holds: Holds::NamedSecond },
    Store { programs: &["gh"], words: &["variable", "set"], option: "", holds: Holds::NamedOption("--body") },
    Store { programs: &["gh"], words: &["variable", "set"], option: "", holds: Holds::NamedOption("-b") },
    Store { programs: &["openssl"], words: &["passwd"], option: "", holds: Holds::First },
];

/// Options of these commands that take the next word.
#[rustfmt::skip]
const VALUE_OPTIONS: &[&str] = &["-salt", "-in", "-rand", "--project", "--id", "-p", "--configuration", "-c", "--stack", "-s", "--cwd", "-C", "--body", "-b", "--repo", "-R", "--env", "-e"];

/// Last words of names under which a store of secrets keeps what is none.
#[rustfmt::skip]
const OPEN_NAMES: &[&str] = &["user", "username", "login", "name", "host", "hostname", "port", "url", "uri", "email", "database", "db", "region", "type", "ttl"];

/// Most arguments before the name of a program: `sudo -u ada`.
const MAX_BEFORE: usize = 8;

/// Most arguments of a program that are looked at.
const MAX_ARGUMENTS: usize = 256;

pub(super) fn find(view: &View<'_>, names: &KeyNames, spans: &mut Vec<Span<'_>>) {
    let occurs = |store: &&Store| store.words.iter().all(|word| view.text.contains(word));
    for store in STORES.iter().filter(occurs) {
        for program in store.programs {
            let mut from = 0;
            for (place, _) in view.text.match_indices(program) {
                let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
                let begins = place >= from && !is_name(view.before(place));
                if begins && matches!(view.byte(place + program.len()), b' ' | b'\t') {
                    let (words, end) = shell_words::words(view, place + program.len());
                    if stored(view, store, &words, names, spans) {
                        from = end;
                    }
                }
            }
        }
    }
}

/// The secrets among the arguments of a program: the item, and from which byte on.
pub(in super::super) fn stored_values(arguments: &[&str], names: &KeyNames) -> Vec<(usize, usize)> {
    let program = |argument: &&str| argument.rsplit('/').next().unwrap_or_default().to_owned();
    let mut found = Vec::new();
    for store in STORES {
        let sought =
            arguments.iter().take(MAX_BEFORE).map(program).position(|name| store.programs.contains(&name.as_str()));
        let Some(first) = sought.map(|program| program + 1) else { continue };
        let behind: Vec<&str> = arguments.iter().skip(first).take(MAX_ARGUMENTS).copied().collect();
        let text = behind.join("\n");
        let mut end = 0;
        let place = |argument: &&str| {
            let start = end;
            end = start + argument.len() + 1;
            Word { start, end: start + argument.len() }
        };
        let words: Vec<Word> = behind.iter().map(place).collect();
        let mut spans = Vec::new();
        stored(&View::new(&text), store, &words, names, &mut spans);
        found.extend(spans.iter().filter_map(|span| {
            let item = words.iter().position(|word| (word.start..word.end).contains(&span.start))?;
            Some((first + item, span.start - words.get(item)?.start))
        }));
    }
    found
}

/// Hides what the command of these words stores. Whether it is the one of `store`.
fn stored(view: &View<'_>, store: &Store, words: &[Word], names: &KeyNames, spans: &mut Vec<Span<'_>>) -> bool {
    let mut rest = words.iter();
    if !store.words.iter().all(|sought| rest.any(|word| word.text(view) == *sought))
        || !store.option.is_empty() && !words.iter().any(|word| word.text(view) == store.option)
    {
        return false;
    }
    let words = rest.as_slice();
    let (first, second) = {
        let mut positions = positions(view, words);
        (positions.next(), positions.next())
    };
    let is_named = || first.is_some_and(|name| names.secrecy(name.text(view)).is_some());
    match store.holds {
        Holds::Pairs => words.iter().for_each(|word| hide_pair(view, *word, spans)),
        Holds::PairOf(option) => values_of(view, words, option).for_each(|word| hide_pair(view, word, spans)),
        Holds::NamedOption(_) if !is_named() => {}
        Holds::Option(option) | Holds::NamedOption(option) => {
            values_of(view, words, option).for_each(|word| hide(view, word, spans));
        }
        Holds::First => first.into_iter().for_each(|word| hide(view, word, spans)),
        Holds::NamedSecond if !is_named() => {}
        Holds::Second if first.is_some_and(|name| is_open(name.text(view))) => {}
        Holds::Second | Holds::NamedSecond => second.into_iter().for_each(|word| hide(view, word, spans)),
    }
    true
}

/// The words that are neither options nor their values.
fn positions<'a>(view: &'a View<'_>, words: &'a [Word]) -> impl Iterator<Item = Word> + 'a {
    let mut takes_next = false;
    words.iter().copied().filter(move |word| {
        let text = word.text(view);
        let is_value = std::mem::replace(&mut takes_next, VALUE_OPTIONS.contains(&text));
        !is_value && !text.starts_with('-')
    })
}

/// The values of an option: the next word, or what stands behind `=`.
fn values_of<'a>(view: &'a View<'_>, words: &'a [Word], option: &'a str) -> impl Iterator<Item = Word> + 'a {
    let next = words.iter().skip(1);
    words.iter().zip(next.map(Some).chain(std::iter::once(None))).filter_map(move |(word, next)| {
        let text = view.slice(word.start..word.end);
        if text == option {
            return next.copied();
        }
        let value = text.strip_prefix(option)?.strip_prefix('=')?;
        Some(Word { start: word.end - value.len(), end: word.end })
    })
}

/// Hides the value of `NAME=value`, in quotes as a whole or in part.
fn hide_pair(view: &View<'_>, word: Word, spans: &mut Vec<Span<'_>>) {
    let content = word.content(view);
    let text = view.slice(content.clone());
    let Some((name, _)) = text.split_once('=').filter(|(name, _)| !name.starts_with('-') && !is_open(name)) else {
        return;
    };
    let value = inside_quotes(view, content.start + name.len() + 1..content.end);
    if look_alikes::is_secret(view.slice(value.clone()), Strength::Strong, ValueSyntax::Quoted) {
        spans.push(Span::new(value, "secret", Rank::Structure));
    }
}

/// Hides a word, unless it is one of prose about the command.
fn hide(view: &View<'_>, word: Word, spans: &mut Vec<Span<'_>>) {
    let content = word.content(view);
    let text = view.slice(content.clone());
    let is_prose = content.start == word.start && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if !is_prose && look_alikes::is_secret(text, Strength::Strong, ValueSyntax::Option) {
        spans.push(Span::new(content, "secret", Rank::Structure));
    }
}

/// Whether a name says that what it names is no secret.
fn is_open(name: &str) -> bool {
    words_of(name).last().is_some_and(|last| OPEN_NAMES.contains(&last.as_str()))
}
