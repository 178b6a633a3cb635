//! What the walls come to on this machine: real paths, found once, before anything starts.

use std::io;
use std::path::{Path, PathBuf};

use super::landlock_rules::Grants;
use super::private_tmp::PrivateTmp;
use crate::narrow::check_narrow;
use crate::{CACHES, Call, ConfineError, Walls, places, protected, search};

/// The walls as they are put up.
pub(super) struct Plan {
    /// The project's folders.
    pub(super) projects: Vec<PathBuf>,
    /// What may be written: the project's folders, further places, caches.
    pub(super) writable: Vec<PathBuf>,
    /// What may be read beside that.
    pub(super) readable: Vec<PathBuf>,
    /// Files and folders in what is writable that are covered. Only namespaces can.
    pub(super) hidden: Vec<PathBuf>,
    /// What has to be after the call as it was before.
    pub(super) kept: Vec<PathBuf>,
    /// The folder for temporary files, of this call alone.
    pub(super) tmp: PrivateTmp,
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
        let denied = denied(walls, &guarded);
        let projects = real(&walls.project)?;
        let mut writable = projects.clone();
        writable.extend(real(&walls.write)?);
        for project in &writable {
            check_narrow(project, &guarded, &denied)?;
        }
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
        Ok(Self {
            kept: protected::places(&projects, &start, &homes, &walls.keep),
            readable: readable(walls, &homes, &denied),
            tmp: PrivateTmp::create().map_err(|error| ConfineError::setup("private temporary folder", error))?,
            projects,
            writable,
            hidden,
            needs_namespaces,
        })
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
        }
        Grants { read: self.readable.clone(), list: vec!["/".into()], write, devices }
    }
}

/// What is not to be read: credentials, and what the walls add; each also by its real path. What is not there is left out:
/// most are not, and a real path takes a look at every folder on the way.
fn denied(walls: &Walls, homes: &[PathBuf]) -> Vec<PathBuf> {
    let mut denied = places::secrets(homes);
    denied.extend(walls.read_deny.iter().cloned());
    denied.retain(|path| is_perhaps_there(path));
    let real: Vec<PathBuf> = denied.iter().filter_map(|path| path.canonicalize().ok()).collect();
    denied.extend(real);
    denied.sort();
    denied.dedup();
    denied
}

fn real(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ConfineError> {
    let real =
        |path: &PathBuf| path.canonicalize().map_err(|source| ConfineError::Missing { path: path.clone(), source });
    paths.iter().map(real).collect()
}

/// Those places of the named caches that are there.
fn caches(walls: &Walls, homes: &[PathBuf]) -> Vec<PathBuf> {
    let named = CACHES.iter().filter(|cache| walls.caches.iter().any(|name| name == cache.name));
    let places: Vec<&str> = named.flat_map(|cache| cache.places).copied().collect();
    homes.iter().flat_map(|home| places.iter().filter_map(|place| home.join(place).canonicalize().ok())).collect()
}

fn readable(walls: &Walls, homes: &[PathBuf], denied: &[PathBuf]) -> Vec<PathBuf> {
    let wanted = places::SYSTEM.iter().map(PathBuf::from).chain(places::tools(homes)).chain(walls.read.iter().cloned());
    let refused: Vec<&PathBuf> = denied.iter().filter(|path| could_be_read(path)).collect();
    let mut found = Vec::new();
    for path in wanted.filter_map(|path| path.canonicalize().ok()) {
        all_but(&path, &refused, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

fn is_perhaps_there(path: &Path) -> bool {
    let absent = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
    std::fs::symlink_metadata(path).map_or_else(|error| !absent.contains(&error.kind()), |_| true)
}

/// Whether this user could read it at all. What is not there, or belongs to the administrator alone, needs no wall.
fn could_be_read(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
        Ok(_) => nix::unistd::access(path, nix::unistd::AccessFlags::R_OK).is_ok(),
    }
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
