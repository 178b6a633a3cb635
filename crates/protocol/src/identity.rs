//! What names requests, questions, grants and sessions, and what a decision is bound to.

use std::fmt;

use handraise_gate as gate;
use handraise_policy as policy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

/// Declares the wire form of an id of the domain, with conversions both ways.
macro_rules! wire_id {
    ($(#[$attribute:meta])* pub struct $name:ident = $domain:ty;) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl From<$domain> for $name {
            fn from(domain: $domain) -> Self {
                Self(domain.0)
            }
        }

        impl From<$name> for $domain {
            fn from(wire: $name) -> Self {
                Self(wire.0)
            }
        }
    };
}

wire_id! {
    /// Identifies one approval request under all its names. A UUID version 7, so that ids sort by time.
    pub struct RequestId = policy::RequestId;
}

wire_id! {
    /// Identifies one question. A UUID version 7, so that ids sort by time.
    pub struct QuestionId = gate::QuestionId;
}

wire_id! {
    /// Identifies one grant.
    pub struct GrantId = policy::GrantId;
}

/// SHA-256 of the RFC 8785 canonical JSON of a call's arguments, in lower-case hexadecimal.
///
/// A decision is bound to this value: what was shown is what may run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(transparent)]
pub struct ArgumentsHash(String);

impl ArgumentsHash {
    /// The hash as lower-case hexadecimal text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ArgumentsHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<policy::ArgumentsHash> for ArgumentsHash {
    fn from(hash: policy::ArgumentsHash) -> Self {
        Self(hash.as_str().to_owned())
    }
}

impl From<ArgumentsHash> for policy::ArgumentsHash {
    fn from(hash: ArgumentsHash) -> Self {
        Self::named(hash.0)
    }
}

/// One conversation of one agent; everything remembered belongs to exactly one of these.
///
/// Its three parts are compared one by one and never joined into one string, so that no choice of
/// names makes two sessions meet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionKey {
    /// Name of the requester credential that the session was seen under.
    pub requester: String,
    /// The agent, when it gave its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub agent: Option<String>,
    /// `session ?? conversation_id ?? user` of the request.
    pub id: String,
}

impl From<policy::SessionKey> for SessionKey {
    fn from(key: policy::SessionKey) -> Self {
        let policy::SessionKey { requester, agent, id } = key;
        Self { requester, agent, id }
    }
}

impl From<SessionKey> for policy::SessionKey {
    fn from(key: SessionKey) -> Self {
        let SessionKey { requester, agent, id } = key;
        Self { requester, agent, id }
    }
}
