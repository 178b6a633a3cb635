//! Writes of the policy's files: on a disk that does not answer, they take for ever.

use std::path::PathBuf;

use handraise_locations::{PrivateFileError, write_private};
use jiff::Timestamp;

use super::PolicyText;
use super::edit::{EditError, PolicyEdit, edited};
use super::file;
use super::text::RefusedText;

/// A write that is to be done, on a thread that nobody waits for.
#[derive(Clone, Debug)]
pub(crate) enum PolicyWrite {
    /// A text into the file that a person writes.
    Text {
        /// The file.
        path: PathBuf,
        /// What it is to hold.
        text: Box<PolicyText>,
    },
    /// The confirmed text with one change into the same file.
    Edit {
        /// The file.
        path: PathBuf,
        /// The text that is changed.
        text: String,
        /// The change.
        edit: PolicyEdit,
    },
    /// A text into the same file, and what was there beside it.
    SetAside {
        /// The file.
        path: PathBuf,
        /// What it is to hold.
        text: Box<PolicyText>,
        /// When that is, for the name of the other file.
        at: Timestamp,
    },
    /// The confirmed text into its copy.
    Copy {
        /// The copy.
        path: PathBuf,
        /// The text.
        text: String,
    },
}

/// What a write has left.
#[derive(Debug)]
pub(crate) struct PolicyWritten {
    /// What the file that a person writes holds now; `None`: it was not written.
    pub(crate) text: Option<PolicyText>,
    /// The file that is now what was there.
    pub(crate) aside: Option<PathBuf>,
}

/// Why a policy was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PolicyWriteError {
    /// The change cannot be made in this text.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// What would come of the change cannot be used.
    #[error("the changed policy cannot be used: {0}")]
    Refused(RefusedText),
    /// The file.
    #[error(transparent)]
    File(#[from] PrivateFileError),
}

impl PolicyWrite {
    /// Does it.
    ///
    /// # Errors
    /// When it cannot be done; the file is as it was then.
    pub(crate) fn write(self) -> Result<PolicyWritten, PolicyWriteError> {
        let written = |text| PolicyWritten { text: Some(text), aside: None };
        match self {
            Self::Text { path, text } => {
                file::write(&path, &text.text)?;
                Ok(written(*text))
            }
            Self::Edit { path, text, edit } => {
                let text = PolicyText::read(edited(&text, &edit)?).map_err(PolicyWriteError::Refused)?;
                file::write(&path, &text.text)?;
                Ok(written(text))
            }
            Self::SetAside { path, text, at } => {
                let there = file::read(&path).ok();
                let aside = path.with_extension(format!("discarded-{}.toml", at.as_millisecond()));
                if let Some(there) = &there {
                    write_private(&aside, there.as_bytes())?;
                }
                file::write(&path, &text.text)?;
                Ok(PolicyWritten { aside: there.is_some().then_some(aside), ..written(*text) })
            }
            Self::Copy { path, text } => {
                write_private(&path, text.as_bytes())?;
                Ok(PolicyWritten { text: None, aside: None })
            }
        }
    }
}
