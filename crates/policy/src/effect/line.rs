//! The line that a command stands in.

use crate::Request;
use handraise_shell::Part;

/// The commands in front of `own`.
pub(crate) fn in_front<'a>(request: &'a Request, own: &'a Part) -> impl Iterator<Item = &'a Part> {
    let parts = request.command.iter().flat_map(|line| &line.parts);
    parts.take_while(move |part| !std::ptr::eq(*part, own))
}
