//! Whether a rule that denies or asks means a command: in doubt it may.
//!
//! It means a command whatever stands between the words of the pattern that changes nothing about
//! them: global options in front of a sub-command, options in another order, in one cluster, under
//! their other name, wrappers, folders and case of the program's name.

use super::super::command_line::{CommandLine, Part, Word, WordKind};
use super::super::{lenient, vetoes};
use super::CommandPattern;
use super::options::{Wanted, takes_next};
use super::token::Token;

/// Words of one command that are looked at. Of a longer one the rest is not known.
const LONGEST: usize = 1024;
/// Words behind a program in a text that was not understood.
const LONGEST_IN_TEXT: usize = 32;

/// Whether a rule that denies or asks means a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// It does not.
    No,
    /// Nobody here can tell: a person has to be asked.
    Perhaps,
    /// It does.
    Yes,
}

/// A pattern taken apart into what has to be there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wide {
    program: Token,
    /// Sub-commands and operands, in order.
    operands: Vec<Token>,
    /// Options, in any order.
    options: Vec<Wanted>,
    /// Any further words.
    rest: bool,
}

impl Wide {
    pub(super) fn read(tokens: &[Token], rest: bool) -> Option<Self> {
        let (program, words) = tokens.split_first()?;
        let mut wide = Self { program: program.clone(), operands: Vec::new(), options: Vec::new(), rest };
        for token in words {
            match Wanted::read(token) {
                Some(option) => wide.options.push(option),
                None => wide.operands.push(token.clone()),
            }
        }
        Some(wide)
    }

    pub(super) fn options(&self) -> &[Wanted] {
        &self.options
    }

    /// The literal word that has to be among those of any command that this means.
    pub(super) fn sub_command(&self) -> Option<&str> {
        self.operands.first().and_then(Token::literal)
    }

    /// Whether `words` begin with the command.
    fn command(&self, words: &[Word], longest: usize) -> Touch {
        let Some((first, behind)) = words.split_first() else { return Touch::No };
        let by_program = program(&self.program, first);
        // `{rm,-rf,x}`: what varies may be the whole command.
        if by_program == Touch::No || first.kind == WordKind::Varies {
            return by_program;
        }
        let cut = behind.len() > longest;
        let behind = behind.get(..longest).unwrap_or(behind);
        let name = base_name(&first.text).to_ascii_lowercase();
        let by_operands = self.operands(&name, behind, cut);
        if by_operands == Touch::No {
            return Touch::No;
        }
        let sub_command = self.operands.first().and_then(Token::literal);
        let mut touch = by_program.min(by_operands);
        for option in &self.options {
            let found = option.found_in(&name, sub_command, behind);
            touch = touch.min(if cut { found.max(Touch::Perhaps) } else { found });
        }
        let more = !self.rest && self.has_other_options(behind);
        if more { touch.min(Touch::Perhaps) } else { touch }
    }

    /// A pattern without a `*` at its end means the options that it names and no others, surely.
    fn has_other_options(&self, words: &[Word]) -> bool {
        words.iter().filter(|word| word.text.starts_with('-') && word.text.len() > 1).count() > self.options.len()
    }

    /// Walks over the words that are no options; for each number of operands of the pattern that may
    /// have been found so far, how sure that is.
    fn operands(&self, name: &str, words: &[Word], cut: bool) -> Touch {
        let mut reached = vec![Touch::No; self.operands.len() + 1];
        if let Some(none) = reached.first_mut() {
            *none = Touch::Yes;
        }
        let skips = Skips { any: vetoes::only_writes(name), last: self.operands.len() };
        let (mut options, mut doubtful, mut value) = (true, false, Value::No);
        for word in words {
            let text = word.text.as_str();
            let exact = word.kind != WordKind::Varies;
            if options && exact && text == "--" {
                // Behind an option it may be that option's value.
                options = value != Value::No;
                doubtful |= options;
                value = Value::No;
            } else if options && text.starts_with('-') && (text.len() > 1 || !exact) {
                let glued = text.split_once('=').map(|(_, value)| value);
                value = match glued {
                    Some(_) => Value::No,
                    None if takes_next(name, text) => Value::Surely,
                    None => Value::Perhaps,
                };
                // The pattern may have the value of `--namespace prod` as a word.
                let glued = glued.or_else(|| text.get(2..).filter(|rest| !text.starts_with("--") && !rest.is_empty()));
                if doubtful {
                    self.step(&mut reached, word, Value::Perhaps, &skips);
                }
                if let Some(glued) = glued.filter(|_| exact && !self.options.is_empty()) {
                    let glued = Word { text: glued.to_owned(), kind: WordKind::Exact };
                    self.step(&mut reached, &glued, Value::Perhaps, &skips);
                }
            } else {
                self.step(&mut reached, word, std::mem::replace(&mut value, Value::No), &skips);
            }
            if reached.iter().all(|touch| *touch == Touch::No) {
                return Touch::No;
            }
        }
        let all = reached.last().copied().unwrap_or(Touch::No);
        if cut { all.max(Touch::Perhaps) } else { all }
    }

