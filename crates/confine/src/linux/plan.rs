//! What the walls come to on this machine: real paths, found once, before anything starts.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::baseline::Wanted;
use super::landlock_rules::Grants;
use super::made::{Made, SHARED};
use super::private_tmp::PrivateTmp;
use super::view::{Named, View};
use crate::narrow::check_narrow;
use crate::{CACHES, Call, ConfineError, Walls, git_settings, places, search};

/// The walls as they are put up.
pub(super) struct Plan {
    /// The folders of which hooks and settings have to stay: all that may be written but for caches.
    pub(super) guarded: Vec<PathBuf>,
    /// What may be written: the project's folders, further places, caches.
    pub(super) writable: Vec<PathBuf>,
    /// What may be read beside that.
    pub(super) readable: Vec<PathBuf>,
    /// Files and folders in what is writable that are covered. Only namespaces can.
    pub(super) hidden: Vec<PathBuf>,
    /// Where the command is started.
    start: PathBuf,
    /// What has to be after the call as it was before, beside hooks and settings: relative to each project.
    keep: Vec<PathBuf>,
    /// What is not to be read, wherever it lies.
    pub(super) secrets: Vec<PathBuf>,
    /// What else there is in a root of the call's own. Only namespaces can.
    pub(super) view: View,
    /// The folder for temporary files, of this call alone.
    pub(super) tmp: PrivateTmp,
    /// What it may make among those of everybody.
    pub(super) made: Made,
    /// The folders of its session among those of everybody.
    session: Vec<PathBuf>,
    /// The user's home folders.
    homes: Vec<PathBuf>,
    /// Why only namespaces can hold these walls; none when they are not needed.
    pub(super) needs_namespaces: Option<String>,
}

impl Plan {
    /// Looks at the disk, and decides.
    ///
    /// # Errors
    /// When a folder is missing, too wide, or the project too large to be looked through.
    pub(super) fn of(call: &Call) -> Result<Self, ConfineError> {
        let walls = &call.walls;
        walls.check()?;
        let homes: Vec<PathBuf> = handraise_locations::home()
            .ok()
            .into_iter()
            .chain(call.also_home.clone())
            .map(|home| home.canonicalize().unwrap_or(home))
            .collect();
        // What the environment calls home opens nothing, and is guarded as one.
        let mut guarded = homes.clone();
        let named = std::env::var_os("HOME").and_then(|home| PathBuf::from(home).canonicalize().ok());
        guarded.extend(named.filter(|home| !homes.contains(home)));
        let entries = HomeEntries::of(&guarded);
        let denied = denied(walls, &entries);
        let projects = unmoved(&walls.project, |_| call.is_looked_at)?;
        let mut writable = projects.clone();
        // A person's own settings may name a link.
        writable.extend(unmoved(&walls.write, |path| call.is_looked_at && path.starts_with(SHARED))?);
        for project in &writable {
            check_narrow(project, &guarded, &denied)?;
        }
        let is_of_session = |path: &&PathBuf| path.starts_with(SHARED) && !projects.contains(path) && path.is_dir();
        let session: Vec<PathBuf> = writable.iter().filter(is_of_session).cloned().collect();
        let kept_in: Vec<PathBuf> = writable.iter().filter(|place| place.is_dir()).cloned().collect();
        writable.extend(caches(walls, &homes));
        let start = std::env::current_dir()
            .and_then(|folder| folder.canonicalize())
            .map_err(|source| ConfineError::Missing { path: ".".into(), source })?;
        let mut hidden = search::hidden_files(walls, &projects)?;
        hidden.extend(
            walls
                .read_deny
                .iter()
                .filter_map(|path| path.canonicalize().ok())
                .filter(|path| writable.iter().any(|place| path.starts_with(place))),
        );
        hidden.sort();
        hidden.dedup();
        let needs_namespaces = needs_namespaces(walls, &hidden);
        let read = read(call, &projects, &entries, &homes);
        let named = walls.project.iter().chain(&walls.write).cloned();
        let named = named.chain(handraise_locations::home().ok()).chain(call.also_home.clone()).chain(["/tmp".into()]);
        let tmp = PrivateTmp::create().map_err(|error| ConfineError::setup("private temporary folder", error))?;
        let made = Made::of(walls, &tmp).map_err(|error| ConfineError::setup("temporary files", error))?;
        Ok(Self {
            start,
            keep: walls.keep.iter().map(PathBuf::from).collect(),
            view: View::of(&read, &denied, &writable, named, &guarded),
            readable: readable(&read, &denied),
            secrets: denied,
            tmp,
            made,
            guarded: kept_in,
            session,
            homes,
            writable,
            hidden,
            needs_namespaces,
        })
    }

