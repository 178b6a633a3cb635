//! What a file holds that a call is about to write, for the person who is asked: a new text alone does not say what it
//! takes away.

use std::path::Path;

use handraise_policy::{Request, Subject};

use super::PathResolver;
use crate::disk::{Disk, Kind, MAX_FILE};

/// What is at the place that a call writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OnDisk {
    /// This text.
    Text(String),
    /// No text, of so many bytes.
    Binary(u32),
    /// It is not shown, and why: a clause.
    Unseen(String),
}

impl PathResolver {
    /// What the file holds that `request` writes or edits. `None`: it writes none, or nothing is there. Looks at the file
    /// system.
    pub(crate) fn on_disk(&self, request: &Request) -> Option<OnDisk> {
        let (Subject::Write { path, .. } | Subject::Edit { path, .. }) = &request.subject else { return None };
        let resolved = request.paths.get(path)?;
        if resolved.is_missing || resolved.is_folder {
            return None;
        }
        if resolved.is_credential {
            return Some(OnDisk::Unseen("it is known to hold credentials".to_owned()));
        }
        let (mut disk, place) = (Disk::default(), Path::new(&resolved.path));
        // It may have gone since it was looked up.
        if disk.kind(place) == Ok(Kind::Absent) {
            return None;
        }
        match disk.read(place, MAX_FILE) {
            Ok(None) => None,
            Ok(Some(held)) if held.contains(&0) => Some(binary(held.len())),
            Ok(Some(held)) => {
                let length = held.len();
                Some(String::from_utf8(held).map_or_else(|_| binary(length), OnDisk::Text))
            }
            Err(why) => Some(OnDisk::Unseen(why)),
        }
    }
}

fn binary(length: usize) -> OnDisk {
    OnDisk::Binary(u32::try_from(length).unwrap_or(u32::MAX))
}
