//! Windsurf, now Devin Desktop: its agent Cascade.
//!
//! Source: its documentation page "Cascade Hooks". There is no JSON to answer with: exit code 0 goes
//! on (through Cascade's own approval), 2 blocks with stderr for the agent, and everything else goes
//! on as well.

use handraise_policy::RiskLevel::{ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Shell};
use handraise_policy::{Subject, ToolClass};
use handraise_protocol::{ApprovalRequest, ApprovalResult};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::connect::hook_file::{Entries, HookFile, Layout, every_call, never_off, without_http};
use crate::connect::{ConnectError, ConnectOptions, Level, ManagedFile};
use crate::instruction::Instruction;
use crate::message::Message;
use crate::shell_arguments::ShellArguments;
use crate::shell_arguments::text;
use crate::tool::{About, Tools, look_up, tools};
use crate::{Agent, HookCall, HookError, HookEvent, HookMessage, HookOutput, PROBE_SESSION, Probe, ToolFacts, notice};

const NAME: &str = "windsurf";
/// Events before something happens, and what to call that as a tool.
const ASKING: &[(&str, &str)] =
    &[("pre_run_command", "run_command"), ("pre_write_code", "write_code"), ("pre_read_code", "read_code")];
const BEFORE_MCP: &str = "pre_mcp_tool_use";
const OTHERS: &[&str] = &[
    "post_mcp_tool_use",
    "post_read_code",
    "post_run_command",
    "post_setup_worktree",
    "post_write_code",
    "pre_user_prompt",
];
const SHELL: ShellArguments = ShellArguments { folder: &["cwd"], ..ShellArguments::of("command_line") };
const TABLE: &[Tools] = &[
    tools(&["run_command"], Shell, Write, About::Command(&SHELL)),
    tools(&["write_code"], FileWrite, Write, About::Arguments),
    tools(&["read_code"], FileRead, ReadOnly, About::Read("file_path")),
];

/// Windsurf.
pub(crate) struct Windsurf;

impl Agent for Windsurf {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Windsurf"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        let message = Message::read(bytes)?;
        let session = message.required("trajectory_id")?.to_owned();
        let name = message.required("agent_action_name")?;
        let asking = ASKING.iter().find(|(event, _)| *event == name);
        let (event_name, tool, server, arguments) = match (asking, name) {
            (Some((event, tool)), _) => (*event, (*tool).to_owned(), None, message.object("tool_info")?),
            (None, BEFORE_MCP) => {
                let info = message.required_nested("tool_info")?;
                let (tool, server) = (info.required("mcp_tool_name")?, info.required("mcp_server_name")?);
                (BEFORE_MCP, tool.to_owned(), Some(server.to_owned()), info.object("mcp_tool_arguments")?)
            }
            (None, "post_cascade_response") => return Ok(HookMessage::TurnEnded { session }),
            (None, name) if OTHERS.contains(&name) => return Ok(HookMessage::Nothing),
            (None, name) => return Err(HookError::unknown_event(name)),
        };
        let class = self.tool_facts(&tool, server.as_deref(), &arguments).class;
        let request = ApprovalRequest {
            tool,
            server,
            agent: Some(NAME.to_owned()),
            session: Some(session),
            cwd: text(&arguments, "cwd"),
            arguments,
            ..ApprovalRequest::default()
        };
        request.check()?;
        let key = call_key(&request, class, None);
        let event = HookEvent::BeforeTool;
        Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits: false, key })))
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        Instruction::of(call, result).by_exit_code()
    }

    fn pass(&self) -> HookOutput {
        HookOutput::silent()
    }

    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        if notice::is_one(self, input) { self.pass() } else { HookOutput::blocked(sentence) }
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        if server.is_some() {
            return ToolFacts::mcp();
        }
        let mut facts = look_up(TABLE, tool, arguments);
        if facts.class == ToolClass::FileWrite {
            facts.subject = only_edit(arguments).unwrap_or_default();
            facts.files = text(arguments, "file_path").into_iter().collect();
        }
        facts
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "agent_action_name": "pre_read_code",
            "trajectory_id": PROBE_SESSION,
            "execution_id": PROBE_SESSION,
            "timestamp": "1970-01-01T00:00:00Z",
            "tool_info": { "file_path": cwd },
        }))
    }

    fn program(&self) -> &'static str {
        "windsurf"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        match level {
            Level::User => vec![ManagedFile::new(".codeium/windsurf/hooks.json", &HOOKS)],
            Level::Project => vec![ManagedFile::new(".windsurf/hooks.json", &HOOKS)],
        }
    }

    fn can_block_on_failure(&self, _version: &str) -> bool {
        false
    }

    fn has_own_questions(&self) -> bool {
        false
    }

    fn stays_open(&self, _version: Option<&str>) -> Vec<&'static str> {
        vec![
            "What Cascade does when the hook is too late is not documented, and no setting closes it. Keep Cascade's \
             own approval on (no Turbo mode).",
            "An approval does not skip Cascade's own approval; it may ask once more.",
            "Devin Local and newer builds with .devin/hooks.json do not read this file; they are not connected.",
        ]
    }
}

/// The one replacement of a change that has no other.
fn only_edit(arguments: &Map<String, Value>) -> Option<Subject> {
    let [Value::Object(edit)] = arguments.get("edits")?.as_array()?.as_slice() else { return None };
    let (before, after) = (text(edit, "old_string")?, text(edit, "new_string")?);
    Some(Subject::Edit { path: text(arguments, "file_path")?, before, after })
}

static HOOKS: HookFile = HookFile {
    agent: NAME,
    layout: Layout::Flat,
    command: "command",
    timeout: None,
    blocks: None,
    version: None,
    events: &["pre_run_command", "pre_write_code", "pre_read_code", BEFORE_MCP],
    notices: &[],
    shell_blocks: true,
    is_off: never_off,
    wanted,
};

fn wanted(options: &ConnectOptions) -> Result<Entries, ConnectError> {
    without_http(options)?;
    every_call(options)?;
    Ok(HOOKS.events.iter().map(|event| (*event, Value::Object(HOOKS.asking_hook(options)))).collect())
}
