//! The three levels of risk.

/// What a call can do. Undeclared means [`RiskLevel::Write`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RiskLevel {
    /// Looks, changes nothing.
    ReadOnly,
    /// Changes something, and is not known to do so for good. Whether it can be undone is another question.
    #[default]
    Write,
    /// Removes, overwrites or publishes something for good.
    Destructive,
}

impl RiskLevel {
    /// The level that a word of another product means: `low`, `medium`, `requires_approval`, … in any
    /// case, with `-` or blanks for `_`. `None`: an unknown word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word.trim().to_ascii_lowercase().replace(['-', ' '], "_").as_str() {
            "read_only" | "readonly" | "low" | "safe" => Some(Self::ReadOnly),
            "write" | "medium" | "requires_approval" | "requiresapproval" => Some(Self::Write),
            "destructive" | "high" | "forbidden" => Some(Self::Destructive),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_products_have_a_level() {
        let words = |words: &[&str]| words.iter().map(|word| RiskLevel::from_word(word)).collect::<Vec<_>>();
        assert_eq!(words(&["low", "ReadOnly", "read-only", "safe"]), [Some(RiskLevel::ReadOnly); 4]);
        assert_eq!(words(&["medium", "requires_approval", " write "]), [Some(RiskLevel::Write); 3]);
        assert_eq!(words(&["HIGH", "destructive", "forbidden"]), [Some(RiskLevel::Destructive); 3]);
        assert_eq!(RiskLevel::from_word("harmless"), None);
    }
}
