//! Codex's own tools, by the names that its hooks use.

use handraise_policy::RiskLevel::{ReadOnly, Write};
use handraise_policy::ToolClass::{FileRead, FileWrite, Network, Other, Shell};
use serde_json::{Map, Value};

use crate::ToolFacts;
use crate::shell_arguments::ShellArguments;
use crate::tool::{About, Tools, look_up, tools};

/// Of hooks only `command` comes (JSON schemas of 0.169.0); the others are those of the tool itself, as its
/// transcripts and older versions have them.
const SHELL: ShellArguments = ShellArguments {
    folder: &["workdir"],
    shell: &["shell"],
    harmless: &[
        "description",
        "justification",
        "login",
        "max_output_tokens",
        "prefix_rule",
        "timeout_ms",
        "tty",
        "yield_time_ms",
    ],
    sandbox: &[
        ("with_escalated_permissions", &[]),
        ("sandbox_permissions", &["use_default"]),
        ("additional_permissions", &[]),
    ],
    ..ShellArguments::of("command")
};
const EXECUTE: ShellArguments = ShellArguments { command: "cmd", ..SHELL };
const TABLE: &[Tools] = &[
    tools(&["Bash", "shell", "shell_command", "exec_command"], Shell, Write, About::Command(&SHELL)),
    tools(&["exec_command"], Shell, Write, About::Command(&EXECUTE)),
    tools(&["write_stdin"], Shell, Write, About::Typed("chars")),
    tools(&["apply_patch"], FileWrite, Write, About::Patch("command")),
    tools(&["view_image"], FileRead, ReadOnly, About::Read("path")),
    tools(&["web_search"], Network, Write, About::Arguments),
    tools(&["update_plan", "request_user_input"], Other, ReadOnly, About::Arguments),
    tools(&["spawn_agent", "send_input", "close_agent"], Other, Write, About::Arguments),
];

pub(super) fn facts(tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
    if server.is_some() || tool.starts_with("mcp__") {
        return ToolFacts::mcp();
    }
    look_up(TABLE, tool, arguments)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn waiting_for_output_types_nothing() {
        let of = |arguments: Value| facts("write_stdin", None, arguments.as_object().unwrap());
        for waits in [json!({ "session_id": 1, "chars": "" }), json!({ "session_id": 1, "yield_time_ms": 1000 })] {
            assert_eq!((of(waits.clone()).class, of(waits).risk), (Other, Some(ReadOnly)));
        }
        for types in ["rm x\n", "\u{3}", "\n", " "] {
            let found = of(json!({ "session_id": 1, "chars": types }));
            assert_eq!((found.class, found.risk), (Shell, Some(Write)), "{types:?}");
        }
        assert_eq!(of(json!({ "chars": null })).risk, Some(Write), "what is no text is not known");
    }
}
