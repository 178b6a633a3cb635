//! Options under all of their names, for rules that deny or ask.

use super::super::command_line::{Word, WordKind};
use super::rule_match::RuleMatch;
use super::token::Token;
use crate::programs;

/// Letters of the longest word that is surely a cluster of options; a longer one may be a letter with
/// its value, or one long name behind one dash.
const MAX_CLUSTER: usize = 6;

/// An option of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    token: Token,
    /// `--name` without its value.
    long: Option<String>,
    /// The value behind its `=`.
    value: Option<String>,
    /// The letters of `-rf`.
    letters: Vec<char>,
}

impl Wanted {
    /// `token`, if it is an option.
    pub(super) fn read(token: &Token) -> Option<Self> {
        let text = token.text();
        if !text.starts_with('-') || text.len() < 2 || text == "--" {
            return None;
        }
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value.to_owned())));
        // Go's programs and Java's have long names behind one dash, too: `-auto-approve`.
        let one_dash = name.strip_prefix('-').filter(|rest| rest.chars().count() > 3);
        let long = name.strip_prefix("--").or(one_dash).map(str::to_owned);
        let letters = name.strip_prefix('-').filter(|rest| long.is_none() && rest.chars().count() <= 3);
        let letters = letters.unwrap_or_default().chars().filter(|letter| letter.is_ascii_alphanumeric()).collect();
        Some(Self { token: token.clone(), long, value, letters })
    }

    /// The letters of `-rf`.
    pub(super) fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.letters.iter().copied()
    }

    /// It has a value of its own, or a wildcard: only what is written so is surely found.
    pub(super) fn is_narrow(&self) -> bool {
        self.value.is_some() || self.token.literal().is_none()
    }

    /// Whether `words`, those behind the program, give this option under any of its names.
    pub(super) fn found_in(&self, program: &str, sub_command: Option<&str>, words: &[Word]) -> RuleMatch {
        let mut best = RuleMatch::No;
        let mut by_letter = vec![RuleMatch::No; self.letters.len()];
        // Behind an option `--` may be that option's value: `git push -o -- --force`.
        let is_option =
            |word: &Word| word.kind == WordKind::Varies || (word.text.starts_with('-') && word.text.len() > 1);
        let (mut most, mut ended) = (RuleMatch::Yes, false);
        for (index, word) in words.iter().enumerate() {
            if word.kind == WordKind::Varies && word.may_be_option() && !ended {
                best = RuleMatch::Perhaps;
                continue;
            }
            let text = word.text.as_str();
            if text == "--" && !ended {
                let behind_option = index.checked_sub(1).and_then(|before| words.get(before)).is_some_and(is_option);
                most = if behind_option { RuleMatch::Perhaps } else { most };
                ended = !behind_option;
                continue;
            }
            if self.is_said_by_operand(program, sub_command, text) {
                return RuleMatch::Yes;
            }
            // `-c remote.origin.push=+refs/heads/*:refs/heads/*`.
            if let Some((_, value)) = text.split_once('=')
                && self.is_said_by_operand(program, sub_command, value)
            {
                best = best.max(RuleMatch::Perhaps);
            }
            if ended || !text.starts_with('-') || text.len() < 2 {
                continue;
            }
            if self.token.may_match(word, false) {
                return most;
            }
            if let Some(long) = &self.long {
                best = best.max(self.long_in(long, program, sub_command, text, words.get(index + 1)));
            }
            for (letter, best) in self.letters.iter().zip(&mut by_letter) {
                *best = (*best).max(letter_in(*letter, program, sub_command, text).min(most));
            }
            best = best.min(most);
            if best == RuleMatch::Yes {
                return best;
            }
        }
        // `git branch --delete --force` is `git branch -D`: each of several names somewhere.
        for (letter, best) in self.letters.iter().zip(&mut by_letter).filter(|(_, best)| **best == RuleMatch::Perhaps) {
            let options = || words.iter().filter(|word| word.text.starts_with('-')).map(|word| word.text.as_str());
            let given = |long: &str| {
                options().any(|text| self.long_in(long, program, sub_command, text, None) == RuleMatch::Yes)
            };
            if longs(*letter, program, sub_command).count() > 1 && longs(*letter, program, sub_command).all(given) {
                *best = most;
            }
        }
        best.max(by_letter.into_iter().min().unwrap_or(RuleMatch::No))
    }

    fn is_said_by_operand(&self, program: &str, sub_command: Option<&str>, text: &str) -> bool {
        if programs::of(program).operands_as_options.is_empty() {
            return false;
        }
        let says = |name: &str| {
            let listed = |(sub, long, sign): &(&str, &str, char)| {
                Some(*sub) == sub_command && *long == name && text.starts_with(*sign)
            };
            text.len() > 1 && programs::of(program).operands_as_options.iter().any(listed)
        };
        let by_letter =
            |letter: &char| same(program, sub_command).any(|(listed, long)| listed == *letter && says(long));
        self.long.as_deref().is_some_and(says) || self.letters.len() == 1 && self.letters.iter().any(by_letter)
    }

    /// `--long` of the pattern in one option of the command.
    fn long_in(&self, long: &str, program: &str, sub: Option<&str>, text: &str, next: Option<&Word>) -> RuleMatch {
        let one_dash = text.strip_prefix('-').filter(|given| given.split('=').next() == Some(long));
        if let Some(given) = text.strip_prefix("--").or(one_dash) {
            let (name, value) = given.split_once('=').map_or((given, None), |(name, value)| (name, Some(value)));
            // getopt_long(3) and most of its likes take the beginning of a name.
            if name.is_empty() || !long.starts_with(name) {
                return RuleMatch::No;
            }
            let Some(wanted) = &self.value else { return RuleMatch::Yes };
            let given = value.or(next.map(|word| word.text.as_str()));
            return if given == Some(wanted) { RuleMatch::Yes } else { RuleMatch::No };
        }
        let letters = cluster(text);
        let mut known = false;
        for (letter, name) in same(program, sub).filter(|(_, name)| *name == long) {
            known = true;
            if letters.contains(letter) && !name.is_empty() {
                return if self.value.is_some() { RuleMatch::Perhaps } else { sureness(letters) };
            }
        }
        let first = long.chars().next().unwrap_or('-');
        let is_other = |letter: char| same(program, sub).any(|(listed, _)| listed == letter);
        let guess = !known && letters.chars().any(|letter| letter.eq_ignore_ascii_case(&first) && !is_other(letter));
        if guess && letters.len() <= MAX_CLUSTER { RuleMatch::Perhaps } else { RuleMatch::No }
    }
}

