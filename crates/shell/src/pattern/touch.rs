//! Whether a rule that denies or asks means a command: in doubt it may.
//!
//! It means a command whatever stands between the words of the pattern that changes nothing about
//! them: global options in front of a sub-command, options in another order, in one cluster, under
//! their other name, wrappers, folders and case of the program's name.

use super::super::command_line::{CommandLine, Part, Word, WordKind};
use super::super::operand_effects;
use super::super::operand_effects::inner_commands::{self, InnerCommand};
use super::CommandPattern;
use super::degree::Touch;
use super::options::Wanted;
use super::possible::{self, Possible};
use super::spellings;
use super::synonyms;
use super::token::Token;
use crate::programs;
use crate::programs::fact::Fact;
use crate::programs::name::canonical;
use crate::programs::takes_next;

/// Words of one command that are looked at. Of a longer one the rest is not known.
const MAX_LENGTH: usize = 1024;
/// Words behind a program in a text that was not understood.
const MAX_TEXT_LENGTH: usize = 32;
/// Words of a pattern that may be sub-commands, and so have other names.
const MAX_VERBS: usize = 4;

/// A pattern taken apart into what has to be there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wide {
    program: Token,
    /// Its first name, when it is spelled out and has no folder.
    name: Option<String>,
    /// Sub-commands and operands, in order.
    operands: Vec<Token>,
    /// Options, in any order.
    options: Vec<Wanted>,
    /// Any further words.
    rest: bool,
    /// A `--`, behind which every word is an operand.
    dashes: bool,
}

impl Wide {
    pub(super) fn read(tokens: &[Token], rest: bool) -> Option<Self> {
        let leading: Vec<&str> = tokens.iter().map_while(Token::literal).collect();
        let renamed = spellings::of_pattern(&leading).filter(|_| !leading.is_empty());
        let renamed = renamed.map(|(words, taken)| {
            let first = words.iter().map(|word| Token::exact(word));
            first.chain(tokens.iter().skip(taken).cloned()).collect::<Vec<Token>>()
        });
        let tokens = renamed.as_deref().unwrap_or(tokens);
        let (program, words) = tokens.split_first()?;
        let name = program.literal().filter(|text| !text.contains('/')).map(canonical);
        let (operands, options) = (Vec::new(), Vec::new());
        let mut wide = Self { program: program.clone(), name, operands, options, rest, dashes: false };
        for token in words {
            match Wanted::read(token).filter(|_| !wide.dashes) {
                Some(option) => wide.options.push(option),
                None if token.literal() == Some("--") && !wide.dashes => wide.dashes = true,
                None => wide.operands.push(token.clone()),
            }
        }
        Some(wide)
    }

    pub(super) fn options(&self) -> &[Wanted] {
        &self.options
    }

    /// The program under its first name, in small letters, when it is spelled out.
    pub(super) fn first_program(&self) -> Option<String> {
        self.name.clone().or_else(|| self.program.literal().map(str::to_ascii_lowercase))
    }

    /// The literal word that has to be among those of any command that this means.
    pub(super) fn sub_command(&self) -> Option<&str> {
        // `npm pub`, `kubectl delete po`: another word may be the same.
        let literal = self.operands.first().and_then(Token::literal)?;
        let has_other = |name: &str| spellings::abbreviates(name) || synonyms::has_other(name, literal);
        (!self.name.as_deref().is_none_or(has_other)).then_some(literal)
    }

    /// Whether `words` begin with the command.
    fn command(&self, words: &[Word], longest: usize) -> Touch {
        let Some((first, behind)) = words.split_first() else { return Touch::No };
        let by_program = self.program(first);
        // `{rm,-rf,x}`: what varies may be the whole command.
        if by_program == Touch::No || first.kind == WordKind::Varies {
            return by_program;
        }
        let cut = behind.len() > longest;
        let behind = behind.get(..longest).unwrap_or(behind);
        let name = canonical(&first.text);
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
        if self.dashes && !behind.iter().any(|word| word.text == "--") {
            let may = cut || behind.iter().any(|word| word.kind == WordKind::Varies);
            touch = touch.min(if may { Touch::Perhaps } else { Touch::No });
        }
        let more = !self.rest && self.has_other_options(behind);
        if more { touch.min(Touch::Perhaps) } else { touch }
    }

    /// A pattern without a `*` at its end means the options that it names and no others, surely.
    fn has_other_options(&self, words: &[Word]) -> bool {
        let options = words.iter().take_while(|word| !self.dashes || word.text != "--");
        options.filter(|word| word.text.starts_with('-') && word.text.len() > 1).count() > self.options.len()
    }

