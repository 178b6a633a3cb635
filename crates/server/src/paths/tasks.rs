//! What the tasks of a project run, looked up on the disk.

use std::path::Path;

use handraise_policy::project_task::{LookedAt, Pause, TaskFiles, TaskQuestion, define_task};
use handraise_policy::{Request, TaskFacts, TaskState};

use super::{PathResolver, SeenFolders, text};
use crate::disk::{Disk, Kind};

/// Most paths that one task leads to.
const MAX_PATHS: usize = 1_000;

impl PathResolver {
    /// What the tasks run that the commands of `request` name.
    pub(crate) fn task_facts(&self, request: &Request, seen: &mut SeenFolders) -> TaskFacts {
        let mut disk = Disk::default();
        // Two tasks of one call stand in the same files, most likely.
        let mut files = TaskFiles::default();
        let questions = request.task_questions().into_iter();
        let facts = questions.map(|question| {
            let state = self.task(&question, request.cwd.as_deref(), seen, &mut files, &mut disk);
            (question, state)
        });
        facts.collect()
    }

    fn task(
        &self,
        question: &TaskQuestion,
        cwd: Option<&str>,
        seen: &mut SeenFolders,
        files: &mut TaskFiles,
        disk: &mut Disk,
    ) -> TaskState {
        let folder = match self.starts(&question.folder, cwd, seen).as_deref() {
            Ok([folder]) => text(folder),
            // A shell and the file system take it for two folders.
            Ok(_) | Err(_) => None,
        };
        // Paths are put together with `/`.
        let folder = folder.filter(|folder| folder.starts_with('/'));
        let Some(folder) = folder else { return TaskState::Unknown("its folder is not known".to_owned()) };
        let home = self.home().and_then(Path::to_str);
        loop {
            match define_task(&question.call, &folder, home, files) {
                Ok(definition) => return TaskState::Defined(definition),
                Err(Pause::Unknown(why)) => return TaskState::Unknown(why),
                Err(Pause::Look(paths)) if files.len() + paths.len() > MAX_PATHS => {
                    return TaskState::Unknown("there is too much to look at".to_owned());
                }
                Err(Pause::Look(paths)) => {
                    for path in paths {
                        let found = look(Path::new(&path), disk);
                        files.add(path, found);
                    }
                }
            }
        }
    }
}

fn look(path: &Path, disk: &mut Disk) -> LookedAt {
    let found = disk.kind(path).and_then(|kind| match kind {
        Kind::Absent => Ok(LookedAt::Absent),
        Kind::File => Ok(disk.text(path)?.map_or(LookedAt::Absent, LookedAt::File)),
        Kind::Folder => {
            let entries = disk.entries(path)?;
            let names = entries.iter().filter_map(|entry| entry.file_name()?.to_str().map(str::to_owned));
            Ok(LookedAt::Folder(names.collect()))
        }
        Kind::Other => Err(format!("`{}` cannot be read", path.display())),
    });
    found.unwrap_or_else(LookedAt::Unreadable)
}
