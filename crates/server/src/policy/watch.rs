//! Tells the engine that the policy file may have changed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use notify::{EventKind, RecursiveMode, Watcher};

use super::file::target;

/// Watches as long as it lives.
#[derive(Debug)]
pub(crate) struct PolicyWatch {
    _watcher: notify::RecommendedWatcher,
}

impl PolicyWatch {
    /// Calls `touched` from a thread of its own whenever the file at `path` may have changed.
    ///
    /// The folder is watched and not the file: editors replace a file by renaming another one over it,
    /// and the watch on the old one would die with it. Where the file is a link, the folder that it
    /// leads to is watched as well.
    pub(crate) fn new(path: &Path, touched: impl Fn() + Send + 'static) -> notify::Result<Self> {
        let files = [path.to_owned(), target(path)];
        let names: BTreeSet<_> = files.iter().filter_map(|file| file.file_name()).map(ToOwned::to_owned).collect();
        let concerns = move |event: &notify::Event| {
            let named = event.paths.iter().any(|path| path.file_name().is_none_or(|name| names.contains(name)));
            // Reading is no change, and the engine reads the file itself.
            !matches!(event.kind, EventKind::Access(_)) && (named || event.paths.is_empty())
        };
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // An error means that something was missed.
            if event.as_ref().map_or(true, &concerns) {
                touched();
            }
        })?;
        let folders: BTreeSet<PathBuf> = files.iter().filter_map(|file| file.parent()).map(Path::to_owned).collect();
        for folder in folders {
            watcher.watch(&folder, RecursiveMode::NonRecursive)?;
        }
        Ok(Self { _watcher: watcher })
    }
}
