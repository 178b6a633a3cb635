//! What a text has to hold in order to name a protected path.

use handraise_shell::path::components;

use crate::path::{ProtectedPath, Protection};

/// A protected path in small letters.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) path: String,
    /// Its last component.
    pub(super) name: String,
    /// The one before it.
    pub(super) folder: Option<String>,
    pub(super) protection: Protection,
}

impl Named {
    pub(super) fn of(protected: &ProtectedPath) -> Self {
        let path = protected.path.to_lowercase();
        let mut from_end = components(&path).rev().map(str::to_owned);
        let (name, folder) = (from_end.next().unwrap_or_default(), from_end.next());
        drop(from_end);
        Self { path, name, folder, protection: protected.protection }
    }
}
