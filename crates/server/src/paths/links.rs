//! Links that lead to credentials, wherever they lie in a folder: a clone may bring one, and a program that goes where links
//! lead reads what it leads to.

use std::collections::HashSet;
use std::path::Path;

use super::credentials::{CredentialSearch, Found};

impl CredentialSearch<'_> {
    /// Adds the links anywhere below `folder` that lead to credentials, and the credentials in the folders to which others
    /// lead.
    pub(super) fn links(&mut self, folder: &Path, found: &mut Found) {
        let Ok(root) = folder.canonicalize() else { return };
        // Folders that a link leads to, each once: links may lead in circles.
        let mut gone_to = HashSet::new();
        let mut waiting = vec![(folder.to_owned(), false)];
        while let Some((next, is_linked)) = waiting.pop() {
            let Some(names) = self.names_in(&next) else {
                found.is_cut = true;
                return;
            };
            for (path, kind) in names {
                if kind.is_dir() {
                    waiting.push((path, is_linked));
                } else if kind.is_symlink()
                    && let Ok(real) = path.canonicalize()
                    && real.is_dir()
                {
                    // What lies below the folder itself is looked at anyway.
                    if !real.starts_with(&root) && gone_to.insert(real) {
                        waiting.push((path, true));
                    }
                } else if (kind.is_symlink() || is_linked)
                    && self.is_one(&path, true)
                    && self.tell(&path, folder, found)
                {
                    return;
                }
            }
        }
    }
}
