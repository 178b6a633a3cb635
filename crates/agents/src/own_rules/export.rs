//! Rules of a policy in the form that an agent keeps its own in.
//!
//! What allows is never wider there than here. The `*` behind a command of a rule means its harmless operands, and that of
//! an agent means any: such a rule is left out unless it is asked for by name. A rule that allows is also left out when a later
//! one that would take some of it back cannot be said.

use handraise_policy::Action;
use serde_json::{Map, Value, json};
use toml_edit::{DocumentMut, Item, Table};

use super::values::is_name;

/// What of a policy an agent's own form can say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// The text, for the file that `file` names.
    pub text: String,
    /// The agent's file, from the home folder.
    pub file: &'static str,
    /// The rules that are not in it, as one line each, and why.
    pub left: Vec<(String, String)>,
}

/// Why nothing can be exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The policy is no TOML.
    #[error("the policy cannot be read: {0}")]
    Toml(String),
    /// There is no form to say rules in.
    #[error("{0} keeps no rules in a form that is documented for writing; there is one for {names}", names = names().join(", "))]
    NoForm(String),
}

/// What a rule is about.
enum Subject {
    /// A command: its words, with `*` behind it or not.
    Command { words: String, any_operands: bool },
    /// Files, in a pattern of paths.
    Files { writes: bool, glob: String },
    /// A tool by its name.
    Tool(String),
    /// A server, or one of its tools.
    Server { server: String, tool: Option<String> },
}

/// What says one subject in an agent's form: a list's key and an entry of it, once or several times; or why it cannot be said.
type Entries = Result<Vec<(String, String)>, String>;

/// An agent's form.
struct Form {
    agent: &'static str,
    file: &'static str,
    /// Whether a command can be named without further operands.
    exact_commands: bool,
    /// One entry, or why there is none.
    entry: fn(&Subject) -> Entries,
    /// The text of the entries, in the order of the rules.
    write: fn(&[(Action, String, String)]) -> String,
}

const FORMS: &[Form] = &[
    Form {
        agent: "claude-code",
        file: ".claude/settings.json",
        exact_commands: true,
        entry: claude_code,
        write: lists,
    },
    Form { agent: "qwen-code", file: ".qwen/settings.json", exact_commands: true, entry: claude_code, write: lists },
    Form {
        agent: "opencode",
        file: ".config/opencode/opencode.json",
        exact_commands: true,
        entry: opencode,
        write: permission,
    },
    Form {
        agent: "gemini-cli",
        file: ".gemini/policies/handraise.toml",
        exact_commands: false,
        entry: gemini_cli,
        write: policies,
    },
    Form {
        agent: "codex",
        file: ".codex/rules/handraise.rules",
        exact_commands: false,
        entry: codex,
        write: prefix_rules,
    },
];

/// The agents that have a form.
fn names() -> Vec<&'static str> {
    FORMS.iter().map(|form| form.agent).collect()
}

/// What of the rules in `policy` can be said in the form of `agent`. With `wider` also what would allow more there.
///
/// # Errors
/// When the policy cannot be read or the agent has no form.
pub fn export(agent: &str, policy: &str, wider: bool) -> Result<Exported, ExportError> {
    let form = FORMS.iter().find(|form| form.agent == agent).ok_or_else(|| ExportError::NoForm(agent.to_owned()))?;
    let document: DocumentMut = policy.parse().map_err(|error| ExportError::Toml(format!("{error}")))?;
    let general = tables(document.get("rule"));
    let own = tables(document.get("agent").and_then(|agents| agents.get(agent)).and_then(|agent| agent.get("rule")));
    let rules: Vec<Table> = general.into_iter().chain(own).filter(|rule| concerns(rule, agent)).collect();
    let made: Vec<_> = rules.iter().map(|rule| (rule, said(rule, form, wider))).collect();
    let mut exported = Exported { file: form.file, ..Exported::default() };
    let mut entries = Vec::new();
    for (index, (rule, outcome)) in made.iter().enumerate() {
        let later = made.iter().skip(index + 1);
        let taken_back = later
            .into_iter()
            .find(|(later, outcome)| outcome.is_err() && action(later) != Some(Action::Allow) && may_meet(rule, later));
        match outcome {
            Ok((Action::Allow, _)) if taken_back.is_some() => {
                let reason = "A later rule, which may take some of it back, cannot be said there.";
                exported.left.push((shown(rule), reason.to_owned()));
            }
            Ok((action, said)) => entries.extend(said.iter().map(|(key, value)| (*action, key.clone(), value.clone()))),
            Err(reason) => exported.left.push((shown(rule), reason.clone())),
        }
    }
    exported.text = (form.write)(&entries);
    Ok(exported)
}

