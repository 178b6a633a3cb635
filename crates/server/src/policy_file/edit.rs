//! Changes of a policy text that keep everything else, comments included.

use std::collections::{BTreeMap, BTreeSet};

use handraise_policy::Preset;
use toml_edit::{ArrayOfTables, Document, DocumentMut, Item, RawString, Table, Value, value};

/// A change that is made in the app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PolicyEdit {
    /// Another starting point.
    Preset(Preset),
    /// Seconds that a person has to answer.
    Timeout(u32),
    /// More rules, after all others: the TOML text of `[[rule]]` tables and nothing else.
    Rules(String),
    /// Rules that an agent kept: the TOML text of `[[rule]]` tables before all others, and of some behind them. Either may be
    /// empty.
    Imported { in_front: String, behind: String },
    /// What is open to the walls of one project: the TOML text of a table `[[confine.project]]` and nothing else.
    ProjectWalls(String),
}

/// Why a change cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
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

impl PolicyEdit {
    /// Adds `tables`: rules, or what opens places to the walls of projects. Whether they are is looked at when they are
    /// added.
    pub(crate) fn of_tables(tables: String) -> Self {
        let is_walls = check_tables(&tables, project_walls).is_ok();
        if is_walls { Self::ProjectWalls(tables) } else { Self::Rules(tables) }
    }
}

