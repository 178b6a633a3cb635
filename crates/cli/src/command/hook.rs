//! `handraise hook`: what an agent runs before each tool call.
//!
//! Architecture invariant: this ends with exit code 0 only after a proved server has answered.
//! Agents let a call run when their hook crashes, hangs, or ends with any exit code but 2, so
//! whatever else happens here (no server, a wrong one, an error, a signal, a panic, the deadline)
//! becomes the agent's own denial, in JSON or by exit code 2, whichever the agent understands.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use handraise_agents::{Agent, HookAnswer, Level};
use handraise_locations::NoFolders;
use handraise_protocol::{LARGEST_BODY, Method};
use tokio::time::{Instant, sleep_until};

use super::FolderArguments;
use super::parent::Parent;
use super::settings_file;
use super::signals::EndSignals;
use super::stdin::read_message;
use crate::client::{Client, ClientError};
use crate::runtime::runtime;
use crate::show::capitalized;

/// The one exit code that blocks the call in every agent.
pub(crate) const BLOCKED: u8 = 2;

/// Answer an agent's hook (this is what `connect` puts into the agent's settings)
#[derive(Debug, Args)]
pub(crate) struct Hook {
    /// The agent, as `claude-code`
    agent: String,
    /// Seconds until the call is denied; must end before the agent stops waiting
    #[arg(long, value_name = "SECONDS", default_value_t = 590, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    deadline: u32,
}

/// Why there is no answer. Each says what happened and what to do.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("Handraise does not know an agent called `{0}`")]
    UnknownAgent(String),
    #[error("the agent's message could not be read ({0})")]
    Input(io::Error),
    #[error("the agent's message is larger than {LARGEST_BODY} bytes")]
    TooLarge,
    #[error("no answer came from Handraise within {0} seconds")]
    Deadline(u32),
    #[error("the hook was ended from outside while it waited for an answer")]
    Ended,
    #[error("the program that asked has ended")]
    Orphaned,
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
            Self::Orphaned => "",
            Self::Panic => "Please report this error; `handraise doctor` may tell more.",
            Self::Client(error) => error.remedy(),
        }
    }

    /// For the model and for the person.
    fn sentence(&self) -> String {
        let what = capitalized(&self.to_string());
        let remedy = self.remedy();
        let space = if remedy.is_empty() { "" } else { " " };
        format!("{what}, so this call was denied. {remedy}{space}Do not try to work around this.")
    }
}

impl Hook {
    /// Answers the agent.
    pub(crate) fn run(&self, folders: &FolderArguments) -> ExitCode {
        // What a panic prints would reach the model in place of the sentence.
        std::panic::set_hook(Box::new(|_| {}));
        catch_unwind(AssertUnwindSafe(|| self.answer(folders))).unwrap_or(ExitCode::from(BLOCKED))
    }

    fn answer(&self, folders: &FolderArguments) -> ExitCode {
        let call = Mutex::new(Call { agent: handraise_agents::agent(&self.agent), message: Vec::new() });
        let asked = catch_unwind(AssertUnwindSafe(|| self.ask(folders, &call)));
        let failure = match asked {
            Ok(Ok(answer)) => return write(&answer),
            Ok(Err(failure)) => failure,
            Err(_) => Failure::Panic,
        };
        let call = call.into_inner().unwrap_or_else(PoisonError::into_inner);
        let sentence = failure.sentence();
        let denial = match call.agent {
            Some(agent) => agent.failure(&call.message, &sentence),
            None => HookAnswer { stdout: String::new(), stderr: sentence, exit_code: BLOCKED },
        };
        write(&denial)
    }

    fn ask(&self, folders: &FolderArguments, call: &Mutex<Call>) -> Result<HookAnswer, Failure> {
        let parent = Parent::now();
        let runtime = runtime().map_err(ClientError::System)?;
        let answer = runtime.block_on(async {
            let mut signals = EndSignals::listen().map_err(ClientError::System)?;
            let deadline = Instant::now() + Duration::from_secs(self.deadline.into());
            tokio::select! {
                biased;
                () = signals.received() => Err(Failure::Ended),
                () = parent.ended() => Err(Failure::Orphaned),
                () = sleep_until(deadline) => Err(Failure::Deadline(self.deadline)),
                answer = self.converse(folders, call, deadline) => answer,
            }
        });
        // A connection that is still open must not hold the answer up.
        runtime.shutdown_background();
        answer
    }

    async fn converse(
        &self,
        folders: &FolderArguments,
        call: &Mutex<Call>,
        deadline: Instant,
    ) -> Result<HookAnswer, Failure> {
        // Read in any case: an agent that cannot hand its message over may count that as its own error.
        let stdin = read_message().await.map_err(Failure::Input)?;
        let is_too_large = stdin.len() > LARGEST_BODY;
        let configured = handraise_agents::agent(&self.agent);
        let environment = |name: &str| std::env::var(name).ok();
        let run_by = configured.and_then(|agent| handraise_agents::agent(agent.run_by(&stdin, &environment)?));
        if let (Some(configured), Some(other)) = (configured, run_by)
            && asks_itself(other)
        {
            return Ok(configured.pass());
        }
        let agent = run_by.or(configured);
        let message = agent.map_or_else(|| stdin.clone(), |agent| agent.message(stdin.clone(), &environment));
        *call.lock().unwrap_or_else(PoisonError::into_inner) = Call { agent, message: message.clone() };
        if is_too_large || message.len() > LARGEST_BODY {
            return Err(Failure::TooLarge);
        }
        let agent = agent.ok_or_else(|| Failure::UnknownAgent(self.agent.clone()))?;
        let folders = folders.folders().map_err(|error: NoFolders| ClientError::Folders(error))?;
        let client = Client::requester(&folders, agent.name())?;
        let seconds_left = deadline.saturating_duration_since(Instant::now()).as_secs().max(1);
        let path = format!("/v1/hooks/{}?wait={seconds_left}", agent.name());
        let answer = client.send(Method::Post, &path, message).await?;
        match String::from_utf8(answer.body).ok().and_then(|body| HookAnswer::of_body(&body)) {
            Some(hook_answer) if !answer.is_pending => Ok(hook_answer),
            _ => Err(ClientError::Answer.into()),
        }
    }
}

/// What has been read so far of the call that waits.
struct Call {
    /// The agent to answer.
    agent: Option<&'static dyn Agent>,
    /// Its message.
    message: Vec<u8>,
}

/// Whether the agent's own settings ask about every call, so that a hook in another agent's settings
/// would ask a second time. When in doubt it does not.
fn asks_itself(agent: &dyn Agent) -> bool {
    let files = settings_file::home().and_then(|home| settings_file::files(agent, Level::User, &home));
    let mut connections =
        files.into_iter().flatten().filter_map(|file| file.edit.connection(file.file.text()).ok().flatten());
    connections.any(|connection| connection.every_call && !connection.switched_off)
}

/// Hands the answer to the agent. An answer that cannot be written is none.
fn write(answer: &HookAnswer) -> ExitCode {
    // Where stderr is closed, the exit code still tells.
    let _ = io::stderr().write_all(answer.stderr.as_bytes());
    let mut stdout = io::stdout().lock();
    match stdout.write_all(answer.stdout.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::from(answer.exit_code),
        Err(_) => ExitCode::from(BLOCKED),
    }
}
