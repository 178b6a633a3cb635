//! How each agent asks and what it takes for an answer: bytes in, bytes out.
//!
//! One module per agent knows that agent's hook messages, its answers, its tools and its settings
//! files. Everything is checked against recorded messages in `tests/fixtures`.
//!
//! Architecture invariant: no network, no files, no waiting. An answer that lets a call run is made
//! in one place only, `Instruction::of`, and only from an approval that is bound to that very call.

pub mod acp;
mod agent;
mod call;
mod claude_style;
mod connect;
mod hook_output;
mod instruction;
mod known_answer;
mod mcp;
mod mcp_reading;
mod message;
mod notice;
mod off_switch;
pub mod own_rules;
mod past_call;
mod past_request;
mod patch;
mod program;
mod shell_arguments;
pub mod strict_json;
mod tool;
mod transcript;
mod trial;
mod version;

mod amp;
mod claude_code;
mod cline;
pub mod codex;
mod copilot_cli;
mod cursor;
mod gemini_cli;
mod goose;
mod kiro;
mod opencode;
mod qwen_code;
mod windsurf;

pub use agent::{Agent, PROBE_SESSION, Probe, SkillFiles, SkillFolder, Timing};
pub use call::{HookCall, HookError, HookEvent, HookMessage, SUB_AGENT, SUB_AGENT_KIND};
pub use connect::{ConnectError, ConnectOptions, Connection, Handler, HttpHandler, Level, ManagedFile, ManagedText};
pub use handraise_policy::CallKey;
pub use hook_output::HookOutput;
pub use known_answer::is_answer;
pub use off_switch::{OffSwitch, ProjectList};
pub use past_call::{PastCall, PastOutcome};
pub use program::{ProgramKind, program_kind, script};
pub use shell_arguments::ShellFacts;
pub use tool::ToolFacts;
pub use transcript::{Calls, ReadTranscript, TranscriptForm, TranscriptSource, Transcripts, Unreadable};
pub use trial::{TrialCall, trial_call};

use std::collections::BTreeMap;
use std::sync::LazyLock;

use handraise_policy::{RiskLevel, ToolClass};
use handraise_shell::Shell;
use serde_json::{Map, Value};

const AGENTS: &[&dyn Agent] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &gemini_cli::GeminiCli,
    &copilot_cli::CopilotCli,
    &opencode::OpenCode,
    &qwen_code::QwenCode,
    &cursor::Cursor,
    &amp::Amp,
    &goose::Goose,
    &cline::Cline,
    &kiro::Kiro,
    &windsurf::Windsurf,
];

/// The names of all agents that are known here.
pub const NAMES: &[&str] = &[
    "claude-code",
    "codex",
    "gemini-cli",
    "copilot-cli",
    "opencode",
    "qwen-code",
    "cursor",
    "amp",
    "goose",
    "cline",
    "kiro",
    "windsurf",
];

/// The agent called `name`, as in [`NAMES`].
#[must_use]
pub fn agent(name: &str) -> Option<&'static dyn Agent> {
    AGENTS.iter().copied().find(|agent| agent.name() == name)
}

/// The shell that runs what the shell tool `tool` is given: the one that its arguments name (`named`), or the one
/// that the `agent`, if it is known and proved, always takes.
#[must_use]
pub fn shell_of(agent: Option<&str>, tool: &str, named: Option<&str>) -> Shell {
    match Shell::of(tool, named) {
        Shell::Unknown => agent.and_then(self::agent).map_or(Shell::Unknown, Agent::shell),
        shell => shell,
    }
}

/// Whether the hook that `agent` asks before each call takes changed arguments.
#[must_use]
pub fn takes_edits(agent: &dyn Agent) -> bool {
    static BY_NAME: LazyLock<BTreeMap<&str, bool>> =
        LazyLock::new(|| AGENTS.iter().map(|agent| (agent.name(), probe_takes_edits(*agent))).collect());
    BY_NAME.get(agent.name()).copied().unwrap_or_default()
}

/// The same, by what `agent` makes of its own message.
fn probe_takes_edits(agent: &dyn Agent) -> bool {
    let probe = agent.probe("/");
    let environment = |name: &str| probe.environment.iter().find(|(known, _)| *known == name).map(|(_, v)| v.clone());
    matches!(agent.parse(&agent.message(probe.stdin, &environment)), Ok(HookMessage::Ask(call)) if call.accepts_edits)
}

/// What is known about a tool: from the table of `agent`, or, for an agent that is not known or not
/// proved, only what every agent agrees on. In the latter case the risk is never below `write`.
#[must_use]
pub fn tool_facts(agent: Option<&str>, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
    let Some(agent) = agent.and_then(self::agent) else { return tool::common(tool, server, arguments) };
    let facts = agent.tool_facts(tool, server, arguments);
    let only_reads = facts.class == ToolClass::Mcp && mcp_reading::only_reads(tool, server, arguments);
    if only_reads { ToolFacts { risk: Some(RiskLevel::ReadOnly), ..facts } } else { facts }
}

/// What `agent` calls its shell, whose command line is one of `arguments`; `shell` where nothing is known of it.
#[must_use]
pub fn shell_tool(agent: Option<&str>, arguments: &Map<String, Value>) -> &'static str {
    let runs = |tool: &&&str| tool_facts(agent, tool, None, arguments).shell.command.is_some();
    [&"shell"].into_iter().chain(tool::SHELLS).find(runs).copied().unwrap_or("shell")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_all_agents_in_order() {
        assert_eq!(AGENTS.iter().map(|agent| agent.name()).collect::<Vec<_>>(), NAMES);
    }
}
