//! Copilot CLI: what was approved for good in a folder, and its lists of addresses.
//!
//! Source: GitHub's documentation pages "Copilot CLI configuration directory" (`permissions-config.json`: `locations` by folder, each
//! with `tool_approvals` of the kinds `commands`, `read`, `write`, `mcp`, `memory`, `custom-tool` and others) and "Configure
//! Copilot CLI" (`allowedUrls`, `deniedUrls` of `settings.json`; `shell(git push)` names a command, `shell(git:*)` all that begin with
//! it). What it denies otherwise is said on its command line only.

use handraise_policy::Action;
use serde_json::{Map, Value};

use super::command::{self, ShellTool, Written, about_commands};
use super::path::escaped;
use super::values::{is_name, object, of_host, strings};
use super::{Draft, Entries, RuleEntry, RulePlace};
use crate::ConnectError;
use crate::connect::jsonc;

const NAME: &str = "copilot-cli";
const SHELL: ShellTool = ShellTool { name: "bash", argument: "/command" };

/// The entries of `permissions-config.json`.
pub(crate) fn approvals(text: &str, _: &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError> {
    let root = jsonc::value(text)?.unwrap_or_default();
    let mut all = Vec::new();
    for (folder, location) in object(&root, "locations")?.into_iter().flatten() {
        // Each holds in its own folder only.
        let place = RulePlace { project: Some(folder) };
        let mut entries = Entries::new(NAME, &place);
        for approval in location.get("tool_approvals").and_then(Value::as_array).into_iter().flatten() {
            if let Some(approval) = approval.as_object() {
                of_approval(&mut entries, folder, approval);
            }
        }
        all.extend(entries.done());
    }
    Ok(all)
}

fn of_approval(entries: &mut Entries<'_>, folder: &str, approval: &Map<String, Value>) {
    let field = |key: &str| approval.get(key).and_then(Value::as_str);
    let kind = field("kind").unwrap_or_default();
    let inside = [format!("{}/**", escaped(folder.trim_end_matches('/')))];
    let on_files =
        |tools: &[&str]| Ok((tools.iter().map(|tool| Draft::tool(tool).with_paths(&inside)).collect(), Vec::new()));
    let only_here = |made: Result<(Vec<Draft>, Vec<String>), String>| {
        made.map(|(drafts, notes)| (drafts, [vec!["Only files in that folder.".to_owned()], notes].concat()))
    };
    let text = format!("{folder}: {kind}");
    match kind {
        "commands" => {
            for command in approval.get("command_identifiers").and_then(Value::as_array).into_iter().flatten() {
                let Some(command) = command.as_str() else { continue };
                let made = match command.strip_suffix(":*") {
                    Some(prefix) => about_commands(SHELL, prefix, Written::Prefix, Action::Allow),
                    None if command.contains(['*', '?']) => {
                        Err("It has a wildcard whose meaning is not documented.".to_owned())
                    }
                    // Whether it also means further operands is not documented.
                    None => about_commands(SHELL, command, Written::Star, Action::Allow).map(|(drafts, _)| {
                        (
                            drafts,
                            vec![
                                "Without further operands: whether Copilot CLI means those too is not documented."
                                    .to_owned(),
                            ],
                        )
                    }),
                };
                entries.add(&format!("{text}: {command}"), Action::Allow, (&command::about(command), 0), made);
            }
        }
        "read" => entries.add(&text, Action::Allow, ("read", 0), only_here(on_files(&["view"]))),
        "write" => entries.add(&text, Action::Allow, ("write", 0), only_here(on_files(&["edit", "create"]))),
        "mcp" => {
            let (server, tool) = (field("serverName").unwrap_or_default(), field("toolName"));
            let made = match is_name(server) && tool.is_none_or(is_name) {
                true => Ok((vec![Draft::server(server, tool)], Vec::new())),
                false => Err("The name has signs that a rule would take for wildcards.".to_owned()),
            };
            let text = format!("{text}: {server}{}", tool.map(|tool| format!("/{tool}")).unwrap_or_default());
            entries.add(&text, Action::Allow, (server, 0), made);
        }
        _ => entries.leave(text, "It is about a kind of tool for which no rule is made here."),
    }
}

/// The entries of `settings.json`.
pub(crate) fn settings(text: &str, place: &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError> {
    let root = jsonc::value(text)?.unwrap_or_default();
    let empty = Map::new();
    let root = root.as_object().unwrap_or(&empty);
    let mut entries = Entries::new(NAME, place);
    let lists = [
        ("allowedUrls", Action::Allow, 0),
        ("allowed_urls", Action::Allow, 0),
        ("deniedUrls", Action::Deny, 1),
        ("denied_urls", Action::Deny, 1),
    ];
    for (key, action, weight) in lists {
        for url in strings(root, key, key)? {
            let made = of_address(&url, action).map(|(globs, notes)| {
                (globs.iter().map(|glob| Draft::tool("web_fetch").with_argument("/url", glob)).collect(), notes)
            });
            entries.add(&format!("{key}: {url}"), action, ("web_fetch", weight), made);
        }
    }
    Ok(entries.done())
}

/// `github.com`, `https://github.com`.
fn of_address(url: &str, action: Action) -> Result<(Vec<String>, Vec<String>), String> {
    let host = url.strip_prefix("https://").unwrap_or(url).trim_end_matches('/');
    of_host(host, action)
}
