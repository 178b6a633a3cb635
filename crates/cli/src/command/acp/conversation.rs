//! The two directions between client and agent, and the permission requests that are answered between them.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitStatus;
use std::sync::{Arc, Mutex as StateMutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use handraise_agents::acp::{FromAgent, Passed, PermissionRequest, Proxy, Unanswered};
use handraise_locations::Folders;
use handraise_protocol::{ApprovalRequest, ApprovalResult, MAX_BODY, Method, QuestionRequest, QuestionResult};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWriteExt, BufReader, Stdout};
use tokio::process::ChildStdin;
use tokio::sync::{Mutex, oneshot};
use tokio::task::JoinSet;

use super::{line, program};
use crate::client::{Client, ClientError};

/// Questions that are open at once. More are answered with "cancelled", one after the other.
const MAX_OPEN: usize = 256;
/// How long to wait for the last words of an agent that has ended, while one of its children still
/// holds its output.
const MAX_LAST_WORDS: Duration = Duration::from_secs(2);

/// A client and an agent.
pub(super) struct Conversation {
    /// Name of the agent.
    name: String,
    folders: Folders,
    state: StateMutex<State>,
    /// `None` when the client has gone. Whole lines only.
    pub(super) agent: Mutex<Option<ChildStdin>>,
    /// Whole lines only.
    client: Mutex<Stdout>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) proxy: Proxy,
    /// What to drop to withdraw a permission request or question.
    waiting: Vec<(Value, oneshot::Sender<()>)>,
    /// Nobody is there any more who would hear of an answer.
    has_ended: bool,
}

