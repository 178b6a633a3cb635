//! Threads for work that may never end, as a look at a network folder that does not answer.
//!
//! Nobody ever waits for such a thread: not another piece of work, which gets a thread of its own, and not the end of
//! the program, as it would with those of an async runtime.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

/// How long a thread without work stays.
const IDLE: Duration = Duration::from_secs(10);
/// Bytes of each stack: room for taking any command line apart, which needs one of its own where there is less
/// (`handraise_shell`), and giving that back stops every processor for a moment.
pub(crate) const STACK: usize = 8 * 1024 * 1024;

type Work = Box<dyn FnOnce() + Send>;

static THREADS: LazyLock<Threads> = LazyLock::new(Threads::default);

#[derive(Default)]
struct Threads {
    waiting: Mutex<Waiting>,
    more: Condvar,
}

#[derive(Default)]
struct Waiting {
    work: VecDeque<Work>,
    /// Threads that wait for work.
    idle: usize,
}

/// Does `work` on a thread of its own, now. How much is done at once is for the caller to bound.
///
/// # Errors
/// When the system gives no thread.
pub(crate) fn run(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let mut waiting = THREADS.lock();
    if waiting.idle > waiting.work.len() {
        waiting.work.push_back(Box::new(work));
        THREADS.more.notify_one();
        return Ok(());
    }
    drop(waiting);
    let first: Work = Box::new(work);
    let thread = std::thread::Builder::new().name("prepare".to_owned()).stack_size(STACK);
    thread.spawn(move || THREADS.serve(first)).map(|_| ())
}

/// The same, with what comes of it; an error there: it panicked.
///
/// # Errors
/// As there.
pub(crate) fn begin<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<oneshot::Receiver<T>> {
    let (sender, found) = oneshot::channel();
    // Nobody may wait for it any more.
    run(move || drop(sender.send(work())))?;
    Ok(found)
}

impl Threads {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, first: Work) {
        let mut next = Some(first);
        while let Some(work) = next {
            // Whoever waits for it sees that it gave no answer.
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                tracing::error!("work on a request panicked");
            }
            next = self.next();
        }
    }

    /// `None`: there was no work for a while.
    fn next(&self) -> Option<Work> {
        let mut waiting = self.lock();
        waiting.idle += 1;
        let is_empty = |waiting: &mut Waiting| waiting.work.is_empty();
        let (mut waiting, _) =
            self.more.wait_timeout_while(waiting, IDLE, is_empty).unwrap_or_else(PoisonError::into_inner);
        waiting.idle -= 1;
        waiting.work.pop_front()
    }
}
