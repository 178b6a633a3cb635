//! What a command makes in a folder that it names last: `cp a.txt src` changes `src/a.txt`.

use handraise_shell::{ChangesHere, NamedChanges, Part, changes};

/// The paths that `part` changes in the folder that it names last, should that be a folder; each is written as a
/// [`PathCandidate`](crate::PathCandidate) is.
pub(super) fn into_folders(part: &Part) -> Vec<String> {
    match changes(part, false).here {
        ChangesHere::Named(named) => in_last(part, &named).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// `None`: what it changes in a folder that it names last cannot be told.
pub(crate) fn in_last(part: &Part, named: &NamedChanges) -> Option<Vec<String>> {
    let names = named.into_folder.as_ref()?;
    let folder = || named.words.iter().rev().find(|word| !word.text.starts_with('-'));
    match (names.as_slice(), folder()) {
        ([], _) => Some(Vec::new()),
        (_, None) => None,
        (names, Some(folder)) => {
            let folder = part.path(folder)?;
            Some(names.iter().map(|name| format!("{}/{name}", folder.trim_end_matches('/'))).collect())
        }
    }
}
