//! What a skill, a command or a sub-agent runs by itself: its file holds command lines that run when it is loaded, without a
//! call of their own. Whoever is asked about the call is shown them.

mod content;

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use handraise_agents::{SkillFiles, SkillFolder};
use handraise_locations::TOOL_FOLDERS;
use handraise_policy::{Request, RiskLevel};

/// As much of a file is looked at, in bytes.
const MAX_SIZE: u64 = 256 * 1024;
/// Lines that are shown; more are counted.
const MAX_LINES: usize = 40;
/// Folders of a project that are looked into for further ones with skills, the shallow ones first.
const MAX_FOLDERS: usize = 2_000;
/// Names in the folders of skills.
const MAX_NAMES: usize = 4_000;
/// How deep the files lie in a folder of commands: a folder is a part of the name.
const MAX_DEPTH: usize = 5;

/// What a skill runs by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunsByItself {
    /// Its file.
    pub(crate) file: PathBuf,
    /// The command lines, one a line.
    pub(crate) lines: String,
}

/// What the skill, command or sub-agent that `request` loads runs by itself, for the user whose home folder is `home`. `None`:
/// it loads none, or only such as run nothing.
pub(crate) fn of(request: &Request, home: Option<&Path>) -> Option<RunsByItself> {
    let agent = request.agent.as_ref().filter(|agent| agent.verified)?;
    let files = handraise_agents::agent(&agent.name)?.skill(&request.tool, &request.arguments)?;
    let (found, is_cut) = candidates(&files, request, home);
    let runs = found.iter().find_map(|file| {
        let lines = content::lines(&read(file)?);
        (!lines.is_empty()).then(|| (file.clone(), lines))
    });
    // A name with a colon is one of a plug-in, which the person has installed.
    let unseen = is_cut && found.is_empty() && !files.name.contains(':');
    let unseen = unseen.then(|| {
        let project = request.project.clone().unwrap_or_default();
        (PathBuf::from(project), vec!["There is too much to look at to find its file.".to_owned()])
    });
    let (file, found) = runs.or(unseen)?;
    let mut lines = found.iter().take(MAX_LINES).cloned().collect::<Vec<_>>().join("\n");
    if found.len() > MAX_LINES {
        lines.push_str(&format!("\nand {} more", found.len() - MAX_LINES));
    }
    Some(RunsByItself { file, lines })
}

/// `request` with the risk that its skill adds: loading one only looks, unless the skill runs something by itself.
pub(crate) fn with_risk(request: Request, home: Option<&Path>) -> Request {
    match of(&request, home) {
        Some(_) => Request { table_risk: request.table_risk.max(Some(RiskLevel::Write)), ..request },
        None => request,
    }
}

/// The text of `file` as far as it is looked at; a longer one says so, in a way that counts as a command line.
fn read(file: &Path) -> Option<String> {
    let mut text = Vec::new();
    File::open(file).ok()?.take(MAX_SIZE + 1).read_to_end(&mut text).ok()?;
    let mut read = String::from_utf8_lossy(&text).into_owned();
    if text.len() as u64 > MAX_SIZE {
        read.push_str("\n!`the rest of it, which is too large to be looked at`\n");
    }
    Some(read)
}

/// The files that the name may mean, and whether there was too much to look at.
///
/// The agent may find a file by the name of its folder, by its own, or by the one in it, and in folders below the one that
/// it works in: all of them count, in whatever case.
fn candidates(files: &SkillFiles, request: &Request, home: Option<&Path>) -> (Vec<PathBuf>, bool) {
    let cwd = request.cwd.as_deref().map(Path::new).filter(|cwd| cwd.is_absolute());
    let project = request.project.as_deref().map(Path::new);
    let above = cwd.into_iter().flat_map(Path::ancestors);
    let in_project = above.take_while(|folder| project.is_none_or(|project| folder.starts_with(project)));
    let mut bases: Vec<PathBuf> =
        in_project.take(32).chain(project).chain(home).map(std::borrow::ToOwned::to_owned).collect();
    let is_cut = project.or(cwd).is_some_and(|top| below(top, &files.folders, &mut bases));
    bases.sort();
    bases.dedup();
    let mut found = Vec::new();
    let mut left = MAX_NAMES;
    for base in &bases {
        for folder in &files.folders {
            let top = base.join(folder.path);
            let mut all = Vec::new();
            collect(&top, folder, MAX_DEPTH, &mut all, &mut left);
            found.extend(all.into_iter().filter(|file| is_called(file, &top, &files.name)));
        }
    }
    (found, is_cut || left == 0)
}

