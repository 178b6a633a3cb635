//! The session allowlist.

use std::fmt;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::{ArgumentsHash, Request, RequestId, Scope, SessionKey};

/// Identifies one grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(transparent)]
pub struct GrantId(pub Uuid);

impl fmt::Display for GrantId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// What a grant does to the calls that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GrantEffect {
    /// They pass without asking.
    Approve,
    /// They are refused without asking.
    Deny,
}

/// Which calls a grant covers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Matcher {
    /// One tool with exactly these arguments, in the same working folder.
    Exact(ExactMatcher),
    /// Every call of one tool.
    Tool(ToolMatcher),
}

/// One tool with exactly these arguments, in the same working folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
pub struct ExactMatcher {
    /// Tool name.
    pub tool: String,
    /// MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub server: Option<String>,
    /// Working folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cwd: Option<String>,
    /// The arguments.
    pub arguments_hash: ArgumentsHash,
}

/// Every call of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
pub struct ToolMatcher {
    /// Tool name.
    pub tool: String,
    /// MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub server: Option<String>,
}

/// An entry of a session allowlist, made by a person's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Grant {
    /// Identifies it.
    pub id: GrantId,
    /// The session that it belongs to and dies with.
    pub session: SessionKey,
    /// Approve or deny.
    pub effect: GrantEffect,
    /// Which calls.
    pub matcher: Matcher,
    /// `minutes` or `session`.
    pub scope: Scope,
    /// One line for a person: what was being asked when it was made.
    pub title: String,
    /// When it was made.
    #[ts(type = "string")]
    pub created_at: Timestamp,
    /// When it ends by itself; `None`: with its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub expires_at: Option<Timestamp>,
    /// The decision that made it; the audit log must hold that decision.
    pub decided_in: RequestId,
}

impl Matcher {
    /// The matcher for exactly the call in `request`.
    #[must_use]
    pub fn exact(request: &Request) -> Self {
        Self::Exact(ExactMatcher {
            tool: request.tool.clone(),
            server: request.server.clone(),
            cwd: request.cwd.clone(),
            arguments_hash: request.arguments_hash.clone(),
        })
    }

    /// The matcher for every call of the tool in `request`.
    #[must_use]
    pub fn tool(request: &Request) -> Self {
        Self::Tool(ToolMatcher { tool: request.tool.clone(), server: request.server.clone() })
    }

    fn covers(&self, request: &Request) -> bool {
        match self {
            Self::Exact(exact) => {
                exact.tool == request.tool
                    && exact.server == request.server
                    && exact.cwd == request.cwd
                    && exact.arguments_hash == request.arguments_hash
            }
            Self::Tool(tool) => tool.tool == request.tool && tool.server == request.server,
        }
    }
}

impl Grant {
    /// Whether it covers `request` at the time `now`.
    #[must_use]
    pub fn covers(&self, request: &Request, now: Timestamp) -> bool {
        request.session.as_ref() == Some(&self.session)
            && self.expires_at.is_none_or(|end| now < end)
            && self.matcher.covers(request)
    }
}

/// The grant that decides about `request`: a deny grant before an approving one.
pub(crate) fn find<'a>(grants: &'a [Grant], request: &Request, now: Timestamp) -> Option<&'a Grant> {
    let covering = || grants.iter().filter(|grant| grant.covers(request, now));
    covering()
        .find(|grant| grant.effect == GrantEffect::Deny)
        .or_else(|| covering().find(|grant| grant.effect == GrantEffect::Approve))
}
