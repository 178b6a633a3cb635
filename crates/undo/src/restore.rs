//! Putting back what calls have changed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use crate::disk::{Followed, NotPut, ObservedFile, find};
use crate::plan::{Chain, Doubt, chains};
use crate::store::present;
use crate::{FileState, KeptCall, KeptFile, KeptPath, NewCall, Store, StoreError};

/// What to put back, and how.
#[derive(Clone, Debug)]
pub struct Restore {
    /// Of which calls.
    pub ids: BTreeSet<String>,
    /// Also files that may have been changed by somebody else since. What is there is kept first, as always.
    pub force: bool,
    /// Only say what would be done.
    pub dry_run: bool,
    /// What this is kept as, so that it can be undone in turn.
    pub undo: NewCall,
}

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoredFile {
    /// The file.
    pub path: PathBuf,
    /// The call that has kept it.
    pub call: String,
    /// What is put back.
    pub wanted: FileState,
    /// What was there.
    pub present: FileState,
    /// It holds secrets by its name.
    pub is_secret: bool,
    /// What was done, or would be.
    pub outcome: FileOutcome,
}

/// What was done with one file, or would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileOutcome {
    /// It was put back.
    Restored,
    /// It is as it was already.
    Unchanged,
    /// A folder that the call made stays, since something is in it.
    Stays,
    /// It was left as it is.
    Refused {
        /// Why, as a clause.
        why: String,
        /// It can be put back in spite of it.
        force_helps: bool,
    },
}

/// One file on its way back.
struct Work {
    path: PathBuf,
    call: String,
    wanted: ObservedFile,
    present: ObservedFile,
    is_secret: bool,
    outcome: FileOutcome,
}

impl Store {
    /// Puts back what `restore` names. Before anything is overwritten, it is kept as the call [`Restore::undo`].
    ///
    /// # Errors
    /// When one of the calls is not known, or the store cannot be read or written. Then nothing was overwritten that is
    /// not kept.
    pub fn restore(&self, restore: Restore) -> Result<Vec<RestoredFile>, StoreError> {
        let _one = self.0.restoring.lock().unwrap_or_else(PoisonError::into_inner);
        self.finish();
        let calls = self.calls();
        if let Some(id) = restore.ids.iter().find(|id| !calls.iter().any(|kept| kept.call.id == **id)) {
            return Err(StoreError::Unknown(id.clone()));
        }
        let limit = self.limits().file_bytes;
        let mut works: Vec<Work> =
            chains(&calls, &restore.ids).iter().filter_map(|chain| self.work(chain, restore.force, limit)).collect();
        works.sort_by_key(order);
        if !restore.dry_run {
            self.carry_out(restore.undo, &mut works, limit)?;
        }
        works.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(works.into_iter().map(Work::told).collect())
    }

    /// What putting back each of the calls with these `ids` by itself would do. Calls that are not known are left out.
    #[must_use]
    pub fn examine(&self, ids: &[String]) -> Vec<(Arc<KeptCall>, Vec<RestoredFile>)> {
        let (calls, limit) = (self.calls(), self.limits().file_bytes);
        let examine = |id: &String| {
            let kept = calls.iter().find(|kept| kept.call.id == *id)?;
            let chains = chains(&calls, &BTreeSet::from([id.clone()]));
            let works = chains.iter().filter_map(|chain| self.work(chain, false, limit));
            Some((kept.clone(), works.map(Work::told).collect()))
        };
        ids.iter().filter_map(examine).collect()
    }

    /// What is to be done with one file.
    fn work(&self, chain: &Chain<'_>, force: bool, limit: u64) -> Option<Work> {
        let (call, file) = chain.first()?;
        let present = present(Path::new("/"), below_root(&chain.path), limit);
        let wanted = match file.before.hash().map(|hash| self.content(hash)).transpose() {
            Ok(content) => ObservedFile { state: file.before.clone(), content },
            Err(error) => ObservedFile::not_kept(error.to_string()),
        };
        let outcome = match (&wanted.state, &present.state) {
            (FileState::NotKept { why }, _) => FileOutcome::no(format!("it was not kept: {why}")),
            (wanted, present) if wanted == present => FileOutcome::Unchanged,
            (_, FileState::NotKept { why }) => {
                FileOutcome::no(format!("what is there now could not be kept: {why}; move it away first"))
            }
            // It goes only when nothing is in it, whoever made it.
            (FileState::Absent, FileState::Folder { .. }) => FileOutcome::Restored,
            (FileState::Folder { .. }, FileState::Folder { .. }) => doubted(chain.doubt(&present.state), force),
            (_, FileState::Folder { .. }) => FileOutcome::no("a folder is there now; move it away first"),
            (FileState::Folder { .. }, FileState::File { .. } | FileState::Link { .. }) => {
                FileOutcome::no("there was a folder, and now there is none; move away what is there first")
            }
            _ => doubted(chain.doubt(&present.state), force),
        };
        let (path, call) = (chain.path.clone(), call.call.id.clone());
        Some(Work { path, call, wanted, present, is_secret: chain.is_secret(), outcome })
    }

