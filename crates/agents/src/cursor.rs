//! Cursor.
//!
//! Source: its documentation page "Hooks" (copy of August 2026, about version 3.14). What matters most
//! for a gate: `preToolUse` comes before every tool, a shell call fires `beforeShellExecution` as well
//! (so only the first is connected), and a hook that fails lets the call run unless `failClosed` says
//! otherwise.

use handraise_policy::PhaseOrder;
use handraise_policy::RiskLevel::{Destructive, ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Network, Other, Shell};
use handraise_protocol::{ApprovalRequest, ApprovalResult};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::connect::hook_file::{Blocks, Entries, HookFile, Layout, every_call, never_off, without_http};
use crate::connect::{ConnectError, ConnectOptions, Level, ManagedFile};
use crate::instruction::Instruction;
use crate::message::Message;
use crate::shell_arguments::ShellArguments;
use crate::tool::{About, Tools, look_up, tools};
use crate::{
    Agent, CallKey, HookCall, HookError, HookEvent, HookMessage, HookOutput, PROBE_SESSION, Probe, ToolFacts, notice,
};

const NAME: &str = "cursor";
const BEFORE_TOOL: &str = "preToolUse";
const BEFORE_SHELL: &str = "beforeShellExecution";
const BEFORE_MCP: &str = "beforeMCPExecution";
const BEFORE_READ: &str = "beforeReadFile";
/// Events that decide nothing about a tool call.
const OTHERS: &[&str] = &[
    "afterAgentResponse",
    "afterAgentThought",
    "afterFileEdit",
    "afterMCPExecution",
    "afterShellExecution",
    "beforeSubmitPrompt",
    "preCompact",
    "sessionStart",
    "subagentStop",
];
const MCP: &str = "MCP:";
/// The argument of a shell call that says where it runs.
const WORKING_FOLDER: &str = "working_directory";
/// Longest words of the model that go along, in characters.
const MAX_INTENT: usize = 2000;
/// As its documentation's examples have them.
const SHELL: ShellArguments = ShellArguments {
    folder: &[WORKING_FOLDER],
    harmless: &["description", "explanation", "timeout", "block_until_ms"],
    background: &["is_background"],
    sandbox: &[("required_permissions", &[])],
    ..ShellArguments::of("command")
};
const TABLE: &[Tools] = &[
    tools(&["Shell"], Shell, Write, About::Command(&SHELL)),
    tools(&["Write"], FileWrite, Write, About::Edit("file_path", "old_string", "new_string")),
    tools(&["Write"], FileWrite, Write, About::Write("file_path", "content")),
    tools(&["Delete"], FileWrite, Destructive, About::Arguments),
    tools(&["Read"], FileRead, ReadOnly, About::Read("file_path")),
    tools(&["Grep", "Glob", "LS"], FileRead, ReadOnly, About::Arguments),
    tools(&["WebFetch", "WebSearch"], Network, Write, About::Arguments),
    tools(&["TodoWrite"], Other, ReadOnly, About::Arguments),
    tools(&["Task"], Other, Write, About::Arguments),
];

/// Cursor.
pub(crate) struct Cursor;

