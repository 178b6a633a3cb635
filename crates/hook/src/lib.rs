//! What an agent runs before each tool call.
//!
//! Architecture invariant: this lets a call run only after a proved server has answered, in a version that is known here,
//! with something that this agent's adapter says to this very message. It says nothing where another agent runs this hook
//! and has one of its own: that one asks.
//! Agents let a call run when their hook crashes, hangs, or ends with any exit code but 2, so
//! whatever else happens here (no server, a wrong one, an error, a signal, a panic, the deadline)
//! becomes the agent's own denial, in JSON or by exit code 2, whichever the agent understands.
//!
//! It is started for every call, so it starts nothing itself: no runtime, and on Unix no thread. While it waits, it
//! sleeps until one of these happens: an answer, a signal, the deadline, the end of the program that has started it.

mod deadline;
mod failure;
mod other_hooks;
mod parent;
mod stdin;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use handraise_agents::{Agent, HookOutput};
use handraise_client::{ClientError, Token, post};
use handraise_locations::{Folders, FoldersError};
use handraise_protocol::{MAX_BODY, speaks_with_us};

use deadline::Deadline;
use failure::Failure;

/// The one exit code that blocks the call in every agent.
pub const BLOCKED: u8 = 2;
/// Seconds until the call is denied, when nothing else is said.
pub const DEADLINE: u32 = 590;
/// The longest deadline, in seconds.
pub const MAX_DEADLINE: u32 = 86_400;

/// Longest version of another protocol that is told, in characters.
const MAX_VERSION: usize = 20;

/// One call that an agent asks about.
#[derive(Debug)]
pub struct Hook {
    /// The agent, as `claude-code`.
    pub agent: String,
    /// Seconds until the call is denied; must end before the agent stops waiting.
    pub deadline: u32,
    /// Where everything is kept.
    pub folders: Result<Folders, FoldersError>,
    /// Home folder that the agents keep their settings in, where it is not the user's own.
    pub agents_home: Option<PathBuf>,
}

impl Hook {
    /// Answers the agent.
    #[must_use]
    pub fn run(&self) -> ExitCode {
        // What a panic prints would reach the model in place of the sentence.
        std::panic::set_hook(Box::new(|_| {}));
        catch_unwind(AssertUnwindSafe(|| self.answer())).unwrap_or(ExitCode::from(BLOCKED))
    }

    fn answer(&self) -> ExitCode {
        let call = Mutex::new(Call { agent: handraise_agents::agent(&self.agent), message: Vec::new() });
        let asked = catch_unwind(AssertUnwindSafe(|| self.ask(&call)));
        let failure = match asked {
            Ok(Ok(answer)) => return write(&answer),
            Ok(Err(failure)) => failure,
            Err(_) => Failure::Panic,
        };
        let call = call.into_inner().unwrap_or_else(PoisonError::into_inner);
        let sentence = failure.sentence();
        let denial = match call.agent {
            Some(agent) => agent.failure(&call.message, &sentence),
            None => HookOutput { stdout: String::new(), stderr: sentence, exit_code: BLOCKED },
        };
        write(&denial)
    }

    fn ask(&self, call: &Mutex<Call>) -> Result<HookOutput, Failure> {
        let deadline = Deadline::new(self.deadline).map_err(ClientError::System)?;
        // Read in any case: an agent that cannot hand its message over may count that as its own error.
        let stdin = stdin::read_message(&deadline)?;
        let is_too_large = stdin.len() > MAX_BODY;
        let configured = handraise_agents::agent(&self.agent);
        let environment = |name: &str| std::env::var(name).ok();
        let run_by = configured.and_then(|agent| handraise_agents::agent(agent.run_by(&stdin, &environment)?));
        if let (Some(configured), Some(other)) = (configured, run_by)
            && other_hooks::asks_itself(other, self.agents_home.as_deref())
        {
            return Ok(configured.pass());
        }
        let agent = run_by.or(configured);
        let message = agent.map_or_else(|| stdin.clone(), |agent| agent.message(stdin.clone(), &environment));
        *call.lock().unwrap_or_else(PoisonError::into_inner) = Call { agent, message: message.clone() };
        if is_too_large || message.len() > MAX_BODY {
            return Err(Failure::TooLarge);
        }
        let agent = agent.ok_or_else(|| Failure::UnknownAgent(self.agent.clone()))?;
        let folders = self.folders.as_ref().map_err(|error| ClientError::Folders(*error))?;
        let token = Token::read(&folders.token_file(agent.name()))?;
        let path = format!("/v1/hooks/{}?wait={}", agent.name(), deadline.left().as_secs().max(1));
        let answer = post(folders, &token, &path, &message, &deadline)?;
        let theirs = answer.protocol.as_deref();
        if !speaks_with_us(theirs) {
            return Err(Failure::Version(theirs.unwrap_or_default().chars().take(MAX_VERSION).collect()));
        }
        match String::from_utf8(answer.body).ok().and_then(|body| HookOutput::of_body(&body)) {
            Some(given) if !answer.is_pending && handraise_agents::is_answer(agent, &message, &given) => Ok(given),
            _ => Err(ClientError::Response.into()),
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

/// Hands the answer to the agent. An answer that cannot be written is none.
fn write(answer: &HookOutput) -> ExitCode {
    // Where stderr is closed, the exit code still tells.
    let _ = io::stderr().write_all(answer.stderr.as_bytes());
    let mut stdout = io::stdout().lock();
    match stdout.write_all(answer.stdout.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::from(answer.exit_code),
        Err(_) => ExitCode::from(BLOCKED),
    }
}
