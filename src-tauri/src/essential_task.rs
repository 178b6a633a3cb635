//! Tasks without which the program must not go on: half of it would look alive and answer nobody.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::future::Future;

use tauri::async_runtime;

/// Runs a task whose panic ends the program. Agents then find nobody who approves.
pub(crate) fn spawn(name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
    let handle = async_runtime::spawn(task);
    async_runtime::spawn(async move {
        // The only error is a panic; a task that returns has nothing left to do.
        if handle.await.is_err() {
            end(&format!("the part for {name} has failed"));
        }
    });
}

/// Ends the program at once because of `reason`.
pub(crate) fn end(reason: &str) -> ! {
    tracing::error!("{reason}; Handraise ends, so that nothing is left half alive");
    end_process()
}

#[expect(clippy::exit, reason = "an orderly end would have to go through the part that has failed")]
fn end_process() -> ! {
    std::process::exit(1)
}

/// Panics go to the log, with their place.
pub(crate) fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let backtrace = Backtrace::capture();
        match backtrace.status() {
            BacktraceStatus::Captured => tracing::error!("{panic}\n{backtrace}"),
            _ => tracing::error!("{panic}"),
        }
    }));
}
