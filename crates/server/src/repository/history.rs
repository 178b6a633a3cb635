//! Which commits one name leads to and others do not.

use std::collections::{BinaryHeap, HashMap};

use super::object::ObjectKind;
use super::{Lookup, NotTold, ObjectId, Repository};
use crate::disk::{Disk, Kind};

/// Most commits that are looked at.
const MAX_COMMITS: usize = 20_000;
/// So much may the times of commits be in disorder, in seconds. What is farther apart was made up.
const DISORDER: i64 = 24 * 60 * 60;
/// Fewest digits that git takes for the beginning of an id.
const MIN_ABBREVIATION: usize = 4;
/// Tags of tags.
const MAX_TAGS: usize = 8;

/// A commit, as far as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    /// Its name.
    pub(crate) id: ObjectId,
    /// The first line of its message.
    pub(crate) subject: String,
}

/// What is read of a commit.
#[derive(Clone, Debug)]
struct Read {
    parents: Vec<ObjectId>,
    time: i64,
    subject: String,
}

impl Repository {
    /// The commits that `from` leads to and none of `without` does, the latest first.
    pub(crate) fn commits(&mut self, from: &[ObjectId], without: &[ObjectId]) -> Lookup<Vec<Commit>> {
        let mut walk = Walk { known: HashMap::new(), queue: BinaryHeap::new(), wanted: 0 };
        let shallow = self.shallow()?;
        for id in without {
            let id = self.commit_of(id)?;
            self.visit(&mut walk, &id, true, &shallow)?;
        }
        for id in from {
            let id = self.commit_of(id)?;
            self.visit(&mut walk, &id, false, &shallow)?;
        }
        let mut found = Vec::new();
        let mut oldest = i64::MAX;
        // By time, the latest first, until nothing is left that may be wanted, or leads to what was. A time that was made
        // up makes more of them, never fewer: one is left out only when a way to it from the others was seen.
        while let Some((time, id)) = walk.queue.pop() {
            if walk.wanted == 0 && time < oldest.saturating_sub(DISORDER) {
                break;
            }
            let Some((read, is_without, is_counted)) = walk.known.get_mut(&id) else { return Err(NotTold) };
            let was_without = *is_without;
            if *is_counted {
                *is_counted = false;
                walk.wanted -= 1;
            }
            let parents = read.parents.clone();
            if !was_without {
                found.push(id.clone());
                oldest = oldest.min(time);
            }
            for parent in parents {
                self.visit(&mut walk, &parent, was_without, &shallow)?;
            }
        }
        let read = found.into_iter().filter_map(|id| {
            let (read, is_without, _) = walk.known.get(&id)?;
            (!is_without).then(|| Commit { subject: read.subject.clone(), id })
        });
        Ok(read.collect())
    }

    /// Puts `id` into `walk`. What is reached from `without` is not wanted, and neither is what is reached from that.
    fn visit(&mut self, walk: &mut Walk, id: &ObjectId, without: bool, shallow: &[ObjectId]) -> Lookup<()> {
        match walk.known.get_mut(id) {
            Some((_, is_without, _)) if *is_without || !without => Ok(()),
            Some((read, is_without, is_counted)) => {
                *is_without = true;
                if *is_counted {
                    *is_counted = false;
                    walk.wanted -= 1;
                }
                // What it leads to was perhaps wanted until now.
                walk.queue.push((read.time, id.clone()));
                Ok(())
            }
            None => {
                if walk.known.len() >= MAX_COMMITS {
                    return Err(NotTold);
                }
                let mut read = self.commit(id)?;
                if shallow.contains(id) {
                    read.parents.clear();
                }
                walk.queue.push((read.time, id.clone()));
                walk.wanted += usize::from(!without);
                walk.known.insert(id.clone(), (read, without, !without));
                Ok(())
            }
        }
    }

    /// Commits whose parents were not fetched: gitrepository-layout(5), "shallow".
    fn shallow(&self) -> Lookup<Vec<ObjectId>> {
        let mut disk = Disk::default();
        // What they say counts in some commands and not in others.
        if disk.kind(&self.common.join("info/grafts")) != Ok(Kind::Absent) {
            return Err(NotTold);
        }
        let text = disk.text(&self.common.join("shallow")).map_err(|_| NotTold)?.unwrap_or_default();
        text.lines().map(|line| ObjectId::from_hex(line, self.objects.length).ok_or(NotTold)).collect()
    }

    /// The commit that `id` is, or that the tag of this name stands for.
    pub(crate) fn commit_of(&mut self, id: &ObjectId) -> Lookup<ObjectId> {
        let mut id = id.clone();
        for _ in 0..MAX_TAGS {
            match self.objects.read(&id)? {
                (ObjectKind::Commit, _) => return Ok(id),
                (ObjectKind::Tag, held) => {
                    let text = String::from_utf8_lossy(&held);
                    let named = text.lines().next().and_then(|line| line.strip_prefix("object "));
                    id = named.and_then(|hex| ObjectId::from_hex(hex, self.objects.length)).ok_or(NotTold)?;
                }
                _ => return Err(NotTold),
            }
        }
        Err(NotTold)
    }