    fn step(&self, reached: &mut [Touch], word: &Word, value: Value, skips: &Skips) {
        let before = reached.to_vec();
        let mut best = Touch::No;
        for (count, now) in reached.iter_mut().enumerate() {
            let here = before.get(count).copied().unwrap_or(Touch::No);
            let token = count.checked_sub(1).and_then(|index| self.operands.get(index));
            let from = count.checked_sub(1).and_then(|index| before.get(index)).copied().unwrap_or(Touch::No);
            let taken = token.map_or(Touch::No, |token| operand(token, word)).min(from);
            // Every pattern's option may have a value, which the pattern then has as a word.
            let taken = match value {
                Value::Surely if self.options.is_empty() => Touch::No,
                _ => taken,
            };
            let next = self.operands.get(count);
            let stays = match value {
                Value::Surely => here,
                Value::Perhaps if next.is_some() => here.min(Touch::Perhaps),
                _ if next.is_none() && (self.rest || value != Value::No) => here,
                _ => here.min(skips.over(count, next)),
            };
            // A word that varies may be any number of words.
            best = best.max(here);
            let many = word.kind == WordKind::Varies && word.fixed_start().is_empty() && value != Value::Surely;
            *now = taken.max(stays).max(if many { best.min(Touch::Perhaps) } else { Touch::No });
        }
    }
}

/// Whether a word that is no option may be the value of the option in front of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    No,
    Perhaps,
    Surely,
}

/// Which operands may stand in front of the one that the pattern names.
struct Skips {
    /// Any: the program does the same with each of them.
    any: bool,
    last: usize,
}

impl Skips {
    fn over(&self, count: usize, next: Option<&Token>) -> Touch {
        match next {
            None => Touch::No,
            Some(token) if token.is_path() || self.any => Touch::Yes,
            // The first is a sub-command.
            Some(_) if count == 0 || count >= self.last => Touch::No,
            Some(_) => Touch::Perhaps,
        }
    }
}

fn operand(token: &Token, word: &Word) -> Touch {
    match (token.is_star() || token.may_match(word, false), word.kind) {
        (false, _) => Touch::No,
        (true, WordKind::Varies) if !token.is_star() => Touch::Perhaps,
        (true, _) => Touch::Yes,
    }
}

/// Whether `word` is the program of a pattern: in any folder, and in capitals, which some file systems
/// do not tell apart.
fn program(token: &Token, word: &Word) -> Touch {
    if word.kind == WordKind::Varies {
        return if token.is_star() || token.may_match(word, true) { Touch::Perhaps } else { Touch::No };
    }
    let same =
        |literal: &str| literal.eq_ignore_ascii_case(&word.text) || literal.eq_ignore_ascii_case(base_name(&word.text));
    let matches = match token.literal() {
        Some(literal) => same(literal),
        None => token.is_star() || token.may_match(word, true),
    };
    if matches { Touch::Yes } else { Touch::No }
}

fn base_name(text: &str) -> &str {
    text.rsplit_once('/').map_or(text, |(_, base)| base)
}

/// Whether the pattern means `part`, with or without its wrappers.
pub(super) fn part(pattern: &CommandPattern, part: &Part) -> Touch {
    let mut best = if runs_its_input(&part.words) { Touch::Perhaps } else { Touch::No };
    for words in layers(part) {
        best = best.max(words_touch(pattern, words));
        if best == Touch::Yes {
            break;
        }
    }
    best
}

/// The words of a command with each of its wrappers, and without any.
pub(in crate::shell) fn layers(part: &Part) -> impl Iterator<Item = &[Word]> {
    part.layers.iter().map(|layer| layer.words.as_slice()).chain([part.words.as_slice()])
}

