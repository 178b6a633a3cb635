//! What a call is about to change, kept first and put back when a person says so.
//!
//! ```text
//! keep      the file as it is now ──► the store, on disk before the call is answered
//! observe   the file as the call left it ──► its hash
//! restore   is it still as the call left it? ──► the kept bytes, mode, link
//! ```
//!
//! Three things always hold:
//!
//! * **What was kept is what was there.** No link is followed on the way to a file, and a file that changes while it is
//!   read is not kept.
//! * **Nothing that a person wrote is lost.** A restore refuses what is not as the calls left it. Before it overwrites
//!   anything, forced or not, what is there is kept as well.
//! * **A crash leaves a store that opens.** A file is written whole: new file, fsync, rename. What is kept stands on the
//!   disk before the record that names it.

mod content;
mod disk;
mod error;
mod inventory;
mod kept_path;
mod limits;
mod pins;
mod plan;
mod record;
mod restore;
mod store;
mod target;

pub use content::ContentHash;
pub use disk::ObservedFile;
pub use error::StoreError;
pub use kept_path::KeptPath;
pub use limits::Limits;
pub use record::{FileState, KeptCall, KeptFile, NewCall, Undoable};
pub use restore::{FileOutcome, Restore, RestoredFile};
pub use store::Store;
pub use target::{Expected, Snapshot, Target};
