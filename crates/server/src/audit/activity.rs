//! What the requests of the past come to: what occurs in them, and how often a person was asked.

use std::collections::{BTreeMap, HashMap};

use handraise_protocol::{
    ActivityAnswers, ActivityChoices, ActivityDay, ActivityFigures, ApprovalResult, AskedOften, DecidedBy, Status,
};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use rusqlite::Connection;

use super::AuditError;
use super::read::first_id;
use super::schema::FOLDER;

/// The latest requests, in which is looked what occurs.
const LATEST: u32 = 5000;
/// Most names that are listed to choose from.
const MAX_CHOICES: u32 = 50;
/// Most requests that figures are made of, the latest: what is counted has to be ready in a moment.
const MAX_COUNTED: u32 = 200_000;
/// Most days that are listed.
const MAX_DAYS: i64 = 366;
/// Calls that are listed as asked most often.
const LISTED: usize = 10;
/// Characters of a title.
const MAX_TITLE: usize = 200;

/// What occurs in the latest requests.
pub(super) fn choices(connection: &Connection) -> Result<ActivityChoices, AuditError> {
    let listed = |value: &str| -> Result<Vec<String>, AuditError> {
        let mut statement = connection.prepare_cached(&format!(
            "SELECT {value} AS value, max(id) AS latest
             FROM (SELECT id, agent, submission FROM request ORDER BY id DESC LIMIT {LATEST})
             WHERE value IS NOT NULL GROUP BY value ORDER BY latest DESC LIMIT {MAX_CHOICES}"
        ))?;
        let found = statement.query_map([], |row| row.get(0))?;
        Ok(found.collect::<Result<_, _>>()?)
    };
    Ok(ActivityChoices { agents: listed("agent")?, folders: listed(&format!("nullif({FOLDER}, '')"))? })
}

