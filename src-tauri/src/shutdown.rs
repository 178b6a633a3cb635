//! The end of the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use handraise_server::Server;

use crate::os::Notifier;

/// How long notifications may take to disappear.
const MAX_CLEANING: Duration = Duration::from_secs(2);

/// Ends the parts in good order, once.
pub(crate) struct Shutdown {
    has_begun: AtomicBool,
    server: Mutex<Option<Server>>,
    notifier: Arc<dyn Notifier>,
}

impl Shutdown {
    /// The end of `server` and `notifier`.
    #[must_use]
    pub(crate) fn new(server: Server, notifier: Arc<dyn Notifier>) -> Self {
        Self { has_begun: AtomicBool::new(false), server: Mutex::new(Some(server)), notifier }
    }

    /// The program is about to end.
    #[must_use]
    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::SeqCst)
    }

    /// Denies what is open, so that waiting agents learn it, and takes notifications from the screen.
    /// A second call does nothing.
    pub(crate) async fn run(&self) {
        self.has_begun.store(true, Ordering::SeqCst);
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(server) = server else { return };
        server.stop().await;
        // What does not go in time stays on the screen without meaning: nobody listens to its buttons.
        if tokio::time::timeout(MAX_CLEANING, self.notifier.close_all()).await.is_err() {
            tracing::warn!("notifications did not disappear in time");
        }
    }
}