fn tables(item: Option<&Item>) -> Vec<Table> {
    match item {
        Some(Item::ArrayOfTables(tables)) => tables.iter().cloned().collect(),
        Some(item) => {
            let inline = item.as_array().into_iter().flatten();
            inline.filter_map(|rule| rule.as_inline_table().cloned().map(toml_edit::InlineTable::into_table)).collect()
        }
        None => Vec::new(),
    }
}

fn text<'a>(rule: &'a Table, key: &str) -> Option<&'a str> {
    rule.get(key).and_then(Item::as_str)
}

/// Whether a rule holds for `agent`, as far as its name says.
fn concerns(rule: &Table, agent: &str) -> bool {
    match rule.get("agents") {
        None => true,
        Some(item) => match (item.as_str(), item.as_array()) {
            (Some(name), _) => name == agent || name.contains('*'),
            (None, Some(names)) => {
                names.iter().filter_map(|name| name.as_str()).any(|name| name == agent || name.contains('*'))
            }
            (None, None) => true,
        },
    }
}

fn action(rule: &Table) -> Option<Action> {
    match text(rule, "action")? {
        "allow" => Some(Action::Allow),
        "confine" => Some(Action::Confine),
        "ask" => Some(Action::Ask),
        "deny" => Some(Action::Deny),
        _ => None,
    }
}

/// Whether one call can be about both rules, as far as it is plain that none can.
fn may_meet(one: &Table, other: &Table) -> bool {
    let program =
        |rule| text(rule, "command").and_then(|command| command.split(' ').next()).filter(|word| is_name(word));
    if let (Some(one), Some(other)) = (program(one), program(other)) {
        return one == other;
    }
    let (server, other_server) = (text(one, "server"), text(other, "server"));
    let is_of_no_server = |rule: &Table| rule.contains_key("command") || rule.contains_key("path");
    match (server, other_server) {
        (Some(one), Some(other)) => one == other || !is_name(one) || !is_name(other),
        (Some(_), None) => !is_of_no_server(other),
        (None, Some(_)) => !is_of_no_server(one),
        (None, None) => true,
    }
}

fn shown(rule: &Table) -> String {
    let keys = rule.iter().map(|(key, value)| format!("{key} = {}", value.to_string().trim()));
    keys.collect::<Vec<_>>().join(", ")
}

type Said = (Action, Vec<(String, String)>);

fn said(rule: &Table, form: &Form, wider: bool) -> Result<Said, String> {
    let action = action(rule).ok_or("It has no action.")?;
    if action == Action::Confine {
        return Err("It runs calls inside the walls of Handraise, which the agent does not have.".to_owned());
    }
    let subject = subject(rule)?;
    if let Subject::Command { any_operands, .. } = &subject
        && action == Action::Allow
        && !wider
        && (*any_operands || !form.exact_commands)
    {
        return Err("There it would allow more: any operand and option, also those that run or write something. \
                    `--wider` exports it all the same."
            .to_owned());
    }
    Ok((action, (form.entry)(&subject)?))
}

