//! OpenCode.
//!
//! Sources: the types of `@opencode-ai/plugin` 1.18.33 and `@opencode-ai/sdk` 1.19.3, and runs of
//! 1.18.33. OpenCode has no hook commands. A connection is a plugin, `handraise.js`, that runs the
//! hook program with one JSON object for each question:
//!
//! * `tool.execute.before`, for every call: a throw makes the tool fail, so whatever goes wrong there
//!   closes. An allow leaves OpenCode's own question open;
//! * `permission.asked`, OpenCode's own question, which the plugin answers over OpenCode's own
//!   interface. When that fails, the question stays with the person at the terminal. A call that was
//!   approved before is not asked about twice.

mod message;
mod transcript;

use handraise_policy::RiskLevel::{ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Network, Other, Shell};
use handraise_policy::{Subject, ToolClass};
use handraise_protocol::ApprovalResult;
use serde_json::{Map, Value, json};

use crate::connect::generated::Generated;
use crate::connect::{Level, ManagedFile};
use crate::instruction::Instruction;
use crate::own_rules::{self, RuleFile};
use crate::shell_arguments::ShellArguments;
use crate::shell_arguments::text;
use crate::tool::{About, Tools, look_up, tools};
use crate::{
    Agent, HookCall, HookError, HookMessage, HookOutput, PROBE_SESSION, PastCall, Probe, ShellFacts, ToolFacts,
    Transcripts, notice,
};

const NAME: &str = "opencode";
const BEFORE_TOOL: &str = "tool.execute.before";
const ASKED: &str = "permission.asked";
const ASKED_V2: &str = "permission.v2.asked";
const ASKED_LEGACY: &str = "permission.updated";
/// As the tool `bash` of 1.18.33 has them.
const SHELL_ARGUMENTS: ShellArguments =
    ShellArguments { folder: &["workdir"], harmless: &["description", "timeout"], ..ShellArguments::of("command") };
const TABLE: &[Tools] = &[
    tools(&["bash"], Shell, Write, About::Command(&SHELL_ARGUMENTS)),
    tools(&["edit"], FileWrite, Write, About::Edit("filePath", "oldString", "newString")),
    tools(&["write"], FileWrite, Write, About::Write("filePath", "content")),
    tools(&["apply_patch", "patch"], FileWrite, Write, About::Patch("patchText")),
    tools(&["multiedit"], FileWrite, Write, About::Arguments),
    tools(&["read"], FileRead, ReadOnly, About::Read("filePath")),
    tools(&["list"], FileRead, ReadOnly, About::Read("path")),
    tools(&["glob", "grep", "lsp"], FileRead, ReadOnly, About::Arguments),
    tools(&["webfetch"], Network, Write, About::Fetch("url")),
    tools(&["websearch", "codesearch"], Network, Write, About::Arguments),
    tools(&["todowrite", "todoread", "question"], Other, ReadOnly, About::Arguments),
    tools(&["task", "skill", "external_directory", "doom_loop"], Other, Write, About::Arguments),
];

const RULE_FILES: &[RuleFile] = &[
    RuleFile::new(".config/opencode/opencode.json", Level::User, own_rules::opencode::configuration),
    RuleFile::new(".config/opencode/opencode.jsonc", Level::User, own_rules::opencode::configuration),
    RuleFile::new("opencode.json", Level::Project, own_rules::opencode::configuration),
    RuleFile::new("opencode.jsonc", Level::Project, own_rules::opencode::configuration),
    RuleFile::new(".opencode/opencode.json", Level::Project, own_rules::opencode::configuration),
];

/// OpenCode.
pub(crate) struct OpenCode;

