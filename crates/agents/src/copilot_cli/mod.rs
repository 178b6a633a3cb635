//! Copilot CLI, by GitHub.
//!
//! Sources: GitHub's documentation page "Hooks reference", the bundle of `@github/copilot` 1.0.50,
//! its changelog, and runs of 1.0.102. What matters most for a gate: any exit code but 0 blocks, but
//! then the reason does not reach the model, so denials are JSON; a hook that is too late, and one
//! that prints nothing or garbage and ends well, lets the call run.

mod transcript;

use handraise_policy::RiskLevel::{ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Network, Other, Shell};
use handraise_protocol::{ApprovalRequest, ApprovalResult};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::claude_style;
use crate::connect::hook_file::{Entries, HookFile, Layout, all_hooks_disabled, without_http};
use crate::connect::{ConnectError, ConnectOptions, Level, ManagedFile};
use crate::instruction::Instruction;
use crate::message::Message;
use crate::own_rules::{self, RuleFile};
use crate::shell_arguments::ShellArguments;
use crate::tool::{About, Tools, look_up, tools};
use crate::{
    Agent, CallKey, HookCall, HookError, HookEvent, HookMessage, HookOutput, OffSwitch, PROBE_SESSION, PastCall, Probe,
    ProjectList, ToolFacts, Transcripts, mcp, notice,
};

const NAME: &str = "copilot-cli";
/// It reads the settings of Claude Code in a project as well.
const OFF_SWITCHES: &[OffSwitch] = &[
    OffSwitch::disable_all_hooks(".github/copilot/settings.json"),
    OffSwitch::disable_all_hooks(".github/copilot/settings.local.json"),
    OffSwitch::disable_all_hooks(".github/hooks/*.json"),
    OffSwitch::disable_all_hooks(".claude/settings.json"),
    OffSwitch::disable_all_hooks(".claude/settings.local.json"),
];
const PROJECTS: &[ProjectList] = &[ProjectList::trusted_folders(".copilot/config.json")];
const BEFORE_TOOL: &str = "preToolUse";
const PERMISSION_REQUEST: &str = "permissionRequest";
/// The event names of hooks in the style of Claude Code, which Copilot CLI also runs.
const BEFORE_TOOL_CLAUDE: &str = "PreToolUse";
/// In that style the tools have Claude Code's names.
const CLAUDE_NAMES: &[(&str, &str)] = &[
    ("Bash", "bash"),
    ("PowerShell", "powershell"),
    ("Write", "create"),
    ("Edit", "edit"),
    ("Read", "view"),
    ("Glob", "glob"),
    ("Grep", "grep"),
    ("Task", "task"),
    ("Agent", "task"),
    ("WebFetch", "web_fetch"),
    ("AskUserQuestion", "ask_user"),
];
/// As its documentation and transcripts have them.
const SHELL: ShellArguments = ShellArguments {
    harmless: &["description", "initial_wait", "timeout", "sessionId", "shellId"],
    background: &["async", "detach", "run_in_background"],
    sandbox: &[("requestSandboxBypass", &[]), ("dangerouslyDisableSandbox", &[])],
    ..ShellArguments::of("command")
};
const TABLE: &[Tools] = &[
    tools(&["bash", "powershell"], Shell, Write, About::Command(&SHELL)),
    // What is typed into a running command is a call of its own.
    tools(&["write_bash", "write_powershell"], Shell, Write, About::Arguments),
    tools(&["read_bash", "read_powershell", "list_bash", "list_powershell"], Other, ReadOnly, About::Arguments),
    // It ends what the agent has started itself.
    tools(&["stop_bash", "stop_powershell"], Other, ReadOnly, About::Arguments),
    tools(&["create"], FileWrite, Write, About::Write("path", "file_text")),
    tools(&["create"], FileWrite, Write, About::Write("file_path", "content")),
    tools(&["edit"], FileWrite, Write, About::Edit("path", "old_str", "new_str")),
    tools(&["edit"], FileWrite, Write, About::Edit("file_path", "old_string", "new_string")),
    tools(&["view"], FileRead, ReadOnly, About::Read("path")),
    tools(&["view"], FileRead, ReadOnly, About::Read("file_path")),
    tools(&["glob", "grep"], FileRead, ReadOnly, About::Arguments),
    tools(&["web_fetch"], Network, Write, About::Fetch("url")),
    tools(&["report_intent", "update_todo", "ask_user"], Other, ReadOnly, About::Arguments),
    tools(&["task", "store_memory"], Other, Write, About::Arguments),
];

const RULE_FILES: &[RuleFile] = &[
    RuleFile::new(".copilot/permissions-config.json", Level::User, own_rules::copilot_cli::approvals),
    RuleFile::new(".copilot/settings.json", Level::User, own_rules::copilot_cli::settings),
    RuleFile::new(".copilot/config.json", Level::User, own_rules::copilot_cli::settings),
];

