//! What works, but is probably not meant.

use std::collections::HashMap;

use jiff::Timestamp;

use super::reader::Reader;
use super::rule::ReadRule;
use crate::ToolClass;
use crate::policy::condition::{Conditions, Glob, Tool};
use crate::policy::{Action, Rule};

/// Most pairs of rules that are compared with each other, so that loading stays quick.
const MOST_PAIRS: usize = 2_000_000;

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
    if rule.action != Action::Allow {
        return;
    }
    if let (Some(pattern), Some(span)) = (&conditions.command, &read.command) {
        for warning in pattern.warnings() {
            reader.warning("command_pattern", span.clone(), warning.to_string(), None);
        }
    }
    if let Some(span) = &read.agents {
        let message = "this rule holds only for agents whose own credential proves their name".to_owned();
        let help = "an agent that only claims the name is not allowed anything by it".to_owned();
        reader.warning("agents_in_allow", span.clone(), message, Some(help));
    }
    let narrow = conditions.command.is_some() || !conditions.path.is_empty() || !conditions.arguments.is_empty();
    if conditions.is_everything() {
        let help = Some("name the tools, or choose `preset = \"autonomous\"` to say so plainly".to_owned());
        reader.warning("allows_everything", read.span.clone(), "this rule allows every tool".to_owned(), help);
    } else if is_shell(conditions) && !narrow {
        let help = "add `command = \"git status *\"` for what is meant".to_owned();
        let message = "this rule allows every command, also those that are not understood".to_owned();
        reader.warning("allows_every_command", read.span.clone(), message, Some(help));
    } else if is_shell(conditions) && conditions.command.is_none() && looks_at_arguments(conditions) {
        let help = "use `command`, which is held against each simple command".to_owned();
        let message = "a glob over a command line allows nothing, because it would cover `…; rm -rf ~` too".to_owned();
        reader.warning("glob_over_command", read.span.clone(), message, Some(help));
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

/// Rules that tighten, and a later one that allows all of what they are about.
fn lint_wider(reader: &mut Reader<'_>, rules: &[ReadRule]) {
    let allows: Vec<&ReadRule> = rules
        .iter()
        .filter(|read| read.rule.action == Action::Allow && !read.rule.conditions.is_everything())
        .collect();
    let tightens: Vec<&ReadRule> =
        rules.iter().filter(|read| read.rule.action != Action::Allow && !read.rule.is_final).collect();
    if allows.len().saturating_mul(tightens.len()) > MOST_PAIRS {
        return;
    }
    for read in tightens {
        let wider = |allow: &&&ReadRule| {
            allow.number > read.number && allow.rule.text() != read.rule.text() && is_wider(&allow.rule, &read.rule)
        };
        let Some(allow) = allows.iter().find(wider) else { continue };
        let line = reader.position(allow.span.start).0;
        reader.rule = Some(read.number);
        let message = format!("this rule never decides, because the rule in line {line} allows all of it");
        let help = "move it below that rule, or add `final = true`".to_owned();
        reader.warning("shadowed", read.span.clone(), message, Some(help));
    }
}

/// Whether `allow` covers everything that `narrow` is about, as far as their texts tell: both have one
/// condition of the same kind, or the same others beside it.
fn is_wider(allow: &Rule, narrow: &Rule) -> bool {
    let (wide, narrow) = (&allow.conditions, &narrow.conditions);
    let others = |conditions: &Conditions| Conditions {
        command: None,
        pattern: None,
        tool: conditions.tool.clone().filter(|tool| matches!(tool, Tool::Class(_))),
        ..conditions.clone()
    };
    if others(wide) != others(narrow) {
        return false;
    }
    match (&wide.command, &narrow.command) {
        (Some(wide), Some(narrow)) => {
            let fixed = wide.text().trim().strip_suffix(" *").map(str::trim);
            return fixed.is_some_and(|fixed| narrow.text().trim().starts_with(&format!("{fixed} ")));
        }
        (None, None) => {}
        _ => return false,
    }
    let name = |conditions: &Conditions| match (&conditions.pattern, &conditions.tool) {
        (Some(pattern), _) if pattern.arguments().is_none() => Some(pattern.name().clone()),
        (None, Some(Tool::Name(glob))) => Some(glob.clone()),
        _ => None,
    };
    match (name(wide), name(narrow)) {
        (Some(wide), Some(narrow)) => wide.matches(narrow.text()),
        _ => false,
    }
}
