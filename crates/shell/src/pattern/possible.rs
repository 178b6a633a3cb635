//! Whether a program that the shell names may be the one of a pattern: `/bin/r?`, `/bin/[r]m`, `$x`.

use super::super::command_line::Word;

/// Longest glob that is compared with a name, in bytes; a file's name has 255 at most. One that is longer may be anything:
/// it is compared with the name in every rule, and an agent chooses its length.
const MAX_GLOB: usize = 512;

/// What is known of the name that the shell gives to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Possible {
    /// It cannot be this one.
    No,
    /// It can, and some of it is written.
    ByName,
    /// It can be any.
    Any,
}

/// Whether the shell may make `name` of `word`, a program that varies. `name` has no folder, or is compared with all
/// of the word.
pub(super) fn is_named(word: &Word, name: &str) -> Possible {
    let text = word.text.as_str();
    // A variable or braces may bring folders and further words along.
    if text.contains(['$', '{', '`', '\u{2026}']) {
        let start = word.fixed_start();
        let start = if name.contains('/') { start } else { start.rsplit_once('/').map_or(start, |(_, base)| base) };
        return match start.is_empty() {
            true => Possible::Any,
            false if begins(name, start) => Possible::ByName,
            false => Possible::No,
        };
    }
    let base = if name.contains('/') { text } else { text.rsplit_once('/').map_or(text, |(_, base)| base) };
    // Most are told apart by their first character.
    let first = base.chars().next().filter(|first| !matches!(first, '*' | '?' | '['));
    if first.is_some_and(|first| !name.starts_with(first)) {
        return Possible::No;
    }
    if base.len() > MAX_GLOB {
        return Possible::Any;
    }
    let glob = units(base);
    if glob.iter().all(|unit| *unit == Unit::Any) {
        return Possible::Any;
    }
    let name: Vec<char> = name.chars().collect();
    if matches(&glob, &name) { Possible::ByName } else { Possible::No }
}

fn begins(name: &str, start: &str) -> bool {
    let both = start.len().min(name.len());
    name.get(..both).zip(start.get(..both)).is_some_and(|(name, start)| name.eq_ignore_ascii_case(start))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit<'a> {
    One,
    Any,
    Literal(char),
    /// What stands in brackets.
    OneOf(&'a str),
}

impl Unit<'_> {
    /// Whether it takes `character`: bash manual, "Pattern Matching". Of `[[:alpha:]]` and `[^a]` nobody asks more.
    fn takes(self, character: char) -> bool {
        match self {
            Self::One | Self::Any => true,
            Self::Literal(literal) => literal == character,
            Self::OneOf(set) if set.starts_with(['^', '!']) || set.contains("[:") => true,
            Self::OneOf(set) => {
                let characters: Vec<char> = set.chars().collect();
                let in_range =
                    |range: &[char]| matches!(range, [first, '-', last] if (*first..=*last).contains(&character));
                characters.contains(&character) || characters.windows(3).any(in_range)
            }
        }
    }
}

/// The wildcards of `glob`.
fn units(glob: &str) -> Vec<Unit<'_>> {
    let mut units = Vec::new();
    let mut rest = glob;
    while let Some(first) = rest.chars().next() {
        let tail = rest.get(first.len_utf8()..).unwrap_or_default();
        // `[]a]`: a bracket that comes first is a character; `[[:alpha:]]`: one in a class ends that.
        let ends = || tail.char_indices().skip(1).filter(|(_, c)| *c == ']').map(|(index, _)| index);
        let behind_class = |end: &usize| !tail.get(..*end).is_some_and(|set| set.ends_with(':'));
        let end = ends().find(behind_class).or_else(|| ends().next()).map(|index| index + 1);
        (units, rest) = match (first, end) {
            ('[', Some(end)) => {
                let set = tail.get(..end.saturating_sub(1)).unwrap_or_default();
                (with(units, Unit::OneOf(set)), tail.get(end..).unwrap_or_default())
            }
            ('?', _) => (with(units, Unit::One), tail),
            ('*', _) => (with(units, Unit::Any), tail),
            _ => (with(units, Unit::Literal(first)), tail),
        };
    }
    units
}

fn with<'a>(mut units: Vec<Unit<'a>>, unit: Unit<'a>) -> Vec<Unit<'a>> {
    units.push(unit);
    units
}

/// Whether the wildcards can take all of `name`.
fn matches(glob: &[Unit<'_>], name: &[char]) -> bool {
    // For each number of its characters, whether the wildcards so far can take them.
    let mut reached = vec![false; name.len() + 1];
    if let Some(start) = reached.first_mut() {
        *start = true;
    }
    for unit in glob {
        let mut before = false;
        for (count, now) in reached.iter_mut().enumerate() {
            let here = *now;
            if *unit == Unit::Any {
                before |= here;
                *now = before;
            } else {
                let character = count.checked_sub(1).and_then(|last| name.get(last));
                *now = before && character.is_some_and(|character| unit.takes(*character));
                before = here;
            }
        }
        if !reached.contains(&true) {
            return false;
        }
    }
    reached.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::super::super::command_line::{Word, WordKind};
    use super::{Possible, is_named};

    fn possible(text: &str, name: &str) -> Possible {
        is_named(&Word { text: text.to_owned(), kind: WordKind::Varies }, name)
    }

    #[test]
    fn a_wildcard_may_be_a_program() {
        for text in ["/bin/r?", "/bin/[r]m", "/b?n/rm", "r*", "*m", "[a-z]m", "/usr/*/rm", "r[!a]", "r[[:alpha:]]"] {
            assert_eq!(possible(text, "rm"), Possible::ByName, "{text}");
        }
        for text in ["*", "$x", "/bin/*", "${X:-rm}", "{rm,x}", "/bin/$x", "/bin/{rm,ls}"] {
            assert_eq!(possible(text, "rm"), Possible::Any, "{text}");
        }
        for text in ["*a".repeat(300), "[r".repeat(300), format!("r{}m", "*".repeat(600))] {
            assert_eq!(possible(&text, "rm"), Possible::Any, "too long to be compared");
        }
        for text in ["/bin/c*", "r??", "ls*", "git$x", "/bin/rm/*x", "?", "r[0]", "/tmp/g$x", "N*M"] {
            assert_eq!(possible(text, "rm"), Possible::No, "{text}");
        }
    }
}
