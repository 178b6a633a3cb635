//! A table of texts, of which one pass over a text says which may stand in it.

use aho_corasick::AhoCorasick;

/// Finds the entries of a table that stand in a text, however many there are (Aho and Corasick, "Efficient string
/// matching", 1975).
#[derive(Clone, Debug, Default)]
pub struct Literals {
    count: usize,
    /// `None`: it could not be built, so that every entry may be there.
    automaton: Option<AhoCorasick>,
}

impl Literals {
    /// The table of `entries`. An empty one stands in every text.
    pub fn new<Entry: AsRef<[u8]>>(entries: impl IntoIterator<Item = Entry>) -> Self {
        let entries: Vec<Entry> = entries.into_iter().collect();
        Self { count: entries.len(), automaton: AhoCorasick::new(&entries).ok() }
    }

    /// The positions in the table of the entries that stand in `text`, each once, in the order of the table.
    #[must_use]
    pub fn in_text(&self, text: &str) -> Vec<usize> {
        let Some(found) = self.automaton.as_ref().and_then(|all| all.try_find_overlapping_iter(text).ok()) else {
            return (0..self.count).collect();
        };
        let mut found: Vec<usize> = found.map(|found| found.pattern().as_usize()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Literals;

    #[test]
    fn entries_are_found_in_each_other_and_across_each_other() {
        let literals = Literals::new(["settings.json", "set", "", "json.b", "other"]);
        assert_eq!(literals.in_text("x/settings.json.bak"), [0, 1, 2, 3]);
        assert_eq!(literals.in_text(""), [2]);
    }
}
