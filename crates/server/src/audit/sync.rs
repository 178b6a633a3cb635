//! Brings to the disk what was committed without waiting for it, and notes the end of the log outside of it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::AuditError;
use super::anchor::{self, Anchor, Noted};
use super::chain::Head;

/// How long calls are gathered that share one sync: agents make several in a row.
const GATHER: Duration = Duration::from_millis(20);
/// How often the end of the log is noted while it grows.
const BETWEEN_NOTES: Duration = Duration::from_secs(60);

/// A thread that writes the log's newest part to the disk when it is told to.
#[derive(Debug)]
pub(super) struct LaterSync {
    wanted: SyncSender<()>,
    files: Files,
    /// That the disk refused: nothing is answered before that is known.
    failure: Arc<Mutex<Option<io::Error>>>,
    /// The newest entry that was committed, as it is to be noted.
    head: Arc<Mutex<Option<Head>>>,
}

#[derive(Clone, Debug)]
struct Files {
    log: PathBuf,
    end: PathBuf,
}

impl LaterSync {
    /// For the database at `path`, which is open and ends with `head`.
    pub(super) fn start(path: &Path, head: Option<Head>) -> Result<Self, AuditError> {
        // SQLite's documentation, "Write-Ahead Logging": what was committed last is in this file.
        let files = Files { log: with_suffix(path, "-wal"), end: anchor::path_of(path) };
        let (wanted, orders) = sync_channel::<()>(1);
        let (failure, head) = (Arc::new(Mutex::new(None)), Arc::new(Mutex::new(head)));
        let (reported, newest, own) = (Arc::clone(&failure), Arc::clone(&head), files.clone());
        let work = move || {
            let mut noted = None;
            let mut noted_at = Instant::now();
            loop {
                let order = orders.recv_timeout(BETWEEN_NOTES);
                if order == Err(RecvTimeoutError::Disconnected) {
                    // Ends with the audit log.
                    return;
                }
                if order.is_ok() {
                    std::thread::sleep(GATHER);
                    // An order that has come meanwhile is carried out with this one.
                    let _ = orders.try_recv();
                }
                // Before the disk: what is noted must be there.
                let newest = newest.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let is_due = newest != noted && noted_at.elapsed() >= BETWEEN_NOTES;
                if order.is_err() && !is_due {
                    continue;
                }
                match (own.sync(), newest) {
                    (Err(error), _) => *reported.lock().unwrap_or_else(PoisonError::into_inner) = Some(error),
                    (Ok(()), Some(head)) if is_due => {
                        own.note(&head, Timestamp::now());
                        (noted, noted_at) = (Some(head), Instant::now());
                    }
                    (Ok(()), _) => {}
                }
            }
        };
        std::thread::Builder::new().name("audit-sync".to_owned()).spawn(work).map_err(AuditError::Sync)?;
        Ok(Self { wanted, files, failure, head })
    }

    /// The log ends with `head` now.
    pub(super) fn ends_with(&self, head: Head) {
        *self.head.lock().unwrap_or_else(PoisonError::into_inner) = Some(head);
    }

    /// When an end was noted last.
    pub(super) fn noted_at(&self) -> Option<Timestamp> {
        match anchor::read(&self.files.end) {
            Noted::End(anchor) => Some(anchor.noted_at),
            Noted::Nothing | Noted::Unreadable(_) => None,
        }
    }

    /// The number of the end that was noted last.
    pub(super) fn noted_end(&self) -> Option<i64> {
        match anchor::read(&self.files.end) {
            Noted::End(anchor) => Some(anchor.head.seq),
            Noted::Nothing | Noted::Unreadable(_) => None,
        }
    }

    /// Soon. One order is enough for everything that was written before it is carried out.
    pub(super) fn later(&self) {
        // Full: there is an order already, which has not been begun.
        let _ = self.wanted.try_send(());
    }

    /// Notes the end of the log now, once everything is on the disk.
    pub(super) fn seal(&self, now: Timestamp) -> Result<(), AuditError> {
        self.files.sync().map_err(AuditError::Sync)?;
        let head = self.head.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(head) = head {
            self.files.note(&head, now);
        }
        Ok(())
    }

    /// Whether everything so far came to the disk.
    ///
    /// # Errors
    /// Once, when it did not.
    pub(super) fn check(&self) -> Result<(), AuditError> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), |error| Err(AuditError::Sync(error)))
    }
}

impl Files {
    fn sync(&self) -> io::Result<()> {
        // Opened anew each time: SQLite may have begun another one.
        handraise_locations::sync_file(&self.log)
    }

    /// A log without a noted end is still a log: failing changes nothing but what can be checked later.
    fn note(&self, head: &Head, now: Timestamp) {
        if let Err(error) = Anchor::new(head.clone(), now).write(&self.end) {
            tracing::warn!(%error, "the end of the audit log could not be noted");
        }
    }
}

/// `path` with `suffix` behind its name, as SQLite names what belongs to a database.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
