//! `[[ … ]]`.
//!
//! Source: bash manual, "Conditional Constructs", "Bash Conditional Expressions". Its words are neither split nor taken
//! for names of files. To dash it is a program called `[[`, so that it is filed as one.

use brush_parser::ast::{
    BinaryPredicate, ExtendedTestExpr, ExtendedTestExprCommand, UnaryPredicate, Word as GrammarWord,
};

use super::Lowering;
use super::place::ShellState;
use crate::command_line::{Part, Word, WordKind};
use crate::obstacle::Obstacle;
use crate::word;

impl Lowering<'_> {
    /// Follows `[[ … ]]`.
    pub(super) fn conditional(&mut self, test: &ExtendedTestExprCommand, place: &ShellState) -> Result<(), Obstacle> {
        let mut words = vec![literal("[[")];
        self.test(&test.expr, place, &mut words)?;
        words.push(literal("]]"));
        let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let part = Part { words, text, ..Part::default() };
        place.folders.each(&part, self.walked.tells_folders_apart).try_for_each(|part| self.file(part))
    }

    fn test(&mut self, test: &ExtendedTestExpr, place: &ShellState, words: &mut Vec<Word>) -> Result<(), Obstacle> {
        // bash ends the test at the first `]]` that is not quoted, wherever it stands, and then refuses the line.
        if operands(test).into_iter().flatten().any(|operand| operand.value == "]]") {
            return Err(Obstacle::Compound("[["));
        }
        match test {
            ExtendedTestExpr::And(first, second) => self.both(first, "&&", second, place, words),
            ExtendedTestExpr::Or(first, second) => self.both(first, "||", second, place, words),
            ExtendedTestExpr::Not(inner) => {
                words.push(literal("!"));
                self.test(inner, place, words)
            }
            ExtendedTestExpr::Parenthesized(inner) => {
                words.push(literal("("));
                self.test(inner, place, words)?;
                words.push(literal(")"));
                Ok(())
            }
            ExtendedTestExpr::UnaryTest(predicate, operand) => {
                // These look into a variable and calculate its subscript.
                let looks = matches!(
                    predicate,
                    UnaryPredicate::ShellVariableIsSetAndAssigned | UnaryPredicate::ShellVariableIsSetAndNameRef
                );
                if looks || matches!(predicate, UnaryPredicate::FdIsOpenTerminal) && !is_number(operand, place) {
                    return Err(Obstacle::Arithmetic);
                }
                words.push(literal(&predicate.to_string()));
                words.push(self.word(&operand.value, place)?);
                Ok(())
            }
            ExtendedTestExpr::BinaryTest(predicate, first, second) => {
                let calculates = matches!(
                    predicate,
                    BinaryPredicate::ArithmeticEqualTo
                        | BinaryPredicate::ArithmeticNotEqualTo
                        | BinaryPredicate::ArithmeticLessThan
                        | BinaryPredicate::ArithmeticLessThanOrEqualTo
                        | BinaryPredicate::ArithmeticGreaterThan
                        | BinaryPredicate::ArithmeticGreaterThanOrEqualTo
                );
                // bash takes `-x` in front of another word for an operator, and `!` for its own.
                if first.value.starts_with('-') || first.value == "!" {
                    return Err(Obstacle::Compound("[["));
                }
                if calculates && !(is_number(first, place) && is_number(second, place)) {
                    return Err(Obstacle::Arithmetic);
                }
                words.push(self.word(&first.value, place)?);
                words.push(literal(&predicate.to_string()));
                words.push(self.word(&second.value, place)?);
                Ok(())
            }
        }
    }

    fn both(
        &mut self,
        first: &ExtendedTestExpr,
        operator: &str,
        second: &ExtendedTestExpr,
        place: &ShellState,
        words: &mut Vec<Word>,
    ) -> Result<(), Obstacle> {
        self.test(first, place, words)?;
        words.push(literal(operator));
        self.test(second, place, words)
    }
}

/// The words that `test` looks at itself.
fn operands(test: &ExtendedTestExpr) -> [Option<&GrammarWord>; 2] {
    match test {
        ExtendedTestExpr::UnaryTest(_, operand) => [Some(operand), None],
        ExtendedTestExpr::BinaryTest(_, first, second) => [Some(first), Some(second)],
        ExtendedTestExpr::And(..)
        | ExtendedTestExpr::Or(..)
        | ExtendedTestExpr::Not(_)
        | ExtendedTestExpr::Parenthesized(_) => [None, None],
    }
}

/// Whether a shell that calculates with `word` gets a number, and nothing to calculate again.
fn is_number(word: &GrammarWord, place: &ShellState) -> bool {
    let digits = word.value.strip_prefix('-').unwrap_or(&word.value);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        || word::is_number(&word.value, &place.values)
}

fn literal(text: &str) -> Word {
    Word { text: text.to_owned(), kind: WordKind::Exact }
}
