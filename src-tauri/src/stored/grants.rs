//! The session allowlists.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use handraise_protocol::{Grant, Notice};
use handraise_server::{SessionStore, StoreError, StoredGrants};
use jiff::Timestamp;

use crate::notices::Notices;
use crate::stored::file::{Backend, Format, SaveError, open, save};

/// The file of the session allowlists.
pub(crate) const FORMAT: Format = Format {
    name: "grants.json",
    field: "grants",
    holds: "The session allowlists were",
    without: "Handraise starts without remembered answers and will ask again.",
};

/// Makes what a file is written with.
pub(crate) type MakeBackend = Box<dyn Fn(&Path) -> Result<Box<dyn Backend>, String> + Send + Sync>;

/// The grants that survive a restart.
pub(crate) struct GrantStore {
    folder: PathBuf,
    make: MakeBackend,
    /// `None`: the file has not been read yet, or must not be written.
    backend: Mutex<Option<Box<dyn Backend>>>,
    notices: Arc<Notices>,
}

impl GrantStore {
    /// Grants in `folder`. Nothing is touched before the server loads them, which it does when it
    /// knows that it is the only one.
    #[must_use]
    pub(crate) fn new(folder: PathBuf, make: MakeBackend, notices: Arc<Notices>) -> Self {
        Self { folder, make, backend: Mutex::new(None), notices }
    }

    fn write(&self, grants: &[Grant]) -> Result<(), SaveError> {
        let path = self.folder.join(FORMAT.name);
        let backend = self.backend.lock().unwrap_or_else(PoisonError::into_inner);
        let backend = backend.as_deref().ok_or_else(|| SaveError::NotWritable(path.display().to_string()))?;
        save(&path, FORMAT, backend, &grants)
    }
}

impl SessionStore for GrantStore {
    fn load(&self) -> Result<StoredGrants, StoreError> {
        let opened = open::<Vec<Grant>>(&self.folder, FORMAT, Timestamp::now());
        let (backend, notice) = super::backend_for(&self.folder.join(FORMAT.name), &opened, &self.make);
        *self.backend.lock().unwrap_or_else(PoisonError::into_inner) = backend;
        Ok(StoredGrants { grants: opened.value, notice })
    }

    fn save(&self, grants: &[Grant]) -> Result<(), StoreError> {
        self.write(grants).map_err(|error| {
            self.notices.add(Notice {
                title: "A session answer could not be remembered".to_owned(),
                detail: format!("{error}. Handraise asks again instead."),
            });
            StoreError(error.to_string())
        })
    }
}
