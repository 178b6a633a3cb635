//! Globs on names and texts.

use wildmatch::WildMatch;

use handraise_display::has_hidden;

/// Longest pattern, in bytes. Matching costs at most pattern length times text length.
pub(in crate::rules) const MAX_PATTERN: usize = 1024;

/// A glob: `*` any text, `?` one character, case counts. For names and texts, not for paths.
#[derive(Clone, Debug)]
pub(in crate::rules) struct Glob {
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
    #[error("the pattern is longer than {MAX_PATTERN} bytes")]
    TooLong,
    /// A bracket or brace, which other globs give a meaning.
    #[error(
        "`{0}` has no meaning in a glob on names; `*` is any text and `?` one character, and each name has its own rule"
    )]
    Bracket(char),
    /// A character that is in no name, because nobody can see it.
    #[error("it contains control or invisible characters, which no name has; write the name anew")]
    Hidden,
}

impl Glob {
    pub(in crate::rules) fn new(text: &str) -> Result<Self, InvalidPattern> {
        if text.is_empty() {
            return Err(InvalidPattern::Empty);
        }
        if text.len() > MAX_PATTERN {
            return Err(InvalidPattern::TooLong);
        }
        Ok(Self { text: text.to_owned(), glob: WildMatch::new(text) })
    }

    /// A glob on names, as of tools and servers. What looks like a set of characters or of names would
    /// be taken for itself, and the rule would never match: it is refused.
    pub(in crate::rules) fn of_names(text: &str) -> Result<Self, InvalidPattern> {
        if let Some(bracket) = text.chars().find(|character| matches!(character, '[' | ']' | '{' | '}')) {
            return Err(InvalidPattern::Bracket(bracket));
        }
        if has_hidden(text) || text.contains(['\n', '\t']) {
            return Err(InvalidPattern::Hidden);
        }
        Self::new(text)
    }

    /// The glob as it is written.
    pub(in crate::rules) fn text(&self) -> &str {
        &self.text
    }

    pub(in crate::rules) fn matches(&self, text: &str) -> bool {
        self.glob.matches(text)
    }

    /// It matches its own text and nothing else.
    pub(in crate::rules) fn is_exact(&self) -> bool {
        !self.text.contains(['*', '?'])
    }

    /// The text that everything it matches begins with.
    pub(in crate::rules) fn prefix(&self) -> &str {
        self.text.split(['*', '?']).next().unwrap_or("")
    }
}

impl PartialEq for Glob {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
