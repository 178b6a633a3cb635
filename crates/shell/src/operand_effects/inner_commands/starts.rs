//! Whether a word of a command may be a program that it starts. A name handed to one that starts none is only a word.

use super::super::super::command_line::Word;
use super::super::class;
use super::{prefix, sub_commands};
use crate::programs::class::Class;
use crate::programs::fact::Fact;
use crate::programs::{self, Program};

/// Whether the word at `at` of `words` may be a program that they start, as far as the entry of their program tells: at
/// which operand it starts others, and behind which sub-commands. Of a program that is not known, any word may be one.
pub(crate) fn may_start(words: &[Word], at: usize) -> bool {
    let Some(program) = words.first() else { return false };
    let name = prefix::listed_name(&program.text);
    let Some(known) = programs::find(&name) else { return true };
    if known.is(Fact::OnlyNames) || prints_completion(words, at) {
        return false;
    }
    if let Some(prefix) = prefix::prefix(&name, words) {
        return match prefix.start {
            None => true,
            Some(start) if start >= at => start == at,
            Some(start) => words.get(start..).is_some_and(|inner| may_start(inner, at - start)),
        };
    }
    let sub = prefix::position(&name, words, 1).and_then(|index| words.get(index));
    let is_word = |sub: &Word| sub_commands::only_data(&name, &sub.text) || sub_commands::runs_own(&name, &sub.text);
    if sub.is_some_and(is_word) {
        return false;
    }
    match class::of(&name) {
        Class::AnyText | Class::Tasks(_) => false,
        Class::Writer | Class::Options(_) if !starts_others(known) => false,
        _ if starts_others(known) && !has_places(known) => true,
        _ => is_announced(words, at),
    }
}

/// Whether `words`, of a program of which nothing tells whether it starts others, say so of the word at `at`: `foo -- sh`,
/// `foo exec sh`.
pub(crate) fn is_announced(words: &[Word], at: usize) -> bool {
    let announces = |word: &Word| matches!(word.text.as_str(), "--" | "exec" | "ssh" | "enter");
    words.get(1..at).is_some_and(|front| front.iter().any(announces))
}

/// Whether the entry of `program` says at which operands it starts others.
fn has_places(program: &Program) -> bool {
    !program.runs.is_empty() || !program.project_commands.is_empty()
}

fn starts_others(program: &Program) -> bool {
    [Fact::RunsOperands, Fact::RunsOthers, Fact::RunsElsewhere, Fact::RunsWords, Fact::RunsFetched]
        .into_iter()
        .any(|fact| program.is(fact))
}

/// `kubectl completion bash`: what a shell is to read for its completions is printed (Cobra documentation, "Shell
/// completions"; clap_complete).
fn prints_completion(words: &[Word], at: usize) -> bool {
    words.get(1..at).is_some_and(|front| front.iter().any(|word| word.text.contains("completion")))
}
