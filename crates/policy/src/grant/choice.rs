//! What is offered for one request.

use std::collections::BTreeMap;

use super::breadth::{
    Breadth, Coverage, ExactCommand, exact_command, exact_file, folder, is_offered, open_pattern, prefix_patterns,
    tasks,
};
use super::rule_from_answer::rule_from_approval;
use super::scope::Scope;
use crate::rules::{PolicyDecision, RuleDraft};
use crate::{Request, ToolClass};
use handraise_display::line;

/// Longest description of a choice, in characters; the rest is counted.
const MAX_DESCRIPTION: usize = 400;

/// One way to answer beyond this call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantChoice {
    /// How long.
    pub scope: Scope,
    /// How much.
    pub breadth: Breadth,
    /// What would be remembered, verbatim and safe for any surface.
    pub remembers: String,
    /// The rule that would be written, as it would stand in `policy.toml`; for the scopes
    /// [`Scope::Project`] and [`Scope::Always`].
    pub rule: Option<String>,
    /// The text with which a person begins to change that rule; `None`: there is none, or there are several.
    pub editable_rule: Option<String>,
    /// The simple commands that it can cover without the others, where there are several.
    pub commands: Vec<CommandChoice>,
}

/// Simple commands of a line that an answer can cover without the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandChoice {
    /// Their positions in the command line's parts: one pattern covers them all.
    pub positions: Vec<usize>,
    /// What would be remembered of them: the pattern, safe for any surface.
    pub remembers: String,
    /// The rule that would be written for them alone.
    pub rule: Option<String>,
    /// The text with which a person begins to change that rule.
    pub editable_rule: Option<String>,
}

/// What can be remembered about `request`, the narrowest first.
#[must_use]
pub fn choices(request: &Request, policy: &PolicyDecision) -> Vec<GrantChoice> {
    if !policy.grantable {
        return Vec::new();
    }
    let breadths = [Breadth::Exact, Breadth::Prefix, Breadth::Folder, Breadth::Tool];
    let scopes = [Scope::Minutes, Scope::Session, Scope::Project, Scope::Always];
    let combinations = breadths.into_iter().flat_map(|breadth| scopes.into_iter().map(move |scope| (breadth, scope)));
    combinations.filter_map(|(breadth, scope)| choice(breadth, scope, request, policy)).collect()
}

/// What can be remembered about some simple commands of `request` where not all of them may be left open: an answer has to
/// name those that it covers.
#[must_use]
pub fn choices_of_commands(request: &Request, policy: &PolicyDecision) -> Vec<GrantChoice> {
    if !policy.grantable || prefix_patterns(request, policy, None).is_some() {
        return Vec::new();
    }
    let open: Vec<usize> = open_commands(request, policy).into_values().flatten().collect();
    let scopes = [Scope::Minutes, Scope::Session, Scope::Project, Scope::Always];
    let coverage = Coverage { breadth: Breadth::Prefix, commands: Some(&open) };
    scopes.into_iter().filter_map(|scope| choice(coverage, scope, request, policy)).collect()
}

/// The simple commands of `request` that a person is asked about and whose operands may be left open, by their patterns.
fn open_commands(request: &Request, policy: &PolicyDecision) -> BTreeMap<String, Vec<usize>> {
    let mut open: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let asked = request.understood_command().into_iter().flat_map(|line| policy.asked_commands(line));
    for (index, part) in asked {
        if let Some(pattern) = open_pattern(request, part) {
            open.entry(pattern).or_default().push(index);
        }
    }
    open
}

/// The simple commands that an answer of this coverage can cover without the others; none where there is nothing to choose.
fn commands(coverage: Coverage<'_>, scope: Scope, request: &Request, policy: &PolicyDecision) -> Vec<CommandChoice> {
    if coverage.breadth != Breadth::Prefix {
        return Vec::new();
    }
    let open = open_commands(request, policy);
    if open.len() < 2 && coverage.commands.is_none() {
        return Vec::new();
    }
    let of_pattern = |(pattern, positions): (String, Vec<usize>)| {
        let alone = Coverage { commands: Some(&positions), ..coverage };
        let rule = rule_from_approval(request, policy, alone, scope);
        let editable_rule = rule.as_ref().and_then(RuleDraft::to_edit);
        let remembers = line(&pattern, MAX_DESCRIPTION);
        CommandChoice { positions, remembers, rule: rule.map(|rule| rule.toml), editable_rule }
    };
    open.into_iter().map(of_pattern).collect()
}

fn choice<'a>(
    coverage: impl Into<Coverage<'a>>,
    scope: Scope,
    request: &Request,
    policy: &PolicyDecision,
) -> Option<GrantChoice> {
    let coverage = coverage.into();
    let breadth = coverage.breadth;
    let rule = rule_from_approval(request, policy, coverage, scope);
    let is_possible = match scope {
        Scope::Once => false,
        Scope::Minutes | Scope::Session => request.session.is_some(),
        Scope::Project | Scope::Always => rule.is_some(),
    };
    if !is_possible || !is_offered(breadth, scope, request, policy) {
        return None;
    }
    let remembers = describe(coverage, scope, request, policy)?;
    let editable_rule = rule.as_ref().and_then(RuleDraft::to_edit);
    let commands = commands(coverage, scope, request, policy);
    Some(GrantChoice { scope, breadth, remembers, rule: rule.map(|rule| rule.toml), editable_rule, commands })
}

/// The answer becomes a rule.
fn lasts(scope: Scope) -> bool {
    matches!(scope, Scope::Project | Scope::Always)
}

fn describe(coverage: Coverage<'_>, scope: Scope, request: &Request, policy: &PolicyDecision) -> Option<String> {
    let breadth = coverage.breadth;
    let where_it_holds = match scope {
        Scope::Always => ", in every project",
        Scope::Project => ", in this project",
        _ if breadth == Breadth::Prefix => ", in this project",
        _ => "",
    };
    let text = match breadth {
        // A rule about a file says nothing about what is read from it or written into it.
        Breadth::Exact if lasts(scope) && request.class != ToolClass::Shell => {
            let what = if request.class == ToolClass::FileRead { "Reading" } else { "Writing" };
            let content = if request.class == ToolClass::FileRead { "" } else { ", whatever is written" };
            format!("{what} {}{content}{where_it_holds}", exact_file(request)?)
        }
        Breadth::Exact if lasts(scope) => match exact_command(request)? {
            ExactCommand::Pattern(pattern) => format!("Exactly {pattern}, alone or beside others{where_it_holds}"),
            ExactCommand::Line(line) => format!("Exactly this whole command line{where_it_holds}: {line}"),
        },
        Breadth::Exact => format!("Exactly this call: {}", request.title()),
        Breadth::Prefix => {
            let patterns: Vec<String> = prefix_patterns(request, policy, coverage.commands)?.into_keys().collect();
            format!("Every {}{where_it_holds}", patterns.join(" and every "))
        }
        Breadth::Folder => {
            let what = if request.class == ToolClass::FileRead { "Reading" } else { "Writing" };
            format!("{what} every file in {} and below", folder(request)?)
        }
        Breadth::Tool => match &request.server {
            Some(server) => format!("Every call of {} on the server {server}{where_it_holds}", request.tool),
            None => format!("Every call of {}{where_it_holds}", request.tool),
        },
    };
    let runs_something = tasks(coverage, request, policy).iter().any(|pin| !pin.text.is_empty());
    let about_tasks = if runs_something { ", while the task runs what it runs now" } else { "" };
    let room = MAX_DESCRIPTION.saturating_sub(about_tasks.len());
    Some(format!("{}{about_tasks}", line(&text, room)))
}
