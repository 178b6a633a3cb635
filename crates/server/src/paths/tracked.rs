//! Which files a repository holds already, by its index.

use std::path::Path;

use crate::disk::Disk;
use crate::repository::index;

/// Longest index of a repository that is looked into, in bytes.
const MAX_INDEX: u64 = 4 * 1024 * 1024;

/// Whether the repository of `file` holds it already. One that cannot be read holds nothing.
pub(super) fn is_tracked(file: &Path, disk: &mut Disk) -> bool {
    stands_in_index(file, disk, |path, within| path == within) == Some(true)
}

/// Whether the repository of `folder` holds a file in it, or cannot be read.
pub(super) fn holds_tracked(folder: &Path, disk: &mut Disk) -> bool {
    let is_below =
        |path: &[u8], within: &[u8]| path.strip_prefix(within).is_some_and(|rest| rest.first() == Some(&b'/'));
    stands_in_index(folder, disk, is_below) != Some(false)
}

/// Whether the index of the repository of `place` has a path for which `is_meant` holds, beside that of `place` in it. `None`:
/// it cannot be read.
fn stands_in_index(place: &Path, disk: &mut Disk, is_meant: impl Fn(&[u8], &[u8]) -> bool) -> Option<bool> {
    let Some(top) = place.ancestors().skip(1).find(|folder| folder.join(".git").exists()) else { return Some(false) };
    let within = place.strip_prefix(top).ok()?.to_str()?.as_bytes();
    // gitrepository-layout(5): in a worktree it is a file that names the folder.
    let git = top.join(".git");
    let named = disk.text(&git).ok().flatten();
    let named = named
        .as_deref()
        .and_then(|text| text.strip_prefix("gitdir: "))
        .map(|path| top.join(path.trim_end_matches(['\n', '\r'])));
    // No file: nothing was ever added.
    let Some(index) = disk.read(&named.unwrap_or(git).join("index"), MAX_INDEX).ok()? else { return Some(false) };
    let mut is_found = false;
    // A repository with SHA-256 has longer names of objects; read with the wrong ones, its entries make no sense.
    let mut is_read = |hash| {
        is_found = false;
        index::each(&index, hash, |entry| {
            is_found |= is_meant(entry.path, within);
            Some(())
        })
        .is_some()
    };
    (is_read(20) || is_read(32)).then_some(is_found)
}

#[cfg(test)]
mod tests {
    use super::super::credentials::CredentialSearch;
    use super::*;

    fn git(folder: &Path, arguments: &[&str]) {
        let mut command = std::process::Command::new("git");
        command.current_dir(folder).args(arguments);
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    }

    #[test]
    fn a_folder_with_a_file_that_git_knows_is_told() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("web/node_modules");
        std::fs::create_dir_all(&folder).unwrap();
        let holds = || holds_tracked(&folder, &mut Disk::default());
        assert!(!holds(), "there is no repository");
        git(root.path(), &["init", "-q"]);
        std::fs::write(folder.join("mine.js"), "x").unwrap();
        std::fs::write(root.path().join("web/node_modules.md"), "x").unwrap();
        git(root.path(), &["add", "web/node_modules.md"]);
        assert!(!holds(), "it knows another file only");
        git(root.path(), &["add", "--force", "web/node_modules/mine.js"]);
        assert!(holds());
        std::fs::write(root.path().join(".git/index"), "nothing that is understood").unwrap();
        assert!(holds(), "nobody can tell");
    }

    #[test]
    fn what_git_knows_is_told_in_each_version_of_its_index() {
        for version in ["2", "4"] {
            let folder = tempfile::tempdir().unwrap();
            let git = |arguments: &[&str]| git(folder.path(), arguments);
            git(&["init", "-q"]);
            for name in [".env", ".env.local", ".env.production"] {
                std::fs::write(folder.path().join(name), "x").unwrap();
            }
            git(&["add", "--force", ".env", ".env.local"]);
            git(&["update-index", "--index-version", version]);
            let mut disk = Disk::default();
            let told = CredentialSearch::new(None, &mut disk).held(folder.path()).holds;
            let mut tracked: Vec<(&str, bool)> =
                told.iter().map(|held| (held.path.as_str(), held.is_tracked)).collect();
            tracked.sort_unstable();
            assert_eq!(tracked, [(".env", true), (".env.local", true), (".env.production", false)], "{version}");
        }
    }
}
