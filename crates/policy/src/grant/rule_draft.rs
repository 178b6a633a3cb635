//! A person's answer as rules of `policy.toml`.

use toml::{Table, Value};

use super::breadth::{ExactCommand, exact_command, exact_file, folder, prefix_patterns};
use super::{Breadth, GrantEffect};
use crate::rules::PolicyDecision;
use crate::{Request, Scope, ToolClass};
use handraise_display::has_hidden;

/// Rules that say what a person's answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDraft {
    /// One or more `[[rule]]` tables.
    pub toml: String,
}

/// The rules for approving `request` with a scope that outlives its session; `None` when the scope
/// needs no rule or the breadth does not fit.
#[must_use]
pub fn rule_draft(request: &Request, policy: &PolicyDecision, breadth: Breadth, scope: Scope) -> Option<RuleDraft> {
    rule_for(request, policy, breadth, scope, GrantEffect::Approve)
}

/// The same for an answer of this `effect`.
pub fn rule_for(
    request: &Request,
    policy: &PolicyDecision,
    breadth: Breadth,
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
    let rules = conditions(request, policy, breadth)?.into_iter().map(|mut rule| {
        rule.insert("action".to_owned(), text(action));
        if let Some(agent) = &agent {
            rule.insert("agents".to_owned(), Value::Array(vec![text(agent)]));
        }
        if let Some(project) = &projects {
            rule.insert("projects".to_owned(), Value::Array(vec![text(&globset::escape(project))]));
        }
        format!("[[rule]]\n{rule}")
    });
    let toml = rules.collect::<Vec<_>>().join("\n");
    // A rule is kept as it is; nobody should be offered one that cannot be seen as it is.
    (!has_hidden(&toml)).then_some(RuleDraft { toml })
}

/// One table of conditions for each rule.
fn conditions(request: &Request, policy: &PolicyDecision, breadth: Breadth) -> Option<Vec<Table>> {
    let commands = |patterns: Vec<String>| {
        patterns.iter().map(|pattern| table(&[("tool", "shell"), ("command", pattern)])).collect()
    };
    match breadth {
        Breadth::Exact if request.class == ToolClass::Shell => Some(vec![match exact_command(request)? {
            ExactCommand::Pattern(pattern) => table(&[("tool", "shell"), ("command", &pattern)]),
            ExactCommand::Line(line) => table(&[("tool", "shell"), ("command_line", &line)]),
        }]),
        Breadth::Exact => {
            let path = globset::escape(exact_file(request)?);
            Some(vec![table(&[("class", class(request)?), ("path", &path)])])
        }
        Breadth::Prefix => prefix_patterns(request, policy).map(commands),
        Breadth::Folder => {
            let inside = format!("{}/**", globset::escape(&folder(request)?));
            Some(vec![table(&[("class", class(request)?), ("path", &inside)])])
        }
        Breadth::Tool => {
            // A glob on names can say no other signs.
            let is_literal = |name: &str| !name.contains(['*', '?', '[', ']', '{', '}']);
            match &request.server {
                Some(server) if is_literal(server) && is_literal(&request.tool) => {
                    Some(vec![table(&[("server", server), ("tool", &request.tool)])])
                }
                None if is_literal(&request.tool) => Some(vec![table(&[("tool", &request.tool)])]),
                _ => None,
            }
        }
    }
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
