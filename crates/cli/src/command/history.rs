//! `handraise history`: calls of the past, and how they ended.

use std::fmt::Write;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use handraise_display::line;
use handraise_protocol::{Approval, ApprovalPage};
use jiff::Timestamp;

use super::FolderArguments;
use super::ids::Candidates;
use super::list::{self, Row};
use super::pending::ApproverArguments;
use super::since::Since;
use crate::DONE;
use crate::client::{Client, ClientError};
use crate::runtime::runtime;
use crate::show::{self, Line, Tone};

/// Said about an id that no call has.
const CALLS_ARE_LISTED: &str = "`handraise history` lists the latest";
/// Most calls on a page of the API.
const PAGE: u32 = 200;
/// Longest denial of walls that is shown, in characters.
const MAX_DENIAL: usize = 120;
/// Behind every id that begins in the same way: ids are made of hexadecimal digits.
const BEHIND_ALL: char = 'g';

/// List calls of the past and how they ended, the latest first
#[derive(Debug, Args)]
pub(crate) struct History {
    /// Only those that ended so, or that wait
    #[arg(long, value_enum, default_value = "all")]
    status: StatusArgument,
    /// Only those of this agent, as `claude-code`
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only those of the session that the agent calls so
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// Only those with this text in their tool, title or arguments
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Only those since then: 90m, 2h, 7d, 4w, or a date such as 2026-05-01
    #[arg(long, value_name = "TIME")]
    since: Option<Since>,
    /// At most so many
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    approver: ApproverArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StatusArgument {
    All,
    Pending,
    Approved,
    Denied,
    Timeout,
    Cancelled,
}

impl History {
    /// Prints them.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let client = self.approver.client(folders)?;
        let calls = runtime()?.block_on(self.search(&client))?;
        let (candidates, now) = (candidates(&calls), Timestamp::now());
        let rows: Vec<Row> =
            calls.iter().enumerate().map(|(index, call)| row(&candidates.short(index), call, now)).collect();
        list::print(self.json, &calls, "No call fits.", &rows)?;
        Ok(DONE)
    }

    async fn search(&self, client: &Client) -> Result<Vec<Approval>, ClientError> {
        let status = self.status.to_possible_value();
        let status = status.as_ref().map_or("all", clap::builder::PossibleValue::get_name);
        let filters = [("agent", &self.agent), ("session", &self.session), ("q", &self.search)];
        let filters = filters.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let filters: String = filters.map(|(name, value)| format!("&{name}={}", encoded(value))).collect();
        let (mut calls, mut cursor) = (Vec::new(), String::new());
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        loop {
            let path = format!("/v1/approvals?status={status}&limit={}{filters}{cursor}", self.limit.min(PAGE));
            let page: ApprovalPage = client.get(&path).await?;
            for call in page.approvals {
                // Ids sort by time: whatever follows is older still.
                let is_too_old = self.since.is_some_and(|Since(since)| call.requested_at < since);
                if is_too_old || calls.len() >= limit {
                    return Ok(calls);
                }
                calls.push(Arc::unwrap_or_clone(call));
            }
            match page.next_cursor {
                Some(next) if calls.len() < limit => cursor = format!("&cursor={}", encoded(&next)),
                _ => return Ok(calls),
            }
        }
    }
}

/// The call whose id begins with `prefix`, however long ago.
///
/// # Errors
/// When there is none, or several.
pub(super) async fn find(client: &Client, prefix: &str) -> anyhow::Result<Approval> {
    let prefix = prefix.to_lowercase();
    // The latest before all that begins otherwise: what is meant comes first.
    let cursor = encoded(&format!("{prefix}{BEHIND_ALL}"));
    let path = format!("/v1/approvals?status=all&limit={PAGE}&cursor={cursor}");
    let page: ApprovalPage = client.get(&path).await?;
    let mut calls: Vec<Approval> = page.approvals.into_iter().map(Arc::unwrap_or_clone).collect();
    let index = candidates(&calls).find(&prefix)?;
    Ok(calls.swap_remove(index))
}

/// The calls, by their ids.
fn candidates(calls: &[Approval]) -> Candidates {
    let known = calls.iter().map(|call| (call.id.to_string(), call.title.clone()));
    Candidates::new("call", CALLS_ARE_LISTED, known).timed()
}

fn row(id: &str, call: &Approval, now: Timestamp) -> Row {
    let plain = |text: String| Line::new(Tone::Plain, text);
    Row {
        cells: vec![
            Line::new(Tone::Strong, id),
            plain(format!("{} ago", show::age(call.requested_at, now))),
            show::outcome(&call.result),
            plain(show::who(call)),
            plain(call.title.clone()),
        ],
        below: denied_by_walls(call).into_iter().collect(),
    }
}

/// What its walls have denied it, in one line.
fn denied_by_walls(call: &Approval) -> Option<Line> {
    let (first, rest) = call.denied_by_walls.split_first()?;
    let more = if rest.is_empty() { String::new() } else { format!("; and {} more", rest.len()) };
    let denied = format!("{}{more}", line(first, MAX_DENIAL));
    Some(Line::new(Tone::Warning, "its walls denied ").with(Tone::Plain, denied))
}

/// `text` as the value of a query parameter (RFC 3986, 2.1 and 2.3).
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing into a string does not fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn a_value_cannot_become_another_parameter() {
        assert_eq!(encoded("a&status=all#x y+z%ä"), "a%26status%3Dall%23x%20y%2Bz%25%C3%A4");
    }
}
