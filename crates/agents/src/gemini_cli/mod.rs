//! Gemini CLI, by Google.
//!
//! Sources: the documentation and code bundled with `@google/gemini-cli` 0.61.0, and runs of it.
//! What matters most for a gate: an allow does not skip Gemini's own confirmation, `ask` turns a
//! denial by Gemini's own policy into a question (so it is never sent), and a hook that times out or
//! crashes lets the call run.

pub(crate) mod transcript;

use handraise_policy::RiskLevel::{ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Network, Other, Shell};
use handraise_protocol::{ApprovalRequest, ApprovalResult};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::connect::hook_file::{Entries, HookFile, Layout, all_of, every_call, group, some_of, without_http};
use crate::connect::pinned::PinnedJson;
use crate::connect::{ConnectError, ConnectOptions, Level, ManagedFile};
use crate::instruction::Instruction;
use crate::message::Message;
use crate::own_rules::{self, RuleFile};
use crate::shell_arguments::ShellArguments;
use crate::tool::{About, Tools, look_up, tools};
use crate::{
    Agent, CallKey, HookCall, HookError, HookEvent, HookMessage, HookOutput, OffSwitch, PROBE_SESSION, PastCall, Probe,
    ProjectList, ToolFacts, Transcripts, notice,
};

const NAME: &str = "gemini-cli";
const OFF_SWITCHES: &[OffSwitch] =
    &[OffSwitch::hooks_config("hooksConfig.enabled"), OffSwitch::hooks_config("hooksConfig.disabled")];
const PROJECTS: &[ProjectList] =
    &[ProjectList::keys_of_projects(".gemini/projects.json"), ProjectList::keys(".gemini/trustedFolders.json")];
static HOOKS_STAY_ON: PinnedJson = PinnedJson { key: "enabled", inside: Some("hooksConfig"), value: true };
const BEFORE_TOOL: &str = "BeforeTool";
/// Events that decide nothing about a tool call.
const OTHERS: &[&str] =
    &["AfterModel", "BeforeAgent", "BeforeModel", "BeforeToolSelection", "Notification", "PreCompress", "SessionStart"];
const SHELL: &str = "run_shell_command";
/// `ShellToolParams` of `@google/gemini-cli` 0.61.0, and those of older versions.
const ARGUMENTS: ShellArguments = ShellArguments {
    folder: &["dir_path", "directory"],
    harmless: &["description", "delay_ms"],
    background: &["is_background"],
    sandbox: &[("additional_permissions", &[])],
    ..ShellArguments::of("command")
};
const TABLE: &[Tools] = &[
    tools(&[SHELL], Shell, Write, About::Command(&ARGUMENTS)),
    tools(&["replace"], FileWrite, Write, About::Edit("file_path", "old_string", "new_string")),
    tools(&["write_file"], FileWrite, Write, About::Write("file_path", "content")),
    tools(&["read_file"], FileRead, ReadOnly, About::Read("file_path")),
    tools(&["read_file"], FileRead, ReadOnly, About::Read("absolute_path")),
    tools(&["list_directory"], FileRead, ReadOnly, About::Read("dir_path")),
    tools(&["read_many_files", "glob", "grep_search", "search_file_content"], FileRead, ReadOnly, About::Arguments),
    tools(&["web_fetch", "google_web_search"], Network, Write, About::Arguments),
    tools(&["write_todos", "get_internal_docs", "ask_user"], Other, ReadOnly, About::Arguments),
    tools(&["save_memory", "activate_skill", "invoke_agent"], Other, Write, About::Arguments),
];

const RULE_FILES: &[RuleFile] = &[
    RuleFile::new(".gemini/settings.json", Level::User, own_rules::gemini_cli::settings),
    RuleFile::new(".gemini/policies/*.toml", Level::User, own_rules::gemini_cli::policies),
    RuleFile::new(".gemini/settings.json", Level::Project, own_rules::gemini_cli::settings),
    RuleFile::new(".gemini/policies/*.toml", Level::Project, own_rules::gemini_cli::policies),
];

/// Gemini CLI, by Google.
pub(crate) struct GeminiCli;