/// Copilot CLI, by GitHub.
pub(crate) struct CopilotCli;

impl Agent for CopilotCli {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Copilot CLI"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        let message = Message::read(bytes)?;
        let session = |field| message.required(field).map(str::to_owned);
        let (form, fields) = match message.optional("hook_event_name")?.map_or(message.optional("hookName")?, Some) {
            Some(BEFORE_TOOL_CLAUDE) => (BEFORE_TOOL_CLAUDE, &CLAUDE_FIELDS),
            Some("SessionEnd") => return Ok(HookMessage::SessionEnded { session: session("session_id")? }),
            Some("Stop") => return Ok(HookMessage::TurnEnded { session: session("session_id")? }),
            Some("PostToolUse" | "PostToolUseFailure") => {
                let call = self.request(&message, &CLAUDE_FIELDS)?.1;
                return Ok(HookMessage::CallEnded { session: session("session_id")?, call });
            }
            Some(PERMISSION_REQUEST) => (PERMISSION_REQUEST, &PERMISSION_REQUEST_FIELDS),
            // The event itself says no name.
            None if message.has("toolArgs") => (BEFORE_TOOL, &FIELDS),
            Some(BEFORE_TOOL) => (BEFORE_TOOL, &FIELDS),
            Some(name) => return Err(HookError::unknown_event(name)),
            None => return Err(HookError::Missing("toolArgs")),
        };
        let (request, key) = self.request(&message, fields)?;
        if request.tool == "ask_user" && request.server.is_none() {
            return Ok(HookMessage::Nothing);
        }
        request.check()?;
        let event = match form {
            PERMISSION_REQUEST => HookEvent::PermissionRequest,
            _ => HookEvent::BeforeTool,
        };
        let accepts_edits = event == HookEvent::BeforeTool;
        Ok(HookMessage::Ask(Box::new(HookCall { event, event_name: form, request, accepts_edits, key })))
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        HookOutput::json(&match (Instruction::of(call, result), call.event_name) {
            (Instruction::Deny { reason }, form) => deny(form, &reason),
            (Instruction::Allow { arguments, reason }, BEFORE_TOOL_CLAUDE) => {
                claude_style::allow(HookEvent::BeforeTool, Some(&reason), arguments)
            }
            (Instruction::Allow { .. }, PERMISSION_REQUEST) => json!({ "behavior": "allow" }),
            (Instruction::Allow { arguments: None, .. }, _) => json!({ "permissionDecision": "allow" }),
            (Instruction::Allow { arguments: Some(arguments), .. }, _) => {
                json!({ "permissionDecision": "allow", "modifiedArgs": arguments })
            }
        })
    }

    fn pass(&self) -> HookOutput {
        HookOutput::json(&json!({}))
    }

    /// A denial in JSON, with exit code 0 so that the model reads it. A message of which not even the
    /// event can be read is answered for both events at once, and blocked by exit code as well.
    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        match self.parse(input) {
            Ok(HookMessage::Ask(call)) => {
                HookOutput { stderr: sentence.to_owned(), ..HookOutput::json(&deny(call.event_name, sentence)) }
            }
            _ if notice::is_one(self, input) => self.pass(),
            _ => {
                let denial = json!({
                    "permissionDecision": "deny",
                    "permissionDecisionReason": sentence,
                    "behavior": "deny",
                    "message": sentence,
                });
                HookOutput::blocked_twice(&denial, sentence)
            }
        }
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        match server.is_some() || tool.contains('/') || tool.starts_with("mcp__") {
            true => ToolFacts::mcp(),
            false => {
                let mut facts = look_up(TABLE, tool, arguments);
                // The question about a change shows a diff, from which the file cannot be told apart.
                if tool == "edit" && arguments.contains_key("diff") {
                    facts.files = crate::shell_arguments::text(arguments, "file_path").into_iter().collect();
                }
                facts
            }
        }
    }

    /// Its tool is bash.
    fn shell(&self) -> handraise_shell::Shell {
        handraise_shell::Shell::Bash
    }

    /// `write_bash` is a tool like any other, and asked about.
    fn types_unasked(&self) -> bool {
        false
    }

    fn probe(&self, cwd: &str) -> Probe {
        let message = json!({
            "sessionId": PROBE_SESSION,
            "timestamp": 0,
            "cwd": cwd,
            "toolName": "glob",
            "toolArgs": { "pattern": "*" },
        });
        Probe { environment: vec![("COPILOT_CLI", "1".to_owned())], ..Probe::of(&message) }
    }

    fn rule_files(&self) -> &'static [RuleFile] {
        RULE_FILES
    }

    fn transcripts(&self) -> Option<Transcripts> {
        Some(transcript::TRANSCRIPTS)
    }

    fn told_before(&self, call: &PastCall) -> Option<Value> {
        Some(json!({
            "sessionId": call.session_or_unknown(),
            "cwd": call.cwd,
            "toolName": match &call.server {
                Some(server) => format!("{server}/{}", call.tool),
                None => call.tool.clone(),
            },
            "toolArgs": call.arguments,
        }))
    }

    fn program(&self) -> &'static str {
        "copilot"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        match level {
            Level::User => vec![ManagedFile::new(".copilot/hooks/handraise.json", &HOOKS)],
            Level::Project => vec![ManagedFile::new(".github/hooks/handraise.json", &HOOKS)],
        }
    }

    fn off_switches(&self) -> &'static [OffSwitch] {
        OFF_SWITCHES
    }

    fn project_lists(&self) -> &'static [ProjectList] {
        PROJECTS
    }

    /// Since 1.0.57, without being told: all but a hook that is too late.
    fn can_block_on_failure(&self, version: &str) -> bool {
        crate::version::is_at_least(version, [1, 0, 57])
    }

    fn has_own_questions(&self) -> bool {
        true
    }

    fn stays_open(&self, version: Option<&str>) -> Vec<&'static str> {
        let mut open = vec![
            "A project's own settings can switch its hooks off (`disableAllHooks`), and nothing forbids that; \
             look at such a file before you work there.",
            "When the hook is stopped or frozen so that it is too late, the tool runs. Keep Copilot's own permissions \
             at their default and do not start it with --allow-all-tools.",
        ];
        if !version.is_some_and(|version| self.can_block_on_failure(version)) {
            open.push("Before version 1.0.57 it runs the tool when the hook fails; update it.");
        }
        open
    }
}

