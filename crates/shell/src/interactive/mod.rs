//! Commands that go on reading what they are to do: a shell without a script, an interpreter, a
//! connection to another machine, a debugger, an editor that can run something.
//!
//! Where an agent can type into a command that runs, and no hook asks about what it types, approving
//! such a command approves whatever comes later.

mod given;
mod reads;

use super::command_line::{CommandLine, Input, Part};
use super::recovery;
use crate::programs;
use crate::programs::fact::Fact;
use crate::programs::name::base_name;
use reads::{Reads, reads_on};
pub(crate) use reads::{says_version, tells};

impl CommandLine {
    /// The program that would go on reading what it is to do, if there is one. In a line that was not
    /// understood it is looked for in everything that may be a command.
    #[must_use]
    pub fn interactive_program(&self) -> Option<String> {
        let found;
        let parts = match &self.obstacle {
            None => &self.parts,
            Some(_) => {
                found = recovery::parts(&given::left_out(&self.text));
                &found
            }
        };
        let program = |(position, part)| opened_by(part, parts.get(..position).unwrap_or_default());
        parts.iter().enumerate().find_map(program)
    }
}

/// What `part` leaves open, in a line with `before` in front of it.
fn opened_by(part: &Part, before: &[Part]) -> Option<String> {
    let is_given = part.words.iter().any(|word| word.text == given::MARK);
    let reaches = |reads: Reads| match (reads, part.input) {
        (Reads::Terminal, _) => true,
        (_, Input::Given) => false,
        (_, Input::Inherited | Input::Unknown) => !is_given,
        (reads, Input::Piped) => hands_on(before, reads),
    };
    let layers = part.layers.iter().map(|layer| reads_on(&layer.words, false));
    let mut found = std::iter::once(reads_on(&part.words, !part.writes.is_empty())).chain(layers).flatten();
    let program = found.find(|(_, reads)| reaches(*reads)).map(|(program, _)| program);
    let wrappers = part.wrappers.iter().map(String::as_str).chain(part.program());
    let mut fed = wrappers.map(base_name).filter(|name| programs::of(name).is(Fact::Fed) && reaches(Reads::Input));
    program.or_else(|| fed.next()).map(str::to_owned)
}

/// Whether what is typed into a pipeline may come through to the command behind `before`: whether its first
/// command may read it. Of a program that nobody knows, text that is only kept is its own.
fn hands_on(before: &[Part], reads: Reads) -> bool {
    let Some(first) = before.iter().rev().find(|part| part.input != Input::Piped) else { return true };
    let Some((program, operands)) = first.words.split_first() else { return true };
    if first.input == Input::Given {
        return false;
    }
    let name = base_name(&program.text);
    let named = operands.iter().filter(|word| !word.text.starts_with('-')).count();
    let known = programs::of(name);
    let searches = known.is(Fact::Searches);
    let needed = if searches { 2 } else { usize::from(known.is(Fact::PrintsInput)) };
    let reads_typed = operands.iter().any(|word| matches!(word.text.as_str(), "-" | "/dev/stdin" | "/dev/tty"));
    let tells = (known.is(Fact::TellsOperands) || searches) && named >= needed && !reads_typed;
    !tells && (reads == Reads::Input || known.is(Fact::PrintsInput))
}

#[cfg(test)]
mod tests;
