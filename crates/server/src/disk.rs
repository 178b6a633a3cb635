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
        Ok(match path.metadata() {
            Ok(metadata) if metadata.is_file() => Kind::File,
            Ok(metadata) if metadata.is_dir() => Kind::Folder,
            Ok(_) => Kind::Other,
            Err(error) if is_absent(&error) => Kind::Absent,
            Err(_) => Kind::Other,
        })
    }

    /// What `path` holds, `None` when nothing is there.
    pub(crate) fn read(&mut self, path: &Path, longest: u64) -> Result<Option<Vec<u8>>, Unseen> {
        self.look()?;
        let shown = path.display();
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

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_never_waited_for() {
        let root = tempfile::tempdir().unwrap();
        let pipe = root.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(Disk::default().text(&pipe).is_err());
    }
}
