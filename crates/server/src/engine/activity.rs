//! The calls of the past as the settings window shows them.

use handraise_protocol::{ActivityChoices, ActivityFigures, ActivitySearch, ApprovalPage, Problem, ProblemCode};
use jiff::{SignedDuration, Timestamp};

use super::Engine;
use super::history::unreadable;
use crate::audit::Search;

/// Most days that figures are made of.
const MAX_DAYS: u32 = 366;

impl Engine {
    /// At most `limit` calls of the past, and those that wait, the latest first.
    ///
    /// # Errors
    /// When the audit log cannot be read.
    pub async fn activity(&self, search: ActivitySearch, limit: u32) -> Result<ApprovalPage, Problem> {
        let ActivitySearch { id, text, agent, folder, status, decided_by, since, cursor } = search;
        if let Some(id) = id {
            return Ok(ApprovalPage { approvals: self.calls(vec![id]).await?, next_cursor: None });
        }
        let search = Search {
            status: status.map(|status| name(&status)),
            session: None,
            agent,
            text: text.filter(|text| !text.is_empty()),
            folder,
            decided_by: decided_by.map(|decided_by| name(&decided_by)),
            since,
            before: cursor,
            limit,
        };
        let page = self.search(search).await?;
        Ok(ApprovalPage { approvals: page.approvals, next_cursor: page.next_cursor })
    }

    /// What can be chosen to show less.
    ///
    /// # Errors
    /// When the audit log cannot be read.
    pub async fn activity_choices(&self) -> Result<ActivityChoices, Problem> {
        self.reader.choices().await.map_err(unreadable)
    }

    /// How often a person was asked in the last `days`, that of today included.
    ///
    /// # Errors
    /// When the audit log cannot be read, or `days` is not between 1 and 366.
    pub async fn activity_figures(&self, days: u32) -> Result<ActivityFigures, Problem> {
        if !(1..=MAX_DAYS).contains(&days) {
            let what = format!("`days` is between 1 and {MAX_DAYS}.");
            return Err(Problem::new(ProblemCode::InvalidRequest, what));
        }
        let now = Timestamp::now();
        let since = now - SignedDuration::from_hours(24 * i64::from(days - 1));
        // From its first moment on, where this machine is.
        let begins = since.to_zoned(jiff::tz::TimeZone::system()).start_of_day();
        let since = begins.map_or(since, |begins| begins.timestamp());
        self.reader.figures(since, now).await.map_err(unreadable)
    }
}

/// As it is called in the API, and in the log.
fn name(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
