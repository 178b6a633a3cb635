//! Gemini CLI: its policy files, and the older lists of its settings.
//!
//! Sources: its documentation pages "Policy engine" (`[[rule]]` with `toolName`, `mcpName`, `commandPrefix`, `decision`, `priority`; the
//! highest priority wins; user policies before those of the workspace) and "Configuration" (`tools.allowed`, `tools.exclude`,
//! `tools.core`, `mcp.*`, `mcpServers.*.trust`), and the weights that its code gives those lists (4.3, 4.4, 4.2).

use handraise_policy::Action;
use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, Table};

use super::command::{self, ShellTool, Written, about_commands};
use super::values::{is_name, object, strings};
use super::{Draft, Entries, RuleEntry, RulePlace};
use crate::ConnectError;
use crate::connect::jsonc;

const NAME: &str = "gemini-cli";
const SHELL: ShellTool = ShellTool { name: "run_shell_command", argument: "/command" };
/// Conditions of a policy rule that no rule here can say.
const UNSAID: &[(&str, &str)] = &[
    ("argsPattern", "It compares arguments with a regular expression, which no rule has."),
    ("commandRegex", "It compares the command with a regular expression, which no rule has."),
    ("subagent", "It holds for one sub-agent only, and a rule cannot name one."),
    ("toolAnnotations", "It goes by what a server says of its own tool."),
    ("interactive", "It holds only with or without a terminal, which a rule cannot tell."),
];
/// Every mode that Gemini CLI has. A rule that names all of them holds always.
const MODES: &[&str] = &["default", "autoEdit", "yolo", "plan"];

/// How much each of the lists counts.
pub(super) struct Weights {
    pub(super) allowed: u32,
    pub(super) trusted: u32,
    pub(super) denied: u32,
}

const WEIGHTS: Weights = Weights { allowed: 4300, trusted: 4200, denied: 4400 };