fn words_touch(pattern: &CommandPattern, words: &[Word]) -> Touch {
    let mut best = pattern.wide.command(words, LONGEST);
    let Some(first) = words.first().filter(|_| best != Touch::Yes) else { return best };
    if names_others(&first.text) {
        let named = |word: &Word| {
            let text = word.text.rsplit('=').next().unwrap_or_default();
            lenient::flat_words(text).iter().any(|word| program(&pattern.wide.program, word) != Touch::No)
        };
        return if words.iter().skip(1).any(named) { best.max(Touch::Perhaps) } else { best };
    }
    if !vetoes::runs_operands(&first.text) {
        return best;
    }
    if runs_varying(words) && words.iter().skip(1).any(|word| word.kind == WordKind::Varies) {
        let varies = words.iter().enumerate().skip(1).filter(|(_, word)| word.kind == WordKind::Varies);
        let may_start =
            |(index, _)| words.get(index..).map_or(Touch::No, |words| pattern.wide.command(words, LONGEST_IN_TEXT));
        best = best.max(varies.map(may_start).max().unwrap_or(Touch::No));
    }
    // `eval 'rm x'`, `ssh host 'rm x'`: one word is a whole command line.
    best = best.max(flat(pattern, pattern.rest, words));
    let lines = words.iter().filter(|word| word.text.contains([' ', '\t', '\n', ';']));
    lines.fold(best, |best, word| match best {
        Touch::Yes => best,
        _ => best.max(flat(pattern, true, &lenient::flat_words(&word.text))),
    })
}

/// Whether the words of the pattern stand one after the other anywhere in `words`; perhaps, where
/// there is something between them.
fn flat(pattern: &CommandPattern, rest: bool, words: &[Word]) -> Touch {
    let has_option = words.iter().any(|word| word.text.starts_with('-') || word.kind == WordKind::Varies)
        || pattern.wide.options.is_empty();
    let mut best = Touch::No;
    for (start, word) in words.iter().enumerate() {
        if word.kind == WordKind::Varies || program(&pattern.wide.program, word) == Touch::No {
            continue;
        }
        let from = words.get(start..).unwrap_or_default();
        if in_a_row(&pattern.tokens, rest, from) {
            return Touch::Yes;
        }
        if has_option && best == Touch::No {
            best = pattern.wide.command(from, LONGEST_IN_TEXT).min(Touch::Perhaps);
        }
    }
    best
}

/// Word by word, as it is written.
fn in_a_row(tokens: &[Token], rest: bool, words: &[Word]) -> bool {
    let enough = if rest { words.len() >= tokens.len() } else { words.len() == tokens.len() };
    let same = |(index, (token, word)): (usize, (&Token, &Word))| {
        index == 0 || token.is_star() || (word.kind != WordKind::Varies && token.may_match(word, false))
    };
    enough && tokens.iter().zip(words).enumerate().all(same)
}

/// Whether the pattern means a command line that was not understood, going by every command that
/// could be found in it and by its text.
pub(super) fn line(pattern: &CommandPattern, line: &CommandLine) -> Touch {
    let mut best = flat(pattern, true, &line.flat);
    for found in &line.parts {
        if best == Touch::Yes {
            break;
        }
        best = best.max(part(pattern, found));
    }
    best
}

/// Builtins that give a program another name.
fn names_others(name: &str) -> bool {
    matches!(name, "alias" | "hash")
}

/// Whether `words` run what they read: a shell without a script, which reads its standard input.
pub(in crate::shell) fn runs_its_input(words: &[Word]) -> bool {
    const SHELLS: &[&str] =
        &["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash", "pwsh", "powershell"];
    const READERS: &[&str] = &["at", "batch", "crontab", "su"];
    let Some((first, operands)) = words.split_first() else { return false };
    let name = base_name(&first.text);
    let is_input = |word: &Word| {
        word.kind == WordKind::Varies
            || matches!(word.text.as_str(), "-" | "/dev/stdin")
            || word.text.starts_with("/dev/fd/")
            || word.text.starts_with("/proc/self/fd/")
    };
    if matches!(name, "." | "source") {
        return operands.first().is_some_and(is_input);
    }
    if READERS.contains(&name) {
        return true;
    }
    let tells = |word: &Word| matches!(word.text.as_str(), "--version" | "--help");
    let script = operands.iter().find(|word| !word.text.starts_with(['-', '+']) || word.text == "-");
    let reads = |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('s');
    SHELLS.contains(&name)
        && !operands.iter().any(tells)
        && (script.is_none_or(is_input) || operands.iter().take_while(|word| word.text.starts_with('-')).any(reads))
}

/// Whether an operand that varies may be the program that `words` run.
pub(in crate::shell) fn runs_varying(words: &[Word]) -> bool {
    const FIXED: &[&str] = &["git", "npm", "find", "fd", "fdfind", "make"];
    const RUNS: &[&str] = &["run", "foreach", "exec", "-x", "--exec", "-c", "-exec", "-execdir", "filter-branch"];
    let Some(first) = words.first() else { return false };
    vetoes::runs_operands(&first.text)
        && (!FIXED.contains(&base_name(&first.text)) || words.iter().any(|word| RUNS.contains(&word.text.as_str())))
}
