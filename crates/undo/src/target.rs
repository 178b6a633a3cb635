//! What is looked at for one call: the files that it names, and those in the folders that it names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::disk::{Followed, find};
use crate::pins::Pins;
use crate::{ContentHash, FileState, KeptFile, KeptPath, Limits, StoreError};

/// A file or folder that a call may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Below the folder of the call.
    pub path: KeptPath,
    /// It holds secrets by its name.
    pub is_secret: bool,
    /// What the call leaves, as far as its arguments say so.
    pub expected: Expected,
}

/// What a call leaves in a file, by its own arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Expected {
    /// They do not say.
    #[default]
    Unknown,
    /// This and nothing else.
    Whole(String),
    /// The text that was there with one piece replaced, where it stands first or wherever it stands.
    Replaced {
        /// The piece.
        before: String,
        /// What takes its place.
        after: String,
    },
}

impl Expected {
    fn hashes(&self, before: Option<&[u8]>) -> Vec<ContentHash> {
        match self {
            Self::Unknown => Vec::new(),
            Self::Whole(content) => vec![ContentHash::of(content.as_bytes())],
            Self::Replaced { before: piece, after } => {
                let text = std::str::from_utf8(before.unwrap_or_default()).unwrap_or_default();
                if piece.is_empty() || !text.contains(piece.as_str()) {
                    // An edit of nothing makes the file.
                    let makes = piece.is_empty() && text.is_empty();
                    return if makes { vec![ContentHash::of(after.as_bytes())] } else { Vec::new() };
                }
                let (first, every) = (text.replacen(piece.as_str(), after, 1), text.replace(piece.as_str(), after));
                let mut hashes = vec![ContentHash::of(first.as_bytes()), ContentHash::of(every.as_bytes())];
                hashes.dedup();
                hashes
            }
        }
    }
}

/// What was found, with its contents in the store. Nothing of it is taken away as long as this lives.
#[derive(Debug)]
pub struct Snapshot {
    pub(crate) files: Vec<KeptFile>,
    pub(crate) _pins: Pins,
}

impl Snapshot {
    /// The files, each once.
    #[must_use]
    pub fn files(&self) -> &[KeptFile] {
        &self.files
    }
}

/// One look at the targets of a call.
pub(crate) struct Looking<'a> {
    root: &'a Path,
    limits: &'a Limits,
    pins: Pins,
    seen: BTreeSet<KeptPath>,
    files: Vec<KeptFile>,
    /// Bytes that may still be kept.
    bytes: u64,
}

impl<'a> Looking<'a> {
    pub(crate) fn new(root: &'a Path, limits: &'a Limits, pins: Pins) -> Self {
        Self { root, limits, pins, seen: BTreeSet::new(), files: Vec::new(), bytes: limits.call_bytes }
    }

    pub(crate) fn look(mut self, targets: &[Target]) -> Result<Snapshot, StoreError> {
        for target in targets {
            match self.within(target.path.as_path()) {
                Ok(paths) => {
                    for path in paths {
                        self.one(&path, target)?;
                    }
                }
                Err(why) => self.add(&target.path.0, FileState::not_kept(why), target, Vec::new()),
            }
        }
        Ok(Snapshot { files: self.files, _pins: self.pins })
    }

    /// `path`, and whatever is in it when it is a folder.
    ///
    /// # Errors
    /// When that is too much to be kept: then none of it is.
    fn within(&self, path: &Path) -> Result<Vec<PathBuf>, String> {
        let mut found = Vec::new();
        let mut waiting = vec![path.to_owned()];
        let most = self.limits.call_files;
        let (mut names, mut bytes) = (most, self.bytes);
        while let Some(path) = waiting.pop() {
            if let Ok(Followed::At(place)) = find(self.root, &path) {
                match place.size() {
                    Some(None) if !KeptPath::from(&path).is_of_git() => {
                        let too_many = || format!("it is a folder with more than {most} files");
                        let inside = place.names(names)?.ok_or_else(too_many)?;
                        names = names.checked_sub(inside.len()).ok_or_else(too_many)?;
                        waiting.extend(inside.into_iter().map(|name| path.join(name)));
                    }
                    // Files that are too large are said to be so one by one.
                    Some(Some(size)) if size <= self.limits.file_bytes => {
                        let mebibytes = self.limits.call_bytes / (1024 * 1024);
                        bytes = bytes
                            .checked_sub(size)
                            .ok_or_else(|| format!("there are more than {mebibytes} MiB to keep for one call"))?;
                    }
                    _ => {}
                }
            }
            found.push(path);
        }
        if self.files.len().saturating_add(found.len()) > most {
            return Err(format!("the call names more than {most} files"));
        }
        Ok(found)
    }

    fn one(&mut self, path: &Path, target: &Target) -> Result<(), StoreError> {
        if KeptPath::from(path).is_of_git() {
            self.add(path, FileState::not_kept("it belongs to git"), target, Vec::new());
            return Ok(());
        }
        let place = match find(self.root, path) {
            Ok(Followed::At(place)) => place,
            Ok(Followed::NoFolder(names)) => {
                // Folders that the call makes on the way go with it.
                let way: Vec<&Path> = path.ancestors().skip(1).collect();
                for folder in way.iter().rev().filter(|folder| folder.components().count() >= names) {
                    self.add(folder, FileState::Absent, target, Vec::new());
                }
                self.add(path, FileState::Absent, target, target.expected.hashes(None));
                return Ok(());
            }
            Err(why) => {
                self.add(path, FileState::not_kept(why), target, Vec::new());
                return Ok(());
            }
        };
        let looked = place.look(self.limits.file_bytes);
        if let (Some(hash), Some(content)) = (looked.state.hash(), &looked.content) {
            self.bytes = self.bytes.saturating_sub(u64::try_from(content.len()).unwrap_or(u64::MAX));
            self.pins.put(hash, content)?;
        }
        let expected = match &looked.state {
            FileState::Absent | FileState::File { .. } => target.expected.hashes(looked.content.as_deref()),
            _ => Vec::new(),
        };
        self.add(path, looked.state, target, expected);
        Ok(())
    }

    fn add(&mut self, path: &Path, before: FileState, target: &Target, expected: Vec<ContentHash>) {
        let path = KeptPath::from(path);
        if self.seen.insert(path.clone()) {
            self.files.push(KeptFile { path, before, after: None, expected, is_secret: target.is_secret });
        }
    }
}
