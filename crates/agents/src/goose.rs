//! Goose.
//!
//! Source: its repository, `crates/goose/src/hooks/mod.rs`. A connection is a plugin folder with
//! nothing but hooks. What matters most for a gate: everything but a well-formed answer and exit code
//! 2 lets the call run unless the hook says `"on_failure": "block"`; there is no `ask` and no change
//! of arguments.

use handraise_policy::RiskLevel::{ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Network, Other, Shell};
use handraise_protocol::{ApprovalRequest, ApprovalResult};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::connect::hook_file::{
    Blocks, Entries, HookFile, Layout, all_of, every_call, never_off, some_of, without_http,
};
use crate::connect::{ConnectError, ConnectOptions, Level, ManagedFile};
use crate::instruction::Instruction;
use crate::message::Message;
use crate::shell_arguments::ShellArguments;
use crate::tool::{About, Tools, look_up, tools};
use crate::{
    Agent, CallKey, HookCall, HookError, HookEvent, HookMessage, HookOutput, PROBE_SESSION, Probe, ToolFacts, notice,
};

const NAME: &str = "goose";
const BEFORE_TOOL: &str = "PreToolUse";
/// Events that decide nothing about a tool call.
const OTHERS: &[&str] =
    &["AfterFileEdit", "AfterShellExecution", "PreToolUseResult", "SessionStart", "UserPromptSubmit"];
/// Extensions that come with Goose; all others are MCP servers.
const OWN_EXTENSIONS: &[&str] = &["developer", "platform"];
const SHELL: ShellArguments = ShellArguments { harmless: &["timeout_secs"], ..ShellArguments::of("command") };
const TABLE: &[Tools] = &[
    tools(&["developer__shell"], Shell, Write, About::Command(&SHELL)),
    tools(&["developer__text_editor"], FileWrite, Write, About::Editor),
    tools(&["developer__write"], FileWrite, Write, About::Write("path", "content")),
    tools(&["developer__edit"], FileWrite, Write, About::Edit("path", "before", "after")),
    tools(
        &["developer__tree", "developer__read_image", "developer__image_processor"],
        FileRead,
        ReadOnly,
        About::Read("path"),
    ),
    tools(&["developer__analyze"], FileRead, ReadOnly, About::Read("path")),
    tools(&["platform__search_available_extensions"], Other, ReadOnly, About::Arguments),
    tools(&["platform__manage_extensions", "platform__manage_schedule"], Other, Write, About::Arguments),
    tools(&["platform__read_resource"], Network, Write, About::Arguments),
];

/// Goose.
pub(crate) struct Goose;

impl Agent for Goose {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Goose"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        let message = Message::read(bytes)?;
        let session = message.required("session_id")?.to_owned();
        match message.required("event")? {
            BEFORE_TOOL => {
                let (request, key) = self.request(&message)?;
                request.check()?;
                let (event, event_name) = (HookEvent::BeforeTool, BEFORE_TOOL);
                Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits: false, key })))
            }
            "PostToolUse" | "PostToolUseFailure" => {
                Ok(HookMessage::CallEnded { session, call: self.request(&message)?.1 })
            }
            "Stop" => Ok(HookMessage::TurnEnded { session }),
            "SessionEnd" => Ok(HookMessage::SessionEnded { session }),
            name if OTHERS.contains(&name) => Ok(HookMessage::Nothing),
            name => Err(HookError::unknown_event(name)),
        }
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        HookOutput::json(&match Instruction::of(call, result) {
            Instruction::Allow { .. } => json!({ "decision": "allow" }),
            Instruction::Deny { reason } => deny(&reason),
        })
    }

    fn pass(&self) -> HookOutput {
        HookOutput::silent()
    }

    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        match notice::is_one(self, input) {
            true => self.pass(),
            false => HookOutput::blocked_twice(&deny(sentence), sentence),
        }
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        match server {
            Some(_) => ToolFacts::mcp(),
            None => look_up(TABLE, tool, arguments),
        }
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "event": BEFORE_TOOL,
            "session_id": PROBE_SESSION,
            "matcher_context": "developer__tree",
            "tool_call_id": PROBE_SESSION,
            "tool_name": "developer__tree",
            "tool_input": { "path": cwd },
            "working_dir": cwd,
        }))
    }

    fn program(&self) -> &'static str {
        "goose"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        match level {
            Level::User | Level::Project => {
                vec![ManagedFile::new(".agents/plugins/handraise/hooks/hooks.json", &HOOKS)]
            }
        }
    }

    /// `on_failure` is as old as the hooks.
    fn can_block_on_failure(&self, _version: &str) -> bool {
        true
    }

    fn has_own_questions(&self) -> bool {
        false
    }

    fn stays_open(&self, _version: Option<&str>) -> Vec<&'static str> {
        vec![
            "Older versions of Goose have no plugin hooks and run every tool unasked; set GOOSE_MODE to \"approve\" \
             there.",
            "Whether an approval skips Goose's own question in the modes approve and smart_approve is not known; it \
             may ask once more.",
        ]
    }
}

impl Goose {
    fn request(&self, message: &Message) -> Result<(ApprovalRequest, CallKey), HookError> {
        let name = message.required("tool_name")?;
        let arguments = message.object("tool_input")?;
        let extension = name.split_once("__").filter(|(extension, tool)| !extension.is_empty() && !tool.is_empty());
        let (server, tool) = match extension {
            Some((extension, tool)) if !OWN_EXTENSIONS.contains(&extension) => (Some(extension.to_owned()), tool),
            _ => (None, name),
        };
        let id = message.text("tool_call_id")?;
        let class = self.tool_facts(tool, server.as_deref(), &arguments).class;
        let request = ApprovalRequest {
            tool: tool.to_owned(),
            server,
            agent: Some(NAME.to_owned()),
            session: message.text("session_id")?,
            cwd: message.text("working_dir")?,
            trace_id: id.clone(),
            arguments,
            ..ApprovalRequest::default()
        };
        let key = call_key(&request, class, id);
        Ok((request, key))
    }
}

fn deny(reason: &str) -> Value {
    json!({ "decision": "block", "reason": reason })
}

static HOOKS: HookFile = HookFile {
    agent: NAME,
    layout: Layout::Grouped,
    command: "command",
    timeout: Some(("timeout", 1)),
    blocks: Some(("on_failure", Blocks::Text("block"))),
    version: None,
    events: &[BEFORE_TOOL, "SessionEnd"],
    notices: &["SessionEnd"],
    shell_blocks: true,
    is_off: never_off,
    wanted,
};

fn wanted(options: &ConnectOptions) -> Result<Entries, ConnectError> {
    without_http(options)?;
    every_call(options)?;
    let mut hook = HOOKS.asking_hook(options);
    hook.insert("on_failure".to_owned(), "block".into());
    // The matcher is a regular expression here, in which a lone star is none.
    Ok(vec![(BEFORE_TOOL, some_of(".*", hook)), ("SessionEnd", all_of(HOOKS.telling_hook(options, 5)))])
}
