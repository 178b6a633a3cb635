//! Looking at files that somebody else may have put there: bounded, and never waiting for one.

use std::io::Read;
use std::path::{Path, PathBuf};

/// Most bytes of one file that are read.
pub(crate) const MAX_FILE: u64 = 256 * 1024;
/// Looks at names in the file system that one call may cause.
const MAX_LOOKS: usize = 6_000;
/// Bytes that one call may cause to be read.
const MAX_BYTES: u64 = 48 * 1024 * 1024;

/// What is at a path, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Absent,
    File,
    Folder,
    /// A device, a pipe, a socket, or what may not be looked at.
    Other,
}

/// Why something could not be looked at, for a person.
pub(crate) type Unseen = String;

/// What one call may still cost.
#[derive(Debug)]
pub(crate) struct Disk {
    looks: usize,
    bytes: u64,
}

impl Default for Disk {
    fn default() -> Self {
        Self { looks: MAX_LOOKS, bytes: MAX_BYTES }
    }
}

impl Disk {
    /// What is at `path`.
    pub(crate) fn kind(&mut self, path: &Path) -> Result<Kind, Unseen> {
        self.look()?;
        Ok(match metadata(path) {
            Ok(metadata) if metadata.is_file() => Kind::File,
            Ok(metadata) if metadata.is_dir() => Kind::Folder,
            Ok(_) => Kind::Other,
            Err(Missed::Absent) => Kind::Absent,
            Err(Missed::Unknown) => Kind::Other,
            Err(Missed::Anothers) => return Err(no_answer(path)),
        })
    }

    /// What `path` holds, `None` when nothing is there.
    pub(crate) fn read(&mut self, path: &Path, longest: u64) -> Result<Option<Vec<u8>>, Unseen> {
        self.look()?;
        let shown = path.display();
        match metadata(path) {
            Err(Missed::Absent) => return Ok(None),
            Err(Missed::Anothers) => return Err(no_answer(path)),
            Ok(_) | Err(Missed::Unknown) => {}
        }
        let file = match open(path) {
            Ok(file) => file,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(_) => return Err(format!("`{shown}` cannot be read")),
        };
        // The file itself is asked, not its name, which may lead elsewhere by now.
        let metadata = file.metadata().map_err(|_| format!("`{shown}` cannot be read"))?;
        if !metadata.is_file() {
            return Err(format!("`{shown}` is no ordinary file"));
        }
        let mut held = Vec::new();
        let longest = longest.min(self.bytes);
        file.take(longest + 1).read_to_end(&mut held).map_err(|_| format!("`{shown}` cannot be read"))?;
        let length = u64::try_from(held.len()).unwrap_or(u64::MAX);
        if length > longest {
            return Err(format!("`{shown}` is too large to be looked at"));
        }
        self.bytes -= length;
        Ok(Some(held))
    }

    /// The text that `path` holds.
    pub(crate) fn text(&mut self, path: &Path) -> Result<Option<String>, Unseen> {
        let Some(held) = self.read(path, MAX_FILE)? else { return Ok(None) };
        String::from_utf8(held).map(Some).map_err(|_| format!("`{}` is no text", path.display()))
    }

    /// What is directly in the folder `path`; nothing when it is none.
    pub(crate) fn entries(&mut self, path: &Path) -> Result<Vec<PathBuf>, Unseen> {
        self.look()?;
        if matches!(metadata(path), Err(Missed::Anothers)) {
            return Err(no_answer(path));
        }
        let Ok(found) = path.read_dir() else { return Ok(Vec::new()) };
        let mut entries = Vec::new();
        for entry in found {
            self.look()?;
            entries.extend(entry.ok().map(|entry| entry.path()));
        }
        entries.sort();
        Ok(entries)
    }

    /// One look more.
    pub(crate) fn look(&mut self) -> Result<(), Unseen> {
        self.looks = self.looks.checked_sub(1).ok_or("there is too much to look at")?;
        Ok(())
    }
}

fn no_answer(path: &Path) -> Unseen {
    format!("`{}` is another file to each process that looks", path.display())
}

