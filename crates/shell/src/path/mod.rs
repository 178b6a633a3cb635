//! Paths by their letters alone: their components, what braces make of them, and which name credentials.
//!
//! Architecture invariant: whole components are compared, never the beginnings of strings.

mod braces;
mod components;
mod credential_files;
mod credential_table;
mod literals;
mod places;
mod source_ending;

pub use braces::{expanded, is_one};
pub use components::{NamePattern, components, is_named, is_within, lexical, may_find, may_match};
pub use credential_files::{
    is_broad_folder, is_credential, is_credential_name, is_shared_folder, known_credentials, may_be_found,
    may_be_named_in, may_find_secret, may_hold,
};
pub use literals::Literals;
pub use places::Places;
pub(crate) use source_ending::ends_like_source;