    /// What of it has to be copied before the call.
    pub(super) fn wanted(&self) -> Wanted<'_> {
        let Self { guarded, session, start, keep, homes, .. } = self;
        Wanted { projects: guarded, session, start, keep, homes }
    }

    /// What Landlock grants. With namespaces, `/tmp` and `/dev/shm` are the call's own.
    pub(super) fn grants(&self, namespaces: bool) -> Grants {
        let own: &[&str] = &["/tmp", "/dev/shm"];
        let mut write = self.writable.clone();
        let mut devices: Vec<PathBuf> = places::DEVICES.iter().map(PathBuf::from).collect();
        if namespaces {
            devices.extend(places::OWN_TERMINALS.iter().map(PathBuf::from));
            write.extend(own.iter().map(PathBuf::from));
        } else {
            write.push(self.tmp.path().to_owned());
            write.extend(self.made.files());
        }
        Grants { read: self.readable.clone(), list: vec!["/".into()], write, devices }
    }
}

/// The names in home folders; `None`: not known. Of the hundreds of places that are known there, most homes have a few, and
/// a look at each would be half of what it costs to put walls up.
struct HomeEntries(Vec<(PathBuf, Option<HashSet<OsString>>)>);

impl HomeEntries {
    /// Lists the homes. One that cannot be listed, or is larger than it is worth, may hold anything.
    fn of(homes: &[PathBuf]) -> Self {
        const MAX_ENTRIES: usize = 2000;
        let list = |home: &PathBuf| -> io::Result<HashSet<OsString>> {
            let entries = match std::fs::read_dir(home) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashSet::new()),
                entries => entries?,
            };
            let names: HashSet<OsString> =
                entries.take(MAX_ENTRIES).map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
            if names.len() == MAX_ENTRIES { Err(io::Error::other("too many")) } else { Ok(names) }
        };
        Self(homes.iter().map(|home| (home.clone(), list(home).ok())).collect())
    }

    /// Of `places` in a home folder, those in `home` that may be there.
    fn in_home(&self, home: &Path, places: impl Iterator<Item = &'static str>) -> impl Iterator<Item = PathBuf> {
        let names = self.0.iter().find(|(known, _)| known == home).and_then(|(_, names)| names.as_ref());
        let first = |place: &'static str| OsStr::new(place.split('/').next().unwrap_or(place));
        let may_be_there = move |place: &&'static str| names.is_none_or(|names| names.contains(first(place)));
        places.filter(may_be_there).map(|place| home.join(place))
    }

    /// The same for every home folder.
    fn in_homes(&self, places: &'static [&'static str]) -> impl Iterator<Item = PathBuf> {
        self.0.iter().flat_map(|(home, _)| self.in_home(home, places.iter().copied()))
    }
}

/// What is not to be read: credentials, and what the walls add; each also by its real path. What is not there is left out:
/// most are not, and a real path takes a look at every folder on the way.
fn denied(walls: &Walls, entries: &HomeEntries) -> Vec<PathBuf> {
    let system = places::SYSTEM_SECRETS.iter().map(PathBuf::from);
    let all = entries.in_homes(places::SECRETS).chain(system).chain(walls.read_deny.iter().cloned());
    let mut denied: Vec<PathBuf> = all.filter(|path| is_perhaps_there(path)).collect();
    let real: Vec<PathBuf> = denied.iter().filter_map(|path| path.canonicalize().ok()).collect();
    denied.extend(real);
    denied.sort();
    denied.dedup();
    denied
}

