//! The paths that a call names, as the file system sees them.
//!
//! The gate never touches the file system; it names the paths that it would like to know more about,
//! and this module answers. Links are followed physically: `link/..` is the folder above what the link
//! points to. Nothing is followed that the caller's own environment could bend: the home folder comes
//! from the user database, and a relative path counts only with an absolute working folder.
//!
//! What this cannot do: hold a file still. Between the answer and the agent's own access, links and
//! names can change; the gate decides about the file system as it is now. The calls below block, on a
//! network mount that does not answer for ever: so they are made by `prepare` only, on threads that nobody
//! waits for.

#[cfg(unix)]
mod checkout;
mod credentials;
mod found;
mod links;
mod on_disk;
mod project;
mod project_code;
mod protected;
mod scripts;
mod secret_content;
mod seen_folders;
mod tasks;
mod tracked;

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::disk::Disk;
use crate::made_files::MadeFiles;
use credentials::{CredentialSearch, Found};
use found::Finds;
use handraise_policy::path::{FolderSearch, MAX_PATH_LENGTH, MAX_PATHS};
use handraise_policy::{CheckoutAnswer, CheckoutFacts, Request, ResolvedPath, is_filled_anew};
use handraise_shell::path::{components, is_credential};
use handraise_undo::Limits;
use project::project_folder;
use secret_content::holds_secret;

pub(crate) use on_disk::OnDisk;
pub(crate) use protected::Protected;
use protected::strictest;
use seen_folders::AtPath;
pub(crate) use seen_folders::SeenFolders;

/// Commands of git in one line of which it is looked up what they check out. Of more nothing is known.
#[cfg(unix)]
const MAX_CHECKOUTS: usize = 8;

/// Looks paths up.
#[derive(Clone, Debug)]
pub(crate) struct PathResolver {
    home: Option<PathBuf>,
}

impl PathResolver {
    /// A resolver for the user whose home folder is `home`.
    pub(crate) fn new(home: Option<PathBuf>) -> Self {
        Self { home: home.map(|home| home.canonicalize().unwrap_or(home)) }
    }

    /// The user's home folder.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Looks the paths that `request` names up and says where they lead, which of them its session has `made`, which project
    /// the call belongs to, and where the user is at home.
    pub(crate) fn look_up(&self, request: Request, protected: &Protected, made: &MadeFiles) -> Request {
        request.session.iter().for_each(|session| made.look(session));
        let is_made = |path: &str| request.session.as_ref().is_some_and(|session| made.holds(session, path));
        let cwd = request.cwd.as_deref();
        let candidates = request.path_candidates().into_iter().take(MAX_PATHS);
        let (mut disk, mut seen) = (Disk::default(), SeenFolders::default());
        let mut search = CredentialSearch::new(self.home(), &mut disk);
        let paths = candidates
            .filter_map(|candidate| {
                let mut resolved = self.find(&candidate.text, cwd, protected, &mut seen)?;
                // Of what is not there: whether it would lie in a folder that the session has made.
                resolved.is_made_by_session = is_made(&resolved.path)
                    && (resolved.is_missing || seen.place(Path::new(&resolved.path)).is_of_this_user());
                resolved.is_credential =
                    resolved.is_credential || holds_secret(&candidate.text, &resolved, self.home(), search.disk);
                resolved.holds_tracked = resolved.is_folder
                    && components(&resolved.path).any(|name| is_filled_anew(&[name]))
                    && tracked::holds_tracked(Path::new(&resolved.path), search.disk);
                if let Some(wanted) = &candidate.search {
                    let found = match wanted {
                        FolderSearch::Found { pattern, hidden, folders } => {
                            let folder = candidate.text.strip_suffix(pattern.as_str()).unwrap_or(".");
                            search.found(
                                &self.absolute(folder, cwd)?,
                                pattern,
                                Finds { hidden: *hidden, folders: *folders },
                            )
                        }
                        FolderSearch::Names { pattern } => {
                            let folder = candidate.text.strip_suffix(pattern.as_str()).unwrap_or(".");
                            resolved.names = search.names_found(&self.absolute(folder, cwd)?, pattern);
                            Found::default()
                        }
                        FolderSearch::Whole => search.held(Path::new(&resolved.path)),
                        FolderSearch::Links { followed } => {
                            search.held_with_links(Path::new(&resolved.path), *followed)
                        }
                    };
                    (resolved.holds, resolved.is_cut) = (found.holds, found.is_cut);
                }
                Some((candidate.text, resolved))
            })
            .collect();
        let checkouts = self.checkouts(&request, protected, &mut seen);
        let project = project_folder(cwd, self.home(), &mut seen).as_deref().and_then(text);
        let (project_code, tasks) = (self.project_facts(&request, &mut seen), self.task_facts(&request, &mut seen));
        Request { paths, checkouts, project, project_code, tasks, home: self.home.as_deref().and_then(text), ..request }
    }