    /// Keeps what is there, then puts back.
    fn carry_out(&self, undo: NewCall, works: &mut [Work], limit: u64) -> Result<(), StoreError> {
        let mut pins = self.pins();
        let mut files = Vec::new();
        for work in works.iter().filter(|work| work.outcome == FileOutcome::Restored) {
            if let (Some(hash), Some(content)) = (work.present.state.hash(), &work.present.content) {
                pins.put(hash, content)?;
            }
            files.push(KeptFile {
                path: KeptPath::from(below_root(&work.path)),
                before: work.present.state.clone(),
                after: Some(work.wanted.state.clone()),
                expected: Vec::new(),
                is_secret: work.is_secret,
            });
        }
        if files.is_empty() {
            return Ok(());
        }
        let id = undo.id.clone();
        let call = NewCall { root: KeptPath::from("/"), names_all: true, is_undo: true, ..undo };
        self.replace(KeptCall { version: 1, call, files, unfinished: true })?;
        let meant = works.iter_mut().filter(|work| work.outcome == FileOutcome::Restored);
        for (number, work) in meant.enumerate() {
            if let Err(not_put) = put(work, &beside(&id, number), limit) {
                work.outcome = not_put;
            }
        }
        let Some(mut kept) = self.call(&id).map(Arc::unwrap_or_clone) else { return Ok(()) };
        let done = |file: &KeptFile| {
            let is_it = |work: &Work| below_root(&work.path) == file.path.as_path();
            works.iter().any(|work| is_it(work) && work.outcome == FileOutcome::Restored)
        };
        kept.files.retain(done);
        kept.unfinished = false;
        if kept.files.is_empty() {
            self.forget(&id);
            return Ok(());
        }
        self.replace(kept)
    }

    /// Takes away what restores have left beside files that were ended in the middle.
    fn finish(&self) {
        let limit = self.limits().file_bytes;
        let unfinished = self.calls().into_iter().filter(|kept| kept.unfinished);
        for mut kept in unfinished.map(Arc::unwrap_or_clone) {
            for (number, file) in kept.files.iter().enumerate() {
                let Ok(Followed::At(place)) = find(kept.call.root.as_path(), file.path.as_path()) else { continue };
                let known = [Some(&file.before), file.after.as_ref()];
                let known: Vec<FileState> =
                    known.into_iter().flatten().filter(|state| is_plain(state)).cloned().collect();
                place.clear(&beside(&kept.call.id, number), &known, limit);
            }
            kept.unfinished = false;
            if let Err(error) = self.replace(kept) {
                tracing::warn!(%error, "what an undo has left could not be noted");
            }
        }
    }
}

fn is_plain(state: &FileState) -> bool {
    matches!(state, FileState::File { .. } | FileState::Link { .. })
}

fn put(work: &Work, beside: &OsString, limit: u64) -> Result<(), FileOutcome> {
    let failed = |why: NotPut| match why {
        NotPut::Changed => {
            FileOutcome::Refused { why: "it was changed at this very moment".to_owned(), force_helps: true }
        }
        NotPut::Beside(name) => {
            FileOutcome::no(format!("it was changed twice at this very moment; see {name} beside it"))
        }
        NotPut::NotEmpty => FileOutcome::Stays,
        NotPut::Refused(why) => FileOutcome::no(why),
    };
    let root = Path::new("/");
    let path = below_root(&work.path);
    let place = loop {
        match find(root, path).map_err(FileOutcome::no)? {
            Followed::At(place) => break place,
            // What lay in a folder that is gone goes back with its folder.
            Followed::NoFolder(names) => {
                let folder: PathBuf = path.components().take(names).collect();
                let Followed::At(folder) = find(root, &folder).map_err(FileOutcome::no)? else {
                    return Err(FileOutcome::no("its folder is gone"));
                };
                folder.make_folder(None).map_err(failed)?;
            }
        }
    };
    let done = match (&work.wanted.state, &work.present.state) {
        (FileState::Folder { mode }, FileState::Folder { .. }) => place.change_mode(*mode),
        (FileState::Folder { mode }, _) => place.make_folder(Some(*mode)),
        (FileState::Absent, present) => place.take_away(present, beside, limit),
        (_, present) => place.put(&work.wanted, present, beside, limit),
    };
    done.map_err(failed)
}

impl Work {
    fn told(self) -> RestoredFile {
        let Self { path, call, wanted, present, is_secret, outcome } = self;
        RestoredFile { path, call, wanted: wanted.state, present: present.state, is_secret, outcome }
    }
}

impl FileOutcome {
    fn no(why: impl Into<String>) -> Self {
        Self::Refused { why: why.into(), force_helps: false }
    }
}

fn doubted(doubt: Option<Doubt>, force: bool) -> FileOutcome {
    let why = match doubt {
        _ if force => return FileOutcome::Restored,
        None => return FileOutcome::Restored,
        Some(Doubt::Changed) => "it was changed since".to_owned(),
        Some(Doubt::Unseen) => "nobody saw what the call left, so it may have been changed since".to_owned(),
        Some(Doubt::Later(id)) => format!("a later call changed it too: {id}"),
    };
    FileOutcome::Refused { why, force_helps: true }
}

/// Folders before what lies in them, and what is taken away from the inside out.
fn order(work: &Work) -> (u8, usize, PathBuf) {
    let depth = work.path.components().count();
    match work.wanted.state {
        FileState::Folder { .. } => (0, depth, work.path.clone()),
        FileState::Absent => (2, usize::MAX - depth, work.path.clone()),
        _ => (1, depth, work.path.clone()),
    }
}

fn below_root(path: &Path) -> &Path {
    path.strip_prefix("/").unwrap_or(path)
}

/// The name under which a file lies beside the one whose place it takes.
fn beside(id: &str, number: usize) -> OsString {
    format!(".handraise-undo-{id}-{number}").into()
}
