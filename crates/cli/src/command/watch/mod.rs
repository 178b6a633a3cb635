//! `handraise watch`: what waits, live, with answers by one key.

mod draw;
mod follow;
mod keys;
mod state;
mod style;

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use crossterm::event::Event as TerminalEvent;
use handraise_protocol::{AnswerRequest, Decision, DecisionRequest, DecisionResponse, QuestionId, RequestId};
use jiff::Timestamp;
use ratatui::DefaultTerminal;
use tokio::sync::mpsc;

use super::pending::{ApproverArguments, list, questions};
use super::signals::EndSignals;
use super::waiting::together;
use super::{FolderArguments, answer_question, say};
use crate::DONE;
use crate::client::{Client, ClientError};
use crate::runtime::runtime;

#[cfg(test)]
pub(crate) use state::tests::{confinable, sample, widenable};
use state::{State, Wish};

/// How often the time left is drawn anew.
const TICK: Duration = Duration::from_millis(500);
/// Keys and events that may queue up.
const QUEUE: usize = 256;

/// Show waiting requests live, and answer with one key
#[derive(Debug, Args)]
pub(crate) struct Watch {
    #[command(flatten)]
    approver: ApproverArguments,
}

impl Watch {
    /// Runs until the person has enough.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            bail!("watch needs a terminal; `handraise pending` lists what waits anywhere");
        }
        let client = Arc::new(self.approver.client(folders)?);
        let runtime = runtime()?;
        // Whatever is wrong with the connection is better said before the screen is taken.
        let (approvals, questions) = runtime
            .block_on(async { Ok::<_, ClientError>((list(&client, "pending").await?, questions(&client).await?)) })?;
        // Also restores the terminal when something panics.
        let mut terminal = ratatui::try_init()?;
        let mut state = State::default();
        state.replace(together(approvals, questions), Instant::now());
        let watched = runtime.block_on(watch(&mut terminal, &client, &mut state));
        ratatui::restore();
        runtime.shutdown_background();
        watched?;
        say("Handraise goes on without this window; requests are still asked on its other surfaces.")?;
        Ok(DONE)
    }
}

async fn watch(terminal: &mut DefaultTerminal, client: &Arc<Client>, state: &mut State) -> anyhow::Result<()> {
    let mut signals = EndSignals::listen()?;
    let mut keys = keys()?;
    let (news_sender, mut news) = mpsc::channel(QUEUE);
    tokio::spawn(follow::follow(Arc::clone(client), news_sender));
    let (outcome_sender, mut outcomes) = mpsc::channel(QUEUE);
    let mut tick = tokio::time::interval(TICK);
    loop {
        terminal.draw(|frame| draw::draw(frame, state, Timestamp::now(), Instant::now()))?;
        tokio::select! {
            () = signals.received() => return Ok(()),
            _ = tick.tick() => {}
            Some(news) = news.recv() => state.hear(news, Instant::now()),
            Some(outcome) = outcomes.recv() => state.tell(outcome),
            event = keys.recv() => match event {
                Some(TerminalEvent::Key(key)) => match state.key(key, Instant::now()) {
                    Some(Wish::Quit) => return Ok(()),
                    Some(Wish::Decide(id, request)) => {
                        let (client, sender) = (Arc::clone(client), outcome_sender.clone());
                        tokio::spawn(async move { sender.send(decide(&client, id, &request).await).await });
                    }
                    Some(Wish::Answer(id, answer)) => {
                        let (client, sender) = (Arc::clone(client), outcome_sender.clone());
                        tokio::spawn(async move { sender.send(send(&client, id, &answer).await).await });
                    }
                    None => {}
                },
                Some(_) => {}
                None => return Ok(()),
            },
        }
    }
}

/// What a person types. Reading blocks, so it has a thread of its own, which ends with the program.
fn keys() -> io::Result<mpsc::Receiver<TerminalEvent>> {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let read = move || {
        while let Ok(event) = crossterm::event::read() {
            if sender.blocking_send(event).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("keys".to_owned()).spawn(read)?;
    Ok(receiver)
}

/// Decides, and says how that went.
async fn decide(client: &Client, id: RequestId, request: &DecisionRequest) -> String {
    let path = format!("/v1/approvals/{id}/decision");
    let answer = client.post(&path, request).await.and_then(|answer| answer.read::<DecisionResponse>());
    match (answer, request.decision) {
        (Ok(_), Decision::Approve) => "Approved.".to_owned(),
        (Ok(_), Decision::Deny) => "Denied.".to_owned(),
        (Err(error), _) => error.sentence(),
    }
}

/// Answers a question, and says how that went.
async fn send(client: &Client, id: QuestionId, answer: &AnswerRequest) -> String {
    answer_question::send(client, id, answer).await.map_or_else(|error| error.sentence(), str::to_owned)
}
