//! Where Handraise keeps what on this machine.
//!
//! Locations come from the user database and from a program's own flags, never from environment
//! variables: a project's settings can set those for the programs that an agent starts.

mod endpoint;
mod folders;
mod private_file;
mod tool_folders;
#[cfg(target_os = "linux")]
mod user_database;

pub use endpoint::EndpointFile;
pub use folders::{DEFAULT_REQUESTER, Folders, FoldersError, home, matching};
pub use private_file::{PrivateFileError, check_room, create_private_folder, read_private, sync_file, write_private};
pub use tool_folders::TOOL_FOLDERS;
