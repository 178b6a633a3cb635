//! One rule: a pattern and an action.

use wildmatch::WildMatch;

use super::Action;
use crate::Request;
use crate::canonical::canonical_json;

/// Longest pattern, in bytes. Matching costs at most pattern length times text length.
const LONGEST_PATTERN: usize = 1024;
/// Longest argument text that an argument pattern is tried on, in bytes. Longer arguments do not
/// match an allow pattern and do match a deny or ask pattern whose tool name matches.
const LONGEST_ARGUMENTS: usize = 64 * 1024;

/// One rule of the policy.
///
/// A pattern is a glob (`*` any text, `?` one character, case counts) on the tool name, or
/// `name:arguments`: a glob on the name and a glob on the RFC 8785 text of the arguments, divided
/// at the first colon. The tool name comes first: a pattern without a colon never looks at
/// arguments, which the agent writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pattern: String,
    /// What to do with a matching call.
    pub action: Action,
    /// Shown to the person and, for deny, to the model.
    pub reason: Option<String>,
    name: WildMatch,
    parts: Option<(WildMatch, WildMatch)>,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPattern {
    /// Nothing to match.
    #[error("the pattern is empty; write `*` to match every tool")]
    Empty,
    /// Longer than any sensible pattern.
    #[error("the pattern is longer than {LONGEST_PATTERN} bytes; split it into several rules")]
    TooLong,
}

impl Rule {
    /// Makes a rule.
    ///
    /// # Errors
    /// When the pattern is empty or too long.
    pub fn new(pattern: &str, action: Action, reason: Option<String>) -> Result<Self, InvalidPattern> {
        if pattern.is_empty() {
            return Err(InvalidPattern::Empty);
        }
        if pattern.len() > LONGEST_PATTERN {
            return Err(InvalidPattern::TooLong);
        }
        let parts = pattern.split_once(':').map(|(name, arguments)| (WildMatch::new(name), WildMatch::new(arguments)));
        Ok(Self { pattern: pattern.to_owned(), action, reason, name: WildMatch::new(pattern), parts })
    }

    /// The rule's conditions in one line, as `tool = "shell", command = "git status *"`, or its
    /// pattern alone when that is its only condition.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.pattern
    }

    /// Whether the rule applies to `request`.
    ///
    /// A tool of an MCP server goes by `mcp__SERVER__TOOL`, as the agents spell it. By its bare name
    /// it can be asked about or denied, but not allowed: any server may call a tool `Read`.
    #[must_use]
    pub fn matches(&self, request: &Request) -> bool {
        let Some(server) = &request.server else { return self.matches_as(&request.tool, request) };
        let as_spelt = plain_server(server).map(|server| format!("mcp__{server}__{}", request.tool));
        let by_full_name = as_spelt.is_some_and(|name| self.matches_as(&name, request));
        by_full_name || self.pattern == "*" || (self.action != Action::Allow && self.matches_as(&request.tool, request))
    }

    fn matches_as(&self, name: &str, request: &Request) -> bool {
        if self.name.matches(name) {
            return true;
        }
        let Some((tool, arguments)) = &self.parts else { return false };
        if !tool.matches(name) {
            return false;
        }
        match canonical_json(&request.arguments) {
            Ok(text) if text.len() <= LONGEST_ARGUMENTS => arguments.matches(&text),
            _ => self.action != Action::Allow,
        }
    }
}

/// A server name that can be joined with a tool name so that nothing else reads the same.
fn plain_server(server: &str) -> Option<&str> {
    let ambiguous = server.contains("__") || server.starts_with('_') || server.ends_with('_');
    (!ambiguous).then_some(server)
}
