//! The agent's own program on this machine.

use std::process::{Command, Stdio};

use handraise_agents::Agent;

/// What the agent's program prints for `--version`; `None` when it is not on the `PATH`.
pub(crate) fn version(agent: &dyn Agent) -> Option<String> {
    let output = Command::new(agent.program()).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().next().unwrap_or_default().trim();
    (output.status.success() && !line.is_empty()).then(|| handraise_gate::display::line(line, 80))
}
