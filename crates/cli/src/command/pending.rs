//! `handraise pending`: what waits for a person.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use handraise_protocol::{Approval, ApprovalPage, Question, QuestionList};
use jiff::Timestamp;

use super::FolderArguments;
use super::ids::Candidates;
use super::list::{self, Row};
use crate::DONE;
use crate::client::{Client, ClientError};
use crate::runtime::runtime;
use crate::show::{self, Line, Tone};

/// Said about an id that nothing has that waits.
const WAITING_IS_LISTED: &str = "`handraise pending` shows what waits";

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
        let all: Vec<_> = approvals
            .iter()
            .map(serde_json::to_value)
            .chain(questions.iter().map(serde_json::to_value))
            .collect::<Result<_, _>>()?;
        list::print(self.json, &all, "Nothing waits for you.", &rows(&approvals, &questions, Timestamp::now()))?;
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

/// The requests that wait, by their ids.
pub(crate) fn candidates(approvals: &[Approval]) -> Candidates {
    let known = approvals.iter().map(|approval| (approval.id.to_string(), approval.title.clone()));
    Candidates::new("waiting call", WAITING_IS_LISTED, known).timed()
}

/// The questions that wait, by their ids.
pub(crate) fn question_candidates(questions: &[Question]) -> Candidates {
    let known = questions.iter().map(|question| (question.id.to_string(), question.title.clone()));
    Candidates::new("waiting question", WAITING_IS_LISTED, known).timed()
}

fn rows(approvals: &[Approval], questions: &[Question], now: Timestamp) -> Vec<Row> {
    let (calls, asked) = (candidates(approvals), question_candidates(questions));
    let left = |end| format!("{} left", show::left(end, now));
    let calls = approvals.iter().enumerate().map(|(index, approval)| {
        let mut row =
            Row::of_id(calls.short(index), [left(approval.expires_at), show::who(approval), approval.title.clone()]);
        row.cells.insert(1, show::risk_cell(approval.risk.level));
        let provenance = show::provenance_summary(approval).map(|from| Line::new(Tone::Label, format!("from {from}")));
        let warnings = show::contradictions(approval).into_iter();
        let warnings = warnings.map(|what| Line::new(Tone::Warning, format!("WARNING: {what}")));
        row.below = provenance.into_iter().chain(warnings).collect();
        (approval.requested_at, row)
    });
    let asked = questions.iter().enumerate().map(|(index, question)| {
        let cells =
            ["asks".to_owned(), left(question.expires_at), show::question_sender(question), question.title.clone()];
        (question.asked_at, Row::of_id(asked.short(index), cells))
    });
    let mut rows: Vec<(Timestamp, Row)> = calls.chain(asked).collect();
    rows.sort_by_key(|(asked_at, _)| *asked_at);
    rows.into_iter().map(|(_, row)| row).collect()
}
