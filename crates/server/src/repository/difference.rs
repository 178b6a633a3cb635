//! Which files two commits have otherwise.

use std::collections::BTreeMap;

use super::changed::{MAX_DEPTH, entries, is_folder};
use super::object::ObjectKind;
use super::{Lookup, NotTold, ObjectId, Repository};

/// Most files and folders that are told apart.
const MAX_DIFFERENCES: usize = 20_000;

/// What a folder of a commit has under a name.
type Entry = (u32, ObjectId);

impl Repository {
    /// Files, from the top, that the commits `one` and `other` have otherwise, or that only one of them has. `None`: no files.
    pub(crate) fn differing(&mut self, one: Option<&ObjectId>, other: Option<&ObjectId>) -> Lookup<Vec<Vec<u8>>> {
        let mut root = |commit: Option<&ObjectId>| commit.map(|commit| self.tree_of(commit)).transpose();
        let mut waiting = vec![(Vec::new(), root(one)?, root(other)?, 0)];
        let (mut found, mut count) = (Vec::new(), 0_usize);
        while let Some((folder, one, other, depth)) = waiting.pop() {
            self.until.check()?;
            if one == other {
                continue;
            }
            let (mut first, second) = (self.folder(one.as_ref())?, self.folder(other.as_ref())?);
            let mut all: BTreeMap<Vec<u8>, (Option<Entry>, Option<Entry>)> = BTreeMap::new();
            for (name, entry) in second {
                all.insert(name.clone(), (first.remove(&name), Some(entry)));
            }
            all.extend(first.into_iter().map(|(name, entry)| (name, (Some(entry), None))));
            for (name, (one, other)) in all.into_iter().filter(|(_, (one, other))| one != other) {
                count += 1;
                if count > MAX_DIFFERENCES || depth > MAX_DEPTH {
                    return Err(NotTold);
                }
                let path = if folder.is_empty() { name } else { [&folder, b"/".as_slice(), &name].concat() };
                let tree = |entry: &Option<Entry>| {
                    entry.as_ref().filter(|(mode, _)| is_folder(*mode)).map(|(_, id)| id.clone())
                };
                let (first, second) = (tree(&one), tree(&other));
                if [&one, &other].into_iter().flatten().any(|(mode, _)| !is_folder(*mode)) {
                    found.push(path.clone());
                }
                if first.is_some() || second.is_some() {
                    waiting.push((path, first, second, depth + 1));
                }
            }
        }
        Ok(found)
    }

    fn folder(&mut self, id: Option<&ObjectId>) -> Lookup<BTreeMap<Vec<u8>, Entry>> {
        let Some(id) = id else { return Ok(BTreeMap::new()) };
        let held = self.objects.read_as(id, ObjectKind::Tree)?;
        let entries = entries(&held, self.objects.length).ok_or(NotTold)?;
        Ok(entries.into_iter().map(|(mode, name, id)| (name.to_vec(), (mode, id))).collect())
    }
}