    /// The files of a commit: its root folder.
    pub(super) fn tree_of(&mut self, commit: &ObjectId) -> Lookup<ObjectId> {
        let held = self.objects.read_as(commit, ObjectKind::Commit)?;
        let text = String::from_utf8_lossy(&held);
        let tree = text.lines().next().and_then(|line| line.strip_prefix("tree "));
        tree.and_then(|hex| ObjectId::from_hex(hex, self.objects.length)).ok_or(NotTold)
    }

    /// The commit that `text` names: a branch, a tag, `HEAD`, an id or its beginning; with `~2` and `^` behind it.
    /// `None`: there is none, or it is written in another way.
    pub(crate) fn revision(&mut self, text: &str) -> Lookup<Option<ObjectId>> {
        let end = text.find(['~', '^']).unwrap_or(text.len());
        let (name, mut steps) = text.split_at_checked(end).ok_or(NotTold)?;
        let places = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
        let full = |place: &str| format!("{place}{name}");
        let mut id = ObjectId::from_hex(name, self.objects.length);
        for name in places.iter().map(|place| full(place)).filter(|name| name == "HEAD" || name.starts_with("refs/")) {
            if id.is_some() {
                break;
            }
            id = self.named(&name)?;
        }
        if id.is_none() {
            id = self.abbreviated(name)?;
        }
        let Some(mut id) = id else { return Ok(None) };
        id = self.commit_of(&id)?;
        while let Some(step) = steps.chars().next() {
            steps = steps.get(1..).unwrap_or_default();
            let digits = steps.find(|character: char| !character.is_ascii_digit()).unwrap_or(steps.len());
            let (number, rest) = steps.split_at_checked(digits).ok_or(NotTold)?;
            let number: usize = if number.is_empty() { 1 } else { number.parse().map_err(|_| NotTold)? };
            let (count, which) = if step == '~' { (number, 1) } else { (1, number) };
            for _ in 0..count {
                let Some(which) = which.checked_sub(1) else { break };
                let Some(parent) = self.commit(&id)?.parents.into_iter().nth(which) else { return Ok(None) };
                id = parent;
            }
            if !rest.is_empty() && !rest.starts_with(['~', '^']) {
                return Ok(None);
            }
            steps = rest;
        }
        Ok(Some(id))
    }

    /// The only commit whose id begins with `text`: git-rev-parse(1), "Specifying revisions".
    fn abbreviated(&mut self, text: &str) -> Lookup<Option<ObjectId>> {
        let text = text.to_ascii_lowercase();
        let is_id = |digit: u8| digit.is_ascii_hexdigit();
        if text.len() < MIN_ABBREVIATION || text.len() > self.objects.length * 2 || !text.bytes().all(is_id) {
            return Ok(None);
        }
        let mut commits = Vec::new();
        for id in self.objects.beginning_with(&text)? {
            if self.objects.read(&id)?.0 == ObjectKind::Commit {
                commits.push(id);
            }
        }
        match commits.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(only.clone())),
            _ => Err(NotTold),
        }
    }

    /// The commits that the commit `id` follows, the one that was checked out first.
    pub(crate) fn parents(&mut self, id: &ObjectId) -> Lookup<Vec<ObjectId>> {
        Ok(self.commit(id)?.parents)
    }

    fn commit(&mut self, id: &ObjectId) -> Lookup<Read> {
        let held = self.objects.read_as(id, ObjectKind::Commit)?;
        let text = String::from_utf8_lossy(&held);
        let (head, message) = text.split_once("\n\n").unwrap_or((&text, ""));
        let mut read = Read { parents: Vec::new(), time: 0, subject: String::new() };
        for line in head.lines() {
            if let Some(parent) = line.strip_prefix("parent ") {
                read.parents.push(ObjectId::from_hex(parent, self.objects.length).ok_or(NotTold)?);
            } else if let Some(committer) = line.strip_prefix("committer ") {
                let time = committer.rsplit(' ').nth(1).and_then(|time| time.parse().ok());
                read.time = time.unwrap_or_default();
            }
        }
        let subject = message.lines().find(|line| !line.trim().is_empty());
        read.subject = subject.unwrap_or_default().trim().to_owned();
        Ok(read)
    }
}

/// Commits that were seen: what was read, whether it is not wanted, and whether it is counted as wanted and waiting.
struct Walk {
    known: HashMap<ObjectId, (Read, bool, bool)>,
    queue: BinaryHeap<(i64, ObjectId)>,
    /// Commits that wait and may be wanted.
    wanted: usize,
}
