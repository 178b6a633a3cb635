//! Amp, by Sourcegraph.
//!
//! Sources: the code of `@sourcegraph/amp` 0.0.1777897475 and plugins that others have published
//! since. A connection is a plugin, `handraise.ts`, that runs the hook program with the event of each
//! `tool.call` on stdin. The hook program can also stand behind a permission rule `delegate`; Amp then
//! waits only a few seconds for it, so that is good for policies that answer by themselves.

use handraise_policy::RiskLevel::{Destructive, ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Network, Other, Shell};
use handraise_protocol::{ApprovalRequest, ApprovalResult};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::connect::generated::Generated;
use crate::connect::{Level, ManagedFile};
use crate::instruction::Instruction;
use crate::message::Message;
use crate::shell_arguments::ShellArguments;
use crate::tool::{About, Tools, look_up, tools};
use crate::{
    Agent, HookCall, HookError, HookEvent, HookMessage, HookOutput, PROBE_SESSION, Probe, ToolFacts, mcp, strict_json,
};

const NAME: &str = "amp";
const PLUGIN_CALL: &str = "tool.call";
const DELEGATE: &str = "delegate";
/// Of its older tool, and of the newer one.
const BASH: ShellArguments =
    ShellArguments { folder: &["cwd"], harmless: &["timeout", "description"], ..ShellArguments::of("cmd") };
const SHELL: ShellArguments = ShellArguments { folder: &["cwd", "workdir"], command: "command", ..BASH };
const TABLE: &[Tools] = &[
    tools(&["Bash"], Shell, Write, About::Command(&BASH)),
    tools(&["shell_command"], Shell, Write, About::Command(&SHELL)),
    tools(&["create_file"], FileWrite, Write, About::Write("path", "content")),
    tools(&["edit_file"], FileWrite, Write, About::Edit("path", "old_str", "new_str")),
    tools(&["apply_patch"], FileWrite, Write, About::Patch("patchText")),
    tools(&["apply_patch"], FileWrite, Write, About::Patch("input")),
    tools(&["delete_file"], FileWrite, Destructive, About::Arguments),
    tools(&["undo_edit"], FileWrite, Write, About::Arguments),
    tools(&["Read"], FileRead, ReadOnly, About::Read("path")),
    tools(&["Grep", "glob", "finder"], FileRead, ReadOnly, About::Arguments),
    tools(&["read_web_page"], Network, Write, About::Fetch("url")),
    tools(&["web_search", "librarian"], Network, Write, About::Arguments),
    tools(&["todo_read", "todo_write"], Other, ReadOnly, About::Arguments),
    tools(&["Task", "oracle"], Other, Write, About::Arguments),
];

/// Amp, by Sourcegraph.
pub(crate) struct Amp;