fn subject(rule: &Table) -> Result<Subject, String> {
    let silent =
        ["action", "reason", "match", "not_match", "final", "agents", "tool", "class", "command", "path", "server"];
    if let Some((key, _)) = rule.iter().find(|(key, _)| !silent.contains(key)) {
        return Err(format!("The agent has nothing like the condition `{key}`."));
    }
    if let Some(names) = rule.get("agents")
        && names.to_string().contains('*')
    {
        return Err("It names its agents by a pattern.".to_owned());
    }
    let (tool, class, server) = (text(rule, "tool"), text(rule, "class"), text(rule, "server"));
    match (text(rule, "command"), rule.get("path"), server) {
        (Some(command), None, None)
            if tool.is_none_or(|tool| matches!(tool, "shell" | "Bash" | "bash" | "run_shell_command")) =>
        {
            let (words, any_operands) = command.strip_suffix(" *").map_or((command, false), |words| (words, true));
            if words.contains(['*', '?', '\\', '\'', '"']) {
                return Err(
                    "Its pattern has wildcards or quotes inside, which the agent would read as text.".to_owned()
                );
            }
            Ok(Subject::Command { words: words.to_owned(), any_operands })
        }
        (None, Some(path), None) => {
            let writes = match (class, tool) {
                (Some("file_read"), None) | (None, Some("file_read" | "Read")) => false,
                (Some("file_write"), None) | (None, Some("file_write" | "Edit")) => true,
                _ => return Err("It is about files, and not only about reading or only about writing them.".to_owned()),
            };
            let glob = path.as_str().ok_or("It has several paths: write a rule for each.")?;
            Ok(Subject::Files { writes, glob: glob.to_owned() })
        }
        (None, None, Some(server)) if !server.contains(['*', '?']) => {
            let tool = tool.filter(|tool| *tool != "*").map(str::to_owned);
            Ok(Subject::Server { server: server.to_owned(), tool })
        }
        (None, None, None) => match (tool, class) {
            (Some(name), None) if is_name(name) => Ok(Subject::Tool(name.to_owned())),
            _ => Err("It names no single tool.".to_owned()),
        },
        _ => Err("It joins conditions that the agent has no entry for.".to_owned()),
    }
}

fn one(key: &str, value: String) -> Entries {
    Ok(vec![(key.to_owned(), value)])
}

const NO_FILES: &str = "Paths count from elsewhere there.";

fn claude_code(subject: &Subject) -> Entries {
    let entry = match subject {
        Subject::Command { words, any_operands: true } => format!("Bash({words}:*)"),
        Subject::Command { words, any_operands: false } => format!("Bash({words})"),
        Subject::Files { writes, glob } => {
            let tool = if *writes { "Edit" } else { "Read" };
            match glob.as_bytes().first() {
                Some(b'/') => format!("{tool}(/{glob})"),
                Some(b'~') => format!("{tool}({glob})"),
                // Where a rule allows, the one would mean another folder; where it denies, the wider one does no harm.
                _ => return Err(NO_FILES.to_owned()),
            }
        }
        Subject::Tool(name) if name == "shell" => "Bash".to_owned(),
        Subject::Tool(name) => own_tool(name)?,
        Subject::Server { server, tool } => match tool {
            Some(tool) => format!("mcp__{server}__{tool}"),
            None => format!("mcp__{server}"),
        },
    };
    one("", entry)
}

/// A tool that is not a kind of tools.
fn own_tool(name: &str) -> Result<String, String> {
    match name {
        "shell" | "file_read" | "file_write" | "network" | "mcp" | "other" => {
            Err("It is about a kind of tools, and the agent names each.".to_owned())
        }
        name => Ok(name.to_owned()),
    }
}

/// `permissions` of a settings file.
fn lists(entries: &[(Action, String, String)]) -> String {
    let of = |wanted: Action| -> Value {
        entries.iter().filter(|(action, ..)| *action == wanted).map(|(.., entry)| json!(entry)).collect()
    };
    pretty(&json!({ "permissions": { "allow": of(Action::Allow), "ask": of(Action::Ask), "deny": of(Action::Deny) } }))
}

