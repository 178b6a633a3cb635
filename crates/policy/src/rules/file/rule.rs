//! A rule of the file.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::diagnostic::Severity;
use super::examples::check_examples;
use super::reader::{Reader, Value};
use super::tasks::read_tasks;
use crate::rules::action::Action;
use crate::rules::condition::RISKS;
use crate::rules::condition::{
    Area, Argument, CLASSES, Conditions, Expiry, Glob, PathGlob, Pattern, ProgramCondition, Tool, Undo, check_pointer,
};
use crate::rules::rule::Rule;
use handraise_display::has_hidden;
use handraise_shell::CommandPattern;

/// The words for actions.
pub(super) const ACTIONS: &[(&str, Action)] =
    &[("allow", Action::Allow), ("confine", Action::Confine), ("ask", Action::Ask), ("deny", Action::Deny)];
/// The words for places.
const PLACES: &[(&str, Area)] = &[
    ("project", Area::Project),
    ("outside", Area::Outside),
    ("control", Area::Control),
    ("scratch", Area::Scratch),
    ("temporary", Area::Temporary),
];
/// The keys of a rule.
const KEYS: &[&str] = &[
    "pattern",
    "tool",
    "class",
    "server",
    "arguments",
    "command",
    "command_line",
    "program",
    "undo",
    "tasks",
    "path",
    "path_in",
    "agents",
    "users",
    "projects",
    "risk",
    "tags",
    "expires",
    "action",
    "final",
    "reason",
    "match",
    "not_match",
];
/// The words for `program`.
const PROGRAMS: &[(&str, ProgramCondition)] = &[
    ("unknown", ProgramCondition::Unknown),
    ("works_on_files", ProgramCondition::WorksOnFiles),
    ("publishes", ProgramCondition::Publishes),
];
/// The words for `undo`.
const UNDO: &[(&str, Undo)] = &[("kept", Undo::Kept), ("renewed", Undo::Renewed), ("own", Undo::Own)];
/// Longest reason, in bytes.
const MAX_REASON: usize = 1000;
/// Longest command line of a rule, in bytes; nobody reads a longer one in a policy file.
pub(crate) const MAX_COMMAND_LINE: usize = 4096;

/// A rule with the places of its keys, for the lint.
pub(super) struct ReadRule {
    pub(super) rule: Rule,
    /// Its number in its table, from 1.
    pub(super) number: usize,
    /// Where it begins.
    pub(super) span: Range<usize>,
    /// Where its command pattern stands.
    pub(super) command: Option<Range<usize>>,
    /// Where its expiry stands.
    pub(super) expires: Option<Range<usize>>,
    /// Where its agents stand.
    pub(super) agents: Option<Range<usize>>,
}

/// The general rules of `text` alone; none where anything is wrong with it.
pub(in crate::rules) fn rules_of(text: &str) -> Vec<Rule> {
    let mut reader = Reader::new(text);
    let Ok(document) = DeTable::parse(text) else { return Vec::new() };
    let rules = document.get_ref().get("rule").map(|value| read_rules(&mut reader, value)).unwrap_or_default();
    let is_sound = reader.diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error);
    if is_sound { rules.into_iter().map(|read| read.rule).collect() } else { Vec::new() }
}

/// Reads the rules of one table.
pub(super) fn read_rules(reader: &mut Reader<'_>, value: &Value<'_>) -> Vec<ReadRule> {
    let values = reader.list("rule", value, "a list of rules");
    let mut rules = Vec::new();
    for (index, value) in values.into_iter().enumerate() {
        reader.rule = Some(index + 1);
        let Some(table) = reader.table("rule", value) else { continue };
        rules.extend(read_rule(reader, table, index + 1, value.span()));
    }
    reader.rule = None;
    rules
}

