//! A stored file by way of tauri-plugin-store.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};
use tauri::{AppHandle, Wry};
use tauri_plugin_store::{Store, StoreExt};

use crate::stored::file::Backend;

/// A file that the plugin writes.
pub(crate) struct PluginFile {
    store: Arc<Store<Wry>>,
}

impl PluginFile {
    /// The file at `path`, an absolute path. The plugin reads it once more here; what counts has been
    /// read before.
    ///
    /// # Errors
    /// When the plugin refuses the path.
    pub(crate) fn open(app: &AppHandle, path: &Path) -> Result<Box<dyn Backend>, String> {
        let store = app.store_builder(path).disable_auto_save().build().map_err(|error| error.to_string())?;
        // The plugin saves every store that it knows when the program exits, also one whose last save
        // was refused. What it does not know it cannot save.
        store.close_resource();
        Ok(Box::new(Self { store }))
    }
}

impl Backend for PluginFile {
    fn write(&self, fields: Map<String, Value>) -> Result<(), String> {
        self.store.clear();
        for (name, value) in fields {
            self.store.set(name, value);
        }
        self.store.save().map_err(|error| error.to_string())
    }
}
