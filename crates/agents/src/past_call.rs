//! Calls that agents made before anybody asked: as their transcripts have them.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Session of a message for a call of which nobody knows the session; hooks have to name one.
const NO_SESSION: &str = "unknown";

/// A call that an agent made.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct PastCall {
    /// The agent's id of the call.
    pub id: Option<String>,
    /// The agent's name, as in a policy.
    pub agent: Option<String>,
    /// Its session.
    pub session: Option<String>,
    /// The tool, as the agent names it.
    pub tool: String,
    /// The MCP server that offers the tool, where the name of the tool does not say it.
    pub server: Option<String>,
    /// What the tool was given.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// The working folder.
    pub cwd: Option<String>,
    /// When.
    pub time: Option<Timestamp>,
    /// How it ended.
    #[serde(default)]
    pub outcome: PastOutcome,
    /// The repository, or another name that calls are grouped by.
    pub source: Option<String>,
}

/// How a call of the past ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PastOutcome {
    /// It ran.
    Ok,
    /// It ran and failed, or something else than a person kept it from running.
    Error,
    /// A person refused it or stopped it, or Handraise did.
    Rejected,
    /// Nobody knows.
    #[default]
    #[serde(other)]
    None,
}

impl PastCall {
    /// The same call with the paths of Windows written as Git Bash writes them: `D:\\app\\a.rs` is `/d/app/a.rs`. Of a
    /// transcript from Windows the folder says that it is one; a command line stays as it was.
    #[must_use]
    pub fn with_unix_paths(mut self) -> Self {
        let Some(cwd) = self.cwd.as_deref().and_then(unix_path) else { return self };
        self.cwd = Some(cwd);
        for value in self.arguments.values_mut() {
            if let Some(path) = value.as_str().and_then(unix_path) {
                *value = Value::String(path);
            }
        }
        self
    }

    /// Its session, or a word for not knowing it.
    pub(crate) fn session_or_unknown(&self) -> &str {
        self.session.as_deref().unwrap_or(NO_SESSION)
    }
}

/// A path of Windows with a drive, as Git Bash writes it; `None` for anything else.
fn unix_path(path: &str) -> Option<String> {
    let (drive, rest) = path.split_once(':')?;
    let is_drive = drive.len() == 1 && drive.bytes().all(|letter| letter.is_ascii_alphabetic());
    let is_path = rest.starts_with(['\\', '/']) && !rest.contains(['\n', '\r']);
    (is_drive && is_path).then(|| format!("/{}{}", drive.to_ascii_lowercase(), rest.replace('\\', "/")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_transcript_from_windows_has_the_paths_of_git_bash() {
        let call = |cwd: &str| {
            let call = json!({
                "tool": "Edit", "cwd": cwd,
                "arguments": { "file_path": r"D:\app\src\a.rs", "old_string": "C: x", "command": r"type C:\a & b" },
            });
            serde_json::from_value::<PastCall>(call).unwrap().with_unix_paths()
        };
        let windows = call(r"D:\app");
        assert_eq!(windows.cwd.as_deref(), Some("/d/app"));
        let arguments = json!({
            "file_path": "/d/app/src/a.rs", "old_string": "C: x", "command": r"type C:\a & b",
        });
        assert_eq!(Value::Object(windows.arguments), arguments);
        assert_eq!(call("/srv/app").arguments["file_path"], r"D:\app\src\a.rs");
    }
}
