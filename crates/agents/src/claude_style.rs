//! The answers of Claude Code's hooks (documentation page "Hooks reference"), which Codex, Qwen Code
//! and Copilot CLI understand as well.

use serde_json::{Map, Value, json};

use crate::instruction::Instruction;
use crate::{HookCall, HookEvent, HookOutput, PastCall};
use handraise_protocol::ApprovalResult;

/// The answer to `call` where every kind of answer is taken.
pub(crate) fn render(call: &HookCall, result: &ApprovalResult) -> HookOutput {
    HookOutput::json(&match Instruction::of(call, result) {
        Instruction::Allow { reason, arguments } => allow(call.event, Some(&reason), arguments),
        Instruction::Deny { reason } => deny(call.event, &reason),
    })
}

/// `updatedInput` replaces the whole input of the tool; absent, the input stays as it was asked.
pub(crate) fn allow(event: HookEvent, reason: Option<&str>, arguments: Option<Map<String, Value>>) -> Value {
    let mut answer = Map::new();
    match event {
        HookEvent::BeforeTool => {
            answer.insert("permissionDecision".to_owned(), "allow".into());
            answer.extend(reason.map(|reason| ("permissionDecisionReason".to_owned(), reason.into())));
        }
        HookEvent::PermissionRequest => {
            answer.insert("behavior".to_owned(), "allow".into());
        }
    }
    answer.extend(arguments.map(|arguments| ("updatedInput".to_owned(), Value::Object(arguments))));
    wrap(event, Value::Object(answer))
}

pub(crate) fn deny(event: HookEvent, reason: &str) -> Value {
    wrap(
        event,
        match event {
            HookEvent::BeforeTool => json!({ "permissionDecision": "deny", "permissionDecisionReason": reason }),
            HookEvent::PermissionRequest => json!({ "behavior": "deny", "message": reason }),
        },
    )
}

pub(crate) const fn event_name(event: HookEvent) -> &'static str {
    match event {
        HookEvent::BeforeTool => "PreToolUse",
        HookEvent::PermissionRequest => "PermissionRequest",
    }
}

pub(crate) fn event(name: &str) -> Option<HookEvent> {
    [HookEvent::BeforeTool, HookEvent::PermissionRequest].into_iter().find(|event| event_name(*event) == name)
}

/// What such a hook sends before `call`.
pub(crate) fn before(call: &PastCall) -> Value {
    let tool = match &call.server {
        Some(server) => format!("mcp__{server}__{}", call.tool),
        None => call.tool.clone(),
    };
    json!({
        "hook_event_name": event_name(HookEvent::BeforeTool),
        "session_id": call.session_or_unknown(),
        "cwd": call.cwd,
        "tool_name": tool,
        "tool_input": call.arguments,
        "tool_use_id": call.id,
    })
}

fn wrap(event: HookEvent, answer: Value) -> Value {
    let mut output = Map::new();
    output.insert("hookEventName".to_owned(), event_name(event).into());
    match (event, answer) {
        (HookEvent::BeforeTool, Value::Object(answer)) => output.extend(answer),
        (_, answer) => {
            output.insert("decision".to_owned(), answer);
        }
    }
    json!({ "hookSpecificOutput": output })
}
