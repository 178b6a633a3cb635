//! Files by `openat(2)` and its like: every name on the way is opened by itself, and none may be a link.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path};

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, RenameFlags, Stat, fchmod, fstat, mkdirat, open, openat, readlinkat,
    renameat, renameat_with, statat, symlinkat, unlinkat,
};
use rustix::io::Errno;

use super::{Followed, NotPut, ObservedFile, too_large};
use crate::{ContentHash, FileState};

/// How often a file is read that changes meanwhile.
const TRIES: usize = 3;
/// Permission bits of POSIX `chmod`.
const BITS: u32 = 0o7777;
/// Of a folder that has to be there for what lies in it, and of which nothing is known.
const NEW_FOLDER: u32 = 0o755;

/// A name in a folder that is open.
#[derive(Debug)]
pub(crate) struct FolderEntry {
    folder: OwnedFd,
    name: OsString,
}

/// A folder is opened to go on from there, which takes no permission to list it (open(2), `O_PATH`).
#[cfg(any(target_os = "linux", target_os = "android"))]
const ON_THE_WAY: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const ON_THE_WAY: OFlags = OFlags::RDONLY;

fn folder_flags() -> OFlags {
    ON_THE_WAY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC)
}

/// Follows `root`, which is absolute, and `below` name by name. The last one is not opened.
///
/// # Errors
/// Why it cannot be reached, as a clause.
pub(crate) fn find(root: &Path, below: &Path) -> Result<Followed, String> {
    if !root.is_absolute() {
        return Err("its folder is not known".to_owned());
    }
    let refused = |error: Errno| match error {
        // open(2): with `O_DIRECTORY` and `O_NOFOLLOW` a link is `ENOTDIR` or `ELOOP`.
        Errno::LOOP | Errno::NOTDIR => "a link or a file is on the way to it".to_owned(),
        error => format!("it cannot be reached ({error})"),
    };
    let mut folder = open("/", folder_flags(), Mode::empty()).map_err(refused)?;
    for component in root.components() {
        match component {
            Component::RootDir => {}
            Component::Normal(name) => {
                folder = openat(&folder, name, folder_flags(), Mode::empty()).map_err(refused)?;
            }
            _ => return Err("its folder is not written plainly".to_owned()),
        }
    }
    let mut names: Vec<&OsStr> = Vec::new();
    for component in below.components() {
        let Component::Normal(name) = component else { return Err("it is not below the project".to_owned()) };
        names.push(name);
    }
    let Some((last, way)) = names.split_last() else { return Err("it is the project itself".to_owned()) };
    for (index, name) in way.iter().enumerate() {
        match openat(&folder, *name, folder_flags(), Mode::empty()) {
            Ok(next) => folder = next,
            Err(Errno::NOENT) => return Ok(Followed::NoFolder(index + 1)),
            Err(error) => return Err(refused(error)),
        }
    }
    Ok(Followed::At(FolderEntry { folder, name: (*last).to_owned() }))
}

impl FolderEntry {
    /// What is there, with what it holds up to `limit` bytes.
    pub(crate) fn look(&self, limit: u64) -> ObservedFile {
        let mut changed = false;
        for _ in 0..TRIES {
            match self.look_once(limit) {
                Ok(Some(looked)) => return looked,
                Ok(None) => changed = true,
                Err(Errno::NOENT) => return ObservedFile::of(FileState::Absent),
                // It became a link, or went away, between two of these calls.
                Err(Errno::LOOP | Errno::AGAIN) => changed = true,
                Err(error) => return ObservedFile::not_kept(format!("it cannot be read ({error})")),
            }
        }
        debug_assert!(changed, "every other way out returns");
        ObservedFile::not_kept("it was changed again and again while it was read")
    }

