//! Names that mean the same: of programs, of sub-commands, of what they work on.

use std::borrow::Cow;

use super::super::command_line::{Word, WordKind};
use super::super::operand_effects::inner_commands;
use super::synonyms;
use crate::programs;
use crate::programs::fact::Fact;
use crate::programs::name::canonical;
use crate::programs::takes_next;

/// The most operands at which a sub-command may stand behind options that may have a value.
const MAX_PLACES: usize = 4;

fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == name)
}

/// Whether the beginning of the name of a sub-command is enough for `program`.
pub(super) fn abbreviates(program: &str) -> bool {
    programs::of(program).is(Fact::Abbreviates)
}

/// Whether `text` may be short for `sub_command` of `program`, and has no other meaning that is known.
pub(super) fn may_be_short_for(program: &str, text: &str, sub_command: &str) -> bool {
    let is_name = |text: &str| groups(program).any(|group| group.split(['|', ' ']).any(|name| name == text));
    abbreviates(program) && !text.is_empty() && text != sub_command && sub_command.starts_with(text) && !is_name(text)
}

/// Whether `text` is the kind `kind` of objects of Kubernetes, or names one of them: `pods`, `po/x`, `deploy.apps`.
pub(super) fn is_kind(program: &str, text: &str, kind: &str) -> bool {
    let kinds = programs::of(program).kinds;
    let of = |name: &str| kinds.iter().position(|names| listed(names, name));
    let names = || text.split(',').map(|name| name.split(['/', '.']).next().unwrap_or_default().to_ascii_lowercase());
    of(&kind.to_ascii_lowercase()).is_some_and(|kind| names().any(|name| of(&name) == Some(kind)))
}

fn groups(program: &str) -> impl Iterator<Item = &'static str> + use<> {
    programs::of(program).synonyms.iter().copied()
}

/// Whether `first` is the first word of a sub-command that has another name.
fn has_second(program: &str, first: &str) -> bool {
    let names = groups(program).flat_map(|group| group.split('|'));
    names.into_iter().any(|name| name.split_once(' ').is_some_and(|(word, _)| word == first))
}

/// The first name of the sub-command that `words` begin with, and how many of them it takes.
fn sub_command<'a>(program: &str, words: &[&str]) -> Option<(&'a str, usize)> {
    let mut best: Option<(&str, usize)> = None;
    for group in groups(program) {
        let first = group.split('|').next().unwrap_or_default();
        for name in group.split('|') {
            let parts = name.split(' ').count();
            let is = words.len() >= parts && name.split(' ').eq(words.iter().take(parts).copied());
            if is && best.is_none_or(|(_, longest)| parts > longest) {
                best = Some((first, parts));
            }
        }
    }
    best.filter(|(first, parts)| {
        *parts != first.split(' ').count() || !first.split(' ').eq(words.iter().take(*parts).copied())
    })
}

/// The words that stand for the program with the first name `name`: `npm exec` for `npx`, `git push` for `git-push`.
pub(super) fn longer(name: &str) -> Option<Vec<String>> {
    let long = programs::of(name).stands_for;
    if !long.is_empty() {
        return Some(long.iter().map(|word| (*word).to_owned()).collect());
    }
    let (program, sub) = name.split_once('-')?;
    (programs::of(program).is(Fact::Hyphenated) && !sub.is_empty()).then(|| vec![program.to_owned(), sub.to_owned()])
}

/// The beginning of a pattern under first names: see [`readings`].
pub(super) fn of_pattern(words: &[&str]) -> Option<(Vec<String>, usize)> {
    let long = longer(&canonical(words.first()?));
    let is_longer = long.is_some();
    let mut first = long.unwrap_or_else(|| words.iter().take(1).map(|word| (*word).to_owned()).collect());
    first.extend(words.iter().skip(1).map(|word| (*word).to_owned()));
    let program = canonical(first.first()?);
    let behind: Vec<&str> = first.iter().skip(1).map(String::as_str).collect();
    let renamed = sub_command(&program, &behind);
    if let Some((name, parts)) = renamed {
        let mut all: Vec<String> = first.iter().take(1).cloned().collect();
        all.extend(name.split(' ').map(str::to_owned));
        all.extend(first.iter().skip(1 + parts).cloned());
        return Some((all, words.len()));
    }
    is_longer.then_some((first, words.len()))
}

