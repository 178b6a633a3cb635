//! Whether a rule that denies or asks means a command: in doubt it may.
//!
//! It means a command whatever stands between the words of the pattern that changes nothing about
//! them: global options in front of a sub-command, options in another order, in one cluster, under
//! their other name, wrappers, folders and case of the program's name.

use super::super::command_line::{Word, WordKind};
use super::super::operand_effects;
use super::may_run::{MayRun, PossibleCommand, shell_decides};
use super::options::Wanted;
use super::possible::{self, Possible};
use super::rule_match::RuleMatch;
use super::spellings;
use super::synonyms;
use super::token::Token;
use crate::programs::name::{base_name, canonical};
use crate::programs::takes_next;

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

    /// Whether the pattern means one of the commands that `may_run`.
    pub(super) fn touch(&self, may_run: &MayRun<'_>) -> RuleMatch {
        let least = if may_run.runs_its_input() { RuleMatch::Perhaps } else { RuleMatch::No };
        match self.program.literal() {
            Some(literal) => {
                let literal = literal.to_ascii_lowercase();
                let name = self.name.as_deref().filter(|name| *name != literal);
                self.strongest(least, may_run.called([Some(&literal), name]))
            }
            None => self.strongest(least, may_run.all()),
        }
    }

    fn strongest<'m>(&self, least: RuleMatch, commands: impl Iterator<Item = PossibleCommand<'m>>) -> RuleMatch {
        let mut best = least;
        // The same program stands at many places, one behind the other.
        let mut told = None;
        for command in commands {
            if best == RuleMatch::Yes {
                break;
            }
            if best >= command.most {
                continue;
            }
            let program = (command.program, command.unknown);
            let may_start = match told {
                Some((of, may_start)) if of == program => may_start,
                _ => self.may_start(command),
            };
            told = Some((program, may_start));
            if may_start {
                best = best.max(self.possible(command).min(command.most));
            }
        }
        best
    }

    /// Whether `command`, whose program may be the pattern's, is that under any of its names.
    fn possible(&self, command: PossibleCommand<'_>) -> RuleMatch {
        let as_written = self.command(command.words, command.name, command.longest);
        command.readings().iter().fold(as_written, |best, words| match (best, words.first()) {
            (RuleMatch::Yes, _) | (_, None) => best,
            (_, Some(first)) => best.max(self.command(words, &canonical(&first.text), command.longest)),
        })
    }

    /// Whether `words` begin with the command; `name` is the first name of their program.
    fn command(&self, words: &[Word], name: &str, longest: usize) -> RuleMatch {
        let Some((first, behind)) = words.split_first() else { return RuleMatch::No };
        let by_program = self.program(first, name);
        // `{rm,-rf,x}`: what varies may be the whole command.
        if by_program == RuleMatch::No || first.kind == WordKind::Varies {
            return by_program;
        }
        let cut = behind.len() > longest;
        let behind = behind.get(..longest).unwrap_or(behind);
        let by_operands = self.operands(name, behind, cut);
        if by_operands == RuleMatch::No {
            return RuleMatch::No;
        }
        let sub_command = self.operands.first().and_then(Token::literal);
        let mut touch = by_program.min(by_operands);
        for option in &self.options {
            let found = option.found_in(name, sub_command, behind);
            touch = touch.min(if cut { found.max(RuleMatch::Perhaps) } else { found });
        }
        if self.dashes && !behind.iter().any(|word| word.text == "--") {
            let may = cut || behind.iter().any(|word| word.kind == WordKind::Varies);
            touch = touch.min(if may { RuleMatch::Perhaps } else { RuleMatch::No });
        }
        let more = !self.rest && self.has_other_options(behind);
        if more { touch.min(RuleMatch::Perhaps) } else { touch }
    }

    /// A pattern without a `*` at its end means the options that it names and no others, surely.
    fn has_other_options(&self, words: &[Word]) -> bool {
        let options = words.iter().take_while(|word| !self.dashes || word.text != "--");
        options.filter(|word| word.text.starts_with('-') && word.text.len() > 1).count() > self.options.len()
    }

    /// Whether `word`, a program with the first name `name`, is the pattern's: in any folder, under any of its names, and
    /// in capitals, which some file systems do not tell apart.
    fn program(&self, word: &Word, name: &str) -> RuleMatch {
        let Some(literal) = self.program.literal() else {
            let may = self.program.is_star() || self.program.may_match(word, true);
            return match word.kind {
                _ if !may => RuleMatch::No,
                WordKind::Varies => RuleMatch::Perhaps,
                _ => RuleMatch::Yes,
            };
        };
        // What finds no file stays as it is written.
        if word.kind != WordKind::Varies && literal.eq_ignore_ascii_case(&word.text) {
            return RuleMatch::Yes;
        }
        if shell_decides(word) {
            let name = self.name.as_deref().filter(|name| *name != literal);
            let may = [Some(literal), name].into_iter().flatten();
            let may = may.map(|name| possible::is_named(word, name)).any(|possible| possible != Possible::No);
            return if may { RuleMatch::Perhaps } else { RuleMatch::No };
        }
        if literal.eq_ignore_ascii_case(&word.text) || literal.eq_ignore_ascii_case(base_name(&word.text)) {
            return RuleMatch::Yes;
        }
        if self.name.as_deref() != Some(name) {
            return RuleMatch::No;
        }
        // A rule for `pip3.12` may not mean `pip`.
        let wider = literal.len() > name.len() && literal.len() > base_name(&word.text).len();
        if wider && literal.ends_with(|last: char| last.is_ascii_digit()) { RuleMatch::Perhaps } else { RuleMatch::Yes }
    }

    /// Whether `command` may be of the pattern's program.
    fn may_start(&self, command: PossibleCommand<'_>) -> bool {
        let Some(first) = command.words.first() else { return false };
        // Only if some of its name is written.
        if first.kind == WordKind::Varies && !command.unknown {
            let name = self.program.literal().unwrap_or_default();
            return possible::is_named(first, name) == Possible::ByName;
        }
        let stands_for = |program: &str| {
            let word = Word { text: program.to_owned(), kind: WordKind::Exact };
            self.program(&word, &canonical(program)) != RuleMatch::No
        };
        self.program(first, command.name) != RuleMatch::No || command.stands_for.is_some_and(stands_for)
    }

    /// Walks over the words that are no options; for each number of operands of the pattern that may
    /// have been found so far, how sure that is.
    fn operands(&self, name: &str, words: &[Word], cut: bool) -> RuleMatch {
        let mut reached = vec![RuleMatch::No; self.operands.len() + 1];
        if let Some(none) = reached.first_mut() {
            *none = RuleMatch::Yes;
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
                // Behind one that may have ended the options it is an operand.
                if doubtful {
                    self.step(&mut reached, word, Value::Perhaps, &skips);
                }
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
            if reached.iter().all(|touch| *touch == RuleMatch::No) {
                return RuleMatch::No;
            }
        }
        let all = reached.last().copied().unwrap_or(RuleMatch::No);
        if cut { all.max(RuleMatch::Perhaps) } else { all }
    }

    fn step(&self, reached: &mut [RuleMatch], word: &Word, value: Value, skips: &Skips<'_>) {
        let before = reached.to_vec();
        let mut best = RuleMatch::No;
        for (count, now) in reached.iter_mut().enumerate() {
            let here = before.get(count).copied().unwrap_or(RuleMatch::No);
            let token = count.checked_sub(1).and_then(|index| self.operands.get(index));
            let from = count.checked_sub(1).and_then(|index| before.get(index)).copied().unwrap_or(RuleMatch::No);
            let taken = token.map_or(RuleMatch::No, |token| operand(skips.name, count, token, word)).min(from);
            // Every pattern's option may have a value, which the pattern then has as a word.
            let taken = match value {
                Value::Surely if self.options.is_empty() => RuleMatch::No,
                _ => taken,
            };
            let next = self.operands.get(count);
            let stays = match value {
                Value::Surely => here,
                Value::Perhaps if next.is_some() => here.min(RuleMatch::Perhaps),
                _ if next.is_none() && (self.rest || value != Value::No) => here,
                _ => here.min(skips.over(count, next)),
            };
            // A word that varies may be any number of words.
            best = best.max(here);
            let many = word.kind == WordKind::Varies && word.fixed_start().is_empty() && value != Value::Surely;
            *now = taken.max(stays).max(if many { best.min(RuleMatch::Perhaps) } else { RuleMatch::No });
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
    fn over(&self, count: usize, next: Option<&Token>) -> RuleMatch {
        match next {
            None => RuleMatch::No,
            Some(token) if token.is_path() || self.any => RuleMatch::Yes,
            // The first is a sub-command.
            Some(_) if count == 0 || count >= self.last => RuleMatch::No,
            Some(_) => RuleMatch::Perhaps,
        }
    }
}

/// Whether `word` is the operand `token` of the program called `name`, which is the `count`th of the pattern.
fn operand(name: &str, count: usize, token: &Token, word: &Word) -> RuleMatch {
    let as_written = operand_as_written(name, count, token, word);
    if as_written == RuleMatch::Yes || !word.text.contains("//") {
        return as_written;
    }
    // `of=//dev/sda`: to a file system one `/` is as good as several.
    let parts = word.text.split('/').enumerate().filter(|(index, part)| *index == 0 || !part.is_empty());
    let text = parts.map(|(_, part)| part).collect::<Vec<_>>().join("/");
    as_written.max(operand_as_written(name, count, token, &Word { text, kind: word.kind }))
}

fn operand_as_written(name: &str, count: usize, token: &Token, word: &Word) -> RuleMatch {
    match (token.is_star() || token.may_match(word, false), word.kind) {
        (false, WordKind::Exact) => match token.literal() {
            Some(literal) if spellings::may_be_short_for(name, &word.text, literal) => RuleMatch::Perhaps,
            Some(literal) if count <= MAX_VERBS && synonyms::may_mean(name, &word.text, literal) => RuleMatch::Perhaps,
            Some(literal) if spellings::is_kind(name, &word.text, literal) => RuleMatch::Yes,
            _ => RuleMatch::No,
        },
        (false, _) => RuleMatch::No,
        (true, WordKind::Varies) if !token.is_star() => RuleMatch::Perhaps,
        (true, _) => RuleMatch::Yes,
    }
}
