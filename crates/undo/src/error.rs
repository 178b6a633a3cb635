//! Why something cannot be kept or put back.

use std::path::{Path, PathBuf};

use handraise_locations::PrivateFileError;

/// Why something cannot be kept or put back.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
    /// A folder of the store is not this user's alone.
    #[error(transparent)]
    NotPrivate(#[from] PrivateFileError),
    /// What a file held is not what was kept any more.
    #[error("{} is damaged: it does not hold what was kept", .0.display())]
    Damaged(PathBuf),
    /// A record cannot be written as JSON.
    #[error("a record cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// An id that is none.
    #[error("`{0}` is no id of a call")]
    NoId(String),
    /// More is kept at this moment than there is room for.
    #[error("there is no room in the store for so much at once")]
    Full,
    /// Nothing is known of a call.
    #[error("nothing is kept of the call {0}")]
    Unknown(String),
}

impl StoreError {
    pub(crate) fn io(path: &Path, error: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }
}
