//! What a client would show of a tool call beside its input: text, changes of files, places, terminals (ACP, "Tool
//! Calls"). A person here sees the same.

use std::fmt::Write as _;

use serde_json::Value;

use super::terminals::Terminals;
use super::words::cut;
use crate::message::Message;
use crate::patch;

/// Kinds of calls whose changes of files are what the call does.
const CHANGING: &[&str] = &["edit", "delete", "move", "other"];
/// Longest text of a call that is shown beside its input, in characters.
const MAX_TEXT: usize = 2_000;
/// Longest of all that is shown beside the input, in characters: no more than a request takes, whatever they are.
const MAX_SHOWN: usize = 3_900;
/// Most places that are named.
const MAX_PLACES: usize = 50;

/// The changes of files that the call tells of, as a patch in the format of `apply_patch`. `None`: there are none, or not
/// all of them can be told so.
pub(super) fn changes(kind: &str, call: &Message) -> Option<String> {
    if !CHANGING.contains(&kind) {
        return None;
    }
    let content = call.value("content")?.as_array()?;
    let diffs = content.iter().filter(|piece| type_of(piece) == Some("diff"));
    let files = diffs.map(change).collect::<Option<Vec<String>>>()?;
    (!files.is_empty()).then(|| format!("*** Begin Patch\n{}*** End Patch\n", files.concat()))
}

fn type_of(piece: &Value) -> Option<&str> {
    piece.get("type")?.as_str()
}

/// One `diff`, of version 1 (`path`, `oldText`, `newText`) or 2 (`changes`, `patch`).
fn change(diff: &Value) -> Option<String> {
    if let Some(changes) = diff.get("changes").filter(|changes| !changes.is_null()) {
        let text = diff.get("patch").filter(|patch| patch.get("format").and_then(Value::as_str) == Some("git_patch"));
        let text = text.and_then(|patch| patch.get("text")?.as_str());
        return changed_files(changes.as_array()?, text);
    }
    let path = path(diff, "path")?;
    let new = diff.get("newText")?.as_str()?;
    match diff.get("oldText") {
        None | Some(Value::Null) => Some(format!("*** Add File: {path}\n{}", lines('+', new))),
        Some(old) => Some(format!("*** Update File: {path}\n@@\n{}{}", lines('-', old.as_str()?), lines('+', new))),
    }
}

/// A path that takes one line, as every path in a patch does.
fn path<'a>(of: &'a Value, field: &str) -> Option<&'a str> {
    let path = of.get(field)?.as_str()?;
    (path == path.trim() && !path.is_empty() && !path.chars().any(char::is_control)).then_some(path)
}

fn lines(mark: char, text: &str) -> String {
    text.lines().flat_map(|line| [mark.to_string(), line.to_owned(), "\n".to_owned()]).collect()
}

fn changed_files(changes: &[Value], patch: Option<&str>) -> Option<String> {
    let mut hunks = match patch {
        Some(text) => patch::git_files(text)?,
        None => Vec::new(),
    };
    let mut text = String::new();
    for change in changes {
        let path = path(change, "path")?;
        let at = hunks.iter().position(|file| is_named(path, file.path));
        let hunks = at.map(|at| hunks.swap_remove(at).lines).unwrap_or_default();
        let operation = change.get("operation")?.as_str()?;
        let _ = match (operation, hunks.is_empty()) {
            ("add", false) => write!(text, "*** Add File: {path}\n{hunks}"),
            ("modify", false) => write!(text, "*** Update File: {path}\n{hunks}"),
            ("delete", _) => writeln!(text, "*** Delete File: {path}"),
            ("move", _) => {
                let from = self::path(change, "oldPath")?;
                write!(text, "*** Update File: {from}\n*** Move to: {path}\n{hunks}")
            }
            // What comes into the file is not told, or the operation is one that a patch does not have.
            _ => return None,
        };
    }
    // What the patch says of further files is not told otherwise.
    (hunks.is_empty() && !text.is_empty()).then_some(text)
}

/// A patch names the file from some folder on.
fn is_named(path: &str, in_patch: &str) -> bool {
    path.strip_suffix(in_patch).is_some_and(|rest| rest.is_empty() || rest.ends_with('/') || in_patch.starts_with('/'))
}

/// What a person sees beside the input of a call. `has_content`: the content of the call is in its arguments already.
pub(super) fn beside(params: &Message, call: &Message, terminals: &Terminals, has_content: bool) -> Option<String> {
    let session = params.optional("sessionId").ok().flatten().unwrap_or_default();
    let mut parts = Vec::new();
    parts.extend(params.optional("description").ok().flatten().map(str::to_owned));
    let name = call.optional("name").ok().flatten().filter(|name| !name.trim().is_empty());
    parts.extend(name.map(|name| format!("Tool: {}", cut(name, 200))));
    let content = call.value("content").and_then(Value::as_array);
    for piece in content.into_iter().flatten() {
        match type_of(piece) {
            Some("terminal") => parts
                .extend(piece.get("terminalId").and_then(Value::as_str).and_then(|id| terminals.shown(session, id))),
            Some("content") if !has_content => {
                let text = piece.get("content").and_then(|content| content.get("text")?.as_str());
                parts.extend(text.map(|text| cut(text.trim(), MAX_TEXT)));
            }
            _ => {}
        }
    }
    let terminal = call.optional("terminalId").ok().flatten();
    parts.extend(terminal.and_then(|id| terminals.shown(session, id)));
    if !has_content {
        parts.extend(places(call));
    }
    parts.extend(answers(params));
    parts.retain(|part| !part.trim().is_empty());
    (!parts.is_empty()).then(|| cut(&parts.join("\n\n"), MAX_SHOWN))
}

/// The files that a call is about, and where in them.
fn places(call: &Message) -> Option<String> {
    let places = call.value("locations")?.as_array()?;
    let place = |place: &Value| {
        let path = place.get("path")?.as_str()?;
        let line = place.get("line").and_then(Value::as_u64);
        Some(line.map_or_else(|| path.to_owned(), |line| format!("{path}, line {line}")))
    };
    let mut lines: Vec<String> = places.iter().filter_map(place).take(MAX_PLACES).collect();
    if places.len() > MAX_PLACES {
        lines.push(format!("… ({} more)", places.len() - MAX_PLACES));
    }
    (!lines.is_empty()).then(|| format!("Files:\n{}", lines.join("\n")))
}

/// The answers that the agent offers, where they are not the usual four.
fn answers(params: &Message) -> Option<String> {
    let options = super::options(params).ok()?;
    let is_usual = |kind: &str| options.iter().filter(|option| option.kind == kind).count() <= 1;
    if options.iter().all(|option| option.is_known() && is_usual(&option.kind)) {
        return None;
    }
    let names = options.iter().map(|option| format!("{} ({})", cut(&option.name, 200), cut(&option.kind, 100)));
    Some(format!("The agent offers these answers:\n{}", names.collect::<Vec<_>>().join("\n")))
}