/// The real paths of `paths`. What `is_real` of them says is one already, so that nobody who was at work in between has put
/// a link there: from here on they are opened through none.
///
/// # Errors
/// When one is not there, or leads elsewhere.
fn unmoved(paths: &[PathBuf], is_real: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, ConfineError> {
    let real = |path: &PathBuf| {
        let found = path.canonicalize().map_err(|source| ConfineError::Missing { path: path.clone(), source })?;
        if is_real(path) && found != *path {
            return Err(ConfineError::LeadsElsewhere { path: path.clone(), to: found });
        }
        Ok(found)
    };
    paths.iter().map(real).collect()
}

/// Those places of the named caches that are there.
fn caches(walls: &Walls, homes: &[PathBuf]) -> Vec<PathBuf> {
    let named = CACHES.iter().filter(|cache| walls.caches.iter().any(|name| name == cache.name));
    let places: Vec<&str> = named.flat_map(|cache| cache.places).copied().collect();
    homes.iter().flat_map(|home| places.iter().filter_map(|place| home.join(place).canonicalize().ok())).collect()
}

/// What may be read, but for what is denied: those places that are there.
fn read(call: &Call, projects: &[PathBuf], entries: &HomeEntries, homes: &[PathBuf]) -> Vec<Named> {
    let walls = &call.walls;
    let tools = homes.iter().flat_map(|home| entries.in_home(home, places::tools()));
    let wanted = places::SYSTEM.iter().map(PathBuf::from).chain(tools).chain(walls.read.iter().cloned());
    let wanted = wanted.chain(projects.iter().filter_map(|project| git_settings::elsewhere(project)));
    // What somebody else waits for in a pipe or socket is not to be taken from there.
    let is_plain = |place: &Named| {
        let is_named = walls.read.contains(&place.name);
        !is_named || place.real.is_file() || place.real.is_dir()
    };
    let found = wanted.filter_map(|name| Some(Named { real: name.canonicalize().ok()?, name }));
    let is_unmoved = |place: &Named| {
        let is_looked_at = call.is_looked_at && place.name.starts_with(SHARED) && walls.read.contains(&place.name);
        !is_looked_at || place.real == place.name
    };
    found.filter(|place| is_plain(place) && is_unmoved(place)).collect()
}

fn readable(read: &[Named], denied: &[PathBuf]) -> Vec<PathBuf> {
    let refused: Vec<&PathBuf> = denied.iter().filter(|path| could_be_read(path)).collect();
    let mut found = Vec::new();
    for place in read {
        all_but(&place.real, &refused, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

fn is_perhaps_there(path: &Path) -> bool {
    let absent = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
    std::fs::symlink_metadata(path).map_or_else(|error| !absent.contains(&error.kind()), |_| true)
}

/// Whether this user could read it at all. What is not there, or belongs to the administrator alone, needs no wall. Of a
/// folder that everybody may list (`/etc/sudoers.d`) it is what is in it that counts: beside what has to be left out, all
/// else is granted one by one, hundreds of rules in `/etc`.
fn could_be_read(path: &Path) -> bool {
    /// A folder with more in it is not looked through.
    const MAX_ENTRIES: usize = 200;
    let mut waiting = vec![path.to_owned()];
    let mut seen = 0;
    while let Some(path) = waiting.pop() {
        seen += 1;
        let kind = match std::fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return true,
            Err(_) => continue,
            Ok(found) => found.file_type(),
        };
        if nix::unistd::access(&path, nix::unistd::AccessFlags::R_OK).is_err() {
            // Closed for listing, what is in a folder can still be read by its name.
            if kind.is_dir() && nix::unistd::access(&path, nix::unistd::AccessFlags::X_OK).is_ok() {
                return true;
            }
            continue;
        }
        match kind.is_dir().then(|| std::fs::read_dir(&path)) {
            Some(Ok(entries)) if seen < MAX_ENTRIES => {
                waiting.extend(entries.take(MAX_ENTRIES).flatten().map(|entry| entry.path()));
            }
            _ => return true,
        }
    }
    false
}

/// Adds `path` to `found`, or, where something below it must not be read, everything else below it one by one.
fn all_but(path: &Path, refused: &[&PathBuf], found: &mut Vec<PathBuf>) {
    if refused.iter().any(|secret| path.starts_with(secret)) {
        return;
    }
    if !refused.iter().any(|secret| secret.starts_with(path)) {
        found.push(path.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    for entry in entries.flatten() {
        // A rule for a link is one for where it leads, which has to be granted by itself.
        if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
            all_but(&entry.path(), refused, found);
        }
    }
}

fn needs_namespaces(walls: &Walls, hidden: &[PathBuf]) -> Option<String> {
    match (hidden, walls.limits.processes) {
        ([], None) => None,
        ([], Some(_)) => Some("a limit for processes needs namespaces".to_owned()),
        ([first, ..], _) => Some(format!("{} can be hidden only with namespaces", first.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_elsewhere_since_it_was_looked_at_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("other/deep")).unwrap();
        std::os::unix::fs::symlink(root.join("other"), root.join("own")).unwrap();
        for moved in ["own", "own/deep"] {
            let paths = [root.join(moved)];
            let refused = unmoved(&paths, |_| true).unwrap_err();
            assert_eq!(refused.code(), "leads_elsewhere", "{moved}");
            assert!(unmoved(&paths, |_| false).unwrap()[0].starts_with(root.join("other")), "{moved}");
        }
        assert_eq!(unmoved(&[root.join("other")], |_| true).unwrap(), [root.join("other")]);
    }

    #[test]
    fn what_a_home_has_no_name_for_is_not_looked_for() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join(".ssh")).unwrap();
        let closed = tempfile::tempdir().unwrap().path().join("not there");
        let file = home.path().join("file");
        std::fs::write(&file, "x").unwrap();
        let homes = [home.path().to_owned(), closed, file.clone()];
        let found: Vec<PathBuf> = HomeEntries::of(&homes).in_homes(&[".ssh", ".ssh/id_ed25519", ".aws/x"]).collect();
        // What cannot be listed may hold anything.
        let there = [(home.path(), ".ssh"), (home.path(), ".ssh/id_ed25519")];
        let perhaps = [(file.as_path(), ".ssh"), (&file, ".ssh/id_ed25519"), (&file, ".aws/x")];
        assert_eq!(found, there.into_iter().chain(perhaps).map(|(home, place)| home.join(place)).collect::<Vec<_>>());
    }

    #[test]
    fn a_folder_that_all_may_list_is_as_secret_as_what_is_in_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("sudoers.d");
        std::fs::create_dir(&place).unwrap();
        assert!(!could_be_read(&place));
        std::fs::write(place.join("rules"), "x").unwrap();
        std::fs::set_permissions(place.join("rules"), std::fs::Permissions::from_mode(0o000)).unwrap();
        // Root may read all.
        assert_eq!(could_be_read(&place), nix::unistd::geteuid().is_root());
        std::fs::create_dir(place.join("deep")).unwrap();
        std::fs::write(place.join("deep/open"), "x").unwrap();
        assert!(could_be_read(&place));
    }

    #[test]
    fn what_lies_beside_a_secret_is_granted_one_by_one() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        for file in ["a/secret", "a/open", "a/b/other"] {
            std::fs::write(root.join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(root.join("a/secret"), root.join("a/link")).unwrap();
        let mut found = Vec::new();
        all_but(&root, &[&root.join("a/secret")], &mut found);
        found.sort();
        assert_eq!(found, [root.join("a/b"), root.join("a/open")]);
    }
}
