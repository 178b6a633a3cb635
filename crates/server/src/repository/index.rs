//! Git's index: the files that it knows.
//!
//! Source: gitformat-index(5), versions 2 to 4.

/// Largest index that is looked at, in bytes: about 300 000 files.
pub(crate) const MAX_SIZE: u64 = 32 * 1024 * 1024;

/// File modes, of which only the upper four bits count.
const KIND: u32 = 0o170_000;
/// A submodule: `1110`, "gitlink".
const GITLINK: u32 = 0o160_000;
/// Device, inode, mode, owner, group, size: what stands behind the times of an entry.
const BEFORE_MODE: usize = 24;
const BEFORE_SIZE: usize = 36;
/// All that stands in front of the name of the object.
const BEFORE_HASH: usize = 40;

/// A file that git knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IndexEntry<'a> {
    /// From the top of the working files.
    pub(crate) path: &'a [u8],
    /// Its kind and rights.
    pub(crate) mode: u32,
    /// When it was changed last: seconds, and nanoseconds.
    pub(crate) changed: (u32, u32),
    /// Its size in bytes, the lower 32 bits.
    pub(crate) size: u32,
    /// The name of its content.
    pub(crate) id: &'a [u8],
    /// It is one of several versions that a merge has left.
    pub(crate) is_conflict: bool,
    /// Git does not look whether it changes: `assume-unchanged`, `skip-worktree`.
    pub(crate) is_unwatched: bool,
}

impl IndexEntry<'_> {
    /// It is a submodule.
    pub(crate) fn is_submodule(&self) -> bool {
        self.mode & KIND == GITLINK
    }
}

/// The paths of the submodules in the index `held`; `None` when it is not understood.
pub(crate) fn submodules(held: &[u8]) -> Option<Vec<String>> {
    // A repository with SHA-256 has longer names of objects; which one it is, stands in its settings, so the
    // shorter is tried first: read wrong, its entries make no sense.
    let of = |length| {
        let mut found = Vec::new();
        each(held, length, |entry| {
            if entry.is_submodule() {
                found.push(String::from_utf8(entry.path.to_vec()).ok()?);
            }
            Some(())
        })?;
        Some(found)
    };
    of(20).or_else(|| of(32))
}

/// Does `with` for each file in the index `held`, whose names of objects have `hash` bytes. `None`: it is not understood,
/// or `with` has ended it.
pub(crate) fn each(held: &[u8], hash: usize, mut with: impl FnMut(IndexEntry<'_>) -> Option<()>) -> Option<()> {
    if held.get(..4)? != b"DIRC" {
        return None;
    }
    let version = number(held, 4)?;
    let count = number(held, 8)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut at = 12;
    let mut name: Vec<u8> = Vec::new();
    for _ in 0..count {
        let start = at;
        let mode = number(held, at + BEFORE_MODE)?;
        if ![0o040_000, 0o100_000, 0o120_000, GITLINK].contains(&(mode & KIND)) {
            return None;
        }
        let (changed, size) = ((number(held, at + 8)?, number(held, at + 12)?), number(held, at + BEFORE_SIZE)?);
        at += BEFORE_HASH;
        let id = held.get(at..at + hash)?;
        at += hash;
        let flags = u16::from_be_bytes(held.get(at..at + 2)?.try_into().ok()?);
        at += 2;
        let mut is_unwatched = flags & 0x8000 != 0;
        if flags & 0x4000 != 0 {
            is_unwatched |= held.get(at)? & 0x40 != 0;
            at += 2;
        }
        if version == 4 {
            let strip = usize::try_from(varint(held, &mut at)?).ok()?;
            name.truncate(name.len().checked_sub(strip)?);
        } else {
            name.clear();
        }
        let rest = held.get(at..)?;
        let length = rest.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(rest.get(..length)?);
        at += length + 1;
        if version < 4 {
            // Padded with zeros to a multiple of eight.
            at = start + (at - 1 - start + 8) / 8 * 8;
        }
        let is_conflict = flags & 0x3000 != 0;
        with(IndexEntry { path: &name, mode, changed, size, id, is_conflict, is_unwatched })?;
    }
    // A split index has most of its entries in another file.
    while let Some(signature) = held.get(at..at + 4).filter(|_| held.len() > at + hash + 8) {
        if signature == b"link" {
            return None;
        }
        at = at.checked_add(8)?.checked_add(usize::try_from(number(held, at + 4)?).ok()?)?;
    }
    Some(())
}

fn number(held: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(held.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// The offset encoding of gitformat-pack(5), "offset encoding".
fn varint(held: &[u8], at: &mut usize) -> Option<u64> {
    let mut value: u64 = 0;
    loop {
        let byte = *held.get(*at)?;
        *at += 1;
        value = value.checked_shl(7)?.checked_add(u64::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
        value = value.checked_add(1)?;
        if value > 1 << 40 {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(folder: &std::path::Path, arguments: &[&str]) {
        let done = Command::new("git").args(arguments).current_dir(folder).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    #[test]
    fn submodules_are_found_in_each_version_of_the_index() {
        for (version, format) in [("2", "sha1"), ("3", "sha1"), ("4", "sha1"), ("2", "sha256"), ("4", "sha256")] {
            let root = tempfile::tempdir().unwrap();
            let object_format = format!("--object-format={format}");
            git(root.path(), &["init", "-q", &object_format]);
            for name in ["a", "a-longer-name", "b/c/d", "zz"] {
                let file = root.path().join(name);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, name).unwrap();
            }
            git(root.path(), &["add", "."]);
            let commit = if format == "sha1" { "1".repeat(40) } else { "1".repeat(64) };
            git(root.path(), &["update-index", "--add", "--cacheinfo", &format!("160000,{commit},b/module")]);
            git(root.path(), &["update-index", "--index-version", version]);
            let held = std::fs::read(root.path().join(".git/index")).unwrap();
            assert_eq!(submodules(&held), Some(vec!["b/module".to_owned()]), "version {version}, {format}");
        }
        assert_eq!(submodules(b"DIRC"), None);
    }
}