    /// `None`: it changed meanwhile.
    fn look_once(&self, limit: u64) -> Result<Option<ObservedFile>, Errno> {
        let found = statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW)?;
        match FileType::from_raw_mode(found.st_mode) {
            FileType::RegularFile => {}
            FileType::Directory => return Ok(Some(ObservedFile::of(FileState::Folder { mode: bits(&found) }))),
            FileType::Symlink => {
                let target = readlinkat(&self.folder, &self.name, Vec::new())?;
                let target = OsString::from_vec(target.into_bytes());
                return Ok(Some(ObservedFile::of(FileState::Link { target: (&target).into() })));
            }
            // Opening some of them acts, or waits.
            _ => return Ok(Some(ObservedFile::not_kept("it is a device, a pipe or a socket"))),
        }
        if let Some(why) = unkeepable(&found, limit) {
            return Ok(Some(ObservedFile::not_kept(why)));
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = openat(&self.folder, &self.name, flags, Mode::empty())?;
        let opened = fstat(&file)?;
        if version(&opened) != version(&found) {
            return Ok(None);
        }
        let mut content = Vec::new();
        let mut file = File::from(file);
        let read = (&mut file).take(limit.saturating_add(1)).read_to_end(&mut content);
        read.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        if length > limit {
            return Ok(Some(ObservedFile::not_kept(too_large(limit))));
        }
        if version(&fstat(&file)?) != version(&found) || u64::try_from(found.st_size) != Ok(length) {
            return Ok(None);
        }
        let state = FileState::File { hash: ContentHash::of(&content), mode: bits(&found), size: length };
        Ok(Some(ObservedFile { state, content: Some(content) }))
    }

    /// The bytes of what is there, `Some(None)` when it is a folder.
    pub(crate) fn size(&self) -> Option<Option<u64>> {
        let found = statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        match FileType::from_raw_mode(found.st_mode) {
            FileType::Directory => Some(None),
            FileType::RegularFile => Some(Some(u64::try_from(found.st_size).unwrap_or(u64::MAX))),
            _ => Some(Some(0)),
        }
    }

