//! Patterns of paths, as conditions of a rule.

use handraise_policy::Action;

/// `text` as a glob that matches it and nothing else.
pub(super) fn escaped(text: &str) -> String {
    let mut glob = String::new();
    for sign in text.chars() {
        if matches!(sign, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            glob.push('\\');
        }
        glob.push(sign);
    }
    glob
}

/// Where patterns begin that begin with one slash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OneSlash<'a> {
    /// In this folder.
    Folder(&'a str),
    /// In a folder that is not known here.
    Unknown,
}

/// A pattern of `.gitignore`, as Claude Code and Qwen Code take it for paths: `//abs`, `~/home`, `/from-the-settings-file`,
/// and others from the folder that the agent was started in.
///
/// What allows is never wider: such a pattern also means what is in a folder of that name, which a rule says only where it
/// asks or denies.
pub(super) fn of_gitignore(
    pattern: &str,
    root: OneSlash<'_>,
    action: Action,
) -> Result<(Vec<String>, Vec<String>), String> {
    let tightens = action >= Action::Ask;
    let mut notes = Vec::new();
    if pattern.starts_with('!') {
        return Err("It takes something out of another entry, which no single rule can say.".to_owned());
    }
    if pattern.split('/').any(|part| part == "..") {
        return Err("It goes up with `..`, and paths are compared after they are resolved.".to_owned());
    }
    if pattern.contains(['[', '\\']) && !tightens {
        return Err("It has signs that the agent and a rule read differently.".to_owned());
    }
    // Braces are nothing special there.
    let pattern = pattern.replace('{', "\\{").replace('}', "\\}");
    let glob = if let Some(rest) = pattern.strip_prefix("//") {
        format!("/{rest}")
    } else if pattern.starts_with("~/") {
        pattern
    } else if let Some(rest) = pattern.strip_prefix('/') {
        match root {
            OneSlash::Folder(folder) => format!("{}/{rest}", escaped(folder.trim_end_matches('/'))),
            OneSlash::Unknown if tightens => anywhere(rest, &mut notes),
            OneSlash::Unknown => return Err(FROM_SETTINGS.to_owned()),
        }
    } else if tightens {
        anywhere(pattern.trim_start_matches("./"), &mut notes)
    } else {
        return Err(FROM_START.to_owned());
    };
    let glob = glob.trim_end_matches('/').to_owned();
    let mut globs = vec![glob.clone()];
    if tightens && !glob.ends_with("/**") && glob != "**" {
        globs.push(format!("{glob}/**"));
    }
    Ok((globs, notes))
}

const FROM_START: &str = "It counts from the folder that the agent is started in, which a rule cannot name. Write it from \
                          the project's folder (`/src/**`), the home folder (`~/…`) or the root (`//…`).";
const FROM_SETTINGS: &str = "It counts from the folder of a settings file that holds for every project. Write it from the \
                             home folder (`~/…`) or the root (`//…`).";

fn anywhere(rest: &str, notes: &mut Vec<String>) -> String {
    notes.push("It holds in every folder, as the folder that the agent is started in has no name here.".to_owned());
    if rest.starts_with("**") { rest.to_owned() } else { format!("**/{rest}") }
}
