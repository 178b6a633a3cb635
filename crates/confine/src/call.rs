//! `--call`: runs the call that Handraise has approved to run inside walls, and no other.
//!
//! The line that an agent runs names the call and holds the command line once more. What counts is what Handraise
//! hands out for that call, once, after it has proved itself: the command line, the shell, the folder and the walls. A
//! line or a folder that differs is another call, and nothing runs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use handraise_client::{ClientError, Token, WaitLimit, post};
use handraise_confine::{ConfineError, Ending, Report, Walls};
use handraise_locations::Folders;
use handraise_protocol::{ConfinedCommand, WallsReport};

/// How long Handraise has to answer.
const MAX_TIME: Duration = Duration::from_secs(10);
/// Longest name of a credential.
const MAX_NAME: usize = 64;

/// Why nothing was run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// Nobody made it this way.
    #[error("`--call` is no call of Handraise: run the line as you were given it")]
    NoCall,
    /// The command line is not the one that was approved.
    #[error("this is not the command line that was approved for this call, so nothing was run")]
    OtherLine,
    /// The folder is not the one that was approved.
    #[error("this call was approved for {}, so nothing was run here", .0.display())]
    OtherFolder(PathBuf),
    /// Handraise does not answer, or not with walls.
    #[error("{0}")]
    Client(#[from] ClientError),
    /// The walls are not understood.
    #[error(
        "the walls of this call are not understood ({0}), so nothing was run: install all programs from one release"
    )]
    Walls(serde_json::Error),
}

/// One call, for the one who has asked about it.
pub(crate) struct ApprovedCall {
    folders: Folders,
    token: Token,
    path: String,
}

/// What is to be run.
pub(crate) struct Approved {
    pub(crate) line: String,
    pub(crate) shell: String,
    pub(crate) walls: Walls,
}

impl ApprovedCall {
    /// The call of `text`, as `claude-code:ID`.
    pub(crate) fn new(text: &str, folders: Folders) -> Result<Self, CallError> {
        let (requester, id) = text.split_once(':').ok_or(CallError::NoCall)?;
        let is_name = |name: &str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
            !name.is_empty() && name.len() <= MAX_NAME && name.bytes().all(plain)
        };
        if !is_name(requester) || !is_name(id) {
            return Err(CallError::NoCall);
        }
        let token = Token::read(&folders.token_file(requester))?;
        Ok(Self { folders, token, path: format!("/v1/approvals/{id}/walls") })
    }

    /// Fetches what is to be run. `line` and `folder` are those of the agent's command.
    pub(crate) fn enter(&self, line: &str, folder: &Path) -> Result<Approved, CallError> {
        let answer = post(&self.folders, &self.token, &self.path, b"", &Until::new())?;
        let command: ConfinedCommand = serde_json::from_slice(&answer.body).map_err(CallError::Walls)?;
        if command.line != line {
            return Err(CallError::OtherLine);
        }
        let same = |path: &Path| path.canonicalize().ok();
        let approved = PathBuf::from(&command.folder);
        if same(&approved).is_none_or(|approved| Some(approved) != same(folder)) {
            return Err(CallError::OtherFolder(approved));
        }
        let walls = serde_json::from_value(command.walls.into()).map_err(CallError::Walls)?;
        Ok(Approved { line: command.line, shell: command.shell, walls })
    }

    /// Tells whether the command failed, what the walls have denied it then, and which temporary files it has made. Where
    /// nobody hears it, the person is asked nothing more than otherwise.
    pub(crate) fn tell(&self, outcome: &Result<Report, ConfineError>) {
        let told = match outcome {
            Ok(report) => WallsReport {
                failed: matches!(report.ending, Some(Ending::Code(code)) if code != 0),
                denied: denied(report),
                made: report.brought_out.clone(),
            },
            Err(error) => WallsReport {
                denied: vec![format!("the walls could not be put up: {error}")],
                ..WallsReport::default()
            },
        };
        if told != WallsReport::default()
            && let Ok(body) = serde_json::to_vec(&told)
        {
            let path = format!("{}/report", self.path);
            let _: Result<_, ClientError> = post(&self.folders, &self.token, &path, &body, &Until::new());
        }
    }
}

fn denied(report: &Report) -> Vec<String> {
    let failed = report.ending != Some(Ending::Code(0));
    let tried = report.denied.iter().filter(|_| failed).map(|one| format!("{} {}", one.action, one.target));
    let put_back = report.put_back.iter().map(|one| format!("change {}, which was put back", one.path));
    tried.chain(put_back).collect()
}

/// Waits until then.
struct Until(Instant);

impl Until {
    fn new() -> Self {
        Self(Instant::now() + MAX_TIME)
    }
}

impl WaitLimit for Until {
    type Stop = ClientError;

    fn remaining(&self) -> Result<Duration, ClientError> {
        let left = self.0.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ClientError::Response) } else { Ok(left) }
    }

    #[cfg(unix)]
    fn wakers(&self) -> impl Iterator<Item = std::os::fd::BorrowedFd<'_>> {
        std::iter::empty()
    }
}
