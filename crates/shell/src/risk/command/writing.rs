//! What common commands change, for the sentence in the prompt.

use super::invocation::{Invocation, is_step};
use crate::programs;

/// What `invocation` changes, as a clause; `None` when nothing is known of it.
pub(super) fn reason(invocation: &Invocation<'_>) -> Option<String> {
    let program = invocation.program;
    let known = programs::find(program)?;
    if let Some((path, does)) = known.changes.iter().find(|(path, _)| invocation.calls(path)) {
        // Not the value of an option in front of it: `git -c a=b push`.
        let first = path.split_ascii_whitespace().next().unwrap_or_default();
        let command = invocation.operands().find(|operand| is_step(first, operand)).unwrap_or_default();
        return Some(format!("`{program} {command}` {does}"));
    }
    (!known.does.is_empty()).then(|| format!("`{program}` {}", known.does))
}