fn read_rule(reader: &mut Reader<'_>, table: &DeTable<'_>, number: usize, span: Range<usize>) -> Option<ReadRule> {
    let span = reader.first_line(&span);
    let errors = reader.diagnostics.len();
    for (key, _) in table.iter().filter(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())) {
        reader.unknown_key(key, "a rule", KEYS);
    }
    let conditions = read_conditions(reader, table);
    let action = match table.get("action") {
        Some(value) => reader.word("action", value, ACTIONS),
        None => {
            let help = "add `action = \"allow\"`, `\"confine\"`, `\"ask\"` or `\"deny\"`".to_owned();
            reader.error("missing_action", span.clone(), "the rule has no action".to_owned(), Some(help));
            None
        }
    };
    let is_final = read_final(reader, table, action);
    if conditions.program.is_some() && action == Some(Action::Allow) {
        let help = "write `action = \"confine\"`, or name the program: `command = \"frobnicate *\"`".to_owned();
        let message = "a rule cannot allow programs without naming them".to_owned();
        reader.error("program_allowed", span.clone(), message, Some(help));
    }
    if conditions.undo.is_some() && action.is_some_and(|action| action != Action::Allow) {
        let help = "leave `undo` out, or write `action = \"allow\"`".to_owned();
        let message = "only a rule that allows can ask for what can be undone".to_owned();
        reader.error("undo_not_allowed", span.clone(), message, Some(help));
    }
    check_tasks(reader, &conditions, action, &span);
    let reason = table.get("reason").and_then(|value| read_reason(reader, value));
    if conditions == Conditions::default() && reader.diagnostics.len() == errors {
        let help = "say what it is about, as `tool = \"shell\"`; `pattern = \"*\"` is every tool".to_owned();
        reader.error("no_condition", span.clone(), "the rule has no condition".to_owned(), Some(help));
    }
    let action = action?;
    if reader.diagnostics.len() != errors {
        return None;
    }
    let line = u32::try_from(reader.position(span.start).0).ok();
    let rule = Rule::with(conditions, action, reason, is_final, line);
    check_examples(reader, table, &rule);
    let place = |key: &str| table.get(key).map(toml::Spanned::span);
    let (command, expires, agents) = (place("command"), place("expires"), place("agents"));
    (reader.diagnostics.len() == errors).then_some(ReadRule { rule, number, span, command, expires, agents })
}

/// What holds tasks loosens, and only for the commands that it names: what is no task is not held by them.
fn check_tasks(reader: &mut Reader<'_>, conditions: &Conditions, action: Option<Action>, span: &Range<usize>) {
    if conditions.tasks.is_empty() {
        return;
    }
    if action.is_some_and(|action| action != Action::Allow) {
        let help = "leave `tasks` out, or write `action = \"allow\"`".to_owned();
        let message = "only a rule that allows can say what tasks run".to_owned();
        reader.error("tasks_not_allowed", span.clone(), message, Some(help));
    }
    if conditions.command.is_none() && conditions.command_line.is_none() {
        let help = "add `command = \"make test *\"`, or the whole `command_line`".to_owned();
        let message = "a rule with `tasks` names no command".to_owned();
        reader.error("tasks_without_command", span.clone(), message, Some(help));
    }
}

fn read_final(reader: &mut Reader<'_>, table: &DeTable<'_>, action: Option<Action>) -> bool {
    let Some(value) = table.get("final") else { return false };
    let is_final = reader.boolean("final", value) == Some(true);
    if is_final && action.is_some_and(|action| action < Action::Ask) {
        let help = "leave `final` out; only `ask` and `deny` can be final".to_owned();
        let message = "a rule that allows or confines cannot be final: a later denial must hold".to_owned();
        reader.error("final_allow", value.span(), message, Some(help));
    }
    is_final
}

