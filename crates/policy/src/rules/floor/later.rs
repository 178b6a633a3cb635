//! What a command of git sets that git runs by itself later: no commit shows it, and nobody looks at it again.

use crate::project_code::{GitSetting, git_words};
use handraise_shell::{Part, Word, WordKind};

/// Options of git-config(1) with a value in the next word.
const VALUED: &[&str] = &["-f", "--file", "--blob", "--type", "--default", "--comment", "--value", "--url"];
/// Sub-commands of git-config(1) that set something, and those that do not.
const SETTING: &[&str] = &["set", "edit", "rename-section"];
const OTHERS: &[&str] = &["get", "list", "unset", "remove-section", "get-color", "get-colorbool"];
/// Its older options for them, where they do not set one value.
const OTHER_OPTIONS: &[&str] =
    &["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "-l", "--unset", "--unset-all"];

/// What git would run later because of `part`, as a clause.
pub(super) fn git_setting(part: &Part) -> Option<String> {
    let program = part.program().map(|program| program.rsplit('/').next().unwrap_or(program));
    let (command, words) = git_words(part).filter(|_| program == Some("git"))?;
    match command {
        "config" => by_config(words),
        "clone" | "init" => by_new_repository(words),
        "remote" => by_remote(words),
        _ => None,
    }
}

/// git-config(1).
fn by_config(words: &[Word]) -> Option<String> {
    let (mut everywhere, mut edits, mut renames, mut looks) = (false, false, false, false);
    let mut operands = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        // git takes the beginning of an option's name.
        let begins = |name: &str| text.len() > 3 && name.starts_with(text);
        match text {
            _ if VALUED.contains(&text) => _ = rest.next(),
            "-e" | "--edit" => edits = true,
            _ if begins("--global") || begins("--system") => everywhere = true,
            _ if text.len() > 4 && "--rename-section".starts_with(text) => renames = true,
            _ if OTHER_OPTIONS.contains(&text) => looks = true,
            _ if text.starts_with('-') => {}
            _ => operands.push(word),
        }
    }
    let place = if everywhere { "in every repository" } else { "in this repository" };
    let verb = operands.first().map(|word| word.text.as_str()).unwrap_or_default();
    if edits || verb == "edit" {
        return Some(format!("an editor changes what git runs {place}"));
    }
    if looks || OTHERS.contains(&verb) {
        return None;
    }
    let operands = operands.get(usize::from(SETTING.contains(&verb))..).unwrap_or_default();
    let [key, value, ..] = operands else { return None };
    if renames || verb == "rename-section" {
        return Some(format!("settings under another name may be what git runs {place}"));
    }
    let known = key.kind == WordKind::Exact && value.kind == WordKind::Exact;
    let name = handraise_display::line(&key.text, MAX_NAME);
    // Of one repository it is an ordinary setting where that fetches from.
    let redirects = everywhere && setting(&key.text, &value.text).section == "url";
    (!known || redirects || runs(&key.text, &value.text)).then(|| format!("`{name}` decides what git runs {place}"))
}

/// git-clone(1), git-init(1): `--template` brings hooks, `--config` settings.
fn by_new_repository(words: &[Word]) -> Option<String> {
    let nexts = words.iter().skip(1).map(Some).chain(std::iter::once(None));
    words.iter().zip(nexts).find_map(|(word, next)| {
        let text = word.text.as_str();
        let (option, glued) = text.split_once('=').map_or((text, None), |(option, value)| (option, Some(value)));
        let is = |name: &str| option.len() > 3 && name.starts_with(option);
        let value = || glued.or_else(|| next.map(|next| next.text.as_str())).unwrap_or_default();
        if is("--template") && !value().is_empty() {
            return Some("the hooks of a template decide what git runs in that repository".to_owned());
        }
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        let setting = match letters.and_then(|letters| letters.split_once('c')) {
            Some((_, "")) => next.map(|next| next.text.as_str()),
            Some((_, glued)) => Some(glued),
            None => is("--config").then(value),
        };
        let (key, value) = setting?.split_once('=')?;
        let name = handraise_display::line(key, MAX_NAME);
        runs(key, value).then(|| format!("`{name}` decides what git runs in that repository"))
    })
}

/// git-remote(1): an address may name a program, gitremote-helpers(7).
fn by_remote(words: &[Word]) -> Option<String> {
    let mut operands = words.iter().map(|word| word.text.as_str()).filter(|word| !word.starts_with('-'));
    let sets = operands.next().is_some_and(|verb| ["add", "set-url"].contains(&verb));
    let address = operands.find(|address| sets && setting("remote.x.url", address).may_run())?;
    let address = handraise_display::line(address, MAX_NAME);
    Some(format!("the address `{address}` decides what git runs in this repository"))
}

/// Longest name of a setting in a sentence, in characters.
const MAX_NAME: usize = 80;

fn runs(name: &str, value: &str) -> bool {
    let setting = setting(name, value);
    setting.may_run()
        || setting.hooks_path().is_some()
        || setting.included().is_some()
        || setting.section == "credential"
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
