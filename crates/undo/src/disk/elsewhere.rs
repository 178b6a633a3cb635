//! A system without the calls that this takes: nothing is kept, and that is said.

use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::path::Path;

use super::{Followed, NotPut, ObservedFile};
use crate::FileState;

const WHY: &str = "this system has no way to look at a file without following links";

/// A name in a folder. There is none here.
#[derive(Debug)]
pub(crate) enum FolderEntry {}

pub(crate) fn find(_: &Path, _: &Path) -> Result<Followed, String> {
    Err(WHY.to_owned())
}

pub(crate) fn is_keepable(_: &Metadata, _: u64) -> bool {
    false
}

impl FolderEntry {
    pub(crate) fn look(&self, _: u64) -> ObservedFile {
        match *self {}
    }

    pub(crate) fn size(&self) -> Option<Option<u64>> {
        match *self {}
    }

    pub(crate) fn names(&self, _: usize) -> Result<Option<Vec<OsString>>, String> {
        match *self {}
    }

    pub(crate) fn make_folder(&self, _: Option<u32>) -> Result<(), NotPut> {
        match *self {}
    }

    pub(crate) fn change_mode(&self, _: u32) -> Result<(), NotPut> {
        match *self {}
    }

    pub(crate) fn put(&self, _: &ObservedFile, _: &FileState, _: &OsStr, _: u64) -> Result<(), NotPut> {
        match *self {}
    }

    pub(crate) fn take_away(&self, _: &FileState, _: &OsStr, _: u64) -> Result<(), NotPut> {
        match *self {}
    }

    pub(crate) fn clear(&self, _: &OsStr, _: &[FileState], _: u64) {
        match *self {}
    }
}
