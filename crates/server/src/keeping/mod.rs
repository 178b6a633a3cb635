//! What a call is about to change, kept before it is answered: one that passes without a person, and one that a person
//! approves, at that moment.
//!
//! It is done beside the engine, as everything else that looks at files: on threads that nobody waits for longer than for
//! other files. Where it fails, the decision stays as it is and the call cannot be undone. One thing is stricter: rules of a
//! preset for edits, and every rule with `undo`, let calls pass *because* they can be undone, so what could not be kept is
//! asked about.

mod targets;
mod view;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use handraise_policy::{CallKey, Request, RequestId, SessionKey};
use handraise_protocol::UndoSettings;
use handraise_undo::{KeptPath, Limits, NewCall, Store, StoreError, Undoable};
use jiff::{SignedDuration, Timestamp};

pub(crate) use targets::may_write;
pub(crate) use view::{kept_call, put_back, unseen};

use crate::view::agent;

/// Calls of hooks whose end is awaited, the latest; what more of them left is never seen.
const MAX_RUNNING: usize = 1_024;
/// The most that a person may want.
const MAX_SETTINGS: UndoSettings = UndoSettings { enabled: true, days: 365, mebibytes: 65_536 };
const MIB: u64 = 1024 * 1024;

/// Keeps files, as long as a person wants that.
#[derive(Debug)]
pub(crate) struct Keeping {
    /// `None`: it could not be opened, or nothing can be kept on this system.
    store: Option<Store>,
    is_on: Mutex<bool>,
    running: Mutex<VecDeque<Running>>,
}

/// A call that was answered and may still run.
#[derive(Debug)]
struct Running {
    id: RequestId,
    session: SessionKey,
    call: CallKey,
}

/// What is to be known of a call before its files are kept.
#[derive(Clone, Debug)]
pub(crate) struct CallToKeep {
    /// What it is, in a line, without secrets.
    pub(crate) title: String,
    /// It names every file that it changes.
    pub(crate) names_all: bool,
}

/// What was kept for a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeepResult {
    /// Nothing: it names no file that it may write, or nothing is to be kept.
    Nothing,
    /// What it names, or some of it.
    Files {
        /// How many.
        count: usize,
        /// How much of the call can be undone.
        undoable: Undoable,
        /// Why something was not kept, as a clause.
        why: Option<String>,
    },
    /// Nothing, and why, as a clause.
    Failed(String),
}

impl KeepResult {
    /// Why not all that the call changes can be put back.
    pub(crate) fn obstacle(&self) -> Option<&str> {
        match self {
            Self::Failed(why) => Some(why),
            Self::Files { undoable: Undoable::Whole, .. } | Self::Nothing => None,
            Self::Files { why, .. } => Some(why.as_deref().unwrap_or("it may change files that it does not name")),
        }
    }
}

