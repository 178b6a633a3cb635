//! Links among the files in which git keeps its state. It reads and writes through them: where `FETCH_HEAD` is a link to
//! `~/.bashrc`, `git fetch` writes there what the other side has called its branches, and where `packed-refs` is one to a
//! key, `git log` prints it. git makes no such links itself, and none come with a clone but in a folder of the project that is a
//! repository without a `.git`.
//!
//! Source: gitrepository-layout(5).

use std::path::Path;

use crate::disk::{Disk, Unseen};

/// What tools that share a repository among working folders make links of: `contrib/workdir/git-new-workdir` of git, and the
/// program `repo` of Android. These lead to what is called the same in another repository.
const SHARED: &[&str] = &[
    "config",
    "description",
    "hooks",
    "info",
    "lfs",
    "logs",
    "modules",
    "objects",
    "packed-refs",
    "refs",
    "remotes",
    "rr-cache",
    "shallow",
    "svn",
];
/// Folders in which git keeps its state, with all that is in them.
const STATE: &[&str] =
    &["info", "logs", "objects/info", "rebase-apply", "rebase-merge", "refs", "reftable", "sequencer"];
/// Folders in each other among them.
const MAX_DEPTH: usize = 32;

/// Looks for links in the repository in `folder`.
///
/// # Errors
/// When there is one, or too much to look at.
pub(super) fn check(folder: &Path, disk: &mut Disk) -> Result<(), Unseen> {
    each(folder, disk, &mut |name, is_link, _| {
        let path = folder.join(name);
        match is_link && !(SHARED.contains(&name) && leads_to_its_like(&path)) {
            true => Err(told(&path)),
            false => Ok(()),
        }
    })?;
    STATE.iter().try_for_each(|name| below(&folder.join(name), disk, 0))
}

fn below(folder: &Path, disk: &mut Disk, depth: usize) -> Result<(), Unseen> {
    if depth > MAX_DEPTH {
        return Err(format!("`{}` is too deep", folder.display()));
    }
    let mut folders = Vec::new();
    each(folder, disk, &mut |name, is_link, is_folder| {
        let path = folder.join(name);
        if is_link {
            return Err(told(&path));
        }
        folders.extend(is_folder.then_some(path));
        Ok(())
    })?;
    folders.iter().try_for_each(|inner| below(inner, disk, depth + 1))
}

/// Shows each entry of a folder: its name, whether it is a link, whether it is a folder.
fn each(
    folder: &Path,
    disk: &mut Disk,
    show: &mut dyn FnMut(&str, bool, bool) -> Result<(), Unseen>,
) -> Result<(), Unseen> {
    disk.look()?;
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        disk.look()?;
        let kind = entry.file_type().map_err(|_| format!("`{}` cannot be looked at", entry.path().display()))?;
        show(&entry.file_name().to_string_lossy(), kind.is_symlink(), kind.is_dir())?;
    }
    Ok(())
}

fn leads_to_its_like(link: &Path) -> bool {
    link.canonicalize().is_ok_and(|target| target.file_name() == link.file_name())
}

fn told(path: &Path) -> Unseen {
    format!("`{}` is a link, and git reads and writes through it", path.display())
}
