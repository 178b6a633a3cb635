//! What one call leads to, each place looked at once: most of what a call names lies in the same few folders, and most
//! words of a text name nothing at all.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};

use handraise_policy::path::Protection;

use crate::file_identity::FileIdentity;

/// Names in a folder that are looked at one by one. Before more are, the folder is listed.
const MAX_SINGLE_LOOKS: usize = 8;
/// Most names in a folder that is listed: looking at the names one by one costs less than a longer list.
const MAX_LISTED: usize = 512;

/// Paths as they are written: comparing them by components, as [`Path`] does, costs more than to look again at one that is
/// written in two ways.
type ByPath<Value> = HashMap<OsString, Value>;

/// What was found out about places, for one call. Good for that call only: they change.
#[derive(Debug, Default)]
pub(crate) struct SeenFolders {
    real: ByPath<Option<PathBuf>>,
    places: ByPath<AtPath>,
    folders: ByPath<Folder>,
    /// How folders are protected; one call asks one [`super::Protected`].
    protected: ByPath<ProtectedFolder>,
    /// Times that the file system was asked.
    looks: usize,
}

/// What is at a place, links not followed.
#[derive(Clone, Debug)]
pub(super) enum AtPath {
    /// Nothing.
    Absent,
    /// This.
    Found(Metadata),
    /// Nobody can say.
    Unseen,
}

impl AtPath {
    /// It is an ordinary file or a folder of this user.
    pub(super) fn is_of_this_user(&self) -> bool {
        matches!(self, Self::Found(metadata) if FileIdentity::of_this_user(metadata).is_some())
    }
}

/// What holds for everything in a folder.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProtectedFolder {
    /// By the name of the folder or of one above it, or by what is found there.
    pub(super) protection: Option<Protection>,
    /// It holds settings of agents, or lies below a folder that does.
    pub(super) is_settings: bool,
}

/// How a folder was looked into.
#[derive(Debug, Default)]
struct Folder {
    single_looks: usize,
    /// The names in it, in small letters; `None` inside: it cannot be listed, or holds too many.
    listed: Option<Option<HashSet<String>>>,
}

impl SeenFolders {
    /// Where the absolute `path` leads, links followed, whether there is anything or not. `None` when nobody can say,
    /// as where links lead in circles.
    pub(super) fn real(&mut self, path: &Path) -> Option<PathBuf> {
        if let Some(known) = self.real.get(path.as_os_str()) {
            return known.clone();
        }
        let found = self.real_unseen(path);
        self.real.insert(path.as_os_str().to_owned(), found.clone());
        found
    }

    fn real_unseen(&mut self, path: &Path) -> Option<PathBuf> {
        let Some((folder, name)) = apart(path) else { return self.whole(path) };
        let found = self.real(folder)?.join(name);
        match self.place(&found) {
            AtPath::Found(metadata) if !metadata.is_symlink() => Some(found),
            AtPath::Absent => Some(found),
            AtPath::Found(_) | AtPath::Unseen => self.whole(path),
        }
    }

    fn whole(&mut self, path: &Path) -> Option<PathBuf> {
        self.looks += 1;
        whole(path)
    }

    /// What is at the absolute `path`, links not followed.
    pub(super) fn place(&mut self, path: &Path) -> AtPath {
        if let Some(known) = self.places.get(path.as_os_str()) {
            return known.clone();
        }
        let found = if self.is_surely_absent(path) { AtPath::Absent } else { self.look(path) };
        self.places.insert(path.as_os_str().to_owned(), found.clone());
        found
    }

    /// Whether nothing is at the absolute `path`, not even a link that leads nowhere. What is asked for file by file in one
    /// folder after the other costs little so: a folder that is not there holds none of them.
    pub(super) fn is_absent(&mut self, path: &Path) -> bool {
        if let Some(above) = path.parent()
            && !self.places.contains_key(path.as_os_str())
            && self.is_absent(above)
        {
            return true;
        }
        matches!(self.place(path), AtPath::Absent)
    }

    /// Where nothing is at the absolute `path`, the first of its folders that is not there either, or itself.
    pub(super) fn missing_from(&mut self, path: &Path) -> Option<PathBuf> {
        let mut missing = None;
        for place in path.ancestors() {
            match self.place(place) {
                AtPath::Absent => missing = Some(place),
                AtPath::Found(_) => break,
                AtPath::Unseen => return None,
            }
        }
        missing.map(Path::to_owned)
    }

    fn look(&mut self, path: &Path) -> AtPath {
        self.looks += 1;
        match path.symlink_metadata() {
            Ok(metadata) => AtPath::Found(metadata),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => AtPath::Absent,
            Err(_) => AtPath::Unseen,
        }
    }