    /// The names in the folder that this is. `None`: there are more than `most`.
    pub(crate) fn names(&self, most: usize) -> Result<Option<Vec<OsString>>, String> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let refused = |error: Errno| format!("it cannot be listed ({error})");
        let folder = openat(&self.folder, &self.name, flags, Mode::empty()).map_err(refused)?;
        let mut names = Vec::new();
        for entry in Dir::read_from(&folder).map_err(refused)? {
            let name = entry.map_err(refused)?.file_name().to_bytes().to_vec();
            if name == b"." || name == b".." {
                continue;
            }
            if names.len() == most {
                return Ok(None);
            }
            names.push(OsString::from_vec(name));
        }
        names.sort();
        Ok(Some(names))
    }

    /// Makes it a folder.
    pub(crate) fn make_folder(&self, mode: Option<u32>) -> Result<(), NotPut> {
        match mkdirat(&self.folder, &self.name, raw(NEW_FOLDER)) {
            Ok(()) => {}
            Err(Errno::EXIST) => return Err(NotPut::Changed),
            Err(error) => return Err(refused(error)),
        }
        mode.map_or(Ok(()), |mode| self.change_mode(mode))?;
        self.sync();
        Ok(())
    }

    /// Gives the folder that this is other permission bits.
    pub(crate) fn change_mode(&self, mode: u32) -> Result<(), NotPut> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = openat(&self.folder, &self.name, flags, Mode::empty()).map_err(refused)?;
        fchmod(&folder, raw(mode)).map_err(refused)
    }

    /// Puts a file or a link, `wanted`, where `present` is. What is there goes only when it is that: it is exchanged
    /// first and looked at then, so that nothing is lost that was written a moment before.
    pub(crate) fn put(
        &self,
        wanted: &ObservedFile,
        present: &FileState,
        beside: &OsStr,
        limit: u64,
    ) -> Result<(), NotPut> {
        let new = self.beside(beside)?;
        let unfinished = self.beside(&unfinished(beside))?;
        // Under this name there is never anything but what is written here, so that it can go whatever it holds.
        unlinkat(&unfinished.folder, &unfinished.name, AtFlags::empty()).ok();
        unfinished.write(wanted)?;
        renameat(&unfinished.folder, &unfinished.name, &new.folder, &new.name).map_err(refused)?;
        let put = match present {
            FileState::Absent => {
                match renameat_with(&new.folder, &new.name, &self.folder, &self.name, RenameFlags::NOREPLACE) {
                    // rename(2): `EINVAL` where the file system does not know the flag. A link is as careful.
                    Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => new.link_to(self),
                    done => done.map_err(|error| if error == Errno::EXIST { NotPut::Changed } else { refused(error) }),
                }
            }
            _ => self.exchange(&new, &wanted.state, present, limit),
        };
        if put.is_err() {
            // It is what was just written, unless `exchange` has said that it is somebody's.
            new.remove_if(&wanted.state, limit);
        }
        put?;
        self.sync();
        Ok(())
    }

    /// Takes away what is there, when it is `present`. A folder goes only when nothing is in it.
    pub(crate) fn take_away(&self, present: &FileState, beside: &OsStr, limit: u64) -> Result<(), NotPut> {
        if matches!(present, FileState::Folder { .. }) {
            return match unlinkat(&self.folder, &self.name, AtFlags::REMOVEDIR) {
                Ok(()) | Err(Errno::NOENT) => Ok(()),
                Err(Errno::NOTEMPTY | Errno::EXIST) => Err(NotPut::NotEmpty),
                Err(error) => Err(refused(error)),
            };
        }
        let taken = self.beside(beside)?;
        renameat(&self.folder, &self.name, &taken.folder, &taken.name).map_err(refused)?;
        if taken.look(limit).state == *present {
            unlinkat(&taken.folder, &taken.name, AtFlags::empty()).map_err(refused)?;
            self.sync();
            return Ok(());
        }
        // Somebody has written it meanwhile: it goes back, unless there is another by now.
        match renameat_with(&taken.folder, &taken.name, &self.folder, &self.name, RenameFlags::NOREPLACE) {
            Ok(()) => Err(NotPut::Changed),
            Err(_) => Err(NotPut::Beside(taken.name.to_string_lossy().into_owned())),
        }
    }

    /// Takes away what a restore that was ended in the middle has left under the name `beside`, when it is one of
    /// `known`: anything else is somebody's.
    pub(crate) fn clear(&self, beside: &OsStr, known: &[FileState], limit: u64) {
        if let Ok(left) = self.beside(&unfinished(beside)) {
            unlinkat(&left.folder, &left.name, AtFlags::empty()).ok();
        }
        let Ok(left) = self.beside(beside) else { return };
        if known.contains(&left.look(limit).state) {
            unlinkat(&left.folder, &left.name, AtFlags::empty()).ok();
        }
    }

    fn exchange(&self, new: &Self, wanted: &FileState, present: &FileState, limit: u64) -> Result<(), NotPut> {
        let swap = || renameat_with(&new.folder, &new.name, &self.folder, &self.name, RenameFlags::EXCHANGE);
        match swap() {
            Ok(()) => {}
            Err(Errno::NOENT) => return Err(NotPut::Changed),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => return self.replace(new, present, limit),
            Err(error) => return Err(refused(error)),
        }
        if new.look(limit).state == *present {
            return unlinkat(&new.folder, &new.name, AtFlags::empty()).map_err(refused);
        }
        // Somebody has written it meanwhile: it goes back to its name, and the file beside it is ours again.
        let name = || new.name.to_string_lossy().into_owned();
        swap().map_err(|_| NotPut::Beside(name()))?;
        if new.look(limit).state == *wanted {
            return Err(NotPut::Changed);
        }
        // Written twice in this moment. Which one is the right one only a person can tell, so both stay.
        Err(NotPut::Beside(name()))
    }

    /// For a file system that cannot exchange two files: looked at once more, and replaced.
    fn replace(&self, new: &Self, present: &FileState, limit: u64) -> Result<(), NotPut> {
        if self.look(limit).state != *present {
            return Err(NotPut::Changed);
        }
        renameat(&new.folder, &new.name, &self.folder, &self.name).map_err(refused)
    }

    fn link_to(&self, place: &Self) -> Result<(), NotPut> {
        rustix::fs::linkat(&self.folder, &self.name, &place.folder, &place.name, AtFlags::empty())
            .map_err(|error| if error == Errno::EXIST { NotPut::Changed } else { refused(error) })?;
        unlinkat(&self.folder, &self.name, AtFlags::empty()).map_err(refused)
    }

    fn beside(&self, name: &OsStr) -> Result<Self, NotPut> {
        let folder = self.folder.try_clone().map_err(|error| NotPut::Refused(error.to_string()))?;
        Ok(Self { folder, name: name.to_owned() })
    }

    /// Makes the new file or link. Its permission bits are right before it has its real name.
    fn write(&self, wanted: &ObservedFile) -> Result<(), NotPut> {
        match (&wanted.state, &wanted.content) {
            (FileState::Link { target }, _) => {
                symlinkat(target.as_path().as_os_str().as_bytes(), &self.folder, &self.name).map_err(refused)
            }
            (FileState::File { mode, .. }, Some(content)) => {
                let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let own = raw(0o600);
                let mut file = File::from(openat(&self.folder, &self.name, flags, own).map_err(refused)?);
                let written = file.write_all(content).and_then(|()| {
                    fchmod(&file, raw(*mode))?;
                    file.sync_all()
                });
                if let Err(error) = written {
                    unlinkat(&self.folder, &self.name, AtFlags::empty()).ok();
                    return Err(NotPut::Refused(format!("it cannot be written ({error})")));
                }
                Ok(())
            }
            _ => Err(NotPut::Refused("it is no file".to_owned())),
        }
    }

    fn remove_if(&self, wanted: &FileState, limit: u64) {
        let limit = if let FileState::File { size, .. } = wanted { limit.max(*size) } else { limit };
        if self.look(limit).state == *wanted {
            unlinkat(&self.folder, &self.name, AtFlags::empty()).ok();
        }
    }

    /// Brings the name to the disk. It is a matter of a power failure: what was there before is kept elsewhere.
    fn sync(&self) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        if let Ok(folder) = openat(&self.folder, ".", flags, Mode::empty()) {
            File::from(folder).sync_all().ok();
        }
    }
}

