//! Globs on names and texts.

use wildmatch::WildMatch;

/// Longest pattern, in bytes. Matching costs at most pattern length times text length.
pub(in crate::policy) const LONGEST_PATTERN: usize = 1024;

/// A glob: `*` any text, `?` one character, case counts. For names and texts, not for paths.
#[derive(Clone, Debug)]
pub(in crate::policy) struct Glob {
    text: String,
    glob: WildMatch,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPattern {
    /// Nothing to match.
    #[error("the pattern is empty")]
    Empty,
    /// Longer than any sensible pattern.
    #[error("the pattern is longer than {LONGEST_PATTERN} bytes")]
    TooLong,
}

impl Glob {
    pub(in crate::policy) fn new(text: &str) -> Result<Self, InvalidPattern> {
        if text.is_empty() {
            return Err(InvalidPattern::Empty);
        }
        if text.len() > LONGEST_PATTERN {
            return Err(InvalidPattern::TooLong);
        }
        Ok(Self { text: text.to_owned(), glob: WildMatch::new(text) })
    }

    /// The glob as it is written.
    pub(in crate::policy) fn text(&self) -> &str {
        &self.text
    }

    pub(in crate::policy) fn matches(&self, text: &str) -> bool {
        self.glob.matches(text)
    }

    /// It matches its own text and nothing else.
    pub(in crate::policy) fn is_exact(&self) -> bool {
        !self.text.contains(['*', '?'])
    }

    /// The text that everything it matches begins with.
    pub(in crate::policy) fn prefix(&self) -> &str {
        self.text.split(['*', '?']).next().unwrap_or("")
    }
}

impl PartialEq for Glob {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
