//! Which word was meant.

/// The one of `known` that `word` is a slip of the keyboard away from: a third of its letters at most.
#[must_use]
pub fn nearest<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let most = (word.chars().count() / 3).max(1);
    known.map(|known| (distance(word, known), known)).filter(|(d, _)| *d <= most).min().map(|(_, known)| known)
}

/// Letters to insert, remove or replace (Levenshtein), letter case left aside.
fn distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().take(64).map(|c| c.to_ascii_lowercase()).collect();
    let mut row: Vec<usize> = (0..=one.len()).collect();
    for (number, letter) in other.chars().map(|c| c.to_ascii_lowercase()).enumerate() {
        let mut next = vec![number + 1];
        for ((known, pair), left) in one.iter().zip(row.windows(2)).zip(0..) {
            let (above_left, above) = match pair {
                [above_left, above] => (*above_left, *above),
                _ => continue,
            };
            let beside = next.get(left).copied().unwrap_or(0);
            let replaced = above_left + usize::from(*known != letter);
            next.push(replaced.min(above + 1).min(beside + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word() {
        let known = ["pattern", "action", "reason", "path"];
        assert_eq!(nearest("patern", known.into_iter()), Some("pattern"));
        assert_eq!(nearest("Action", known.into_iter()), Some("action"));
        assert_eq!(nearest("pth", known.into_iter()), Some("path"));
        assert_eq!(nearest("colour", known.into_iter()), None);
    }

    #[test]
    fn distances_are_counted() {
        assert_eq!((distance("kitten", "sitting"), distance("", "abc"), distance("a", "a")), (3, 3, 0));
    }
}
