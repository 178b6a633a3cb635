//! Settings of git that hold in every repository, and that make it run a program.

use crate::project_code::GitSetting;
use handraise_shell::{Part, WordKind};

/// Options of git-config(1) with a value in the next word.
const VALUED: &[&str] = &["-f", "--file", "--blob", "--type", "--default", "--comment", "--value", "--url"];
/// Sub-commands of git-config(1) that set something, and those that do not.
const SETTING: &[&str] = &["set", "edit"];
const OTHERS: &[&str] = &["get", "list", "unset", "rename-section", "remove-section", "get-color", "get-colorbool"];

/// What git would run in every repository because of `part`, as a clause.
pub(super) fn git_setting(part: &Part) -> Option<String> {
    let part = part.settled().unwrap_or_else(|| part.clone());
    let program = part.program().map(|program| program.rsplit('/').next().unwrap_or(program));
    let mut words = part.words.iter().skip(1).skip_while(|word| word.text.starts_with('-'));
    if program != Some("git") || words.next().is_none_or(|word| word.text != "config") {
        return None;
    }
    let (mut everywhere, mut edits) = (false, false);
    let mut operands = Vec::new();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        match text {
            _ if VALUED.contains(&text) => _ = words.next(),
            "-e" | "--edit" => edits = true,
            // git takes the beginning of an option's name.
            _ if text.len() > 3 && ("--global".starts_with(text) || "--system".starts_with(text)) => everywhere = true,
            _ if text.starts_with('-') => {}
            _ => operands.push(word),
        }
    }
    if !everywhere {
        return None;
    }
    let verb = operands.first().map(|word| word.text.as_str()).unwrap_or_default();
    if edits || verb == "edit" {
        return Some("an editor changes what git runs in every repository".to_owned());
    }
    let operands = operands.get(usize::from(SETTING.contains(&verb))..).unwrap_or_default();
    let [key, value, ..] = operands else { return None };
    if OTHERS.contains(&verb) {
        return None;
    }
    let known = key.kind == WordKind::Exact && value.kind == WordKind::Exact;
    let setting = setting(&key.text, &value.text);
    let runs = !known
        || setting.may_run()
        || setting.hooks_path().is_some()
        || setting.included().is_some()
        || setting.section == "credential";
    let name = handraise_display::line(&key.text, 80);
    runs.then(|| format!("`{name}` decides what git runs in every repository"))
}

/// `diff.Word.textconv`: a subsection may have points in it.
fn setting(name: &str, value: &str) -> GitSetting {
    let (section, rest) = name.split_once('.').unwrap_or((name, ""));
    let (subsection, key) = rest.rsplit_once('.').map_or((None, rest), |(between, key)| (Some(between), key));
    GitSetting {
        section: section.to_lowercase(),
        subsection: subsection.map(str::to_owned),
        key: key.to_lowercase(),
        value: Some(value.to_owned()),
    }
}
