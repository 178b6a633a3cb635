//! What walls have denied a call, with what would let it pass: the disk says that.

use handraise_gate::MAX_DENIED;
use handraise_policy::{SessionKey, WallsDenial};
use handraise_protocol::Problem;

use super::{Files, Preparer};

impl Preparer {
    /// A call of `session` that ran inside walls has made these temporary files.
    pub(crate) async fn made(&self, session: &SessionKey, paths: Vec<String>) -> Result<(), Problem> {
        let of = (session.clone(), paths);
        self.one(&session.requester, of, &mut None, |inner, (session, paths), files| {
            if matches!(files, Files::Seen) {
                inner.made.made(session, paths);
            }
        })
        .await
    }

    /// `clauses`, which the program of a call of `requester` has reported, with what could be opened.
    pub(crate) async fn denials(&self, requester: &str, clauses: Vec<String>) -> Result<Vec<WallsDenial>, Problem> {
        self.one(requester, clauses, &mut None, |inner, clauses, files| {
            let clauses: Vec<&str> = clauses.iter().take(MAX_DENIED).map(String::as_str).collect();
            let openings = match files {
                Files::Seen => inner.walls.openings(&clauses),
                Files::Unseen(_) => Vec::new(),
            };
            let openings = openings.into_iter().chain(std::iter::repeat(None));
            clauses
                .iter()
                .zip(openings)
                .map(|(clause, opening)| WallsDenial { clause: (*clause).to_owned(), opening })
                .collect()
        })
        .await
    }
}
