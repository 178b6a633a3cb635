//! Tells that files may have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use notify::{EventKind, RecursiveMode, Watcher};

/// Watches as long as it lives.
#[derive(Debug)]
pub(crate) struct FileWatch {
    _watcher: notify::RecommendedWatcher,
}

impl FileWatch {
    /// Calls `touched` from a thread of its own whenever one of `files` may have changed.
    ///
    /// The folder is watched and not the file: editors replace a file by renaming another one over it,
    /// and the watch on the old one would die with it. Where a file is a link, the folder that it
    /// leads to is watched as well. A folder that is not there is not watched.
    ///
    /// # Errors
    /// When a folder that is there cannot be watched.
    pub(crate) fn new(files: &[PathBuf], touched: impl Fn() + Send + 'static) -> notify::Result<Self> {
        let targets = files.iter().filter_map(|file| file.canonicalize().ok());
        let mut watched: BTreeMap<PathBuf, BTreeSet<OsString>> = BTreeMap::new();
        for file in files.iter().cloned().chain(targets) {
            let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { continue };
            if folder.is_dir() {
                watched.entry(folder.to_owned()).or_default().insert(name.to_owned());
            }
        }
        let folders: Vec<PathBuf> = watched.keys().cloned().collect();
        let is_watched = move |path: &Path| {
            let names = path.parent().and_then(|folder| watched.get(folder));
            path.file_name().is_none_or(|name| names.is_none_or(|names| names.contains(name)))
        };
        let concerns = move |event: &notify::Event| {
            // Reading is no change, and who watches reads the file itself.
            !matches!(event.kind, EventKind::Access(_))
                && (event.paths.is_empty() || event.paths.iter().any(|path| is_watched(path)))
        };
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // An error means that something was missed.
            if event.as_ref().map_or(true, &concerns) {
                touched();
            }
        })?;
        for folder in folders {
            watcher.watch(&folder, RecursiveMode::NonRecursive)?;
        }
        Ok(Self { _watcher: watcher })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    #[test]
    fn files_of_several_folders_are_watched_and_their_neighbours_are_not() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        for folder in ["a", "b"] {
            std::fs::create_dir(root.join(folder)).unwrap();
        }
        let files = ["a/list", "b/other", "missing/list"].map(|file| root.join(file));
        let (sender, told) = channel();
        let _watch = FileWatch::new(&files, move || sender.send(()).unwrap()).unwrap();
        let timeout = Duration::from_secs(20);
        std::fs::write(root.join("b/list"), "").unwrap();
        std::fs::write(root.join("a/other"), "").unwrap();
        // What comes after them has been told: those before it were not.
        std::fs::write(root.join("a/list"), "").unwrap();
        told.recv_timeout(timeout).unwrap();
        let before = told.try_iter().count();
        assert_eq!(before, 0, "a neighbour was told");
        std::fs::write(root.join("new"), "").unwrap();
        std::fs::rename(root.join("new"), root.join("b/other")).unwrap();
        told.recv_timeout(timeout).unwrap();
    }
}
