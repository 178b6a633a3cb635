//! Messages about what has happened already.

use crate::{Agent, HookMessage};

/// Whether `input` is sure to be about something that is over. A hook that fails there must not be
/// told as a denial: some agents take that as an order to go on working.
pub(crate) fn is_one(agent: &dyn Agent, input: &[u8]) -> bool {
    matches!(
        agent.parse(input),
        Ok(HookMessage::CallEnded { .. } | HookMessage::TurnEnded { .. } | HookMessage::SessionEnded { .. })
    )
}