/// Why a permission request or question of the agent was answered with "cancelled".
#[derive(Debug, thiserror::Error)]
pub(super) enum NotAsked {
    #[error("{}", .0.sentence())]
    Client(#[from] ClientError),
    #[error("{0}")]
    Unanswered(#[from] Unanswered),
    #[error("It has a field that a person cannot be asked about in words.")]
    Unknown,
    #[error("It is larger than {MAX_BODY} bytes.")]
    TooLarge,
    #[error("It cannot be read in one way: {0}.")]
    Unreadable(#[from] handraise_agents::HookError),
    #[error("The agent waits for {MAX_OPEN} answers already.")]
    TooMany,
}

impl Conversation {
    /// Runs until the agent ends, and gives the exit code that it ended with.
    pub(super) async fn run(name: String, folders: Folders, command: &[OsString]) -> anyhow::Result<u8> {
        let mut child = program::start(command)?;
        let (Some(to_agent), Some(from_agent), Some(pid)) = (child.stdin.take(), child.stdout.take(), child.id())
        else {
            anyhow::bail!("the agent has no stdin and stdout");
        };
        let (agent, client) = (Mutex::new(Some(to_agent)), Mutex::new(tokio::io::stdout()));
        let this = Arc::new(Self { name, folders, state: StateMutex::default(), agent, client });
        let mut from_client = tokio::spawn(Arc::clone(&this).read_client(tokio::io::stdin()));
        let mut to_client = tokio::spawn(Arc::clone(&this).read_agent(from_agent));
        let signals = tokio::spawn(program::hand_signals_on(pid));
        let status = tokio::select! {
            // A direction that fails takes the agent along: what cannot be read must not pass.
            Some(error) = failure(&mut from_client) => Err(error),
            Some(error) = failure(&mut to_client) => Err(error),
            status = child.wait() => Ok(status),
        };
        signals.abort();
        let status: ExitStatus = match status {
            Ok(status) => status.context("the agent is lost")?,
            Err(error) => {
                this.end();
                child.kill().await.context("the agent cannot be ended")?;
                return Err(error.context("the conversation was ended"));
            }
        };
        this.end();
        if !to_client.is_finished() {
            // What it said is there already; only somebody else who holds the pipe could say more.
            let _ = tokio::time::timeout(MAX_LAST_WORDS, to_client).await;
        }
        Ok(program::exit_code(status))
    }

    /// From the client to the agent.
    async fn read_client(self: Arc<Self>, from: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut from = BufReader::new(from);
        let mut bytes = Vec::new();
        while line::read(&mut from, &mut bytes).await? {
            let found = self.state().proxy.from_client(&bytes);
            // First, so that no answer of a person overtakes it.
            self.withdraw(&found.withdrawn);
            let is_told = match found.line {
                Passed::AsItIs => self.tell_agent(&bytes).await,
                Passed::Instead(line) => self.tell_agent(format!("{line}\n").as_bytes()).await,
                Passed::Nothing => true,
            };
            if !is_told {
                // It reads no more, and is about to end.
                return Ok(());
            }
        }
        self.end();
        let mut agent = self.agent.lock().await;
        let answers = self.state().proxy.last_answers();
        for answer in answers {
            if let Some(agent) = agent.as_mut() {
                // It may have ended meanwhile.
                let _ = agent.write_all(format!("{answer}\n").as_bytes()).await;
            }
        }
        agent.take();
        Ok(())
    }

    /// From the agent to the client.
    async fn read_agent(self: Arc<Self>, from: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut from = BufReader::new(from);
        let mut asked = JoinSet::new();
        let mut bytes = Vec::new();
        while line::read(&mut from, &mut bytes).await? {
            while asked.try_join_next().is_some() {}
            let found = self.state().proxy.from_agent(&bytes);
            let told = match found {
                FromAgent::Pass => self.tell_client(&bytes).await,
                FromAgent::Keep => Ok(()),
                FromAgent::Ask { permission, told } => {
                    let told = self.tell_client_line(told).await;
                    if asked.len() < MAX_OPEN {
                        let withdrawn = self.waits(permission.id());
                        asked.spawn(Arc::clone(&self).answer(permission, withdrawn));
                    } else {
                        self.refuse(&permission.cancelled(), &permission.call.request.tool, &NotAsked::TooMany).await;
                        self.state().proxy.answered(permission.id());
                    }
                    told
                }
                FromAgent::Elicit { elicitation, told } => {
                    let told = self.tell_client_line(told).await;
                    if asked.len() < MAX_OPEN {
                        let withdrawn = self.waits(elicitation.id());
                        asked.spawn(Arc::clone(&self).elicit(elicitation, withdrawn));
                    } else {
                        self.unanswered(&elicitation, &NotAsked::TooMany).await;
                    }
                    told
                }
                FromAgent::Withdraw { id, told } => {
                    self.withdraw(&[id]);
                    self.tell_client_line(told).await
                }
                FromAgent::Refuse { answer, why } => {
                    self.refuse(answer.as_deref().unwrap_or_default(), "a tool", &why.into()).await;
                    Ok(())
                }
            };
            if told.is_err() {
                // The client is gone. The agent hears of it in the same way, when it says more.
                break;
            }
        }
        self.end();
        drop(from);
        while asked.join_next().await.is_some() {}
        Ok(())
    }

    /// Has a permission request decided and tells the agent.
    async fn answer(self: Arc<Self>, permission: Box<PermissionRequest>, withdrawn: oneshot::Receiver<()>) {
        let tool = &permission.call.request.tool;
        let asked = tokio::select! {
            biased;
            // Its sender is dropped.
            _ = withdrawn => None,
            answer = self.decided(&permission) => Some(answer),
        };
        match asked {
            None => {
                self.tell_agent(format!("{}\n", permission.cancelled()).as_bytes()).await;
            }
            Some(Ok(answer)) => {
                self.tell_agent(format!("{answer}\n").as_bytes()).await;
            }
            Some(Err(why)) => self.refuse(&permission.cancelled(), tool, &why).await,
        }
        let mut state = self.state();
        state.proxy.answered(permission.id());
        state.waiting.retain(|(id, _)| id != permission.id());
    }

    /// What the agent is told about its permission request.
    async fn decided(&self, permission: &PermissionRequest) -> Result<String, NotAsked> {
        let result = self.decide(&permission.call.request).await?;
        if !permission.is_allowed(&result) {
            return Ok(permission.answer(&result));
        }
        if !permission.can_be_allowed() {
            let tool = handraise_display::line(&permission.call.request.tool, 80);
            complain(&format!(
                "`{tool}` was approved, but the agent offers no answer for one call only, so it was told \"cancelled\"."
            ));
        }
        match permission.which_answer() {
            None => Ok(permission.answer(&result)),
            Some(which) => Ok(permission.chosen(&self.ask(&which).await?.selected)),
        }
    }

    async fn decide(&self, request: &ApprovalRequest) -> Result<ApprovalResult, NotAsked> {
        self.send("/v1/approvals", &ApprovalRequest { agent: self.claimed_name(), ..request.clone() }).await
    }

    /// Puts a question before the person, and waits for its end.
    pub(super) async fn ask(&self, question: &QuestionRequest) -> Result<QuestionResult, NotAsked> {
        self.send("/v1/questions", &QuestionRequest { agent: self.claimed_name(), ..question.clone() }).await
    }

    /// The credential of an agent says its name already.
    fn claimed_name(&self) -> Option<String> {
        let is_proved = handraise_agents::agent(&self.name).is_some();
        Some(self.name.clone()).filter(|name| !is_proved && !name.is_empty())
    }

    async fn send<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, NotAsked> {
        let client = match handraise_agents::agent(&self.name) {
            Some(agent) => Client::requester(&self.folders, agent.name())?,
            None => Client::default_requester(&self.folders)?,
        };
        let body = serde_json::to_vec(body).map_err(|_| ClientError::Response)?;
        if body.len() > MAX_BODY {
            return Err(NotAsked::TooLarge);
        }
        Ok(client.send(Method::Post, path, body).await?.read()?)
    }

    async fn refuse(&self, answer: &str, tool: &str, why: &NotAsked) {
        let tool = handraise_display::line(tool, 80);
        complain(&format!("The agent's permission request about `{tool}` was not approved. {why}"));
        if !answer.is_empty() {
            self.tell_agent(format!("{answer}\n").as_bytes()).await;
        }
    }

    async fn tell_client(&self, line: &[u8]) -> io::Result<()> {
        let mut client = self.client.lock().await;
        client.write_all(line).await?;
        client.flush().await
    }

    /// [`Conversation::tell_client`], where there is something to tell.
    pub(super) async fn tell_client_line(&self, line: Option<String>) -> io::Result<()> {
        match line {
            Some(line) => self.tell_client(format!("{line}\n").as_bytes()).await,
            None => Ok(()),
        }
    }

    /// Whether the agent could be told.
    async fn tell_agent(&self, line: &[u8]) -> bool {
        match self.agent.lock().await.as_mut() {
            Some(agent) => agent.write_all(line).await.is_ok(),
            None => false,
        }
    }

    /// What ends when the permission request `id` is withdrawn.
    fn waits(&self, id: &Value) -> oneshot::Receiver<()> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.state();
        // With nobody there, the sender is dropped at once.
        if !state.has_ended {
            state.waiting.push((id.clone(), sender));
        }
        receiver
    }

    fn withdraw(&self, ids: &[Value]) {
        self.state().waiting.retain(|(id, _)| !ids.contains(id));
    }

    /// Withdraws everything, now and from now on.
    fn end(&self) {
        let mut state = self.state();
        state.has_ended = true;
        state.waiting.clear();
    }

    /// Nothing withdraws the permission request or question `id` any more.
    pub(super) fn waits_no_more(&self, id: &Value) {
        self.state().waiting.retain(|(waiting, _)| waiting != id);
    }

    pub(super) fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of a direction that has failed; one that has just ended never comes back.
async fn failure(direction: &mut tokio::task::JoinHandle<io::Result<()>>) -> Option<anyhow::Error> {
    match direction.await {
        Ok(Ok(())) => std::future::pending().await,
        Ok(Err(error)) => Some(error.into()),
        Err(error) => Some(error.into()),
    }
}

pub(super) fn complain(sentence: &str) {
    // With stderr closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "handraise: {sentence}");
}
