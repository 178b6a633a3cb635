//! `handraise undo`: what calls have changed, and putting it back.

use std::process::ExitCode;

use clap::Args;
use handraise_protocol::{
    FileChange, KeptCall, KeptCalls, KeptFile, PutBackRequest, PutBackResult, RequestId, UndoOutcome, Undoable,
};
use jiff::Timestamp;

use super::ids::Candidates;
use super::list;
use super::pending::ApproverArguments;
use super::since::Since;
use super::{FolderArguments, say, usage};
use crate::DONE;
use crate::client::Client;
use crate::runtime::runtime;
use crate::show::{self, Line, Tone};

/// Some file was not put back.
const NOT_ALL: u8 = 1;
/// Most calls in one list.
const MAX_LISTED: usize = 200;

/// Put back what calls have changed
///
/// Without an id, --session or --since it lists them. A file that somebody else may have changed since is left as it is,
/// unless --force says otherwise. Whatever is overwritten is kept first: the undo is in the list as well, and can be
/// undone. Exit codes: 0 everything is as it was; 1 something could not be put back.
#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// The calls: their ids, or the beginnings of them
    #[arg(value_name = "ID", conflicts_with_all = ["session", "since"])]
    ids: Vec<String>,
    /// Every call of this session
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Every call since then: 90m, 2h, 7d, 4w, or a date such as 2026-05-01
    #[arg(long, value_name = "TIME")]
    since: Option<Since>,
    /// Only list, with what has changed in each file
    #[arg(long, conflicts_with_all = ["dry_run", "force"])]
    diff: bool,
    /// Only list: with an id, --session or --since, those
    #[arg(long, conflicts_with_all = ["dry_run", "force"])]
    list: bool,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Put back also what somebody else may have changed since
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    approver: ApproverArguments,
}

impl Undo {
    /// Lists, or puts back.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let names_none = self.ids.is_empty() && self.session.is_none() && self.since.is_none();
        if names_none && (self.force || self.dry_run) {
            return Err(usage("say what to undo: an id, --session or --since; `handraise undo` lists what there is"));
        }
        let client = self.approver.client(folders)?;
        runtime()?.block_on(async {
            let ids = if self.ids.is_empty() { Vec::new() } else { self.meant(&client).await? };
            if names_none || self.diff || self.list {
                return self.list(&client, &ids).await;
            }
            self.put_back(&client, ids).await
        })
    }

    /// The calls whose ids begin so.
    async fn meant(&self, client: &Client) -> anyhow::Result<Vec<RequestId>> {
        let is_whole = |id: &String| id.parse::<uuid::Uuid>().map(RequestId);
        if let Ok(ids) = self.ids.iter().map(is_whole).collect() {
            return Ok(ids);
        }
        let known: KeptCalls = client.get(&format!("/v1/kept?limit={MAX_LISTED}")).await?;
        let candidates = candidates(&known.calls);
        let meant = self.ids.iter().map(|prefix| candidates.find(prefix)).collect::<Result<Vec<_>, _>>()?;
        Ok(meant.into_iter().filter_map(|index| known.calls.get(index)).map(|call| call.id).collect())
    }

    async fn list(&self, client: &Client, ids: &[RequestId]) -> anyhow::Result<ExitCode> {
        let mut path = format!("/v1/kept?limit={MAX_LISTED}&diff={}", self.diff);
        if !ids.is_empty() {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            path.push_str(&format!("&ids={}", ids.join(",")));
        }
        if let Some(Since(since)) = self.since {
            path.push_str(&format!("&since={since}"));
        }
        let mut known: KeptCalls = client.get(&path).await?;
        known.calls.retain(|call| self.session.is_none() || call.session == self.session);
        if self.json {
            list::print_json(&known)?;
            return Ok(DONE);
        }
        // What is as it was is nothing to undo, unless somebody asks for it.
        let changes =
            |call: &KeptCall| !ids.is_empty() || call.files.iter().any(|file| file.change != FileChange::None);
        let (candidates, now) = (candidates(&known.calls), Timestamp::now());
        let shown = known.calls.iter().enumerate().filter(|(_, call)| changes(call));
        let lines: Vec<Line> = shown.flat_map(|(index, call)| of_call(call, &candidates.short(index), now)).collect();
        if lines.is_empty() {
            say("No call has changed anything that is kept.")?;
        } else {
            list::print_lines(&lines)?;
        }
        Ok(DONE)
    }

    async fn put_back(self, client: &Client, ids: Vec<RequestId>) -> anyhow::Result<ExitCode> {
        let since = self.since.map(|Since(since)| since);
        let request = PutBackRequest { ids, session: self.session, since, force: self.force, dry_run: self.dry_run };
        let result: PutBackResult = client.post("/v1/kept/restore", &request).await?.read()?;
        let is_left = |file: &KeptFile| matches!(file.outcome, UndoOutcome::Doubtful | UndoOutcome::Refused);
        if self.json {
            list::print_json(&result)?;
        } else {
            let lines: Vec<Line> = result.files.iter().map(|file| of_outcome(file, self.dry_run)).collect();
            if lines.is_empty() {
                say("There is nothing to put back.")?;
            } else {
                list::print_lines(&lines)?;
            }
            if result.files.iter().any(|file| file.outcome == UndoOutcome::Doubtful) {
                say("--diff shows what has changed. --force puts it back anyway; what is there now is kept first.")?;
            }
            if let Some(undo) = result.undo {
                say(&format!("To take this back: handraise undo {undo}"))?;
            }
        }
        Ok(if result.files.iter().any(is_left) { ExitCode::from(NOT_ALL) } else { DONE })
    }
}

