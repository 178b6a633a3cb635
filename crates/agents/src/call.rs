//! What a hook message wants, and the call that it is about.

use handraise_protocol::{ApprovalRequest, ArgumentsHash, InvalidRequest, ToolClass};
use serde_json::{Map, Value};

use crate::strict_json::StrictJsonError;

/// What a hook message wants.
#[derive(Clone, Debug, PartialEq)]
pub enum HookMessage {
    /// A decision about a tool call.
    Ask(Box<HookCall>),
    /// Nothing: a call has run, or was refused elsewhere. A question about it that is still open is
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
    /// The question that has to be answered.
    pub event: HookEvent,
    /// The agent's own name of that question.
    pub event_name: &'static str,
    /// The request to decide about.
    pub request: ApprovalRequest,
    /// The agent takes changed arguments with an approval.
    pub accepts_edits: bool,
    /// Which call it is, for telling that two hooks ask about the same one.
    pub key: CallKey,
}

/// The question that a hook asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookEvent {
    /// A tool is about to run. Asked for every call.
    BeforeTool,
    /// The agent is about to ask the person itself. Asked only for those calls.
    PermissionQuestion,
}

/// Which call of its session a hook speaks of.
///
/// An agent may run several hooks for one call: before the tool, when it would ask itself, after the
/// tool. Some give the call an id, in some of these hooks. The digest is the same in all of them,
/// but also for the next call with the same arguments: it may tie a hook to a call that is open or
/// has just been approved and not run yet, and must never stand for an approval by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallKey {
    /// The agent's id of the call, where it says one.
    pub id: Option<String>,
    /// Hash of session, tool and arguments, where the message says them.
    pub digest: Option<ArgumentsHash>,
}

impl CallKey {
    /// A call of which only the id is known.
    pub(crate) fn of_id(id: &str) -> Self {
        Self { id: Some(id.to_owned()), digest: None }
    }

    /// The key of `request`. What the model says a shell command is for is not part of the command,
    /// and some hooks leave it out.
    pub(crate) fn of(request: &ApprovalRequest, class: ToolClass, id: Option<String>) -> Self {
        let mut arguments = request.arguments.clone();
        if class == ToolClass::Shell {
            arguments.remove("description");
        }
        let whole = [
            ("session", request.session.clone().map_or(Value::Null, Value::String)),
            ("server", request.server.clone().map_or(Value::Null, Value::String)),
            ("tool", Value::String(request.tool.clone())),
            ("arguments", Value::Object(arguments)),
        ];
        let whole: Map<String, Value> = whole.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        Self { id, digest: ArgumentsHash::of(&whole).ok() }
    }
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
        Self::UnknownEvent(handraise_gate::display::line(name, 80))
    }
}
