//! Temporary files that calls of a session have made, where nothing was: its later calls may write and remove them.
//!
//! Of a call inside walls, the program that puts these up says what it has made. Of another one only what its shell makes for
//! certain counts, and only while that is new. It stays the session's own as long as the same file or folder is there: what
//! comes to its place later is somebody else's. In memory only: after a restart nothing is known of them.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use handraise_policy::SessionKey;

use crate::file_identity::FileIdentity;

/// The sessions that are known, the latest.
const MAX_SESSIONS: usize = 256;
/// What is known of each session.
const MAX_PATHS: usize = 1_024;
/// The first command of a line runs at once: what is there later, it has not made.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// Clocks of file systems lag behind by a tick.
const TICK: Duration = Duration::from_millis(50);

/// What sessions have made.
#[derive(Debug, Default)]
pub(crate) struct MadeFiles(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    paths: HashMap<SessionKey, HashMap<String, Made>>,
    /// The sessions by their first file, the oldest first.
    order: VecDeque<SessionKey>,
}

/// One file or folder.
#[derive(Clone, Copy, Debug)]
enum Made {
    /// A call that began then makes it.
    Expected(SystemTime),
    /// It was there.
    There(Born),
}

/// One file or folder, and when it came to be: the number of one that was removed is given to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Born {
    identity: FileIdentity,
    at: SystemTime,
}

impl MadeFiles {
    /// A call of `session` runs that makes `paths` for certain, where nothing is.
    pub(crate) fn expect(&self, session: &SessionKey, paths: Vec<String>) {
        let now = SystemTime::now();
        self.add(session, paths.into_iter().map(|path| (path, Made::Expected(now))));
    }

    /// A call of `session` that ran inside walls has made `paths`. Blocks on files.
    pub(crate) fn made(&self, session: &SessionKey, paths: &[String]) {
        let there = paths.iter().filter_map(|path| Some((path.clone(), Made::There(born(path)?))));
        self.add(session, there.collect::<Vec<_>>());
    }

    fn add(&self, session: &SessionKey, paths: impl IntoIterator<Item = (String, Made)>) {
        let mut paths = paths.into_iter().peekable();
        if paths.peek().is_none() {
            return;
        }
        let mut known = self.lock();
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
        own.extend(paths.take(free));
    }

    /// Looks at the disk for what calls of `session` were to make. Blocks on files.
    pub(crate) fn look(&self, session: &SessionKey) {
        let expected: Vec<(String, SystemTime)> = {
            let known = self.lock();
            let own = known.paths.get(session).into_iter().flatten();
            let since = |(path, one): (&String, &Made)| match one {
                Made::Expected(since) => Some((path.clone(), *since)),
                Made::There(_) => None,
            };
            own.filter_map(since).collect()
        };
        // Nobody waits for the disk with this in hand.
        let found: Vec<(String, SystemTime, Option<Born>)> = expected
            .into_iter()
            .map(|(path, since)| (born(&path), path, since))
            .map(|(found, path, since)| (path, since, found))
            .collect();
        let (mut known, now) = (self.lock(), SystemTime::now());
        let Some(own) = known.paths.get_mut(session) else { return };
        for (path, since, found) in found {
            let is_new = |born: &Born| (since - TICK..=since + MAX_WAIT).contains(&born.at);
            match (own.get(&path), found) {
                (Some(Made::Expected(_)), Some(born)) if is_new(&born) => drop(own.insert(path, Made::There(born))),
                (Some(Made::Expected(_)), None) if now < since + MAX_WAIT => {}
                (Some(Made::Expected(_)), _) => drop(own.remove(&path)),
                _ => {}
            }
        }
    }