    /// What the commands of git in `request` would put into the working files among the settings of agents.
    #[cfg(unix)]
    fn checkouts(&self, request: &Request, protected: &Protected, seen: &mut SeenFolders) -> CheckoutFacts {
        let cwd = request.cwd.as_deref();
        let answered = request.checkout_questions().into_iter().enumerate().map(|(index, question)| {
            let folder = self.absolute(&question.folder, cwd).and_then(|folder| seen.real(&folder));
            let folder = folder.filter(|_| index < MAX_CHECKOUTS);
            let answer = folder.map_or(CheckoutAnswer::Unknown, |folder| {
                checkout::answer(&folder, &question.source, self.home(), protected, seen)
            });
            (question, answer)
        });
        answered.collect()
    }

    /// Repositories are read on Unix only: nobody can tell.
    #[cfg(not(unix))]
    fn checkouts(&self, request: &Request, _: &Protected, _: &mut SeenFolders) -> CheckoutFacts {
        request.checkout_questions().into_iter().map(|question| (question, CheckoutAnswer::Unknown)).collect()
    }

    /// Looks up the path that is written as `text` in a call whose working folder is `cwd`. `None`
    /// when nobody can say which file that is.
    fn find(
        &self,
        written: &str,
        cwd: Option<&str>,
        protected: &Protected,
        seen: &mut SeenFolders,
    ) -> Option<ResolvedPath> {
        let written = self.absolute(written, cwd)?;
        let path = seen.real(&written)?;
        let as_written = if written == path { None } else { protected.of(&written, seen) };
        let other = if written == path { None } else { text(&written) };
        let path = text(&path)?;
        let is_credential =
            self.is_credential_file(&path) || other.is_some_and(|other| self.is_credential_file(&other));
        let protected = strictest(protected.of(Path::new(&path), seen).into_iter().chain(as_written));
        let found = match seen.place(Path::new(&path)) {
            AtPath::Found(found) => Some(found),
            AtPath::Absent | AtPath::Unseen => None,
        };
        let missing_from = if found.is_none() { seen.missing_from(Path::new(&path)) } else { None };
        let missing_from = missing_from.as_deref().and_then(self::text);
        let (is_missing, is_folder) = (found.is_none(), found.as_ref().is_some_and(Metadata::is_dir));
        let is_keepable = found.is_none_or(|found| Limits::default().may_keep(&found));
        let about = ResolvedPath::new(path);
        Some(ResolvedPath { protected, is_credential, is_missing, missing_from, is_folder, is_keepable, ..about })
    }

    /// Whether there is a file with credentials at the absolute `path`, or would be if there were one: it may be
    /// made between this look and the agent's.
    fn is_credential_file(&self, path: &str) -> bool {
        is_credential(path, self.home.as_deref().and_then(Path::to_str))
            && !Path::new(path).metadata().is_ok_and(|found| found.is_dir())
    }

    fn absolute(&self, text: &str, cwd: Option<&str>) -> Option<PathBuf> {
        absolute(text, cwd, self.home())
    }
}

/// The absolute path that `text` stands for in a call whose working folder is `cwd`, before any link is followed.
pub(crate) fn absolute(text: &str, cwd: Option<&str>, home: Option<&Path>) -> Option<PathBuf> {
    if text.is_empty() || text.contains('\0') || text.len() > MAX_PATH_LENGTH {
        return None;
    }
    // `~name` is another user's home folder: left to the gate, which does not know it.
    let rest = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
    if let Some(rest) = rest {
        return Some(home?.join(rest.trim_start_matches('/')));
    }
    if text.starts_with('~') {
        return None;
    }
    let path = Path::new(text);
    if path.is_absolute() {
        return Some(path.to_owned());
    }
    let cwd = Path::new(cwd?);
    cwd.is_absolute().then(|| cwd.join(path))
}

/// The project that `folder` lies in, for the user whose home folder is `home`.
pub(crate) fn project_of(folder: &str, home: &Path) -> Option<PathBuf> {
    let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
    project_folder(Some(folder), Some(&home), &mut SeenFolders::default())
}

/// A path that is not UTF-8 cannot be compared with any rule, and so is not known.
fn text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests;