/// The calls, by their ids.
fn candidates(calls: &[KeptCall]) -> Candidates {
    let known = calls.iter().map(|call| (call.id.to_string(), call.title.clone()));
    Candidates::new("call of which something is kept", "`handraise undo` lists them", known).timed()
}

/// A call, and below it its files.
fn of_call(call: &KeptCall, id: &str, now: Timestamp) -> Vec<Line> {
    let undoable = match call.undoable {
        Undoable::Whole => "",
        Undoable::InPart => "  (the files that it names)",
        Undoable::Nothing => "  (cannot be undone)",
    };
    let agent = call.agent.as_deref().unwrap_or("an unnamed program");
    let head = format!("{id}  {} ago  {agent}  {}{undoable}", show::age(call.at, now), call.title);
    std::iter::once(Line::new(Tone::Strong, head)).chain(files(call)).collect()
}

/// What a call has changed, file by file.
pub(super) fn files(call: &KeptCall) -> Vec<Line> {
    let changed = call.files.iter().filter(|file| file.change != FileChange::None);
    changed.flat_map(|file| std::iter::once(of_file(file)).chain(show::diff(&file.diff, "    "))).collect()
}

fn of_file(file: &KeptFile) -> Line {
    let change = match file.change {
        FileChange::None => "unchanged",
        FileChange::Created => "created",
        FileChange::Changed => "changed",
        FileChange::Removed => "removed",
        FileChange::Unknown => "not kept",
    };
    let why = file.why.as_ref().map(|why| format!("  ({why})")).unwrap_or_default();
    Line::new(Tone::Plain, format!("  {change:9} {}{why}", file.path))
}

/// What became of a file that was to be put back.
fn of_outcome(file: &KeptFile, is_dry: bool) -> Line {
    let (what, tone) = match (file.outcome, file.change, is_dry) {
        (UndoOutcome::Restored, FileChange::Created, true) => ("would remove", Tone::Plain),
        (UndoOutcome::Restored, FileChange::Created, false) => ("removed", Tone::Plain),
        (UndoOutcome::Restored, _, true) => ("would put back", Tone::Plain),
        (UndoOutcome::Restored, _, false) => ("put back", Tone::Plain),
        (UndoOutcome::Unchanged, ..) => ("as it was", Tone::Plain),
        (UndoOutcome::Stays, ..) => ("stays", Tone::Plain),
        (UndoOutcome::Doubtful | UndoOutcome::Refused, ..) => ("left as it is", Tone::Warning),
    };
    let why = file.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    Line::new(tone, format!("{what:14} {}{why}", file.path))
}