    /// Whether what was looked at before tells that nothing is at `path`: there is no such folder, or its list does not
    /// have the name.
    fn is_surely_absent(&mut self, path: &Path) -> bool {
        let Some((above, name)) = apart(path) else { return false };
        match self.places.get(above.as_os_str()) {
            Some(AtPath::Absent) => return true,
            Some(AtPath::Found(metadata)) if metadata.is_dir() => {}
            Some(_) | None => return false,
        }
        let Some(name) = listed_name(name) else { return false };
        let folder = self.folders.entry(above.as_os_str().to_owned()).or_default();
        if folder.single_looks < MAX_SINGLE_LOOKS {
            folder.single_looks += 1;
            return false;
        }
        let looks = &mut self.looks;
        let listed = folder.listed.get_or_insert_with(|| {
            *looks += 1;
            list(above)
        });
        listed.as_ref().is_some_and(|listed| !listed.contains(&name) && !listed.contains(name.trim_end_matches('.')))
    }

    /// What the absolute `path` leads to, links followed.
    pub(super) fn metadata(&mut self, path: &Path) -> Option<Metadata> {
        match self.place(path) {
            AtPath::Found(metadata) if !metadata.is_symlink() => Some(metadata),
            AtPath::Absent => None,
            AtPath::Found(_) | AtPath::Unseen => {
                self.looks += 1;
                path.metadata().ok()
            }
        }
    }

    /// What was found out about how `folder` is protected.
    pub(super) fn protected(&self, folder: &Path) -> Option<ProtectedFolder> {
        self.protected.get(folder.as_os_str()).copied()
    }

    /// Remembers how `folder` is protected.
    pub(super) fn remember_protected(&mut self, folder: &Path, found: ProtectedFolder) {
        self.protected.insert(folder.as_os_str().to_owned(), found);
    }
}

/// `name` as a list of names would have it, in small letters, where a name that is not in the list is surely not there: some
/// file systems find one by other letters, by a short form (`PROGRA~1`) or without the dots at its end, and some do not
/// list the folder of their snapshots (`.zfs`, `.snapshot`).
fn listed_name(name: &OsStr) -> Option<String> {
    let is_hidden = |name: &str| name.starts_with(".zfs") || name.starts_with(".snap");
    let name = name.to_str().filter(|name| name.len() < 100 && !is_hidden(name))?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b',');
    name.bytes().all(is_plain).then(|| name.to_ascii_lowercase())
}

/// The names in `folder`; `None`: it cannot be listed, or holds too many.
fn list(folder: &Path) -> Option<HashSet<String>> {
    let mut names = HashSet::new();
    for entry in folder.read_dir().ok()? {
        if names.len() >= MAX_LISTED {
            return None;
        }
        names.insert(entry.ok()?.file_name().to_string_lossy().to_lowercase());
    }
    Some(names)
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
    use proptest::test_runner::TestRunner;

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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_long_text_asks_the_file_system_a_few_times() {
        let (_root, root) = tree();
        let mut seen = SeenFolders::default();
        let depth = root.components().count();
        for number in 0..2_000 {
            // Words that name nothing, files in folders that are not there, and what is there.
            for name in [format!("word{number}"), format!("either{}/or{number}", number % 5), "a/f".to_owned()] {
                let path = root.join(name);
                assert_eq!(seen.real(&path).as_deref(), Some(path.as_path()));
                for above in path.ancestors() {
                    seen.metadata(above);
                }
            }
        }
        assert!(seen.looks < depth + MAX_SINGLE_LOOKS + 20, "{}", seen.looks);
        assert_eq!(seen.real(&root.join("L")), Some(root.join("L")));
        assert_eq!(seen.real(&root.join("l/f")), Some(root.join("a/f")));
    }

    #[test]
    fn a_path_leads_where_the_library_says_whatever_was_seen_before() {
        let (_root, root) = tree();
        let path = r"(a|b|f|l|up|gone|loop|x|w[0-9]|\.\.|\.)(/(a|b|f|l|up|gone|loop|x|L|w[0-9]|\.\.|\.|)){0,4}";
        // More than are looked at one by one.
        let paths = prop::collection::vec(path, 1..40);
        let lead_there = |paths: Vec<String>| {
            let mut seen = SeenFolders::default();
            for path in paths.iter().map(|path| root.join(path)) {
                prop_assert_eq!(seen.real(&path), whole(&path), "{}", path.display());
            }
            Ok(())
        };
        TestRunner::default().run(&paths, lead_there).unwrap();
    }
}
