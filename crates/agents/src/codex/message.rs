//! What Codex's hooks send (JSON schemas in its program, 0.169.0).

use handraise_policy::ToolClass;
use handraise_protocol::ApprovalRequest;

use super::{NAME, tools};
use crate::call::call_key;
use crate::message::Message;
use crate::{CallKey, HookCall, HookError, HookEvent, HookMessage, claude_style, mcp};

/// Events that decide nothing about a tool call.
const OTHERS: &[&str] = &[
    "PostCompact",
    "PostModelRequest",
    "PreCompact",
    "PreModelRequest",
    "SessionStart",
    "SubagentStart",
    "SubagentStop",
    "UserPromptSubmit",
    "postModelRequest",
    "preModelRequest",
];
/// What the description of a question about the network begins with.
const NETWORK: &str = "network-access ";

pub(super) fn parse(bytes: &[u8]) -> Result<HookMessage, HookError> {
    let message = Message::read(bytes)?;
    let session = message.required("session_id")?.to_owned();
    match message.required("hook_event_name")? {
        "SessionEnd" => Ok(HookMessage::SessionEnded { session }),
        "Stop" | "Interrupt" => Ok(HookMessage::TurnEnded { session }),
        "PostToolUse" => Ok(HookMessage::CallEnded { session, call: request(&message)?.1 }),
        name if OTHERS.contains(&name) => Ok(HookMessage::Nothing),
        name => {
            let event = claude_style::event(name).ok_or_else(|| HookError::unknown_event(name))?;
            let (request, key) = request(&message)?;
            request.check()?;
            let accepts_edits = event == HookEvent::BeforeTool;
            let event_name = claude_style::event_name(event);
            Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits, key })))
        }
    }
}

fn request(message: &Message) -> Result<(ApprovalRequest, CallKey), HookError> {
    let arguments = message.object("tool_input")?;
    let (server, tool) = mcp::server_and_tool(message.required("tool_name")?, None);
    // `PermissionRequest` has none.
    let id = message.text("tool_use_id")?;
    let class = tools::facts(&tool, server.as_deref(), &arguments).class;
    let described = (class == ToolClass::Shell).then(|| arguments.get("description")?.as_str()).flatten();
    // A question about the network is one of its own, and not the question about the command.
    let is_about_network = described.is_some_and(|text| text.starts_with(NETWORK));
    let request = ApprovalRequest {
        tool,
        server,
        agent: Some(NAME.to_owned()),
        session: Some(message.required("session_id")?.to_owned()),
        cwd: message.text("cwd")?,
        trace_id: id.clone(),
        description: described.map(str::to_owned),
        tags: message.sub_agent_tags()?,
        arguments,
        ..ApprovalRequest::default()
    };
    let key = call_key(&request, if is_about_network { ToolClass::Network } else { class }, id);
    Ok((request, key))
}
