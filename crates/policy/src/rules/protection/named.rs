//! Protected paths by their last name, which a text has to hold in order to name one.

use handraise_shell::path::Literals;

use super::protected_name::Named;
use super::text::{MAX_GLOBS, PlainText};
use crate::path::ProtectedPath;

/// Protected paths as texts are searched for them.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedPaths {
    all: Vec<Named>,
    /// The names of `all`.
    names: Literals,
}

impl NamedPaths {
    pub(super) fn new<'a>(paths: impl IntoIterator<Item = &'a ProtectedPath>) -> Self {
        let all: Vec<Named> = paths.into_iter().map(Named::of).collect();
        let names = Literals::new(all.iter().map(|named| named.name.as_str()));
        Self { all, names }
    }

    /// Those that `text` may name, for the user whose home folder is `home`.
    pub(super) fn possible_in(&self, text: &PlainText, home: Option<&str>) -> impl Iterator<Item = &Named> {
        let mut found = text.literals(&self.names);
        // Where `~` stands for a part of the name, too, the name does not have to be there; nor where there is none.
        let home = home.map_or(0, |home| home.to_lowercase().len());
        let hidden = |named: &Named| named.name.is_empty() || named.path.len() < home + named.name.len();
        found.extend(self.positions(hidden));
        let globs = text.globs();
        let may_find = |named: &Named| globs.iter().any(|glob| glob.may_find(&named.name));
        found.extend(self.positions(|named| globs.len() > MAX_GLOBS || may_find(named)));
        found.sort_unstable();
        found.dedup();
        found.into_iter().filter_map(|position| self.all.get(position))
    }

    fn positions(&self, counts: impl Fn(&Named) -> bool) -> impl Iterator<Item = usize> {
        self.all.iter().enumerate().filter(move |(_, named)| counts(named)).map(|(position, _)| position)
    }
}
