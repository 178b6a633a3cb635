//! What an agent's hooks say about one call: that it is about to run, that the agent would ask the
//! person itself, that it is over.

use serde_json::{Map, Value};

use crate::{ArgumentsHash, ToolClass};

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
    #[must_use]
    pub fn of_id(id: &str) -> Self {
        Self { id: Some(id.to_owned()), digest: None }
    }

    /// The digest of a call; `None` when its arguments have no canonical form. What the model says a
    /// shell command is for is not part of the command, and some hooks leave it out.
    #[must_use]
    pub fn digest(
        session: Option<&str>,
        server: Option<&str>,
        tool: &str,
        class: ToolClass,
        arguments: &Map<String, Value>,
    ) -> Option<ArgumentsHash> {
        let mut arguments = arguments.clone();
        if class == ToolClass::Shell {
            arguments.remove("description");
        }
        let text = |text: Option<&str>| text.map_or(Value::Null, Value::from);
        let whole = [
            ("session", text(session)),
            ("server", text(server)),
            ("tool", tool.into()),
            ("arguments", Value::Object(arguments)),
        ];
        let whole: Map<String, Value> = whole.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        ArgumentsHash::of(&whole).ok()
    }

    /// Whether both name the same call by its id.
    pub fn has_id_of(&self, other: &Self) -> bool {
        self.id.is_some() && self.id == other.id
    }

    /// Whether both may speak of the same call: the same digest, and no ids that say otherwise.
    pub fn may_be(&self, other: &Self) -> bool {
        let other_ids = self.id.is_some() && other.id.is_some() && self.id != other.id;
        self.digest.is_some() && self.digest == other.digest && !other_ids
    }
}

/// Which of the phases of one call a hook asks in, where an agent asks about it twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseOrder {
    /// The one that comes first. Each is about a call of its own.
    First,
    /// The one that comes after the first one, for the same call, where both are asked.
    Second,
}

/// What a hook asks about: a call in one of its phases, as before the tool runs, or where the agent would ask the
/// person itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookPhase {
    /// About which call.
    pub call: CallKey,
    /// In which of its phases.
    pub order: PhaseOrder,
    /// A sub-agent asks, which may go on working when its agent has stopped.
    pub is_of_sub_agent: bool,
}
