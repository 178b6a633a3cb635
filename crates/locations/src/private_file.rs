//! Files for this user's eyes only, written whole or not at all.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Why a private file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PrivateFileError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// Somebody else can read or change it.
    #[error("{}: {what}; it must belong to you and to nobody else (chmod go= it)", path.display())]
    NotPrivate {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
}

impl PrivateFileError {
    /// The file or folder is not there.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }
}

/// Makes a folder (and those above it) that only this user can enter.
///
/// # Errors
/// When it cannot be made, is a link, or belongs to somebody else.
pub fn create_private_folder(path: &Path) -> Result<(), PrivateFileError> {
    let failed = |error| PrivateFileError::Io { path: path.to_owned(), error };
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let metadata = path.symlink_metadata().map_err(failed)?;
        let refuse = |what| PrivateFileError::NotPrivate { path: path.to_owned(), what };
        if !metadata.is_dir() {
            return Err(refuse("it is not a folder"));
        }
        if metadata.uid() != nix::unistd::getuid().as_raw() {
            return Err(refuse("it belongs to another user"));
        }
        if metadata.mode() & 0o077 != 0 {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(failed)?;
        }
    }
    Ok(())
}

/// Reads a file that must belong to this user alone, without following a link.
///
/// # Errors
/// When it is missing, a link, or open to others.
pub fn read_private(path: &Path) -> Result<String, PrivateFileError> {
    let failed = |error| PrivateFileError::Io { path: path.to_owned(), error };
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nix::fcntl::OFlag::O_NOFOLLOW.bits());
    let mut file = options.open(path).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let metadata = file.metadata().map_err(failed)?;
        let refuse = |what| PrivateFileError::NotPrivate { path: path.to_owned(), what };
        if metadata.uid() != nix::unistd::getuid().as_raw() {
            return Err(refuse("it belongs to another user"));
        }
        if metadata.mode() & 0o077 != 0 {
            return Err(refuse("others can read or change it"));
        }
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}

/// Writes a file for this user alone: a new file beside it, fsync, rename, fsync of the folder. A
/// reader sees the old content or the new, whatever happens in between.
///
/// # Errors
/// When any step fails; the old content is still there then.
pub fn write_private(path: &Path, content: &[u8]) -> Result<(), PrivateFileError> {
    let failed = |error| PrivateFileError::Io { path: path.to_owned(), error };
    let folder = folder_of(path);
    // `tempfile` makes the file with mode 0600.
    let mut file = tempfile::Builder::new().prefix(".handraise-").tempfile_in(folder).map_err(failed)?;
    file.write_all(content).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    Ok(())
}

/// The folder that `path` names a file in. A name alone is one in the folder that the program runs in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Brings what was written to the file at `path` to the disk. The file is opened for writing: Windows lets nobody
/// else do that (Microsoft's documentation of `FlushFileBuffers`: the handle needs `GENERIC_WRITE`).
///
/// # Errors
/// When it is not there, or the disk refuses.
pub fn sync_file(path: &Path) -> io::Result<()> {
    File::options().write(true).open(path)?.sync_data()
}

/// Whether a file of so many bytes can be written into a folder now. It is written, and removed.
///
/// # Errors
/// When it cannot, with what the system says.
pub fn check_room(folder: &Path, bytes: usize) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".handraise-").tempfile_in(folder)?;
    file.write_all(&vec![0; bytes])?;
    file.as_file().sync_data()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_name_alone_is_a_file_in_the_folder_of_the_program() {
        assert_eq!(folder_of(Path::new("approver.tok")), Path::new("."));
        assert_eq!(folder_of(Path::new("a/approver.tok")), Path::new("a"));
        assert_eq!(folder_of(Path::new("/approver.tok")), Path::new("/"));
    }

    #[test]
    fn what_is_written_can_be_read_and_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        write_private(&path, b"one").unwrap();
        write_private(&path, b"two").unwrap();
        assert_eq!(read_private(&path).unwrap(), "two");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_is_synced_through_a_handle_that_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, b"one").unwrap();
        sync_file(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        // What cannot be opened for writing could not be synced on every system.
        assert!(sync_file(folder.path()).is_err());
        assert!(sync_file(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn a_file_open_to_others_and_a_link_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        write_private(&path, b"secret").unwrap();
        symlink(&path, folder.path().join("link")).unwrap();
        assert!(read_private(&folder.path().join("link")).is_err());
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(read_private(&path), Err(PrivateFileError::NotPrivate { .. })));
    }
}
