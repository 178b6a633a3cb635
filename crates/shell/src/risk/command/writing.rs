//! What common commands change, for the sentence in the prompt.

use super::invocation::Invocation;
use crate::programs;

/// What `invocation` changes, as a clause; `None` when nothing is known of it.
pub(super) fn reason(invocation: &Invocation<'_>) -> Option<String> {
    let program = invocation.program;
    let known = programs::find(program)?;
    if let Some((_, does)) = known.changes.iter().find(|(path, _)| invocation.calls(path)) {
        let command = invocation.operands().next().unwrap_or_default();
        return Some(format!("`{program} {command}` {does}"));
    }
    (!known.does.is_empty()).then(|| format!("`{program}` {}", known.does))
}
