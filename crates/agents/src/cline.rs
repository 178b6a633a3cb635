//! Cline.
//!
//! Sources: `cline` 3.0.65 and its packages, and its repository. A connection is a script called
//! `PreToolUse`. What matters most for a gate: the exit code is ignored, only `"cancel": true` blocks
//! (and ends the whole run, not only the call), and a hook that fails lets the call run, so the script
//! itself cancels when the hook program says nothing.

use handraise_policy::RiskLevel::{ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Network, Other, Shell};
use handraise_protocol::{ApprovalRequest, ApprovalResult};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::connect::generated::Generated;
use crate::connect::{Level, ManagedFile};
use crate::instruction::Instruction;
use crate::message::Message;
use crate::shell_arguments::ShellArguments;
use crate::shell_arguments::text;
use crate::tool::{About, Tools, look_up, tools};
use crate::{
    Agent, CallKey, HookCall, HookError, HookEvent, HookMessage, HookOutput, PROBE_SESSION, Probe, Timing, ToolFacts,
    notice,
};

const NAME: &str = "cline";
/// `hookName` in the command line program, and in the editor extension.
const BEFORE_TOOL: &[&str] = &["tool_call", "PreToolUse"];
/// Tools that put something before the person themselves.
const QUESTIONS: &[&str] =
    &["ask_question", "ask_followup_question", "attempt_completion", "plan_mode_respond", "act_mode_respond"];
/// Of the editor extension and the command line program.
const SHELL: ShellArguments =
    ShellArguments { harmless: &["requires_approval", "timeout", "description"], ..ShellArguments::of("command") };
const TABLE: &[Tools] = &[
    tools(&["bash", "execute_command"], Shell, Write, About::Command(&SHELL)),
    tools(&["editor"], FileWrite, Write, About::Editor),
    tools(&["write_to_file"], FileWrite, Write, About::Write("path", "content")),
    tools(&["replace_in_file", "new_rule"], FileWrite, Write, About::Arguments),
    tools(&["apply_patch"], FileWrite, Write, About::Patch("input")),
    tools(&["apply_patch"], FileWrite, Write, About::Patch("patch")),
    tools(&["read_file", "list_files"], FileRead, ReadOnly, About::Read("path")),
    tools(
        &["read_files", "search", "search_files", "list_code_definition_names"],
        FileRead,
        ReadOnly,
        About::Arguments,
    ),
    tools(&["fetch_web", "web_fetch"], Network, Write, About::Fetch("url")),
    tools(&["browser_action", "web_search", "access_mcp_resource"], Network, Write, About::Arguments),
    tools(&["focus_chain", "load_mcp_documentation"], Other, ReadOnly, About::Arguments),
    tools(&["new_task", "use_subagents", "use_skill"], Other, Write, About::Arguments),
];

/// Cline.
pub(crate) struct Cline;

