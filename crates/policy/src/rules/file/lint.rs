//! What works, but is probably not meant.

use std::collections::HashMap;

use jiff::Timestamp;

use super::reader::Reader;
use super::rule::{ReadRule, in_two};
use crate::ToolClass;
use crate::rules::action::Action;
use crate::rules::condition::{Conditions, Glob, Tool};

/// The rule allows next to nothing.
const COVERS_LITTLE: &str = "covers_little";

/// Most pairs of rules that are compared with each other, so that loading stays quick.
const MAX_PAIRS: usize = 2_000_000;

/// Warns about the rules of one table. `now` is needed to know which have expired.
pub(super) fn lint(reader: &mut Reader<'_>, rules: &[ReadRule], now: Option<Timestamp>) {
    for read in rules {
        reader.rule = Some(read.number);
        lint_one(reader, read, now);
    }
    lint_dead(reader, rules);
    lint_wider(reader, rules);
    reader.rule = None;
}

fn lint_one(reader: &mut Reader<'_>, read: &ReadRule, now: Option<Timestamp>) {
    let rule = &read.rule;
    let conditions = &rule.conditions;
    let over = conditions.expires.as_ref().is_some_and(|expiry| now.is_some_and(|now| expiry.is_over(now)));
    if let Some(span) = read.expires.clone().filter(|_| over) {
        let help = Some("remove the rule, or give it a later `expires`".to_owned());
        reader.warning("expired", span, "the rule has expired and does nothing".to_owned(), help);
    }
    if rule.action >= Action::Ask {
        lint_tightening(reader, read);
        return;
    }
    // Inside walls it may run what it likes.
    let allows = rule.action == Action::Allow;
    if let (true, Some(pattern), Some(span)) = (allows, &conditions.command, &read.command) {
        for warning in pattern.warnings() {
            let text = warning.to_string();
            let (message, help) = in_two(&text);
            let code = if warning.covers_little() { COVERS_LITTLE } else { "command_pattern" };
            reader.warning(code, span.clone(), message.to_owned(), help.map(str::to_owned));
        }
    }
    if let Some(span) = &read.agents {
        let message = "this rule holds only for agents whose own credential proves their name".to_owned();
        let help = "an agent that only claims the name is not allowed anything by it".to_owned();
        reader.warning("agents_in_allow", span.clone(), message, Some(help));
    }
    let narrow = conditions.command.is_some()
        || conditions.command_line.is_some()
        || !conditions.path.is_empty()
        || !conditions.arguments.is_empty();
    if conditions.is_everything() && allows {
        let help = Some("name the tools, or choose `preset = \"autonomous\"` to say so plainly".to_owned());
        reader.warning("allows_everything", read.span.clone(), "this rule allows every tool".to_owned(), help);
    } else if is_shell(conditions) && !narrow && allows {
        let help = "add `command = \"git status *\"` for what is meant".to_owned();
        let message = "this rule allows every command, also those that are not understood".to_owned();
        reader.warning("allows_every_command", read.span.clone(), message, Some(help));
    } else if is_shell(conditions) && conditions.command.is_none() && looks_at_arguments(conditions) {
        let help = "use `command`, which is held against each simple command".to_owned();
        let message = "a glob over a command line allows nothing, because it would cover `…; rm -rf ~` too".to_owned();
        reader.warning("glob_over_command", read.span.clone(), message, Some(help));
    }
}

/// What a rule that denies or asks misses.
fn lint_tightening(reader: &mut Reader<'_>, read: &ReadRule) {
    let conditions = &read.rule.conditions;
    if let (Some(pattern), Some(span)) = (&conditions.command, &read.command) {
        for warning in pattern.warnings_of_tightening() {
            let text = warning.to_string();
            let (message, help) = in_two(&text);
            reader.warning("narrow_rule", span.clone(), message.to_owned(), help.map(str::to_owned));
        }
    } else if is_shell(conditions) && conditions.command.is_none() && looks_at_arguments(conditions) {
        let message = "a glob over a command line misses the command in any other spelling".to_owned();
        let help = "use `command`, which also means it with other options, in wrappers and in quotes".to_owned();
        reader.warning("narrow_rule", read.span.clone(), message, Some(help));
    }
}

/// Names by which the agents call their shell tools.
const SHELL_TOOLS: &[&str] = &["Bash", "bash", "shell", "Shell", "run_shell_command", "shell_command", "local_shell"];

fn is_shell(conditions: &Conditions) -> bool {
    let named = |glob: &Glob| SHELL_TOOLS.contains(&glob.text());
    conditions.class == Some(ToolClass::Shell)
        || match &conditions.tool {
            Some(Tool::Class(class)) => *class == ToolClass::Shell,
            Some(Tool::Name(glob)) => named(glob),
            None => conditions.pattern.as_ref().is_some_and(|pattern| named(pattern.name())),
        }
}

