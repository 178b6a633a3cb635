//! Branches, tags and what else has a name: gitrepository-layout(5), "refs", "packed-refs".

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Lookup, NotTold, ObjectId, Repository};
use crate::disk::{Disk, Kind};

/// Names that lead to names: git's own limit (refs.c, `SYMREF_MAXDEPTH`).
const MAX_LINKS: usize = 5;
/// Folders in folders.
const MAX_DEPTH: usize = 16;
/// Largest file of names, in bytes.
const MAX_PACKED: u64 = 16 * 1024 * 1024;

impl Repository {
    /// The branch that is checked out, as `refs/heads/main`; `None`: a commit is.
    pub(crate) fn branch(&self) -> Lookup<Option<String>> {
        let head = Disk::default().text(&self.git.join("HEAD")).map_err(|_| NotTold)?.ok_or(NotTold)?;
        Ok(head.strip_prefix("ref:").map(|name| name.trim().to_owned()))
    }

    /// The object that `name` stands for, as `HEAD` or `refs/heads/main`. `None`: there is no such name.
    pub(crate) fn named(&self, name: &str) -> Lookup<Option<ObjectId>> {
        let mut name = name.to_owned();
        for _ in 0..MAX_LINKS {
            self.until.check()?;
            if !is_name(&name) {
                return Err(NotTold);
            }
            let folder = if name == "HEAD" { &self.git } else { &self.common };
            let mut disk = Disk::default();
            let path = folder.join(&name);
            let text = match disk.kind(&path).map_err(|_| NotTold)? {
                Kind::File => disk.text(&path).map_err(|_| NotTold)?,
                _ => None,
            };
            let Some(text) = text else { return Ok(self.packed()?.remove(&name)) };
            match text.strip_prefix("ref:") {
                Some(next) => name = next.trim().to_owned(),
                None => return ObjectId::from_hex(text.trim(), self.objects.length).map(Some).ok_or(NotTold),
            }
        }
        Err(NotTold)
    }

    /// Every name that begins with `start`, as `refs/remotes/origin/`, and its object.
    pub(crate) fn names(&self, start: &str) -> Lookup<BTreeMap<String, ObjectId>> {
        let mut found: BTreeMap<String, ObjectId> =
            self.packed()?.into_iter().filter(|(name, _)| name.starts_with(start)).collect();
        let mut loose = Vec::new();
        self.loose(start.trim_end_matches('/'), 0, &mut Disk::default(), &mut loose)?;
        for name in loose {
            match self.named(&name) {
                Ok(Some(id)) => drop(found.insert(name, id)),
                // `origin/HEAD` may lead to a branch that is gone.
                Ok(None) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    fn loose(&self, folder: &str, depth: usize, disk: &mut Disk, found: &mut Vec<String>) -> Lookup<()> {
        if depth > MAX_DEPTH {
            return Err(NotTold);
        }
        for entry in disk.entries(&self.common.join(folder)).map_err(|_| NotTold)? {
            self.until.check()?;
            let Some(name) = entry.file_name().and_then(|name| name.to_str()) else { return Err(NotTold) };
            let name = format!("{folder}/{name}");
            match disk.kind(&entry).map_err(|_| NotTold)? {
                Kind::Folder => self.loose(&name, depth + 1, disk, found)?,
                Kind::File if !name.ends_with(".lock") => found.push(name),
                _ => {}
            }
        }
        Ok(())
    }

    fn packed(&self) -> Lookup<BTreeMap<String, ObjectId>> {
        let path: PathBuf = self.common.join("packed-refs");
        let held = Disk::default().read(&path, MAX_PACKED).map_err(|_| NotTold)?.unwrap_or_default();
        let text = String::from_utf8(held).map_err(|_| NotTold)?;
        let lines = text.lines().filter(|line| !line.starts_with(['#', '^']) && !line.is_empty());
        let read = |line: &str| {
            let (id, name) = line.split_once(' ')?;
            Some((name.to_owned(), ObjectId::from_hex(id, self.objects.length)?))
        };
        lines.map(|line| read(line).ok_or(NotTold)).collect()
    }
}

/// git-check-ref-format(1), as far as a name could lead out of the folder.
fn is_name(name: &str) -> bool {
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains('\0');
    name.split('/').all(is_plain) && (name == "HEAD" || name.starts_with("refs/"))
}
