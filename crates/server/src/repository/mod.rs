//! A repository of git, read from its files. Git is not run: the repository belongs to whoever asks, and its
//! configuration can name programs.
//!
//! Nothing of it is mapped into memory, since its owner may cut the file short meanwhile. Whatever is not understood is
//! no answer: a person is told nothing then.

#[cfg(unix)]
mod changed;
#[cfg(unix)]
mod difference;
#[cfg(unix)]
mod history;
#[cfg(unix)]
mod ignored;
pub(crate) mod index;
#[cfg(unix)]
mod lookup;
#[cfg(unix)]
mod object;
#[cfg(unix)]
mod objects;
#[cfg(unix)]
mod opened;
#[cfg(unix)]
mod pack;
#[cfg(unix)]
mod refs;
mod settings;

#[cfg(unix)]
pub(crate) use changed::{FileState, KnownFiles, is_repository};
#[cfg(unix)]
pub(crate) use history::Commit;
#[cfg(unix)]
pub(crate) use ignored::Ignored;
#[cfg(unix)]
pub(crate) use lookup::{Lookup, NotTold, Until};
#[cfg(unix)]
pub(crate) use object::ObjectId;
#[cfg(unix)]
pub(crate) use opened::Repository;
pub(crate) use settings::{included_settings, named_file, named_files};