impl Agent for Cline {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Cline"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        let message = Message::read(bytes)?;
        let session = self.session(&message)?;
        match message.required("hookName")? {
            name if BEFORE_TOOL.contains(&name) => self.ask(&message, session),
            "tool_result" | "PostToolUse" => match message.nested("tool_call")? {
                Some(call) => {
                    let call = CallKey::of_id(call.required("id")?);
                    Ok(HookMessage::CallEnded { session: session.unwrap_or_default(), call })
                }
                None => Ok(HookMessage::Nothing),
            },
            "agent_end" | "TaskComplete" | "agent_abort" | "TaskCancel" => {
                Ok(session.map_or(HookMessage::Nothing, |session| HookMessage::TurnEnded { session }))
            }
            "session_shutdown" => {
                Ok(session.map_or(HookMessage::Nothing, |session| HookMessage::SessionEnded { session }))
            }
            name => Err(HookError::unknown_event(name)),
        }
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        HookOutput::json(&match Instruction::of(call, result) {
            Instruction::Deny { reason } => deny(&reason),
            Instruction::Allow { arguments: None, .. } => json!({ "cancel": false }),
            Instruction::Allow { arguments: Some(input), .. } => json!({ "cancel": false, "overrideInput": input }),
        })
    }

    fn pass(&self) -> HookOutput {
        HookOutput::json(&json!({ "cancel": false }))
    }

    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        match notice::is_one(self, input) {
            true => self.pass(),
            false => HookOutput::blocked_twice(&deny(sentence), sentence),
        }
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        match server.is_some() || tool == "use_mcp_tool" {
            true => ToolFacts::mcp(),
            false => look_up(TABLE, tool, arguments),
        }
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "hookName": "tool_call",
            "taskId": PROBE_SESSION,
            "workspaceRoots": [cwd],
            "tool_call": { "id": PROBE_SESSION, "name": "search", "input": { "query": "handraise" } },
        }))
    }

    fn program(&self) -> &'static str {
        "cline"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        match level {
            Level::User => vec![ManagedFile { path: ".cline/hooks/PreToolUse", text: &SCRIPT, is_executable: true }],
            Level::Project => {
                vec![ManagedFile { path: ".clinerules/hooks/PreToolUse", text: &SCRIPT, is_executable: true }]
            }
        }
    }

    /// Cline gives a hook 120 seconds, and nothing can change that.
    fn timing(&self) -> Timing {
        Timing { agent_seconds: 120, hook_seconds: 110 }
    }

    /// The script does.
    fn can_block_on_failure(&self, _version: &str) -> bool {
        true
    }

    fn has_own_questions(&self) -> bool {
        false
    }

    fn stays_open(&self, _version: Option<&str>) -> Vec<&'static str> {
        vec![
            "Cline waits 120 seconds for a hook, the VS Code extension only 30, and then runs the tool; Handraise denies \
             after 110. In VS Code keep Cline's own approval on.",
            "A denial ends Cline's whole run, not only the call; start it again with what to do instead.",
            "A hook killed together with its script lets the call run; keep Cline's own approval on.",
        ]
    }
}

impl Cline {
    fn session(&self, message: &Message) -> Result<Option<String>, HookError> {
        let context = message.nested("sessionContext")?;
        match context.map(|context| context.text("rootSessionId")).transpose()?.flatten() {
            Some(session) => Ok(Some(session)),
            None => message.text("taskId"),
        }
    }

    fn ask(&self, message: &Message, session: Option<String>) -> Result<HookMessage, HookError> {
        let call = message.nested("tool_call")?;
        let older = message.nested("preToolUse")?;
        let (name, arguments) = match (&call, &older) {
            (Some(call), _) => (call.required("name")?, call.object_or_text("input")?),
            (None, Some(older)) => (older.required("toolName")?, older.object("parameters")?),
            (None, None) => return Err(HookError::Missing("tool_call")),
        };
        if let (Some(_), Some(older)) = (&call, &older)
            && (older.optional("toolName")? != Some(name) || older.object_or_text("parameters")? != arguments)
        {
            return Err(HookError::Contradiction("tool_call", "preToolUse"));
        }
        if QUESTIONS.contains(&name) {
            return Ok(HookMessage::Nothing);
        }
        let id = call.as_ref().map(|call| call.text("id")).transpose()?.flatten();
        let server = (name == "use_mcp_tool").then(|| text(&arguments, "server_name")).flatten();
        let parent = message.optional("parent_agent_id")?;
        let sub_agent = parent.and(message.optional("agent_id")?).map(|id| format!("sub-agent:{id}"));
        let class = self.tool_facts(name, server.as_deref(), &arguments).class;
        let request = ApprovalRequest {
            tool: name.to_owned(),
            server,
            agent: Some(NAME.to_owned()),
            session,
            cwd: message.first("workspaceRoots")?,
            trace_id: id.clone(),
            tags: sub_agent.into_iter().collect(),
            arguments,
            ..ApprovalRequest::default()
        };
        request.check()?;
        let key = call_key(&request, class, id);
        let (event, event_name) = (HookEvent::BeforeTool, "PreToolUse");
        Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits: true, key })))
    }
}

fn deny(reason: &str) -> Value {
    json!({ "cancel": true, "errorMessage": reason })
}

static SCRIPT: Generated = Generated {
    agent: NAME,
    template: r#"#!/bin/sh
# Written by `handraise connect`; `handraise disconnect cline` removes it.
# Cline lets a call run when its hook says nothing, so that is answered here.
ask() { @LINE@; }
answer=$(ask)
[ -n "$answer" ] || answer='{"cancel":true,"errorMessage":"Handraise could not be asked, so this call was denied. Run `handraise doctor`."}'
printf '%s\n' "$answer"
"#,
    around_command: ("ask() { ", "; }"),
    has_own_questions: false,
};
