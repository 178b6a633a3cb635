//! Everything slow about a call, done beside the engine: its command line taken apart, the files that it names looked
//! up, its secrets redacted, and what a person would see put together.
//!
//! Looking at files can take for ever, on folders that an agent chooses. So nothing waits for it longer than
//! [`MAX_TIME`]: then the call goes on without, and a person is asked about it
//! ([`handraise_policy::Request::unseen`]). A look that hangs keeps its thread, which is never waited for, and its
//! slot among the few that its requester has. When all of those hang, nothing is looked at for this requester
//! any more, until one of them ends.

mod authzen;
mod decision_point;
mod denials;
mod keep;
mod look_ahead;
mod past;
mod prepared;
mod slots;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use handraise_gate::Mode;
use handraise_policy::PolicyInForce;
use handraise_protocol::{Problem, ProblemCode};
use tokio::sync::mpsc;
use tokio::time::timeout;

pub(crate) use look_ahead::LookAhead;
pub(crate) use past::LoggedCall;
pub(crate) use prepared::Prepared;
use slots::Slots;

use crate::Clock;
use crate::keeping::Keeping;
use crate::made_files::MadeFiles;
use crate::outbound::OutboundClient;
use crate::paths::{PathResolver, Protected};
use crate::protections::GuardedFiles;
use crate::redacted::RequestRedactor;
use crate::threads;
use crate::turns::Turn;
use crate::walls::WallsOffer;

/// How long the files that a call names are waited for.
const MAX_TIME: Duration = Duration::from_secs(2);
/// How long a look keeps the turn of its requester: whoever has to wait longer lets others go first.
const TURN: Duration = Duration::from_millis(100);
/// How long a look at the guarded files counts. Their names are always compared; this is for those that
/// are made anew under another inode.
const PROTECTED_FOR: Duration = Duration::from_secs(60);

/// What a person reads about a call whose files took too long.
pub(crate) const TOO_SLOW: &str = "its files could not be looked at within 2 seconds";
/// What a person reads when nobody even tried.
const NO_PLACE: &str = "its files could not be looked at, since files of earlier calls still do not answer";

/// Prepares calls.
#[derive(Clone)]
pub(crate) struct Preparer(Arc<Inner>);

/// What preparing takes.
pub(crate) struct Inner {
    resolver: PathResolver,
    guarded: GuardedFiles,
    walls: WallsOffer,
    pub(crate) keeping: Arc<Keeping>,
    made: MadeFiles,
    pub(crate) clock: Arc<dyn Clock>,
    /// What is guarded, as it was found on the disk at this time ([`Clock::elapsed`]).
    protected: Mutex<Option<(Duration, Arc<Protected>)>>,
    known: Mutex<Arc<Known>>,
    slots: Slots,
    look_ahead_slots: Slots,
    outbound: OutboundClient,
    decision_point_slots: Slots,
}

/// What the engine has laid down for what is prepared from now on.
#[derive(Debug)]
pub(crate) struct Known {
    /// Takes secrets out. What was redacted with another one is not taken.
    pub(crate) redactor: Arc<RequestRedactor>,
    /// Tells which calls a person will be asked about. The gate takes its decision over while it has the same one.
    pub(crate) policy: Arc<PolicyInForce>,
    /// The mode in force.
    pub(crate) mode: Mode,
}

/// Whether files can be looked at, for one piece of work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Files<'a> {
    /// They can.
    Seen,
    /// They cannot, and why.
    Unseen(&'a str),
}

impl Known {
    /// An external decision point is asked about calls.
    fn asks_decision_point(&self) -> bool {
        self.policy.confirmed.authzen.is_some()
    }
}

impl std::fmt::Debug for Preparer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Preparer").finish_non_exhaustive()
    }
}

impl Preparer {
    pub(crate) fn new(
        resolver: PathResolver,
        guarded: GuardedFiles,
        walls: WallsOffer,
        keeping: Arc<Keeping>,
        clock: Arc<dyn Clock>,
        known: Known,
    ) -> Self {
        Self(Arc::new(Inner {
            resolver,
            guarded,
            walls,
            keeping,
            made: MadeFiles::default(),
            clock,
            protected: Mutex::default(),
            known: Mutex::new(Arc::new(known)),
            slots: Slots::default(),
            look_ahead_slots: Slots::default(),
            outbound: OutboundClient::new(),
            decision_point_slots: Slots::default(),
        }))
    }

    /// From now on, this holds. What is guarded is looked at anew.
    pub(crate) fn learn(&self, known: Known) {
        *lock(&self.0.known) = Arc::new(known);
        *lock(&self.0.protected) = None;
    }

    /// What was learnt last.
    pub(crate) fn known(&self) -> Arc<Known> {
        lock(&self.0.known).clone()
    }