/// How often a person was asked from `since` to `now`, by the days of `zone`.
pub(super) fn figures(
    connection: &Connection,
    since: Timestamp,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<ActivityFigures, AuditError> {
    let mut counted = Counted::new(since.to_zoned(zone.clone()).date(), now.to_zoned(zone.clone()).date());
    let mut statement =
        connection.prepare_cached("SELECT result, title FROM request WHERE id >= ?1 ORDER BY id DESC LIMIT ?2")?;
    let mut rows = statement.query((first_id(since), MAX_COUNTED))?;
    while let Some(row) = rows.next()? {
        let result = row.get_ref(0)?.as_str().ok().and_then(|text| serde_json::from_str::<ApprovalResult>(text).ok());
        // What cannot be read any more is no call that can be counted.
        let Some(result) = result else { continue };
        counted.add(&result, row.get_ref(1)?.as_str().unwrap_or_default(), zone);
    }
    Ok(counted.figures())
}

/// Counts, as they come in.
struct Counted {
    days: BTreeMap<Date, (u32, u32)>,
    answers: HashMap<DecidedBy, u32>,
    seconds: Vec<u32>,
    asked: HashMap<String, (u32, u32)>,
}

impl Counted {
    /// Nothing yet, on each day from `first` to `last`.
    fn new(first: Date, last: Date) -> Self {
        let days = first.series(1.day()).take_while(|day| *day <= last);
        let days = days.take(usize::try_from(MAX_DAYS).unwrap_or(usize::MAX)).map(|day| (day, (0, 0))).collect();
        Self { days, answers: HashMap::new(), seconds: Vec::new(), asked: HashMap::new() }
    }

    fn add(&mut self, result: &ApprovalResult, title: &str, zone: &TimeZone) {
        // What waits is counted once it has ended.
        let Some(decided_by) = result.decided_by else { return };
        let was_asked = matches!(decided_by, DecidedBy::Person | DecidedBy::Timeout);
        if let Some((calls, asked)) = self.days.get_mut(&result.requested_at.to_zoned(zone.clone()).date()) {
            *calls += 1;
            *asked += u32::from(was_asked);
        }
        *self.answers.entry(decided_by).or_default() += 1;
        if was_asked {
            let (asked, denied) = self.asked.entry(handraise_display::line(title, MAX_TITLE)).or_default();
            *asked += 1;
            *denied += u32::from(decided_by == DecidedBy::Person && result.status == Status::Denied);
        }
        if let (DecidedBy::Person, Some(decided_at)) = (decided_by, result.decided_at) {
            let seconds = decided_at.duration_since(result.requested_at).as_secs().max(0);
            self.seconds.push(u32::try_from(seconds).unwrap_or(u32::MAX));
        }
    }

    fn figures(mut self) -> ActivityFigures {
        self.seconds.sort_unstable();
        // The lower of the two in the middle, so that half of them took no longer.
        let middle = self.seconds.len().checked_sub(1).map(|last| last / 2);
        let mut answers: Vec<ActivityAnswers> =
            self.answers.into_iter().map(|(decided_by, calls)| ActivityAnswers { decided_by, calls }).collect();
        answers.sort_by_key(|one| (std::cmp::Reverse(one.calls), one.decided_by as u8));
        let mut most_asked: Vec<AskedOften> =
            self.asked.into_iter().map(|(title, (asked, denied))| AskedOften { title, asked, denied }).collect();
        most_asked.retain(|one| one.asked > 1);
        most_asked.sort_by(|one, other| other.asked.cmp(&one.asked).then_with(|| one.title.cmp(&other.title)));
        most_asked.truncate(LISTED);
        ActivityFigures {
            days: self
                .days
                .into_iter()
                .map(|(day, (calls, asked))| ActivityDay { day: day.to_string(), calls, asked })
                .collect(),
            answers,
            median_seconds: middle.and_then(|middle| self.seconds.get(middle).copied()),
            most_asked,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ended(minute: i64, decided_by: &str, status: &str, seconds: i64) -> ApprovalResult {
        let asked = Timestamp::from_second(minute * 60).unwrap();
        serde_json::from_value(json!({
            "id": "0199f3a0-0000-7000-8000-000000000001", "status": status, "decided_by": decided_by, "risk": "write",
            "arguments_hash": "ab".repeat(32), "requested_at": asked,
            "decided_at": Timestamp::from_second(minute * 60 + seconds).unwrap(), "expires_at": asked,
        }))
        .unwrap()
    }

    #[test]
    fn what_a_person_was_asked_is_counted_by_day_and_by_title() {
        let day = |number: i64| Timestamp::from_second(number * 86_400).unwrap().to_zoned(TimeZone::UTC).date();
        let mut counted = Counted::new(day(0), day(2));
        for (minute, by, status, seconds, title) in [
            (1, "policy", "approved", 0, "git status"),
            (2, "person", "approved", 4, "npm test"),
            (1441, "person", "denied", 10, "npm test"),
            (1442, "timeout", "timeout", 300, "npm test"),
            (1443, "person", "approved", 6, "make\u{202e}"),
            (1444, "grant", "approved", 0, "npm test"),
        ] {
            counted.add(&ended(minute, by, status, seconds), title, &TimeZone::UTC);
        }
        let figures = counted.figures();
        let days: Vec<(&str, u32, u32)> =
            figures.days.iter().map(|one| (one.day.as_str(), one.calls, one.asked)).collect();
        assert_eq!(days, [("1970-01-01", 2, 1), ("1970-01-02", 4, 3), ("1970-01-03", 0, 0)]);
        assert_eq!((figures.answers[0].decided_by, figures.answers[0].calls), (DecidedBy::Person, 3));
        assert_eq!(figures.median_seconds, Some(6));
        // Once is not often.
        assert_eq!(figures.most_asked, [AskedOften { title: "npm test".to_owned(), asked: 3, denied: 1 }]);
    }

    #[test]
    fn a_long_time_without_calls_has_no_figures_and_its_days() {
        let day = |number: i64| Timestamp::from_second(number * 86_400).unwrap().to_zoned(TimeZone::UTC).date();
        let figures = Counted::new(day(0), day(10_000)).figures();
        assert_eq!(figures.days.len(), 366);
        assert_eq!(figures.median_seconds, None);
        assert!(figures.answers.is_empty() && figures.most_asked.is_empty());
    }
}
