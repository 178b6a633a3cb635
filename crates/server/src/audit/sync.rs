//! Brings to the disk what was committed without waiting for it.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::AuditError;

/// How long calls are gathered that share one sync: agents make several in a row.
const GATHER: Duration = Duration::from_millis(20);

/// A thread that writes the log's newest part to the disk when it is told to.
#[derive(Debug)]
pub(super) struct LaterSync {
    wanted: SyncSender<()>,
    /// That the disk refused: nothing is answered before that is known.
    failure: Arc<Mutex<Option<io::Error>>>,
}

impl LaterSync {
    /// For the database at `path`, which is open.
    pub(super) fn start(path: &Path) -> Result<Self, AuditError> {
        let mut log = path.as_os_str().to_owned();
        // SQLite's documentation, "Write-Ahead Logging": what was committed last is in this file.
        log.push("-wal");
        let (wanted, orders) = sync_channel::<()>(1);
        let failure = Arc::new(Mutex::new(None));
        let reported = Arc::clone(&failure);
        let work = move || {
            // Ends with the audit log.
            while orders.recv().is_ok() {
                std::thread::sleep(GATHER);
                // An order that has come meanwhile is carried out with this one.
                let _ = orders.try_recv();
                // Opened anew each time: SQLite may have begun another one.
                if let Err(error) = File::open(&log).and_then(|file| file.sync_data()) {
                    *reported.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            }
        };
        std::thread::Builder::new().name("audit-sync".to_owned()).spawn(work).map_err(AuditError::Sync)?;
        Ok(Self { wanted, failure })
    }

    /// Soon. One order is enough for everything that was written before it is carried out.
    pub(super) fn later(&self) {
        // Full: there is an order already, which has not been begun.
        let _ = self.wanted.try_send(());
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
