//! What the desktop's portal knows.
//!
//! A portal looks at who asks, by `/proc/PID/root`. A release build may not be looked at (`PR_SET_DUMPABLE`), so the
//! portal refuses it. Handraise therefore starts itself once more to ask: that process holds nothing, decides nothing,
//! prints one number, and ends. An `exec` makes a process one that may be looked at (prctl(2)).

use std::process::{ExitCode, Stdio};
use std::time::Duration;

use tokio::process::Command;
use zbus::zvariant::{OwnedValue, Value};

/// The argument, alone, of a process that only asks the desktop's portal something and prints the answer.
pub(crate) const ASK_COLOR_SCHEME: &str = "--ask-color-scheme";

pub(super) const PORTAL: &str = "org.freedesktop.portal.Desktop";
pub(super) const PATH: &str = "/org/freedesktop/portal/desktop";
pub(super) const SETTINGS: &str = "org.freedesktop.portal.Settings";
pub(super) const APPEARANCE: &str = "org.freedesktop.appearance";
pub(super) const COLOR_SCHEME: &str = "color-scheme";
/// Longest wait for an answer.
const MAX_CALL: Duration = Duration::from_secs(5);
/// Longest wait for the process that asks, with its start.
const MAX_PROCESS: Duration = Duration::from_secs(30);

/// The colours that the person prefers (2: light), as the portal says to a process of its own; `None` where it does
/// not.
pub(super) async fn color_scheme() -> Option<u32> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.arg(ASK_COLOR_SCHEME).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(MAX_PROCESS, command.output()).await.ok()?.ok()?;
    std::str::from_utf8(&output.stdout).ok()?.trim().parse().ok()
}

/// Asks the portal and prints its answer: all that a process does that was started with [`ASK_COLOR_SCHEME`].
pub(crate) fn print_color_scheme() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Some(scheme) = runtime.ok().and_then(|runtime| runtime.block_on(ask())) else { return ExitCode::FAILURE };
    println!("{scheme}");
    ExitCode::SUCCESS
}

async fn ask() -> Option<u32> {
    let connection = zbus::connection::Builder::session().ok()?.method_timeout(MAX_CALL).build().await.ok()?;
    let arguments = (APPEARANCE, COLOR_SCHEME);
    let reply = connection.call_method(Some(PORTAL), PATH, Some(SETTINGS), "Read", &arguments).await.ok()?;
    let answer: OwnedValue = reply.body().deserialize().ok()?;
    scheme(&answer)
}

/// The number in an answer of the portal.
pub(super) fn scheme(value: &Value<'_>) -> Option<u32> {
    match value {
        // `Read` wraps its answer once more than it should.
        Value::Value(inner) => scheme(inner),
        Value::U32(scheme) => Some(*scheme),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_however_often_it_is_wrapped() {
        let wrapped = Value::Value(Box::new(Value::Value(Box::new(Value::U32(2)))));
        assert_eq!(scheme(&wrapped), Some(2));
        assert_eq!(scheme(&Value::from("2")), None);
    }
}
