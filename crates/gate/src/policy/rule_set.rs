//! The rules of one table, in order.

use std::sync::Arc;

use super::Rule;

/// The rules of one table in the order of the file; the last match wins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSet {
    rules: Vec<Arc<Rule>>,
}

impl RuleSet {
    /// The rules, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Arc<Rule>> {
        self.rules.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

impl FromIterator<Rule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        Self { rules: rules.into_iter().map(Arc::new).collect() }
    }
}

impl<'a> IntoIterator for &'a RuleSet {
    type Item = &'a Arc<Rule>;
    type IntoIter = std::slice::Iter<'a, Arc<Rule>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
