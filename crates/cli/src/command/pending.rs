//! `handraise pending`: what waits for a person.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use handraise_display::escape_json;
use handraise_protocol::{Approval, ApprovalPage, Question, QuestionList, RequestId};
use jiff::Timestamp;

use super::{FolderArguments, say};
use crate::DONE;
use crate::client::{Client, ClientError};
use crate::runtime::runtime;
use crate::show;

/// The least that is shown of an id.
const MIN_ID: usize = 8;

/// List the requests and questions that wait for a person
#[derive(Debug, Args)]
pub(crate) struct Pending {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    approver: ApproverArguments,
}

/// By what right: the terminal that this runs in, or a token.
#[derive(Debug, Args)]
pub(crate) struct ApproverArguments {
    /// File with an approver's token; without it, run this in your own terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

impl ApproverArguments {
    /// A client that may decide.
    pub(crate) fn client(&self, folders: &FolderArguments) -> Result<Client, ClientError> {
        Client::approver(&folders.folders()?, self.token_file.as_deref())
    }
}

impl Pending {
    /// Prints them, oldest first.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let client = self.approver.client(folders)?;
        let (approvals, questions) = runtime()?
            .block_on(async { Ok::<_, ClientError>((list(&client, "pending").await?, questions(&client).await?)) })?;
        if self.json {
            let approvals = approvals.iter().map(serde_json::to_value);
            let all: Vec<_> = approvals.chain(questions.iter().map(serde_json::to_value)).collect::<Result<_, _>>()?;
            say(&escape_json(&serde_json::to_string_pretty(&all)?))?;
        } else if approvals.is_empty() && questions.is_empty() {
            say("Nothing waits for you.")?;
        } else {
            say(&table(&approvals, &questions, Timestamp::now()))?;
        }
        Ok(DONE)
    }
}

/// All requests with this status, oldest first.
pub(crate) async fn list(client: &Client, status: &str) -> Result<Vec<Approval>, ClientError> {
    let mut approvals = Vec::new();
    let mut cursor = String::new();
    loop {
        let path = format!("/v1/approvals?status={status}&limit=200{cursor}");
        let page: ApprovalPage = client.get(&path).await?;
        approvals.extend(page.approvals.into_iter().map(Arc::unwrap_or_clone));
        match page.next_cursor {
            Some(next) if next.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter)) => {
                cursor = format!("&cursor={next}");
            }
            Some(_) => return Err(ClientError::Response),
            None => break,
        }
    }
    approvals.sort_by_key(|approval| (approval.requested_at, approval.id));
    Ok(approvals)
}

/// Open questions, oldest first.
pub(crate) async fn questions(client: &Client) -> Result<Vec<Question>, ClientError> {
    let list: QuestionList = client.get("/v1/questions").await?;
    Ok(list.questions.into_iter().map(Arc::unwrap_or_clone).collect())
}

/// The beginning of the id of `question` that no other question of `questions` shares.
pub(crate) fn short_question_id(question: &Question, questions: &[Question]) -> String {
    short(&question.id.to_string(), questions.iter().map(|other| other.id.to_string()))
}

/// The beginning of `id` that no other id of `approvals` shares.
pub(crate) fn short_id(id: RequestId, approvals: &[Approval]) -> String {
    short(&id.to_string(), approvals.iter().map(|approval| approval.id.to_string()))
}

/// The beginning of `id` that none of `all` shares.
pub(crate) fn short(id: &str, all: impl Iterator<Item = String>) -> String {
    let shared = all.filter(|other| other != id);
    let same = |other: &String| id.chars().zip(other.chars()).take_while(|(one, two)| one == two).count();
    let needed = shared.map(|other| same(&other) + 1).max().unwrap_or(0).max(MIN_ID);
    id.chars().take(needed).collect()
}

fn table(approvals: &[Approval], questions: &[Question], now: Timestamp) -> String {
    let calls = approvals.iter().map(|approval| {
        let cells = [
            short_id(approval.id, approvals),
            show::risk_word(approval.risk.level).to_owned(),
            format!("{} left", show::left(approval.expires_at, now)),
            show::who(approval),
            approval.title.clone(),
        ];
        let provenance = show::provenance_summary(approval).map(|summary| format!("from {summary}")).into_iter();
        let warnings = show::contradictions(approval).into_iter().map(|what| format!("WARNING: {what}"));
        (approval.requested_at, cells, provenance.chain(warnings).collect())
    });
    let asked = questions.iter().map(|question| {
        let cells = [
            short_question_id(question, questions),
            "asks".to_owned(),
            format!("{} left", show::left(question.expires_at, now)),
            show::question_sender(question),
            question.title.clone(),
        ];
        (question.asked_at, cells, Vec::new())
    });
    let mut rows: Vec<(Timestamp, [String; 5], Vec<String>)> = calls.chain(asked).collect();
    rows.sort_by_key(|(asked_at, ..)| *asked_at);
    let mut widths = [0; 5];
    for (_, cells, _) in &rows {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let lines = rows.into_iter().flat_map(|(_, cells, below)| {
        let cells = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        let row = cells.collect::<Vec<_>>().join("  ").trim_end().to_owned();
        let indent = " ".repeat(widths.first().copied().unwrap_or_default() + 2);
        std::iter::once(row).chain(below.into_iter().map(move |line| format!("{indent}{line}")))
    });
    lines.collect::<Vec<_>>().join("\n")
}
