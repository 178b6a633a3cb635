//! The two directions between client and agent, and the permission requests that are answered between them.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitStatus;
use std::sync::{Arc, Mutex as StateMutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use handraise_agents::acp::{self, FromAgent, PermissionRequest, Proxy};
use handraise_locations::Folders;
use handraise_protocol::{ApprovalRequest, ApprovalResult, MAX_BODY, Status};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
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
    agent: Mutex<Option<ChildStdin>>,
}

#[derive(Default)]
struct State {
    proxy: Proxy,
    /// What to drop to withdraw a permission request.
    waiting: Vec<(Value, oneshot::Sender<()>)>,
    /// Nobody is there any more who would hear of an answer.
    has_ended: bool,
}

/// Why a permission request of the agent was answered with "cancelled".
#[derive(Debug, thiserror::Error)]
enum NotAsked {
    #[error("{}", .0.sentence())]
    Client(#[from] ClientError),
    #[error("The permission request is larger than {MAX_BODY} bytes.")]
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
        let this = Arc::new(Self { name, folders, state: StateMutex::default(), agent: Mutex::new(Some(to_agent)) });
        let mut from_client = tokio::spawn(Arc::clone(&this).client(tokio::io::stdin()));
        let mut to_client = tokio::spawn(Arc::clone(&this).agent(from_agent, tokio::io::stdout()));
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
    async fn client(self: Arc<Self>, from: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut from = BufReader::new(from);
        let mut bytes = Vec::new();
        while line::read(&mut from, &mut bytes).await? {
            let withdrawn = self.state().proxy.from_client(&bytes);
            // First, so that no answer of a person overtakes it.
            self.withdraw(&withdrawn);
            if !self.tell_agent(&bytes).await {
                // It reads no more, and is about to end.
                return Ok(());
            }
        }
        self.end();
        let mut agent = self.agent.lock().await;
        let open = self.state().proxy.open();
        for id in open {
            if let Some(agent) = agent.as_mut() {
                // It may have ended meanwhile.
                let _ = agent.write_all(format!("{}\n", acp::cancelled(&id)).as_bytes()).await;
            }
        }
        agent.take();
        Ok(())
    }

    /// From the agent to the client.
    async fn agent(self: Arc<Self>, from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) -> io::Result<()> {
        let mut from = BufReader::new(from);
        let mut permissions = JoinSet::new();
        let mut bytes = Vec::new();
        while line::read(&mut from, &mut bytes).await? {
            while permissions.try_join_next().is_some() {}
            let found = self.state().proxy.from_agent(&bytes);
            let told = match found {
                FromAgent::Pass => tell(&mut to, &bytes).await,
                FromAgent::Ask { permission, told } => {
                    let told = match told {
                        Some(told) => tell(&mut to, format!("{told}\n").as_bytes()).await,
                        None => Ok(()),
                    };
                    if permissions.len() < MAX_OPEN {
                        let withdrawn = self.waits(permission.id());
                        permissions.spawn(Arc::clone(&self).answer(permission, withdrawn));
                    } else {
                        self.refuse(&permission.cancelled(), &permission.call.request.tool, &NotAsked::TooMany).await;
                        self.state().proxy.answered(permission.id());
                    }
                    told
                }
                FromAgent::Withdraw(id) => {
                    self.withdraw(&[id]);
                    Ok(())
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
        while permissions.join_next().await.is_some() {}
        Ok(())
    }

    /// Has a permission request decided and tells the agent.
    async fn answer(self: Arc<Self>, permission: Box<PermissionRequest>, withdrawn: oneshot::Receiver<()>) {
        let tool = &permission.call.request.tool;
        let asked = tokio::select! {
            biased;
            // Its sender is dropped.
            _ = withdrawn => None,
            result = self.decide(&permission.call.request) => Some(result),
        };
        match asked {
            None => {
                self.tell_agent(format!("{}\n", permission.cancelled()).as_bytes()).await;
            }
            Some(Ok(result)) => {
                if result.status == Status::Approved && !permission.can_be_allowed() {
                    complain(&format!(
                        "`{tool}` was approved, but the agent offers no answer for one call only, so it was told \
                         \"cancelled\"."
                    ));
                }
                self.tell_agent(format!("{}\n", permission.answer(&result)).as_bytes()).await;
            }
            Some(Err(why)) => self.refuse(&permission.cancelled(), tool, &why).await,
        }
        let mut state = self.state();
        state.proxy.answered(permission.id());
        state.waiting.retain(|(id, _)| id != permission.id());
    }

    async fn decide(&self, request: &ApprovalRequest) -> Result<ApprovalResult, NotAsked> {
        let agent = handraise_agents::agent(&self.name);
        let client = match agent {
            Some(agent) => Client::requester(&self.folders, agent.name())?,
            None => Client::default_requester(&self.folders)?,
        };
        // The credential of an agent says its name already.
        let name = agent.is_none().then(|| self.name.clone()).filter(|name| !name.is_empty());
        let body = serde_json::to_vec(&ApprovalRequest { agent: name, ..request.clone() });
        let body = body.map_err(|_| ClientError::Response)?;
        if body.len() > MAX_BODY {
            return Err(NotAsked::TooLarge);
        }
        let answer = client.send(handraise_protocol::Method::Post, "/v1/approvals", body).await?;
        Ok(answer.read()?)
    }

    async fn refuse(&self, answer: &str, tool: &str, why: &NotAsked) {
        let tool = handraise_display::line(tool, 80);
        complain(&format!("The agent's permission request about `{tool}` was not approved. {why}"));
        if !answer.is_empty() {
            self.tell_agent(format!("{answer}\n").as_bytes()).await;
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

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
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

async fn tell(client: &mut (impl AsyncWrite + Unpin), line: &[u8]) -> io::Result<()> {
    client.write_all(line).await?;
    client.flush().await
}

fn complain(sentence: &str) {
    // With stderr closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "handraise: {sentence}");
}