/// Why nothing is known of a path.
enum Missed {
    Absent,
    /// Another process finds something else there.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has such links"))]
    Anothers,
    Unknown,
}

impl From<std::io::Error> for Missed {
    fn from(error: std::io::Error) -> Self {
        if is_absent(&error) { Self::Absent } else { Self::Unknown }
    }
}

/// What is at `path`, unless it leads through a link such as `/proc/self/cwd`, or to a file of `/proc`: whoever asks finds
/// something else there (proc_pid_cwd(5); openat2(2), `RESOLVE_NO_MAGICLINKS`).
#[cfg(target_os = "linux")]
fn metadata(path: &Path) -> Result<std::fs::Metadata, Missed> {
    use nix::errno::Errno;
    use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, openat2};
    use nix::sys::statfs::{PROC_SUPER_MAGIC, fstatfs};
    let how = OpenHow::new().flags(OFlag::O_PATH | OFlag::O_CLOEXEC).resolve(ResolveFlag::RESOLVE_NO_MAGICLINKS);
    match openat2(AT_FDCWD, path, how) {
        Ok(found) => {
            let is_of_processes = fstatfs(&found).is_ok_and(|system| system.filesystem_type() == PROC_SUPER_MAGIC);
            if is_of_processes { Err(Missed::Anothers) } else { Ok(std::fs::File::from(found).metadata()?) }
        }
        // A link that leads to itself as well: git fails there.
        Err(Errno::ELOOP) => Err(Missed::Anothers),
        Err(errno) => Err(std::io::Error::from(errno).into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn metadata(path: &Path) -> Result<std::fs::Metadata, Missed> {
    Ok(path.metadata()?)
}

/// A pipe or a device that is opened so neither waits nor acts: open(2), `O_NONBLOCK`, `O_NOCTTY`.
#[cfg(unix)]
pub(crate) fn open(path: &Path) -> std::io::Result<std::fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = nix::fcntl::OFlag::O_NONBLOCK | nix::fcntl::OFlag::O_NOCTTY;
    // Opening some devices acts; what is no file is not opened at all. Most paths name nothing: that is told soonest here.
    if !path.metadata()?.is_file() {
        return Err(std::io::Error::from(std::io::ErrorKind::InvalidInput));
    }
    std::fs::OpenOptions::new().read(true).custom_flags(flags.bits()).open(path)
}

#[cfg(not(unix))]
pub(crate) fn open(path: &Path) -> std::io::Result<std::fs::File> {
    std::fs::File::open(path)
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_or_no_file_is_not_read() {
        let root = tempfile::tempdir().unwrap();
        let large = root.path().join("large");
        std::fs::write(&large, vec![b'x'; usize::try_from(MAX_FILE).unwrap() + 1]).unwrap();
        let mut disk = Disk::default();
        assert!(disk.text(&large).unwrap_err().contains("too large"));
        assert_eq!(disk.text(&root.path().join("none")), Ok(None));
        assert!(disk.text(root.path()).is_err());
    }

    /// To git `/proc/self/cwd` is the folder that the call runs in; here it is another one.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_each_process_finds_elsewhere_is_no_answer() {
        let root = tempfile::tempdir().unwrap();
        let here = std::env::current_dir().unwrap();
        let link = root.path().join("link");
        std::os::unix::fs::symlink("/proc/self/cwd", &link).unwrap();
        let mut disk = Disk::default();
        for path in [
            link.clone(),
            link.join("Cargo.toml"),
            PathBuf::from("/proc/self/root/etc/passwd"),
            "/proc/self/environ".into(),
        ] {
            assert!(disk.kind(&path).is_err(), "{}", path.display());
        }
        assert!(disk.text(&link.join("Cargo.toml")).is_err());
        assert!(disk.entries(&link).is_err());
        assert_eq!(disk.kind(&here.join("Cargo.toml")), Ok(Kind::File));
        assert!(disk.kind(&link.join("nothing-is-there")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_never_waited_for() {
        let root = tempfile::tempdir().unwrap();
        let pipe = root.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(Disk::default().text(&pipe).is_err());
    }
}
