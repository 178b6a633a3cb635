//! A project, a store, and whoever changes files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use handraise_undo::{
    Expected, FileOutcome, FileState, KeptCall, KeptPath, Limits, NewCall, Restore, RestoredFile, Store, Target,
};
use jiff::Timestamp;

pub(crate) const NOW: Timestamp = Timestamp::UNIX_EPOCH;

/// A project beside a store.
pub(crate) struct World {
    pub(crate) root: tempfile::TempDir,
    pub(crate) project: PathBuf,
    pub(crate) store: Store,
    calls: u32,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> Self {
        let root = tempfile::tempdir().unwrap();
        let real = root.path().canonicalize().unwrap();
        let project = real.join("project");
        std::fs::create_dir(&project).unwrap();
        let store = Store::open(&real.join("kept"), limits, NOW).unwrap();
        Self { root, project, store, calls: 0 }
    }

    /// The same store, opened anew.
    pub(crate) fn reopened(self) -> Self {
        let limits = self.store.limits();
        let store = Store::open(&self.root.path().canonicalize().unwrap().join("kept"), limits, NOW).unwrap();
        Self { store, ..self }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.project.join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn next_id(&mut self) -> String {
        self.calls += 1;
        format!("{:08x}", self.calls)
    }

    pub(crate) fn call(&mut self) -> NewCall {
        let id = self.next_id();
        NewCall {
            id,
            at: NOW,
            requester: "claude-code".into(),
            agent: Some("claude-code".into()),
            session: Some("s".into()),
            tool: "Write".into(),
            title: "Write a".into(),
            root: KeptPath::from(&self.project),
            names_all: true,
            is_undo: false,
        }
    }

    pub(crate) fn keep_targets(&mut self, targets: &[Target]) -> Arc<KeptCall> {
        let call = self.call();
        let look = self.store.look(&self.project, targets).unwrap();
        self.store.keep(call, look).unwrap().unwrap()
    }

    /// Keeps the files with these names for a new call.
    pub(crate) fn keep(&mut self, names: &[&str]) -> Arc<KeptCall> {
        let targets: Vec<Target> = names.iter().map(target).collect();
        self.keep_targets(&targets)
    }

    /// A whole edit: kept, written, and seen to be over.
    pub(crate) fn edit(&mut self, name: &str, content: &str) -> String {
        let id = self.keep(&[name]).call.id.clone();
        self.write(name, content);
        self.store.observe(&id).unwrap();
        id
    }

    pub(crate) fn restore_with(&mut self, ids: &[&str], force: bool, dry_run: bool) -> Vec<RestoredFile> {
        let undo = self.call();
        let ids: BTreeSet<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        self.store.restore(Restore { ids, force, dry_run, undo }).unwrap()
    }

    pub(crate) fn restore(&mut self, ids: &[&str]) -> Vec<RestoredFile> {
        self.restore_with(ids, false, false)
    }

    /// What became of the one file.
    pub(crate) fn outcome(&mut self, id: &str) -> FileOutcome {
        let files = self.restore(&[id]);
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].outcome.clone()
    }
}

pub(crate) fn target(name: impl AsRef<Path>) -> Target {
    Target { path: KeptPath::from(name.as_ref()), is_secret: false, expected: Expected::Unknown }
}

pub(crate) fn why(state: &FileState) -> &str {
    match state {
        FileState::NotKept { why } => why,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn refused(outcome: &FileOutcome) -> (&str, bool) {
    match outcome {
        FileOutcome::Refused { why, force_helps } => (why, *force_helps),
        other => panic!("{other:?}"),
    }
}

/// What nothing in the project should be called after a restore.
pub(crate) fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().contains(".handraise-")).collect()
}
