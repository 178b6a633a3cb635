//! The requests and questions of the past, read beside the engine: on connections of their own, which see everything that
//! was answered for.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use handraise_gate::QuestionId;
use handraise_policy::RequestId;
use handraise_protocol::{ActivityChoices, ActivityFigures, QuestionResult};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::{Connection, OpenFlags, OptionalExtension, ToSql};

use super::read::{COLUMNS, Raw, StoredRequest, first_id, raw, stored};
use super::schema::{DECIDED_BY, FOLDER};
use super::{AuditError, Verification, activity, chain, question, schema};
use crate::threads;

/// Reads the audit log, never on the thread of whoever asks.
#[derive(Clone, Debug)]
pub(crate) struct AuditReader {
    /// For what an index finds at once.
    indexed: ReadConnection,
    /// For what may go through the whole log, however large it is. Nothing short waits for it.
    whole_log: ReadConnection,
}

/// A connection that only reads. What is read on it is read one after the other.
#[derive(Clone, Debug)]
struct ReadConnection(Arc<Mutex<Connection>>);

/// A page of what was searched for.
#[derive(Debug)]
pub(crate) struct SearchPage {
    /// What can be read, the latest first.
    pub(crate) requests: Vec<StoredRequest>,
    /// The id of the last one on the page, whether it can be read or not.
    pub(crate) last: Option<String>,
    /// The page is full: there may be more.
    pub(crate) is_full: bool,
}

/// What to look for; `None` leaves it open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    pub(crate) status: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) text: Option<String>,
    /// The working folder.
    pub(crate) folder: Option<String>,
    /// Who answered, as in a result.
    pub(crate) decided_by: Option<String>,
    /// Only requests that came then or later.
    pub(crate) since: Option<Timestamp>,
    /// Only requests older than this one.
    pub(crate) before: Option<String>,
    pub(crate) limit: u32,
}

impl Search {
    /// The engine can answer it for what waits, from its own memory.
    pub(crate) fn is_known_to_engine(&self) -> bool {
        !self.goes_through_all() && self.since.is_none()
    }

    /// What an index does not find: every request may have to be read.
    fn goes_through_all(&self) -> bool {
        self.text.is_some() || self.folder.is_some() || self.decided_by.is_some()
    }
}

/// Behind every id, which begins with a hexadecimal digit.
const BEHIND_ALL: &str = "g";

impl AuditReader {
    /// For the log at `path`, which is open for writing already.
    pub(crate) fn open(path: &Path) -> Result<Self, AuditError> {
        Ok(Self { indexed: ReadConnection::open(path)?, whole_log: ReadConnection::open(path)? })
    }

    /// One request, however long ago.
    pub(crate) async fn request(&self, id: RequestId) -> Result<Option<StoredRequest>, AuditError> {
        self.indexed.read(move |connection| request(connection, id)).await
    }

    /// How a question stands, however long ago it was asked; only that of `requester`, when one is given.
    pub(crate) async fn question(
        &self,
        id: QuestionId,
        requester: Option<String>,
    ) -> Result<Option<QuestionResult>, AuditError> {
        self.indexed.read(move |connection| question::result(connection, id, requester.as_deref())).await
    }

    /// Those of `ids` that can be read, in their order.
    pub(crate) async fn requests(&self, ids: Vec<RequestId>) -> Result<Vec<StoredRequest>, AuditError> {
        let known = move |connection: &Connection| {
            Ok(ids.iter().filter_map(|id| request(connection, *id).ok().flatten()).collect())
        };
        self.indexed.read(known).await
    }

    /// Requests that fit `search`, the latest first.
    pub(crate) async fn search(&self, search: Search) -> Result<SearchPage, AuditError> {
        // A text that is nowhere is looked for in every request.
        let connection = if search.goes_through_all() { &self.whole_log } else { &self.indexed };
        connection.read(move |connection| found(connection, &search)).await
    }

    /// What occurs in the latest requests.
    pub(crate) async fn choices(&self) -> Result<ActivityChoices, AuditError> {
        self.whole_log.read(activity::choices).await
    }

    /// How often a person was asked since then.
    pub(crate) async fn figures(&self, since: Timestamp, now: Timestamp) -> Result<ActivityFigures, AuditError> {
        self.whole_log.read(move |connection| activity::figures(connection, since, now, &TimeZone::system())).await
    }

    /// Checks every entry of the log.
    pub(crate) async fn verify(&self) -> Result<Verification, AuditError> {
        self.whole_log.read(chain::verify).await
    }
}

impl ReadConnection {
    fn open(path: &Path) -> Result<Self, AuditError> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        schema::prepare_to_read(&connection)?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }

    async fn read<Output: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<Output, AuditError> + Send + 'static,
    ) -> Result<Output, AuditError> {
        let own = self.0.clone();
        let begun = threads::begin(move || look(&own.lock().unwrap_or_else(PoisonError::into_inner)));
        begun.map_err(AuditError::Reading)?.await.map_err(|error| AuditError::Reading(std::io::Error::other(error)))?
    }
}

/// One request, however long ago.
pub(super) fn request(connection: &Connection, id: RequestId) -> Result<Option<StoredRequest>, AuditError> {
    let mut statement = connection.prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))?;
    let row = statement.query_row([id.to_string()], raw).optional()?;
    Ok(row.map(stored).transpose()?.flatten())
}

fn found(connection: &Connection, search: &Search) -> Result<SearchPage, AuditError> {
    let since = search.since.map(first_id);
    let (query, values) = query(search, since.as_ref());
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement.query_map(values.as_slice(), raw)?;
    let rows: Vec<Raw> = rows.collect::<Result<_, _>>()?;
    let is_full = u32::try_from(rows.len()).is_ok_and(|count| count == search.limit);
    let last = rows.last().map(|row| row.0.clone());
    let requests: Vec<StoredRequest> = rows.into_iter().filter_map(|row| stored(row).ok().flatten()).collect();
    Ok(SearchPage { requests, last, is_full })
}

