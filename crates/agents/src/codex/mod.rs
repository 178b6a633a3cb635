//! Codex CLI, by OpenAI.
//!
//! Sources: the JSON schemas in its program (0.169.0), its documentation page "Hooks", and runs of
//! the program. What matters most for a gate:
//!
//! * `PreToolUse` can only deny or change a call; an allow leaves Codex's own question open. So a
//!   connection asks before every call with `PreToolUse`, and answers Codex's own question with
//!   `PermissionRequest`.
//! * A bare allow, `ask`, garbage, any exit code but 2, and 2 with nothing on stderr let the call run.
//! * Only hooks that the person trusts are run at all ([`trust`]).

mod message;
mod settings;
mod tools;
mod transcript;
pub mod trust;

use handraise_protocol::ApprovalResult;
use serde_json::{Map, Value, json};

use crate::claude_style::{self, allow, deny};
use crate::connect::pinned::PinnedFeature;
use crate::connect::{Level, ManagedFile};
use crate::instruction::Instruction;
use crate::own_rules::{self, RuleFile};
use crate::{
    Agent, HookCall, HookError, HookEvent, HookMessage, HookOutput, OffSwitch, PROBE_SESSION, PastCall, Probe,
    ProjectList, ToolFacts, Transcripts, notice,
};

const NAME: &str = "codex";
const OFF_SWITCHES: &[OffSwitch] = &[OffSwitch::codex_feature()];
const PROJECTS: &[ProjectList] = &[ProjectList::codex()];

const RULE_FILES: &[RuleFile] = &[
    RuleFile::new(".codex/config.toml", Level::User, own_rules::codex::configuration),
    RuleFile::new(".codex/rules/*.rules", Level::User, own_rules::codex::rules),
    RuleFile::new(".codex/config.toml", Level::Project, own_rules::codex::configuration),
    RuleFile::new(".codex/rules/*.rules", Level::Project, own_rules::codex::rules),
];

/// Codex CLI, by OpenAI.
pub(crate) struct Codex;

impl Agent for Codex {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Codex CLI"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        message::parse(bytes)
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        match (Instruction::of(call, result), call.event) {
            (Instruction::Deny { reason }, event) => HookOutput::json(&deny(event, &reason)),
            // Codex takes an allow only together with changed arguments.
            (Instruction::Allow { arguments: None, .. }, HookEvent::BeforeTool) => HookOutput::silent(),
            (Instruction::Allow { arguments: Some(arguments), .. }, HookEvent::BeforeTool) => {
                HookOutput::json(&match takes(call, &arguments) {
                    true => allow(call.event, None, Some(arguments)),
                    false => deny(call.event, "Denied in Handraise: the changed arguments have no command."),
                })
            }
            (Instruction::Allow { .. }, event) => HookOutput::json(&allow(event, None, None)),
        }
    }

    fn pass(&self) -> HookOutput {
        HookOutput::silent()
    }

    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        if notice::is_one(self, input) { self.pass() } else { HookOutput::blocked(sentence) }
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        tools::facts(tool, server, arguments)
    }

    /// `write_stdin` fires no hook (seen in 0.169.0).
    fn types_unasked(&self) -> bool {
        true
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "session_id": PROBE_SESSION,
            "turn_id": PROBE_SESSION,
            "transcript_path": null,
            "cwd": cwd,
            "hook_event_name": "PreToolUse",
            "model": "",
            "permission_mode": "default",
            "tool_name": "update_plan",
            "tool_input": {},
            "tool_use_id": PROBE_SESSION,
        }))
    }

    fn program(&self) -> &'static str {
        "codex"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        settings::files(level)
    }

    /// Its documentation page "Managed configuration": what is required there no other file changes.
    fn system_files(&self) -> Vec<ManagedFile> {
        vec![ManagedFile::new("etc/codex/requirements.toml", &PinnedFeature)]
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
            "Codex runs only hooks that are trusted, and skips others without a word; trust them with /hooks in Codex \
             when `handraise doctor` says so.",
            "What Codex types into a command that runs (`write_stdin`) has no hook. A shell or interpreter that \
             stays open is never approved by a rule. What you approve there is all that is typed into it.",
            "A project's own `.codex/config.toml` can switch its hooks off (`features.hooks`); `handraise connect \
             codex --system` forbids that.",
            "When the hook is stopped or frozen so that it is too late, the tool runs. Keep Codex's own approval policy \
             at \"on-request\", and its sandbox on.",
            "Web search and other tools that run at the provider have no hook; switch them off in Codex if that \
             matters.",
        ]
    }
}

/// What Codex would refuse is run as it was asked, so it must not be sent.
fn takes(call: &HookCall, arguments: &Map<String, Value>) -> bool {
    call.request.server.is_some()
        || !matches!(call.request.tool.as_str(), "Bash" | "apply_patch")
        || arguments.get("command").is_some_and(Value::is_string)
}
