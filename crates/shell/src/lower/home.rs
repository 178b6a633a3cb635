//! The home folder, which a line may take to another place.

use crate::command_line::Part;

/// Whether one of the `parts` of `text` sets `HOME`, and the text speaks of the home folder, whichever is first. A `~` in
/// quotes counts, too: what a line says to another shell it says in quotes.
pub(super) fn is_set_and_named(parts: &[Part], text: &str) -> bool {
    let is_spoken_of =
        || ["~", "$HOME", "${HOME"].iter().any(|sign| text.contains(sign)) || parts.iter().any(goes_home);
    parts.iter().any(sets) && is_spoken_of()
}

fn sets(part: &Part) -> bool {
    part.assignments.iter().any(|assignment| assignment.split(['=', '+', '[']).next() == Some("HOME"))
}

/// `cd`, and nothing else.
fn goes_home(part: &Part) -> bool {
    matches!(part.words.as_slice(), [program] if program.text == "cd")
}