impl Agent for Amp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Amp"
    }

    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError> {
        let message = Message::read(bytes)?;
        let event_name = match message.optional("event")? {
            None | Some(PLUGIN_CALL) => PLUGIN_CALL,
            Some(DELEGATE) => DELEGATE,
            Some(name) => return Err(HookError::unknown_event(name)),
        };
        let arguments = message.object("input")?;
        let (server, tool) = mcp::server_and_tool(message.required("tool")?, None);
        let id = message.text("toolUseID")?;
        let class = self.tool_facts(&tool, server.as_deref(), &arguments).class;
        let cwd = message.text("cwd")?;
        let request = ApprovalRequest {
            tool,
            server,
            agent: Some(NAME.to_owned()),
            session: match message.nested("thread")? {
                Some(thread) => thread.text("id")?,
                None => None,
            },
            cwd,
            trace_id: id.clone(),
            arguments,
            ..ApprovalRequest::default()
        };
        request.check()?;
        let key = call_key(&request, class, id);
        let accepts_edits = event_name == PLUGIN_CALL;
        let event = HookEvent::BeforeTool;
        Ok(HookMessage::Ask(Box::new(HookCall { event, event_name, request, accepts_edits, key })))
    }

    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookOutput {
        match (Instruction::of(call, result), call.event_name) {
            (Instruction::Deny { reason }, DELEGATE) => HookOutput::blocked(&reason),
            (Instruction::Allow { .. }, DELEGATE) => HookOutput::silent(),
            (Instruction::Deny { reason }, _) => {
                HookOutput::json(&json!({ "action": "reject-and-continue", "message": reason }))
            }
            (Instruction::Allow { arguments: None, .. }, _) => HookOutput::json(&json!({ "action": "allow" })),
            (Instruction::Allow { arguments: Some(input), .. }, _) => {
                HookOutput::json(&json!({ "action": "modify", "input": input }))
            }
        }
    }

    /// For a `delegate`: Amp asks itself. A plugin is never told to pass.
    fn pass(&self) -> HookOutput {
        HookOutput { exit_code: 1, ..HookOutput::silent() }
    }

    fn failure(&self, input: &[u8], sentence: &str) -> HookOutput {
        match self.parse(input) {
            Ok(HookMessage::Ask(call)) if call.event_name == DELEGATE => HookOutput::blocked(sentence),
            _ => HookOutput::blocked_twice(&json!({ "action": "error", "message": sentence }), sentence),
        }
    }

    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
        match server.is_some() || tool.starts_with("mcp__") {
            true => ToolFacts::mcp(),
            false => look_up(TABLE, tool, arguments),
        }
    }

    /// A `delegate` gets the tool's input on stdin and everything else in its environment.
    fn message(&self, stdin: Vec<u8>, environment: &dyn Fn(&str) -> Option<String>) -> Vec<u8> {
        let Some(tool) = environment("AGENT_TOOL_NAME") else { return stdin };
        // What cannot be read stays as it is, and is refused.
        let Ok(input) = strict_json::from_slice(&stdin) else { return stdin };
        let message = json!({
            "event": DELEGATE,
            "thread": { "id": environment("AMP_THREAD_ID") },
            "toolUseID": environment("AGENT_TOOL_USE_ID"),
            "tool": tool,
            "input": input,
        });
        message.to_string().into_bytes()
    }

    fn probe(&self, cwd: &str) -> Probe {
        Probe::of(&json!({
            "thread": { "id": PROBE_SESSION },
            "toolUseID": PROBE_SESSION,
            "tool": "glob",
            "input": { "filePattern": "*" },
            "cwd": cwd,
        }))
    }

    fn program(&self) -> &'static str {
        "amp"
    }

    fn files(&self, level: Level) -> Vec<ManagedFile> {
        match level {
            Level::User => vec![ManagedFile::new(".config/amp/plugins/handraise.ts", &PLUGIN)],
            Level::Project => vec![ManagedFile::new(".amp/plugins/handraise.ts", &PLUGIN)],
        }
    }

    /// The plugin answers with an error.
    fn can_block_on_failure(&self, _version: &str) -> bool {
        true
    }

    fn has_own_questions(&self) -> bool {
        false
    }

    fn stays_open(&self, _version: Option<&str>) -> Vec<&'static str> {
        vec![
            "Amp loads plugins only when they are switched on (`PLUGINS=all` in older versions) and asks nothing by \
             itself; look for handraise in `amp plugins list`.",
            "When Amp does not load the plugin, tools run unasked; set `amp.permissions` to \"ask\" for what matters.",
        ]
    }
}

static PLUGIN: Generated = Generated {
    agent: NAME,
    template: include_str!("plugin.ts"),
    around_command: ("const COMMAND: string[] = ", ""),
    has_own_questions: false,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delegate_is_told_apart_by_its_environment() {
        let environment = |name: &str| match name {
            "AGENT_TOOL_NAME" => Some("Bash".to_owned()),
            "AMP_THREAD_ID" => Some("T-1".to_owned()),
            _ => None,
        };
        let message = Amp.message(br#"{"cmd":"ls","cwd":"/tmp"}"#.to_vec(), &environment);
        let Ok(HookMessage::Ask(call)) = Amp.parse(&message) else { panic!("a call") };
        assert_eq!((call.event_name, call.request.tool.as_str()), (DELEGATE, "Bash"));
        assert_eq!((call.request.session.as_deref(), call.accepts_edits), (Some("T-1"), false));
        assert_eq!(Amp.failure(&message, "no"), HookOutput::blocked("no"));
        assert_eq!(Amp.message(b"{".to_vec(), &environment), b"{");
    }
}