impl Agent for Cursor {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Cursor"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        let message = Message::read(without_mark(bytes))?;
        let session = message.required("conversation_id")?.to_owned();
        let (event_name, tool, server, arguments) = match message.required("hook_event_name")? {
            BEFORE_TOOL => {
                (BEFORE_TOOL, message.required("tool_name")?.to_owned(), None, message.object("tool_input")?)
            }
            BEFORE_SHELL => (BEFORE_SHELL, "Shell".to_owned(), None, only("command", message.required("command")?)),
            BEFORE_READ => (BEFORE_READ, "Read".to_owned(), None, only("file_path", message.required("file_path")?)),
            BEFORE_MCP => {
                let tool = message.required("tool_name")?.to_owned();
                let server = message.text("mcp_server_name")?;
                (
                    BEFORE_MCP,
                    tool,
                    Some(server.unwrap_or_else(|| "MCP".to_owned())),
                    message.object_or_text("tool_input")?,
                )
            }
            "sessionEnd" => return Ok(HookMessage::SessionEnded { session }),
            "stop" => return Ok(HookMessage::TurnEnded { session }),
            "postToolUse" | "postToolUseFailure" => {
                let call = CallKey::of_id(message.required("tool_use_id")?);
                return Ok(HookMessage::CallEnded { session, call });
            }
            name if OTHERS.contains(&name) => return Ok(HookMessage::Nothing),
            name => return Err(HookError::unknown_event(name)),
        };
        if matches!(tool.as_str(), "AskQuestion" | "SwitchMode") && server.is_none() {
            return Ok(HookMessage::Nothing);
        }
        let id = message.text("tool_use_id")?;
        let class = self.tool_facts(&tool, server.as_deref(), &arguments).class;
        let intent: Option<String> =
            message.optional("agent_message")?.map(|words| words.chars().take(MAX_INTENT).collect());
        let cwd = match message.text("cwd")? {
            Some(cwd) => Some(cwd),
            None => message.first("workspace_roots")?,
        };
        let request = ApprovalRequest {
            tool,
            server,
            agent: Some(NAME.to_owned()),
            session: Some(session),
            intent: intent.filter(|words| !words.trim().is_empty()),
            cwd,
            trace_id: id.clone(),
            arguments,
            ..ApprovalRequest::default()
        };
        request.check()?;
        let mut named_alike = request.clone();
        if class == Shell {
            // `beforeShellExecution` has it as the working folder only, which has to be the same as well.
            named_alike.arguments.remove(WORKING_FOLDER);
        }
        let key = call_key(&named_alike, class, id);
        let (event, accepts_edits) = (HookEvent::BeforeTool, event_name == BEFORE_TOOL);
        Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits, key })))
    }

    /// After `preToolUse` comes the hook for tools of this kind, where that is connected as well.
    fn order(&self, call: &HookCall) -> PhaseOrder {
        if call.event_name == BEFORE_TOOL { PhaseOrder::First } else { PhaseOrder::Second }
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        HookOutput::json(&match Instruction::of(call, result) {
            Instruction::Deny { reason } => deny(call.event_name, &reason),
            Instruction::Allow { arguments: None, .. } => json!({ "permission": "allow" }),
            Instruction::Allow { arguments: Some(input), .. } => {
                json!({ "permission": "allow", "updated_input": input })
            }
        })
    }

    fn pass(&self) -> HookOutput {
        HookOutput::json(&json!({}))
    }

    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        if notice::is_one(self, input) {
            return self.pass();
        }
        let event = match self.parse(input) {
            Ok(HookMessage::Ask(call)) => call.event_name,
            _ => BEFORE_TOOL,
        };
        HookOutput::blocked_twice(&deny(event, sentence), sentence)
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        match server.is_some() || tool.starts_with(MCP) {
            true => ToolFacts::mcp(),
            false => look_up(TABLE, tool, arguments),
        }
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "conversation_id": PROBE_SESSION,
            "generation_id": PROBE_SESSION,
            "hook_event_name": BEFORE_TOOL,
            "workspace_roots": [cwd],
            "tool_name": "Grep",
            "tool_input": { "pattern": "handraise" },
            "tool_use_id": PROBE_SESSION,
            "cwd": cwd,
        }))
    }

    fn program(&self) -> &'static str {
        "cursor"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        match level {
            Level::User | Level::Project => vec![ManagedFile::new(".cursor/hooks.json", &HOOKS)],
        }
    }

    /// `failClosed` is as old as `preToolUse`.
    fn can_block_on_failure(&self, _version: &str) -> bool {
        true
    }

    fn has_own_questions(&self) -> bool {
        false
    }

    fn stays_open(&self, _version: Option<&str>) -> Vec<&'static str> {
        vec![
            "Whether an approval skips Cursor's own confirmation is not documented; it may ask once more.",
            "Cursor also runs the hooks in .claude/settings.json; connect either Cursor or, for that project, Claude \
             Code, or you are asked twice.",
            "Edits of Tab completion and what the person types in a terminal have no hook that can say no.",
        ]
    }
}

/// On Windows, Cursor writes a byte order mark in front.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn only(name: &str, text: &str) -> Map<String, Value> {
    std::iter::once((name.to_owned(), Value::from(text))).collect()
}

/// The reason in both fields: it was seen that the model gets the person's one.
fn deny(event: &str, reason: &str) -> Value {
    match event {
        BEFORE_READ => json!({ "permission": "deny", "user_message": reason }),
        _ => json!({ "permission": "deny", "user_message": reason, "agent_message": reason }),
    }
}

static HOOKS: HookFile = HookFile {
    agent: NAME,
    layout: Layout::Flat,
    command: "command",
    timeout: Some(("timeout", 1)),
    blocks: Some(("failClosed", Blocks::True)),
    version: Some(1),
    events: &[BEFORE_TOOL],
    notices: &[],
    shell_blocks: false,
    is_off: never_off,
    wanted,
};

fn wanted(options: &ConnectOptions) -> Result<Entries, ConnectError> {
    without_http(options)?;
    every_call(options)?;
    let mut hook = HOOKS.asking_hook(options);
    hook.insert("failClosed".to_owned(), true.into());
    Ok(vec![(BEFORE_TOOL, Value::Object(hook))])
}
