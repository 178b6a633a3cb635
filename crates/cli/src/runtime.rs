//! The small asynchronous runtime of every command that speaks to the server.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// A runtime on this thread alone.
///
/// # Errors
/// When the system gives no more descriptors.
pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}
