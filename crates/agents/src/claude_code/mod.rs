//! Claude Code, by Anthropic.
//!
//! Sources: its documentation pages "Hooks reference" and "Tools reference", the types of
//! `@anthropic-ai/claude-agent-sdk` 0.3.329, and runs of the program itself (2.1.197, 2.1.329).
//! What matters most for a gate: a hook that fails in any way but with exit code 2 lets the call
//! run, and from 2.1.295 on `"onFailure": "block"` closes that.

mod message;
mod settings;
mod tools;

use handraise_protocol::ApprovalResult;
use serde_json::{Map, Value, json};

use crate::verdict::Verdict;
use crate::{
    Agent, ConnectError, ConnectOptions, Connection, HookAnswer, HookCall, HookError, HookEvent, HookMessage, ToolFacts,
};

/// As it stands in paths, tokens and policies.
const NAME: &str = "claude-code";

/// Claude Code, by Anthropic.
pub(crate) struct ClaudeCode;

impl Agent for ClaudeCode {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Claude Code"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        message::parse(bytes)
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookAnswer {
        HookAnswer::json(&match Verdict::of(call, result) {
            Verdict::Allow { reason, arguments } => allow(call.event, &reason, arguments),
            Verdict::Deny { reason } => deny(call.event, &reason),
        })
    }

    fn pass(&self) -> HookAnswer {
        HookAnswer::json(&json!({}))
    }

    /// Denies twice: exit code 2 blocks whatever stands on stdout, and the JSON is honoured where
    /// there is no exit code (HTTP) or it does not count (a `PermissionRequest` hook). A message of
    /// which not even the event can be read is answered as if a tool were about to run.
    fn failure(&self, input: &[u8], sentence: &str) -> HookAnswer {
        let event = message::event(input).unwrap_or(HookEvent::BeforeTool);
        HookAnswer { stdout: deny(event, sentence).to_string(), stderr: sentence.to_owned(), exit_code: 2 }
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        tools::facts(tool, server, arguments)
    }

    fn program(&self) -> &'static str {
        "claude"
    }

    fn can_block_on_failure(&self, version: &str) -> bool {
        settings::can_block_on_failure(version)
    }

    fn user_settings(&self) -> &'static str {
        ".claude/settings.json"
    }

    fn project_settings(&self) -> &'static str {
        ".claude/settings.local.json"
    }

    fn connect(&self, settings: &str, options: &ConnectOptions) -> Result<String, ConnectError> {
        settings::connect(settings, options)
    }

    fn disconnect(&self, settings: &str) -> Result<String, ConnectError> {
        settings::disconnect(settings)
    }

    fn connection(&self, settings: &str) -> Result<Option<Connection>, ConnectError> {
        settings::connection(settings)
    }
}

/// `updatedInput` replaces the whole input of the tool; absent, the input stays as it was asked.
fn allow(event: HookEvent, reason: &str, arguments: Option<Map<String, Value>>) -> Value {
    let mut answer = match event {
        HookEvent::BeforeTool => json!({ "permissionDecision": "allow", "permissionDecisionReason": reason }),
        HookEvent::PermissionQuestion => json!({ "behavior": "allow" }),
    };
    if let (Some(arguments), Value::Object(answer)) = (arguments, &mut answer) {
        answer.insert("updatedInput".to_owned(), Value::Object(arguments));
    }
    wrap(event, answer)
}

fn deny(event: HookEvent, reason: &str) -> Value {
    wrap(
        event,
        match event {
            HookEvent::BeforeTool => json!({ "permissionDecision": "deny", "permissionDecisionReason": reason }),
            HookEvent::PermissionQuestion => json!({ "behavior": "deny", "message": reason }),
        },
    )
}

fn wrap(event: HookEvent, answer: Value) -> Value {
    let mut output = Map::new();
    output.insert("hookEventName".to_owned(), message::event_name(event).into());
    match (event, answer) {
        (HookEvent::BeforeTool, Value::Object(answer)) => output.extend(answer),
        (_, answer) => {
            output.insert("decision".to_owned(), answer);
        }
    }
    json!({ "hookSpecificOutput": output })
}
