//! Claude Code's own tools (documentation page "Tools reference").

use handraise_policy::{RiskLevel, Subject, ToolClass};
use serde_json::{Map, Value};

use crate::shell_arguments::ShellArguments;
use crate::shell_arguments::text;
use crate::{SkillFiles, SkillFolder, ToolFacts};

/// `BashInput`, `MonitorInput` (types of `@anthropic-ai/claude-code` 2.1.330).
const SHELL: ShellArguments = ShellArguments {
    harmless: &["description", "timeout", "timeout_ms", "persistent"],
    background: &["run_in_background"],
    sandbox: &[("dangerouslyDisableSandbox", &[])],
    ..ShellArguments::of("command")
};
/// Arguments with which the tool `Agent` starts an agent here, where each of its calls is asked
/// about in turn. With any other one it may run elsewhere.
const LOCAL_AGENT: &[&str] = &["prompt", "description", "subagent_type", "model", "run_in_background", "name"];

/// Whether the tool `Agent` starts an agent on this machine: in the same folder, or in a new working tree of git below
/// `.claude/worktrees`, and not on another machine.
fn is_local_agent(arguments: &Map<String, Value>) -> bool {
    arguments.iter().all(|(key, value)| match key.as_str() {
        "isolation" => value == "worktree",
        key => LOCAL_AGENT.contains(&key),
    })
}

/// Tools that put something before the person themselves. Answering for the person, or asking
/// whether the agent may ask, would both be wrong: these pass.
pub(super) fn is_question_to_the_person(tool: &str) -> bool {
    matches!(tool, "AskUserQuestion" | "ExitPlanMode" | "EnterPlanMode")
}

const SKILLS: SkillFolder = SkillFolder { path: ".claude/skills", file: Some("SKILL.md") };
const COMMANDS: SkillFolder = SkillFolder { path: ".claude/commands", file: None };
const SUB_AGENTS: SkillFolder = SkillFolder { path: ".claude/agents", file: None };

/// The files of the skill, command or sub-agent that a call loads (documentation pages "Skills", "Slash commands" and
/// "Subagents"). A colon in the name of a command stands for a folder.
pub(super) fn skill(tool: &str, arguments: &Map<String, Value>) -> Option<SkillFiles> {
    let (given, folders) = match tool {
        "Skill" => (text(arguments, "skill").or_else(|| text(arguments, "command"))?, vec![SKILLS, COMMANDS]),
        "SlashCommand" => (text(arguments, "command")?, vec![SKILLS, COMMANDS]),
        "Agent" | "Task" => (text(arguments, "subagent_type")?, vec![SUB_AGENTS]),
        _ => return None,
    };
    let name = given.trim().trim_start_matches('/').split_whitespace().next()?.to_owned();
    let is_plain = name.split([':', '/']).all(|part| !part.is_empty() && part != "." && part != "..");
    is_plain.then_some(SkillFiles { folders, name })
}

pub(super) fn facts(tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
    if server.is_some() || tool.starts_with("mcp__") {
        return ToolFacts::mcp();
    }
    use RiskLevel::{ReadOnly, Write};
    use ToolClass::{FileRead, FileWrite, Network, Other};
    let text = |name| text(arguments, name);
    match tool {
        "Bash" | "PowerShell" | "Monitor" => ToolFacts::shell(&SHELL, arguments),
        "Edit" => ToolFacts::new(FileWrite, Write, edit(arguments)),
        "Write" => ToolFacts::new(FileWrite, Write, write(arguments)),
        "MultiEdit" | "NotebookEdit" => ToolFacts::new(FileWrite, Write, None),
        "Read" => ToolFacts::new(FileRead, ReadOnly, text("file_path").map(|path| Subject::Read { path })),
        "NotebookRead" => ToolFacts::new(FileRead, ReadOnly, text("notebook_path").map(|path| Subject::Read { path })),
        "LS" => ToolFacts::new(FileRead, ReadOnly, text("path").map(|path| Subject::Read { path })),
        // The pattern matters as much as the path, so all arguments are shown.
        "Glob" | "Grep" | "LSP" => ToolFacts::new(FileRead, ReadOnly, None),
        "WebFetch" => ToolFacts::fetch(text("url"), arguments),
        // The search is one of the agent's own provider, which has the conversation already.
        "WebSearch" if arguments.get("query").is_some_and(Value::is_string) => ToolFacts::new(Network, ReadOnly, None),
        "WebSearch" | "ReadMcpResourceTool" | "Artifact" | "ShareOnboardingGuide" => {
            ToolFacts::new(Network, Write, None)
        }
        // It puts something before the person itself.
        _ if is_question_to_the_person(tool) => ToolFacts::new(Other, ReadOnly, None),
        // The agent's own notes and lists; nothing outside the conversation changes.
        "TodoRead"
        | "TodoWrite"
        | "TaskCreate"
        | "TaskGet"
        | "TaskList"
        | "TaskUpdate"
        | "TaskOutput"
        | "BashOutput"
        | "ToolSearch"
        | "ListAgents"
        | "ListMcpResourcesTool"
        | "CronList"
        | "ReportFindings" => ToolFacts::new(Other, ReadOnly, None),
        // When the agent looks again at what it waits for, in this session, where each call is asked about in turn.
        "ScheduleWakeup" => ToolFacts::new(Other, ReadOnly, None),
        // They end what the agent has started itself, and runs in the background.
        "KillShell" | "TaskStop" => ToolFacts::new(Other, ReadOnly, None),
        // Its text goes into the conversation. What it runs by itself counts beside this.
        "Skill" | "SlashCommand" if skill(tool, arguments).is_some() => ToolFacts::new(Other, ReadOnly, None),
        "Agent" | "Task" if is_local_agent(arguments) => ToolFacts::new(Other, ReadOnly, None),
        "Agent" | "Task" | "Skill" | "SlashCommand" | "Workflow" | "SendMessage" | "CronCreate" | "CronDelete"
        | "EnterWorktree" | "ExitWorktree" => ToolFacts::new(Other, Write, None),
        _ => ToolFacts::default(),
    }
}

