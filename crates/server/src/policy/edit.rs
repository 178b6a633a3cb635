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
}

/// `text` with `edit` made.
pub(crate) fn edited(text: &str, edit: &PolicyEdit) -> Result<String, EditError> {
    let mut document: DocumentMut = text.parse().map_err(|error| EditError::Text(format!("{error}")))?;
    match edit {
        PolicyEdit::Preset(preset) => set(&mut document, "preset", preset_name(*preset)),
        PolicyEdit::Timeout(seconds) => set(&mut document, "timeout", &format!("{seconds}s")),
        PolicyEdit::Rules(rules) => return with_rules(text, rules),
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

/// `text` with `added` behind everything else: in TOML, another `[[rule]]` belongs to the same list
/// wherever it stands.
fn with_rules(text: &str, added: &str) -> Result<String, EditError> {
    let wrong = |what: &str| EditError::Rules(what.to_owned());
    let document: DocumentMut = added.parse().map_err(|error| EditError::Rules(format!("{error}")))?;
    let rules = document.get("rule").and_then(Item::as_array_of_tables);
    if rules.is_none_or(ArrayOfTables::is_empty) {
        return Err(wrong("there is no rule among them"));
    }
    if document.len() != 1 {
        return Err(wrong("there is something else among them"));
    }
    let gap = if text.is_empty() || text.ends_with('\n') { "\n" } else { "\n\n" };
    Ok(format!("{text}{gap}{}\n", added.trim()))
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
    fn nothing_but_rules_is_added() {
        for added in
            ["", "preset = \"autonomous\"", "preset = \"strict\"\n[[rule]]\npattern = \"y\"", "rule = []", "[[rule]"]
        {
            assert!(matches!(edited(TEXT, &PolicyEdit::Rules(added.to_owned())), Err(EditError::Rules(_))), "{added}");
        }
    }
}
