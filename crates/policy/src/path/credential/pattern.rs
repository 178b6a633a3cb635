//! Files that a pattern finds, to be looked for on the disk.

use super::FolderSearch;
use crate::path::WordPath;
use handraise_shell::path::expanded;

/// What a pattern finds from a folder on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundNames {
    /// The folder, as in [`crate::path::PathCandidate`].
    folder: String,
    pattern: String,
    hidden: bool,
}

impl FoundNames {
    /// What a shell finds for `path`; `None`: it is no pattern.
    pub(crate) fn of_path(path: &WordPath) -> Option<Self> {
        let WordPath::Below { folder, component, rest } = path else { return None };
        Some(Self { folder: folder.clone(), pattern: format!("{component}{rest}"), hidden: false })
    }

    /// What a tool finds for `text`, a pattern of a library: braces are written out, and what shells do not know stands
    /// for any name.
    pub(super) fn of_tool(text: &str) -> Vec<Self> {
        let written_out = expanded(text);
        let texts = if written_out.is_empty() { vec![text.to_owned()] } else { written_out };
        let loose = |name: &str| match name {
            // Braces that were not written out may hold a `/`.
            name if name.contains(['{', '}']) => "**".to_owned(),
            name if name.contains(['(', '|', '!']) => "*".to_owned(),
            name => name.to_owned(),
        };
        let found = texts.into_iter().map(|text| {
            let (folder, text) = text.strip_prefix('/').map_or((".", text.as_str()), |rest| ("/", rest));
            let names: Vec<String> = text.split('/').map(loose).collect();
            Self { folder: folder.to_owned(), pattern: names.join("/"), hidden: true }
        });
        found.filter(|found| !found.pattern.is_empty()).collect()
    }

    /// The text of its [`crate::path::PathCandidate`].
    pub(crate) fn text(&self) -> String {
        let slash = if self.folder.ends_with('/') { "" } else { "/" };
        format!("{}{slash}{}", self.folder, self.pattern)
    }

    /// How it is looked for; `folders`: what lies in a folder that it finds is read.
    pub(crate) fn search(&self, folders: bool) -> FolderSearch {
        FolderSearch::Found { pattern: self.pattern.clone(), hidden: self.hidden, folders }
    }

    /// Whether it stands for other names than its letters.
    pub(crate) fn is_pattern(&self) -> bool {
        self.pattern.contains(['*', '?', '['])
    }

    /// The pattern.
    pub(crate) fn pattern(&self) -> &str {
        &self.pattern
    }
}
