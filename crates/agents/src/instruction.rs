//! From the result of a request to what any agent has to be told.

use handraise_policy::ArgumentsHash;
use handraise_protocol::{ApprovalResult, Status};
use serde_json::{Map, Value};

use crate::{HookCall, HookOutput};

/// What an agent has to be told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Instruction {
    /// The call may run.
    Allow {
        /// For the person.
        reason: String,
        /// Run with these arguments instead.
        arguments: Option<Map<String, Value>>,
    },
    /// The call must not run.
    Deny {
        /// For the model.
        reason: String,
    },
}

impl Instruction {
    /// Invariant: allows only what was approved, and only this call with the arguments that were
    /// decided. Everything else denies, in words that tell a refusal from nobody being there.
    pub(crate) fn of(call: &HookCall, result: &ApprovalResult) -> Self {
        let given = result.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
        let reason = match result.status {
            Status::Approved => match bound(call, result) {
                Ok(()) => {
                    return Self::Allow {
                        reason: given.unwrap_or("Approved in Handraise").to_owned(),
                        arguments: result.arguments.clone(),
                    };
                }
                Err(why) => format!("Denied in Handraise: {why}"),
            },
            Status::Denied => format!("Denied in Handraise: {}", given.unwrap_or("a person denied this call.")),
            Status::Timeout | Status::Pending => NOBODY_ANSWERED.to_owned(),
            Status::Cancelled => format!(
                "The question was withdrawn in Handraise before anybody answered it there, so it was not approved. {}",
                given.unwrap_or("This is not a refusal by a person.")
            ),
        };
        Self::Deny { reason }
    }

    /// For an agent that only takes an exit code: silence for an allow, the reason on stderr for a denial.
    pub(crate) fn by_exit_code(self) -> HookOutput {
        match self {
            Self::Allow { .. } => HookOutput::silent(),
            Self::Deny { reason } => HookOutput::blocked(&reason),
        }
    }
}

const NOBODY_ANSWERED: &str = "No person answered: nobody has looked at this call in Handraise yet, so it was \
    not run. This is not a refusal. Tell the person that it is waiting for them, and make the same call again \
    once they are back. Do not try to work around this.";

/// Whether the approval is one of exactly this call.
fn bound(call: &HookCall, result: &ApprovalResult) -> Result<(), &'static str> {
    if result.arguments.is_some() && !call.accepts_edits {
        return Err("the approval changes the arguments, which this agent does not take.");
    }
    let runs = result.arguments.as_ref().unwrap_or(&call.request.arguments);
    match ArgumentsHash::of(runs) {
        Ok(hash) if hash.as_str() == result.arguments_hash.as_str() => Ok(()),
        _ => Err("the approval is for other arguments than those of this call."),
    }
}
