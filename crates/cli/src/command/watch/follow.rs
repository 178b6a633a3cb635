//! What happens at the server, for as long as anybody wants to know.

use std::sync::Arc;
use std::time::Duration;

use handraise_protocol::{Approval, Event, Question};
use tokio::sync::mpsc::Sender;

use crate::client::{Client, ClientError};
use crate::command::pending::{list, questions};

/// How long to wait before the next attempt to reach the server.
const PAUSE: Duration = Duration::from_secs(2);

/// Something happened.
#[derive(Debug)]
pub(super) enum WatchEvent {
    /// This, and nothing else, waits now.
    Waiting(Vec<Approval>, Vec<Question>),
    /// One thing changed.
    Event(Box<Event>),
    /// Nothing is known for now; says why.
    Lost(String),
}

/// Follows the server, and comes back to it when it goes away. Ends when nobody listens any more.
pub(super) async fn follow(client: Arc<Client>, sender: Sender<WatchEvent>) {
    loop {
        let lost = match once(&client, &sender).await {
            Ok(()) => "Handraise has stopped.".to_owned(),
            Err(error) => error.sentence(),
        };
        if sender.send(WatchEvent::Lost(lost)).await.is_err() {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Until the stream ends or nobody listens.
async fn once(client: &Client, sender: &Sender<WatchEvent>) -> Result<(), ClientError> {
    // The stream first: what happens while the list travels is then in the stream.
    let mut events = client.events().await?;
    let waiting = WatchEvent::Waiting(list(client, "pending").await?, questions(client).await?);
    if sender.send(waiting).await.is_err() {
        return Ok(());
    }
    while let Some(event) = events.next().await? {
        if sender.send(WatchEvent::Event(Box::new(event))).await.is_err() {
            break;
        }
    }
    Ok(())
}