/// Adds the folders below `top` that hold one of `folders`. Whether there are too many to look at.
fn below(top: &Path, folders: &[SkillFolder], bases: &mut Vec<PathBuf>) -> bool {
    let mut waiting = VecDeque::from([top.to_owned()]);
    let mut left = MAX_FOLDERS;
    while let Some(next) = waiting.pop_front() {
        let Some(fewer) = left.checked_sub(1) else { return true };
        left = fewer;
        if folders.iter().any(|folder| next.join(folder.path).is_dir()) {
            bases.push(next.clone());
        }
        let entries = next.read_dir().into_iter().flatten().flatten();
        let inner = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        waiting.extend(
            inner
                .filter(|entry| !entry.file_name().to_str().is_some_and(|name| TOOL_FOLDERS.contains(&name)))
                .map(|entry| entry.path()),
        );
    }
    false
}

/// Adds the files in `top` that may be what `folder` is for. Links are followed, and may lead round: so each name counts.
fn collect(top: &Path, folder: &SkillFolder, depth: usize, found: &mut Vec<PathBuf>, left: &mut usize) {
    let Some(deeper) = depth.checked_sub(1) else { return };
    for entry in top.read_dir().into_iter().flatten().flatten() {
        let Some(fewer) = left.checked_sub(1) else { return };
        *left = fewer;
        let path = entry.path();
        if path.is_dir() {
            collect(&path, folder, deeper, found, left);
        } else if path.is_file() && folder.is_one(&entry.file_name().to_string_lossy()) {
            found.push(path);
        }
    }
}

/// Whether the agent may mean the file `file` of the folder `top` with `name`.
fn is_called(file: &Path, top: &Path, name: &str) -> bool {
    let last = name.rsplit(':').next().unwrap_or(name);
    let is_it = |text: &str| text.eq_ignore_ascii_case(name) || text.eq_ignore_ascii_case(last);
    let text = |name: Option<&std::ffi::OsStr>| name.and_then(std::ffi::OsStr::to_str).is_some_and(is_it);
    let within = file.strip_prefix(top).ok().map(|within| within.with_extension(""));
    let path = within.and_then(|within| within.to_str().map(|text| text.replace('/', ":")));
    text(file.file_stem())
        || text(file.parent().and_then(Path::file_name))
        || path.is_some_and(|path| is_it(&path))
        || read(file).and_then(|text| content::name(&text)).is_some_and(|own| is_it(&own))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_round_and_what_is_no_file_hold_nothing_up() {
        let root = tempfile::tempdir().unwrap();
        let top = root.path().join("commands");
        std::fs::create_dir(&top).unwrap();
        std::fs::write(top.join("deploy.md"), "x").unwrap();
        for number in 0..100 {
            std::os::unix::fs::symlink(".", top.join(format!("again-{number}"))).unwrap();
        }
        let pipe = top.join("pipe.md");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let folder = SkillFolder { path: "commands", file: None };
        let (mut found, mut left) = (Vec::new(), MAX_NAMES);
        collect(&top, &folder, MAX_DEPTH, &mut found, &mut left);
        assert_eq!(left, 0, "there is too much to look at");
        assert!(!found.is_empty() && found.len() < MAX_NAMES && !found.contains(&pipe));
    }
}
