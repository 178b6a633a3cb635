//! The home folder, which a line may take to another place.

use crate::command_line::{Part, Word, WordKind};

/// Whether one of `parts` sets `HOME`, and one, whichever is first, names something below the home folder.
pub(super) fn is_set_and_named(parts: &[Part]) -> bool {
    parts.iter().any(sets) && parts.iter().any(names)
}

fn sets(part: &Part) -> bool {
    part.assignments.iter().any(|assignment| assignment.split(['=', '+', '[']).next() == Some("HOME"))
}

fn names(part: &Part) -> bool {
    let is_home = |word: &Word| word.kind == WordKind::Home;
    let layers = part.layers.iter().flat_map(|layer| &layer.words);
    let mut words = part.words.iter().chain(&part.writes).chain(&part.reads).chain(layers);
    words.any(is_home) || part.folders.iter().any(|folder| folder.starts_with('~')) || goes_home(part)
}

/// `cd`, and nothing else.
fn goes_home(part: &Part) -> bool {
    matches!(part.words.as_slice(), [program] if program.text == "cd")
}
