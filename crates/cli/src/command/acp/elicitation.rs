//! What the agent wants to know from the person: asked here and, where it can ask, by the client. The first answer counts.

use std::sync::Arc;

use handraise_agents::acp::{Elicitation, Step};
use tokio::io::AsyncWriteExt;
use tokio::sync::oneshot;

use super::conversation::{Conversation, NotAsked, complain};

impl Conversation {
    /// Asks the person, and tells the agent unless the client was faster.
    pub(super) async fn elicit(self: Arc<Self>, mut elicitation: Box<Elicitation>, withdrawn: oneshot::Receiver<()>) {
        let answered = tokio::select! {
            biased;
            // Its sender is dropped.
            _ = withdrawn => None,
            answer = self.answers(&mut elicitation) => Some(answer),
        };
        self.waits_no_more(elicitation.id());
        match answered {
            Some(Ok(answer)) => self.settle(&elicitation, &answer).await,
            Some(Err(why)) => self.unanswered(&elicitation, &why).await,
            // The client answers what was withdrawn there, too.
            None if self.state().proxy.is_at_client(elicitation.id()) => {}
            None => self.settle(&elicitation, &elicitation.cancelled()).await,
        }
    }

    /// Nobody answers here: the client still may. Without one the agent hears that nobody does.
    pub(super) async fn unanswered(&self, elicitation: &Elicitation, why: &NotAsked) {
        if self.state().proxy.is_at_client(elicitation.id()) {
            return;
        }
        complain(&format!("A question of the agent was not answered. {why}"));
        self.settle(elicitation, &elicitation.cancelled()).await;
    }

    /// One question after the other.
    async fn answers(&self, elicitation: &mut Elicitation) -> Result<String, NotAsked> {
        loop {
            let question = match elicitation.next() {
                Step::Ask(question) => question,
                Step::Answer(answer) => return Ok(answer),
                Step::Unknown => return Err(NotAsked::Unknown),
            };
            let result = self.ask(&question).await?;
            if let Some(answer) = elicitation.take(&result)? {
                return Ok(answer);
            }
        }
    }

    async fn settle(&self, elicitation: &Elicitation, answer: &str) {
        // Before it is settled: whoever gives the last answers must not take this one for given.
        let mut agent = self.agent.lock().await;
        let settled = self.state().proxy.settle(elicitation.id());
        let Some(withdrawal) = settled else { return };
        if let Some(agent) = agent.as_mut() {
            // It may have ended meanwhile.
            let _ = agent.write_all(format!("{answer}\n").as_bytes()).await;
        }
        drop(agent);
        // The client may have gone: the agent hears of it otherwise.
        let _ = self.tell_client_line(withdrawal).await;
    }
}
