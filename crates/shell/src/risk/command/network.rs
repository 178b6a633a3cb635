//! Commands that talk to another machine.

use super::fetching;
use super::invocation::Invocation;
use super::read_only;
use crate::command_line::Part;
use crate::programs::fact::Fact;
use crate::programs::form::Reaches;
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
        Talks::For(ways) => ways.iter().any(|way| is_called(&invocation, way)),
    };
    talks || (program == "rsync" && invocation.operands().any(|word| word.contains(':')))
}

/// Whether `part` changes something on another machine, or sends something there, as far as is known. In doubt it does.
pub(crate) fn publishes(part: &Part) -> bool {
    let to_socket = |text: &str| text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/");
    if part.writes.iter().any(|word| to_socket(&word.text)) {
        return true;
    }
    let Some(invocation) = Invocation::of(part) else { return false };
    // rsync(1), scp(1): `host:file`.
    let last = || invocation.operands().last().is_some_and(|word| word.contains(':'));
    let copies = programs::of(invocation.program).is(Fact::NamesHosts) && last();
    copies || programs::of(invocation.program).publishes.iter().any(|way| is_called(&invocation, way))
}

/// Whether a program is called with one of these sub-commands and one of these options, where there are any.
fn is_called(invocation: &Invocation<'_>, (path, options): &(&str, &str)) -> bool {
    (path.is_empty() || invocation.calls(path)) && (options.is_empty() || invocation.option(options).is_some())
}

/// Whether `part` talks to another machine. Of what only looks, that is what its form says.
pub(crate) fn talks_out(part: &Part) -> bool {
    let stays = || read_only::reaches(part).is_some_and(|reaches| reaches == Reaches::Nothing);
    (talks(part) || publishes(part)) && !stays() && !asks_this_machine(part)
}

/// Whether `part` only looks at pages that this machine serves.
fn asks_this_machine(part: &Part) -> bool {
    let mut addresses =
        part.exact_words().filter(|word| word.contains("://") || fetching::is_page_of_here(word)).peekable();
    part.program() == Some("curl")
        && addresses.peek().is_some()
        && addresses.all(fetching::is_page_of_here)
        && read_only::check(part).is_ok()
}

/// Whether `part` brings text here that a shell could run.
pub(super) fn is_source(part: &Part) -> bool {
    Invocation::of(part).is_some_and(|invocation| programs::of(invocation.program).is(Fact::BringsText))
}