    /// Whether `word` is the program: in any folder, under any of its names, and in capitals, which some file systems
    /// do not tell apart.
    fn program(&self, word: &Word) -> Touch {
        let Some(literal) = self.program.literal() else {
            let may = self.program.is_star() || self.program.may_match(word, true);
            return match word.kind {
                _ if !may => Touch::No,
                WordKind::Varies => Touch::Perhaps,
                _ => Touch::Yes,
            };
        };
        let is_glob = || word.text.contains('[') && word.text.contains(']');
        if word.kind == WordKind::Varies || is_glob() {
            let may = [Some(literal), self.name.as_deref()].into_iter().flatten();
            let may = may.map(|name| possible::is_named(word, name)).any(|possible| possible != Possible::No);
            return if may { Touch::Perhaps } else { Touch::No };
        }
        if literal.eq_ignore_ascii_case(&word.text) || literal.eq_ignore_ascii_case(base_name(&word.text)) {
            return Touch::Yes;
        }
        let Some(name) = self.name.as_deref().filter(|name| *name == canonical(&word.text)) else {
            return Touch::No;
        };
        // A rule for `pip3.12` may not mean `pip`.
        let wider = literal.len() > name.len() && literal.len() > base_name(&word.text).len();
        if wider && literal.ends_with(|last: char| last.is_ascii_digit()) { Touch::Perhaps } else { Touch::Yes }
    }

    /// Whether the command may start at `word`; where `unknown` is false, only if some of its name is written.
    fn may_start(&self, word: &Word, unknown: bool) -> bool {
        if word.kind == WordKind::Varies && !unknown {
            let name = self.program.literal().unwrap_or_default();
            return possible::is_named(word, name) == Possible::ByName;
        }
        let of_longer = || spellings::longer(&canonical(&word.text))?.into_iter().next();
        self.program(word) != Touch::No
            || of_longer().is_some_and(|text| self.program(&Word { text, kind: WordKind::Exact }) != Touch::No)
    }

    /// Whether `words` begin with the command under any of its names.
    fn named(&self, words: &[Word], longest: usize) -> Touch {
        let Some(first) = words.first() else { return Touch::No };
        if !self.may_start(first, true) {
            return Touch::No;
        }
        let cut = words.get(..words.len().min(longest + 1)).unwrap_or(words);
        let as_written = self.command(words, longest);
        spellings::readings(cut).iter().fold(as_written, |best, words| match best {
            Touch::Yes => best,
            _ => best.max(self.command(words, longest)),
        })
    }

