//! What is known of the variables that a line sets.

use std::collections::BTreeMap;

/// What is known of the value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// It is this text.
    Text(String),
    /// It is this text where it stands alone in a word: the name of a new file, or nothing where none could be made.
    Whole(String),
    /// It is the name of a file that this pattern finds, or the pattern itself.
    Pattern(String),
    /// It is a decimal number, with a sign or without.
    Number,
    /// It is one revision of git or several, none of which begins with a `-`.
    Revision,
}

/// What is known of variables, by their names.
pub(super) type Values = BTreeMap<String, Value>;

impl Value {
    /// Whether a shell that calculates with it gets a number, and nothing to calculate again.
    pub(super) fn is_number(&self) -> bool {
        match self {
            Self::Number => true,
            Self::Text(text) => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
            }
            Self::Whole(_) | Self::Pattern(_) | Self::Revision => false,
        }
    }

    /// What is known where it is the one or the other; `None`: nothing is.
    fn or(&self, other: &Self) -> Option<Self> {
        if self == other {
            return Some(self.clone());
        }
        (self.is_number() && other.is_number()).then_some(Self::Number)
    }
}

/// Keeps of `values` what holds in `others` as well.
pub(super) fn join(values: &mut Values, others: &Values) {
    values.retain(|name, value| match others.get(name).and_then(|other| value.or(other)) {
        Some(both) => {
            *value = both;
            true
        }
        None => false,
    });
}
