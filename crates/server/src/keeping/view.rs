//! What was kept, as it is put before a person.

use std::path::Path;

use handraise_display::line;
use handraise_protocol::{DiffLine, FileChange, KeptCall, KeptFile, RequestId, UndoOutcome, Undoable};
use handraise_undo::{self as undo, FileOutcome, FileState, RestoredFile, Store};
use uuid::Uuid;

use crate::redacted::RequestRedactor;
use crate::view::changes;

/// Longest path, in characters.
const MAX_PATH: usize = 200;
/// Longest title, in characters.
const MAX_TITLE: usize = 200;
/// Longest file that is compared line by line, in bytes.
const MAX_COMPARED: u64 = 256 * 1024;
/// Lines of a difference that are shown.
const MAX_LINES: usize = 400;

/// A kept call with what putting it back would do. With differences when there is a `redactor` for them. `None`: it has an
/// id that is none of ours.
pub(crate) fn kept_call(
    store: &Store,
    kept: &undo::KeptCall,
    outcomes: &[RestoredFile],
    redactor: Option<&RequestRedactor>,
) -> Option<KeptCall> {
    let root = kept.call.root.as_path();
    let file = |restored: &RestoredFile| {
        // An undo has no folder of its own: its files are named from the root.
        let in_root = restored.path.strip_prefix(root).ok().filter(|_| root.parent().is_some());
        let path = in_root.unwrap_or(&restored.path);
        KeptFile {
            diff: redactor.map(|redactor| diff(store, restored, redactor)).unwrap_or_default(),
            ..file(restored, path)
        }
    };
    Some(KeptCall {
        id: RequestId(kept.call.id.parse::<Uuid>().ok()?),
        at: kept.call.at,
        agent: kept.call.agent.as_ref().map(|agent| line(agent, MAX_TITLE)),
        session: kept.call.session.clone(),
        tool: line(&kept.call.tool, MAX_TITLE),
        title: line(&kept.call.title, MAX_TITLE),
        folder: line(&root.to_string_lossy(), MAX_PATH),
        undoable: match kept.undoable() {
            undo::Undoable::Whole => Undoable::Whole,
            undo::Undoable::InPart => Undoable::InPart,
            undo::Undoable::Nothing => Undoable::Nothing,
        },
        is_undo: kept.call.is_undo,
        files: outcomes.iter().map(file).collect(),
    })
}

/// The files of a call that nobody could look at, and `why`.
pub(crate) fn unseen(kept: &undo::KeptCall, why: &str) -> Vec<RestoredFile> {
    let files = kept.files.iter().map(|file| RestoredFile {
        path: kept.call.root.as_path().join(file.path.as_path()),
        call: kept.call.id.clone(),
        wanted: file.before.clone(),
        present: FileState::NotKept { why: why.to_owned() },
        is_secret: file.is_secret,
        outcome: FileOutcome::Refused { why: why.to_owned(), force_helps: false },
    });
    files.collect()
}

/// What became of files that were put back.
pub(crate) fn put_back(outcomes: &[RestoredFile]) -> Vec<KeptFile> {
    outcomes.iter().map(|restored| file(restored, &restored.path)).collect()
}

fn file(restored: &RestoredFile, path: &Path) -> KeptFile {
    let RestoredFile { wanted, present, outcome, .. } = restored;
    let change = match (wanted, present) {
        (FileState::NotKept { .. }, _) | (_, FileState::NotKept { .. }) => FileChange::Unknown,
        (wanted, present) if wanted == present => FileChange::None,
        (FileState::Absent, _) => FileChange::Created,
        (_, FileState::Absent) => FileChange::Removed,
        _ => FileChange::Changed,
    };
    let (outcome, why) = match outcome {
        FileOutcome::Restored => (UndoOutcome::Restored, None),
        FileOutcome::Unchanged => (UndoOutcome::Unchanged, None),
        FileOutcome::Stays => (UndoOutcome::Stays, Some("something else is in it".to_owned())),
        FileOutcome::Refused { why, force_helps: true } => (UndoOutcome::Doubtful, Some(why.clone())),
        FileOutcome::Refused { why, force_helps: false } => (UndoOutcome::Refused, Some(why.clone())),
    };
    let why = why.map(|why| line(&why, MAX_TITLE));
    KeptFile { path: line(&path.to_string_lossy(), MAX_PATH), change, outcome, why, diff: Vec::new() }
}

/// From what was kept to what is there now. Nothing of what holds secrets by its name, and nothing that is no text.
fn diff(store: &Store, restored: &RestoredFile, redactor: &RequestRedactor) -> Vec<DiffLine> {
    if restored.is_secret || restored.wanted == restored.present {
        return Vec::new();
    }
    let kept = match &restored.wanted {
        FileState::File { hash, size, .. } if *size <= MAX_COMPARED => store.content(*hash).ok(),
        FileState::Absent => Some(Vec::new()),
        _ => None,
    };
    let present = match &restored.present {
        FileState::File { size, .. } if *size <= MAX_COMPARED => store.present_at(&restored.path).content,
        FileState::Absent => Some(Vec::new()),
        _ => None,
    };
    let text = |content: Option<Vec<u8>>| String::from_utf8(content?).ok().filter(|text| !text.contains('\0'));
    let Some((kept, present)) = text(kept).zip(text(present)) else { return Vec::new() };
    changes(&redactor.text(&kept), &redactor.text(&present), MAX_LINES)
}
