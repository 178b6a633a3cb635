//! `handraise pause` and `handraise resume`.

use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use handraise_protocol::{MAX_PAUSE, Method, Mode, ModeRequest, ModeState};
use jiff::tz::TimeZone;

use super::pending::ApproverArguments;
use super::{FolderArguments, say};
use crate::DONE;
use crate::client::Client;
use crate::runtime::runtime;

/// Let nothing pass by itself for a while
///
/// Handraise asks you about every call, also those that your rules and earlier answers would let pass. What is denied
/// stays denied. Stopping Handraise ends a pause.
#[derive(Debug, Args)]
pub(crate) struct Pause {
    /// Deny every call, also those that wait, instead of asking
    #[arg(long)]
    deny: bool,
    /// End by itself after this time: 90s, 30m or 2h, at most a day. Calls that wait then go on waiting for you
    #[arg(long = "for", value_name = "TIME")]
    time: Option<PauseTime>,
    #[command(flatten)]
    approver: ApproverArguments,
}

/// End a pause: your rules and earlier answers count again
///
/// Calls that wait and that these let pass are approved at once.
#[derive(Debug, Args)]
pub(crate) struct Resume {
    #[command(flatten)]
    approver: ApproverArguments,
}

/// How long a pause is, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PauseTime(u32);

impl FromStr for PauseTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let of_unit = |unit: char, seconds: u32| text.strip_suffix(unit)?.parse::<u32>().ok()?.checked_mul(seconds);
        let seconds = of_unit('s', 1).or_else(|| of_unit('m', 60)).or_else(|| of_unit('h', 3_600));
        match seconds {
            Some(seconds) if (1..=MAX_PAUSE).contains(&seconds) => Ok(Self(seconds)),
            Some(_) => Err("a pause with a time is between 1s and 24h".to_owned()),
            None => Err("write it as 90s, 30m or 2h".to_owned()),
        }
    }
}

impl Pause {
    /// Pauses.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let mode = if self.deny { Mode::DenyEverything } else { Mode::AskEverything };
        let seconds = self.time.map(|PauseTime(seconds)| seconds);
        put(&self.approver.client(folders)?, ModeRequest { mode, seconds })
    }
}

impl Resume {
    /// Resumes.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        put(&self.approver.client(folders)?, ModeRequest { mode: Mode::Normal, seconds: None })
    }
}

fn put(client: &Client, request: ModeRequest) -> anyhow::Result<ExitCode> {
    let body = serde_json::to_vec(&request)?;
    let state: ModeState = runtime()?.block_on(async { client.send(Method::Put, "/v1/mode", body).await?.read() })?;
    say(&told(&state))?;
    Ok(DONE)
}

/// The mode in words.
pub(super) fn told(state: &ModeState) -> String {
    let what = match state.mode {
        Mode::Normal => return "Not paused: the policy decides.".to_owned(),
        Mode::AskEverything => "Paused: Handraise asks about everything",
        Mode::DenyEverything => "Paused: Handraise denies everything",
    };
    match state.until {
        Some(until) => format!("{what} until {}.", until.to_zoned(TimeZone::system()).strftime("%H:%M:%S")),
        None => format!("{what} until you resume."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_has_a_unit_and_a_bound() {
        let seconds = |text: &str| text.parse::<PauseTime>().ok().map(|time| time.0);
        assert_eq!(["90s", "30m", "24h"].map(seconds), [Some(90), Some(1_800), Some(86_400)]);
        for wrong in ["", "30", "m", "0m", "-1m", "25h", "99999999h", "1d", "1.5h", "１m"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
