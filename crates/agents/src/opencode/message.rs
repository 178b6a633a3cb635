//! What the plugin sends: the arguments of OpenCode's hook, or one of its events, with the folder
//! that OpenCode works in.

use handraise_policy::ToolClass;
use handraise_protocol::ApprovalRequest;
use serde_json::{Map, Value};

use super::{ASKED, ASKED_LEGACY, ASKED_V2, BEFORE_TOOL, NAME, OpenCode};
use crate::call::call_key;
use crate::message::Message;
use crate::{Agent, CallKey, HookCall, HookError, HookEvent, HookMessage};

pub(super) fn parse(bytes: &[u8]) -> Result<HookMessage, HookError> {
    let message = Message::read(bytes)?;
    let cwd = message.text("directory")?;
    let Some(kind) = message.optional("type")? else { return before_tool(&message, cwd) };
    let properties = message.required_nested("properties")?;
    let session = |field| properties.required(field).map(str::to_owned);
    match kind {
        ASKED => question(&properties, ASKED, ("permission", "patterns", "tool"), cwd),
        ASKED_V2 => question(&properties, ASKED_V2, ("action", "resources", "source"), cwd),
        ASKED_LEGACY => question(&properties, ASKED_LEGACY, ("type", "pattern", ""), cwd),
        "permission.replied" | "permission.v2.replied" => {
            let id = properties.optional("requestID")?.map_or(properties.optional("permissionID")?, Some);
            let call = CallKey::of_id(id.ok_or(HookError::Missing("requestID"))?);
            Ok(HookMessage::CallEnded { session: session("sessionID")?, call })
        }
        "session.idle" => Ok(HookMessage::TurnEnded { session: session("sessionID")? }),
        "session.deleted" => {
            let session = properties.required_nested("info")?.required("id")?.to_owned();
            Ok(HookMessage::SessionEnded { session })
        }
        name => Err(HookError::unknown_event(name)),
    }
}

fn before_tool(message: &Message, cwd: Option<String>) -> Result<HookMessage, HookError> {
    let input = message.required_nested("input")?;
    let tool = input.required("tool")?.to_owned();
    if matches!(tool.as_str(), "question" | "plan_exit" | "plan_enter") {
        return Ok(HookMessage::Nothing);
    }
    let arguments = message.required_nested("output")?.object("args")?;
    let request = request(tool, arguments, input.required("sessionID")?, cwd, input.text("callID")?);
    ask(HookEvent::BeforeTool, BEFORE_TOOL, request, None, true)
}

/// The question is about a permission, of which the call only tells the circumstances.
fn question(
    properties: &Message,
    event: &'static str,
    (permission, patterns, tool): (&'static str, &'static str, &'static str),
    cwd: Option<String>,
) -> Result<HookMessage, HookError> {
    let mut arguments = Map::new();
    let listed = match properties.value(patterns) {
        Some(Value::String(pattern)) => Value::from(vec![pattern.clone()]),
        Some(Value::Array(patterns)) => Value::Array(patterns.clone()),
        None => Value::Array(Vec::new()),
        Some(_) => return Err(HookError::WrongType { field: patterns, expected: "a list of strings" }),
    };
    arguments.insert("patterns".to_owned(), listed);
    arguments.insert("metadata".to_owned(), properties.value("metadata").cloned().unwrap_or_default());
    let call = match tool {
        "" => properties.text("callID")?,
        tool => match properties.nested(tool)? {
            Some(tool) => tool.text("callID")?,
            None => None,
        },
    };
    let name = properties.required(permission)?.to_owned();
    let request = request(name, arguments, properties.required("sessionID")?, cwd, call);
    ask(HookEvent::PermissionRequest, event, request, properties.text("id")?, false)
}

fn request(
    tool: String,
    arguments: Map<String, Value>,
    session: &str,
    cwd: Option<String>,
    call: Option<String>,
) -> ApprovalRequest {
    let is_shell = OpenCode.tool_facts(&tool, None, &arguments).class == ToolClass::Shell;
    ApprovalRequest {
        description: is_shell.then(|| arguments.get("description")?.as_str().map(str::to_owned)).flatten(),
        tool,
        agent: Some(NAME.to_owned()),
        session: Some(session.to_owned()),
        cwd,
        trace_id: call,
        arguments,
        ..ApprovalRequest::default()
    }
}

/// `id` is that of a question; a call has its own.
fn ask(
    event: HookEvent,
    event_name: &'static str,
    request: ApprovalRequest,
    id: Option<String>,
    accepts_edits: bool,
) -> Result<HookMessage, HookError> {
    request.check()?;
    let class = OpenCode.tool_facts(&request.tool, None, &request.arguments).class;
    let key = call_key(&request, class, id.or_else(|| request.trace_id.clone()));
    Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits, key })))
}
