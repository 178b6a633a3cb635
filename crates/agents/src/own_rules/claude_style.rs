//! The lists `permissions.allow`, `ask` and `deny` of Claude Code, and of Qwen Code, which has taken them over.
//!
//! Source: Claude Code's documentation page "Configure permissions" (2026-11, with 2.1.329): deny counts before ask, and ask before
//! allow; `Bash(npm run test:*)` and `Bash(npm run test *)` are prefixes that end with a word, `*` is any text, and of a
//! compound command each part has to match; `Read` and `Edit` take patterns of `.gitignore`, and no other file tool does;
//! `WebFetch(domain:…)`; `mcp__SERVER` and `mcp__SERVER__TOOL`. Qwen Code's page "Settings", section `permissions`, has the same
//! with names of its own beside.

use handraise_policy::Action;
use serde_json::Value;

use super::command::{self, ShellTool, Written, about_commands};
use super::path::{OneSlash, of_gitignore};
use super::values::{is_name, object, of_host, strings};
use super::{Draft, Entries, RuleEntry, RulePlace};
use crate::ConnectError;
use crate::connect::jsonc;

/// What the part in brackets is about.
#[derive(Clone, Copy)]
enum Detail {
    /// A command, of the argument with this pointer.
    Command(&'static str),
    /// A command in a language that is not read here.
    OtherShell(&'static str),
    /// Files that are read.
    Read,
    /// Files that are written.
    Write,
    /// `domain:HOST`, of the address at this pointer.
    Domain(&'static str),
    /// The value at this pointer.
    Argument(&'static str),
    /// Nothing that a rule could say.
    Unsaid,
}

/// One line of an agent's table.
struct Named {
    /// As the rules call it.
    names: &'static [&'static str],
    /// The tools that it means, as the agent's hook names them.
    tools: &'static [&'static str],
    detail: Detail,
}

const fn named(names: &'static [&'static str], tools: &'static [&'static str], detail: Detail) -> Named {
    Named { names, tools, detail }
}

const CLAUDE_CODE: &[Named] = &[
    named(&["Bash"], &["Bash"], Detail::Command("/command")),
    named(&["PowerShell"], &["PowerShell"], Detail::OtherShell("/command")),
    named(&["Read"], &["Read"], Detail::Read),
    named(&["Edit"], &["Edit", "Write"], Detail::Write),
    named(&["WebFetch"], &["WebFetch"], Detail::Domain("/url")),
    named(&["Agent", "Task"], &["Agent"], Detail::Argument("/subagent_type")),
];

const QWEN_CODE: &[Named] = &[
    named(&["Bash", "Shell", "ShellTool", "run_shell_command"], &["run_shell_command"], Detail::Command("/command")),
    named(&["Read", "ReadFile", "ReadFileTool", "read_file"], &["read_file"], Detail::Read),
    named(&["Edit", "EditTool", "edit"], &["edit", "write_file"], Detail::Write),
    named(&["Write", "WriteFile", "WriteFileTool", "write_file"], &["write_file"], Detail::Write),
    named(&["WebFetch", "WebFetchTool", "web_fetch"], &["web_fetch"], Detail::Domain("/url")),
    named(&["Grep", "SearchText", "grep_search"], &["grep_search"], Detail::Unsaid),
    named(&["Glob", "FindFiles", "glob"], &["glob"], Detail::Unsaid),
    named(&["ListFiles", "list_directory"], &["list_directory"], Detail::Unsaid),
];

/// The lists, the weakest first.
const LISTS: &[(&str, Action)] = &[("allow", Action::Allow), ("ask", Action::Ask), ("deny", Action::Deny)];

