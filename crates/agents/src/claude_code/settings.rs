//! Claude Code's settings files (documentation page "Hooks reference", section "Configuration").

use serde_json::{Map, Value, json};

use super::NAME;
use crate::connect::{ConnectError, ConnectOptions, Connection, Handler};
use crate::jsonc::{self, Step};

/// Claude Code gives all `SessionEnd` hooks together 1.5 seconds.
const SESSION_END_SECONDS: u32 = 2;
/// The first version that knows `"onFailure": "block"`. What earlier ones make of the key is not known.
const BLOCKS_ON_FAILURE_FROM: [u32; 3] = [2, 1, 295];
/// Events that [`connect`] may have put a hook into.
const EVENTS: &[&str] = &["PreToolUse", "PermissionRequest", "SessionEnd"];

pub(super) fn connect(settings: &str, options: &ConnectOptions) -> Result<String, ConnectError> {
    check(options)?;
    let wanted = wanted(options);
    if own(settings)? == wanted {
        return Ok(settings.to_owned());
    }
    let mut text = disconnect(settings)?;
    for (event, group) in wanted {
        text = add(&text, event, &group)?;
    }
    Ok(text)
}

pub(super) fn disconnect(settings: &str) -> Result<String, ConnectError> {
    let mut text = settings.to_owned();
    while let Some(place) = places(&object(&text)?)?.pop() {
        let mut path = vec![Step::Key("hooks"), Step::Key(place.event), Step::Index(place.group)];
        if !place.alone {
            path.extend([Step::Key("hooks"), Step::Index(place.handler)]);
        }
        text = jsonc::remove(&text, &path)?;
    }
    Ok(text)
}

pub(super) fn connection(settings: &str) -> Result<Option<Connection>, ConnectError> {
    let root = object(settings)?;
    let asking = places(&root)?.into_iter().find(|place| place.event != "SessionEnd");
    let Some(place) = asking else { return Ok(None) };
    let Some(handler) = handler(&place.value) else { return Ok(None) };
    let is_true = |key: &str| root.get(key) == Some(&Value::Bool(true));
    Ok(Some(Connection {
        handler,
        every_call: place.event == "PreToolUse" && place.matches_all,
        timeout_seconds: place.value.get("timeout").and_then(Value::as_u64),
        on_failure_block: place.value.get("onFailure").is_some_and(|value| value == "block"),
        switched_off: is_true("disableAllHooks"),
    }))
}

/// `version` is what `claude --version` prints: `2.1.329 (Claude Code)`.
pub(super) fn can_block_on_failure(version: &str) -> bool {
    let number = version.split_whitespace().next().unwrap_or_default();
    let parts: Option<Vec<u32>> = number.split('.').map(|part| part.parse().ok()).collect();
    parts.is_some_and(|parts| parts.len() == 3 && parts.as_slice() >= BLOCKS_ON_FAILURE_FROM.as_slice())
}

fn check(options: &ConnectOptions) -> Result<(), ConnectError> {
    if options.http.is_some() && !options.on_failure_block {
        return Err(ConnectError::HttpFailsOpen);
    }
    if runs_this(&options.command) { Ok(()) } else { Err(ConnectError::Command(options.command.clone())) }
}

/// The hook groups that the settings shall hold, with their events.
fn wanted(options: &ConnectOptions) -> Vec<(&'static str, Value)> {
    let asking = if options.only_what_agent_asks { "PermissionRequest" } else { "PreToolUse" };
    let mut ask = handler_object(options, options.timeout_seconds);
    if options.on_failure_block {
        ask.insert("onFailure".to_owned(), "block".into());
    }
    let end = handler_object(options, SESSION_END_SECONDS);
    vec![(asking, json!({ "matcher": "*", "hooks": [ask] })), ("SessionEnd", json!({ "hooks": [end] }))]
}

fn handler_object(options: &ConnectOptions, timeout_seconds: u32) -> Map<String, Value> {
    let handler = match &options.http {
        Some(http) => json!({
            "type": "http",
            "url": http.url,
            "headers": { "Authorization": format!("Bearer {}", http.token) },
            "timeout": timeout_seconds,
        }),
        None => json!({ "type": "command", "command": options.command, "timeout": timeout_seconds }),
    };
    match handler {
        Value::Object(handler) => handler,
        _ => Map::new(),
    }
}

