//! The built `handraise hook claude-code`, as Claude Code starts it.

use std::io::Write;
use std::process::Stdio;

use anyhow::{Context, Result};
use handraise_tests::binaries;
use handraise_tests::desktop::PATIENCE;
use serde_json::Value;
use tokio::process::{Child, Command};

/// A change within a file, in the session `7c1f0a52…`.
pub(crate) const EDIT: &str = include_str!("../../data/claude-code/PreToolUse.edit.input.json");
/// A shell command of a sub-agent: `git push origin main`.
pub(crate) const PUSH: &str = include_str!("../../data/claude-code/PreToolUse.subagent.input.json");

/// A running hook.
pub(crate) struct Hook(Child);

/// How a hook ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// What Claude Code reads.
    pub(crate) answer: Value,
    pub(crate) stderr: String,
}

impl Hook {
    pub(crate) fn start(flags: &[String], payload: &str, folder: &std::path::Path) -> Result<Self> {
        let mut child = Command::new(binaries::handraise()?)
            .args(flags)
            .args(["hook", "claude-code"])
            .env_clear()
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let input = child.stdin.take().context("no input")?.into_owned_fd()?;
        std::fs::File::from(input).write_all(payload.as_bytes())?;
        Ok(Self(child))
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&mut self) -> Result<bool> {
        Ok(self.0.try_wait()?.is_some())
    }

    /// Waits until it ends.
    pub(crate) async fn end(self) -> Result<Ended> {
        let output = tokio::time::timeout(PATIENCE, self.0.wait_with_output()).await;
        let output = output.context("the hook still waits for an answer")??;
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(Ended {
            code: output.status.code(),
            answer: serde_json::from_str(&stdout).with_context(|| format!("its answer: {stdout:?}"))?,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Kills it, as an agent does that was interrupted.
    pub(crate) fn kill(mut self) -> Result<()> {
        Ok(self.0.start_kill()?)
    }
}

impl Ended {
    pub(crate) fn decision(&self) -> &str {
        self.answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default()
    }

    pub(crate) fn reason(&self) -> &str {
        self.answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default()
    }
}

/// `payload` as another hook event of the same call.
pub(crate) fn of_event(payload: &str, event: &str) -> Result<String> {
    let mut call: Value = serde_json::from_str(payload)?;
    call["hook_event_name"] = event.into();
    if let Some(fields) = call.as_object_mut().filter(|_| event == "PermissionRequest") {
        fields.remove("tool_use_id");
    }
    Ok(call.to_string())
}

/// `payload` as a call of another session.
pub(crate) fn of_session(payload: &str, session: &str) -> Result<String> {
    let mut call: Value = serde_json::from_str(payload)?;
    call["session_id"] = session.into();
    Ok(call.to_string())
}

/// `payload` as a call of the tool `tool` with these arguments.
pub(crate) fn of_tool(tool: &str, arguments: Value) -> Result<String> {
    let mut call: Value = serde_json::from_str(EDIT)?;
    call["tool_name"] = tool.into();
    call["tool_input"] = arguments;
    Ok(call.to_string())
}