/// `text` with `edit` made.
pub(crate) fn edited(text: &str, edit: &PolicyEdit) -> Result<String, EditError> {
    let mut document: DocumentMut = text.parse().map_err(|error| EditError::Text(format!("{error}")))?;
    match edit {
        PolicyEdit::Preset(preset) => set(&mut document, "preset", preset_name(*preset)),
        PolicyEdit::Timeout(seconds) => set(&mut document, "timeout", &format!("{seconds}s")),
        PolicyEdit::Rules(rules) => return with_rules(text, rules),
        PolicyEdit::Imported { in_front, behind } => return with_imported(text, in_front, behind),
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

/// `text` with `rules` behind everything else, without those whose place they take.
fn with_rules(text: &str, rules: &str) -> Result<String, EditError> {
    check_tables(rules, |document| document.get("rule")).map_err(EditError::Rules)?;
    let document: DocumentMut = rules.parse().map_err(|error| EditError::Rules(format!("{error}")))?;
    let added = document.get("rule").and_then(Item::as_array_of_tables);
    let renewed = without_renewed(text, added.into_iter().flatten());
    let (text, comments) = renewed.as_ref().map_or((text, ""), |(text, comments)| (text.as_str(), comments.as_str()));
    Ok(followed_by(text, &format!("{comments}{}", rules.trim())))
}

/// `text` without the rules that one of `added` takes the place of, and the comments that stood above them; `None` when
/// there are none. A rule that holds a task is renewed by one that says the same about what the task runs now: what it
/// ran before is not approved any more.
fn without_renewed<'a>(text: &str, added: impl Iterator<Item = &'a Table>) -> Option<(String, String)> {
    let added: Vec<RuleAboutTasks> = added.filter_map(RuleAboutTasks::of).collect();
    if added.is_empty() {
        return None;
    }
    let mut document: DocumentMut = text.parse().ok()?;
    let rules = document.get_mut("rule").and_then(Item::as_array_of_tables_mut)?;
    let mut comments = String::new();
    let before = rules.len();
    rules.retain(|rule| {
        let is_renewed = RuleAboutTasks::of(rule).is_some_and(|rule| added.contains(&rule));
        if is_renewed {
            let above = rule.decor().prefix().and_then(RawString::as_str).unwrap_or_default();
            above
                .lines()
                .filter(|line| !line.trim().is_empty())
                .for_each(|line| comments.push_str(&format!("{line}\n")));
        }
        !is_renewed
    });
    (rules.len() < before).then(|| (document.to_string(), comments))
}

/// `text` with the rules of `in_front` before all others, and those of `behind` after them; either may be empty.
///
/// # Errors
/// When `text` is no TOML or has no place for them, or they are something else than `[[rule]]` tables.
pub fn with_imported(text: &str, in_front: &str, behind: &str) -> Result<String, EditError> {
    let is_rules = |added: &str| check_tables(added, |document| document.get("rule")).map_err(EditError::Rules);
    let mut text = text.to_owned();
    if !in_front.trim().is_empty() {
        is_rules(in_front)?;
        text = preceded_by(&text, in_front)?;
    }
    if !behind.trim().is_empty() {
        is_rules(behind)?;
        text = followed_by(&text, behind);
    }
    Ok(text)
}

/// `text` with the tables `added` before its first rule and the comments that belong to that.
fn preceded_by(text: &str, added: &str) -> Result<String, EditError> {
    let document = Document::parse(text).map_err(|error| EditError::Text(format!("{error}")))?;
    let first = match document.get("rule") {
        None => return Ok(followed_by(text, added)),
        Some(rules) => rules.as_array_of_tables().and_then(|rules| rules.iter().next()).and_then(Table::span),
    };
    let inline =
        || EditError::Text("its rules are written as one list in brackets; write each as a `[[rule]]`".to_owned());
    let mut start = first.ok_or_else(inline)?.start;
    for line in text.get(..start).unwrap_or_default().split_inclusive('\n').rev() {
        if !line.trim_start().starts_with('#') {
            break;
        }
        start -= line.len();
    }
    let (before, after) = text.split_at_checked(start).ok_or_else(inline)?;
    Ok(format!("{before}{}\n\n{after}", added.trim()))
}

/// What makes two rules that hold tasks the same, whatever the tasks run.
#[derive(PartialEq)]
struct RuleAboutTasks {
    /// Every key but `tasks`, with its value.
    others: BTreeMap<String, String>,
    /// The calls of the tasks.
    calls: BTreeSet<String>,
}

impl RuleAboutTasks {
    /// `None`: it holds none.
    fn of(rule: &Table) -> Option<Self> {
        let tasks = rule.get("tasks")?.as_array()?;
        let call = |task: &Value| Some(task.as_inline_table()?.get("call")?.as_str()?.to_owned());
        let calls = tasks.iter().map(call).collect::<Option<BTreeSet<String>>>()?;
        let plain = |item: &Item| item.clone().into_value().ok().map(|value| value.decorated("", "").to_string());
        let others = rule.iter().filter(|(key, _)| *key != "tasks");
        let others = others.map(|(key, item)| Some((key.to_owned(), plain(item)?)));
        Some(Self { others: others.collect::<Option<_>>()?, calls })
    }
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
    fn tables_are_rules_or_walls_and_never_both() {
        let (rule, walls) =
            ("[[rule]]\ntool = \"x\"\naction = \"ask\"", "[[confine.project]]\nproject = \"~/a\"\ncaches = [\"npm\"]");
        for table in [rule, walls] {
            let edit = PolicyEdit::of_tables(table.to_owned());
            assert_eq!(edited(TEXT, &edit).unwrap(), format!("{TEXT}\n{table}\n"));
        }
        for wrong in [
            format!("{rule}\n{walls}"),
            format!("{walls}\n[confine]\nnetwork = \"none\""),
            "preset = \"autonomous\"".to_owned(),
        ] {
            assert!(edited(TEXT, &PolicyEdit::of_tables(wrong.clone())).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_rule_is_added_word_for_word_behind_the_others() {
        let rule = "[[rule]]\npattern = \"y\" # seen\naction = \"allow\"";
        assert_eq!(edited(TEXT, &PolicyEdit::Rules(rule.to_owned())).unwrap(), format!("{TEXT}\n{rule}\n"));
    }

    #[test]
    fn a_rule_about_what_a_task_runs_takes_the_place_of_the_earlier_one() {
        let rule = |command: &str, digest: &str| {
            format!(
                "[[rule]]\naction = \"allow\"\ncommand = \"{command}\"\ntasks = [{{ call = \"make test\", sha256 = \"{digest}\" }}]\n"
            )
        };
        let (old, other, new) = (rule("make test *", "aa"), rule("make test", "aa"), rule("make test *", "bb"));
        let text = format!("{TEXT}\n# ann said so\n{old}\n{other}\n[risk]\nwrite = \"ask\"\n");
        let added = edited(&text, &PolicyEdit::Rules(new.clone())).unwrap();
        assert_eq!(added, format!("{TEXT}\n{other}\n[risk]\nwrite = \"ask\"\n\n# ann said so\n{new}"));
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
    fn imported_rules_go_around_the_others() {
        let rule = |name: &str| format!("[[rule]]\npattern = \"{name}\"\naction = \"ask\"\n");
        let (in_front, behind) = (rule("a"), rule("z"));
        let with = |text: &str, in_front: &str, behind: &str| {
            edited(text, &PolicyEdit::Imported { in_front: in_front.to_owned(), behind: behind.to_owned() })
        };
        let whole = with(TEXT, &in_front, &behind).unwrap();
        let own = "# mine\n[[rule]]\npattern = \"x\"\naction = \"deny\"\n";
        let head = TEXT.strip_suffix(own).unwrap();
        assert_eq!(whole, format!("{head}{in_front}\n{own}\n{behind}"));
        assert_eq!(handraise_policy::rules::parse(&whole).unwrap().policy.rule_count(), 3);
        assert_eq!(with("version = 1\n", &in_front, "").unwrap(), format!("version = 1\n\n{in_front}"));
        assert_eq!(with(TEXT, "", "").unwrap(), TEXT);
        // A text that looks like a rule is none.
        let text =
            "version = 1\n# [[rule]]\n[[rule]]\npattern = \"x\"\naction = \"ask\"\nreason = '''\n[[rule]]\n'''\n";
        assert!(
            with(text, &in_front, "").unwrap().starts_with(&format!("version = 1\n{in_front}\n# [[rule]]\n[[rule]]"))
        );
        let inline = "version = 1\nrule = [{ pattern = \"x\", action = \"ask\" }]\n";
        assert!(matches!(with(inline, &in_front, ""), Err(EditError::Text(_))));
        assert!(matches!(with(TEXT, "preset = \"autonomous\"", ""), Err(EditError::Rules(_))));
        assert!(matches!(with(TEXT, "", "preset = \"autonomous\""), Err(EditError::Rules(_))));
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
