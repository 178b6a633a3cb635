//! Calls as an agent would make them, for trying the policy out.

use handraise_policy::{Subject, ToolClass};
use serde_json::{Map, Value, json};

use crate::{ToolFacts, tool_facts};

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialCall {
    /// The tool, as the agent calls it.
    pub tool: String,
    /// What it is given.
    pub arguments: Map<String, Value>,
}

/// The tools that run command lines, and the argument that the line stands in.
const SHELLS: &[(&str, &str)] = &[
    ("Bash", "command"),
    ("bash", "command"),
    ("run_shell_command", "command"),
    ("Shell", "command"),
    ("shell", "command"),
    ("execute_command", "command"),
    ("execute_bash", "command"),
    ("run_command", "command"),
    ("run_command", "command_line"),
    ("developer__shell", "command"),
    ("run_commands", "commands"),
    ("Bash", "cmd"),
];
const READERS: &[(&str, &str)] = &[
    ("Read", "file_path"),
    ("Read", "path"),
    ("read", "filePath"),
    ("read", "path"),
    ("read_file", "file_path"),
    ("read_file", "path"),
    ("view", "path"),
    ("fs_read", "path"),
    ("view_image", "path"),
];
const WRITERS: &[(&str, &str, &str)] = &[
    ("Write", "file_path", "content"),
    ("write", "filePath", "content"),
    ("write_file", "file_path", "content"),
    ("create", "path", "file_text"),
    ("create_file", "path", "content"),
    ("write_to_file", "path", "content"),
    ("fs_write", "path", "file_text"),
    ("write", "path", "content"),
];
const EDITORS: &[(&str, &str, &str, &str)] = &[
    ("Edit", "file_path", "old_string", "new_string"),
    ("edit", "filePath", "oldString", "newString"),
    ("replace", "file_path", "old_string", "new_string"),
    ("edit", "file_path", "old_string", "new_string"),
    ("edit", "path", "old_str", "new_str"),
    ("edit_file", "path", "old_str", "new_str"),
];
const FETCHERS: &[&str] = &["WebFetch", "webfetch", "web_fetch", "read_web_page", "fetch"];

/// The call by which `agent` does what `subject` says: the first of the usual spellings that the table of the agent takes for
/// that. `None`: the agent has no tool for it that is known here.
#[must_use]
pub fn trial_call(agent: Option<&str>, subject: &Subject) -> Option<TrialCall> {
    let (class, spellings) = spellings(subject);
    let facts = |call: &TrialCall| tool_facts(agent, &call.tool, None, &call.arguments);
    let exact = |found: &ToolFacts| found.class == class && found.subject == *subject;
    let exactly = spellings.iter().find(|call| exact(&facts(call)));
    // Of some tools only the kind is known, whatever they are given.
    exactly.or_else(|| spellings.iter().find(|call| facts(call).class == class)).cloned()
}

fn spellings(subject: &Subject) -> (ToolClass, Vec<TrialCall>) {
    let call = |tool: &str, arguments: &[(&str, &str)]| TrialCall {
        tool: tool.to_owned(),
        arguments: arguments.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect(),
    };
    match subject {
        Subject::Command { line } => {
            (ToolClass::Shell, SHELLS.iter().map(|(tool, name)| call(tool, &[(name, line)])).collect())
        }
        Subject::Read { path } => {
            (ToolClass::FileRead, READERS.iter().map(|(tool, name)| call(tool, &[(name, path)])).collect())
        }
        Subject::Write { path, content } => {
            let spelled = WRITERS.iter().map(|(tool, name, text)| call(tool, &[(name, path), (text, content)]));
            (ToolClass::FileWrite, spelled.collect())
        }
        Subject::Edit { path, before, after } => {
            let spelled =
                EDITORS.iter().map(|(tool, name, old, new)| call(tool, &[(name, path), (old, before), (new, after)]));
            (ToolClass::FileWrite, spelled.collect())
        }
        Subject::Fetch { url } => {
            (ToolClass::Network, FETCHERS.iter().map(|tool| call(tool, &[("url", url)])).collect())
        }
        _ => (ToolClass::Other, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subjects() -> Vec<Subject> {
        let text = |text: &str| text.to_owned();
        vec![
            Subject::Command { line: text("git status") },
            Subject::Read { path: text("/srv/a") },
            Subject::Write { path: text("/srv/a"), content: text("x") },
            Subject::Edit { path: text("/srv/a"), before: text("x"), after: text("y") },
            Subject::Fetch { url: text("https://docs.rs/") },
        ]
    }

    #[test]
    fn every_agent_that_can_be_asked_about_its_rules_has_such_a_call() {
        for agent in
            [None, Some("claude-code"), Some("opencode"), Some("gemini-cli"), Some("qwen-code"), Some("copilot-cli")]
        {
            for subject in subjects() {
                let call = trial_call(agent, &subject);
                assert!(call.is_some(), "{agent:?} {subject:?}");
            }
        }
    }

    #[test]
    fn a_command_line_is_one_to_every_agent() {
        for agent in crate::NAMES {
            let subject = Subject::Command { line: "git status".to_owned() };
            let call = trial_call(Some(agent), &subject).unwrap_or_else(|| panic!("{agent}"));
            let facts = tool_facts(Some(agent), &call.tool, None, &call.arguments);
            assert_eq!((facts.class, facts.subject), (ToolClass::Shell, subject), "{agent} {call:?}");
        }
    }

    #[test]
    fn an_agent_without_such_a_tool_has_no_call() {
        assert_eq!(trial_call(Some("codex"), &Subject::Fetch { url: "https://docs.rs/".to_owned() }), None);
    }
}
