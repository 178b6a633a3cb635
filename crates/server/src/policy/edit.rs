//! Changes of a policy text that keep everything else, comments included.

use handraise_policy::Preset;
use toml_edit::{ArrayOfTables, DocumentMut, Item, value};

/// A change that is made in the app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PolicyEdit {
    /// Another starting point.
    Preset(Preset),
    /// Seconds that a person has to answer.
    Timeout(u32),
    /// More rules, after all others: the TOML text of `[[rule]]` tables and nothing else.
    Rules(String),
    /// What is open to the walls of one project: the TOML text of a table `[[confine.project]]` and nothing else.
    ProjectWalls(String),
}

/// Why a change cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EditError {
    /// The text to change is no TOML.
    #[error("the policy cannot be changed: {0}")]
    Text(String),
    /// What is to be added is not rules.
    #[error("these are not `[[rule]]` tables: {0}")]
    Rules(String),
    /// What is to be added is no table of walls.
    #[error("this is no table `[[confine.project]]`: {0}")]
    ProjectWalls(String),
}

/// `text` with `edit` made.
pub(crate) fn edited(text: &str, edit: &PolicyEdit) -> Result<String, EditError> {
    let mut document: DocumentMut = text.parse().map_err(|error| EditError::Text(format!("{error}")))?;
    match edit {
        PolicyEdit::Preset(preset) => set(&mut document, "preset", preset_name(*preset)),
        PolicyEdit::Timeout(seconds) => set(&mut document, "timeout", &format!("{seconds}s")),
        PolicyEdit::Rules(rules) => {
            check_tables(rules, |document| document.get("rule")).map_err(EditError::Rules)?;
            return Ok(followed_by(text, rules));
        }
        PolicyEdit::ProjectWalls(table) => {
            check_tables(table, project_walls).map_err(EditError::ProjectWalls)?;
            return Ok(followed_by(text, table));
        }
    }
    Ok(document.to_string())
}

fn preset_name(preset: Preset) -> &'static str {
    match preset {
        Preset::Practical => "practical",
        Preset::Strict => "strict",
        Preset::Autonomous => "autonomous",
        Preset::Workspace => "workspace",
    }
}

/// Sets a key of the root and keeps the comment behind it.
fn set(document: &mut DocumentMut, key: &str, text: &str) {
    let old = document.get(key).and_then(Item::as_value).map(|old| old.decor().clone());
    let mut new = value(text);
    if let (Some(old), Some(new)) = (old, new.as_value_mut()) {
        *new.decor_mut() = old;
    }
    document.insert(key, new);
}

/// The tables `[[confine.project]]`, where nothing else stands beside them in `[confine]`.
fn project_walls(document: &DocumentMut) -> Option<&Item> {
    document.get("confine")?.as_table().filter(|confine| confine.len() == 1)?.get("project")
}

/// Whether `added` is tables of the list that `list` finds in it, and nothing else.
fn check_tables(added: &str, list: impl Fn(&DocumentMut) -> Option<&Item>) -> Result<(), String> {
    let document: DocumentMut = added.parse().map_err(|error| format!("{error}"))?;
    if list(&document).and_then(Item::as_array_of_tables).is_none_or(ArrayOfTables::is_empty) {
        return Err("there is none among them".to_owned());
    }
    if document.len() == 1 { Ok(()) } else { Err("there is something else among them".to_owned()) }
}

/// `text` with `added` behind everything else: in TOML, another table with two brackets belongs to the same list wherever
/// it stands.
fn followed_by(text: &str, added: &str) -> String {
    let gap = if text.is_empty() || text.ends_with('\n') { "\n" } else { "\n\n" };
    format!("{text}{gap}{}\n", added.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "version = 1 # one\npreset = \"practical\" # chosen\n\n# mine\n[[rule]]\npattern = \"x\"\naction = \"deny\"\n";

    #[test]
    fn a_change_keeps_comments_and_rules() {
        let strict = edited(TEXT, &PolicyEdit::Preset(Preset::Strict)).unwrap();
        assert_eq!(strict, TEXT.replace("practical", "strict"));
        let timed = edited(TEXT, &PolicyEdit::Timeout(90)).unwrap();
        assert!(timed.contains("timeout = \"90s\"") && timed.contains("# mine") && timed.contains("# one"), "{timed}");
        assert!(timed.find("timeout").unwrap() < timed.find("[[rule]]").unwrap(), "{timed}");
    }

    #[test]
    fn a_rule_is_added_word_for_word_behind_the_others() {
        let rule = "[[rule]]\npattern = \"y\" # seen\naction = \"allow\"";
        assert_eq!(edited(TEXT, &PolicyEdit::Rules(rule.to_owned())).unwrap(), format!("{TEXT}\n{rule}\n"));
    }

    #[test]
    fn the_walls_of_a_project_are_added_behind_the_others() {
        let table = "[[confine.project]]\nproject = \"~/shop\"\nwrite = [\"~/out\"]";
        let more = "version = 1\n[confine]\ncaches = [\"npm\"]\n[[rule]]\npattern = \"x\"\naction = \"deny\"\n";
        for text in [TEXT.to_owned(), more.to_owned(), format!("{more}\n{table}\n")] {
            let changed = edited(&text, &PolicyEdit::ProjectWalls(table.to_owned())).unwrap();
            assert_eq!(changed, format!("{text}\n{table}\n"));
            let walls = handraise_policy::rules::parse(&changed).unwrap().policy.confine;
            assert_eq!(walls.projects.last().unwrap().write, ["~/out"], "{changed}");
        }
        for added in [
            "",
            "[confine]\nwrite = [\"/\"]",
            "[[rule]]\npattern = \"y\"",
            "[[confine.project]]\nproject = \"/a\"\n[confine.limits]\nseconds = 1",
        ] {
            let refused = edited(TEXT, &PolicyEdit::ProjectWalls(added.to_owned()));
            assert!(matches!(refused, Err(EditError::ProjectWalls(_))), "{added}");
        }
    }

    #[test]
    fn nothing_but_rules_is_added() {
        for added in
            ["", "preset = \"autonomous\"", "preset = \"strict\"\n[[rule]]\npattern = \"y\"", "rule = []", "[[rule]"]
        {
            assert!(matches!(edited(TEXT, &PolicyEdit::Rules(added.to_owned())), Err(EditError::Rules(_))), "{added}");
        }
    }
}
