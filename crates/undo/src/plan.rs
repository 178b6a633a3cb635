//! Whether a file may be put back: is it still as the calls left it that are to be undone?

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::{FileState, KeptCall, KeptFile};

/// What every call since has kept of one file, the oldest first.
#[derive(Debug)]
pub(crate) struct Chain<'a> {
    /// The file.
    pub(crate) path: PathBuf,
    /// The first one is to be undone: what it found is what is put back.
    links: Vec<Link<'a>>,
}

#[derive(Debug)]
struct Link<'a> {
    call: &'a KeptCall,
    file: &'a KeptFile,
    /// It is to be undone, or was made by an undo.
    is_meant: bool,
}

/// Why a file is left as it is, unless a person says that it is to be put back anyway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Somebody else has changed it since.
    Changed,
    /// What the call left was never seen.
    Unseen,
    /// Another call has changed it since, which is not to be undone.
    Later(String),
}

/// The files of the calls with these `ids`, each with what every call since has kept of it.
pub(crate) fn chains<'a>(calls: &'a [Arc<KeptCall>], ids: &BTreeSet<String>) -> Vec<Chain<'a>> {
    let mut chains: BTreeMap<PathBuf, Vec<Link<'a>>> = BTreeMap::new();
    // Ids sort by time, and the calls by their ids.
    let first = ids.first();
    for call in calls.iter().skip_while(|kept| first.is_some_and(|first| kept.call.id < *first)) {
        let is_selected = ids.contains(&call.call.id);
        for file in &call.files {
            let path = call.call.root.as_path().join(file.path.as_path());
            let is_meant = is_selected || call.call.is_undo;
            match chains.get_mut(&path) {
                Some(links) => links.push(Link { call, file, is_meant }),
                None if is_selected => drop(chains.insert(path, vec![Link { call, file, is_meant }])),
                None => {}
            }
        }
    }
    chains.into_iter().map(|(path, links)| Chain { path, links }).collect()
}

impl<'a> Chain<'a> {
    /// What is put back, and of which call.
    pub(crate) fn first(&self) -> Option<(&'a KeptCall, &'a KeptFile)> {
        self.links.first().map(|link| (link.call, link.file))
    }

    /// Whether it holds secrets by its name.
    pub(crate) fn is_secret(&self) -> bool {
        self.links.iter().any(|link| link.file.is_secret)
    }

    /// What speaks against putting it back while it is `present`: each call has to have left what the next one found,
    /// and the last one what is there now.
    pub(crate) fn doubt(&self, present: &FileState) -> Option<Doubt> {
        self.links.iter().enumerate().find_map(|(index, link)| {
            let next = self.links.get(index + 1).map_or(present, |next| &next.file.before);
            if !next.is_known() {
                return Some(Doubt::Unseen);
            }
            match link.file.left(next) {
                Some(true) if link.is_meant || *next == link.file.before => None,
                Some(true) => Some(Doubt::Later(link.call.call.id.clone())),
                Some(false) => Some(Doubt::Changed),
                None => Some(Doubt::Unseen),
            }
        })
    }
}
