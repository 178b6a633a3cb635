//! What walls have denied a call, as it stands in its row.

use handraise_policy::{RequestId, WallsDenial, WallsOpening};
use rusqlite::{Transaction, params};
use serde::{Deserialize, Serialize};

use super::AuditError;
use crate::redacted::RequestRedactor;

/// One denial, without secrets.
#[derive(Serialize, Deserialize)]
struct StoredDenial {
    clause: String,
    /// The cache that would let it pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cache: Option<String>,
    /// The folder that would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
}

impl StoredDenial {
    fn of(denial: &WallsDenial, redactor: &RequestRedactor) -> Self {
        let clause = redactor.text(&denial.clause);
        let (cache, folder) = match denial.opening.clone() {
            Some(WallsOpening::Cache(name)) => (Some(name), None),
            // One with a mark in it would be another folder.
            Some(WallsOpening::Folder(folder)) => (None, Some(folder).filter(|path| redactor.text(path) == *path)),
            None => (None, None),
        };
        Self { clause, cache, folder }
    }
}

impl From<StoredDenial> for WallsDenial {
    fn from(StoredDenial { clause, cache, folder }: StoredDenial) -> Self {
        Self { clause, opening: cache.map(WallsOpening::Cache).or(folder.map(WallsOpening::Folder)) }
    }
}

/// Says in the row of a request what its walls have denied it.
pub(super) fn keep(
    transaction: &Transaction<'_>,
    id: RequestId,
    denied: &[WallsDenial],
    redactor: &RequestRedactor,
) -> Result<(), AuditError> {
    let denied: Vec<StoredDenial> = denied.iter().map(|denial| StoredDenial::of(denial, redactor)).collect();
    let mut statement = transaction.prepare_cached("UPDATE request SET walls_denied = ?2 WHERE id = ?1")?;
    statement.execute(params![id.to_string(), serde_json::to_string(&denied)?])?;
    Ok(())
}

/// The denials of a row; none where they cannot be read.
pub(super) fn read(stored: &str) -> Vec<WallsDenial> {
    let denied: Vec<StoredDenial> = serde_json::from_str(stored).unwrap_or_default();
    denied.into_iter().map(WallsDenial::from).collect()
}
