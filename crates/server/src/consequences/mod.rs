//! What a call would do to what is there on this machine: which files it hits, which commits it publishes. It is told to
//! the person who is asked, and decides nothing.
//!
//! Nothing is run, no link is followed out of what a command names, and every look has an end. What is not known for
//! certain is not told.

#[cfg(unix)]
mod files;
#[cfg(unix)]
mod git;
mod host;
#[cfg(unix)]
mod install;
mod told;

use std::path::Path;

use handraise_policy::Request;
#[cfg(unix)]
use handraise_policy::{Act, ConsequenceQuestion};
use handraise_protocol::Consequence;

use crate::redacted::RequestRedactor;
#[cfg(unix)]
use crate::repository::{NotTold, Until};
use told::CommandConsequence;

/// Most that is told of one call.
const MAX_TOLD: usize = 12;

/// What `request` would do, for the user whose home folder is `home`. Looks at the file system.
pub(crate) fn consequences(request: &Request, home: Option<&Path>, redactor: &RequestRedactor) -> Vec<Consequence> {
    let mut told = host::told(request);
    told.extend(of_commands(request, home));
    if told.is_empty() {
        return Vec::new();
    }
    let redactor = redactor.knowing(request);
    told.iter().take(MAX_TOLD).map(|told| told.shown(&redactor)).collect()
}

/// Whether something may be told of `request`. Looks at nothing.
pub(crate) fn may_be_told(request: &Request) -> bool {
    !request.consequence_questions().is_empty() || !host::told(request).is_empty()
}

#[cfg(not(unix))]
fn of_commands(_request: &Request, _home: Option<&Path>) -> Vec<CommandConsequence> {
    Vec::new()
}

#[cfg(unix)]
fn of_commands(request: &Request, home: Option<&Path>) -> Vec<CommandConsequence> {
    let questions = request.consequence_questions();
    let place = files::Standpoint { cwd: request.cwd.as_deref(), home, until: Until::new() };
    let answers = questions.iter().flat_map(|question| answer(&place, question).unwrap_or_default());
    answers.collect()
}

#[cfg(unix)]
fn answer(place: &files::Standpoint<'_>, question: &ConsequenceQuestion) -> Result<Vec<CommandConsequence>, NotTold> {
    let told = match &question.act {
        Act::Remove { targets, recursive } => {
            vec![files::hit(place, &place.found(targets)?, *recursive)?.told("Deletes", true)]
        }
        Act::ChangeRights { targets, recursive } => {
            vec![files::hit(place, &place.found(targets)?, *recursive)?.told("Changes the rights of", false)]
        }
        Act::Move { targets, to } => vec![files::moved(place, &place.found(targets)?, to)?],
        Act::Git { folder, act } => git::told(place, folder, act)?,
        Act::Install { folder, program } => install::told(place, folder, program)?,
    };
    let (command, is_behind_changes) = (&question.command, question.is_behind_changes);
    Ok(told
        .into_iter()
        .map(|told| CommandConsequence { command: command.clone(), is_behind_changes, ..told })
        .collect())
}

#[cfg(test)]
mod tests;
