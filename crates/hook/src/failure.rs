//! Why the agent gets no answer of the gate.

use std::io;

use handraise_client::{ClientError, capitalized};
use handraise_protocol::{HOOK_PROTOCOL, MAX_BODY};

/// Why there is no answer. Each says what happened and what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("Handraise does not know an agent called `{0}`")]
    UnknownAgent(String),
    #[error("the agent's message could not be read ({0})")]
    Input(io::Error),
    #[error("the agent's message is larger than {MAX_BODY} bytes")]
    TooLarge,
    #[error("no answer came from Handraise within {0} seconds")]
    Deadline(u32),
    #[error("the hook was ended from outside while it waited for an answer")]
    Ended,
    #[error("the program that asked has ended")]
    Orphaned,
    #[error("the Handraise that runs speaks version `{0}` to hooks, and this hook version {HOOK_PROTOCOL}")]
    Version(String),
    #[error("the hook failed inside")]
    Panic,
    #[error(transparent)]
    Client(#[from] ClientError),
}

impl Failure {
    fn remedy(&self) -> &'static str {
        match self {
            Self::UnknownAgent(_) => "Run `handraise connect` again for the agent that you use.",
            Self::Input(_) => "Make the same call again.",
            Self::TooLarge => "Do it in smaller steps.",
            Self::Deadline(_) | Self::Ended => {
                "This is not a refusal: nobody has decided yet. Ask the person to answer in Handraise, then make \
                 the same call again."
            }
            Self::Version(_) => {
                "Update Handraise: let all its programs be of one version, restart it, and run `handraise connect` again."
            }
            Self::Orphaned => "",
            Self::Panic => "Please report this error; `handraise doctor` may tell more.",
            Self::Client(error) => error.remedy(),
        }
    }

    /// For the model and for the person.
    pub(crate) fn sentence(&self) -> String {
        let what = capitalized(&self.to_string());
        let remedy = self.remedy();
        let space = if remedy.is_empty() { "" } else { " " };
        format!("{what}, so this call was denied. {remedy}{space}Do not try to work around this.")
    }
}
