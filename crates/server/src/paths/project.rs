//! The project that a call belongs to.

use std::path::{Path, PathBuf};

use super::SeenFolders;

/// The project folder of a call with the working folder `cwd`: the nearest folder from there upwards
/// that holds `.git` (a folder, or a file as in a linked worktree: gitrepository-layout(5)), else the
/// working folder itself. Never the home folder or one above it: a rule for everything that a user
/// owns is no rule for a project. `home`: with no links in it.
pub(super) fn project_folder(cwd: Option<&str>, home: Option<&Path>, seen: &mut SeenFolders) -> Option<PathBuf> {
    let cwd = Path::new(cwd?);
    if !cwd.is_absolute() {
        return None;
    }
    let cwd = seen.real(cwd).filter(|cwd| seen.metadata(cwd).is_some())?;
    let is_project = |folder: &&Path| {
        let above_home = home.is_some_and(|home| home.starts_with(folder));
        folder.parent().is_some() && !above_home
    };
    let with_repository = cwd.ancestors().take_while(is_project).find(|folder| folder.join(".git").exists());
    let folder = with_repository.or_else(|| Some(cwd.as_path()).filter(is_project))?;
    Some(folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_found_from_below_and_a_plain_folder_is_itself() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let deep = root.join("home/work/app/src/deep");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir(root.join("home/work/app/.git")).unwrap();
        let home = root.join("home");
        let of = |path: &Path| project_folder(path.to_str(), Some(&home), &mut SeenFolders::default());
        assert_eq!(of(&deep), Some(root.join("home/work/app")));
        assert_eq!(of(&root.join("home/work")), Some(root.join("home/work")));
    }

    #[test]
    fn the_home_folder_is_no_project_even_with_a_repository_in_it() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("home/notes")).unwrap();
        std::fs::create_dir(root.join("home/.git")).unwrap();
        std::fs::create_dir(root.join(".git")).unwrap();
        let home = root.join("home");
        let of = |path: &Path| project_folder(path.to_str(), Some(&home), &mut SeenFolders::default());
        assert_eq!(of(&home), None);
        assert_eq!(of(&root), None);
        assert_eq!(of(Path::new("/")), None);
        assert_eq!(of(&home.join("notes")), Some(home.join("notes")));
        assert_eq!(project_folder(Some("relative"), Some(&home), &mut SeenFolders::default()), None);
    }
}