impl Agent for OpenCode {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "OpenCode"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        message::parse(bytes)
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        HookOutput::json(&match (Instruction::of(call, result), call.event_name) {
            (Instruction::Deny { reason }, form) => deny(form, &reason),
            (Instruction::Allow { arguments: None, .. }, BEFORE_TOOL) => json!({ "action": "allow" }),
            (Instruction::Allow { arguments: Some(arguments), .. }, BEFORE_TOOL) => {
                json!({ "action": "modify", "args": arguments })
            }
            (Instruction::Allow { .. }, ASKED_LEGACY) => json!({ "response": "once" }),
            (Instruction::Allow { .. }, _) => json!({ "reply": "once" }),
        })
    }

    fn pass(&self) -> HookOutput {
        HookOutput::json(&json!({}))
    }

    /// A failed question of OpenCode's own gets no reply: it stays with the person at the terminal.
    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        match self.parse(input) {
            Ok(HookMessage::Ask(call)) if call.event_name != BEFORE_TOOL => HookOutput::blocked(sentence),
            _ if notice::is_one(self, input) => self.pass(),
            _ => HookOutput::blocked_twice(&deny(BEFORE_TOOL, sentence), sentence),
        }
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        if server.is_some() {
            return ToolFacts::mcp();
        }
        let facts = look_up(TABLE, tool, arguments);
        if facts.subject != Subject::Arguments || !arguments.contains_key("patterns") {
            return facts;
        }
        of_question(facts, arguments)
    }

    /// The standard input of its commands is closed.
    fn types_unasked(&self) -> bool {
        false
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "input": { "tool": "glob", "sessionID": PROBE_SESSION, "callID": PROBE_SESSION },
            "output": { "args": { "pattern": "*" } },
            "directory": cwd,
        }))
    }

    fn rule_files(&self) -> &'static [RuleFile] {
        RULE_FILES
    }

    fn transcripts(&self) -> Option<Transcripts> {
        Some(transcript::TRANSCRIPTS)
    }

    fn told_before(&self, call: &PastCall) -> Option<Value> {
        Some(json!({
            "input": { "tool": call.tool, "sessionID": call.session_or_unknown(), "callID": call.id },
            "output": { "args": call.arguments },
            "directory": call.cwd,
        }))
    }

    fn program(&self) -> &'static str {
        "opencode"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        match level {
            Level::User => vec![ManagedFile::new(".config/opencode/plugins/handraise.js", &PLUGIN)],
            Level::Project => vec![ManagedFile::new(".opencode/plugins/handraise.js", &PLUGIN)],
        }
    }

    /// The plugin throws.
    fn can_block_on_failure(&self, _version: &str) -> bool {
        true
    }

    fn has_own_questions(&self) -> bool {
        true
    }

    fn stays_open(&self, _version: Option<&str>) -> Vec<&'static str> {
        vec![
            "When OpenCode does not load the plugin (an error at its start, or `--pure`), tools run unasked. Keep \
             `permission` in opencode.json at \"ask\" for what matters.",
            "What the person types behind ! runs without any plugin being asked.",
        ]
    }
}

/// What OpenCode's own question says beside its patterns.
fn of_question(mut facts: ToolFacts, arguments: &Map<String, Value>) -> ToolFacts {
    let Some(details) = arguments.get("metadata").and_then(Value::as_object) else { return facts };
    match facts.class {
        ToolClass::Shell => {
            // What the arguments mean that a question has is known.
            facts.shell = ShellFacts::default();
            facts.subject = text(details, "command").map(|line| Subject::Command { line }).unwrap_or_default();
        }
        ToolClass::FileWrite => facts.files = text(details, "filepath").into_iter().collect(),
        _ => {}
    }
    facts
}

/// With a message the model goes on; without one OpenCode would end the turn.
fn deny(form: &str, reason: &str) -> Value {
    match form {
        BEFORE_TOOL => json!({ "action": "deny", "message": reason }),
        ASKED_LEGACY => json!({ "response": "reject" }),
        _ => json!({ "reply": "reject", "message": reason }),
    }
}

static PLUGIN: Generated = Generated {
    agent: NAME,
    template: include_str!("plugin.js"),
    around_command: ("const COMMAND = ", ""),
    has_own_questions: true,
};
