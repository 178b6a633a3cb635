//! What a call changes, in words for a person: the one place that makes them.

use handraise_display::line;

use super::{Effect, Elsewhere, Here};

/// Longest name of a project in a sentence, in characters; the rest is counted.
const MAX_NAME: usize = 60;

impl Effect {
    /// What it changes and whether that can be undone, for a person: "Changes files in shopfront. Handraise can undo
    /// it." `project` is the path of the project folder. Safe for any surface.
    #[must_use]
    pub fn sentence(self, project: Option<&str>) -> String {
        let name = project.and_then(|project| project.rsplit('/').find(|name| !name.is_empty()));
        let project = name.map_or_else(|| "the project".to_owned(), |name| line(name, MAX_NAME));
        let here = match self.here {
            Here::Nothing | Here::Unknown => None,
            Here::Scratch => Some("changes the agent's own plans or drafts".to_owned()),
            Here::Project => Some(format!("changes files in {project}")),
            Here::Machine if name.is_none() => Some("changes this machine".to_owned()),
            Here::Machine => Some(format!("changes this machine outside of {project}")),
        };
        let is_unknown = self.here == Here::Unknown;
        let changes = match (self.elsewhere, here) {
            (Elsewhere::Nothing, Some(here)) => capital(&here),
            (Elsewhere::Nothing, None) if is_unknown => "It cannot be told what it changes".to_owned(),
            (Elsewhere::Nothing, None) => "Only looks".to_owned(),
            (Elsewhere::Asked, Some(here)) => format!("Talks to another machine, and {here}"),
            (Elsewhere::Asked, None) if is_unknown => {
                "Talks to another machine. It cannot be told what it changes here".to_owned()
            }
            (Elsewhere::Asked, None) => "Talks to another machine, and changes nothing here".to_owned(),
            (Elsewhere::Unknown, _) => "It cannot be told what it changes, here or on another machine".to_owned(),
            (Elsewhere::Changed, _) => "Sends to another machine, or changes something there".to_owned(),
        };
        match self.undo() {
            Some(undo) => format!("{changes}. {undo}."),
            None => format!("{changes}."),
        }
    }

    /// `None`: nothing changes, or what does is not known either.
    fn undo(self) -> Option<&'static str> {
        let is_untold = self.here == Here::Unknown || self.elsewhere == Elsewhere::Unknown;
        match self.elsewhere {
            Elsewhere::Changed => return Some("It cannot be undone"),
            _ if is_untold || self.here == Here::Nothing => return None,
            _ => {}
        }
        match (self.lost.for_good, self.lost.by_handraise, self.lost.by_git) {
            (true, ..) => Some("It cannot be undone"),
            (false, true, true) => Some("Handraise and git can undo it"),
            (false, true, false) => Some("Handraise can undo it"),
            (false, false, true) => Some("Git can undo it"),
            (false, false, false) => None,
        }
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(characters).collect()
}