/// The entries of a settings file of Claude Code.
pub(crate) fn claude_code(text: &str, place: &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError> {
    let root = jsonc::value(text)?.unwrap_or_default();
    let mut entries = Entries::new("claude-code", place);
    lists(&mut entries, CLAUDE_CODE, &root)?;
    Ok(entries.done())
}

/// The entries of a settings file of Qwen Code, with the older lists that it shares with Gemini CLI.
pub(crate) fn qwen_code(text: &str, place: &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError> {
    let root = jsonc::value(text)?.unwrap_or_default();
    let mut entries = Entries::new("qwen-code", place);
    lists(&mut entries, QWEN_CODE, &root)?;
    // Their deny lists count before all that allows, too.
    super::gemini_cli::tool_lists(
        &mut entries,
        &root,
        &super::gemini_cli::Weights { allowed: 0, trusted: 0, denied: 2 },
    )?;
    Ok(entries.done())
}

fn lists(entries: &mut Entries<'_>, table: &[Named], root: &Value) -> Result<(), ConnectError> {
    let Some(permissions) = object(root, "permissions")? else { return Ok(()) };
    for (weight, (list, action)) in (0..).zip(LISTS) {
        for text in strings(permissions, list, &format!("permissions.{list}"))? {
            entry(entries, table, &text, *action, weight);
        }
    }
    if let Some(mode) = permissions.get("defaultMode").and_then(Value::as_str).filter(|mode| *mode != "default") {
        entries.leave(
            format!("defaultMode = {mode}"),
            "It is a mode of the agent, which a preset of the policy stands for.",
        );
    }
    for folder in strings(permissions, "additionalDirectories", "permissions.additionalDirectories")? {
        let reason =
            "It opens a folder to the agent and allows no call. A rule about paths can: `path = \"~/notes/**\"`.";
        entries.leave(format!("additionalDirectories: {folder}"), reason);
    }
    Ok(())
}

fn entry(entries: &mut Entries<'_>, table: &[Named], text: &str, action: Action, weight: u32) {
    let (name, detail) = divided(text);
    let known = table.iter().find(|named| named.names.contains(&name));
    let about = match (known.map(|named| named.detail), detail) {
        (Some(Detail::Command(_)), Some(detail)) => command::about(detail),
        (Some(Detail::Command(_) | Detail::OtherShell(_)), _) => "shell".to_owned(),
        (Some(Detail::Read), _) => "read".to_owned(),
        (Some(Detail::Write), _) => "write".to_owned(),
        // One server's tools are about the same calls whether one or all are named.
        _ => name.strip_prefix("mcp__").map_or(name, |rest| rest.split("__").next().unwrap_or(rest)).to_owned(),
    };
    let made = match (known, detail) {
        _ if name.starts_with("mcp__") => of_server(name, detail, action),
        (Some(named), Some(detail)) => in_brackets(named, detail, action, entries.place()),
        (Some(named), None) => Ok((named.tools.iter().map(|tool| Draft::tool(tool)).collect(), Vec::new())),
        (None, None) if is_name(name) || (name == "*" && action >= Action::Ask) => {
            Ok((vec![Draft::tool(name)], Vec::new()))
        }
        (None, None) => Err("It is no name of a tool.".to_owned()),
        (None, Some(_)) if matches!(name, "Write" | "MultiEdit" | "NotebookEdit" | "Glob" | "Grep") => Err(format!(
            "The agent looks at paths only in rules for Read and Edit, so `{name}` with a path matches nothing."
        )),
        (None, Some(_)) => Err(format!("What stands in brackets behind `{name}` is not known here.")),
    };
    entries.add(text, action, (&about, weight), made);
}

/// `Bash(git status)` as `Bash` and `git status`.
fn divided(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((name, detail)) => (name.trim(), Some(detail).filter(|detail| !matches!(*detail, "" | "*"))),
        None => (text, None),
    }
}

fn in_brackets(
    named: &Named,
    detail: &str,
    action: Action,
    place: &RulePlace<'_>,
) -> Result<(Vec<Draft>, Vec<String>), String> {
    let drafts =
        |tools: &[&str], make: &dyn Fn(Draft) -> Draft| tools.iter().map(|tool| make(Draft::tool(tool))).collect();
    match named.detail {
        Detail::Command(argument) => {
            let tool = ShellTool { name: named.tools.first().copied().unwrap_or("shell"), argument };
            match detail.strip_suffix(":*") {
                Some(prefix) if !prefix.contains('*') => about_commands(tool, prefix, Written::Prefix, action),
                _ => about_commands(tool, detail, Written::Star, action),
            }
        }
        Detail::OtherShell(_) if action < Action::Ask => {
            Err("Command lines of PowerShell are not read, so that no pattern can allow them.".to_owned())
        }
        Detail::OtherShell(argument) => {
            let glob = format!("*{}*", detail.trim_end_matches('*').trim_end_matches(':').trim());
            let note = "It is compared with the text of the whole command line, as PowerShell is not read.".to_owned();
            Ok((drafts(named.tools, &|draft| draft.with_argument(argument, &glob)), vec![note]))
        }
        Detail::Read | Detail::Write => {
            // From the project's folder, or from the one of the user's own settings.
            let root = place.project.map_or(OneSlash::Unknown, OneSlash::Folder);
            let (paths, notes) = of_gitignore(detail, root, action)?;
            let class = if matches!(named.detail, Detail::Read) { "file_read" } else { "file_write" };
            Ok(match action >= Action::Ask {
                true => (vec![Draft::default().with("class", class).with_paths(&paths)], notes),
                false => (drafts(named.tools, &|draft| draft.with_paths(&paths)), notes),
            })
        }
        Detail::Domain(argument) => {
            let host = detail.strip_prefix("domain:").ok_or("What stands in brackets is no `domain:`.")?.trim();
            let (globs, notes) = of_host(host, action)?;
            let by_tool = |glob: &String| drafts(named.tools, &|draft: Draft| draft.with_argument(argument, glob));
            Ok((globs.iter().flat_map(|glob: &String| -> Vec<Draft> { by_tool(glob) }).collect(), notes))
        }
        Detail::Argument(argument) if is_name(detail) => {
            Ok((drafts(named.tools, &|draft| draft.with_argument(argument, detail)), Vec::new()))
        }
        Detail::Argument(_) | Detail::Unsaid => Err("What stands in brackets has no counterpart in a rule.".to_owned()),
    }
}

/// `mcp__SERVER`, `mcp__SERVER__*`, `mcp__SERVER__TOOL`.
fn of_server(name: &str, detail: Option<&str>, action: Action) -> Result<(Vec<Draft>, Vec<String>), String> {
    if detail.is_some() {
        return Err("Of a tool of a server, the agent compares no arguments.".to_owned());
    }
    let rest = name.trim_start_matches("mcp__");
    let (server, tool) = rest.split_once("__").map_or((rest, None), |(server, tool)| (server, Some(tool)));
    if !(is_name(server) || server == "*" && action >= Action::Ask) {
        return Err("It names no server.".to_owned());
    }
    Ok((vec![Draft::server(server, tool.filter(|tool| !matches!(*tool, "" | "*")))], Vec::new()))
}