/// Where each form of message says what.
struct Fields {
    session: &'static str,
    tool: &'static str,
    arguments: &'static str,
}

const FIELDS: Fields = Fields { session: "sessionId", tool: "toolName", arguments: "toolArgs" };
const PERMISSION_REQUEST_FIELDS: Fields = Fields { session: "sessionId", tool: "toolName", arguments: "toolInput" };
const CLAUDE_FIELDS: Fields = Fields { session: "session_id", tool: "tool_name", arguments: "tool_input" };

impl CopilotCli {
    /// There is no call id in any event.
    fn request(&self, message: &Message, fields: &Fields) -> Result<(ApprovalRequest, CallKey), HookError> {
        let name = message.required(fields.tool)?;
        // Older builds sent the arguments as the text of an object.
        let arguments = message.object_or_text(fields.arguments)?;
        let own = CLAUDE_NAMES.iter().find(|(claude, _)| *claude == name).map_or(name, |(_, own)| own);
        let (server, tool) = match own.starts_with("mcp__") {
            true => mcp::server_and_tool(own, None),
            false => mcp::divided_by_slash(own),
        };
        let class = self.tool_facts(&tool, server.as_deref(), &arguments).class;
        let described = class == Shell;
        let request = ApprovalRequest {
            description: described.then(|| arguments.get("description")?.as_str().map(str::to_owned)).flatten(),
            tool,
            server,
            agent: Some(NAME.to_owned()),
            session: Some(message.required(fields.session)?.to_owned()),
            cwd: message.text("cwd")?,
            arguments,
            ..ApprovalRequest::default()
        };
        let key = call_key(&request, class, None);
        Ok((request, key))
    }
}

fn deny(form: &str, reason: &str) -> Value {
    match form {
        BEFORE_TOOL_CLAUDE => claude_style::deny(HookEvent::BeforeTool, reason),
        PERMISSION_REQUEST => json!({ "behavior": "deny", "message": reason, "interrupt": false }),
        _ => json!({ "permissionDecision": "deny", "permissionDecisionReason": reason }),
    }
}

static HOOKS: HookFile = HookFile {
    agent: NAME,
    layout: Layout::Flat,
    command: "bash",
    timeout: Some(("timeoutSec", 1)),
    blocks: None,
    version: Some(1),
    events: &[BEFORE_TOOL, PERMISSION_REQUEST],
    notices: &[],
    shell_blocks: true,
    is_off: all_hooks_disabled,
    wanted,
};

/// One of the two: `preToolUse` answers Copilot's own question as well.
fn wanted(options: &ConnectOptions) -> Result<Entries, ConnectError> {
    without_http(options)?;
    let event = if options.only_what_agent_asks { PERMISSION_REQUEST } else { BEFORE_TOOL };
    let mut hook = HOOKS.asking_hook(options);
    hook.insert("type".to_owned(), "command".into());
    hook.insert("powershell".to_owned(), powershell(&options.words).into());
    Ok(vec![(event, Value::Object(hook))])
}

/// For Windows, where Copilot does not look at `bash`. Within single quotes only the single quote is
/// special (PowerShell's page "about_Quoting_Rules").
fn powershell(words: &[String]) -> String {
    let quoted = words.iter().map(|word| format!(" '{}'", word.replace('\'', "''")));
    std::iter::once("&".to_owned()).chain(quoted).collect()
}
