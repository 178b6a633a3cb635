//! What the call sees of the machine where it has a root of its own: decided before anything starts, put up by `root.rs`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// A place by its name, and where that leads.
pub(super) struct Named {
    pub(super) name: PathBuf,
    pub(super) real: PathBuf,
}

/// What there is beside what may be written, and beside `/proc`, `/sys`, `/dev` and `/tmp`.
pub(super) struct View {
    /// Files and folders that may be read. None lies in another, or in what may be written.
    pub(super) shown: Vec<PathBuf>,
    /// What lies in these and is not to be read.
    pub(super) covered: Vec<PathBuf>,
    /// Links on the ways to all that, and what they say.
    pub(super) links: BTreeMap<PathBuf, PathBuf>,
    /// Home folders: they are there, with nothing in them but what is shown there.
    pub(super) homes: Vec<PathBuf>,
}

/// Made anew, and not shown as they are.
const MADE: &[&str] = &["/proc", "/sys"];

impl View {
    /// `read` is what may be read, but for `denied`; `named` are other ways that the call may go by.
    pub(super) fn of(
        read: &[Named],
        denied: &[PathBuf],
        writable: &[PathBuf],
        named: impl IntoIterator<Item = PathBuf>,
        homes: &[PathBuf],
    ) -> Self {
        let lies_in = |path: &Path, places: &[PathBuf]| places.iter().any(|place| path.starts_with(place));
        let is_made = |path: &Path| MADE.iter().any(|made| path.starts_with(made));
        let mut shown: Vec<PathBuf> = Vec::new();
        let mut all: Vec<&PathBuf> = read.iter().map(|place| &place.real).collect();
        all.sort();
        for place in all {
            if !is_made(place) && ![&*shown, denied, writable].iter().any(|places| lies_in(place, places)) {
                shown.push(place.clone());
            }
        }
        let is_covered = |path: &&PathBuf| {
            let is_real = std::fs::symlink_metadata(path).is_ok_and(|found| !found.is_symlink());
            lies_in(path, &shown) && !lies_in(path, writable) && is_real
        };
        let covered = denied.iter().filter(is_covered).cloned().collect();
        let mut links = BTreeMap::new();
        for place in read.iter().filter(|place| place.name != place.real) {
            links_on(&place.name, &mut links);
        }
        for name in named {
            links_on(&name, &mut links);
        }
        let homes: Vec<PathBuf> = homes.iter().filter(|home| home.is_dir()).cloned().collect();
        Self { shown, covered, links, homes }
    }
}

/// Adds the links that a path leads by.
fn links_on(path: &Path, found: &mut BTreeMap<PathBuf, PathBuf>) {
    /// As the kernel has it: path_resolution(7).
    const MAX_LINKS: usize = 40;
    let parts =
        |path: &Path| -> Vec<OsString> { path.components().rev().map(|part| part.as_os_str().to_owned()).collect() };
    let mut left = parts(path);
    let mut here = PathBuf::from("/");
    let mut links = 0;
    while let Some(part) = left.pop() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => {
                here.pop();
            }
            Some(Component::Normal(name)) => match std::fs::read_link(here.join(name)) {
                Ok(target) if links < MAX_LINKS => {
                    links += 1;
                    left.extend(parts(&target));
                    found.insert(here.join(name), target);
                }
                Ok(_) => return,
                Err(_) => here.push(name),
            },
            Some(Component::RootDir) => here = PathBuf::from("/"),
            Some(Component::CurDir | Component::Prefix(_)) | None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_links_of_a_way_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("data/ana")).unwrap();
        std::fs::write(root.join("data/ana/settings"), "x").unwrap();
        symlink("data", root.join("home")).unwrap();
        symlink("../ana/./settings", root.join("data/ana/.settings")).unwrap();
        symlink(root.join("home/ana/.settings"), root.join("short")).unwrap();
        symlink("round", root.join("round")).unwrap();
        let mut links = BTreeMap::new();
        links_on(&root.join("short"), &mut links);
        links_on(&root.join("round"), &mut links);
        let own: Vec<PathBuf> = links.into_keys().filter(|link| link.starts_with(&root)).collect();
        assert_eq!(own, ["data/ana/.settings", "home", "round", "short"].map(|link| root.join(link)));
    }

    #[test]
    fn what_lies_in_something_else_is_not_shown_twice_and_secrets_are_covered() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for place in ["tools/bin", "tools/keys", "project/data", "keys"] {
            std::fs::create_dir_all(root.join(place)).unwrap();
        }
        let read = ["tools/bin", "tools", "project/data", "keys"].map(|place| root.join(place));
        let read = read.map(|real| Named { name: real.clone(), real });
        let denied = ["tools/keys", "tools/absent", "keys"].map(|place| root.join(place));
        let view = View::of(&read, &denied, &[root.join("project")], [], &[]);
        assert_eq!((view.shown, view.covered), (vec![root.join("tools")], vec![root.join("tools/keys")]));
    }
}
