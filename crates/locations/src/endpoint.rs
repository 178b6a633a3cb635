//! The discovery file: where the running server listens.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Folders, PrivateFileError, read_private, write_private};

/// Where the running server listens. Written when it listens, removed when it stops; after a crash
/// it names a place where nobody answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointFile {
    /// Version of this format: 1.
    pub version: u32,
    /// Loopback address and port.
    pub address: SocketAddr,
    /// Unix socket, where the system has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<PathBuf>,
    /// Process number of the server.
    pub pid: u32,
}

impl EndpointFile {
    /// Reads it.
    ///
    /// # Errors
    /// When it is missing (no server has been started), not private, or not readable.
    pub fn read(folders: &Folders) -> Result<Self, PrivateFileError> {
        let path = folders.endpoint_file();
        let text = read_private(&path)?;
        serde_json::from_str(&text).map_err(|error| PrivateFileError::Io { path, error: error.into() })
    }

    /// Writes it.
    ///
    /// # Errors
    /// When the runtime folder cannot be written.
    pub fn write(&self, folders: &Folders) -> Result<(), PrivateFileError> {
        let path = folders.endpoint_file();
        let text = serde_json::to_vec(self)
            .map_err(|error| PrivateFileError::Io { path: path.clone(), error: error.into() })?;
        write_private(&path, &text)
    }
}
