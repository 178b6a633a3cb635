//! Whether an allow rule's pattern covers a command.

use super::super::command_line::{Part, Word, WordKind};
use super::super::operand_effects::{self, Spelled};
use super::CommandPattern;
use super::token::Token;

/// What a pattern says about a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cover {
    /// It covers it.
    Yes,
    /// The words match, but.
    Refused(String),
    /// The words do not match.
    No,
}

impl CommandPattern {
    pub(super) fn judge(&self, part: &Part) -> Cover {
        // `git -C sub log` is `cd sub && git log` to a pattern that does not spell the folder out.
        if self.tokens.get(1).and_then(Token::literal) != Some("-C")
            && let Some(settled) = part.settled()
            && !settled.is_elsewhere()
        {
            return self.judge(&settled);
        }
        let mut refusal = Cover::No;
        for level in 0..=part.layers.len() {
            match self.judge_level(&self.tokens, part, level) {
                Cover::Yes => {
                    return match self.beside_words(part) {
                        Some(sentence) => Cover::Refused(sentence),
                        None => Cover::Yes,
                    };
                }
                Cover::Refused(sentence) => refusal = Cover::Refused(sentence),
                Cover::No => {}
            }
            // A rule for the command alone is enough only behind wrappers that change nothing.
            if part.layers.get(level).is_some_and(|layer| !layer.transparent) {
                break;
            }
        }
        refusal
    }

    /// What a pattern never covers, whatever the words are.
    fn beside_words(&self, part: &Part) -> Option<String> {
        if let Some(assignment) = part.assignments.first() {
            let name = assignment.split('=').next().unwrap_or_default();
            return Some(format!("it sets `{name}`, which no command pattern allows"));
        }
        if let Some(word) = part.writes.first() {
            return Some(format!("it writes `{}`, which a file rule has to allow", word.text));
        }
        if let Some(word) = part.reads.first().filter(|_| !self.rest) {
            return Some(format!("it reads `{}`, and the pattern names every operand", word.text));
        }
        if part.is_elsewhere() && operand_effects::runs_what_it_finds(&part.words) {
            let program = part.program().unwrap_or_default();
            return Some(format!("it goes to another folder first, whose files `{program}` runs or is set up by"));
        }
        let moved = part.folder_unknown || !part.folders.is_empty();
        let relative =
            |token: &&Token| token.is_path() && token.literal().is_none_or(|text| !text.starts_with(['/', '~']));
        (moved && self.tokens.iter().find(relative).is_some()).then(|| {
            "it goes to another folder first, where the pattern's relative path means something else".to_owned()
        })
    }

    /// Matches `tokens` with the words of one layer, and what the layer runs with what is left.
    fn judge_level(&self, tokens: &[Token], part: &Part, level: usize) -> Cover {
        let Some(layer) = part.layers.get(level) else {
            return self.judge_words(tokens, &part.words);
        };
        let own = layer.words.len().min(layer.taken.unwrap_or(layer.words.len()));
        let (Some(words), Some((wrapper, rest))) = (layer.words.get(..own), tokens.split_at_checked(own)) else {
            return Cover::No;
        };
        if !wrapper.iter().zip(words).all(|(token, word)| token.spells(word)) {
            let matches = wrapper.iter().zip(words).all(|(token, word)| token.matches(word));
            return if matches { refused_wrapper(layer.words.first()) } else { Cover::No };
        }
        match layer.taken {
            // All of it is spelled out, so what it runs is as well.
            None if rest.is_empty() && !self.rest => Cover::Yes,
            None => Cover::No,
            Some(_) if rest.is_empty() => refused_wrapper(layer.words.first()),
            Some(_) => self.judge_level(rest, part, level + 1),
        }
    }

    /// `git --no-pager log` is `git log` to a pattern that does not spell the option out.
    fn judge_words(&self, tokens: &[Token], words: &[Word]) -> Cover {
        if let [program, option, rest @ ..] = words
            && program.text == "git"
            && operand_effects::is_harmless_global(&option.text)
            && tokens.get(1).is_some_and(|token| !token.spells(option))
        {
            let words: Vec<Word> = std::iter::once(program).chain(rest).cloned().collect();
            return self.judge_words(tokens, &words);
        }
        // What `xargs` adds to a command that is written out only gets read.
        let added = words.last().is_some_and(|last| *last == Word::unknown());
        let reads = words.first().is_some_and(|program| operand_effects::only_reads(&program.text));
        let words = match words.split_last() {
            Some((_, written)) if added && reads && !self.rest => written,
            _ => words,
        };
        let enough = if self.rest { words.len() >= tokens.len() } else { words.len() == tokens.len() };
        let Some(program) = words.first().filter(|_| enough && !tokens.is_empty()) else { return Cover::No };
        let mut spelled = Vec::with_capacity(words.len());
        for (index, word) in words.iter().enumerate() {
            spelled.push(match tokens.get(index) {
                None => Spelled::Not,
                Some(token) if token.spells(word) => Spelled::Out,
                Some(token) if index == 0 => {
                    if !program_matches(token, word, tokens) {
                        return Cover::No;
                    }
                    Spelled::Out
                }
                Some(token) if token.is_star() => {
                    if word.kind == WordKind::Varies || word.text.starts_with('-') {
                        return Cover::No;
                    }
                    Spelled::Not
                }
                Some(token) if token.matches(word) => {
                    if token.is_path() {
                        Spelled::Path
                    } else if token.is_url() {
                        Spelled::Address
                    } else {
                        Spelled::Not
                    }
                }
                Some(_) => return Cover::No,
            });
        }
        // `* --version` must not reach programs that run or write what they are given.
        if tokens.first().is_some_and(Token::is_star) && operand_effects::is_broad(&program.text, &[]) {
            return Cover::Refused(format!("`{}` has to be spelled out", program.text));
        }
        operand_effects::refusal(words, &spelled).map_or(Cover::Yes, Cover::Refused)
    }
}

/// A bare name matches only the same bare name. A wildcard stands in a path (`./scripts/*`), or is
/// alone in front of words that are all spelled out (`* --version`).
fn program_matches(token: &Token, word: &Word, tokens: &[Token]) -> bool {
    if word.kind == WordKind::Varies {
        return false;
    }
    if token.is_star() {
        return !word.text.contains('/')
            && tokens.len() > 1
            && tokens.iter().skip(1).all(|token| token.literal().is_some());
    }
    token.is_path() && token.matches(word)
}

fn refused_wrapper(wrapper: Option<&Word>) -> Cover {
    let name = wrapper.map(|word| word.text.as_str()).unwrap_or_default();
    Cover::Refused(format!("`{name}` runs another program, so a pattern has to name that program too"))
}
