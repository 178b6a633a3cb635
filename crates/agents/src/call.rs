//! What a hook message wants, and the call that it is about.

use handraise_policy::{CallKey, HookPhase, PhaseOrder, ToolClass};
use handraise_protocol::{ApprovalRequest, InvalidRequest};

use crate::strict_json::StrictJsonError;

/// What a hook message wants.
#[derive(Clone, Debug, PartialEq)]
pub enum HookMessage {
    /// A decision about a tool call.
    Ask(Box<HookCall>),
    /// Nothing: a call has run, or was refused elsewhere. A request about it that is still open is
    /// stale.
    CallEnded {
        /// The agent's id of the session.
        session: String,
        /// The call.
        call: CallKey,
    },
    /// Nothing: the agent has stopped working and waits for the person. No call of the session is
    /// about to run any more.
    TurnEnded {
        /// The agent's id of the session.
        session: String,
    },
    /// Nothing: the session is over, and with it everything that is remembered for it.
    SessionEnded {
        /// The agent's id of the session.
        session: String,
    },
    /// Nothing: [`Agent::pass`](crate::Agent::pass) is the answer.
    Nothing,
}

/// A tool call that waits for its decision.
#[derive(Clone, Debug, PartialEq)]
pub struct HookCall {
    /// The event that the hook has to answer.
    pub event: HookEvent,
    /// The agent's own name of that event.
    pub event_name: &'static str,
    /// The request to decide about.
    pub request: ApprovalRequest,
    /// The agent takes changed arguments with an approval.
    pub accepts_edits: bool,
    /// Which call it is, for telling that two hooks ask about the same one.
    pub key: CallKey,
}

impl HookCall {
    /// The phase of the call as the gate sees it.
    #[must_use]
    pub fn hook_phase(&self, order: PhaseOrder) -> HookPhase {
        let is_of_sub_agent = self.request.tags.iter().any(|tag| tag.starts_with(SUB_AGENT));
        HookPhase { call: self.key.clone(), order, is_of_sub_agent }
    }
}

/// What the tag begins with that names a sub-agent.
pub const SUB_AGENT: &str = "sub-agent:";
/// What the tag begins with that says of what kind it is.
pub const SUB_AGENT_KIND: &str = "agent-type:";

/// The event of a hook that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookEvent {
    /// A tool is about to run. The hook runs for every call.
    BeforeTool,
    /// The agent is about to ask the person itself. The hook runs for those calls only.
    PermissionRequest,
}

/// The key of `request`.
pub(crate) fn call_key(request: &ApprovalRequest, class: ToolClass, id: Option<String>) -> CallKey {
    let (session, server) = (request.session.as_deref(), request.server.as_deref());
    CallKey { id, digest: CallKey::digest(session, server, &request.tool, class, &request.arguments) }
}

/// Why a hook message cannot be taken. The call is denied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HookError {
    /// Not JSON, or JSON that could be read in two ways.
    #[error("the hook message is not usable JSON: {0}")]
    Json(#[from] StrictJsonError),
    /// JSON, but no object.
    #[error("the hook message is not a JSON object")]
    NotAnObject,
    /// A field is missing.
    #[error("the hook message has no field `{0}`")]
    Missing(&'static str),
    /// A field is of another type.
    #[error("the field `{field}` of the hook message is not {expected}")]
    WrongType {
        /// The field.
        field: &'static str,
        /// What it has to be, as `a string`.
        expected: &'static str,
    },
    /// An event that nobody here knows; it may be one that lets a call run.
    #[error("the hook message is about `{0}`, which Handraise does not know; update it, or remove that hook")]
    UnknownEvent(String),
    /// Two fields that ought to say the same do not.
    #[error("the fields `{0}` and `{1}` of the hook message contradict each other")]
    Contradiction(&'static str, &'static str),
    /// The request made from the message is not acceptable.
    #[error("the hook message cannot be taken: {0}")]
    Request(#[from] InvalidRequest),
}

impl HookError {
    /// An event called `name`, for people.
    pub(crate) fn unknown_event(name: &str) -> Self {
        Self::UnknownEvent(handraise_display::line(name, 80))
    }
}
