//! Qwen Code, by Alibaba.
//!
//! Sources: the documentation and code bundled with `@qwen-code/qwen-code` 0.24.4, and runs of
//! 0.15.10. What matters most for a gate: `PermissionRequest` answers Qwen's own question, and
//! `PreToolUse` runs after that for every call and can only veto. Both are given up after 60
//! seconds, whatever the settings say, and then the call runs.

mod transcript;

use handraise_policy::PhaseOrder;
use handraise_policy::RiskLevel::{ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Network, Other, Shell};
use handraise_protocol::{ApprovalRequest, ApprovalResult};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::claude_style::{self, deny};
use crate::connect::hook_file::{Entries, HookFile, Layout, all_hooks_disabled, all_of, group, some_of, without_http};
use crate::connect::pinned::PinnedJson;
use crate::connect::{ConnectError, ConnectOptions, Level, ManagedFile};
use crate::message::Message;
use crate::own_rules::{self, RuleFile};
use crate::shell_arguments::ShellArguments;
use crate::tool::{About, Tools, look_up, tools};
use crate::{
    Agent, CallKey, HookCall, HookError, HookEvent, HookMessage, HookOutput, OffSwitch, PROBE_SESSION, PastCall, Probe,
    ProjectList, Timing, ToolFacts, Transcripts, mcp, notice,
};

const NAME: &str = "qwen-code";
const OFF_SWITCHES: &[OffSwitch] = &[OffSwitch::disable_all_hooks(".qwen/settings.json")];
const PROJECTS: &[ProjectList] =
    &[ProjectList::keys(".qwen/trustedFolders.json"), ProjectList::keys_of_projects(".qwen/projects.json")];
static HOOKS_STAY_ON: PinnedJson = PinnedJson { key: "disableAllHooks", inside: None, value: false };
/// Events that decide nothing about a tool call.
const OTHERS: &[&str] = &[
    "Notification",
    "PermissionDenied",
    "PostCompact",
    "PreCompact",
    "SessionStart",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "UserPromptSubmit",
];
const SHELL: &str = "run_shell_command";
/// As its bundled documentation has them (0.24.4).
const ARGUMENTS: ShellArguments = ShellArguments {
    folder: &["directory"],
    harmless: &["description", "timeout", "max_events", "idle_timeout_ms"],
    background: &["is_background"],
    ..ShellArguments::of("command")
};
const TABLE: &[Tools] = &[
    tools(&[SHELL, "monitor"], Shell, Write, About::Command(&ARGUMENTS)),
    tools(&["edit"], FileWrite, Write, About::Edit("file_path", "old_string", "new_string")),
    tools(&["write_file"], FileWrite, Write, About::Write("file_path", "content")),
    tools(&["notebook_edit"], FileWrite, Write, About::Arguments),
    tools(&["read_file"], FileRead, ReadOnly, About::Read("file_path")),
    tools(&["read_file"], FileRead, ReadOnly, About::Read("absolute_path")),
    tools(&["list_directory"], FileRead, ReadOnly, About::Read("path")),
    tools(&["grep_search", "glob", "lsp"], FileRead, ReadOnly, About::Arguments),
    tools(&["web_fetch"], Network, Write, About::Fetch("url")),
    tools(&["web_search"], Network, Write, About::Arguments),
    tools(&["todo_write", "cron_list", "ask_user_question"], Other, ReadOnly, About::Arguments),
    tools(&["agent", "skill", "save_memory", "cron_create", "cron_delete"], Other, Write, About::Arguments),
];

const RULE_FILES: &[RuleFile] = &[
    RuleFile::new(".qwen/settings.json", Level::User, own_rules::claude_style::qwen_code),
    RuleFile::new(".qwen/settings.json", Level::Project, own_rules::claude_style::qwen_code),
];

/// Qwen Code, by Alibaba.
pub(crate) struct QwenCode;

