//! A folder for temporary files that belongs to one call and goes with it. It lies in a folder of this user, so that
//! nobody has to look through all of `/tmp`, which anybody can fill.

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nix::fcntl::{Flock, FlockArg};

use super::no_links::remove_folder;

/// Where it lies. Never where the environment says.
const PLACE: &str = "/tmp";
/// What the name of the user's folder begins with; the user's number follows.
const USERS: &str = "handraise-confine";
/// What its own name begins with; process and start of the process follow.
const NAME: &str = "tmp";
/// What the name of the file begins with that is locked as long as the call is not over. `/proc` tells nobody of a process that
/// is hidden (`hidepid`), or lives in another namespace with the same `/tmp`.
const ALIVE: &str = "alive";
/// What the names of the notes begin with; process and start of the process follow. They lie in the user's folder.
pub(super) const NOTE: &str = "kept";
/// What the names of notes begin with that stay, because not everything could be put back.
const LEFT: &str = "not-put-back";
/// The name of the lock of those who start.
const LOCK: &str = "lock";
/// The name of the lock of those who put back.
const END: &str = "end";
/// How long they wait for each other. Beyond that one of them waits for a dead disk.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// The name of the folder itself, in one that can be closed.
const FOLDER: &str = "t";

/// The folder, removed when this value goes.
#[derive(Debug)]
pub(super) struct PrivateTmp {
    path: PathBuf,
    around: PathBuf,
    owner: u32,
    alive: PathBuf,
    /// Whoever is split off has it as well, until that process ends.
    lock: Flock<File>,
}

impl PrivateTmp {
    /// Makes one, and removes those of this user whose process is gone.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub(super) fn create() -> io::Result<Self> {
        let owner = std::process::id();
        let place = users_folder()?;
        let starts = lock(&place)?;
        let alive = place.join(own_name(ALIVE)?);
        let lock = locked(&alive, FlockArg::LockExclusiveNonblock)?;
        sweep(&place);
        let around = place.join(own_name(NAME)?);
        let path = around.join(FOLDER);
        DirBuilder::new().mode(0o700).create(&around)?;
        let made = Self { path, around, owner, alive, lock };
        drop(starts);
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

    /// What says that the call is not over, as long as somebody has it open.
    pub(super) fn lock(&self) -> BorrowedFd<'_> {
        self.lock.as_fd()
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
            let _ = std::fs::remove_file(&self.alive);
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
fn start_of(pid: u32) -> Option<u64> {
    let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything.
    line.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()
}

/// The name of this call's entry of the user's folder that begins with `kind`. Only the process that puts the walls up has such.
///
/// # Errors
/// When `/proc` cannot be read.
pub(super) fn own_name(kind: &str) -> io::Result<OsString> {
    static BEGUN: OnceLock<Option<u64>> = OnceLock::new();
    let owner = std::process::id();
    let begun = BEGUN.get_or_init(|| start_of(owner)).ok_or_else(|| io::Error::other("/proc is not readable"))?;
    Ok(format!("{kind}-{owner}-{begun}").into())
}

/// The process whose entry of the user's folder has this name, and when that process started. What stays for a person, with a
/// name of more words, is nobody's.
fn owner(name: &OsStr) -> Option<(u32, u64)> {
    let mut pieces = name.to_str()?.split('-').skip(1);
    let (pid, begun) = (pieces.next()?, pieces.next()?);
    pieces.next().is_none().then(|| Some((pid.parse().ok()?, begun.parse().ok()?)))?
}

/// The same of an entry of this kind.
pub(super) fn owner_of(name: &OsStr, kind: &str) -> Option<(u32, u64)> {
    owner(name).filter(|_| name.to_str().is_some_and(|name| name.split('-').next() == Some(kind)))
}

/// One start at a time.
///
/// # Errors
/// When the file of the lock cannot be opened.
pub(super) fn lock(place: &Path) -> io::Result<Flock<File>> {
    locked(&place.join(LOCK), FlockArg::LockExclusive)
}

/// One end at a time: two calls that put back the same would be in each other's way. `None` where nobody has it to give.
/// It is asked for again and again, since flock(2) itself waits without a limit.
pub(super) fn end_lock() -> Option<Flock<File>> {
    let path = users_folder().ok()?.join(END);
    let begun = Instant::now();
    loop {
        match locked(&path, FlockArg::LockExclusiveNonblock) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && begun.elapsed() < MAX_WAIT => {
                std::thread::sleep(Duration::from_millis(2));
            }
            other => return other.ok(),
        }
    }
}

fn locked(path: &Path, how: FlockArg) -> io::Result<Flock<File>> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600).custom_flags(libc::O_NOFOLLOW);
    Flock::lock(options.open(path)?, how).map_err(|(_, error)| error.into())
}

/// Whether the call of this process is not over.
pub(super) fn is_alive(place: &Path, (pid, begun): (u32, u64)) -> bool {
    let path = place.join(format!("{ALIVE}-{pid}-{begun}"));
    let opened = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW).open(path);
    opened.is_ok_and(|file| Flock::lock(file, FlockArg::LockSharedNonblock).is_err())
}

/// Gives a note the name of one that stays, if it is one. `None`: it is none, or the name cannot be given.
pub(super) fn leave_note(note: &Path) -> Option<PathBuf> {
    let rest = note.file_name()?.to_str()?.strip_prefix(NOTE)?.strip_prefix('-')?;
    let left = note.with_file_name(format!("{LEFT}-{rest}"));
    std::fs::rename(note, &left).ok().map(|()| left)
}

/// Removes what calls have left that are over, with their notes: their supervisors were killed before they could. Nobody starts
/// meanwhile.
fn sweep(place: &Path) {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        if owner(&entry.file_name()).is_none_or(|owner| is_alive(place, owner)) {
            continue;
        }
        // Nobody has put back what stands in such a note, or it would be gone.
        if leave_note(&path).is_some() {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = std::fs::set_permissions(&path, Permissions::from_mode(0o700));
            let _ = remove_folder(&path);
        } else {
            let _ = std::fs::remove_file(&path);
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