fn looks_at_arguments(conditions: &Conditions) -> bool {
    let by_pattern = conditions.pattern.as_ref().and_then(|pattern| pattern.arguments());
    by_pattern.into_iter().chain(conditions.arguments.iter().map(|a| a.glob())).any(|glob| !glob.is_exact())
}

/// Rules that never decide, because another has the same conditions or a later one matches everything.
fn lint_dead(reader: &mut Reader<'_>, rules: &[ReadRule]) {
    let mut later: HashMap<&str, &ReadRule> = HashMap::new();
    let mut later_everything: Option<&ReadRule> = None;
    let mut dead: Vec<(&ReadRule, &ReadRule, &str)> = Vec::new();
    for read in rules.iter().rev() {
        let same = later.get(read.rule.text()).copied();
        if let Some(by) = same.filter(|by| !(read.rule.is_final && by.rule.action < read.rule.action)) {
            dead.push((read, by, "has the same conditions"));
        } else if let Some(by) = same {
            dead.push((by, read, "has the same conditions and is final"));
        } else if let Some(by) =
            later_everything.filter(|by| !(read.rule.is_final && by.rule.action < read.rule.action))
        {
            dead.push((read, by, "matches everything"));
        }
        later.entry(read.rule.text()).or_insert(read);
        if read.rule.conditions.is_everything() && later_everything.is_none() {
            later_everything = Some(read);
        }
    }
    for (read, by, why) in dead.into_iter().rev() {
        let line = reader.position(by.span.start).0;
        reader.rule = Some(read.number);
        let message = format!("this rule never decides, because the rule in line {line} {why}");
        let help = "the last rule that matches wins: move it below that one, or remove it".to_owned();
        reader.warning("shadowed", read.span.clone(), message, Some(help));
    }
}

/// Rules that tighten, and a later one that allows all of what they are about, as far as their texts
/// tell: both have a command or a name, and the same other conditions.
fn lint_wider(reader: &mut Reader<'_>, rules: &[ReadRule]) {
    let mut commands: HashMap<(String, String), &ReadRule> = HashMap::new();
    let mut names: HashMap<String, Vec<(Glob, &ReadRule)>> = HashMap::new();
    let mut pairs = 0;
    for read in rules.iter().rev() {
        let conditions = &read.rule.conditions;
        let others = others(conditions);
        if read.rule.action < Action::Ask {
            if let Some(fixed) = conditions.command.as_ref().and_then(|pattern| fixed_words(pattern.text())) {
                commands.entry((others, fixed)).or_insert(read);
            } else if let Some(glob) = name(conditions).filter(|glob| !glob.is_exact() && !glob.prefix().is_empty()) {
                names.entry(others).or_default().push((glob, read));
            }
            continue;
        }
        if read.rule.is_final {
            continue;
        }
        let wider = match &conditions.command {
            Some(pattern) => {
                let mut words: Vec<&str> = pattern.text().split_whitespace().collect();
                std::iter::from_fn(|| words.pop().map(|_| words.join(" ")))
                    .find_map(|start| commands.get(&(others.clone(), start)).copied())
            }
            None => name(conditions).and_then(|narrow| {
                let wide = names.get(&others).into_iter().flatten();
                pairs += names.get(&others).map_or(0, Vec::len);
                let wider = |(glob, _): &&(Glob, &ReadRule)| pairs < MAX_PAIRS && glob.matches(narrow.text());
                wide.rev().find(wider).map(|(_, read)| *read)
            }),
        };
        // The same conditions are another warning.
        let Some(allow) = wider.filter(|allow| allow.rule.text() != read.rule.text()) else { continue };
        let line = reader.position(allow.span.start).0;
        reader.rule = Some(read.number);
        let lets = if allow.rule.action == Action::Confine { "confines" } else { "allows" };
        let message = format!("this rule never decides, because the rule in line {line} {lets} all of it");
        let help = "move it below that rule, or add `final = true`".to_owned();
        reader.warning("shadowed", read.span.clone(), message, Some(help));
    }
}

/// `git push` of `git push *`.
fn fixed_words(pattern: &str) -> Option<String> {
    let fixed = pattern.trim().strip_suffix(" *")?;
    Some(fixed.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The glob on the tool's name, when no argument counts.
fn name(conditions: &Conditions) -> Option<Glob> {
    match (&conditions.pattern, &conditions.tool) {
        (Some(pattern), _) if pattern.arguments().is_none() => Some(pattern.name().clone()),
        (None, Some(Tool::Name(glob))) => Some(glob.clone()),
        _ => None,
    }
}

/// The conditions that are no command and no name, in words.
fn others(conditions: &Conditions) -> String {
    let others = Conditions {
        command: None,
        pattern: None,
        tool: conditions.tool.clone().filter(|tool| matches!(tool, Tool::Class(_))),
        ..conditions.clone()
    };
    others.text()
}