    /// Does `work` with each of `items`, in order. `requester` chose the folders that it looks into, or is a name for
    /// what is looked at for nobody in particular. `turn` is given back when it takes longer than [`TURN`].
    ///
    /// # Errors
    /// When it failed for one of them even without looking at files.
    pub(crate) async fn each<Item, Done>(
        &self,
        requester: &str,
        items: Vec<Item>,
        turn: &mut Option<Turn>,
        work: impl Fn(&Inner, &Item, Files<'_>) -> Done + Send + Sync + 'static,
    ) -> Result<Vec<Done>, Problem>
    where
        Item: Send + Sync + 'static,
        Done: Send + 'static,
    {
        let (all, inner, work) = (Arc::new(items), self.0.clone(), Arc::new(work));
        let mut done = Vec::with_capacity(all.len());
        while done.len() < all.len() {
            let slot = match self.0.slots.take(requester) {
                Some(slot) => Some(slot),
                None => {
                    // It may take a while, and others have nothing to do with it.
                    turn.take();
                    self.0.slots.wait(requester, MAX_TIME).await
                }
            };
            // Which items are tried without their files, and why.
            let (without, why) = match slot {
                None => (all.len(), NO_PLACE),
                Some(slot) => {
                    let watch = slot.watch();
                    let from = done.len();
                    let mut found = start(&inner, &all, &work, from..all.len(), move |work, inner, item| {
                        let _slot = &slot;
                        work(inner, item, Files::Seen)
                    })?;
                    while let Some(one) = in_time(&mut found, turn).await {
                        done.push(one);
                    }
                    if done.len() < all.len() {
                        watch.give_up();
                    }
                    (all.len().min(done.len() + 1), TOO_SLOW)
                }
            };
            if done.len() < without {
                let mut rest = start(&inner, &all, &work, done.len()..without, move |work, inner, item| {
                    work(inner, item, Files::Unseen(why))
                })?;
                while done.len() < without {
                    done.push(rest.recv().await.ok_or_else(failed)?);
                }
            }
        }
        Ok(done)
    }

    /// The same with one item.
    pub(crate) async fn one<Item, Done>(
        &self,
        requester: &str,
        item: Item,
        turn: &mut Option<Turn>,
        work: impl Fn(&Inner, &Item, Files<'_>) -> Done + Send + Sync + 'static,
    ) -> Result<Done, Problem>
    where
        Item: Send + Sync + 'static,
        Done: Send + 'static,
    {
        self.each(requester, vec![item], turn, work).await?.pop().ok_or_else(failed)
    }
}

impl Inner {
    /// What is guarded, as it was found on the disk not long ago.
    fn protected(&self) -> Arc<Protected> {
        let now = self.clock.elapsed();
        let found = lock(&self.protected).clone();
        match found {
            Some((at, protected)) if now.saturating_sub(at) < PROTECTED_FOR => protected,
            // Not looked at under the lock: the disk may not answer.
            _ => {
                let protected = Arc::new(self.guarded.look());
                *lock(&self.protected) = Some((now, protected.clone()));
                protected
            }
        }
    }
}

/// Begins to do `with` for some of `all`; what comes out arrives one by one.
fn start<Item, Done, Work, With>(
    inner: &Arc<Inner>,
    all: &Arc<Vec<Item>>,
    work: &Arc<Work>,
    range: std::ops::Range<usize>,
    with: With,
) -> Result<mpsc::UnboundedReceiver<Done>, Problem>
where
    Item: Send + Sync + 'static,
    Done: Send + 'static,
    Work: Send + Sync + 'static,
    With: Fn(&Work, &Inner, &Item) -> Done + Send + 'static,
{
    let (sender, found) = mpsc::unbounded_channel();
    let (inner, all, work) = (inner.clone(), all.clone(), work.clone());
    let begun = threads::run(move || {
        for item in all.get(range).unwrap_or_default() {
            // Nobody waits for it any more.
            if sender.send(with(&work, &inner, item)).is_err() {
                return;
            }
        }
    });
    begun.map(|()| found).map_err(|error| {
        tracing::error!(%error, "the system gives no thread");
        failed()
    })
}

/// What comes next; `None`: all is there, or nothing comes in time. Gives `turn` back when it has to wait for long.
async fn in_time<Done>(found: &mut mpsc::UnboundedReceiver<Done>, turn: &mut Option<Turn>) -> Option<Done> {
    let first = if turn.is_some() { TURN } else { MAX_TIME };
    if let Ok(one) = timeout(first, found.recv()).await {
        return one;
    }
    turn.take()?;
    timeout(MAX_TIME.saturating_sub(TURN), found.recv()).await.ok().flatten()
}

fn failed() -> Problem {
    Problem::new(ProblemCode::Internal, "The call could not be looked at, so it is not approved.")
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
