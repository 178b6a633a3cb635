//! `policy.toml`, version 1.
//!
//! # Keys of the file
//!
//! - `version`: 1.
//! - `preset`: `practical`, `strict`, `autonomous` or `workspace`; what the other keys start from.
//! - `unknown_tools`: the action for tools that nobody declared or classified.
//! - `timeout`: how long a person has to answer, as `90s`, `5m`, `1h`; from 1s to 24h.
//! - `[risk]`: `read_only`, `write`, `destructive`; the action when no rule matches.
//! - `trusted_servers`: MCP servers whose hint that a tool only reads is believed.
//! - `[redaction]`: `keys`, and `patterns = [{ name, regex }]`; what is secret besides the built-in.
//! - `[confine]`: `write`, `read`, `show`, `read_deny`, `caches`, `network = "none"`, `limits = { processes, memory, seconds }`; the
//!   walls of what runs confined. `[[confine.project]]`: `project`, `write`, `read`, `show`, `caches`; what is open in one project.
//! - `[authzen]`: `url`, and `timeout` from 1s to 30s; an external decision point that every call is put before that is not
//!   denied already. It can ask or deny, and allows nothing.
//! - `[opentelemetry]`: `url`; a receiver of OTLP over HTTP that is told about calls and decisions.
//! - `[[rule]]`, and `[agent.NAME]` with `risk`, `timeout` and `rule` of its own.
//!
//! # Keys of a rule
//!
//! Every condition has to hold; of a list, one entry is enough.
//!
//! - `pattern`: a glob on the tool name, or `name:arguments` (arguments = canonical JSON text).
//! - `tool`: a glob on the tool name, or a class word: `shell`, `file_read`, `file_write`, `network`,
//!   `mcp`, `other`. A tool of an MCP server goes by `mcp__SERVER__TOOL`.
//! - `class`: a class word. `server`: a glob on the MCP server's name.
//! - `arguments`: globs by JSON pointer (RFC 6901), as `{ "/path" = "*.md" }`.
//! - `command`: held against each simple command of a command line.
//! - `command_line`: the whole command line, its text exactly; no pattern.
//! - `program`: `works_on_files` (it builds, tests, checks, formats or converts files), `publishes` or `unknown`.
//! - `undo`: `kept`, `renewed` or `own`: how what the call changes can be undone; only with `allow`.
//! - `tasks`: what the tasks run that the commands name, as `[{ call, file, sha256, text }]`; the rule allows while they
//!   do. `call` and `sha256` are needed.
//! - `path`: globs; `~/` is the home folder, a relative one starts at the project, `**/` anywhere.
//! - `path_in`: `project`, `outside`, `control` (files that decide what runs elsewhere or later), `scratch` (agents' own
//!   plans and drafts) or `temporary` (new files among the temporary ones).
//! - `agents`, `users`, `tags`: names or globs. Users, tags and a declared risk are what the requester
//!   says: a rule that allows by them trusts it. An agent's name counts for an allow rule only when a
//!   credential proves it.
//! - `projects`: folder globs. `risk`: levels. `expires`: a date (its whole day in UTC) or a time.
//! - `action`: `allow`, `confine`, `ask` or `deny`. `final = true`: no later rule loosens it (only with `ask` and
//!   `deny`).
//! - `reason`: shown in the prompt, in the log and, for deny, to the model.
//! - `match`, `not_match`: examples, checked when the file is loaded.

mod authzen;
mod confine;
mod diagnostic;
mod examples;
mod lint;
mod nearest;
mod presets;
mod reader;
mod redaction;
pub(super) mod rule;
mod tables;
mod tasks;
mod telemetry;
mod url;

use jiff::Timestamp;
use toml::de::DeTable;

pub use diagnostic::{Diagnostic, Severity};
pub use nearest::nearest;
use reader::Reader;
pub(crate) use rule::MAX_COMMAND_LINE;

use crate::rules::policy::Policy;

/// A policy file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedPolicy {
    /// The policy that it holds.
    pub policy: Policy,
    /// What its author should look at, in the order of the text.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a whole policy file, or refuses it whole.
///
/// # Errors
/// Everything that is wrong with it, in the order of the text, each with its place and the remedy.
pub fn parse(text: &str) -> Result<LoadedPolicy, Vec<Diagnostic>> {
    read(text, None)
}

/// The same, with a warning about each rule that has expired at the time `now`.
///
/// # Errors
/// As [`parse`].
pub fn parse_at(text: &str, now: Timestamp) -> Result<LoadedPolicy, Vec<Diagnostic>> {
    read(text, Some(now))
}

/// Longest policy file, in bytes.
pub const MAX_POLICY_FILE: usize = 1024 * 1024;

fn read(text: &str, now: Option<Timestamp>) -> Result<LoadedPolicy, Vec<Diagnostic>> {
    let mut reader = Reader::new(text);
    if text.len() > MAX_POLICY_FILE {
        let message = format!("the file is longer than {MAX_POLICY_FILE} bytes");
        reader.error("too_long", 0..0, message, Some("split off what is not needed".to_owned()));
        return Err(reader.diagnostics);
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    let only_repeated = errors.iter().all(is_repeated);
    for error in &errors {
        let span = error.span().unwrap_or(0..0);
        if is_repeated(error) {
            let message = format!("`{}` stands here a second time", text.get(span.clone()).unwrap_or("the key"));
            reader.error("duplicate_key", span, message, Some("keep one of them".to_owned()));
        } else {
            let help = Some("see https://toml.io for how the format is written".to_owned());
            reader.error("syntax", span, error.message().to_owned(), help);
        }
    }
    // What is left of a file that is no TOML is not worth a judgement.
    let policy = only_repeated.then(|| tables::read_file(&mut reader, document.get_ref(), now));
    let mut diagnostics = reader.diagnostics;
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    let (errors, warnings): (Vec<_>, Vec<_>) =
        diagnostics.into_iter().partition(|diagnostic| diagnostic.severity == Severity::Error);
    match policy {
        Some(policy) if errors.is_empty() => Ok(LoadedPolicy { policy, warnings }),
        _ => Err(errors),
    }
}

fn is_repeated(error: &toml::de::Error) -> bool {
    error.message().contains("duplicate key")
}

#[cfg(test)]
mod tests;
