//! What the file system tells: the only part of a look that can hang.

use std::path::PathBuf;

use handraise_policy::{Contradiction, Provenance, ProvenanceRepository};

use super::repository::{common_folder_of, repository};

/// Folders to look into.
#[derive(Clone, Debug, Default)]
pub(super) struct Folders {
    /// The working folder of the agent.
    pub(super) agent: Option<PathBuf>,
    /// The folder that is claimed, and those of the processes behind a hook.
    pub(super) claimed: Option<(PathBuf, Vec<PathBuf>)>,
}

/// What was found there.
#[derive(Debug)]
pub(super) struct FolderFindings {
    repository: Option<ProvenanceRepository>,
    contradiction: Option<Contradiction>,
}

impl Folders {
    pub(super) fn look(self) -> FolderFindings {
        FolderFindings {
            repository: self.agent.as_deref().and_then(repository),
            contradiction: self.claimed.and_then(|(claimed, folders)| contradiction(claimed, &folders)),
        }
    }
}

impl FolderFindings {
    pub(super) fn add_to(self, mut provenance: Provenance) -> Provenance {
        provenance.repository = self.repository;
        provenance.contradictions.extend(self.contradiction);
        provenance
    }
}

/// It is enough when one of the `folders` is near the one that is claimed: above it, below it, or in
/// another worktree of the same repository.
fn contradiction(claimed: PathBuf, folders: &[PathBuf]) -> Option<Contradiction> {
    // A folder that is not there cannot be compared.
    let real = claimed.canonicalize().ok()?;
    if folders.iter().any(|folder| folder.starts_with(&real) || real.starts_with(folder)) {
        return None;
    }
    let repository = common_folder_of(&real);
    if repository.is_some() && folders.iter().any(|folder| common_folder_of(folder) == repository) {
        return None;
    }
    let found = folders.last()?.to_string_lossy().into_owned();
    Some(Contradiction::OtherFolder { claimed: claimed.to_string_lossy().into_owned(), found })
}