/// The same command under first names, in every way in which it may be read: `docker container rm` as `docker rm`,
/// `npm x` as `npm exec`, `git-push` as `git push`, `cargo +nightly publish` as `cargo publish`.
pub(super) fn readings(words: &[Word]) -> Vec<Vec<Word>> {
    let Some(program) = words.first().filter(|word| word.kind != WordKind::Varies) else { return Vec::new() };
    let exact = |text: &str| Word { text: text.to_owned(), kind: WordKind::Exact };
    let mut found = Vec::new();
    let mut words: Cow<'_, [Word]> = Cow::Borrowed(words);
    if let Some(first) = longer(&canonical(&program.text)) {
        let all: Vec<Word> = first.iter().map(|text| exact(text)).chain(words.iter().skip(1).cloned()).collect();
        found.push(all.clone());
        words = Cow::Owned(all);
    }
    let name = words.first().map(|word| canonical(&word.text)).unwrap_or_default();
    if let Some(rest) = without_release(&name, &words) {
        found.push(rest.clone());
        words = Cow::Owned(rest);
    }
    found.extend(by_option(&name, &words));
    found.extend(by_alias(&name, &words));
    found.extend(synonyms::by_signal(&name, &words));
    found.extend(synonyms::by_mode(&name, &words));
    if let Some(other) = synonyms::by_option(&name, &words) {
        found.push(other.clone());
        words = Cow::Owned(other);
    }
    if groups(&name).next().is_none() {
        return found;
    }
    for start in places(&name, &words) {
        // Options may stand between the words of a sub-command.
        let plain: Vec<usize> = (start..words.len())
            .filter(|index| words.get(*index).is_some_and(|word| !word.text.starts_with('-')))
            .take(3)
            .collect();
        let texts: Vec<&str> =
            plain.iter().filter_map(|index| words.get(*index)).map(|word| word.text.as_str()).collect();
        // `docker container $x`: it may be any.
        let varies = |at: usize| {
            plain.get(at).and_then(|index| words.get(*index)).is_some_and(|word| word.kind == WordKind::Varies)
        };
        if varies(1) && texts.first().is_some_and(|first| has_second(&name, first)) {
            let behind = plain.get(1).map_or(words.len(), |index| index + 1);
            let mut all: Vec<Word> = words.iter().take(start).cloned().collect();
            all.push(Word::unknown());
            all.extend(words.iter().skip(behind).cloned());
            found.push(all);
        }
        let Some((first, parts)) = sub_command(&name, &texts) else { continue };
        let taken: Vec<usize> = plain.into_iter().take(parts).collect();
        let mut all: Vec<Word> = words.iter().take(start).cloned().collect();
        all.extend(first.split(' ').map(exact));
        let rest = words.iter().enumerate().skip(start).filter(|(index, _)| !taken.contains(index));
        all.extend(rest.map(|(_, word)| word.clone()));
        found.push(all);
    }
    found
}

/// A sub-command of git or gh that is not known, and so may be an alias of any other (git-config(1), `alias.*`,
/// `help.autoCorrect`; `gh alias`).
fn by_alias(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    let others = programs::of(name).aliases?;
    let place = *places(name, words).first()?;
    let sub = words.get(place).filter(|word| word.kind == WordKind::Exact)?.text.as_str();
    let known = inner_commands::is_sub_command(name, sub) || listed(others, sub);
    (!known).then(|| replaced(words, place))
}

/// Variables that hold options of a program, or aliases (git-config(1), "Environment"; Terraform, "Environment Variables").
const HOLD_WORDS: &[&str] =
    &["GIT_CONFIG", "CARGO_ALIAS_", "TF_CLI_ARGS", "npm_config_", "NPM_CONFIG_", "DOCKER_OPTS", "HELM_OPTS"];

/// `words` with a word of which nothing is known behind the program, where `assignments` may add one.
pub(super) fn with_added(assignments: &[String], words: &[Word]) -> Option<Vec<Word>> {
    let adds = |assignment: &String| HOLD_WORDS.iter().any(|start| assignment.starts_with(start));
    assignments.iter().any(adds).then(|| replaced(words, 1))
}

/// `words` with one of which nothing is known in the place of that at `place`.
fn replaced(words: &[Word], place: usize) -> Vec<Word> {
    let behind = words.iter().skip(place + 1).cloned();
    words.iter().take(place).cloned().chain([Word::unknown()]).chain(behind).collect()
}

/// A sub-command that an option makes another one: `terraform apply -destroy` (Terraform documentation, "destroy").
fn by_option(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    if programs::called_like(name) != "terraform" {
        return None;
    }
    let is_option = |word: &Word| matches!(word.text.trim_start_matches('-').split('=').next(), Some("destroy"));
    let sub = words.iter().position(|word| word.text == "apply")?;
    let option = words.iter().position(|word| word.text.starts_with('-') && is_option(word))?;
    let renamed = |(index, word): (usize, &Word)| match index {
        index if index == sub => Some(Word { text: "destroy".to_owned(), kind: WordKind::Exact }),
        index if index == option => None,
        _ => Some(word.clone()),
    };
    Some(words.iter().enumerate().filter_map(renamed).collect())
}

/// Where a sub-command may stand: the first word that is surely no value of an option, and those in front of it.
fn places(name: &str, words: &[Word]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut index = 1;
    let mut behind_option = false;
    while let Some(word) = words.get(index).filter(|_| places.len() < MAX_PLACES) {
        let text = word.text.as_str();
        if text.starts_with('-') && text.len() > 1 {
            let takes = takes_next(name, text);
            behind_option = !takes && !text.contains('=');
            index += if takes { 2 } else { 1 };
            continue;
        }
        places.push(index);
        if !behind_option {
            break;
        }
        behind_option = false;
        index += 1;
    }
    places
}

/// Words in front of a sub-command that say which release of the program is meant: `cargo +nightly`, `gcloud beta`
/// (The rustup book, "Overrides"; gcloud reference).
fn without_release(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    let takes_toolchain = programs::of(name).is(Fact::TakesToolchain);
    if !takes_toolchain && name != "gcloud" {
        return None;
    }
    let is_release = |index: &usize| {
        let text = words.get(*index).map_or("", |word| word.text.as_str());
        match name {
            _ if takes_toolchain => *index == 1 && text.starts_with('+'),
            "gcloud" => matches!(text, "alpha" | "beta" | "preview"),
            _ => false,
        }
    };
    let index = places(name, words).into_iter().find(is_release)?;
    Some(words.iter().take(index).chain(words.iter().skip(index + 1)).cloned().collect())
}
