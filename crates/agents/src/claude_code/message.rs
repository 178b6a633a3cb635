//! What Claude Code's hooks send (documentation page "Hooks reference"; SDK types `HookInput`).

use handraise_protocol::ApprovalRequest;
use serde_json::{Map, Value};

use super::{NAME, tools};
use crate::strict_json;
use crate::{HookCall, HookError, HookEvent, HookMessage};

pub(super) fn event_name(event: HookEvent) -> &'static str {
    match event {
        HookEvent::BeforeTool => "PreToolUse",
        HookEvent::PermissionQuestion => "PermissionRequest",
    }
}

fn asking_event(name: &str) -> Option<HookEvent> {
    [HookEvent::BeforeTool, HookEvent::PermissionQuestion].into_iter().find(|event| event_name(*event) == name)
}

/// The event of a message of which nothing else need be right.
pub(super) fn event(bytes: &[u8]) -> Option<HookEvent> {
    let message = strict_json::from_slice(bytes).ok()?;
    asking_event(message.get("hook_event_name")?.as_str()?)
}

pub(super) fn parse(bytes: &[u8]) -> Result<HookMessage, HookError> {
    let Value::Object(message) = strict_json::from_slice(bytes)? else { return Err(HookError::NotAnObject) };
    let name = required(&message, "hook_event_name")?;
    if name == "SessionEnd" {
        return Ok(HookMessage::SessionEnded { session: required(&message, "session_id")?.to_owned() });
    }
    let Some(event) = asking_event(name) else { return Ok(HookMessage::Nothing) };
    let name = required(&message, "tool_name")?;
    if tools::is_question_to_the_person(name) {
        return Ok(HookMessage::Nothing);
    }
    let arguments = match message.get("tool_input") {
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(_) => return Err(HookError::WrongType { field: "tool_input", expected: "an object" }),
        None => return Err(HookError::Missing("tool_input")),
    };
    let (server, tool) = server_and_tool(name, mcp_server_name(&message)?);
    let request = ApprovalRequest {
        tool,
        server,
        agent: Some(NAME.to_owned()),
        session: Some(required(&message, "session_id")?.to_owned()),
        cwd: optional(&message, "cwd")?.map(str::to_owned),
        // `PermissionRequest` has none.
        trace_id: optional(&message, "tool_use_id")?.map(str::to_owned),
        description: description(name, &arguments),
        tags: tags(&message)?,
        arguments,
        ..ApprovalRequest::default()
    };
    request.check()?;
    Ok(HookMessage::Ask(Box::new(HookCall { event, request, accepts_edits: true })))
}

/// The model's words for a command: a claim. It stays in the arguments too.
fn description(tool: &str, arguments: &Map<String, Value>) -> Option<String> {
    let described = matches!(tool, "Bash" | "PowerShell" | "Monitor" | "Agent" | "Task");
    described.then(|| arguments.get("description")?.as_str().map(str::to_owned)).flatten()
}

/// A sub-agent belongs to the session that started it; these tags tell which one asks.
fn tags(message: &Map<String, Value>) -> Result<Vec<String>, HookError> {
    let id = optional(message, "agent_id")?.map(|id| format!("sub-agent:{id}"));
    let kind = optional(message, "agent_type")?.map(|kind| format!("agent-type:{kind}"));
    Ok(id.into_iter().chain(kind).collect())
}

fn mcp_server_name(message: &Map<String, Value>) -> Result<Option<&str>, HookError> {
    let wrong = |expected| HookError::WrongType { field: "mcp_server", expected };
    match message.get("mcp_server") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(server)) => match server.get("name") {
            Some(Value::String(name)) => Ok(Some(name)),
            _ => Err(wrong("an object with a name")),
        },
        Some(_) => Err(wrong("an object")),
    }
}

/// Divides `mcp__SERVER__TOOL`. Server names may hold two underscores themselves, so the server's
/// own name decides where it is known (SDK 0.3.280 and later), else the first pair does.
fn server_and_tool(tool: &str, server: Option<&str>) -> (Option<String>, String) {
    let Some(rest) = tool.strip_prefix("mcp__") else { return (server.map(str::to_owned), tool.to_owned()) };
    // In tool names Claude Code writes an underscore for whatever a tool name may not hold.
    let plain =
        |character: char| if character.is_ascii_alphanumeric() || "_-".contains(character) { character } else { '_' };
    let known = server.map(|name| name.chars().map(plain).collect::<String>());
    let by_name = known.and_then(|name| {
        let tool = rest.strip_prefix(&name)?.strip_prefix("__")?.to_owned();
        Some((name, tool))
    });
    let by_underscores = || rest.split_once("__").map(|(server, tool)| (server.to_owned(), tool.to_owned()));
    match by_name.or_else(by_underscores).filter(|(server, tool)| !server.is_empty() && !tool.is_empty()) {
        Some((server, tool)) => (Some(server), tool),
        None => (server.map(str::to_owned), tool.to_owned()),
    }
}

fn required<'a>(message: &'a Map<String, Value>, field: &'static str) -> Result<&'a str, HookError> {
    optional(message, field)?.ok_or(HookError::Missing(field))
}

fn optional<'a>(message: &'a Map<String, Value>, field: &'static str) -> Result<Option<&'a str>, HookError> {
    match message.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(HookError::WrongType { field, expected: "a string" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_name_with_two_underscores_is_divided_where_the_server_says() {
        let divided = |tool, server| {
            let (server, tool) = server_and_tool(tool, server);
            (server.unwrap_or_default(), tool)
        };
        let parts = |server: &str, tool: &str| (server.to_owned(), tool.to_owned());
        assert_eq!(divided("mcp__a__b__c", Some("a__b")), parts("a__b", "c"));
        assert_eq!(divided("mcp__a__b__c", None), parts("a", "b__c"));
        assert_eq!(divided("mcp__my_server__go", Some("my server")), parts("my_server", "go"));
        assert_eq!(divided("mcp__plugin_x_db__q", Some("plugin:x:db")), parts("plugin_x_db", "q"));
        assert_eq!(divided("mcp__a__b", Some("something else")), parts("a", "b"));
        assert_eq!(divided("mcp__a", None), parts("", "mcp__a"));
        assert_eq!(divided("mcp____b", Some("s")), parts("s", "mcp____b"));
        assert_eq!(divided("Read", Some("evil")), parts("evil", "Read"));
        assert_eq!(divided("Read", None), parts("", "Read"));
    }
}
