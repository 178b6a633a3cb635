//! Targets of makefiles.
//!
//! Source: GNU make manual, "Makefile Names", "How Makefiles Are Remade", "Catalogue of Built-In Rules".

use std::collections::BTreeSet;

use super::files::{Pause, join};
use super::makefile::{self, Makefile, NAMES, PlainMakefile};
use super::task_search::TaskSearch;
use crate::facts::TaskCall;

/// Endings of files from which a built-in rule would make a makefile anew, before anything of it counts.
const SOURCES: &str = "a c cc C cpp p f F m r y l ym yl s S mod sh o w web ch tex texi texinfo txinfo";

/// Most targets that one leads to, files among them.
const MAX_TARGETS: usize = 1_000;

pub(super) fn follow(found: &mut TaskSearch<'_>, call: &TaskCall, folder: &str) -> Result<(), Pause> {
    for name in NAMES {
        let file = join(folder, name);
        let Some(text) = found.files.text(&file)? else { continue };
        let text = text.to_owned();
        if let Some(source) = source(found.files.names(folder)?, name) {
            return Pause::unknown(format!("make may make `{name}` anew from `{source}`"));
        }
        let made = makefile::read(&text).map_err(|why| Pause::Unknown(format!("`{file}` {why}")))?;
        return match made {
            Makefile::Plain(plain) if !call.names.is_empty() => follow_plain(found, call, folder, &file, &plain, &text),
            _ => follow_whole(found, folder, &file, &text),
        };
    }
    Ok(())
}

/// What of `names` make may make the makefile `name` from.
fn source<'a>(names: &'a [String], name: &str) -> Option<&'a str> {
    let makes = |other: &&String| {
        let ending = other.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
        ending.is_some_and(|ending| SOURCES.split(' ').any(|source| source == ending))
            || **other == format!("{name},v")
            || **other == format!("s.{name}")
            || *other == "RCS"
            || *other == "SCCS"
    };
    names.iter().find(makes).map(String::as_str)
}

fn follow_plain(
    found: &mut TaskSearch<'_>,
    call: &TaskCall,
    folder: &str,
    file: &str,
    plain: &PlainMakefile,
    text: &str,
) -> Result<(), Pause> {
    let mut waiting: Vec<&str> = call.names.iter().rev().map(String::as_str).collect();
    let mut seen = BTreeSet::new();
    let mut steps = Vec::new();
    while let Some(target) = waiting.pop() {
        if !seen.insert(target) {
            continue;
        }
        if seen.len() > MAX_TARGETS {
            return Pause::unknown(format!("what `{file}` says is too much to be compared"));
        }
        let rules: Vec<_> = plain.rules.iter().filter(|rule| rule.targets.iter().any(|name| name == target)).collect();
        if rules.is_empty() && call.names.iter().any(|name| name == target) {
            return Pause::unknown(format!("`{file}` has no rule for `{target}`"));
        }
        waiting.extend(rules.iter().rev().flat_map(|rule| rule.prerequisites.iter().rev()).map(String::as_str));
        let phony = if plain.phony.iter().any(|name| name == target) { ".PHONY\n" } else { "" };
        let own: String = rules.iter().map(|rule| rule.text.as_str()).collect();
        if !rules.is_empty() {
            steps.push((target, format!("{phony}{own}")));
        }
    }
    // What starts make again may run any of its targets.
    let restarts = |text: &str| text.to_ascii_lowercase().contains("make");
    if restarts(&plain.frame) || steps.iter().any(|(_, text)| restarts(text)) {
        return follow_whole(found, folder, file, text);
    }
    for (target, text) in &steps {
        found.add(target, file, text.trim_end())?;
    }
    if !plain.frame.is_empty() {
        found.add("variables", file, plain.frame.trim_end())?;
    }
    steps.iter().try_for_each(|(_, text)| follow_recipes(found, folder, text))
}

fn follow_whole(found: &mut TaskSearch<'_>, folder: &str, file: &str, text: &str) -> Result<(), Pause> {
    let name = file.rsplit('/').next().unwrap_or(file);
    found.add(&format!("all of {name}"), file, text)?;
    follow_recipes(found, folder, text)
}

/// Tasks of other runners in recipes that hold no variables.
fn follow_recipes(found: &mut TaskSearch<'_>, folder: &str, text: &str) -> Result<(), Pause> {
    let recipes = text.lines().filter_map(|line| line.strip_prefix('\t'));
    let commands = recipes.map(|line| line.trim_start_matches(['@', '-', '+', ' ']));
    commands.filter(|line| !line.contains('$')).try_for_each(|line| found.follow_text(line, folder))
}
