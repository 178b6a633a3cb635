//! `handraise grants` and `handraise revoke`: what your answers have left behind, and taking it back.

use std::process::ExitCode;

use clap::Args;
use handraise_display::line;
use handraise_protocol::{Grant, GrantEffect, Matcher, Method, Session, SessionList, ToolClass};
use jiff::Timestamp;

use super::ids::Candidates;
use super::list::{self, Row};
use super::pending::ApproverArguments;
use super::sessions;
use super::{FolderArguments, say};
use crate::DONE;
use crate::client::{Client, ClientError};
use crate::runtime::runtime;
use crate::show::{self, Line, Tone};

/// Longest text of one thing that is told, in characters.
const MAX_TEXT: usize = 200;

/// List what your answers for a session or for fifteen minutes have left behind
#[derive(Debug, Args)]
pub(crate) struct Grants {
    /// Only those of this session: its id, or the beginning of it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    approver: ApproverArguments,
}

/// Take a remembered answer back, or end a session with all of its
///
/// What passed because of it is asked about from now on; what was denied because of it, too.
#[derive(Debug, Args)]
pub(crate) struct Revoke {
    /// The remembered answers: their ids, or the beginnings of them; `handraise grants` shows them
    #[arg(value_name = "ID", required_unless_present = "session")]
    ids: Vec<String>,
    /// Everything that is remembered for this session: its id, or the beginning of it
    #[arg(long, value_name = "ID", conflicts_with = "ids")]
    session: Option<String>,
    #[command(flatten)]
    approver: ApproverArguments,
}

impl Grants {
    /// Prints them.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let client = self.approver.client(folders)?;
        let (grants, sessions) = runtime()?.block_on(both(&client))?;
        let grants = match &self.session {
            Some(prefix) => {
                let index = sessions::candidates(&sessions).find(prefix)?;
                sessions.get(index).map(|session| session.grants.clone()).unwrap_or_default()
            }
            None => grants,
        };
        let (candidates, now) = (candidates(&grants), Timestamp::now());
        let rows: Vec<Row> = grants
            .iter()
            .enumerate()
            .map(|(index, grant)| {
                let who = sessions.iter().find(|session| session.key == grant.session);
                let cells = [
                    effect(grant).to_owned(),
                    grant
                        .expires_at
                        .map_or("for its session".to_owned(), |end| format!("{} left", show::left(end, now))),
                    who.map_or_else(|| grant.session.requester.clone(), |session| session.agent_title.clone()),
                    covers(grant),
                ];
                let below = vec![Line::new(Tone::Label, format!("asked as: {}", grant.title))];
                Row { below, ..Row::of_id(candidates.short(index), cells) }
            })
            .collect();
        list::print(self.json, &grants, "Nothing is remembered.", &rows)?;
        Ok(DONE)
    }
}

impl Revoke {
    /// Revokes.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let client = self.approver.client(folders)?;
        runtime()?.block_on(async {
            let (grants, sessions) = both(&client).await?;
            if let Some(prefix) = &self.session {
                let index = sessions::candidates(&sessions).find(prefix)?;
                let Some(session) = sessions.get(index) else { return Ok(DONE) };
                client.send(Method::Delete, &format!("/v1/sessions/{}", session.id), Vec::new()).await?;
                let (title, count) = (&session.agent_title, session.grants.len());
                say(&format!("Ended: a session of {title}. Remembered answers that are over: {count}."))?;
                return Ok(DONE);
            }
            // All of them are known before the first is taken back.
            let candidates = candidates(&grants);
            let meant = self.ids.iter().map(|prefix| candidates.find(prefix)).collect::<Result<Vec<_>, _>>()?;
            for grant in meant.into_iter().filter_map(|index| grants.get(index)) {
                client.send(Method::Delete, &format!("/v1/grants/{}", grant.id), Vec::new()).await?;
                say(&format!("Revoked: {} {}", effect(grant), covers(grant)))?;
            }
            Ok(DONE)
        })
    }
}

async fn both(client: &Client) -> Result<(Vec<Grant>, Vec<Session>), ClientError> {
    let list: SessionList = client.get("/v1/sessions").await?;
    Ok((client.get("/v1/grants").await?, list.sessions))
}

fn candidates(grants: &[Grant]) -> Candidates {
    let known = grants.iter().map(|grant| (grant.id.to_string(), covers(grant)));
    Candidates::new("remembered answer", "`handraise grants` lists them", known)
}

fn effect(grant: &Grant) -> &'static str {
    match grant.effect {
        GrantEffect::Approve => "allows",
        GrantEffect::Deny => "denies",
    }
}

/// Which calls it covers, in words.
fn covers(grant: &Grant) -> String {
    let named = |tool: &str, server: Option<&String>| match server {
        Some(server) => format!("{server}: {tool}"),
        None => tool.to_owned(),
    };
    let covered = match &grant.matcher {
        Matcher::Exact(exact) => format!("exactly: {}", named(&exact.tool, exact.server.as_ref())),
        Matcher::Command(commands) => commands.patterns.join(", "),
        Matcher::Folder(folder) if folder.class == ToolClass::FileRead => format!("reading in {}", folder.folder),
        Matcher::Folder(folder) => format!("writing in {}", folder.folder),
        Matcher::Tool(tool) => format!("every call of {}", named(&tool.tool, tool.server.as_ref())),
    };
    line(&covered, MAX_TEXT)
}
