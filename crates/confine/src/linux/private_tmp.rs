//! A folder for temporary files that belongs to one call and goes with it.

use std::fs::{DirBuilder, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Where it lies. Never where the environment says.
const PLACE: &str = "/tmp";
/// What its name begins with; user, process and start of the process follow.
const NAME: &str = "handraise-confine";

/// The folder, removed when this value goes.
#[derive(Debug)]
pub(super) struct PrivateTmp {
    path: PathBuf,
    owner: u32,
}

impl PrivateTmp {
    /// Makes one, and removes those of this user whose process is gone.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub(super) fn create() -> io::Result<Self> {
        let (user, owner) = (nix::unistd::geteuid().as_raw(), std::process::id());
        let begun = start_of(owner).ok_or_else(|| io::Error::other("/proc is not readable"))?;
        sweep(user);
        let path = Path::new(PLACE).canonicalize()?.join(format!("{NAME}-{user}-{owner}-{begun}"));
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self { path, owner })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateTmp {
    fn drop(&mut self) {
        // A process that was split off has a copy of this value, and no right to it.
        if std::process::id() == self.owner {
            remove(&self.path);
        }
    }
}

/// Removes a folder and all below it, also where a folder in it was closed to its owner.
fn remove(path: &Path) {
    if std::fs::remove_dir_all(path).is_err() {
        open_folders(path);
        // What is left now is swept by a later call.
        let _ = std::fs::remove_dir_all(path);
    }
}

fn open_folders(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700));
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_folders(&entry.path());
        }
    }
}

/// When the process started, in ticks since the machine did: field 22 of `/proc/PID/stat`, proc_pid_stat(5).
pub(super) fn start_of(pid: u32) -> Option<u64> {
    let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything.
    line.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()
}

/// Removes the folders of this user whose supervisor is gone: it was killed before it could.
fn sweep(user: u32) {
    let beginning = format!("{NAME}-{user}-");
    for entry in std::fs::read_dir(PLACE).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(&beginning)) else { continue };
        let Some((pid, begun)) = rest.split_once('-') else { continue };
        let (Ok(pid), Ok(begun)) = (pid.parse(), begun.parse::<u64>()) else { continue };
        let is_own = |found: Metadata| found.is_dir() && found.uid() == user;
        if start_of(pid) != Some(begun) && std::fs::symlink_metadata(entry.path()).is_ok_and(is_own) {
            remove(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_with_its_value_and_leftovers_are_swept() {
        let user = nix::unistd::geteuid();
        let leftover = Path::new(PLACE).join(format!("{NAME}-{user}-{}-1", std::process::id()));
        let foreign = Path::new(PLACE).join(format!("{NAME}-{user}-x"));
        std::fs::create_dir_all(leftover.join("closed/inner")).unwrap();
        std::fs::create_dir_all(&foreign).unwrap();
        let made = PrivateTmp::create().unwrap();
        let path = made.path().to_owned();
        assert!(path.is_dir() && !leftover.exists() && foreign.exists());
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        drop(made);
        assert!(!path.exists());
        std::fs::remove_dir(foreign).unwrap();
    }
}