/// The statement for `search` with its values. It names only what is looked for, so that an index serves it; a text is
/// looked for in the order of the page, until that is full.
fn query<'s>(search: &'s Search, since: Option<&'s String>) -> (String, Vec<(&'static str, &'s dyn ToSql)>) {
    let mut query = format!("{COLUMNS} WHERE id < :before");
    let before: &dyn ToSql = match &search.before {
        Some(before) => before,
        None => &BEHIND_ALL,
    };
    let mut values: Vec<(&'static str, &dyn ToSql)> = vec![(":before", before), (":limit", &search.limit)];
    let filters = [
        (&search.status, ":status", " AND status = :status"),
        (&search.session, ":session", " AND session = :session"),
        (&search.agent, ":agent", " AND agent = :agent"),
        (
            &search.text,
            ":text",
            " AND (instr(lower(tool), lower(:text)) OR instr(lower(title), lower(:text))
                   OR instr(lower(arguments), lower(:text)))",
        ),
    ];
    let filters = filters.into_iter().map(|(value, name, condition)| (value.as_ref(), name, condition));
    let (by_folder, by_decider) = (format!(" AND {FOLDER} = :folder"), format!(" AND {DECIDED_BY} = :by"));
    let more: [(Option<&String>, _, &str); 3] = [
        (since, ":since", " AND id >= :since"),
        (search.folder.as_ref(), ":folder", &by_folder),
        (search.decided_by.as_ref(), ":by", &by_decider),
    ];
    for (value, name, condition) in filters.chain(more) {
        if let Some(value) = value {
            query.push_str(condition);
            values.push((name, value));
        }
    }
    query.push_str(" ORDER BY id DESC LIMIT :limit");
    (query, values)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::super::Audit;
    use super::*;
    use crate::audit::chain::LINKS;

    #[test]
    fn no_list_goes_through_the_whole_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.sqlite3");
        let (_audit, _) = Audit::open(&path, Timestamp::UNIX_EPOCH).unwrap();
        let reader = AuditReader::open(&path).unwrap();
        let connection = reader.indexed.0.lock().unwrap();
        for filters in 0..256_u32 {
            let given = |bit: u32| (filters & (1 << bit) != 0).then(|| "x".to_owned());
            let (status, session, agent, text, before) = (given(0), given(1), given(2), given(3), given(4));
            let (folder, decided_by, since) = (given(5), given(6), given(7));
            let search = Search { status, session, agent, text, folder, decided_by, since: None, before, limit: 50 };
            let (query, values) = query(&search, since.as_ref());
            let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {query}")).unwrap();
            let steps: Vec<String> =
                plan.query_map(values.as_slice(), |row| row.get("detail")).unwrap().map(Result::unwrap).collect();
            let is_indexed = steps.iter().all(|step| step.starts_with("SEARCH request"));
            assert!(is_indexed, "{search:?}: {steps:?}");
            let by = |index: &str| steps.iter().any(|step| step.contains(index));
            let is_by_value = ["status", "session_id", "agent", "folder", "decider"]
                .iter()
                .any(|value| by(&format!("INDEX request_by_{value} (")));
            let Search { status, session, agent, folder, decided_by, .. } = &search;
            let wants_value = [status, session, agent, folder, decided_by].iter().any(|value| value.is_some());
            assert_eq!(is_by_value, wants_value, "{search:?}: {steps:?}");
        }
    }
    #[tokio::test]
    async fn what_is_looked_up_does_not_wait_for_a_check_of_the_whole_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.sqlite3");
        let (mut audit, _) = Audit::open(&path, Timestamp::UNIX_EPOCH).unwrap();
        for number in 0..3 {
            audit.note(&json!({ "kind": "test", "number": number }), Timestamp::UNIX_EPOCH).unwrap();
        }
        let reader = AuditReader::open(&path).unwrap();
        let (begun, is_begun) = tokio::sync::oneshot::channel();
        let (go_on, may_go_on) = std::sync::mpsc::channel();
        // A check that has read the first entry, and stands there until it may go on.
        let own = reader.whole_log.clone();
        let check = tokio::spawn(async move {
            let check = move |connection: &Connection| {
                let mut statement = connection.prepare(&format!("{LINKS} ORDER BY seq"))?;
                let mut rows = statement.query([])?;
                assert!(rows.next()?.is_some());
                begun.send(()).unwrap();
                may_go_on.recv().unwrap();
                chain::verify(connection)
            };
            own.read(check).await
        });
        is_begun.await.unwrap();
        let waiting = tokio::spawn({
            let reader = reader.clone();
            async move { reader.verify().await }
        });

        assert!(reader.request(RequestId(Uuid::nil())).await.unwrap().is_none());
        assert!(reader.question(QuestionId(Uuid::nil()), None).await.unwrap().is_none());
        assert!(reader.requests(vec![RequestId(Uuid::nil())]).await.unwrap().is_empty());
        assert!(reader.search(Search { limit: 50, ..Search::default() }).await.unwrap().requests.is_empty());
        audit.note(&json!({ "kind": "test" }), Timestamp::UNIX_EPOCH).unwrap();
        assert!(!check.is_finished() && !waiting.is_finished());

        go_on.send(()).unwrap();
        // What was written since it began is for the next check.
        assert_eq!(check.await.unwrap().unwrap(), Verification::Whole(3));
        assert_eq!(waiting.await.unwrap().unwrap(), Verification::Whole(4));
    }
}
