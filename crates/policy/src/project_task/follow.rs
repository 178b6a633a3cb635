//! From a task to all that it runs.

use super::files::{Pause, TaskFiles};
use super::task_search::TaskSearch;
use super::{cargo, make, mise, package, whole};
use crate::facts::{TaskCall, TaskDefinition, TaskRunner};

/// What `call` runs in the absolute `folder`, for the person whose home folder is `home`.
///
/// # Errors
/// [`Pause::Look`]: somebody has to look at some paths first; then it is to be asked again. [`Pause::Unknown`]: why it
/// cannot be told for certain.
pub fn define_task(
    call: &TaskCall,
    folder: &str,
    home: Option<&str>,
    files: &TaskFiles,
) -> Result<TaskDefinition, Pause> {
    let mut found = TaskSearch::new(follow, files, home);
    found.follow(call, folder)?;
    Ok(found.definition())
}

fn follow(found: &mut TaskSearch<'_>, call: &TaskCall, folder: &str) -> Result<(), Pause> {
    match call.runner {
        TaskRunner::Npm | TaskRunner::Pnpm | TaskRunner::Yarn | TaskRunner::Bun => package::follow(found, call, folder),
        TaskRunner::Make => make::follow(found, call, folder),
        TaskRunner::Mise => mise::follow(found, call, folder),
        TaskRunner::Cargo => cargo::follow(found, call, folder),
        TaskRunner::Just
        | TaskRunner::Task
        | TaskRunner::Deno
        | TaskRunner::Composer
        | TaskRunner::Poe
        | TaskRunner::Pdm => whole::follow(found, call, folder),
    }
}