/// One letter of the pattern in one option of the command.
fn letter_in(letter: char, program: &str, sub_command: Option<&str>, text: &str) -> RuleMatch {
    if let Some(given) = text.strip_prefix("--") {
        let name = given.split('=').next().unwrap_or_default();
        let longs: Vec<&str> = longs(letter, program, sub_command).collect();
        let known = !longs.is_empty();
        if !name.is_empty() && longs.iter().any(|long| long.starts_with(name)) {
            // `-D` is `--delete --force`.
            return if longs.len() == 1 { RuleMatch::Yes } else { RuleMatch::Perhaps };
        }
        let guess = !known && name.starts_with(|first: char| first.eq_ignore_ascii_case(&letter));
        return if guess { RuleMatch::Perhaps } else { RuleMatch::No };
    }
    let letters = cluster(text);
    if letters.contains(letter) {
        return sureness(letters);
    }
    // `rm -R` is `rm -r`; `git branch -d` is a part of `-D`, and an `-f` may stand elsewhere.
    let given: Vec<&str> =
        letters.chars().take(MAX_CLUSTER).flat_map(|other| longs(other, program, sub_command)).collect();
    let wanted: Vec<&str> = longs(letter, program, sub_command).collect();
    match wanted.iter().filter(|long| given.contains(long)).count() {
        0 => RuleMatch::No,
        all if all == wanted.len() => sureness(letters),
        _ => RuleMatch::Perhaps,
    }
}

/// What `letter` is short for.
fn longs<'a>(letter: char, program: &'a str, sub: Option<&'a str>) -> impl Iterator<Item = &'static str> + 'a {
    same(program, sub).filter(move |(listed, _)| *listed == letter).map(|(_, long)| long)
}

/// `rf` of `-rf`.
fn cluster(text: &str) -> &str {
    text.strip_prefix('-').and_then(|rest| rest.split('=').next()).unwrap_or_default()
}

fn sureness(letters: &str) -> RuleMatch {
    let plain = letters.len() <= MAX_CLUSTER && letters.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if plain { RuleMatch::Yes } else { RuleMatch::Perhaps }
}

/// The letters and names that are the same for `program`, and for its sub-command where it has its own.
fn same(program: &str, sub_command: Option<&str>) -> impl Iterator<Item = (char, &'static str)> {
    let counts = move |(subs, _): &&(&str, &str)| {
        subs.is_empty() || sub_command.is_some_and(|sub| subs.split(' ').any(|listed| listed == sub))
    };
    programs::of(program).same_options.iter().filter(counts).flat_map(|(_, pairs)| {
        pairs.split_ascii_whitespace().filter_map(|pair| {
            let (letter, name) = pair.split_once('=')?;
            Some((letter.chars().next()?, name))
        })
    })
}
