//! Temporary files that calls of a session have made, where nothing was: its later calls may write and remove them.
//!
//! A call says what it may make. That counts once it is there, and as long as the same file or folder is there: what comes to
//! its place later is somebody else's. In memory only: after a restart nothing is known of them.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use handraise_policy::{SessionKey, TemporaryFiles};

use crate::file_identity::FileIdentity;

/// The sessions that are known, the latest.
const MAX_SESSIONS: usize = 256;
/// What is known of each session.
const MAX_PATHS: usize = 1_024;
/// What a call has not made by then, it has not made: the longest that agents let a command run is ten minutes.
const MAX_WAIT: Duration = Duration::from_secs(15 * 60);

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
    /// A call since then may have made it, or made it anew.
    Expected(Instant),
    /// It was there.
    There(FileIdentity),
}

impl MadeFiles {
    /// A call of `session` runs that names `files`.
    pub(crate) fn note(&self, session: &SessionKey, files: TemporaryFiles) {
        let TemporaryFiles { made, write, read: _ } = files;
        if made.is_empty() && write.is_empty() {
            return;
        }
        let (mut known, now) = (self.lock(), Instant::now());
        if !known.paths.contains_key(session) {
            if known.order.len() == MAX_SESSIONS
                && let Some(oldest) = known.order.pop_front()
            {
                known.paths.remove(&oldest);
            }
            known.order.push_back(session.clone());
        }
        let own = known.paths.entry(session.clone()).or_default();
        // Whoever writes a file of its own may put another one in its place.
        for path in write {
            own.entry(path).and_modify(|one| *one = Made::Expected(now));
        }
        let free = MAX_PATHS.saturating_sub(own.len());
        own.extend(made.into_iter().take(free).map(|path| (path, Made::Expected(now))));
    }

    /// Looks at the disk for what calls of `session` were to make. Blocks on files.
    pub(crate) fn look(&self, session: &SessionKey) {
        let expected: Vec<String> = {
            let known = self.lock();
            let own = known.paths.get(session).into_iter().flatten();
            own.filter(|(_, one)| matches!(one, Made::Expected(_))).map(|(path, _)| path.clone()).collect()
        };
        // Nobody waits for the disk with this in hand.
        let found: Vec<(String, Option<FileIdentity>)> =
            expected.into_iter().map(|path| (identity(&path), path)).map(|(found, path)| (path, found)).collect();
        let (mut known, now) = (self.lock(), Instant::now());
        let Some(own) = known.paths.get_mut(session) else { return };
        for (path, found) in found {
            match (own.get(&path), found) {
                (Some(Made::Expected(_)), Some(there)) => drop(own.insert(path, Made::There(there))),
                (Some(Made::Expected(since)), None) if now.duration_since(*since) > MAX_WAIT => drop(own.remove(&path)),
                _ => {}
            }
        }
    }

    /// Whether what is at the absolute `path`, or a folder that it lies in, was made by a call of `session`, and still is
    /// that. Blocks on files.
    pub(crate) fn holds(&self, session: &SessionKey, path: &str) -> bool {
        let known: Vec<(String, FileIdentity)> = {
            let known = self.lock();
            let Some(own) = known.paths.get(session) else { return false };
            let above = Path::new(path).ancestors().filter_map(Path::to_str);
            let there = above.filter_map(|above| match own.get(above)? {
                Made::There(there) => Some((above.to_owned(), *there)),
                Made::Expected(_) => None,
            });
            there.collect()
        };
        known.into_iter().any(|(path, there)| identity(&path) == Some(there))
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What file of this user is at `path`, links not followed.
fn identity(path: &str) -> Option<FileIdentity> {
    FileIdentity::of_this_user(&Path::new(path).symlink_metadata().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(id: &str) -> SessionKey {
        SessionKey { requester: "claude-code".into(), agent: None, id: id.into() }
    }

    fn made(paths: &[&Path]) -> TemporaryFiles {
        let made = paths.iter().map(|path| path.to_str().unwrap().to_owned()).collect();
        TemporaryFiles { made, ..TemporaryFiles::default() }
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
        known.note(&session("a"), made(&[&folder, &file]));
        assert!(!holds("a", &file), "it is not there");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&file, "a").unwrap();
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
    fn a_file_that_its_session_makes_anew_stays_its_own() {
        let (root, known) = (tempfile::tempdir().unwrap(), MadeFiles::default());
        let file = root.path().join("y.txt");
        let path = file.to_str().unwrap().to_owned();
        known.note(&session("a"), made(&[&file]));
        std::fs::write(&file, "a").unwrap();
        known.look(&session("a"));
        assert!(known.holds(&session("a"), &path));
        known.note(&session("a"), TemporaryFiles { write: vec![path.clone()], ..TemporaryFiles::default() });
        std::fs::write(root.path().join("new"), "b").unwrap();
        std::fs::rename(root.path().join("new"), &file).unwrap();
        known.look(&session("a"));
        assert!(known.holds(&session("a"), &path));
    }

    #[test]
    fn what_is_known_has_an_end() {
        let known = MadeFiles::default();
        let count = |id: &str| known.lock().paths.get(&session(id)).map_or(0, HashMap::len);
        known.note(&session("first"), made(&[Path::new("/tmp/first")]));
        let many: Vec<String> = (0..2 * MAX_PATHS).map(|number| format!("/tmp/{number}")).collect();
        known.note(&session("a"), TemporaryFiles { made: many, ..TemporaryFiles::default() });
        assert_eq!((count("a"), count("first")), (MAX_PATHS, 1));
        for number in 0..MAX_SESSIONS {
            known.note(&session(&number.to_string()), made(&[Path::new("/tmp/z")]));
        }
        assert_eq!(count("first"), 0);
    }
}
