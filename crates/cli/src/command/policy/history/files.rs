//! Transcripts on this machine: which files there are.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use handraise_agents::{TranscriptForm, TranscriptSource};
use handraise_shell::path::is_named;

/// How far down folders are looked into, for a folder that holds itself.
const DEEPEST: usize = 12;

/// A file with a transcript, or a piece of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TranscriptFile {
    /// When it was written last.
    pub(super) changed: SystemTime,
    pub(super) path: PathBuf,
}

/// The folder of a place: where the person has moved it, or below `home`. With `variables` nothing is moved.
pub(super) fn folder(place: &TranscriptSource, home: &Path, variables: &dyn Fn(&str) -> Option<PathBuf>) -> PathBuf {
    let moved = place.variables.iter().find_map(|(name, below)| {
        let folder = variables(name).filter(|folder| folder.is_absolute())?;
        Some(if below.is_empty() { folder } else { folder.join(below) })
    });
    moved.unwrap_or_else(|| home.join(place.folder))
}

/// The files of a place, in the order in which they are read: a file of lines is a session, so by the time of its end;
/// the documents of a session have names in the order of time.
pub(super) fn files(folder: &Path, pattern: &str, form: TranscriptForm) -> Vec<TranscriptFile> {
    let mut found = Vec::new();
    let parts: Vec<&str> = pattern.split('/').collect();
    collect(folder, &parts, 0, &mut found);
    match form {
        TranscriptForm::Lines => found.sort(),
        TranscriptForm::Document => found.sort_by(|one, other| one.path.cmp(&other.path)),
    }
    found
}

fn collect(folder: &Path, parts: &[&str], depth: usize, found: &mut Vec<TranscriptFile>) {
    let Some((first, rest)) = parts.split_first() else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    if *first == "**" {
        collect(folder, rest, depth, found);
    }
    for entry in entries.filter_map(Result::ok) {
        // A link to a folder may lead back here.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let path = entry.path();
        if *first == "**" && is_folder && depth < DEEPEST {
            collect(&path, parts, depth + 1, found);
        } else if *first != "**" && is_named(first, &entry.file_name().to_string_lossy()) {
            match rest {
                [] => found.extend(file(&path)),
                rest if is_folder => collect(&path, rest, depth + 1, found),
                _ => {}
            }
        }
    }
}

/// A regular file: to open another one may wait for ever.
pub(super) fn file(path: &Path) -> Option<TranscriptFile> {
    let about = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(TranscriptFile { changed: about.modified().unwrap_or(SystemTime::UNIX_EPOCH), path: path.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_at_any_depth_and_links_to_folders_are_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        ["projects/a/1.jsonl", "projects/a/s/subagents/agent-2.jsonl", "projects/a/memory/x.md", "other/3.jsonl"]
            .into_iter()
            .for_each(write);
        fs::create_dir(root.path().join("projects/a/folder.jsonl")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.path(), root.path().join("projects/loop")).unwrap();
        let found = |pattern| {
            let found = files(root.path(), pattern, TranscriptForm::Document).into_iter();
            let name = |file: TranscriptFile| file.path.strip_prefix(root.path()).unwrap().display().to_string();
            found.map(name).collect::<Vec<_>>()
        };
        assert_eq!(found("projects/**/*.jsonl"), ["projects/a/1.jsonl", "projects/a/s/subagents/agent-2.jsonl"]);
        assert_eq!(found("projects/*/*.jsonl"), ["projects/a/1.jsonl"]);
        assert_eq!(found("projects/**/agent-*.jsonl"), ["projects/a/s/subagents/agent-2.jsonl"]);
        assert!(found("nowhere/*").is_empty());
    }

    #[test]
    fn a_person_may_have_moved_the_folder() {
        let agent = handraise_agents::agent("gemini-cli").and_then(handraise_agents::Agent::transcripts).unwrap();
        let place = agent.places.first().unwrap();
        let home = Path::new("/home/ann");
        assert_eq!(folder(place, home, &|_| None), Path::new("/home/ann/.gemini"));
        assert_eq!(folder(place, home, &|_| Some("/srv/ann".into())), Path::new("/srv/ann/.gemini"));
        assert_eq!(folder(place, home, &|_| Some("relative".into())), Path::new("/home/ann/.gemini"));
    }
}