fn opencode(subject: &Subject) -> Entries {
    match subject {
        Subject::Command { words, any_operands } => {
            one("bash", if *any_operands { format!("{words} *") } else { words.clone() })
        }
        Subject::Files { writes, glob } => {
            // A `*` there goes on into folders, as `**` does here.
            let is_same = glob.strip_suffix("/**").is_some_and(|folder| !folder.contains(['*', '?', '[', '{', '\\']));
            match is_same && glob.starts_with(['/', '~']) {
                true => one(if *writes { "edit" } else { "read" }, glob.replace("/**", "/*")),
                false => Err(NO_FILES.to_owned()),
            }
        }
        Subject::Tool(name) if name == "shell" => one("bash", "*".to_owned()),
        Subject::Tool(name) => one(&own_tool(name)?, "*".to_owned()),
        Subject::Server { .. } => {
            Err("OpenCode joins server and tool to one name, whose parts cannot be told apart.".to_owned())
        }
    }
}

/// `permission` of `opencode.json`. The last that matches counts, there as here.
fn permission(entries: &[(Action, String, String)]) -> String {
    let mut tools = Map::new();
    for (action, tool, pattern) in entries {
        let patterns = tools.entry(tool.clone()).or_insert_with(|| json!({}));
        if let Some(patterns) = patterns.as_object_mut() {
            patterns.shift_remove(pattern);
            patterns.insert(pattern.clone(), json!(decision(*action, ["allow", "ask", "deny"])));
        }
    }
    pretty(&json!({ "permission": tools }))
}

fn gemini_cli(subject: &Subject) -> Entries {
    let quoted = |text: &str| Value::from(text).to_string();
    match subject {
        Subject::Command { words, .. } => {
            one("", format!("toolName = \"run_shell_command\"\ncommandPrefix = {}", quoted(words)))
        }
        Subject::Tool(name) if name == "shell" => one("", "toolName = \"run_shell_command\"".to_owned()),
        Subject::Tool(name) => one("", format!("toolName = {}", quoted(&own_tool(name)?))),
        Subject::Server { server, tool } => {
            let tool = tool.as_ref().map(|tool| format!("\ntoolName = {}", quoted(tool))).unwrap_or_default();
            one("", format!("mcpName = {}{tool}", quoted(server)))
        }
        Subject::Files { .. } => {
            Err("Gemini CLI compares paths with a regular expression of all arguments only.".to_owned())
        }
    }
}

/// A policy file. The highest priority counts, as the last rule does here.
fn policies(entries: &[(Action, String, String)]) -> String {
    let rules = entries.iter().zip(1_u32..).map(|((action, _, conditions), priority)| {
        let decision = decision(*action, ["allow", "ask_user", "deny"]);
        format!("[[rule]]\n{conditions}\ndecision = \"{decision}\"\npriority = {}\n", priority.min(999))
    });
    rules.collect::<Vec<_>>().join("\n")
}

fn codex(subject: &Subject) -> Entries {
    match subject {
        Subject::Command { words, .. } => {
            let words: Vec<&str> = words.split_whitespace().collect();
            one("", json!(words).to_string())
        }
        _ => Err("Codex has rules for commands only.".to_owned()),
    }
}

/// A file of rules. The strictest counts.
fn prefix_rules(entries: &[(Action, String, String)]) -> String {
    let rules = entries.iter().map(|(action, _, pattern)| {
        format!(
            "prefix_rule(pattern = {pattern}, decision = \"{}\")\n",
            decision(*action, ["allow", "prompt", "forbidden"])
        )
    });
    rules.collect()
}

fn decision(action: Action, [allow, ask, deny]: [&'static str; 3]) -> &'static str {
    match action {
        Action::Allow => allow,
        Action::Confine | Action::Ask => ask,
        Action::Deny => deny,
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).map(|text| text + "\n").unwrap_or_default()
}