    /// Whether what is at the absolute `path`, or a folder that it lies in, was made by a call of `session`, and still is
    /// that. Blocks on files.
    pub(crate) fn holds(&self, session: &SessionKey, path: &str) -> bool {
        let known: Vec<(String, Born)> = {
            let known = self.lock();
            let Some(own) = known.paths.get(session) else { return false };
            let above = Path::new(path).ancestors().filter_map(Path::to_str);
            let there = above.filter_map(|above| match own.get(above)? {
                Made::There(there) => Some((above.to_owned(), *there)),
                Made::Expected(_) => None,
            });
            there.collect()
        };
        known.into_iter().any(|(path, there)| born(&path) == Some(there))
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What file of this user is at `path`, links not followed. `None` as well: the file system does not say when it came to be.
fn born(path: &str) -> Option<Born> {
    let metadata = Path::new(path).symlink_metadata().ok()?;
    Some(Born { identity: FileIdentity::of_this_user(&metadata)?, at: metadata.created().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(id: &str) -> SessionKey {
        SessionKey { requester: "claude-code".into(), agent: None, id: id.into() }
    }

    #[cfg(unix)]
    fn texts(paths: &[&Path]) -> Vec<String> {
        paths.iter().map(|path| path.to_str().unwrap().to_owned()).collect()
    }

    #[cfg(unix)]
    #[test]
    fn what_a_session_has_made_is_its_own_with_all_that_is_in_it() {
        let (root, known) = (tempfile::tempdir().unwrap(), MadeFiles::default());
        let (folder, file) = (root.path().join("x"), root.path().join("y.txt"));
        let holds = |id: &str, path: &Path| {
            known.look(&session(id));
            known.holds(&session(id), path.to_str().unwrap())
        };
        known.expect(&session("a"), texts(&[&folder]));
        assert!(!holds("a", &folder), "it is not there");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&file, "a").unwrap();
        known.made(&session("a"), &texts(&[&file]));
        for path in [&folder, &folder.join("a/b"), &file] {
            assert!(holds("a", path) && !holds("b", path), "{}", path.display());
        }
        for path in [root.path(), &root.path().join("xy"), Path::new("/")] {
            assert!(!holds("a", path), "{}", path.display());
        }
        // Somebody puts something else in its place.
        std::fs::write(root.path().join("other"), "b").unwrap();
        std::fs::rename(root.path().join("other"), &file).unwrap();
        assert!(!holds("a", &file));
    }

    #[cfg(unix)]
    #[test]
    fn what_was_there_before_the_call_or_came_long_after_it_is_somebody_elses() {
        let (root, known) = (tempfile::tempdir().unwrap(), MadeFiles::default());
        let (early, late) = (root.path().join("early"), root.path().join("late"));
        let holds = |path: &Path| {
            known.look(&session("a"));
            known.holds(&session("a"), path.to_str().unwrap())
        };
        std::fs::create_dir(&early).unwrap();
        let later = SystemTime::now() + Duration::from_secs(60);
        known.add(&session("a"), [(texts(&[&early]).remove(0), Made::Expected(later))]);
        let before = SystemTime::now() - MAX_WAIT - Duration::from_secs(1);
        known.add(&session("a"), [(texts(&[&late]).remove(0), Made::Expected(before))]);
        std::fs::create_dir(&late).unwrap();
        assert!(!holds(&early) && !holds(&late));
        // Nothing is waited for any more.
        assert!(known.lock().paths[&session("a")].is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_number_that_is_given_again_is_another_file() {
        let (root, known) = (tempfile::tempdir().unwrap(), MadeFiles::default());
        let file = root.path().join("y.txt");
        std::fs::write(&file, "a").unwrap();
        known.made(&session("a"), &texts(&[&file]));
        let path = file.to_str().unwrap();
        assert!(known.holds(&session("a"), path));
        // On some file systems the next file has the number of the last one.
        let first = born(path).unwrap();
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, "somebody else's").unwrap();
        assert_ne!(born(path), Some(first));
        assert!(!known.holds(&session("a"), path));
    }

    #[test]
    fn what_is_known_has_an_end() {
        let known = MadeFiles::default();
        let count = |id: &str| known.lock().paths.get(&session(id)).map_or(0, HashMap::len);
        known.expect(&session("first"), vec!["/tmp/first".to_owned()]);
        known.expect(&session("a"), (0..2 * MAX_PATHS).map(|number| format!("/tmp/{number}")).collect());
        assert_eq!((count("a"), count("first")), (MAX_PATHS, 1));
        for number in 0..MAX_SESSIONS {
            known.expect(&session(&number.to_string()), vec!["/tmp/z".to_owned()]);
        }
        assert_eq!(count("first"), 0);
    }
}