impl Agent for GeminiCli {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Gemini CLI"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        let message = Message::read(bytes)?;
        let session = message.required("session_id")?.to_owned();
        match message.required("hook_event_name")? {
            "SessionEnd" => Ok(HookMessage::SessionEnded { session }),
            "AfterAgent" => Ok(HookMessage::TurnEnded { session }),
            "AfterTool" => Ok(HookMessage::CallEnded { session, call: self.request(&message)?.1 }),
            BEFORE_TOOL => {
                if message.required("tool_name")? == "ask_user" {
                    return Ok(HookMessage::Nothing);
                }
                let (request, key) = self.request(&message)?;
                request.check()?;
                let (event, event_name) = (HookEvent::BeforeTool, BEFORE_TOOL);
                Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits: true, key })))
            }
            name if OTHERS.contains(&name) => Ok(HookMessage::Nothing),
            name => Err(HookError::unknown_event(name)),
        }
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        HookOutput::json(&match Instruction::of(call, result) {
            Instruction::Deny { reason } => deny(&reason),
            Instruction::Allow { arguments: None, .. } => json!({ "decision": "allow" }),
            Instruction::Allow { arguments: Some(arguments), .. } if keeps_every_key(call, &arguments) => json!({
                "decision": "allow",
                "hookSpecificOutput": { "hookEventName": BEFORE_TOOL, "tool_input": arguments },
            }),
            Instruction::Allow { .. } => {
                deny("Denied in Handraise: the changed arguments leave one out, which Gemini CLI would keep.")
            }
        })
    }

    fn pass(&self) -> HookOutput {
        HookOutput::json(&json!({}))
    }

    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        match notice::is_one(self, input) {
            true => self.pass(),
            false => HookOutput::blocked_twice(&deny(sentence), sentence),
        }
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        match server.is_some() || tool.starts_with("mcp_") {
            true => ToolFacts::mcp(),
            false => look_up(TABLE, tool, arguments),
        }
    }

    /// `getShellConfiguration` of `@google/gemini-cli-core`.
    fn shell(&self) -> handraise_shell::Shell {
        handraise_shell::Shell::Bash
    }

    /// It has no tool for that; only the person can type into a shell that it shows.
    fn types_unasked(&self) -> bool {
        false
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "session_id": PROBE_SESSION,
            "transcript_path": "",
            "cwd": cwd,
            "hook_event_name": BEFORE_TOOL,
            "timestamp": "1970-01-01T00:00:00.000Z",
            "tool_name": "glob",
            "tool_input": { "pattern": "*" },
        }))
    }

    fn program(&self) -> &'static str {
        "gemini"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        match level {
            Level::User | Level::Project => vec![ManagedFile::new(".gemini/settings.json", &SETTINGS)],
        }
    }

    /// Its documentation: system settings come before all others. What they cannot take back is `disabled`, whose lists are joined.
    fn system_files(&self) -> Vec<ManagedFile> {
        vec![ManagedFile::new("etc/gemini-cli/settings.json", &HOOKS_STAY_ON)]
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
        Some(json!({
            "hook_event_name": BEFORE_TOOL,
            "session_id": call.session_or_unknown(),
            "cwd": call.cwd,
            "tool_name": call.tool,
            "tool_input": call.arguments,
            "mcp_context": call.server.as_ref().map(|server| json!({ "server_name": server, "tool_name": call.tool })),
        }))
    }

    fn can_block_on_failure(&self, _version: &str) -> bool {
        false
    }

    fn has_own_questions(&self) -> bool {
        false
    }

    fn stays_open(&self, _version: Option<&str>) -> Vec<&'static str> {
        vec![
            "When the hook is too late, the tool runs as far as Gemini's own policy lets it; keep that at \"ask\" for \
             what matters. Gemini then asks once more after Handraise has approved.",
            "A project's own settings can switch its hooks off (`hooksConfig`). `handraise connect gemini-cli \
             --system` forbids `enabled`, and nothing forbids `disabled`. Look at such a file before you work \
             there.",
            "A project's own settings count only in a trusted folder; connect at the user level.",
        ]
    }
}

impl GeminiCli {
    /// There is no call id in any event.
    fn request(&self, message: &Message) -> Result<(ApprovalRequest, CallKey), HookError> {
        let name = message.required("tool_name")?;
        let arguments = message.object("tool_input")?;
        let context = message.nested("mcp_context")?;
        let (server, tool) = match &context {
            // A tool of a server even where the server has no name.
            Some(context) => (
                Some(context.text("server_name")?.unwrap_or_else(|| "MCP".to_owned())),
                context.text("tool_name")?.unwrap_or_else(|| name.to_owned()),
            ),
            None => (None, name.to_owned()),
        };
        let class = self.tool_facts(&tool, server.as_deref(), &arguments).class;
        let described = (name == SHELL).then(|| arguments.get("description")?.as_str().map(str::to_owned)).flatten();
        let request = ApprovalRequest {
            tool,
            server,
            agent: Some(NAME.to_owned()),
            session: message.text("session_id")?,
            cwd: message.text("cwd")?,
            description: described,
            arguments,
            ..ApprovalRequest::default()
        };
        let key = call_key(&request, class, None);
        Ok((request, key))
    }
}

fn deny(reason: &str) -> Value {
    json!({ "decision": "deny", "reason": reason })
}

/// Documentation and code disagree on whether changed arguments replace the old ones or are merged
/// into them. With every key kept, both come to the same.
fn keeps_every_key(call: &HookCall, arguments: &Map<String, Value>) -> bool {
    call.request.arguments.keys().all(|key| arguments.contains_key(key))
}

/// Timeouts are in milliseconds.
static SETTINGS: HookFile = HookFile {
    agent: NAME,
    layout: Layout::Grouped,
    command: "command",
    timeout: Some(("timeout", 1000)),
    blocks: None,
    version: None,
    events: &[BEFORE_TOOL, "AfterTool", "SessionEnd"],
    notices: &["AfterTool", "SessionEnd"],
    shell_blocks: true,
    is_off: |root| root.get("hooksConfig").and_then(|config| config.get("enabled")) == Some(&Value::Bool(false)),
    wanted,
};

fn wanted(options: &ConnectOptions) -> Result<Entries, ConnectError> {
    without_http(options)?;
    every_call(options)?;
    let named = |mut hook: Map<String, Value>| {
        hook.insert("name".to_owned(), "handraise".into());
        hook
    };
    let notice = || named(SETTINGS.telling_hook(options, 5));
    Ok(vec![
        (BEFORE_TOOL, group(named(SETTINGS.asking_hook(options)))),
        // What a command leaves behind, its arguments do not say. Undo compares with what is there when it ends.
        ("AfterTool", some_of("run_shell_command", notice())),
        ("SessionEnd", all_of(notice())),
    ])
}
