//! What the file system says about the paths of a call.

use std::collections::BTreeMap;

use super::Protection;

/// What the file system says about the paths of one call, by the text of each [`crate::PathCandidate`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathFacts(BTreeMap<String, ResolvedPath>);

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedPath {
    /// Absolute, every symbolic link resolved by the real file system; of what does not exist yet,
    /// the part that exists is resolved and the rest follows it.
    pub path: String,
    /// The same file (device and inode) as a protected one, under whatever name.
    pub protected: Option<Protection>,
    /// It holds credentials, or would if it were there, by its name or that of a link to it.
    pub is_credential: bool,
    /// There is nothing there yet.
    pub is_missing: bool,
    /// Then the first of its folders that is not there either, or itself: absolute, every link resolved. `None` as well:
    /// nobody can tell, as where a file stands in the place of a folder.
    pub missing_from: Option<String>,
    /// A file or folder among the temporary ones that calls of this session have made, where nothing was.
    pub is_made_by_session: bool,
    /// It is a folder.
    pub is_folder: bool,
    /// A folder that a tool fills anew, and in which git knows a file, or nobody can tell whether it does.
    pub holds_tracked: bool,
    /// What is there can be kept before it changes: nothing yet, or a file that is not too large and has no other name.
    pub is_keepable: bool,
    /// Of a folder that was to be searched, or of a pattern: files in it that hold credentials.
    pub holds: Vec<HeldCredential>,
    /// Of a pattern that was looked up for its names: those that it finds.
    pub names: Vec<String>,
    /// There was too much to look at: it may hold more, links above all.
    pub is_cut: bool,
}

impl ResolvedPath {
    /// A path that is no protected file under another name.
    #[must_use]
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            protected: None,
            is_credential: false,
            is_missing: false,
            missing_from: None,
            is_made_by_session: false,
            is_folder: false,
            holds_tracked: false,
            is_keepable: true,
            holds: Vec::new(),
            names: Vec::new(),
            is_cut: false,
        }
    }
}

impl PathFacts {
    /// Where `text` leads; `None`: nobody has looked, or it cannot be told.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<&ResolvedPath> {
        self.0.get(text)
    }
}

impl FromIterator<(String, ResolvedPath)> for PathFacts {
    fn from_iter<I: IntoIterator<Item = (String, ResolvedPath)>>(facts: I) -> Self {
        Self(facts.into_iter().collect())
    }
}

/// A file that holds credentials, in a folder that was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldCredential {
    /// Its path from the folder.
    pub path: String,
    /// A `.gitignore` leaves it out, so that programs that heed these pass it over.
    pub is_ignored: bool,
    /// A file of such a kind says that it is not left out, so that some of them read it though it is hidden.
    pub is_taken_back: bool,
    /// It is a link.
    pub is_link: bool,
    /// Its repository holds it already.
    pub is_tracked: bool,
}

impl HeldCredential {
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.path.split('/').any(|component| component.starts_with('.'))
    }
}
