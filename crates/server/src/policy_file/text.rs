//! One text of a policy file.

use std::fmt;

use handraise_policy::Policy;
use handraise_policy::rules::{self, Diagnostic, Severity};
use sha2::{Digest, Sha256};

/// A text that was read whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PolicyText {
    pub(crate) text: String,
    /// SHA-256 of the text, in lower-case hexadecimal.
    pub(crate) etag: String,
    pub(crate) policy: Policy,
    /// What its author should look at.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// A text that cannot be used, and why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RefusedText {
    pub(crate) text: String,
    pub(crate) etag: String,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl PolicyText {
    /// Reads a text, whole or not at all.
    pub(crate) fn read(text: String) -> Result<Self, RefusedText> {
        let etag = etag(&text);
        match rules::parse(&text) {
            Ok(loaded) => Ok(Self { text, etag, policy: loaded.policy, warnings: loaded.warnings }),
            Err(diagnostics) => Err(RefusedText { text, etag, diagnostics }),
        }
    }
}

impl RefusedText {
    /// A file that could not even be read.
    pub(crate) fn unreadable(message: String) -> Self {
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            code: "rules::unreadable".to_owned(),
            message,
            span: 0..0,
            line: 1,
            column: 1,
            help: Some("put the file right, or take the confirmed policy back".to_owned()),
            rule: None,
        };
        Self { text: String::new(), etag: etag(""), diagnostics: vec![diagnostic] }
    }
}

impl fmt::Display for RefusedText {
    /// Each thing that is wrong on a line of its own.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            if index > 0 {
                writeln!(formatter)?;
            }
            write!(formatter, "{diagnostic}")?;
        }
        Ok(())
    }
}

/// What identifies a text: its SHA-256, in lower-case hexadecimal.
pub(crate) fn etag(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}
