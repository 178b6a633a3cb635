//! What a free word says in any program: a pipe, a file of more words, and an option that is taken back.

use super::super::command_line::{Word, WordKind};
use super::spelled::Spelled;
use crate::programs;
use crate::programs::effect::Effect;
use crate::programs::fact::Fact;

/// Values that switch an option off, or back on.
const SWITCHES: &[&str] = &["false", "no", "off", "null", "undefined", "true"];

/// Why a word that the pattern did not spell out is not covered, whatever the program is. `only_reads`: it reads
/// the files that it is given, and opens nothing else.
///
/// Sources: perlfunc(1) "open" and soxi(1), ImageMagick (`|command` instead of a file); gcc(1), ld(1), readelf(1),
/// javac(1), `rustc --help`, pytest and mypy documentation (`@file` holds more arguments).
pub(super) fn refusal(name: &str, only_reads: bool, words: &[Word], spelled: &[Spelled]) -> Option<String> {
    let free = || words.iter().zip(spelled).skip(1).filter(|(_, spelled)| **spelled != Spelled::Out);
    let is_text = programs::of(name).is(Fact::TakesText);
    let pipes = |word: &&Word| word.text.trim_start().starts_with('|') || word.text.trim_end().ends_with('|');
    if !only_reads
        && !is_text
        && let Some((word, _)) = free().find(|(word, _)| pipes(word))
    {
        return Some(Effect::Runs.sentence(&word.text));
    }
    if takes_lists(name, only_reads)
        && let Some((word, _)) = free().find(|(word, _)| word.text.starts_with('@'))
    {
        return Some(Effect::Loads.sentence(&word.text));
    }
    if only_reads { None } else { taken_back(words, spelled) }
}

/// Whether `name` may read more arguments from the file of a word `@file`; `only_reads`: as in [`refusal`]. readelf(1),
/// strings(1) and the rest of binutils do.
pub(super) fn takes_lists(name: &str, only_reads: bool) -> bool {
    let program = programs::of(name);
    if only_reads {
        program.is(Fact::ReadsLists)
    } else {
        !program.is(Fact::TakesText) && !program.is(Fact::NamesWithAt)
    }
}

/// `tsc --noEmit *` means without output: `--noEmit false`, `--noEmit=false`, `--no-noEmit`, and the same option once
/// more take that back. So does another value than the one that the pattern spells out.
fn taken_back(words: &[Word], spelled: &[Spelled]) -> Option<String> {
    let pairs = || words.iter().zip(spelled).skip(1);
    let options: Vec<&str> = pairs()
        .filter(|(_, spelled)| **spelled == Spelled::Out)
        .filter_map(|(word, _)| long_name(&word.text))
        .collect();
    if options.is_empty() {
        return None;
    }
    let opposite = |name: &str, option: &str| {
        [("", ""), ("no-", ""), ("", "no-"), ("no", ""), ("", "no")].into_iter().any(|(one, other)| {
            name.strip_prefix(one)
                .zip(option.strip_prefix(other))
                .is_some_and(|(name, option)| !name.is_empty() && name.eq_ignore_ascii_case(option))
        })
    };
    let says = |text: &str| long_name(text).is_some_and(|name| options.iter().any(|option| opposite(name, option)));
    let mut rest = words.iter().zip(spelled).skip(1).peekable();
    let mut behind_option = false;
    while let Some((word, matched)) = rest.next() {
        let free = *matched != Spelled::Out;
        let text = word.text.as_str();
        // The same once more, without a value, changes nothing.
        let same = |word: &Word| !word.text.contains('=') && long_name(&word.text) == long_name(text);
        let again = words.iter().zip(spelled).any(|(word, spelled)| *spelled == Spelled::Out && same(word))
            && !text.contains('=')
            && rest.peek().is_none_or(|(next, _)| next.kind == WordKind::Exact && next.text.starts_with('-'));
        let switches = free && behind_option && word.kind == WordKind::Exact && SWITCHES.contains(&text);
        if switches || (free && says(text) && !again) {
            return Some(format!(
                "`{}` changes what the pattern spells out",
                text.chars().take(60).collect::<String>()
            ));
        }
        behind_option = says(text);
    }
    None
}

/// `noEmit` of `--noEmit=false`; letters are none.
fn long_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-')).filter(|name| name.len() > 1)?;
    Some(name.split('=').next().unwrap_or(name))
}