    /// Walks over the words that are no options; for each number of operands of the pattern that may
    /// have been found so far, how sure that is.
    fn operands(&self, name: &str, words: &[Word], cut: bool) -> Touch {
        let mut reached = vec![Touch::No; self.operands.len() + 1];
        if let Some(none) = reached.first_mut() {
            *none = Touch::Yes;
        }
        let skips = Skips {
            name,
            any: operand_effects::only_writes(name) || operand_effects::runs_tasks(name),
            last: self.operands.len(),
        };
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
                // `-sXPOST`: behind a letter of the pattern's.
                let behind_letter = self.options.iter().flat_map(Wanted::letters).find_map(|letter| {
                    let rest = text.split_once(letter).map(|(_, rest)| rest)?;
                    Some(rest).filter(|rest| !text.starts_with("--") && !rest.is_empty() && Some(*rest) != glued)
                });
                for glued in glued.into_iter().chain(behind_letter).filter(|_| exact && !self.options.is_empty()) {
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

    fn step(&self, reached: &mut [Touch], word: &Word, value: Value, skips: &Skips<'_>) {
        let before = reached.to_vec();
        let mut best = Touch::No;
        for (count, now) in reached.iter_mut().enumerate() {
            let here = before.get(count).copied().unwrap_or(Touch::No);
            let token = count.checked_sub(1).and_then(|index| self.operands.get(index));
            let from = count.checked_sub(1).and_then(|index| before.get(index)).copied().unwrap_or(Touch::No);
            let taken = token.map_or(Touch::No, |token| operand(skips.name, count, token, word)).min(from);
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
struct Skips<'a> {
    /// The program.
    name: &'a str,
    /// Any: the program does the same with each of them.
    any: bool,
    last: usize,
}

impl Skips<'_> {
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

/// Whether `word` is the operand `token` of the program called `name`, which is the `count`th of the pattern.
fn operand(name: &str, count: usize, token: &Token, word: &Word) -> Touch {
    let as_written = operand_as_written(name, count, token, word);
    if as_written == Touch::Yes || !word.text.contains("//") {
        return as_written;
    }
    // `of=//dev/sda`: to a file system one `/` is as good as several.
    let parts = word.text.split('/').enumerate().filter(|(index, part)| *index == 0 || !part.is_empty());
    let text = parts.map(|(_, part)| part).collect::<Vec<_>>().join("/");
    as_written.max(operand_as_written(name, count, token, &Word { text, kind: word.kind }))
}

fn operand_as_written(name: &str, count: usize, token: &Token, word: &Word) -> Touch {
    match (token.is_star() || token.may_match(word, false), word.kind) {
        (false, WordKind::Exact) => match token.literal() {
            Some(literal) if spellings::may_be_short_for(name, &word.text, literal) => Touch::Perhaps,
            Some(literal) if count <= MAX_VERBS && synonyms::may_mean(name, &word.text, literal) => Touch::Perhaps,
            Some(literal) if spellings::is_kind(name, &word.text, literal) => Touch::Yes,
            _ => Touch::No,
        },
        (false, _) => Touch::No,
        (true, WordKind::Varies) if !token.is_star() => Touch::Perhaps,
        (true, _) => Touch::Yes,
    }
}

fn base_name(text: &str) -> &str {
    text.rsplit_once('/').map_or(text, |(_, base)| base)
}

/// Whether the pattern means `part`, with or without its wrappers.
pub(super) fn part(pattern: &CommandPattern, part: &Part) -> Touch {
    let mut best = if runs_its_input(&part.words) { Touch::Perhaps } else { Touch::No };
    for assignment in &part.assignments {
        best = inner_commands::of_assignment(assignment)
            .iter()
            .fold(best, |best, found| best.max(use_touch(pattern, found)));
    }
    if let Some(added) = spellings::with_added(&part.assignments, &part.words) {
        best = best.max(pattern.wide.named(&added, MAX_LENGTH).min(Touch::Perhaps));
    }
    best = inner_commands::of_handed(part).iter().fold(best, |best, found| best.max(use_touch(pattern, found)));
    for words in layers(part) {
        best = best.max(words_touch(pattern, words));
        if best == Touch::Yes {
            break;
        }
    }
    best
}

/// The words of a command with each of its wrappers, and without any.
pub(crate) fn layers(part: &Part) -> impl Iterator<Item = &[Word]> {
    part.layers.iter().map(|layer| layer.words.as_slice()).chain([part.words.as_slice()])
}

fn words_touch(pattern: &CommandPattern, words: &[Word]) -> Touch {
    let best = pattern.wide.named(words, MAX_LENGTH);
    if best == Touch::Yes {
        return best;
    }
    inner_commands::of(words).iter().fold(best, |best, found| best.max(use_touch(pattern, found)))
}

/// Whether the pattern means a command that starts at one of the places of `found`.
fn use_touch(pattern: &CommandPattern, found: &InnerCommand<'_>) -> Touch {
    let most = if found.surely { Touch::Yes } else { Touch::Perhaps };
    let mut best = Touch::No;
    for (start, word) in found.words.iter().take(found.starts).enumerate() {
        if best >= most || !pattern.wide.may_start(word, found.unknown) {
            continue;
        }
        let words = found.words.get(start..).unwrap_or_default();
        best = best.max(pattern.wide.named(words, MAX_TEXT_LENGTH).min(most));
    }
    best
}

/// Whether the pattern means a command line that was not understood, going by every command that
/// could be found in it and by its text.
pub(super) fn line(pattern: &CommandPattern, line: &CommandLine) -> Touch {
    let in_text = inner_commands::of_line(&line.flat);
    let mut best = in_text.iter().fold(Touch::No, |best, found| best.max(use_touch(pattern, found)));
    for found in &line.parts {
        if best == Touch::Yes {
            break;
        }
        best = best.max(part(pattern, found));
    }
    best
}

/// Whether `words` run what they read: a shell without a script, which reads its standard input.
pub(crate) fn runs_its_input(words: &[Word]) -> bool {
    let Some((first, operands)) = words.split_first() else { return false };
    let name = base_name(&first.text);
    let is_input = |word: &Word| {
        word.kind == WordKind::Varies
            || matches!(word.text.as_str(), "-" | "/dev/stdin")
            || word.text.starts_with("/dev/fd/")
            || word.text.starts_with("/proc/self/fd/")
    };
    let known = programs::of(name);
    if known.is(Fact::Sources) {
        return operands.first().is_some_and(is_input);
    }
    if known.is(Fact::RunsInput) {
        return true;
    }
    let tells = |word: &Word| matches!(word.text.as_str(), "--version" | "--help");
    let script = operands.iter().find(|word| !word.text.starts_with(['-', '+']) || word.text == "-");
    let reads = |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('s');
    known.is(Fact::RunsScripts)
        && !operands.iter().any(tells)
        && (script.is_none_or(is_input) || operands.iter().take_while(|word| word.text.starts_with('-')).any(reads))
}
