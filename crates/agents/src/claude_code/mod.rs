//! Claude Code, by Anthropic.
//!
//! Sources: its documentation pages "Hooks reference" and "Tools reference", the types of
//! `@anthropic-ai/claude-agent-sdk` 0.3.329, and runs of the program itself (2.1.197, 2.1.329).
//! What matters most for a gate: a hook that fails in any way but with exit code 2 lets the call
//! run. The shell that runs the hook turns a missing or killed program into exit code 2, and from
//! 2.1.295 on `"onFailure": "block"` closes the rest, a hook that is too late.

mod message;
mod settings;
mod tools;
mod transcript;

use handraise_protocol::ApprovalResult;
use serde_json::{Map, Value, json};

use crate::claude_style::{self, deny};
use crate::connect::pinned::PinnedJson;
use crate::connect::{Level, ManagedFile};
use crate::own_rules::{self, RuleFile};
use crate::{
    Agent, HookCall, HookError, HookEvent, HookMessage, HookOutput, OffSwitch, PROBE_SESSION, PastCall, Probe,
    ProjectList, SkillFiles, ToolFacts, Transcripts, notice,
};

/// As it stands in paths, tokens and policies.
const NAME: &str = "claude-code";
const OFF_SWITCHES: &[OffSwitch] = &[
    OffSwitch::disable_all_hooks(".claude/settings.json"),
    OffSwitch::disable_all_hooks(".claude/settings.local.json"),
];
const PROJECTS: &[ProjectList] = &[ProjectList::keys_of_projects(".claude.json")];
static HOOKS_STAY_ON: PinnedJson = PinnedJson { key: "disableAllHooks", inside: None, value: false };

const RULE_FILES: &[RuleFile] = &[
    RuleFile::new(".claude/settings.json", Level::User, own_rules::claude_style::claude_code),
    RuleFile::new(".claude/settings.json", Level::Project, own_rules::claude_style::claude_code),
    RuleFile::new(".claude/settings.local.json", Level::Project, own_rules::claude_style::claude_code),
];

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

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        claude_style::render(call, result)
    }

    fn pass(&self) -> HookOutput {
        HookOutput::json(&json!({}))
    }

    /// Denies twice: exit code 2 blocks whatever stands on stdout, and the JSON is honoured where
    /// there is no exit code (HTTP) or it does not count (a `PermissionRequest` hook). A message of
    /// which not even the event can be read is answered as if a tool were about to run.
    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        if notice::is_one(self, input) {
            return self.pass();
        }
        let event = message::event(input).unwrap_or(HookEvent::BeforeTool);
        HookOutput::blocked_twice(&deny(event, sentence), sentence)
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        tools::facts(tool, server, arguments)
    }

    fn skill(&self, tool: &str, arguments: &Map<String, Value>) -> Option<SkillFiles> {
        tools::skill(tool, arguments)
    }

    fn run_by(&self, stdin: &[u8], environment: &dyn Fn(&str) -> Option<String>) -> Option<&'static str> {
        message::is_of_copilot(stdin, environment).then_some("copilot-cli")
    }

    /// The user's own if that is bash or zsh, and one of these otherwise; it takes no other
    /// (github.com/anthropics/claude-code/issues/71822).
    fn shell(&self) -> handraise_shell::Shell {
        handraise_shell::Shell::BashOrZsh
    }

    /// `BashOutput` and `TaskOutput` only read; nothing writes to a command that runs (`sdk-tools.d.ts`).
    fn types_unasked(&self) -> bool {
        false
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "session_id": PROBE_SESSION,
            "transcript_path": "",
            "cwd": cwd,
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Glob",
            "tool_input": { "pattern": "*" },
        }))
    }

    fn program(&self) -> &'static str {
        "claude"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        settings::files(level)
    }

    /// Documentation page "Settings": managed settings come before all others.
    fn system_files(&self) -> Vec<ManagedFile> {
        vec![ManagedFile::new("etc/claude-code/managed-settings.json", &HOOKS_STAY_ON)]
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

    fn can_block_on_failure(&self, version: &str) -> bool {
        settings::can_block_on_failure(version)
    }

    fn has_own_questions(&self) -> bool {
        true
    }

    fn stays_open(&self, version: Option<&str>) -> Vec<&'static str> {
        let mut open = vec![
            "A file that the person mentions with @ is read without a hook; nothing asks about it.",
            "A session that is started with hooks switched off asks nobody; keep the agent's own permissions at \"ask\".",
            "A project's own settings can switch its hooks off (`disableAllHooks`); `handraise connect \
             claude-code --system` forbids that.",
        ];
        if !version.is_some_and(|version| self.can_block_on_failure(version)) {
            open.push(
                "Before version 2.1.295 it runs the tool when the hook is stopped or frozen so that it is too late. \
                 Update it, and keep its own permissions at \"ask\".",
            );
        }
        open
    }
}
