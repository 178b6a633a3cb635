//! Contents that nothing names yet, and that stay all the same.

use std::sync::Arc;

use crate::inventory::Inventory;
use crate::{ContentHash, StoreError};

/// Contents that stay as long as this lives.
#[derive(Debug)]
pub(crate) struct Pins {
    inventory: Arc<Inventory>,
    held: Vec<ContentHash>,
}

impl Pins {
    /// None yet.
    pub(crate) fn of(inventory: Arc<Inventory>) -> Self {
        Self { inventory, held: Vec::new() }
    }

    /// Brings a content to the disk.
    pub(crate) fn put(&mut self, hash: ContentHash, content: &[u8]) -> Result<(), StoreError> {
        // Needed first: from now on nobody takes it away.
        *self.inventory.lock().needed.entry(hash).or_default() += 1;
        self.held.push(hash);
        self.inventory.contents.put(hash, content)?;
        let bytes = u64::try_from(content.len()).unwrap_or(u64::MAX);
        self.inventory.lock().sizes.insert(hash, bytes);
        Ok(())
    }
}

impl Drop for Pins {
    fn drop(&mut self) {
        let mut index = self.inventory.lock();
        let free = index.release(&self.held);
        self.inventory.free(&mut index, &free);
    }
}
