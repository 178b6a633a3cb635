//! What Claude Code's hooks send (documentation page "Hooks reference"; SDK types `HookInput`).

use handraise_protocol::ApprovalRequest;
use serde_json::{Map, Value};

use super::{NAME, tools};
use crate::call::call_key;
use crate::message::Message;
use crate::{CallKey, HookCall, HookError, HookEvent, HookMessage, claude_style, mcp};

/// Events that decide nothing about a tool call, or leave it to the person at the agent.
const OTHERS: &[&str] = &[
    "ConfigChange",
    "CwdChanged",
    "Elicitation",
    "ElicitationResult",
    "FileChanged",
    "InstructionsLoaded",
    "MessageDisplay",
    "Notification",
    "PermissionDenied",
    "PostCompact",
    "PostToolBatch",
    "PreCompact",
    "SessionStart",
    "Setup",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "UserPromptExpansion",
    "UserPromptSubmit",
    "WorktreeCreate",
    "WorktreeRemove",
];

/// The asking event of a message of which nothing else need be right.
pub(super) fn event(bytes: &[u8]) -> Option<HookEvent> {
    claude_style::event(Message::read(bytes).ok()?.optional("hook_event_name").ok()??)
}

pub(super) fn parse(bytes: &[u8]) -> Result<HookMessage, HookError> {
    let message = Message::read(bytes)?;
    let session = |message: &Message| message.required("session_id").map(str::to_owned);
    match message.required("hook_event_name")? {
        "SessionEnd" => Ok(HookMessage::SessionEnded { session: session(&message)? }),
        "Stop" => Ok(HookMessage::TurnEnded { session: session(&message)? }),
        "PostToolUse" | "PostToolUseFailure" => {
            let (request, key) = request(&message)?;
            let session = request.session.unwrap_or_default();
            Ok(HookMessage::CallEnded { session, call: key })
        }
        name if OTHERS.contains(&name) => Ok(HookMessage::Nothing),
        name => {
            let event = claude_style::event(name).ok_or_else(|| HookError::unknown_event(name))?;
            if tools::is_question_to_the_person(message.required("tool_name")?) {
                return Ok(HookMessage::Nothing);
            }
            let (request, key) = request(&message)?;
            request.check()?;
            let event_name = claude_style::event_name(event);
            Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits: true, key })))
        }
    }
}

fn request(message: &Message) -> Result<(ApprovalRequest, CallKey), HookError> {
    let name = message.required("tool_name")?;
    let arguments = message.object("tool_input")?;
    let (server, tool) = mcp::server_and_tool(name, mcp_server_name(message)?.as_deref());
    // `PermissionRequest` has none.
    let id = message.text("tool_use_id")?;
    let class = tools::facts(&tool, server.as_deref(), &arguments).class;
    let request = ApprovalRequest {
        tool,
        server,
        agent: Some(NAME.to_owned()),
        session: Some(message.required("session_id")?.to_owned()),
        cwd: message.text("cwd")?,
        trace_id: id.clone(),
        description: description(name, &arguments),
        tags: message.sub_agent_tags()?,
        arguments,
        ..ApprovalRequest::default()
    };
    let key = call_key(&request, class, id);
    Ok((request, key))
}

/// The model's words for a command: a claim. It stays in the arguments too.
fn description(tool: &str, arguments: &Map<String, Value>) -> Option<String> {
    let described = matches!(tool, "Bash" | "PowerShell" | "Monitor" | "Agent" | "Task");
    described.then(|| arguments.get("description")?.as_str().map(str::to_owned)).flatten()
}

fn mcp_server_name(message: &Message) -> Result<Option<String>, HookError> {
    let Some(server) = message.nested("mcp_server")? else { return Ok(None) };
    let wrong = HookError::WrongType { field: "mcp_server", expected: "an object with a name" };
    server.text("name").map_err(|_| wrong.clone())?.ok_or(wrong).map(Some)
}

/// Copilot CLI runs the hooks of a project's `.claude/settings.json` as well, and says so in the
/// environment. A project can set that for Claude Code too, so the message must not be one of Claude
/// Code itself, which always says where its transcript is.
pub(super) fn is_of_copilot(bytes: &[u8], environment: &dyn Fn(&str) -> Option<String>) -> bool {
    let says_so = environment("COPILOT_CLI").is_some_and(|value| value == "1");
    says_so
        && Message::read(bytes).is_ok_and(|message| {
            !["transcript_path", "tool_use_id", "permission_mode", "prompt_id"].iter().any(|field| message.has(field))
        })
}
