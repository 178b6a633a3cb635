//! The git repository around a folder, read from its own small files (gitrepository-layout(5)). Git is
//! not run: the repository belongs to whoever asks, and its configuration can name programs.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use handraise_policy::ProvenanceRepository;

/// Folders above the working folder that are looked into.
const MAX_FOLDERS: usize = 64;
/// Bytes that are read of each file; a longer one is none of git's.
const MAX_FILE: u64 = 8 * 1024;

/// The repository that `folder` lies in. `None` when there is none.
pub(super) fn repository(folder: &Path) -> Option<ProvenanceRepository> {
    let (top, git) = folder.ancestors().take(MAX_FOLDERS).find_map(|top| Some((top, git_folder(top)?)))?;
    let (branch, commit) = head(&git);
    let worktree_of = common_folder(&git).map(|common| {
        let main = common.parent().filter(|_| common.file_name().is_some_and(|name| name == ".git"));
        text(main.unwrap_or(&common))
    });
    Some(ProvenanceRepository { folder: text(top), branch, commit, worktree_of })
}

/// Identifies the repository that `folder` lies in, whichever of its worktrees that is.
pub(super) fn common_folder_of(folder: &Path) -> Option<PathBuf> {
    let git = folder.ancestors().take(MAX_FOLDERS).find_map(git_folder)?;
    common_folder(&git).unwrap_or(git).canonicalize().ok()
}

/// The git folder of the working tree at `top`: `.git`, or where the file `.git` points to.
fn git_folder(top: &Path) -> Option<PathBuf> {
    let dot_git = top.join(".git");
    let metadata = dot_git.metadata().ok()?;
    let git = if metadata.is_dir() { dot_git } else { top.join(read(&dot_git)?.strip_prefix("gitdir:")?.trim()) };
    git.join("HEAD").symlink_metadata().is_ok().then_some(git)
}

/// The branch that is checked out, or else the commit.
fn head(git: &Path) -> (Option<String>, Option<String>) {
    let path = git.join("HEAD");
    // Old repositories have a link there.
    let target = path.read_link().ok().and_then(|target| target.to_str().map(|target| format!("ref: {target}")));
    let Some(text) = target.or_else(|| read(&path)) else { return (None, None) };
    let text = text.trim_end();
    match text.strip_prefix("ref:").map(str::trim_start) {
        // A repository with reftables keeps its branches elsewhere, and this in the place of each.
        Some("refs/heads/.invalid") => (None, None),
        Some(name) => (Some(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()), None),
        None => {
            let is_commit = [40, 64].contains(&text.len()) && text.chars().all(|digit| digit.is_ascii_hexdigit());
            (None, is_commit.then(|| text.to_owned()))
        }
    }
}

/// For a linked worktree: the git folder of the repository that it belongs to.
fn common_folder(git: &Path) -> Option<PathBuf> {
    let common = git.join(read(&git.join("commondir"))?.trim_end());
    Some(common.canonicalize().unwrap_or(common))
}

/// The text of a small plain file. Nothing else is waited for: a pipe opens at once and is refused.
fn read(path: &Path) -> Option<String> {
    let file: File = OpenOptions::new().read(true).custom_flags(nix::libc::O_NONBLOCK).open(path).ok()?;
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > MAX_FILE {
        return None;
    }
    let mut text = String::new();
    file.take(MAX_FILE).read_to_string(&mut text).ok()?;
    Some(text)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
