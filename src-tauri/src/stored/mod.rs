//! Settings and grants in the files of tauri-plugin-store, with what that plugin leaves
//! out: files are checked before they count, a save is durable, and of the settings there is always a good copy.

pub(crate) mod file;
pub(crate) mod grants;
pub(crate) mod plugin;
pub(crate) mod settings;

use std::path::Path;

use handraise_protocol::Notice;

use self::file::{Backend, Opened};

/// What the file at `path` is written with, if it may be written at all, and what to tell about it.
pub(crate) fn backend_for<T>(
    path: &Path,
    opened: &Opened<T>,
    make: impl FnOnce(&Path) -> Result<Box<dyn Backend>, String>,
) -> (Option<Box<dyn Backend>>, Option<Notice>) {
    if !opened.writable {
        return (None, opened.notice.clone());
    }
    match make(path) {
        Ok(backend) => (Some(backend), opened.notice.clone()),
        Err(reason) => {
            let title = "Handraise cannot save anything".to_owned();
            let detail = format!("{} cannot be opened for writing: {reason}", path.display());
            (None, Some(Notice { title, detail }))
        }
    }
}
