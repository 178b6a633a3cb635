//! Codex: `rules/*.rules` beside a configuration, and what `config.toml` says about calls.
//!
//! Sources: its documentation pages "Rules" (`prefix_rule(pattern, decision, justification, match, not_match)`: compared with the
//! list of words, an element of `pattern` may be a list of alternatives; of several rules the strictest counts; the default is
//! `allow`) and "Configuration reference" (`approval_policy`, `sandbox_mode`, `projects.*.trust_level`, `mcp_servers.*`).

use handraise_policy::Action;
use toml_edit::{DocumentMut, Item, TableLike};

use super::command::words;
use super::starlark::{Call, Literal, calls};
use super::{Draft, Entries, RuleEntry, RulePlace};
use crate::ConnectError;

const NAME: &str = "codex";
/// Combinations of alternatives that are written out.
const MAX_COMBINATIONS: usize = 32;
/// Keys of a configuration that say how Codex asks, and why no rule says the same.
const MODES: &[(&str, &str)] = &[
    (
        "approval_policy",
        "It says when Codex asks. Handraise decides by risk and rules, whatever Codex would ask about.",
    ),
    ("approvals_reviewer", "It says who answers Codex's own questions."),
    (
        "sandbox_mode",
        "It is Codex's own sandbox, which stays in force. The walls of Handraise are `action = \"confine\"`.",
    ),
    ("default_permissions", "It is Codex's own sandbox, which stays in force."),
];

/// The entries of a file of rules.
pub(crate) fn rules(text: &str, place: &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError> {
    let mut entries = Entries::new(NAME, place);
    let (calls, unread) = calls(text);
    for call in &calls {
        match call.name.as_str() {
            "prefix_rule" => prefix_rule(&mut entries, call),
            _ => entries.leave(call.text.clone(), "It is no rule about the words of a command."),
        }
    }
    if let Some(unread) = unread {
        let text = text.lines().nth(unread.line - 1).unwrap_or_default().trim().to_owned();
        let reason = format!("From line {} on the file is a program, which is not run here.", unread.line);
        entries.leave(text, reason);
    }
    Ok(entries.done())
}

fn prefix_rule(entries: &mut Entries<'_>, call: &Call) {
    let argument = |key: &str| call.arguments.iter().find(|(name, _)| name == key).map(|(_, value)| value);
    let action = match argument("decision") {
        None => Some(Action::Allow),
        Some(Literal::Text(decision)) => match decision.as_str() {
            "allow" => Some(Action::Allow),
            "prompt" => Some(Action::Ask),
            "forbidden" => Some(Action::Deny),
            _ => None,
        },
        Some(_) => None,
    };
    let Some(action) = action else {
        return entries.leave(call.text.clone(), "Its decision is none of allow, prompt and forbidden.");
    };
    let known = ["pattern", "decision", "justification", "match", "not_match"];
    let made = match call.arguments.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        Some((key, _)) if action < Action::Ask => {
            Err(format!("It has the condition `{key}`, which is not known here."))
        }
        _ => argument("pattern").and_then(combinations).ok_or_else(|| {
            format!("Its pattern is no list of words with at most {MAX_COMBINATIONS} combinations of alternatives.")
        }),
    };
    let reason = match argument("justification") {
        Some(Literal::Text(reason)) => Some(reason.as_str()),
        _ => None,
    };
    let drafts = made.map(|all| {
        let draft = |words_of: &Vec<String>| {
            let draft = Draft::tool("shell").with("command", &format!("{} *", words(words_of)));
            reason.into_iter().fold(draft, |draft, reason| draft.with("reason", reason))
        };
        (all.iter().map(draft).collect(), Vec::new())
    });
    let weight = action as u32;
    entries.add(&call.text, action, ("shell", weight), drafts);
}

/// Every list of words that `pattern` stands for.
fn combinations(pattern: &Literal) -> Option<Vec<Vec<String>>> {
    let Literal::List(elements) = pattern else { return None };
    if elements.is_empty() {
        return None;
    }
    let mut all = vec![Vec::new()];
    for element in elements {
        let alternatives = match element {
            Literal::Text(word) => vec![word.clone()],
            Literal::List(words) => {
                let text = |word: &Literal| if let Literal::Text(word) = word { Some(word.clone()) } else { None };
                words.iter().map(text).collect::<Option<Vec<String>>>()?
            }
            Literal::Bare(_) => return None,
        };
        let longer = |known: &Vec<String>| -> Vec<Vec<String>> {
            alternatives.iter().map(|word| known.iter().chain([word]).cloned().collect()).collect()
        };
        all = all.iter().flat_map(longer).collect();
        if all.is_empty() || all.len() > MAX_COMBINATIONS {
            return None;
        }
    }
    Some(all)
}

/// The entries of `config.toml`.
pub(crate) fn configuration(text: &str, place: &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError> {
    let document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| ConnectError::Toml(error.to_string()))?;
    let mut entries = Entries::new(NAME, place);
    for (key, reason) in MODES {
        if let Some(value) = document.get(key) {
            entries.leave(format!("{key} = {}", plain(value)), *reason);
        }
    }
    let tables = |key: &str| document.get(key).and_then(Item::as_table_like).into_iter().flat_map(TableLike::iter);
    for (project, settings) in tables("projects") {
        if let Some(level) = settings.get("trust_level").and_then(Item::as_str) {
            let reason = "It says that Codex takes the project's own settings. It allows no call.";
            entries.leave(format!("projects.{project}.trust_level = {level}"), reason);
        }
    }
    for (server, settings) in tables("mcp_servers") {
        of_server(&mut entries, server, settings);
    }
    Ok(entries.done())
}

fn of_server(entries: &mut Entries<'_>, server: &str, settings: &Item) {
    let about = (server, Action::Deny as u32);
    for tool in settings.get("disabled_tools").and_then(Item::as_array).into_iter().flatten() {
        let Some(tool) = tool.as_str() else { continue };
        let text = format!("mcp_servers.{server}.disabled_tools: {tool}");
        entries.add(&text, Action::Deny, about, Ok((vec![Draft::server(server, Some(tool))], Vec::new())));
    }
    if settings.get("enabled_tools").is_some() {
        let reason = "It says which tools Codex offers to the model, not which run without a question.";
        entries.leave(format!("mcp_servers.{server}.enabled_tools"), reason);
    }
    let whole = ("default_tools_approval_mode".to_owned(), settings.get("default_tools_approval_mode"), None);
    let tools = settings.get("tools").and_then(Item::as_table_like).into_iter().flat_map(TableLike::iter);
    let each =
        tools.map(|(tool, of_tool)| (format!("tools.{tool}.approval_mode"), of_tool.get("approval_mode"), Some(tool)));
    for (key, mode, tool) in std::iter::once(whole).chain(each) {
        let Some(mode) = mode.and_then(Item::as_str) else { continue };
        let text = format!("mcp_servers.{server}.{key} = {mode}");
        // What is said of one tool counts before what is said of all.
        let weight = u32::from(tool.is_some());
        let made = Ok((vec![Draft::server(server, tool)], Vec::new()));
        match mode {
            "approve" => entries.add(&text, Action::Allow, (server, weight), made),
            "prompt" => entries.add(&text, Action::Ask, (server, weight), made),
            _ => entries.leave(text, "It leaves the choice to Codex."),
        }
    }
}

fn plain(value: &Item) -> String {
    value.clone().into_value().map(|value| value.decorated("", "").to_string()).unwrap_or_default()
}
