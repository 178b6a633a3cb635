//! `handraise sessions`: the conversations that have asked.

use std::process::ExitCode;

use clap::Args;
use handraise_protocol::{Session, SessionList};
use jiff::Timestamp;

use super::FolderArguments;
use super::ids::Candidates;
use super::list::{self, Row};
use super::pending::ApproverArguments;
use crate::DONE;
use crate::runtime::runtime;
use crate::show;

/// Said about an id that no session has.
const SESSIONS_ARE_LISTED: &str = "`handraise sessions` lists them";

/// List the sessions of agents that have asked, the latest first
#[derive(Debug, Args)]
pub(crate) struct Sessions {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    approver: ApproverArguments,
}

impl Sessions {
    /// Prints them.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let client = self.approver.client(folders)?;
        let list: SessionList = runtime()?.block_on(client.get("/v1/sessions"))?;
        let (candidates, now) = (candidates(&list.sessions), Timestamp::now());
        let rows: Vec<Row> = list
            .sessions
            .iter()
            .enumerate()
            .map(|(index, session)| {
                let cells = [
                    session.agent_title.clone(),
                    format!("{} ago", show::age(session.last_call, now)),
                    counted(session.calls, "call", "calls"),
                    counted(session.grants.len() as u64, "remembered answer", "remembered answers"),
                    handraise_display::line(&session.key.id, 80),
                ];
                Row::of_id(candidates.short(index), cells)
            })
            .collect();
        list::print(self.json, &list.sessions, "No agent has asked yet.", &rows)?;
        Ok(DONE)
    }
}

/// The sessions, by their ids.
pub(super) fn candidates(sessions: &[Session]) -> Candidates {
    let known = sessions.iter().map(|session| (session.id.clone(), session.agent_title.clone()));
    Candidates::new("session", SESSIONS_ARE_LISTED, known)
}

fn counted(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}
