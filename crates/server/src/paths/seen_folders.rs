//! Folders that one call leads to, each looked at once: most of what a call names lies in the same few.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::identity::FileIdentity;

/// What was found out about folders, for one call. Good for that call only: folders change.
#[derive(Debug, Default)]
pub(crate) struct SeenFolders {
    real: HashMap<PathBuf, Option<PathBuf>>,
    identities: HashMap<PathBuf, Option<FileIdentity>>,
}

impl SeenFolders {
    /// Where the absolute `path` leads, links followed, whether there is anything or not. `None` when nobody can say,
    /// as where links lead in circles.
    pub(super) fn real(&mut self, path: &Path) -> Option<PathBuf> {
        let Some((folder, name)) = apart(path) else { return whole(path) };
        let folder = match self.real.get(folder) {
            Some(known) => known.clone(),
            None => {
                let found = whole(folder);
                self.real.insert(folder.to_owned(), found.clone());
                found
            }
        };
        let found = folder?.join(name);
        match found.symlink_metadata() {
            Ok(metadata) if !metadata.is_symlink() => Some(found),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(found),
            Ok(_) | Err(_) => whole(path),
        }
    }

    /// Which folder `folder` is, whatever it is called.
    pub(super) fn identity(&mut self, folder: &Path) -> Option<FileIdentity> {
        if let Some(known) = self.identities.get(folder) {
            return *known;
        }
        let found = FileIdentity::of(folder);
        self.identities.insert(folder.to_owned(), found);
        found
    }
}

/// The folder of `path` and the name in it, where the one can be looked at without the other: `..` is nobody's name, and
/// on other systems a name may be found by other letters, which stand in what is found.
fn apart(path: &Path) -> Option<(&Path, &OsStr)> {
    let is_plain = path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
    if !cfg!(target_os = "linux") || !is_plain {
        return None;
    }
    path.parent().zip(path.file_name())
}

fn whole(path: &Path) -> Option<PathBuf> {
    soft_canonicalize::soft_canonicalize(path).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A tree with every kind of thing that a path may lead over.
    fn tree() -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().canonicalize().unwrap();
        std::fs::create_dir_all(path.join("a/b")).unwrap();
        std::fs::write(path.join("a/f"), "").unwrap();
        #[cfg(unix)]
        for (name, target) in
            [("l", "a"), ("a/l", "b"), ("a/up", ".."), ("a/b/f", "../f"), ("gone", "a/none"), ("loop", "loop")]
        {
            std::os::unix::fs::symlink(target, path.join(name)).unwrap();
        }
        (root, path)
    }

    proptest! {
        #[test]
        fn a_path_leads_where_the_library_says_whatever_was_seen_before(
            paths in prop::collection::vec("(a|b|f|l|up|gone|loop|x|\\.\\.|\\.)(/(a|b|f|l|up|gone|loop|x|\\.\\.|\\.|)){0,4}", 1..8),
        ) {
            let (_root, root) = tree();
            let mut seen = SeenFolders::default();
            for path in paths.iter().map(|path| root.join(path)) {
                prop_assert_eq!(seen.real(&path), whole(&path), "{}", path.display());
            }
        }
    }
}