/// The entries of a settings file.
pub(crate) fn settings(text: &str, place: &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError> {
    let root = jsonc::value(text)?.unwrap_or_default();
    let mut entries = Entries::new(NAME, place);
    tool_lists(&mut entries, &root, &WEIGHTS)?;
    Ok(entries.done())
}

/// The lists of tools, as Qwen Code has them from Gemini CLI.
pub(super) fn tool_lists(entries: &mut Entries<'_>, root: &Value, weights: &Weights) -> Result<(), ConnectError> {
    let empty = Map::new();
    let tools = object(root, "tools")?.unwrap_or(&empty);
    let old = root.as_object().unwrap_or(&empty);
    for (lists, key, place) in [(tools, "allowed", "tools.allowed"), (old, "allowedTools", "allowedTools")] {
        for text in strings(lists, key, place)? {
            of_tool(entries, &format!("{place}: {text}"), &text, Action::Allow, weights.allowed);
        }
    }
    for (lists, key, place) in [(tools, "exclude", "tools.exclude"), (old, "excludeTools", "excludeTools")] {
        for text in strings(lists, key, place)? {
            of_tool(entries, &format!("{place}: {text}"), &text, Action::Deny, weights.denied);
        }
    }
    for (lists, key, place) in [(tools, "core", "tools.core"), (old, "coreTools", "coreTools")] {
        if lists.get(key).is_some() {
            let reason = "It says which tools the agent offers to the model, not which run without a question.";
            entries.leave(place.to_owned(), reason);
        }
    }
    if let Some(mode) = tools.get("approvalMode").and_then(Value::as_str) {
        entries.leave(
            format!("tools.approvalMode = {mode}"),
            "It is a mode of the agent, which a preset of the policy stands for.",
        );
    }
    for server in strings(object(root, "mcp")?.unwrap_or(&empty), "excluded", "mcp.excluded")? {
        entries.add(
            &format!("mcp.excluded: {server}"),
            Action::Deny,
            (&server, weights.denied),
            server_named(&server, None),
        );
    }
    for (server, settings) in object(root, "mcpServers")?.into_iter().flatten() {
        if settings.get("trust") == Some(&Value::Bool(true)) {
            let text = format!("mcpServers.{server}.trust");
            entries.add(&text, Action::Allow, (server, weights.trusted), server_named(server, None));
        }
        let Some(settings) = settings.as_object() else { continue };
        let place = format!("mcpServers.{server}.excludeTools");
        for tool in strings(settings, "excludeTools", &place)? {
            entries.add(
                &format!("{place}: {tool}"),
                Action::Deny,
                (server, weights.denied),
                server_named(server, Some(&tool)),
            );
        }
    }
    Ok(())
}

/// `read_file`, `run_shell_command(git status)`, `ShellTool(git status)`.
fn of_tool(entries: &mut Entries<'_>, text: &str, tool: &str, action: Action, weight: u32) {
    let (name, detail) = match tool.strip_suffix(')').and_then(|tool| tool.split_once('(')) {
        Some((name, detail)) => (name.trim(), Some(detail.trim())),
        None => (tool.trim(), None),
    };
    let is_shell = matches!(name, "run_shell_command" | "ShellTool");
    let made = match detail {
        Some(command) if is_shell => about_commands(SHELL, command, Written::Prefix, action),
        None if is_shell => Ok((vec![Draft::tool(SHELL.name)], Vec::new())),
        None if name.starts_with("mcp_") => Err(OF_SERVER.to_owned()),
        None if is_name(name) => Ok((vec![Draft::tool(name)], Vec::new())),
        _ => Err("What stands in brackets has no counterpart in a rule.".to_owned()),
    };
    let about = match detail {
        Some(command) if is_shell => command::about(command),
        _ => if is_shell { "shell" } else { name }.to_owned(),
    };
    entries.add(text, action, (&about, weight), made);
}

const OF_SERVER: &str =
    "It joins server and tool with `_`, so that it is open where the one ends. Name the server with `mcpName`.";

fn server_named(server: &str, tool: Option<&str>) -> Result<(Vec<Draft>, Vec<String>), String> {
    match is_name(server) && tool.is_none_or(is_name) {
        true => Ok((vec![Draft::server(server, tool)], Vec::new())),
        false => Err("The name has signs that a rule would take for wildcards.".to_owned()),
    }
}

/// The entries of a policy file.
pub(crate) fn policies(text: &str, place: &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError> {
    let document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| ConnectError::Toml(error.to_string()))?;
    let mut entries = Entries::new(NAME, place);
    let rules = document.get("rule").and_then(Item::as_array_of_tables);
    for rule in rules.into_iter().flatten() {
        policy_rule(&mut entries, rule);
    }
    Ok(entries.done())
}

fn policy_rule(entries: &mut Entries<'_>, rule: &Table) {
    let shown = rule.iter().map(|(key, value)| format!("{key} = {}", value.to_string().trim()));
    let text = shown.collect::<Vec<_>>().join(", ");
    let action = match rule.get("decision").and_then(Item::as_str) {
        Some("allow") => Action::Allow,
        Some("ask_user") => Action::Ask,
        Some("deny") => Action::Deny,
        _ => return entries.leave(text, "Its decision is none of allow, ask_user and deny."),
    };
    // Users' policies come before those of the workspace.
    let tier = if entries.place().project.is_some() { 3000 } else { 4000 };
    let priority = rule.get("priority").and_then(Item::as_integer).and_then(|number| u32::try_from(number).ok());
    let weight = tier + priority.unwrap_or(0).min(999);
    let tools = texts(rule.get("toolName"));
    let prefixes = texts(rule.get("commandPrefix"));
    let is_shell = !prefixes.is_empty() || matches!(tools.as_slice(), [only] if only == SHELL.name);
    let server = rule.get("mcpName").and_then(Item::as_str);
    let about = match (server, tools.as_slice(), prefixes.as_slice()) {
        (Some(server), ..) => server.to_owned(),
        (None, _, [only]) => command::about(only),
        _ if is_shell => "shell".to_owned(),
        (None, [only], _) => only.clone(),
        _ => "*".to_owned(),
    };
    let mut notes = Vec::new();
    let modes = texts(rule.get("modes"));
    let in_some_modes = !modes.is_empty() && !MODES.iter().all(|mode| modes.iter().any(|named| named == mode));
    if in_some_modes {
        notes.push(format!("It holds in every mode of Gemini CLI, not only in {}.", modes.join(", ")));
    }
    let made = if let Some((_, reason)) = UNSAID.iter().find(|(key, _)| rule.contains_key(key)) {
        Err((*reason).to_owned())
    } else if in_some_modes && action < Action::Ask {
        Err("It holds in some modes of Gemini CLI only, and a rule cannot tell them apart.".to_owned())
    } else {
        of_policy(&tools, &prefixes, server, action)
    };
    let made = made.map(|(drafts, more)| (drafts, more.into_iter().chain(notes).collect()));
    entries.add(&text, action, (&about, weight), made);
}

fn of_policy(
    tools: &[String],
    prefixes: &[String],
    server: Option<&str>,
    action: Action,
) -> Result<(Vec<Draft>, Vec<String>), String> {
    let (mut drafts, mut notes) = (Vec::new(), Vec::new());
    if let Some(server) = server {
        if tools.is_empty() {
            return server_named(server, None);
        }
        for tool in tools {
            drafts.extend(server_named(server, Some(tool).filter(|tool| *tool != "*").map(String::as_str))?.0);
        }
    } else if !prefixes.is_empty() {
        if tools.iter().any(|tool| tool != SHELL.name) {
            return Err("It names a command beside a tool that runs none.".to_owned());
        }
        for prefix in prefixes {
            let (more, said) = about_commands(SHELL, prefix, Written::Prefix, action)?;
            drafts.extend(more);
            notes.extend(said);
        }
    } else {
        for tool in tools {
            match tool.as_str() {
                "*" => drafts.push(Draft::tool("*")),
                name if name.starts_with("mcp_") => return Err(OF_SERVER.to_owned()),
                name if is_name(name) => drafts.push(Draft::tool(name)),
                _ => return Err("It names no tool.".to_owned()),
            }
        }
    }
    if drafts.is_empty() { Err("It names no tool.".to_owned()) } else { Ok((drafts, notes)) }
}

/// One text, or a list of them.
fn texts(item: Option<&Item>) -> Vec<String> {
    match item {
        Some(item) => match (item.as_str(), item.as_array()) {
            (Some(text), _) => vec![text.to_owned()],
            (None, Some(list)) => list.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect(),
            (None, None) => Vec::new(),
        },
        None => Vec::new(),
    }
}
