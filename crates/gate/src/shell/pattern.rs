//! The command pattern of a rule: matched word by word against one simple command.

use super::{CommandLine, Part};

/// A pattern such as `git status *`.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandPattern {
    text: String,
}

/// A command pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCommandPattern {
    /// Nothing to match.
    #[error("the command pattern is empty; write the program and its operands, as `git status *`")]
    Empty,
}

/// Something about a pattern that its author should know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternWarning {
    /// `git status*`.
    #[error("there is no blank before the `*`; write `{0}`")]
    NoBlankBeforeStar(String),
}

impl CommandPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it can never match or cannot be read as one simple command.
    pub fn parse(text: &str) -> Result<Self, InvalidCommandPattern> {
        if text.trim().is_empty() { Err(InvalidCommandPattern::Empty) } else { Ok(Self { text: text.to_owned() }) }
    }

    /// The pattern as it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// For an index of rules: the program without which the pattern matches nothing; `None` when it
    /// can match several.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        None
    }

    /// Whether an allow rule with this pattern covers `part`: every word, no redirection that
    /// writes a file, no assignment, no option that executes or writes without being spelled out.
    #[must_use]
    pub fn covers(&self, _part: &Part) -> bool {
        false
    }

    /// Whether a deny or ask rule with this pattern applies to `part`: in doubt it does.
    #[must_use]
    pub fn touches(&self, _part: &Part) -> bool {
        true
    }

    /// Whether a deny rule with this pattern applies to a command line that was not understood:
    /// to any part that was found, or to its text with quotes and escapes removed.
    #[must_use]
    pub fn touches_text(&self, _line: &CommandLine) -> bool {
        true
    }

    /// What is too broad or misleading about an allow rule with this pattern.
    #[must_use]
    pub fn warnings(&self) -> Vec<PatternWarning> {
        Vec::new()
    }
}