fn edit(arguments: &Map<String, Value>) -> Option<Subject> {
    let before = text(arguments, "old_string")?;
    let after = text(arguments, "new_string")?;
    Some(Subject::Edit { path: text(arguments, "file_path")?, before, after })
}

fn write(arguments: &Map<String, Value>) -> Option<Subject> {
    Some(Subject::Write { path: text(arguments, "file_path")?, content: text(arguments, "content")? })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn risk(tool: &str, arguments: Value) -> Option<RiskLevel> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        facts(tool, None, &arguments).risk
    }

    #[test]
    fn what_only_looks_is_read_only() {
        for tool in ["Read", "Glob", "Grep", "LSP", "TodoWrite", "TaskList"] {
            assert_eq!(risk(tool, json!({})), Some(RiskLevel::ReadOnly), "{tool}");
        }
    }

    #[test]
    fn what_acts_is_write_even_with_odd_arguments() {
        for tool in ["Bash", "PowerShell", "Monitor", "Edit", "Write", "NotebookEdit", "WebFetch", "WebSearch"] {
            assert_eq!(risk(tool, json!({ "command": 1, "file_path": [] })), Some(RiskLevel::Write), "{tool}");
        }
    }

    #[test]
    fn a_page_for_everybody_and_a_search_are_looked_at() {
        let fetch = |url: &str| risk("WebFetch", json!({ "url": url, "prompt": "what does it say?" }));
        assert_eq!(fetch("https://docs.rs/regex"), Some(RiskLevel::ReadOnly));
        assert_eq!(fetch("https://docs.rs.evil.example/?a=b"), Some(RiskLevel::Write));
        assert_eq!(risk("WebFetch", json!({ "url": "https://docs.rs/", "body": "x" })), Some(RiskLevel::Write));
        assert_eq!(risk("WebSearch", json!({ "query": "rust regex" })), Some(RiskLevel::ReadOnly));
    }

    #[test]
    fn nothing_is_known_about_a_new_tool_or_one_of_a_server() {
        assert_eq!(risk("BrandNew", json!({})), None);
        assert_eq!(facts("Read", Some("evil"), &Map::new()), ToolFacts::mcp());
        assert_eq!(facts("mcp__evil", None, &Map::new()), ToolFacts::mcp());
    }

    #[test]
    fn an_agent_that_may_run_elsewhere_is_asked_about() {
        assert_eq!(risk("Agent", json!({ "prompt": "look" })), Some(RiskLevel::ReadOnly));
        assert_eq!(risk("Agent", json!({ "prompt": "look", "isolation": "remote" })), Some(RiskLevel::Write));
        assert_eq!(risk("Agent", json!({ "prompt": "look", "isolation": "worktree" })), Some(RiskLevel::ReadOnly));
        assert_eq!(risk("Agent", json!({ "prompt": "look", "isolation": ["worktree"] })), Some(RiskLevel::Write));
        assert_eq!(risk("Agent", json!({ "prompt": "look", "cwd": "/srv/x" })), Some(RiskLevel::Write));
    }

    #[test]
    fn what_ends_or_wakes_only_the_agents_own_asks_nothing_and_what_comes_later_does() {
        for tool in ["KillShell", "TaskStop", "ScheduleWakeup"] {
            assert_eq!(
                risk(tool, json!({ "task_id": "b1", "delaySeconds": 300 })),
                Some(RiskLevel::ReadOnly),
                "{tool}"
            );
        }
        for tool in ["CronCreate", "CronDelete", "SendMessage", "Workflow", "EnterWorktree", "ExitWorktree"] {
            assert_eq!(risk(tool, json!({ "prompt": "x" })), Some(RiskLevel::Write), "{tool}");
        }
    }
}
