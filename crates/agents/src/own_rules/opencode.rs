//! OpenCode: `permission` of `opencode.json`, and `permissions` of its second version.
//!
//! Sources: its documentation page "Permissions", for both versions: an action for each tool, or for each pattern of what the tool
//! is given; the last one that matches counts; `*` is any text, `/` included, `?` one character, and a last ` *` may be nothing;
//! `~` and `$HOME` at the beginning are the home folder; paths of the project count from its folder.

use handraise_policy::Action;
use serde_json::{Map, Value};

use super::command::{self, ShellTool, Written, about_commands};
use super::path::escaped;
use super::values::object;
use super::{Draft, Entries, RuleEntry, RulePlace};
use crate::ConnectError;
use crate::connect::jsonc;

const NAME: &str = "opencode";
const SHELL: ShellTool = ShellTool { name: "bash", argument: "/command" };

/// What the pattern behind a permission is about.
#[derive(Clone, Copy)]
enum Detail {
    Command,
    Read,
    Write,
    /// The value at this pointer of the arguments.
    Argument(&'static str),
    /// Nothing that a rule could say.
    Unsaid,
}

/// The permissions, and the tools that each covers (`opencode/mod.rs` has the same tools).
const TABLE: &[(&str, &[&str], Detail)] = &[
    ("bash", &["bash"], Detail::Command),
    ("shell", &["bash"], Detail::Command),
    ("read", &["read"], Detail::Read),
    ("edit", &["edit", "write", "multiedit", "apply_patch"], Detail::Write),
    ("list", &["list"], Detail::Unsaid),
    ("glob", &["glob"], Detail::Argument("/pattern")),
    ("grep", &["grep"], Detail::Argument("/pattern")),
    ("webfetch", &["webfetch"], Detail::Argument("/url")),
    ("websearch", &["websearch"], Detail::Argument("/query")),
    ("codesearch", &["codesearch"], Detail::Argument("/query")),
    ("task", &["task"], Detail::Argument("/subagent_type")),
    ("skill", &["skill"], Detail::Argument("/name")),
    ("lsp", &["lsp"], Detail::Unsaid),
    ("todoread", &["todoread"], Detail::Unsaid),
    ("todowrite", &["todowrite"], Detail::Unsaid),
];

/// The entries of a configuration.
pub(crate) fn configuration(text: &str, place: &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError> {
    let root = jsonc::value(text)?.unwrap_or_default();
    let mut entries = Entries::new(NAME, place);
    // Those of the user come first, so that the project's count.
    let weight = u32::from(place.project.is_some());
    match root.get("permission") {
        None | Some(Value::Null) => {}
        Some(Value::String(action)) => one(&mut entries, "*", None, action, weight),
        Some(Value::Object(permissions)) => of_object(&mut entries, permissions, weight),
        Some(_) => return Err(ConnectError::Shape { place: "permission".to_owned(), expected: "an object or a text" }),
    }
    for rule in root.get("permissions").and_then(Value::as_array).into_iter().flatten() {
        let field = |key| rule.get(key).and_then(Value::as_str);
        match (field("action"), field("resource"), field("effect")) {
            (Some(name), Some(pattern), Some(effect)) => one(&mut entries, name, Some(pattern), effect, weight),
            _ => entries.leave(rule.to_string(), "It lacks one of action, resource and effect."),
        }
    }
    for (tool, is_on) in object(&root, "tools")?.into_iter().flatten() {
        match is_on {
            Value::Bool(false) => one(&mut entries, tool, None, "deny", weight),
            _ => entries.leave(format!("tools.{tool}"), "It offers a tool to the model. It allows no call."),
        }
    }
    for (agent, settings) in object(&root, "agent")?.into_iter().flatten() {
        if settings.get("permission").is_some() || settings.get("permissions").is_some() {
            let reason = "It holds for one of OpenCode's own agents, and a rule cannot name one.";
            entries.leave(format!("agent.{agent}.permission"), reason);
        }
    }
    Ok(entries.done())
}

fn of_object(entries: &mut Entries<'_>, permissions: &Map<String, Value>, weight: u32) {
    for (name, said) in permissions {
        match said {
            Value::String(action) => one(entries, name, None, action, weight),
            Value::Object(patterns) => {
                for (pattern, action) in patterns {
                    one(entries, name, Some(pattern), action.as_str().unwrap_or_default(), weight);
                }
            }
            _ => entries.leave(format!("permission.{name}"), "It is neither an action nor a list of patterns."),
        }
    }
}

fn one(entries: &mut Entries<'_>, name: &str, pattern: Option<&str>, action: &str, weight: u32) {
    let shown = pattern.map(|pattern| format!(" \"{pattern}\"")).unwrap_or_default();
    let text = format!("{name}{shown}: {action}");
    let action = match action {
        "allow" => Action::Allow,
        "ask" => Action::Ask,
        "deny" => Action::Deny,
        _ => return entries.leave(text, "Its action is none of allow, ask and deny."),
    };
    let pattern = pattern.filter(|pattern| !matches!(*pattern, "*" | "**"));
    let made = match (name, TABLE.iter().find(|(known, ..)| *known == name)) {
        ("*", _) if pattern.is_none() => Ok((vec![Draft::tool("*")], Vec::new())),
        ("external_directory", _) => outside(pattern, action),
        (_, Some((_, tools, detail))) => match pattern {
            None => Ok((tools.iter().map(|tool| Draft::tool(tool)).collect(), Vec::new())),
            Some(pattern) => with_pattern(tools, *detail, pattern, action, entries.place()),
        },
        _ => {
            Err("It is no permission that is known here. A tool of a server is named by `server` and `tool` in a rule."
                .to_owned())
        }
    };
    let about = match (name, pattern) {
        ("bash" | "shell", Some(pattern)) => command::about(pattern),
        ("bash" | "shell", None) => "shell".to_owned(),
        // It is asked beside the permission of the tool, which does not loosen it.
        (name, _) => name.to_owned(),
    };
    entries.add(&text, action, (&about, weight), made);
}

fn with_pattern(
    tools: &[&str],
    detail: Detail,
    pattern: &str,
    action: Action,
    place: &RulePlace<'_>,
) -> Result<(Vec<Draft>, Vec<String>), String> {
    match detail {
        Detail::Command => about_commands(SHELL, pattern, Written::StarAndOne, action),
        Detail::Argument(pointer) => {
            Ok((tools.iter().map(|tool| Draft::tool(tool).with_argument(pointer, pattern)).collect(), Vec::new()))
        }
        Detail::Read | Detail::Write if action >= Action::Ask => {
            let class = if matches!(detail, Detail::Read) { "file_read" } else { "file_write" };
            let (paths, notes) = wide(pattern);
            Ok((vec![Draft::default().with("class", class).with_paths(&paths)], notes))
        }
        Detail::Read | Detail::Write => {
            let path = narrow(pattern, place)?;
            // What a patch touches stands in its text.
            let tools = tools.iter().filter(|tool| !matches!(**tool, "multiedit" | "apply_patch"));
            Ok((tools.map(|tool| Draft::tool(tool).with_paths(std::slice::from_ref(&path))).collect(), Vec::new()))
        }
        Detail::Unsaid => Err("What it compares the pattern with has no counterpart in a rule.".to_owned()),
    }
}

/// A path that a rule may allow. `*` of a rule stays within a folder, so it is never wider.
fn narrow(pattern: &str, place: &RulePlace<'_>) -> Result<String, String> {
    if pattern.contains(['[', '{', '\\']) || pattern.split('/').any(|part| part == "..") {
        return Err("It has signs that OpenCode and a rule read differently.".to_owned());
    }
    if let Some(rest) = pattern.strip_prefix("$HOME/") {
        return Ok(format!("~/{rest}"));
    }
    match (pattern.starts_with(['/', '~']), place.project) {
        (true, _) => Ok(pattern.to_owned()),
        (false, Some(project)) => Ok(format!("{}/{pattern}", escaped(project))),
        (false, None) => {
            Err("It counts from the folder of whatever project OpenCode runs in, which may be none. Write it \
                              into the project's own `opencode.json`."
                .to_owned())
        }
    }
}

/// A path that a rule asks about or denies: as wide as OpenCode's, where a `*` also stands for folders.
fn wide(pattern: &str) -> (Vec<String>, Vec<String>) {
    let pattern = pattern.strip_prefix("$HOME/").map_or(pattern.to_owned(), |rest| format!("~/{rest}"));
    let based = match pattern.starts_with(['/', '~']) || pattern.starts_with("**") {
        true => pattern,
        false => format!("**/{pattern}"),
    };
    let stars = based.trim_start_matches("**/").matches('*').count();
    let ends_open = based.ends_with("/*") || based.ends_with("/**");
    let whole = based.strip_suffix("/*").map_or(based.clone(), |folder| format!("{folder}/**"));
    let is_exact = stars == 0 || (stars <= 2 && ends_open) || !based.trim_start_matches("**/").contains('/');
    let note = "A `*` of a rule stays within a folder, and OpenCode's goes on into the folders in it: write `**` where it should.";
    (vec![whole], if is_exact { Vec::new() } else { vec![note.to_owned()] })
}

/// What lies outside the project.
fn outside(pattern: Option<&str>, action: Action) -> Result<(Vec<Draft>, Vec<String>), String> {
    match (action >= Action::Ask, pattern) {
        (false, _) => Err("It opens a folder to OpenCode and allows no call.".to_owned()),
        (true, None) => Ok((vec![Draft::default().with("path_in", "outside")], Vec::new())),
        (true, Some(pattern)) => {
            let (paths, notes) = wide(pattern);
            Ok((vec![Draft::default().with_paths(&paths)], notes))
        }
    }
}
