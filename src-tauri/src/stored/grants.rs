//! The list of grants that a person can read. The audit log is the truth about them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use handraise_protocol::Grant;
use handraise_server::{GrantList, ListedGrants, StoreError};
use jiff::Timestamp;

use crate::stored::file::{Backend, Format, SaveError, open, save};

/// The file of the list of grants.
pub(crate) const FORMAT: Format = Format {
    name: "grants.json",
    field: "grants",
    holds: "The list of remembered answers was",
    without: "The audit log says which of them hold.",
    // The audit log has the grants.
    has_good_copy: false,
};

/// Makes what a file is written with.
pub(crate) type MakeBackend = Box<dyn Fn(&Path) -> Result<Box<dyn Backend>, String> + Send + Sync>;

/// The list of grants that a person can read.
pub(crate) struct GrantFile {
    folder: PathBuf,
    make: MakeBackend,
    /// `None`: the file has not been read yet, or must not be written.
    backend: Mutex<Option<Box<dyn Backend>>>,
}

impl GrantFile {
    /// Grants in `folder`. Nothing is touched before the server loads them, which it does when it
    /// knows that it is the only one.
    #[must_use]
    pub(crate) fn new(folder: PathBuf, make: MakeBackend) -> Self {
        Self { folder, make, backend: Mutex::new(None) }
    }
}

impl GrantList for GrantFile {
    fn load(&self) -> Result<ListedGrants, StoreError> {
        let opened = open::<Vec<Grant>>(&self.folder, FORMAT, Timestamp::now());
        let (backend, notice) = super::backend_for(&self.folder.join(FORMAT.name), &opened, &self.make);
        *self.backend.lock().unwrap_or_else(PoisonError::into_inner) = backend;
        Ok(ListedGrants { grants: opened.is_valid.then_some(opened.value), notice })
    }

    fn save(&self, grants: &[Grant]) -> Result<(), StoreError> {
        let path = self.folder.join(FORMAT.name);
        let backend = self.backend.lock().unwrap_or_else(PoisonError::into_inner);
        let writable = backend.as_deref().ok_or_else(|| SaveError::NotWritable(path.display().to_string()));
        writable
            .and_then(|backend| save(&path, FORMAT, backend, &grants))
            .map_err(|error| StoreError(error.to_string()))
    }
}
