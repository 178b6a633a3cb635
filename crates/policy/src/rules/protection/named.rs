//! Protected paths by their last name, which a text has to hold in order to name one.

use handraise_shell::path::Literals;

use crate::path::ProtectedPath;
use crate::rules::plain_text::{MAX_GLOBS, PlainText};
use crate::rules::protected_name::Named;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Protection;

    fn names(text: &str, path: &str) -> bool {
        let text = PlainText::new(text);
        let protected = [ProtectedPath { path: path.to_owned(), protection: Protection::Own }];
        NamedPaths::new(&protected).possible_in(&text, None).any(|named| text.names(named, &text))
    }

    #[test]
    fn a_name_is_found_where_its_folder_is_named_or_not_known() {
        let settings = "/home/ann/.claude/settings.json";
        for text in [
            "rm $D/settings.json",
            "rm \"$HOME/$x/settings.json\"",
            "rm ~/.cl*/settings.json",
            "cd ~/.claude; echo x > settings.json",
            "cd ~/.claude && rm sett*",
            "cd $D; rm settings.json",
            "cd \"$(dirname x)\" && rm 'set'tings.json",
            "rm .claude/settings.js?n",
            "rm ../settings.json",
            "D=.claude; rm $D/settings.json",
            "python3 -c \"open(os.path.join(h,'.claude','settings.json'))\"",
        ] {
            assert!(names(text, settings), "{text}");
        }
    }

    #[test]
    fn another_file_of_that_name_is_another_file() {
        for (text, path) in [
            ("rm build/settings.json", "/home/ann/.claude/settings.json"),
            ("rm settings.json", "/home/ann/.claude/settings.json"),
            ("rm my-settings.json .claude/x", "/home/ann/.claude/settings.json"),
            ("rm $D/settings.json.new", "/home/ann/.claude/settings.json"),
            ("rm -rf ~/Documents && cp a b", "/tmp/x/c"),
            ("cc -c main.c -o c.o", "/tmp/x/c"),
            ("for f in *.c; do cc -c $f; done", "/tmp/x/c"),
            ("{\"max_output_tokens\": 2000}", "/home/ann/.config/handraise/tokens"),
            ("git commit -m 'hooks: $x, plugins'", "/home/ann/.claude/hooks"),
            ("ls $D/*", "/home/ann/.claude/settings.json"),
        ] {
            assert!(!names(text, path), "{text}");
        }
    }
}
