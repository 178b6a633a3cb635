//! The settings.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use handraise_protocol::{Notice, Settings};
use jiff::Timestamp;

use crate::stored::file::{Backend, Format, SaveError, open, save};

/// The file of the settings.
pub(crate) const FORMAT: Format = Format {
    name: "settings.json",
    field: "settings",
    holds: "The settings were",
    without: "Handraise uses its default settings.",
    has_good_copy: true,
};

/// The settings in force, and the file that they are kept in.
pub(crate) struct SettingsStore {
    path: std::path::PathBuf,
    /// `None`: the file must not be written.
    backend: Option<Box<dyn Backend>>,
    settings: Mutex<Settings>,
    first_start: bool,
}

impl SettingsStore {
    /// Reads the settings in `folder`, and tells what a person should know about that. `backend` makes
    /// what the file is written with, once it is known that it may be.
    pub(crate) fn open(
        folder: &Path,
        backend: impl FnOnce(&Path) -> Result<Box<dyn Backend>, String>,
    ) -> (Self, Option<Notice>) {
        let opened = open::<Settings>(folder, FORMAT, Timestamp::now());
        let path = folder.join(FORMAT.name);
        let (backend, notice) = super::backend_for(&path, &opened, backend);
        let store = Self { path, backend, settings: Mutex::new(opened.value), first_start: opened.is_new };
        (store, notice)
    }

    /// There was no settings file yet.
    #[must_use]
    pub(crate) fn is_first_start(&self) -> bool {
        self.first_start
    }

    /// The settings in force.
    #[must_use]
    pub(crate) fn get(&self) -> Settings {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps `settings` and puts them in force.
    ///
    /// # Errors
    /// When they cannot be saved; those before stay in force.
    pub(crate) fn set(&self, settings: Settings) -> Result<(), SaveError> {
        let mut current = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        let backend = self.backend.as_deref().ok_or_else(|| SaveError::NotWritable(self.path.display().to_string()))?;
        save(&self.path, FORMAT, backend, &settings)?;
        *current = settings;
        Ok(())
    }
}
