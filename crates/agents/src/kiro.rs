//! Kiro CLI, by Amazon.
//!
//! Sources: its documentation page "Hooks" (CLI 2.x) and excerpts of that of version 3. There is no
//! JSON to answer with: exit code 0 goes on (through Kiro's own trust rules), 2 blocks with stderr for
//! the model; in 2.x everything else goes on as well, in 3 it blocks. In 2.x hooks belong to an agent
//! file and act only for that agent; version 3 has files of their own.

use handraise_policy::RiskLevel::{ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Network, Other, Shell};
use handraise_protocol::{ApprovalRequest, ApprovalResult};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::connect::generated::GeneratedJson;
use crate::connect::hook_file::{Entries, HookFile, Layout, every_call, never_off, without_http};
use crate::connect::{ConnectError, ConnectOptions, Level, ManagedFile};
use crate::instruction::Instruction;
use crate::message::Message;
use crate::shell_arguments::ShellArguments;
use crate::tool::{About, Tools, look_up, tools};
use crate::{
    Agent, CallKey, HookCall, HookError, HookEvent, HookMessage, HookOutput, PROBE_SESSION, Probe, ToolFacts, mcp,
    notice,
};

const NAME: &str = "kiro";
/// In an agent file, and in a file of its own.
const BEFORE_TOOL: &[&str] = &["preToolUse", "PreToolUse"];
const OTHERS: &[&str] = &["agentSpawn", "userPromptSubmit", "UserPromptSubmit", "SessionStart"];
const SHELL: ShellArguments = ShellArguments {
    folder: &["working_dir"],
    harmless: &["summary", "description", "timeout"],
    ..ShellArguments::of("command")
};
const TABLE: &[Tools] = &[
    tools(&["execute_bash", "shell", "execute_cmd"], Shell, Write, About::Command(&SHELL)),
    tools(&["fs_write", "write"], FileWrite, Write, About::Editor),
    tools(&["fs_read", "read"], FileRead, ReadOnly, About::Read("path")),
    tools(&["glob", "grep", "code"], FileRead, ReadOnly, About::Arguments),
    tools(&["use_aws", "aws", "web_search", "web_fetch"], Network, Write, About::Arguments),
    tools(&["thinking", "todo_list", "todo", "introspect"], Other, ReadOnly, About::Arguments),
    tools(&["knowledge", "delegate", "use_subagent", "report_issue"], Other, Write, About::Arguments),
];

/// Kiro CLI, by Amazon.
pub(crate) struct Kiro;

impl Agent for Kiro {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Kiro CLI"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        let message = Message::read(bytes)?;
        // Version 2 says no session, so nothing is remembered there.
        let session = message.text("session_id")?;
        match message.required("hook_event_name")? {
            name if BEFORE_TOOL.contains(&name) => {
                let (request, key) = self.request(&message, session)?;
                request.check()?;
                let (event, event_name) = (HookEvent::BeforeTool, "preToolUse");
                Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits: false, key })))
            }
            "postToolUse" | "PostToolUse" => match session {
                Some(session) => {
                    let call = self.request(&message, Some(session.clone()))?.1;
                    Ok(HookMessage::CallEnded { session, call })
                }
                None => Ok(HookMessage::Nothing),
            },
            "stop" | "Stop" => Ok(session.map_or(HookMessage::Nothing, |session| HookMessage::TurnEnded { session })),
            "SessionEnd" => Ok(session.map_or(HookMessage::Nothing, |session| HookMessage::SessionEnded { session })),
            name if OTHERS.contains(&name) => Ok(HookMessage::Nothing),
            name => Err(HookError::unknown_event(name)),
        }
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
        match server.is_some() || tool.starts_with('@') {
            true => ToolFacts::mcp(),
            false => look_up(TABLE, tool, arguments),
        }
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "hook_event_name": "preToolUse",
            "session_id": PROBE_SESSION,
            "cwd": cwd,
            "tool_name": "glob",
            "tool_input": { "pattern": "*" },
        }))
    }

    fn program(&self) -> &'static str {
        "kiro-cli"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        match level {
            Level::User | Level::Project => vec![
                ManagedFile::new(".kiro/hooks/handraise.json", &HOOK),
                ManagedFile::new(".kiro/agents/*.json", &AGENT_FILE),
            ],
        }
    }

    /// Version 3 blocks on any exit code but 0.
    fn can_block_on_failure(&self, version: &str) -> bool {
        crate::version::is_at_least(version, [3, 0, 0])
    }

    fn has_own_questions(&self) -> bool {
        false
    }

    fn stays_open(&self, version: Option<&str>) -> Vec<&'static str> {
        let mut open = vec![
            "What Kiro does when the hook is too late is not documented; keep its own trust rules at asking.",
            "An approval does not skip Kiro's own trust rules; it may ask once more.",
        ];
        if !version.is_some_and(|version| self.can_block_on_failure(version)) {
            open.push(
                "Before version 3 hooks act only for agents that have a file in .kiro/agents, and not for the built-in \
                 one. Work with such an agent, and connect again after adding one.",
            );
        }
        open
    }
}

impl Kiro {
    /// There is no call id.
    fn request(&self, message: &Message, session: Option<String>) -> Result<(ApprovalRequest, CallKey), HookError> {
        let name = message.required("tool_name")?;
        let arguments = message.object("tool_input")?;
        let (server, tool) = match name.strip_prefix('@').map(mcp::divided_by_slash) {
            Some((Some(server), tool)) => (Some(server), tool),
            _ => (None, name.to_owned()),
        };
        let class = self.tool_facts(&tool, server.as_deref(), &arguments).class;
        let request = ApprovalRequest {
            tool,
            server,
            agent: Some(NAME.to_owned()),
            session,
            cwd: message.text("cwd")?,
            arguments,
            ..ApprovalRequest::default()
        };
        let key = call_key(&request, class, None);
        Ok((request, key))
    }
}

/// Version 3: a file of its own.
static HOOK: GeneratedJson = GeneratedJson {
    agent: NAME,
    file: |options| {
        json!({
            "version": "v1",
            "hooks": [{
                "name": "handraise",
                "trigger": "PreToolUse",
                "matcher": ".*",
                "action": { "type": "command", "command": format!("{} || exit 2", options.command) },
                "timeout": options.timeout_seconds,
                "enabled": true,
            }],
        })
    },
    command: "/hooks/0/action/command",
    timeout: "/hooks/0/timeout",
};

/// Version 2: every agent file that is there. Timeouts are in milliseconds.
static AGENT_FILE: HookFile = HookFile {
    agent: NAME,
    layout: Layout::Flat,
    command: "command",
    timeout: Some(("timeout_ms", 1000)),
    blocks: None,
    version: None,
    events: &["preToolUse"],
    notices: &[],
    shell_blocks: true,
    is_off: never_off,
    wanted,
};

fn wanted(options: &ConnectOptions) -> Result<Entries, ConnectError> {
    without_http(options)?;
    every_call(options)?;
    let mut hook = AGENT_FILE.asking_hook(options);
    hook.insert("matcher".to_owned(), "*".into());
    // An answer is for one call and never for the next.
    hook.insert("cache_ttl_seconds".to_owned(), 0.into());
    Ok(vec![("preToolUse", Value::Object(hook))])
}
