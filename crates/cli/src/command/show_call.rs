//! `handraise show ID`: one call, with all that a person was shown, how it ended, and what it has changed.

use std::process::ExitCode;

use handraise_protocol::{Approval, KeptCalls};
use jiff::Timestamp;

use super::pending::ApproverArguments;
use super::{FolderArguments, history, list, undo};
use crate::DONE;
use crate::runtime::runtime;
use crate::show::{self, Line, Tone};

/// Shows the call whose id begins with `prefix`.
///
/// # Errors
/// When there is none, or several, or Handraise does not answer.
pub(super) fn run(
    prefix: &str,
    json: bool,
    approver: &ApproverArguments,
    folders: &FolderArguments,
) -> anyhow::Result<ExitCode> {
    let client = approver.client(folders)?;
    let (call, kept) = runtime()?.block_on(async {
        let call = history::find(&client, prefix).await?;
        let kept: KeptCalls = client.get(&format!("/v1/kept?limit=1&diff=true&ids={}", call.id)).await?;
        anyhow::Ok((call, kept))
    })?;
    if json {
        list::print_json(&call)?;
        return Ok(DONE);
    }
    list::print_lines(&lines(&call, &kept, Timestamp::now()))?;
    Ok(DONE)
}

fn lines(call: &Approval, kept: &KeptCalls, now: Timestamp) -> Vec<Line> {
    let mut lines = show::ended(call, now);
    lines.extend(show::approval(call));
    let changes: Vec<Line> = kept.calls.iter().flat_map(undo::files).collect();
    if !changes.is_empty() {
        lines.push(Line::new(Tone::Label, format!("What it has changed; `handraise undo {}` puts it back", call.id)));
        lines.extend(changes);
    }
    lines
}
