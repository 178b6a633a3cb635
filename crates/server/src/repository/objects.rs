//! Objects of git, read from their files: gitrepository-layout(5), "objects"; gitformat-pack(5).

use std::path::PathBuf;

use super::object::{MAX_OBJECT, ObjectId, ObjectKind, inflated};
use super::pack::Pack;
use super::{Lookup, NotTold, Until};
use crate::disk::{Disk, Kind};

/// Most packs that are looked into.
const MAX_PACKS: usize = 512;

/// The objects of one repository. Those of others that it borrows from are not looked at.
#[derive(Debug)]
pub(super) struct Objects {
    folder: PathBuf,
    /// Bytes of a name.
    pub(super) length: usize,
    packs: Option<Vec<Pack>>,
    until: Until,
}

impl Objects {
    pub(super) fn new(folder: PathBuf, length: usize, until: Until) -> Self {
        Self { folder, length, packs: None, until }
    }

    /// The object called `id`.
    pub(super) fn read(&mut self, id: &ObjectId) -> Lookup<(ObjectKind, Vec<u8>)> {
        self.until.check()?;
        if let Some(found) = self.loose(id)? {
            return Ok(found);
        }
        self.packed(id)
    }

    /// The same, of which it is known what it is.
    pub(super) fn read_as(&mut self, id: &ObjectId, kind: ObjectKind) -> Lookup<Vec<u8>> {
        let (found, held) = self.read(id)?;
        if found == kind { Ok(held) } else { Err(NotTold) }
    }

    fn loose(&self, id: &ObjectId) -> Lookup<Option<(ObjectKind, Vec<u8>)>> {
        let name = id.hex();
        let (folder, file) = name.split_at_checked(2).ok_or(NotTold)?;
        let path = self.folder.join(folder).join(file);
        let longest = u64::try_from(MAX_OBJECT).unwrap_or(u64::MAX);
        let Some(held) = Disk::default().read(&path, longest).map_err(|_| NotTold)? else { return Ok(None) };
        let whole = inflated(held.as_slice(), MAX_OBJECT + 32)?;
        let end = whole.iter().position(|byte| *byte == 0).ok_or(NotTold)?;
        let head = whole.get(..end).and_then(|head| std::str::from_utf8(head).ok()).ok_or(NotTold)?;
        let (kind, length) = head.split_once(' ').ok_or(NotTold)?;
        let content = whole.get(end + 1..).ok_or(NotTold)?;
        let is_whole = length.parse() == Ok(content.len());
        let kind = match kind {
            "commit" => ObjectKind::Commit,
            "tree" => ObjectKind::Tree,
            "blob" => ObjectKind::Blob,
            "tag" => ObjectKind::Tag,
            _ => return Err(NotTold),
        };
        if is_whole { Ok(Some((kind, content.to_vec()))) } else { Err(NotTold) }
    }

    fn packed(&mut self, id: &ObjectId) -> Lookup<(ObjectKind, Vec<u8>)> {
        let packs = match self.packs.take() {
            Some(packs) => packs,
            None => self.find_packs()?,
        };
        let place = packs.iter().find_map(|pack| pack.place(id).map(|place| place.map(|at| (pack, at))).transpose());
        let found = match place {
            Some(Ok((pack, at))) => pack.read(at, self.until),
            Some(Err(error)) => Err(error),
            None => Err(NotTold),
        };
        self.packs = Some(packs);
        found
    }

    /// The objects whose names begin with the hexadecimal digits `start`, of which there are at least two.
    pub(super) fn beginning_with(&mut self, start: &str) -> Lookup<Vec<ObjectId>> {
        self.until.check()?;
        let (folder, rest) = start.split_at_checked(2).ok_or(NotTold)?;
        let entries = Disk::default().entries(&self.folder.join(folder)).map_err(|_| NotTold)?;
        let names = entries.iter().filter_map(|path| path.file_name()?.to_str()).filter(|name| name.starts_with(rest));
        let mut found: Vec<ObjectId> =
            names.filter_map(|name| ObjectId::from_hex(&format!("{folder}{name}"), self.length)).collect();
        let packs = match self.packs.take() {
            Some(packs) => packs,
            None => self.find_packs()?,
        };
        for pack in &packs {
            found.extend(pack.beginning_with(start)?);
        }
        self.packs = Some(packs);
        found.sort();
        found.dedup();
        Ok(found)
    }

    fn find_packs(&self) -> Lookup<Vec<Pack>> {
        let mut disk = Disk::default();
        // Objects that another repository holds would be missing here.
        if disk.kind(&self.folder.join("info/alternates")) != Ok(Kind::Absent) {
            return Err(NotTold);
        }
        let entries = disk.entries(&self.folder.join("pack")).map_err(|_| NotTold)?;
        let indexes: Vec<PathBuf> =
            entries.into_iter().filter(|path| path.extension().is_some_and(|end| end == "idx")).collect();
        if indexes.len() > MAX_PACKS {
            return Err(NotTold);
        }
        indexes.iter().map(|path| Pack::open(path, self.length)).collect()
    }
}
