//! Paths that a call names, and what the file system says about them.
//!
//! Architecture invariant: the owner of the gate looks at the file system; the gate compares whole
//! components of what it is told, never the beginnings of strings.

mod candidate;
mod credential;
mod into_folder;
mod loose;
mod turning_back;
mod word_path;

pub use crate::facts::{HeldCredential, PathFacts, ProtectedPath, Protection, ResolvedPath};
pub use candidate::{MAX_PATH_LENGTH, MAX_PATHS, PathCandidate};
pub use credential::FolderSearch;
pub(crate) use credential::{
    CredentialReader, FoundNames, OptionNames, TakenFolder, implied_reads, option_values, shows_input,
};
pub(crate) use into_folder::in_last;
pub(crate) use loose::{argument_texts, loose_paths};
pub(crate) use turning_back::{call_turns_back, part_turns_back, word_turns_back};
pub(crate) use word_path::{
    WordPath, found_paths, mounted_paths, named_from_project, part_paths, read_paths, seen_from_project, word_paths,
    working_folder,
};
