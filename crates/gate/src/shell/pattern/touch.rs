//! Whether a rule that denies or asks means a command: in doubt it does.

use super::super::command_line::{Part, Word, WordKind};
use super::super::{lenient, vetoes};
use super::token::Token;

/// Whether the pattern means `part`, with or without its wrappers.
pub(super) fn part(tokens: &[Token], rest: bool, part: &Part) -> bool {
    let layers = part.layers.iter().map(|layer| layer.words.as_slice());
    layers.chain([part.words.as_slice()]).any(|words| {
        if !words.first().is_some_and(|word| vetoes::runs_operands(&word.text)) {
            return matches(tokens, rest, words);
        }
        // `eval 'rm x'`, `ssh host 'rm x'`: one word is a whole command line.
        let line = |word: &Word| {
            word.text.contains([' ', '\t', '\n', ';']) && flat(tokens, true, &lenient::flat_words(&word.text))
        };
        flat(tokens, rest, words) || words.iter().any(line)
    })
}

/// Whether the words of the pattern stand one after the other anywhere in `words`.
pub(super) fn flat(tokens: &[Token], rest: bool, words: &[Word]) -> bool {
    (0..words.len()).any(|start| words.get(start..).is_some_and(|words| matches(tokens, rest, words)))
}

/// A word that varies may become any number of words, so it takes any number of tokens. Keeps the
/// set of numbers of tokens that may be matched so far, word by word.
fn matches(tokens: &[Token], rest: bool, words: &[Word]) -> bool {
    let (Some(program), Some(first)) = (words.first(), tokens.first()) else { return false };
    if !first.is_star() && !first.may_match(program, true) {
        return false;
    }
    // The second word decides nearly always, without any allocation.
    if let (Some(word), Some(second)) = (words.get(1), tokens.get(1))
        && word.kind != WordKind::Varies
        && !second.is_star()
        && !second.may_match(word, false)
    {
        return false;
    }
    let mut reached = vec![false; tokens.len() + 1];
    if let Some(none) = reached.first_mut() {
        *none = true;
    }
    for (index, word) in words.iter().enumerate() {
        let done = reached.last().copied().unwrap_or_default();
        if done && rest {
            return true;
        }
        let mut next = vec![false; reached.len()];
        let varies = word.kind == WordKind::Varies && index > 0;
        for (count, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
            let matched = tokens.get(count).is_some_and(|token| token.is_star() || token.may_match(word, index == 0));
            if matched && let Some(slot) = next.get_mut(count + 1) {
                *slot = true;
            }
            // Nothing at all, or more than one token.
            let empty = varies && word.fixed_start().is_empty();
            if empty {
                next.iter_mut().skip(count).for_each(|slot| *slot = true);
            }
        }
        if next.iter().all(|reached| !reached) {
            return false;
        }
        reached = next;
    }
    reached.last().copied().unwrap_or_default()
}