impl Agent for QwenCode {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Qwen Code"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        let message = Message::read(bytes)?;
        let session = message.required("session_id")?.to_owned();
        match message.required("hook_event_name")? {
            "SessionEnd" => Ok(HookMessage::SessionEnded { session }),
            "Stop" => Ok(HookMessage::TurnEnded { session }),
            "PostToolUse" | "PostToolUseFailure" => {
                Ok(HookMessage::CallEnded { session, call: self.request(&message)?.1 })
            }
            name if OTHERS.contains(&name) => Ok(HookMessage::Nothing),
            name => {
                let event = claude_style::event(name).ok_or_else(|| HookError::unknown_event(name))?;
                if matches!(message.required("tool_name")?, "ask_user_question" | "exit_plan_mode") {
                    return Ok(HookMessage::Nothing);
                }
                let (request, key) = self.request(&message)?;
                request.check()?;
                // What `PreToolUse` changes is not applied.
                let accepts_edits = event == HookEvent::PermissionRequest;
                let event_name = claude_style::event_name(event);
                Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits, key })))
            }
        }
    }

    /// Its own question comes before the hook that runs for every call.
    fn order(&self, call: &HookCall) -> PhaseOrder {
        match call.event {
            HookEvent::PermissionRequest => PhaseOrder::First,
            HookEvent::BeforeTool => PhaseOrder::Second,
        }
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        claude_style::render(call, result)
    }

    fn pass(&self) -> HookOutput {
        HookOutput::json(&json!({}))
    }

    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        if notice::is_one(self, input) {
            return self.pass();
        }
        let event = match self.parse(input) {
            Ok(HookMessage::Ask(call)) => call.event,
            _ => HookEvent::BeforeTool,
        };
        HookOutput::blocked_twice(&deny(event, sentence), sentence)
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        match server.is_some() || tool.starts_with("mcp__") {
            true => ToolFacts::mcp(),
            false => look_up(TABLE, tool, arguments),
        }
    }

    /// `getShellConfiguration`, as in Gemini CLI.
    fn shell(&self) -> handraise_shell::Shell {
        handraise_shell::Shell::Bash
    }

    /// It has no tool for that.
    fn types_unasked(&self) -> bool {
        false
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "session_id": PROBE_SESSION,
            "transcript_path": "",
            "cwd": cwd,
            "timestamp": "1970-01-01T00:00:00.000Z",
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "glob",
            "tool_input": { "pattern": "*" },
            "tool_use_id": PROBE_SESSION,
        }))
    }

    fn program(&self) -> &'static str {
        "qwen"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        match level {
            Level::User | Level::Project => vec![ManagedFile::new(".qwen/settings.json", &SETTINGS)],
        }
    }

    /// Under the 60 seconds after which Qwen Code gives up whatever the settings say.
    fn timing(&self) -> Timing {
        Timing { agent_seconds: 58, hook_seconds: 50 }
    }

    /// Its documentation: system settings come before all others.
    fn system_files(&self) -> Vec<ManagedFile> {
        vec![ManagedFile::new("etc/qwen-code/settings.json", &HOOKS_STAY_ON)]
    }

    fn off_switches(&self) -> &'static [OffSwitch] {
        OFF_SWITCHES
    }

    fn project_lists(&self) -> &'static [ProjectList] {
        PROJECTS
    }

    fn rule_files(&self) -> &'static [RuleFile] {
        RULE_FILES
    }

    fn transcripts(&self) -> Option<Transcripts> {
        Some(transcript::TRANSCRIPTS)
    }

    fn told_before(&self, call: &PastCall) -> Option<Value> {
        Some(claude_style::before(call))
    }

    fn can_block_on_failure(&self, _version: &str) -> bool {
        false
    }

    fn has_own_questions(&self) -> bool {
        true
    }

    fn stays_open(&self, _version: Option<&str>) -> Vec<&'static str> {
        vec![
            "Qwen Code gives a hook 60 seconds and then runs the tool. Handraise denies after 50; answer late, and the \
             next identical call is approved.",
            "A hook that is stopped or frozen, or killed together with its shell, asks nobody; keep Qwen's approval \
             mode at \"default\".",
            "A project's own settings can switch its hooks off (`disableAllHooks`); `handraise connect qwen-code \
             --system` forbids that.",
            "A project's own settings count only in a trusted folder; connect at the user level.",
        ]
    }
}

impl QwenCode {
    fn request(&self, message: &Message) -> Result<(ApprovalRequest, CallKey), HookError> {
        let name = message.required("tool_name")?;
        let arguments = message.object("tool_input")?;
        let (server, tool) = mcp::server_and_tool(name, None);
        // `PermissionRequest` has none.
        let id = message.text("tool_use_id")?;
        let class = self.tool_facts(&tool, server.as_deref(), &arguments).class;
        let described = matches!(name, SHELL | "monitor" | "agent");
        let request = ApprovalRequest {
            description: described.then(|| arguments.get("description")?.as_str().map(str::to_owned)).flatten(),
            tool,
            server,
            agent: Some(NAME.to_owned()),
            session: message.text("session_id")?,
            cwd: message.text("cwd")?,
            trace_id: id.clone(),
            tags: message.sub_agent_tags()?,
            arguments,
            ..ApprovalRequest::default()
        };
        let key = call_key(&request, class, id);
        Ok((request, key))
    }
}

/// Timeouts of command hooks are in milliseconds (from 1000 on).
static SETTINGS: HookFile = HookFile {
    agent: NAME,
    layout: Layout::Grouped,
    command: "command",
    timeout: Some(("timeout", 1000)),
    blocks: None,
    version: None,
    events: &["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "SessionEnd"],
    notices: &["PostToolUse", "PostToolUseFailure", "SessionEnd"],
    shell_blocks: true,
    is_off: all_hooks_disabled,
    wanted,
};

fn wanted(options: &ConnectOptions) -> Result<Entries, ConnectError> {
    without_http(options)?;
    let notice = || SETTINGS.telling_hook(options, 5);
    // What a command leaves behind, its arguments do not say. Undo compares with what is there when it ends.
    let ended = ["PostToolUse", "PostToolUseFailure"].map(|event| (event, some_of("run_shell_command", notice())));
    let question = ("PermissionRequest", group(SETTINGS.asking_hook(options)));
    let every_call = (!options.only_what_agent_asks).then(|| ("PreToolUse", group(SETTINGS.asking_hook(options))));
    Ok(every_call.into_iter().chain([question]).chain(ended).chain([("SessionEnd", all_of(notice()))]).collect())
}
