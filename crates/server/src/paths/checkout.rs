//! Which settings of agents a command of git would put into the working files: those that a branch or a stash has otherwise
//! than what is checked out. An agent whose scripts may write the repository could plant them there.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use handraise_policy::{CheckoutAnswer, CheckoutSource};

use super::{Protected, SeenFolders};
use crate::repository::{FileState, Lookup, NotTold, ObjectId, Repository, Until};

/// What a command of git in `folder`, which has no links in it, would change among the settings of agents.
pub(super) fn answer(
    folder: &Path,
    source: &CheckoutSource,
    home: Option<&Path>,
    protected: &Protected,
    seen: &mut SeenFolders,
) -> CheckoutAnswer {
    let Some(mut repository) = Repository::of(folder, home, Until::new()) else {
        // Where there is none git refuses. Of one that is not understood nothing is known.
        let has_one = folder.ancestors().any(|folder| folder.join(".git").symlink_metadata().is_ok());
        return if has_one { CheckoutAnswer::Unknown } else { CheckoutAnswer::Settings(Vec::new()) };
    };
    let mut is_setting = |path: &Path| protected.of(path, seen).is_some();
    match settings(&mut repository, source, &mut is_setting) {
        Ok(settings) => CheckoutAnswer::Settings(settings),
        Err(NotTold) => CheckoutAnswer::Unknown,
    }
}

fn settings(
    repository: &mut Repository,
    source: &CheckoutSource,
    is_setting: &mut dyn FnMut(&Path) -> bool,
) -> Lookup<Vec<String>> {
    let mut differing = Vec::new();
    match source {
        CheckoutSource::Commits(names) => {
            let head = repository.named("HEAD")?;
            for id in commits(repository, names)? {
                differing.extend(repository.differing(head.as_ref(), Some(&id))?);
            }
        }
        CheckoutSource::Changes(names) => {
            for id in commits(repository, names)? {
                let parent = repository.parents(&id)?.into_iter().next();
                differing.extend(repository.differing(parent.as_ref(), Some(&id))?);
            }
        }
        CheckoutSource::Stash => {
            // Its parents are what was checked out, what was staged, and files that git did not know: git-stash(1).
            if let Some(id) = repository.named("refs/stash")? {
                let parents = repository.parents(&id)?;
                differing.extend(repository.differing(parents.first(), Some(&id))?);
                if let Some(untracked) = parents.get(2) {
                    differing.extend(repository.differing(None, Some(untracked))?);
                }
            }
        }
        CheckoutSource::Head => {
            let head = repository.named("HEAD")?;
            let known = repository.known_files()?;
            for path in repository.differing(None, head.as_ref())? {
                let place = repository.place(&path);
                if !is_setting(&place) {
                    continue;
                }
                let is_same = match place.symlink_metadata() {
                    Ok(found) => repository.state(&known, &path, &found)? == FileState::Same,
                    Err(_) => false,
                };
                if !is_same {
                    differing.push(path);
                }
            }
        }
    }
    let places = differing.iter().map(|path| repository.place(path)).filter(|place| is_setting(place));
    Ok(places.map(|place| String::from_utf8_lossy(place.as_os_str().as_bytes()).into_owned()).collect())
}

/// The commits that `names` stand for. A file that is called so is none.
fn commits(repository: &mut Repository, names: &[String]) -> Lookup<Vec<ObjectId>> {
    let mut found = Vec::new();
    for name in names {
        match repository.revision(name)? {
            Some(id) => found.push(id),
            // A range, the branch before, what was fetched last: git knows them, and nobody here does.
            None if name.contains(['@', '^', '~', ':']) || name.contains("..") || name == "-" => {
                return Err(NotTold);
            }
            None if name.ends_with("_HEAD") => return Err(NotTold),
            // git-switch(1), `--guess`: a branch of that name at one remote.
            None => {
                let end = format!("/{name}");
                let remote = repository.names("refs/remotes/")?;
                found.extend(remote.into_iter().filter(|(full, _)| full.ends_with(&end)).map(|(_, id)| id));
            }
        }
    }
    Ok(found)
}
