//! Calls of the past, as JSON lines.

use std::io::{self, BufRead};

use handraise_protocol::ApprovalRequest;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Longest line, in bytes: as much as the API takes, and room for escapes.
const LONGEST_LINE: usize = 8 * 1024 * 1024;

/// A call that an agent made.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PastCall {
    /// The agent's name, as in a policy.
    pub(super) agent: Option<String>,
    /// Its session.
    pub(super) session: Option<String>,
    /// The tool, as the agent names it.
    pub(super) tool: String,
    /// The MCP server that offers the tool.
    pub(super) server: Option<String>,
    /// What the tool was given.
    #[serde(default)]
    pub(super) arguments: Map<String, Value>,
    /// The working folder.
    pub(super) cwd: Option<String>,
    /// When.
    pub(super) time: Option<Timestamp>,
    /// How it ended.
    #[serde(default)]
    pub(super) outcome: PastOutcome,
    /// The repository, or another name that calls are grouped by.
    pub(super) source: Option<String>,
}

/// How a call of the past ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PastOutcome {
    /// It ran.
    Ok,
    /// It ran, and failed.
    Error,
    /// A person refused it.
    Rejected,
    /// Nobody knows.
    #[default]
    #[serde(other)]
    None,
}

impl PastCall {
    /// The request that the agent's hook would make of it.
    pub(super) fn request(&self) -> ApprovalRequest {
        let divided = self.tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
        let (server, tool) = match divided {
            Some((server, tool)) => (Some(server.to_owned()), tool.to_owned()),
            None => (self.server.clone(), self.tool.clone()),
        };
        ApprovalRequest {
            tool,
            server,
            arguments: self.arguments.clone(),
            agent: self.agent.clone(),
            session: self.session.clone(),
            cwd: self.cwd.clone(),
            ..ApprovalRequest::default()
        }
    }
}

/// Reads calls one by one. A line that is no call is `None`.
pub(super) struct PastCalls<Reader> {
    reader: Reader,
    line: Vec<u8>,
}

impl<Reader: BufRead> PastCalls<Reader> {
    pub(super) fn new(reader: Reader) -> Self {
        Self { reader, line: Vec::new() }
    }
}

impl<Reader: BufRead> Iterator for PastCalls<Reader> {
    type Item = io::Result<Option<PastCall>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.line.clear();
            match self.reader.read_until(b'\n', &mut self.line) {
                Ok(0) => return None,
                Ok(_) if self.line.iter().all(u8::is_ascii_whitespace) => {}
                Ok(length) if length > LONGEST_LINE => return Some(Ok(None)),
                Ok(_) => return Some(Ok(serde_json::from_slice(&self.line).ok())),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_call_is_counted_and_the_next_is_read() {
        let text = "{\"tool\":\"Bash\",\"arguments\":{\"command\":\"ls\"},\"outcome\":\"rejected\"}\n\nnonsense\n{\"tool\":\"mcp__a__b\"}";
        let calls: Vec<Option<PastCall>> = PastCalls::new(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(calls.len(), 3);
        assert_eq!(calls[0].as_ref().unwrap().outcome, PastOutcome::Rejected);
        assert!(calls[1].is_none());
        let request = calls[2].as_ref().unwrap().request();
        assert_eq!((request.server.as_deref(), request.tool.as_str()), (Some("a"), "b"));
    }
}