impl Keeping {
    /// Opens the store in `folder`. Where that fails, nothing is kept, and the error says why. Nothing goes because of
    /// its age before [`Keeping::set`] says what a person wants.
    pub(crate) fn open(folder: &Path, now: Timestamp) -> (Self, Option<StoreError>) {
        let opened = cfg!(unix).then(|| Store::open(folder, limits(MAX_SETTINGS), now));
        let (store, error) = match opened {
            Some(Ok(store)) => (Some(store), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        (Self { store, is_on: Mutex::new(true), running: Mutex::default() }, error)
    }

    /// Keeps as a person says from now on.
    pub(crate) fn set(&self, settings: UndoSettings, now: Timestamp) {
        *lock(&self.is_on) = settings.enabled;
        if let Some(store) = &self.store {
            store.set_limits(limits(settings), now);
        }
    }

    /// Whether anything is kept.
    pub(crate) fn is_on(&self) -> bool {
        cfg!(unix) && *lock(&self.is_on)
    }

    /// What is kept.
    pub(crate) fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Looks at what `request` names and keeps it as `id`, unless `is_wanted` says at the end that it came too late.
    /// Blocks on files.
    pub(crate) fn keep(
        &self,
        id: RequestId,
        request: &Request,
        about: CallToKeep,
        now: Timestamp,
        is_wanted: impl FnOnce() -> bool,
    ) -> KeepResult {
        let Some(store) = &self.store else { return KeepResult::Failed("the folder for it cannot be used".to_owned()) };
        let Some((root, targets)) = targets::of(request) else {
            return KeepResult::Failed("no project is known that its files belong to".to_owned());
        };
        if targets.is_empty() {
            return KeepResult::Nothing;
        }
        let call = NewCall {
            id: id.to_string(),
            at: now,
            requester: request.requester.clone(),
            agent: request.agent.as_ref().map(agent::title),
            session: request.session.as_ref().map(|session| session.id.clone()),
            tool: request.tool.clone(),
            title: about.title,
            root: KeptPath::from(&root),
            names_all: about.names_all,
            is_undo: false,
        };
        let failed = |error: StoreError| {
            tracing::warn!(%error, "what a call changes cannot be kept");
            KeepResult::Failed(error.to_string())
        };
        let look = match store.look(&root, &targets) {
            Ok(look) => look,
            Err(error) => return failed(error),
        };
        // What was looked at after the answer may be what the call has left.
        if !is_wanted() {
            return KeepResult::Failed("its files took too long".to_owned());
        }
        // Two answers of a person at one moment: what was there before the first of them counts.
        if store.call(&call.id).is_some() {
            return KeepResult::Nothing;
        }
        match store.keep(call, look) {
            Ok(None) => KeepResult::Nothing,
            Ok(Some(kept)) => KeepResult::Files {
                count: kept.files.iter().filter(|file| file.before.is_known()).count(),
                undoable: kept.undoable(),
                why: kept.obstacle().map(|(_, why)| why.to_owned()),
            },
            Err(error) => failed(error),
        }
    }

    /// The call was answered: it runs now. Its end may be told.
    pub(crate) fn note_running(&self, id: RequestId, request: &Request) {
        let Some((session, phase)) = request.session.clone().zip(request.hook_phase.as_ref()) else { return };
        let mut running = lock(&self.running);
        if running.len() == MAX_RUNNING {
            running.pop_front();
        }
        running.push_back(Running { id, session, call: phase.call.clone() });
    }

    /// The calls that are over when a hook says so of `call`: all that have its id, or one that may be it.
    pub(crate) fn ended(&self, session: &SessionKey, call: &CallKey) -> Vec<RequestId> {
        let mut running = lock(&self.running);
        let is_named = |one: &Running| one.session == *session && one.call.has_id_of(call);
        let may_be = |one: &Running| one.session == *session && one.call.may_be(call);
        let mut over: Vec<usize> = positions(&running, is_named);
        if over.is_empty() {
            over = positions(&running, may_be);
            over.truncate(1);
        }
        over.reverse();
        over.into_iter().filter_map(|index| running.remove(index)).map(|one| one.id).collect()
    }

    /// Notes what the calls have left. Blocks on files.
    pub(crate) fn observe(&self, ids: &[RequestId]) {
        let Some(store) = &self.store else { return };
        for id in ids {
            if let Err(error) = store.observe(&id.to_string()) {
                tracing::debug!(%error, "what a call has left could not be noted");
            }
        }
    }

    /// The call did not pass, or a person let it: it is not kept.
    pub(crate) fn forget(&self, id: RequestId) {
        if let Some(store) = &self.store {
            store.forget(&id.to_string());
        }
    }
}

fn positions(running: &VecDeque<Running>, is_it: impl Fn(&Running) -> bool) -> Vec<usize> {
    running.iter().enumerate().filter(|(_, one)| is_it(one)).map(|(index, _)| index).collect()
}

fn limits(settings: UndoSettings) -> Limits {
    let UndoSettings { days, mebibytes, enabled: _ } = settings;
    let age = SignedDuration::from_hours(24).checked_mul(i32::try_from(days).unwrap_or(i32::MAX));
    let defaults = Limits::default();
    Limits { store_bytes: u64::from(mebibytes).saturating_mul(MIB), age: age.unwrap_or(defaults.age), ..defaults }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
