//! What can go wrong between this program and the server. Each error says what happened; its remedy
//! says what to do.

use std::io;
use std::path::PathBuf;

use handraise_locations::{FoldersError, PrivateFileError};
use handraise_protocol::{Problem, ProblemCode};

/// Why nothing came of a request to the server.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// No discovery file, or nobody listens where it points to.
    #[error("Handraise is not running")]
    NotRunning,
    /// The folders of this user are unknown.
    #[error(transparent)]
    Folders(#[from] FoldersError),
    /// The discovery file or the token file cannot be trusted.
    #[error(transparent)]
    File(PrivateFileError),
    /// The token file is missing.
    #[error("there is no token in {}", .0.display())]
    NoToken(PathBuf),
    /// The token file holds something else.
    #[error("{} does not hold a Handraise token", .0.display())]
    DamagedToken(PathBuf),
    /// Deciding needs the Unix socket, or a token.
    #[error("Handraise does not listen on a Unix socket")]
    NoSocket,
    /// Somebody listens who does not know the token. Nothing but the public part was sent.
    #[error("the program at {0} did not prove to be Handraise")]
    NotProved(String),
    /// Nobody has proved anything yet, and it took too long: the server may be busy. Nothing but the public part was sent.
    #[error("the program at {0} did not answer in time")]
    NoAnswer(String),
    /// The server said no.
    #[error("{}", .0.detail.trim_end_matches('.'))]
    Problem(Box<Problem>),
    /// The connection ended before the answer.
    #[error("the connection to Handraise broke off")]
    Interrupted,
    /// The answer is none that this program knows.
    #[error("Handraise answered something that cannot be understood")]
    Response,
    /// Nothing can be asked under this path.
    #[error("{} cannot stand in a request", .0.escape_debug())]
    Path(String),
    /// The system refused something.
    #[error("the system refused: {0}")]
    System(#[source] io::Error),
}

impl ClientError {
    /// What to do about it: a sentence.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NotRunning => "Start it with `handraise-desktop` (or `handraise serve`), then try again.",
            Self::NoToken(_) => "Start Handraise once; it makes the tokens. If it runs, restart it.",
            Self::DamagedToken(_) => "Delete the file and restart Handraise; it makes a new one.",
            Self::NotProved(_) => {
                "Nothing was sent to it. Restart Handraise; if that does not help, another program sits in its place."
            }
            Self::NoAnswer(_) => "Nothing was sent to it. Try again; if that does not help, restart Handraise.",
            Self::Interrupted | Self::Response => {
                "Look whether Handraise still runs (`handraise doctor`), then try again."
            }
            Self::Path(_) => "Write it with letters, digits and signs of ASCII.",
            Self::NoSocket => "Give an approver's token with --token-file.",
            Self::Folders(_) | Self::File(_) | Self::System(_) => {
                "Repair that (`handraise doctor` helps), then try again."
            }
            Self::Problem(problem) => match problem.code {
                ProblemCode::Unauthorized => "Use a token that is valid, or a person's own terminal.",
                ProblemCode::TooManyRequests => "Wait a little, then try again.",
                _ => "",
            },
        }
    }

    /// What happened and what to do about it.
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("{}. {}", capitalized(&self.to_string()), self.remedy()).trim_end().to_owned()
    }
}

/// `text` with a capital letter at its beginning.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
