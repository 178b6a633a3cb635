//! A folder for temporary files that belongs to one call and goes with it. It lies in a folder of this user, so that
//! nobody has to look through all of `/tmp`, which anybody can fill.

use std::ffi::OsStr;
use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::no_links::remove_folder;

/// Where it lies. Never where the environment says.
const PLACE: &str = "/tmp";
/// What the name of the user's folder begins with; the user's number follows.
const USERS: &str = "handraise-confine";
/// What its own name begins with; process and start of the process follow.
const NAME: &str = "tmp";

/// The name of the folder itself, in one that can be closed.
const FOLDER: &str = "t";

/// The folder, removed when this value goes.
#[derive(Debug)]
pub(super) struct PrivateTmp {
    path: PathBuf,
    around: PathBuf,
    owner: u32,
}

impl PrivateTmp {
    /// Makes one, and removes those of this user whose process is gone.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub(super) fn create() -> io::Result<Self> {
        let owner = std::process::id();
        let begun = start_of(owner).ok_or_else(|| io::Error::other("/proc is not readable"))?;
        let place = users_folder()?;
        sweep(&place);
        let around = place.join(format!("{NAME}-{owner}-{begun}"));
        let path = around.join(FOLDER);
        DirBuilder::new().mode(0o700).create(&around)?;
        let made = Self { path, around, owner };
        DirBuilder::new().mode(0o700).create(&made.path)?;
        Ok(made)
    }

    /// Leaves no way to it but for those who have one. Else a link in the project could lead others to what a command has
    /// in there.
    ///
    /// # Errors
    /// When it stays open.
    pub(super) fn close(&self) -> io::Result<()> {
        std::fs::set_permissions(&self.around, Permissions::from_mode(0o000))
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
            let _ = std::fs::set_permissions(&self.around, Permissions::from_mode(0o700));
            // What is left is swept by a later call.
            let _ = remove_folder(&self.around);
        }
    }
}

/// The folder of this user, by its real path. It is made where it is missing, and stays.
///
/// # Errors
/// When it cannot be made, or what is there is somebody else's or open to others.
pub(super) fn users_folder() -> io::Result<PathBuf> {
    let user = nix::unistd::geteuid().as_raw();
    let path = Path::new(PLACE).canonicalize()?.join(format!("{USERS}-{user}"));
    match DirBuilder::new().mode(0o700).create(&path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let found = std::fs::symlink_metadata(&path)?;
    if !found.is_dir() || found.uid() != user || found.mode() & 0o077 != 0 {
        return Err(io::Error::other(format!("{} belongs to somebody else, or is open to others", path.display())));
    }
    Ok(path)
}

/// When the process started, in ticks since the machine did: field 22 of `/proc/PID/stat`, proc_pid_stat(5).
pub(super) fn start_of(pid: u32) -> Option<u64> {
    let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything.
    line.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()
}

/// The process whose entry of the user's folder has this name after `kind`, and when that process started.
pub(super) fn owner_of(name: &OsStr, kind: &str) -> Option<(u32, u64)> {
    let (pid, begun) = name.to_str()?.strip_prefix(kind)?.strip_prefix('-')?.split_once('-')?;
    Some((pid.parse().ok()?, begun.parse().ok()?))
}

/// Removes the folders whose supervisor is gone: it was killed before it could.
fn sweep(place: &Path) {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let Some((pid, begun)) = owner_of(&entry.file_name(), NAME) else { continue };
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if start_of(pid) != Some(begun) && is_folder {
            let _ = remove_folder(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_with_its_value_and_leftovers_are_swept() {
        let place = users_folder().unwrap();
        assert_eq!(std::fs::metadata(&place).unwrap().mode() & 0o777, 0o700);
        let leftover = place.join(format!("{NAME}-{}-1", std::process::id()));
        let foreign = place.join(format!("{NAME}-x-{}", std::process::id()));
        std::fs::create_dir_all(leftover.join("closed/inner")).unwrap();
        std::fs::create_dir_all(&foreign).unwrap();
        let made = PrivateTmp::create().unwrap();
        let path = made.path().to_owned();
        assert!(path.is_dir() && !leftover.exists() && foreign.exists());
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        made.close().unwrap();
        drop(made);
        assert!(!path.parent().unwrap().exists());
        std::fs::remove_dir(foreign).unwrap();
    }
}
