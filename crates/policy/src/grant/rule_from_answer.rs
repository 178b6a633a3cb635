//! A person's answer as rules of `policy.toml`.

use toml::{Table, Value};

use super::breadth::{ExactCommand, exact_command, exact_file, folder, prefix_patterns};
use super::{Breadth, Coverage, GrantEffect};
use crate::project_task::pins;
use crate::rules::{PolicyDecision, RuleDraft};
use crate::{Request, Scope, TaskPin, ToolClass};
use handraise_display::has_hidden;
use handraise_shell::Part;

/// The rules for approving `request` with a scope that outlives its session; `None` when the scope
/// needs no rule or the breadth does not fit.
#[must_use]
pub fn rule_from_approval<'a>(
    request: &Request,
    policy: &PolicyDecision,
    coverage: impl Into<Coverage<'a>>,
    scope: Scope,
) -> Option<RuleDraft> {
    rule_from_answer(request, policy, coverage.into(), scope, GrantEffect::Approve)
}

/// The same for an answer of this `effect`.
pub fn rule_from_answer(
    request: &Request,
    policy: &PolicyDecision,
    coverage: Coverage<'_>,
    scope: Scope,
    effect: GrantEffect,
) -> Option<RuleDraft> {
    let projects = match scope {
        Scope::Once | Scope::Minutes | Scope::Session => return None,
        Scope::Always => None,
        Scope::Project => Some(request.project.clone()?),
    };
    let action = match effect {
        GrantEffect::Approve => "allow",
        GrantEffect::Deny => "deny",
    };
    let agent = request.agent.as_ref().filter(|agent| agent.verified).map(|agent| agent.name.clone());
    let rules = conditions(request, policy, coverage)?.into_iter().map(|Conditions { table: mut rule, parts }| {
        rule.insert("action".to_owned(), text(action));
        if let Some(agent) = &agent {
            rule.insert("agents".to_owned(), Value::Array(vec![text(agent)]));
        }
        if let Some(project) = &projects {
            rule.insert("projects".to_owned(), Value::Array(vec![text(&globset::escape(project))]));
        }
        // A denial is about the words, whatever they run.
        let pins = if effect == GrantEffect::Approve { pins(request, parts.into_iter()) } else { Vec::new() };
        format!("[[rule]]\n{rule}{}", tasks(&pins))
    });
    let toml = rules.collect::<Vec<_>>().join("\n");
    // A rule is kept as it is; nobody should be offered one that cannot be seen as it is.
    (!has_hidden(&toml)).then_some(RuleDraft { toml })
}

/// The conditions of one rule.
struct Conditions<'a> {
    table: Table,
    /// The commands that it is about.
    parts: Vec<&'a Part>,
}

/// The conditions of each rule.
fn conditions<'a>(
    request: &'a Request,
    policy: &'a PolicyDecision,
    coverage: Coverage<'_>,
) -> Option<Vec<Conditions<'a>>> {
    let of_call = |entries: &[(&str, &str)]| Some(vec![Conditions { table: table(entries), parts: Vec::new() }]);
    let of_commands = |key: &str, text: &str, parts: Vec<&'a Part>| Conditions {
        table: table(&[("tool", "shell"), (key, text)]),
        parts,
    };
    match coverage.breadth {
        Breadth::Exact if request.class == ToolClass::Shell => {
            let parts = request.command.iter().flat_map(|line| &line.parts).collect();
            Some(vec![match exact_command(request)? {
                ExactCommand::Pattern(pattern) => of_commands("command", &pattern, parts),
                ExactCommand::Line(line) => of_commands("command_line", &line, parts),
            }])
        }
        Breadth::Exact => {
            let path = globset::escape(exact_file(request)?);
            of_call(&[("class", class(request)?), ("path", &path)])
        }
        Breadth::Prefix => {
            let patterns = prefix_patterns(request, policy, coverage.commands)?.into_iter();
            Some(patterns.map(|(pattern, parts)| of_commands("command", &pattern, parts)).collect())
        }
        Breadth::Folder => {
            let inside = format!("{}/**", globset::escape(&folder(request)?));
            of_call(&[("class", class(request)?), ("path", &inside)])
        }
        Breadth::Tool => {
            // A glob on names can say no other signs.
            let is_literal = |name: &str| !name.contains(['*', '?', '[', ']', '{', '}']);
            match &request.server {
                Some(server) if is_literal(server) && is_literal(&request.tool) => {
                    of_call(&[("server", server), ("tool", &request.tool)])
                }
                None if is_literal(&request.tool) => of_call(&[("tool", &request.tool)]),
                _ => None,
            }
        }
    }
}

/// What the tasks run, as a line of a rule.
fn tasks(pins: &[TaskPin]) -> String {
    let task = |TaskPin { call, file, digest, text }: &TaskPin| {
        let keys = [("call", call), ("file", file), ("sha256", digest), ("text", text)];
        let keys = keys.into_iter().filter(|(_, value)| !value.is_empty());
        let keys: Vec<String> = keys.map(|(key, value)| format!("{key} = {}", on_one_line(value))).collect();
        format!("{{ {} }}", keys.join(", "))
    };
    match pins.iter().map(task).collect::<Vec<_>>().as_slice() {
        [] => String::new(),
        tasks => format!("tasks = [{}]\n", tasks.join(", ")),
    }
}

/// `text` as a basic string of TOML 1.0, without a line break in it: nothing of it can be taken for another rule.
fn on_one_line(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            _ if character.is_ascii_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

fn class(request: &Request) -> Option<&'static str> {
    match (request.class, &request.server) {
        (ToolClass::FileRead, None) => Some("file_read"),
        (ToolClass::FileWrite, None) => Some("file_write"),
        _ => None,
    }
}

fn table(entries: &[(&str, &str)]) -> Table {
    entries.iter().map(|(key, value)| ((*key).to_owned(), text(value))).collect()
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}
