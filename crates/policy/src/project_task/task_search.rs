//! What was found of a task so far.

use std::collections::BTreeSet;

use super::files::{Pause, TaskFiles, join};
use crate::facts::{TaskCall, TaskDefinition, TaskRunner, TaskStep};
use handraise_shell::{CommandLine, Part, Shell};

/// Longest text of a definition, in bytes.
const MAX_TEXT: usize = 64 * 1024;
/// Most steps of a definition.
const MAX_STEPS: usize = 64;
/// Most commands that are named because they could not be followed.
const MAX_UNFOLLOWED: usize = 16;

/// Adds what a task runs in a folder to what was found.
pub(super) type Follow = fn(&mut TaskSearch<'_>, &TaskCall, &str) -> Result<(), Pause>;

/// What was found of a task so far.
pub(super) struct TaskSearch<'a> {
    /// Follows a task of any runner.
    runner: Follow,
    pub(super) files: &'a TaskFiles,
    pub(super) home: Option<&'a str>,
    definition: TaskDefinition,
    bytes: usize,
    known: BTreeSet<(TaskRunner, Vec<String>, String)>,
}

impl<'a> TaskSearch<'a> {
    pub(super) fn new(runner: Follow, files: &'a TaskFiles, home: Option<&'a str>) -> Self {
        Self { runner, files, home, definition: TaskDefinition::default(), bytes: 0, known: BTreeSet::new() }
    }

    pub(super) fn definition(self) -> TaskDefinition {
        self.definition
    }

    /// Adds what `call` runs in `folder`; once.
    pub(super) fn follow(&mut self, call: &TaskCall, folder: &str) -> Result<(), Pause> {
        if !self.known.insert((call.runner, call.names.clone(), folder.to_owned())) {
            return Ok(());
        }
        (self.runner)(self, call, folder)
    }

    /// Whether the same step is there already, or is now.
    pub(super) fn add(&mut self, name: &str, file: &str, text: &str) -> Result<(), Pause> {
        let step = TaskStep { name: name.to_owned(), file: file.to_owned(), text: text.to_owned() };
        if self.definition.steps.contains(&step) {
            return Ok(());
        }
        self.bytes += text.len();
        if self.bytes > MAX_TEXT || self.definition.steps.len() == MAX_STEPS {
            return Pause::unknown(format!("what `{file}` says is too much to be compared"));
        }
        self.definition.steps.push(step);
        Ok(())
    }

    /// Follows the tasks that the command line `text` runs in `folder`. Those that cannot be followed are named: the
    /// programs that a text starts are no part of it.
    pub(super) fn follow_text(&mut self, text: &str, folder: &str) -> Result<(), Pause> {
        for part in &CommandLine::analyse(text, Shell::Posix).parts {
            let inner = match TaskCall::of(part) {
                None => continue,
                Some(Ok((call, _))) => part_folder(part, folder).map(|folder| (call, folder)),
                Some(Err(_)) => None,
            };
            let is_followed = match inner {
                None => false,
                Some((call, folder)) => match self.follow(&call, &folder) {
                    Ok(()) => true,
                    Err(Pause::Unknown(_)) => false,
                    Err(look) => return Err(look),
                },
            };
            let is_new =
                self.definition.unfollowed.len() < MAX_UNFOLLOWED && !self.definition.unfollowed.contains(&part.text);
            if !is_followed && is_new {
                self.definition.unfollowed.push(part.text.clone());
            }
        }
        Ok(())
    }
}

/// The folder in which `part` of a text runs that starts in `folder`.
fn part_folder(part: &Part, folder: &str) -> Option<String> {
    let plain = |next: &&String| !next.starts_with(['/', '~']) && !next.split('/').any(|name| name == "..");
    let all_plain = !part.folder_unknown && part.folders.iter().all(|next| plain(&next));
    all_plain.then(|| {
        part.folders.iter().fold(folder.to_owned(), |folder, next| join(&folder, next.trim_start_matches("./")))
    })
}
