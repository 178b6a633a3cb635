//! The files of a call that are looked at before it is answered.

use std::path::{Path, PathBuf};

use handraise_policy::{Request, RiskLevel, Subject, ToolClass, WrittenPath, written_paths};
use handraise_shell::path::is_credential;
use handraise_undo::{Expected, KeptPath, Target};

use crate::paths::absolute;

/// Most names in a folder that a glob is compared with.
const MAX_NAMES: usize = 2_000;

/// Whether `request`, of the risk `level`, may write a file that it names.
pub(crate) fn may_write(request: &Request, level: RiskLevel) -> bool {
    level != RiskLevel::ReadOnly && !written_paths(request).is_empty()
}

/// The folder that the files of `request` lie in, and those that it may write. `None`: no folder is known. Looks at the
/// file system.
pub(super) fn of(request: &Request) -> Option<(PathBuf, Vec<Target>)> {
    let root = root(request)?;
    let mut targets: Vec<Target> = Vec::new();
    for written in written_paths(request) {
        let (paths, text) = match &written {
            WrittenPath::Named(text) => (named(request, text), text.as_str()),
            WrittenPath::Found { folder, .. } => (found(request, folder, &written), folder.as_str()),
        };
        for path in paths {
            let below = match path.strip_prefix(&root) {
                Ok(below) if !below.as_os_str().is_empty() => KeptPath::from(below),
                // A command names much that is no file of the project. A tool for files is to say what it cannot undo.
                _ if request.class == ToolClass::FileWrite => KeptPath(path.clone()),
                _ => continue,
            };
            if targets.iter().all(|target| target.path != below) {
                targets.push(Target {
                    path: below,
                    is_secret: is_secret(request, text, &path),
                    expected: expected(request, text),
                });
            }
        }
    }
    let targets = with_inside(&root, targets);
    Some((root, targets))
}

/// The project, else the working folder; never the root of everything.
fn root(request: &Request) -> Option<PathBuf> {
    let cwd = || Path::new(request.cwd.as_deref()?).canonicalize().ok();
    let root = request.project.as_ref().map(PathBuf::from).or_else(cwd)?;
    root.parent().is_some().then_some(root)
}

/// Where `text` leads: the name itself, which may be a link, and what it leads to.
fn named(request: &Request, text: &str) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    if let Some(written) = absolute(text, request.cwd.as_deref(), request.home.as_deref().map(Path::new)) {
        let plain = match (written.parent(), written.file_name()) {
            (Some(folder), Some(name)) => {
                soft_canonicalize::soft_canonicalize(folder).ok().map(|folder| folder.join(name))
            }
            // It ends with `..`.
            _ => soft_canonicalize::soft_canonicalize(&written).ok(),
        };
        paths.extend(plain);
    }
    let resolved = request.paths.get(text).map(|resolved| PathBuf::from(&resolved.path));
    paths.extend(resolved.filter(|resolved| !paths.contains(resolved)).into_iter().collect::<Vec<_>>());
    paths
}

/// What a shell finds in `folder`.
fn found(request: &Request, folder: &str, glob: &WrittenPath) -> Vec<PathBuf> {
    let folder = absolute(folder, request.cwd.as_deref(), request.home.as_deref().map(Path::new));
    let Some(folder) = folder.and_then(|folder| folder.canonicalize().ok()) else { return Vec::new() };
    let entries = folder.read_dir().into_iter().flatten().flatten().take(MAX_NAMES);
    let names = entries.map(|entry| entry.file_name());
    names.filter(|name| name.to_str().is_some_and(|name| glob.finds(name))).map(|name| folder.join(name)).collect()
}

/// With what a command like `mv a b` makes in the folder `b`: names are all that it is known by.
fn with_inside(root: &Path, targets: Vec<Target>) -> Vec<Target> {
    let Some((last, others)) = targets.split_last() else { return targets };
    let folder = root.join(last.path.as_path());
    if !folder.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return targets;
    }
    let inside = others.iter().filter_map(|other| {
        let path = KeptPath(last.path.as_path().join(other.path.as_path().file_name()?));
        Some(Target { path, ..other.clone() })
    });
    let inside: Vec<Target> = inside.collect();
    targets.into_iter().chain(inside).collect()
}

fn is_secret(request: &Request, text: &str, path: &Path) -> bool {
    request.paths.get(text).is_some_and(|resolved| resolved.is_credential)
        || path.to_str().is_some_and(|path| is_credential(path, request.home.as_deref()))
}

/// What the call leaves in the file called `text`, as its arguments say.
fn expected(request: &Request, text: &str) -> Expected {
    match &request.subject {
        Subject::Write { path, content } if path == text => Expected::Whole(content.clone()),
        Subject::Edit { path, before, after } if path == text => {
            Expected::Replaced { before: before.clone(), after: after.clone() }
        }
        _ => Expected::Unknown,
    }
}
