//! What no agent may change, compared by name and by what is found there.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::identity::{FileIdentity, has_other_names};

/// Files below one protected folder that a file with several names is compared with.
const MOST_FILES: usize = 2_000;

/// What no agent may change.
///
/// Names are compared without regard to case: on a file system that ignores case another spelling is
/// the same file, and on the others a file that differs in nothing but case is hardly an honest one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Protected {
    /// Files, and folders with everything in them: links followed, as they are on the disk.
    real: Vec<PathBuf>,
    /// The same and how they were given, in lower case.
    names: BTreeSet<PathBuf>,
    /// Folders on the way to one of them, below the home folder: who moves one away moves it too.
    on_the_way: BTreeSet<PathBuf>,
    identities: BTreeSet<FileIdentity>,
    /// Files and folders in whatever project: the end of their path, in lower case.
    in_projects: Vec<PathBuf>,
    /// Folders on the way to one of those.
    on_the_way_in_projects: Vec<PathBuf>,
}

impl Protected {
    /// Protects `paths` (absolute; folders with everything in them) and `in_projects` (relative) in every
    /// folder. `home` and what is above it are too wide to be protected for holding one of them.
    pub(crate) fn new<'a>(
        paths: impl IntoIterator<Item = &'a Path>,
        in_projects: impl IntoIterator<Item = &'a Path>,
        home: Option<&Path>,
    ) -> Self {
        let mut protected = Self::default();
        for path in paths {
            let real = soft_canonicalize::soft_canonicalize(path).unwrap_or_else(|_| path.to_owned());
            protected.add_name(path, home);
            protected.add_name(&real, home);
            protected.identities.extend(FileIdentity::of(&real));
            protected.real.push(real);
        }
        for path in in_projects {
            let above = path.ancestors().skip(1).filter(|part| !part.as_os_str().is_empty());
            protected.on_the_way_in_projects.extend(above.map(lower));
            protected.in_projects.push(lower(path));
        }
        protected
    }

    /// Whether the absolute `path` is protected, by its name or by what is found there.
    pub(crate) fn covers(&self, path: &Path) -> bool {
        let name = lower(path);
        name.ancestors().any(|part| self.names.contains(part))
            || self.on_the_way.contains(&name)
            || name.ancestors().any(|part| self.in_projects.iter().any(|end| part.ends_with(end)))
            || self.on_the_way_in_projects.iter().any(|end| name.ends_with(end))
            || self.is_found_at(path)
    }

    fn add_name(&mut self, name: &Path, home: Option<&Path>) {
        self.names.insert(lower(name));
        let Some(home) = home else { return };
        let below_home = name.ancestors().skip(1).filter(|above| above.starts_with(home) && *above != home);
        self.on_the_way.extend(below_home.map(lower));
    }

    /// A hard link or a bind mount has another name and is the same file; a new file in a folder that
    /// is mounted elsewhere is in the same folder.
    fn is_found_at(&self, path: &Path) -> bool {
        let mut found = path.ancestors().filter_map(FileIdentity::of);
        if found.any(|identity| self.identities.contains(&identity)) {
            return true;
        }
        // A second name of a file within a protected folder, or of one made since: look again, which is
        // rare enough to be done then and not for every call.
        if !has_other_names(path) {
            return false;
        }
        let Some(identity) = FileIdentity::of(path) else { return false };
        self.real.iter().any(|real| holds(real, identity, &mut { MOST_FILES }))
    }
}

/// Whether `path` is, or somewhere below holds, the file with `identity`. Beyond `left` entries: yes,
/// since nobody has looked.
fn holds(path: &Path, identity: FileIdentity, left: &mut usize) -> bool {
    let Some(fewer) = left.checked_sub(1) else { return true };
    *left = fewer;
    if FileIdentity::of(path) == Some(identity) {
        return true;
    }
    // A folder behind a link is not walked through: it could lead anywhere, and in circles.
    let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    let entries = is_folder.then(|| path.read_dir().ok()).flatten();
    entries.into_iter().flatten().flatten().any(|entry| holds(&entry.path(), identity, left))
}

/// `path` in lower case, without `.`.
fn lower(path: &Path) -> PathBuf {
    path.components()
        .filter(|component| *component != Component::CurDir)
        .map(|component| component.as_os_str().to_string_lossy().to_lowercase())
        .collect()
}