fn read_reason(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<String> {
    let reason = reader.string("reason", value)?;
    if reason.len() > MAX_REASON {
        let message = format!("the reason is longer than {MAX_REASON} bytes");
        reader.error("reason_too_long", value.span(), message, Some("shorten it to a sentence or two".to_owned()));
    }
    Some(reason.to_owned())
}

fn read_conditions(reader: &mut Reader<'_>, table: &DeTable<'_>) -> Conditions {
    let mut conditions = Conditions::default();
    if let Some(value) = table.get("pattern") {
        conditions.pattern = made(reader, "pattern", value, Pattern::new, "write `*` to match every tool");
    }
    if let Some(value) = table.get("tool") {
        conditions.tool = made(reader, "tool", value, Tool::new, "write a tool's name, or a class as \"shell\"");
    }
    if let Some(value) = table.get("class") {
        conditions.class = reader.word("class", value, CLASSES);
    }
    if let Some(value) = table.get("server") {
        conditions.server = made(reader, "server", value, Glob::of_names, "write the name of an MCP server");
    }
    if let Some(value) = table.get("arguments") {
        conditions.arguments = read_arguments(reader, value);
    }
    if let Some(value) = table.get("command") {
        let help = "write one simple command, as `git status *`; one rule for each";
        conditions.command = made(reader, "command", value, CommandPattern::parse, help);
    }
    if let Some(value) = table.get("program") {
        conditions.program = reader.word("program", value, PROGRAMS);
    }
    if let Some(value) = table.get("undo") {
        conditions.undo = reader.word("undo", value, UNDO);
    }
    if let Some(value) = table.get("command_line") {
        let help = "write the whole command line as it is typed; it is no pattern";
        conditions.command_line = made(reader, "command_line", value, command_line, help);
    }
    if let Some(value) = table.get("tasks") {
        conditions.tasks = read_tasks(reader, value);
    }
    if let Some(value) = table.get("path") {
        conditions.path.globs = made_list(reader, "path", value, PathGlob::new, PATH_HELP);
    }
    if let Some(value) = table.get("path_in") {
        conditions.path.place = reader.word("path_in", value, PLACES);
    }
    let name_help = "write a name, or a glob as \"claude-*\"";
    for (key, globs) in
        [("agents", &mut conditions.agents), ("users", &mut conditions.users), ("tags", &mut conditions.tags)]
    {
        if let Some(value) = table.get(key) {
            *globs = made_list(reader, key, value, Glob::of_names, name_help);
        }
    }
    if let Some(value) = table.get("projects") {
        conditions.projects = made_list(reader, "projects", value, project, PROJECT_HELP);
    }
    if let Some(value) = table.get("risk") {
        let words = reader.strings("risk", value);
        conditions.risk =
            words.into_iter().filter_map(|(word, span)| reader.known_word("risk", word, span, RISKS)).collect();
    }
    if let Some(value) = table.get("expires") {
        conditions.expires = read_expiry(reader, value);
    }
    conditions
}

const PATH_HELP: &str = "write a glob as \"src/**\" (in the project), \"~/notes/*\" or \"/etc/**\"";
const PROJECT_HELP: &str = "write a folder as \"~/work/**\" or \"/srv/app\"";

/// Every character of it counts, so that each has to be seen.
fn command_line(text: &str) -> Result<String, String> {
    match text {
        _ if text.trim().is_empty() => Err("the command line is empty".to_owned()),
        _ if text.len() > MAX_COMMAND_LINE => Err(format!("the command line is longer than {MAX_COMMAND_LINE} bytes")),
        _ if has_hidden(text) => Err("it contains characters that cannot be seen".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// A project is a folder somewhere, not a path inside a project.
fn project(text: &str) -> Result<PathGlob, String> {
    if !text.starts_with(['/', '~']) && !text.starts_with("**") {
        return Err("a project folder begins with `/`, `~/` or `**/`".to_owned());
    }
    PathGlob::new(text).map_err(|error| error.to_string())
}

/// What `make` makes of a text.
fn made<T, E: std::fmt::Display>(
    reader: &mut Reader<'_>,
    key: &str,
    value: &Value<'_>,
    make: impl Fn(&str) -> Result<T, E>,
    help: &str,
) -> Option<T> {
    let text = reader.string(key, value)?;
    made_of(reader, key, text, value.span(), make, help)
}

fn made_list<T, E: std::fmt::Display>(
    reader: &mut Reader<'_>,
    key: &str,
    value: &Value<'_>,
    make: impl Fn(&str) -> Result<T, E>,
    help: &str,
) -> Vec<T> {
    let texts = reader.strings(key, value);
    texts.into_iter().filter_map(|(text, span)| made_of(reader, key, text, span, &make, help)).collect()
}

fn made_of<T, E: std::fmt::Display>(
    reader: &mut Reader<'_>,
    key: &str,
    text: &str,
    span: Range<usize>,
    make: impl Fn(&str) -> Result<T, E>,
    help: &str,
) -> Option<T> {
    match make(text) {
        Ok(made) => Some(made),
        Err(error) => {
            let text = error.to_string();
            let (message, own_help) = in_two(&text);
            reader.error(&format!("bad_{key}"), span, message.to_owned(), Some(own_help.unwrap_or(help).to_owned()));
            None
        }
    }
}

/// What is wrong and what to do, where one sentence says both.
pub(super) fn in_two(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once("; ") {
        Some((message, help)) => (message, Some(help)),
        None => (text, None),
    }
}

fn read_arguments(reader: &mut Reader<'_>, value: &Value<'_>) -> Vec<Argument> {
    let Some(table) = reader.table("arguments", value) else { return Vec::new() };
    if table.is_empty() {
        let help = "write `arguments = { \"/path\" = \"*.md\" }`".to_owned();
        reader.error("empty_list", value.span(), "`arguments` names no argument".to_owned(), Some(help));
    }
    let mut arguments = Vec::new();
    for (pointer, glob) in table {
        let text = pointer.get_ref();
        if let Err(error) = check_pointer(text) {
            let help = format!(
                "write `\"/{}\"`, or `\"/files/0/name\"` for something further inside",
                text.trim_start_matches('/')
            );
            reader.error("bad_pointer", pointer.span(), error.to_string(), Some(help));
            continue;
        }
        let make = |glob: &str| Argument::new(text, glob);
        arguments.extend(made(reader, "arguments", glob, make, "write a glob; `*` is any text"));
    }
    arguments
}

fn read_expiry(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Expiry> {
    let text = match value.get_ref() {
        DeValue::Datetime(time) => time.to_string(),
        _ => reader.string("expires", value)?.to_owned(),
    };
    let help = "write a date as \"2027-01-31\", or a time with its zone as \"2027-01-31T18:00:00Z\"";
    made_of(reader, "expires", &text, value.span(), Expiry::new, help)
}
