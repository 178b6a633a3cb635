//! What is wrong with a policy file, where, and what to do.

use std::fmt;
use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file works; its author should look.
    Warning,
    /// The file is refused whole; the rules in force stay in force.
    Error,
}

/// One thing about a policy file that its author should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name for programs, as `policy::unknown_key`.
    pub code: String,
    /// What is wrong. Lower case, no period.
    pub message: String,
    /// The place in the text, in bytes.
    pub span: Range<usize>,
    /// The line of its beginning, from 1.
    pub line: usize,
    /// The column of its beginning, in characters, from 1.
    pub column: usize,
    /// What to do.
    pub help: Option<String>,
    /// The number of the rule in its table, from 1.
    pub rule: Option<usize>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}: {}", self.line, self.column, self.message)?;
        match &self.help {
            Some(help) => write!(formatter, "; {help}"),
            None => Ok(()),
        }
    }
}
