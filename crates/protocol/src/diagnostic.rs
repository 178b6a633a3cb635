//! What is wrong with a policy file.

use std::ops::Range;

use handraise_policy::rules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire_enum::wire_enum;

wire_enum! {
    /// How bad it is.
    #[serde(rename_all = "snake_case")]
    pub enum Severity = rules::Severity {
        /// The file works; its author should look.
        Warning,
        /// The file is refused whole; the rules in force stay in force.
        Error,
    }
}

/// One thing about a policy file that its author should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name for programs, as `policy::unknown_key`.
    pub code: String,
    /// What is wrong. Lower case, no period.
    pub message: String,
    /// The place in the text, in bytes.
    pub span: TextSpan,
    /// The line of its beginning, from 1.
    pub line: usize,
    /// The column of its beginning, in characters, from 1.
    pub column: usize,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The number of the rule in its table, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<usize>,
}

impl From<rules::Diagnostic> for Diagnostic {
    fn from(diagnostic: rules::Diagnostic) -> Self {
        let rules::Diagnostic { severity, code, message, span, line, column, help, rule } = diagnostic;
        Self { severity: severity.into(), code, message, span: span.into(), line, column, help, rule }
    }
}

/// A place in a text, in bytes. The wire form of a range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TextSpan {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl From<Range<usize>> for TextSpan {
    fn from(Range { start, end }: Range<usize>) -> Self {
        Self { start, end }
    }
}
