//! The guide of the first start: what each preset would have asked about, and a first prompt. Both are the work of the
//! `handraise` command, which is run from beside this program; nothing of it takes time from the gate or the windows.

#![expect(clippy::unreachable, reason = "in what `tauri::command` makes of an async function")]

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use handraise_protocol::{ApprovalResult, PresetComparison, Problem, ReplayProgress, Settings};
use tauri::{Emitter, State, WebviewWindow};
use tokio::sync::oneshot;

use crate::agents::{Program, internal};
use crate::commands::Shared;
use crate::controller::Signal;
use crate::tray::menu::Choice;

/// Days whose calls are replayed.
const SINCE: &str = "30d";
/// How long a replay may take.
const MAX_REPLAY: Duration = Duration::from_secs(20 * 60);
/// Seconds that a person has to answer the sample.
const SAMPLE_SECONDS: u32 = 300;
/// How long the command for the sample may take: longer than the person.
const MAX_SAMPLE: Duration = Duration::from_secs(330);

/// What runs for the guide. It ends when the window closes.
#[derive(Debug, Default)]
pub(crate) struct Guide {
    replay: Slot,
    sample: Slot,
}

/// Room for one command at a time: a later one ends the one before.
#[derive(Debug, Default)]
struct Slot(Mutex<Option<oneshot::Sender<()>>>);

impl Guide {
    /// Ends whatever runs.
    pub(crate) fn stop(&self) {
        self.replay.stop();
        self.sample.stop();
    }
}

impl Slot {
    /// Takes the place. The result is ready when the command has to end.
    fn begin(&self) -> impl Future<Output = ()> + use<> {
        let (sender, receiver) = oneshot::channel();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        async move {
            // Nothing is ever sent: whoever takes the place drops the sender.
            let _ = receiver.await;
        }
    }

    fn stop(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// What each preset would have done with the agents' calls of the last 30 days. Tells the window how far it is.
#[tauri::command]
pub(crate) async fn compare_presets(
    window: WebviewWindow,
    program: State<'_, Program>,
    guide: State<'_, Guide>,
) -> Result<PresetComparison, Problem> {
    let words = ["policy", "replay", "--agents", "--since", SINCE, "--compare", "--no-suggestions", "--progress"];
    let words: Vec<String> = words.into_iter().chain(["--json"]).map(str::to_owned).collect();
    let tell = move |line: &str| {
        let Ok(progress) = serde_json::from_str::<ReplayProgress>(line) else { return false };
        if let Err(error) = window.emit_to(window.label(), "replay-progress", progress) {
            tracing::warn!(%error, "the guide could not be told how far the replay is");
        }
        true
    };
    program.watched(&words, MAX_REPLAY, guide.replay.begin(), tell).await
}

/// Ends the replay.
#[tauri::command]
pub(crate) async fn stop_comparing(guide: State<'_, Guide>) -> Result<(), Problem> {
    guide.replay.stop();
    Ok(())
}

/// Sends a harmless call through the gate, as an agent would, and gives how it ended. Nothing runs it.
#[tauri::command]
pub(crate) async fn ask_sample(
    program: State<'_, Program>,
    guide: State<'_, Guide>,
) -> Result<ApprovalResult, Problem> {
    program.watched(&sample(), MAX_SAMPLE, guide.sample.begin(), |_| false).await
}

/// Takes the sample back: its command goes away, as an agent would.
#[tauri::command]
pub(crate) async fn stop_sample(guide: State<'_, Guide>) -> Result<(), Problem> {
    guide.sample.stop();
    Ok(())
}

/// Opens the prompt window.
#[tauri::command]
pub(crate) async fn open_inbox(shared: State<'_, Shared>) -> Result<(), Problem> {
    shared.signal(Signal::Menu(Choice::OpenInbox));
    Ok(())
}

/// Opens the settings window with the guide.
#[tauri::command]
pub(crate) async fn open_guide(shared: State<'_, Shared>) -> Result<(), Problem> {
    let settings = Settings { guide_left: false, ..shared.settings.get() };
    shared.show(shared.settings.set(settings)).map_err(|error| internal(error.to_string()))?;
    shared.signal(Signal::OpenSettings);
    Ok(())
}

/// The words of the command for the sample.
fn sample() -> Vec<String> {
    let timeout = SAMPLE_SECONDS.to_string();
    let words = [
        ["--tool", "Bash"],
        ["--command", "echo \"Hello from Handraise\""],
        ["--agent", "Handraise"],
        ["--intent", "To show you what a prompt looks like. Nothing runs, whatever you answer."],
        ["--timeout", &timeout],
    ];
    // A preset would let it pass.
    let first = ["ask", "--require-approval"];
    first.into_iter().chain(words.into_iter().flatten()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn is_over(stop: &mut (impl Future<Output = ()> + Unpin)) -> bool {
        pin!(stop).poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(())
    }

    #[test]
    fn a_command_ends_when_it_is_stopped_or_another_takes_its_place() {
        let guide = Guide::default();
        let mut first = Box::pin(guide.replay.begin());
        assert!(!is_over(&mut first));
        let mut second = Box::pin(guide.replay.begin());
        assert!(is_over(&mut first));
        let mut sample = Box::pin(guide.sample.begin());
        assert!(!is_over(&mut second) && !is_over(&mut sample));
        guide.sample.stop();
        assert!(!is_over(&mut second) && is_over(&mut sample));
        guide.stop();
        assert!(is_over(&mut second));
    }
}
