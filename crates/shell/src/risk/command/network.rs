//! Commands that talk to another machine.

use super::invocation::Invocation;
use crate::command_line::Part;
use crate::programs::fact::Fact;
use crate::programs::{self, Talks};

/// Whether `part` talks to another machine.
pub(super) fn talks(part: &Part) -> bool {
    let to_socket = |text: &str| text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/");
    if part.writes.iter().chain(&part.reads).any(|word| to_socket(&word.text)) {
        return true;
    }
    let Some(invocation) = Invocation::of(part) else { return false };
    let program = invocation.program;
    let talks = match programs::of(program).talks {
        Talks::Never => false,
        Talks::Always => true,
        Talks::For(path) => invocation.calls(path),
    };
    talks || (program == "rsync" && invocation.operands().any(|word| word.contains(':')))
}

/// Whether `part` brings text here that a shell could run.
pub(super) fn is_source(part: &Part) -> bool {
    Invocation::of(part).is_some_and(|invocation| programs::of(invocation.program).is(Fact::BringsText))
}