fn add(text: &str, event: &str, group: &Value) -> Result<String, ConnectError> {
    let root = object(text)?;
    let Some(hooks) = root.get("hooks") else {
        return jsonc::insert(text, &[], Some("hooks"), &json!({ event: [group] }));
    };
    match hooks.get(event) {
        Some(_) => jsonc::insert(text, &[Step::Key("hooks"), Step::Key(event)], None, group),
        None => jsonc::insert(text, &[Step::Key("hooks")], Some(event), &json!([group])),
    }
}

/// One of our own handlers.
struct Place {
    event: &'static str,
    group: usize,
    handler: usize,
    /// The only handler of its group.
    alone: bool,
    /// The group holds for every tool.
    matches_all: bool,
    value: Value,
}

/// Where our own handlers stand, in the order of the file. Groups of other programs are looked at
/// only as far as needed to tell that they are not ours.
fn places(root: &Map<String, Value>) -> Result<Vec<Place>, ConnectError> {
    let mut places = Vec::new();
    let Some(hooks) = root.get("hooks") else { return Ok(places) };
    let hooks = hooks.as_object().ok_or_else(|| shape("hooks", "an object"))?;
    for event in EVENTS {
        let Some(groups) = hooks.get(*event) else { continue };
        let groups = groups.as_array().ok_or_else(|| shape(&format!("hooks.{event}"), "an array"))?;
        for (index, group) in groups.iter().enumerate() {
            let handlers = group.get("hooks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            for (position, value) in handlers.iter().enumerate().filter(|(_, value)| handler(value).is_some()) {
                places.push(Place {
                    event,
                    group: index,
                    handler: position,
                    alone: handlers.len() == 1,
                    matches_all: matches!(group.get("matcher").and_then(Value::as_str), None | Some("" | "*")),
                    value: value.clone(),
                });
            }
        }
    }
    Ok(places)
}

/// Our own groups as they stand in the settings, to be compared with [`wanted`].
fn own(settings: &str) -> Result<Vec<(&'static str, Value)>, ConnectError> {
    let root = object(settings)?;
    let group = |place: &Place| root.get("hooks")?.get(place.event)?.get(place.group).cloned();
    Ok(places(&root)?.iter().filter_map(|place| Some((place.event, group(place)?))).collect())
}

/// How `value` reaches Handraise, if it is a handler of ours.
fn handler(value: &Value) -> Option<Handler> {
    match value.get("type")?.as_str()? {
        "command" => {
            let command = value.get("command")?.as_str()?;
            runs_this(command).then(|| Handler::Command(command.to_owned()))
        }
        "http" => {
            let url = value.get("url")?.as_str()?;
            let path = url.split(['?', '#']).next()?;
            path.ends_with(&format!("/v1/hooks/{NAME}")).then(|| Handler::Http(url.to_owned()))
        }
        _ => None,
    }
}

/// Whether `command` runs `handraise hook claude-code`, wherever the program is.
fn runs_this(command: &str) -> bool {
    let call = format!(" hook {NAME}");
    command
        .split_once(&call)
        .is_some_and(|(before, after)| before.contains("handraise") && (after.is_empty() || after.starts_with(' ')))
}

fn object(text: &str) -> Result<Map<String, Value>, ConnectError> {
    match jsonc::value(text)? {
        None => Ok(Map::new()),
        Some(Value::Object(root)) => Ok(root),
        Some(_) => Err(shape("the whole file", "an object")),
    }
}

fn shape(place: &str, expected: &'static str) -> ConnectError {
    ConnectError::Shape { place: place.to_owned(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_version_that_is_known_to_block_counts() {
        for version in ["2.1.295 (Claude Code)", "2.1.329\n", "2.2.0", "3.0.0"] {
            assert!(can_block_on_failure(version), "{version}");
        }
        for version in ["2.1.294", "1.9.999", "2.1", "2.1.295-beta", "", "unknown"] {
            assert!(!can_block_on_failure(version), "{version}");
        }
    }
}
