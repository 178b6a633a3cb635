//! `handraise answer`: a question, answered from any terminal.

use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use handraise_protocol::{AnswerRequest, Question, QuestionId, QuestionResult, QuestionStatus};

use super::pending::{ApproverArguments, question_candidates, questions};
use super::{FolderArguments, printed, say};
use crate::DONE;
use crate::client::{Client, ClientError};
use crate::command::answer::chosen;
use crate::runtime::runtime;
use crate::show;

/// Answer a question of an agent
///
/// Without an answer the question is only shown.
#[derive(Debug, Args)]
pub(crate) struct Answer {
    /// The question: its id, or the beginning of it; `handraise pending` shows it
    id: String,
    /// Number of a choice, as it is shown; may be given several times where several can be chosen
    #[arg(long, value_name = "NUMBER")]
    choose: Vec<u32>,
    /// Your own words
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Do not answer
    #[arg(long, conflicts_with_all = ["choose", "text"])]
    decline: bool,
    /// With --decline: why, for the model
    #[arg(long, value_name = "TEXT", requires = "decline")]
    reason: Option<String>,
    #[command(flatten)]
    approver: ApproverArguments,
}

impl Answer {
    /// Answers.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let client = self.approver.client(folders)?;
        runtime()?.block_on(async {
            let open = questions(&client).await?;
            let index = question_candidates(&open).find(&self.id)?;
            let question = open.get(index).context("no such question waits")?;
            let Some(answer) = self.answer(question)? else {
                say(&printed(&show::question(question)).join("\n"))?;
                return Ok(DONE);
            };
            say(send(&client, question.id, &answer).await?)?;
            Ok(DONE)
        })
    }

    /// What is said; `None` when there is nothing.
    fn answer(&self, question: &Question) -> anyhow::Result<Option<AnswerRequest>> {
        if self.decline {
            let reason = self.reason.clone();
            return Ok(Some(AnswerRequest { decline: true, reason, ..AnswerRequest::default() }));
        }
        let selected = if self.choose.is_empty() {
            Vec::new()
        } else {
            let numbers: Vec<String> = self.choose.iter().map(u32::to_string).collect();
            match chosen(question, &numbers.join(",")) {
                Ok(answer) => answer.selected,
                Err(_) if self.choose.len() > 1 && !question.multiple => bail!("only one of the choices can be chosen"),
                Err(_) => bail!("the question has no such choice; `handraise answer {}` shows it", self.id),
            }
        };
        if selected.is_empty() && self.text.is_none() {
            return Ok(None);
        }
        Ok(Some(AnswerRequest { selected, custom: self.text.clone(), ..AnswerRequest::default() }))
    }
}

/// Answers, and says how that went.
pub(super) async fn send(client: &Client, id: QuestionId, answer: &AnswerRequest) -> Result<&'static str, ClientError> {
    let path = format!("/v1/questions/{id}/answer");
    let result: QuestionResult = client.post(&path, answer).await?.read()?;
    Ok(if result.status == QuestionStatus::Declined { "Declined." } else { "Answered." })
}
