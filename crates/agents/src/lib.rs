//! How each agent asks and what it takes for an answer: bytes in, bytes out.
//!
//! One module per agent knows that agent's hook messages, its answers, its tools and its settings
//! file. Everything is checked against recorded messages in `tests/fixtures`.
//!
//! Architecture invariant: no network, no files, no waiting. An answer that lets a call run is made
//! in one place only, `Verdict::of`, and only from an approval that is bound to that very call.

mod agent;
mod claude_code;
mod connect;
mod jsonc;
pub mod strict_json;
mod tool;
mod verdict;

pub use agent::{Agent, HookAnswer, HookCall, HookError, HookEvent, HookMessage};
pub use connect::{ConnectError, ConnectOptions, Connection, Handler, HttpHandler};
pub use tool::ToolFacts;

use serde_json::{Map, Value};

/// The names of all agents that are known here.
pub const NAMES: &[&str] = &["claude-code"];

/// The agent called `name`, as in [`NAMES`].
#[must_use]
pub fn agent(name: &str) -> Option<&'static dyn Agent> {
    match name {
        "claude-code" => Some(&claude_code::ClaudeCode),
        _ => None,
    }
}

/// What is known about a tool: from the table of `agent`, or, for an agent that is not known or not
/// proved, only what every agent agrees on. In the latter case the risk is never below `write`.
#[must_use]
pub fn tool_facts(agent: Option<&str>, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts {
    match agent.and_then(self::agent) {
        Some(agent) => agent.tool_facts(tool, server, arguments),
        None => tool::common(tool, server, arguments),
    }
}
