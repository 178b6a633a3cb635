//! Temporary files that calls of a session have made, where nothing was: its later calls may write and remove them.
//!
//! In memory only. After a restart nothing is known of them, and a call that would write one is asked about.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use handraise_policy::SessionKey;

/// The sessions that are known, the latest.
const MAX_SESSIONS: usize = 256;
/// What is known of each session.
const MAX_PATHS: usize = 1_024;

/// What sessions have made.
#[derive(Debug, Default)]
pub(crate) struct MadeFiles(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    paths: HashMap<SessionKey, HashSet<String>>,
    /// The sessions by their first file, the oldest first.
    order: VecDeque<SessionKey>,
}

impl MadeFiles {
    /// A call of `session` runs that may make what is at these absolute `paths`. More than is known of one session is left out.
    pub(crate) fn note(&self, session: &SessionKey, paths: Vec<String>) {
        if paths.is_empty() {
            return;
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.paths.contains_key(session) {
            if known.order.len() == MAX_SESSIONS
                && let Some(oldest) = known.order.pop_front()
            {
                known.paths.remove(&oldest);
            }
            known.order.push_back(session.clone());
        }
        let own = known.paths.entry(session.clone()).or_default();
        let free = MAX_PATHS.saturating_sub(own.len());
        own.extend(paths.into_iter().take(free));
    }

    /// Whether the absolute `path`, or a folder that it lies in, was made by a call of `session`.
    pub(crate) fn holds(&self, session: &SessionKey, path: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .paths
            .get(session)
            .is_some_and(|own| Path::new(path).ancestors().filter_map(Path::to_str).any(|above| own.contains(above)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(id: &str) -> SessionKey {
        SessionKey { requester: "claude-code".into(), agent: None, id: id.into() }
    }

    #[test]
    fn what_a_session_has_made_is_its_own_with_all_that_is_in_it() {
        let made = MadeFiles::default();
        made.note(&session("a"), vec!["/tmp/x".into(), "/tmp/y.txt".into()]);
        for path in ["/tmp/x", "/tmp/x/a/b", "/tmp/y.txt"] {
            assert!(made.holds(&session("a"), path) && !made.holds(&session("b"), path), "{path}");
        }
        for path in ["/tmp", "/tmp/xy", "/tmp/y", "/"] {
            assert!(!made.holds(&session("a"), path), "{path}");
        }
    }

    #[test]
    fn what_is_known_has_an_end() {
        let made = MadeFiles::default();
        made.note(&session("first"), vec!["/tmp/first".into()]);
        made.note(&session("a"), (0..2 * MAX_PATHS).map(|number| format!("/tmp/{number}")).collect());
        assert!(made.holds(&session("a"), "/tmp/0") && !made.holds(&session("a"), &format!("/tmp/{MAX_PATHS}")));
        for number in 0..MAX_SESSIONS {
            made.note(&session(&number.to_string()), vec!["/tmp/z".into()]);
        }
        assert!(!made.holds(&session("first"), "/tmp/first"));
    }
}
