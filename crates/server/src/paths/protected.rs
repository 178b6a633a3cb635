//! What no agent may change, compared by name and by what is found there.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use handraise_policy::is_reference_of_skill;
use handraise_policy::path::Protection;

use super::seen_folders::{ProtectedFolder, SeenFolders};
use crate::file_identity::{FileIdentity, has_other_names};

/// Files below one protected folder that a file with several names is compared with.
const MAX_FILES: usize = 2_000;

/// What no agent may change.
///
/// Names are compared without regard to case: on a file system that ignores case another spelling is
/// the same file, and on the others a file that differs in nothing but case is hardly an honest one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Protected {
    /// Files, and folders with everything in them: links followed, as they are on the disk.
    real: Vec<(PathBuf, Protection)>,
    /// The same and how they were given, in lower case.
    names: HashMap<PathBuf, Protection>,
    /// Folders on the way to one of them, below the home folder: who moves one away moves it too.
    on_the_way: HashSet<PathBuf>,
    identities: BTreeMap<FileIdentity, Protection>,
    /// Files and folders in whatever project: the end of their path, in lower case, by its last part.
    in_projects: Ends,
    /// Folders on the way to one of those, likewise.
    on_the_way_in_projects: Ends,
}

impl Protected {
    /// Protects `paths` (absolute; folders with everything in them) and `in_projects` (relative; settings of
    /// agents) in every folder. `home` and what is above it are too wide to be protected for holding one of
    /// them.
    pub(crate) fn new<'a>(
        paths: impl IntoIterator<Item = (&'a Path, Protection)>,
        in_projects: impl IntoIterator<Item = &'a Path>,
        home: Option<&Path>,
    ) -> Self {
        let mut protected = Self::default();
        for (path, protection) in paths {
            let real = soft_canonicalize::soft_canonicalize(path).unwrap_or_else(|_| path.to_owned());
            protected.add_name(path, protection, home);
            protected.add_name(&real, protection, home);
            if let Some(identity) = FileIdentity::of(&real) {
                protected.identities.insert(identity, protection);
            }
            protected.real.push((real, protection));
        }
        for path in in_projects {
            let above = path.ancestors().skip(1).filter(|part| !part.as_os_str().is_empty());
            above.for_each(|above| add_end(&mut protected.on_the_way_in_projects, lower(above)));
            add_end(&mut protected.in_projects, lower(path));
        }
        protected
    }

    /// How the absolute `path` is protected, by its name or by what is found there; the strictest counts. `seen`: what was
    /// found out for this call, by these protections.
    pub(crate) fn of(&self, path: &Path, seen: &mut SeenFolders) -> Option<Protection> {
        let name = lower(path);
        let above = self.above(path, seen);
        // What a skill refers to is text.
        let is_reference = || name.to_str().is_some_and(is_reference_of_skill);
        let is_settings = (above.is_settings || ends_in_one(&name, &self.in_projects)) && !is_reference();
        let is_on_the_way = self.on_the_way.contains(&name) || ends_in_one(&name, &self.on_the_way_in_projects);
        // Moving a folder away that holds a protected file is for a person to decide, whosever file it is.
        let by_place = (is_settings || is_on_the_way).then_some(Protection::Agent);
        let by_name = self.names.get(&name).copied();
        let known = [above.protection, by_name, by_place];
        strictest(known.into_iter().flatten().chain(self.found_at(path, seen)))
    }

    /// What the folders above `path` make of it.
    fn above(&self, path: &Path, seen: &mut SeenFolders) -> ProtectedFolder {
        path.parent().map_or_else(ProtectedFolder::default, |folder| self.folder(folder, seen))
    }

    /// What lies in `folder`. A folder that is mounted elsewhere, too, is the same folder.
    fn folder(&self, folder: &Path, seen: &mut SeenFolders) -> ProtectedFolder {
        if let Some(known) = seen.protected(folder) {
            return known;
        }
        let (above, name) = (self.above(folder, seen), lower(folder));
        let identity = seen.metadata(folder).as_ref().and_then(FileIdentity::from_metadata);
        let by_identity = identity.and_then(|identity| self.identities.get(&identity)).copied();
        let known = [above.protection, self.names.get(&name).copied(), by_identity];
        let found = ProtectedFolder {
            protection: strictest(known.into_iter().flatten()),
            is_settings: above.is_settings || ends_in_one(&name, &self.in_projects),
        };
        seen.remember_protected(folder, found);
        found
    }

    fn add_name(&mut self, name: &Path, protection: Protection, home: Option<&Path>) {
        self.names.insert(lower(name), protection);
        let Some(home) = home else { return };
        let below_home = name.ancestors().skip(1).filter(|above| above.starts_with(home) && *above != home);
        self.on_the_way.extend(below_home.map(lower));
    }

    /// A hard link or a bind mount has another name and is the same file.
    fn found_at(&self, path: &Path, seen: &mut SeenFolders) -> Option<Protection> {
        let metadata = seen.metadata(path);
        let own = metadata.as_ref().and_then(FileIdentity::from_metadata);
        let known = own.and_then(|identity| self.identities.get(&identity)).copied();
        // A second name of a file within a protected folder, or of one made since: look again, which is
        // rare enough to be done then and not for every call.
        let other = own.filter(|_| metadata.as_ref().is_some_and(has_other_names));
        let held = other.into_iter().flat_map(|identity| {
            let holding = move |(real, _): &&(PathBuf, Protection)| holds(real, identity, &mut { MAX_FILES });
            self.real.iter().filter(holding).map(|(_, protection)| *protection)
        });
        strictest(known.into_iter().chain(held))
    }
}

/// Ends of paths by their last part.
type Ends = HashMap<OsString, Vec<PathBuf>>;

fn add_end(ends: &mut Ends, end: PathBuf) {
    let known = ends.entry(end.file_name().map(std::ffi::OsStr::to_owned).unwrap_or_default()).or_default();
    if !known.contains(&end) {
        known.push(end);
    }
}

fn ends_in_one(path: &Path, ends: &Ends) -> bool {
    let ends = path.file_name().and_then(|last| ends.get(last));
    ends.is_some_and(|ends| ends.iter().any(|end| path.ends_with(end)))
}

/// Tokens may not even be read; Handraise's own files not be changed; agents' settings are asked about.
pub(super) fn strictest(protections: impl Iterator<Item = Protection>) -> Option<Protection> {
    protections.max_by_key(|protection| match protection {
        Protection::Credential => 0,
        Protection::Agent => 1,
        Protection::Own => 2,
        Protection::Secret => 3,
        Protection::Decision => 4,
    })
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
    let lower = path.to_string_lossy().to_lowercase();
    Path::new(&lower).components().filter(|component| *component != Component::CurDir).collect()
}