/// The name of what is being written and will have the name `beside`.
fn unfinished(beside: &OsStr) -> OsString {
    let mut name = beside.to_owned();
    name.push(".new");
    name
}

/// Why a file is not kept, by what the system says about it.
fn unkeepable(found: &Stat, limit: u64) -> Option<String> {
    why_unkeepable(u64::try_from(found.st_size).unwrap_or_default(), found.st_nlink > 1, found.st_uid, limit)
}

/// Whether what is `found` is a file of which so many bytes are kept. It may still change before it is.
pub(crate) fn is_keepable(found: &Metadata, limit: u64) -> bool {
    found.is_file() && why_unkeepable(found.len(), found.nlink() > 1, found.uid(), limit).is_none()
}

fn why_unkeepable(size: u64, has_other_names: bool, owner: u32, limit: u64) -> Option<String> {
    if size > limit {
        return Some(too_large(limit));
    }
    if has_other_names {
        // What is put back is a new file: the other names would go on leading to the changed one.
        return Some("it has other names (hard links), which would not lead to what is put back".to_owned());
    }
    let own = rustix::process::geteuid().as_raw();
    (owner != own).then(|| "it belongs to another user".to_owned())
}

#[cfg_attr(
    any(target_os = "linux", target_os = "android"),
    expect(clippy::useless_conversion, reason = "16 bits elsewhere")
)]
fn bits(found: &Stat) -> u32 {
    u32::from(found.st_mode) & BITS
}

#[cfg_attr(
    any(target_os = "linux", target_os = "android"),
    expect(clippy::useless_conversion, reason = "16 bits elsewhere")
)]
fn raw(mode: u32) -> Mode {
    Mode::from_bits_truncate((mode & BITS).try_into().unwrap_or_default())
}

/// What tells one version of a file from the next: it, its length, and when it was changed last.
fn version(found: &Stat) -> [i128; 7] {
    [
        i128::from(found.st_dev),
        i128::from(found.st_ino),
        i128::from(found.st_size),
        i128::from(found.st_mtime),
        i128::from(found.st_mtime_nsec),
        i128::from(found.st_ctime),
        i128::from(found.st_ctime_nsec),
    ]
}

fn refused(error: Errno) -> NotPut {
    NotPut::Refused(error.to_string())
}
