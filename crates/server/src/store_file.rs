//! Grants in one JSON file, for a server without a desktop.

use std::path::PathBuf;

use handraise_locations::{read_private, write_private};
use handraise_protocol::{Grant, Notice};
use serde::{Deserialize, Serialize};

use crate::{GrantList, ListedGrants, StoreError};

/// Grants in one JSON file.
#[derive(Clone, Debug)]
pub struct FileStore {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    grants: Vec<Grant>,
}

impl FileStore {
    /// Grants in the file at `path`, made when it is first needed.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Puts a file that cannot be read aside, so that nothing of it is lost and nothing of it counts.
    fn set_aside(&self, why: &str) -> Result<ListedGrants, StoreError> {
        let aside = self.path.with_extension(format!("damaged-{}.json", jiff::Timestamp::now().as_second()));
        std::fs::rename(&self.path, &aside).map_err(|error| StoreError(error.to_string()))?;
        let notice = Notice {
            title: "The earlier answers were damaged".to_owned(),
            detail: format!("It was set aside as {} ({why}). The audit log says which of them hold.", aside.display()),
        };
        Ok(ListedGrants { grants: None, notice: Some(notice) })
    }
}

impl GrantList for FileStore {
    fn load(&self) -> Result<ListedGrants, StoreError> {
        let text = match read_private(&self.path) {
            Ok(text) => text,
            Err(error) if error.is_missing() => return Ok(ListedGrants { grants: Some(Vec::new()), notice: None }),
            Err(error) => return self.set_aside(&error.to_string()),
        };
        match serde_json::from_str::<File>(&text) {
            Ok(File { version: 1, grants }) => Ok(ListedGrants { grants: Some(grants), notice: None }),
            Ok(File { version, .. }) => self.set_aside(&format!("its version {version} is not known here")),
            Err(error) => self.set_aside(&error.to_string()),
        }
    }

    fn save(&self, grants: &[Grant]) -> Result<(), StoreError> {
        let file = File { version: 1, grants: grants.to_vec() };
        let text = serde_json::to_vec_pretty(&file).map_err(|error| StoreError(error.to_string()))?;
        write_private(&self.path, &text).map_err(|error| StoreError(error.to_string()))
    }
}
