//! Finds the files of a project that have to be hidden, by name.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use handraise_locations::TOOL_FOLDERS;

use crate::{ConfineError, Walls};

/// Folders of tools beside [`TOOL_FOLDERS`] that are not looked into: a search with too many folders refuses the call.
const MANY_FOLDERS: &[&str] = &[".tox", ".gradle"];

/// How many folders are looked through. Beyond that the call is refused: nobody knows what is not hidden.
const MAX_FOLDERS: usize = 20_000;

/// The files of the projects whose names the walls hide. Links are followed to where they lead.
///
/// # Errors
/// When a project has too many folders.
pub(crate) fn hidden_files(walls: &Walls, projects: &[PathBuf]) -> Result<Vec<PathBuf>, ConfineError> {
    let mut found = Vec::new();
    if walls.hide.is_empty() {
        return Ok(found);
    }
    for project in projects {
        let mut folders = vec![project.clone()];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            seen += 1;
            if seen > MAX_FOLDERS {
                return Err(ConfineError::TooManyFolders { path: project.clone(), limit: MAX_FOLDERS });
            }
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if walls.hides(&name) {
                    found.extend(entry.path().canonicalize().ok().filter(|path| lies_in(path, projects)));
                } else if is_folder && !is_left_out(&name) {
                    folders.push(entry.path());
                }
            }
        }
    }
    Ok(found)
}

/// Whether a folder of this name is not looked into.
fn is_left_out(name: &OsStr) -> bool {
    TOOL_FOLDERS.iter().chain(MANY_FOLDERS).any(|left_out| OsStr::new(left_out) == name)
}

/// What a link leads to outside is not readable anyway.
fn lies_in(path: &Path, projects: &[PathBuf]) -> bool {
    projects.iter().any(|project| path.starts_with(project) && path != project)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_found_at_any_depth_and_templates_are_not() {
        let project = tempfile::tempdir().unwrap();
        let root = project.path().canonicalize().unwrap();
        for folder in ["packages/api", "node_modules/x", "config"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in
            [".env", "packages/api/.env.local", "packages/api/.env.example", "node_modules/x/.env", "config/prod"]
        {
            std::fs::write(root.join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(root.join("config/prod"), root.join(".env.production")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", root.join(".env.elsewhere")).unwrap();
        let mut found = hidden_files(&Walls::around(root.clone()), std::slice::from_ref(&root)).unwrap();
        found.sort();
        assert_eq!(found, [".env", "config/prod", "packages/api/.env.local"].map(|path| root.join(path)));
    }
}
