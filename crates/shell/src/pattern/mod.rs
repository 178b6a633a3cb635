//! The command pattern of a rule: matched word by word against one simple command.

mod cover;
mod lint;
mod may_run;
mod options;
mod possible;
mod rule_match;
mod spelled_out;
mod spellings;
mod synonyms;
mod token;
mod touch;

use super::command_line::{Part, Shell};
use super::obstacle::Obstacle;
use super::{characters, lexer};
pub use lint::PatternWarning;
pub use may_run::{MayRun, Wording};
pub use rule_match::RuleMatch;
use token::Token;
use touch::Wide;

/// A pattern such as `git status *`.
///
/// It is read like a command line: quotes and escapes work as in bash. `*` within a word matches
/// any text that has no `/`; `**` also crosses `/`, but never `..`; `?` is one character; a `*` that
/// is a word is one word, or at the end any number of words. Quoted or escaped they are literal.
/// `git status*` means `git status *`.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandPattern {
    text: String,
    tokens: Vec<Token>,
    /// A final `*`: any further words.
    rest: bool,
    /// The final `*` was glued to its word.
    glued: bool,
    /// What has to be there for a rule that denies or asks.
    wide: Wide,
}

/// A command pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCommandPattern {
    /// Nothing to match.
    #[error("the command pattern is empty; write the program and its operands, as `git status *`")]
    Empty,
    /// More than one simple command.
    #[error(
        "a command pattern is one simple command, and `{0}` can be in none; write one rule for each command, or quote it"
    )]
    Operator(String),
    /// It cannot be read.
    #[error("the command pattern can never match: {0}; put what is meant literally in single quotes")]
    NotUnderstood(Obstacle),
    /// An assignment in front.
    #[error("a command pattern starts with the program; `{0}` is an assignment, which no rule can allow")]
    Assignment(String),
}

impl CommandPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it can never match or cannot be read as one simple command.
    pub fn parse(text: &str) -> Result<Self, InvalidCommandPattern> {
        if let Some(character) = characters::refused(text) {
            return Err(InvalidCommandPattern::NotUnderstood(Obstacle::Character(u32::from(character))));
        }
        let tokens = lexer::tokens(text.trim(), Shell::Bash).map_err(InvalidCommandPattern::NotUnderstood)?;
        if tokens.text != text.trim() || tokens.expanding > 0 {
            let inserts = text.contains("$(");
            let obstacle = if inserts { Obstacle::CommandSubstitution } else { Obstacle::Variable };
            return Err(InvalidCommandPattern::NotUnderstood(obstacle));
        }
        let words = tokens.tokens;
        if let Some(operator) = words.iter().find(|word| word.operator) {
            return Err(InvalidCommandPattern::Operator(operator.text.replace('\n', "a line break")));
        }
        let first = words.first().ok_or(InvalidCommandPattern::Empty)?;
        if first.text.split_once('=').is_some_and(|(name, _)| super::characters::is_variable_name(name)) {
            return Err(InvalidCommandPattern::Assignment(first.text.clone()));
        }
        let mut tokens: Vec<Token> = words.iter().map(|word| Token::read(&word.text)).collect();
        let mut rest = false;
        let mut glued = false;
        match tokens.pop() {
            Some(last) if last.is_star() && !tokens.is_empty() => rest = true,
            Some(last) => match last.without_star() {
                Some(word) => {
                    tokens.push(word);
                    rest = true;
                    glued = true;
                }
                None => tokens.push(last),
            },
            None => {}
        }
        let wide = Wide::read(&tokens, rest).ok_or(InvalidCommandPattern::Empty)?;
        Ok(Self { text: text.to_owned(), tokens, rest, glued, wide })
    }

    /// The pattern as it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// For an index of rules: the program without which the pattern matches nothing; `None` when it
    /// can match several. Look it up with each of [`Part::programs`], not only [`Part::program`]: a
    /// rule that denies `rm` is meant for `/bin/rm` and `sudo rm` too.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        self.tokens.first().and_then(Token::literal)
    }

    /// For an index of the rules that deny or ask: the program under its first name, in small letters; `None` when
    /// the pattern can mean several.
    pub fn first_program(&self) -> Option<String> {
        self.wide.first_program()
    }

    /// For the same index: the word that has to be among those of the command for a rule that denies
    /// or asks; `None` when it may be any.
    pub fn sub_command(&self) -> Option<&str> {
        self.wide.sub_command()
    }

    /// Whether an allow rule with this pattern covers `part`: every word, no redirection that
    /// writes a file, no assignment, no option that executes or writes without being spelled out.
    #[must_use]
    pub fn covers(&self, part: &Part) -> bool {
        matches!(self.judge(part), cover::Cover::Yes)
    }

    /// Why an allow rule with this pattern does not cover `part` although the words match: one
    /// sentence. `None` when it covers it, and when the words do not match.
    #[must_use]
    pub fn refusal(&self, part: &Part) -> Option<String> {
        match self.judge(part) {
            cover::Cover::Refused(sentence) => Some(sentence),
            cover::Cover::Yes | cover::Cover::No => None,
        }
    }

    /// Whether a deny or ask rule with this pattern means one of the commands that `may_run`: also behind global options,
    /// with its options in another order or under another name, in wrappers and in words that run.
    #[must_use]
    pub fn touch(&self, may_run: &MayRun<'_>) -> RuleMatch {
        self.wide.touch(may_run)
    }

    /// Whether it may mean one of them.
    #[must_use]
    pub fn touches(&self, may_run: &MayRun<'_>) -> bool {
        self.touch(may_run) != RuleMatch::No
    }

    /// What is too broad or misleading about an allow rule with this pattern.
    #[must_use]
    pub fn warnings(&self) -> Vec<PatternWarning> {
        lint::warnings(&self.text, &self.tokens, self.rest, self.glued)
    }

    /// What a deny or ask rule with this pattern misses although its author may mean it.
    #[must_use]
    pub fn warnings_of_tightening(&self) -> Vec<PatternWarning> {
        lint::warnings_of_tightening(&self.tokens, self.rest, self.wide.options())
    }
}

#[cfg(test)]
mod tests;
