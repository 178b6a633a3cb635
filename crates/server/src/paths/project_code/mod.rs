//! The questions of the gate about what a project makes a command run, answered from the disk.

mod git;
mod links;

use std::path::{Path, PathBuf};

use handraise_policy::project_code::{
    CodeSetting, CodeSource, Content, FileLocation, Find, FoundCode, MAX_QUESTIONS, ProjectAnswer, ProjectSubject,
    own_program_files, project_files,
};
use handraise_policy::{ProjectFacts, Request};

use handraise_shell::path::{components, is_named};

use super::{PathResolver, SeenFolders, text};
use crate::disk::{Disk, Kind, Unseen};

/// Most files that one file of settings leads to.
const MAX_FURTHER: usize = 32;
/// Most sources that are told; the first that is reached is what a person reads.
const MAX_SOURCES: usize = 64;

impl PathResolver {
    /// What the projects make the commands of `request` run.
    pub(super) fn project_facts(&self, request: &Request, seen: &mut SeenFolders) -> ProjectFacts {
        let mut disk = Disk::default();
        let questions = request.project_questions().into_iter().take(MAX_QUESTIONS);
        let facts = questions.map(|question| {
            let found = self.starts(&question.folder, request.cwd.as_deref(), seen).and_then(|folders| {
                let mut found = FoundCode::default();
                for folder in folders {
                    self.find_in(&folder, &question.about, (&mut disk, seen), &mut found)?;
                }
                Ok(found)
            });
            let answer = match found {
                Ok(found) => ProjectAnswer::Looked(found),
                Err(why) => ProjectAnswer::Unknown(why),
            };
            (question, answer)
        });
        facts.collect()
    }

    /// The folder that `written` stands for: as the file system sees it, and by its letters where that is
    /// another one, since a shell takes `link/..` for the folder that the link lies in (bash(1), `cd -L`).
    pub(in crate::paths) fn starts(
        &self,
        written: &str,
        cwd: Option<&str>,
        seen: &mut SeenFolders,
    ) -> Result<Vec<PathBuf>, Unseen> {
        let unknown = || "its folder is not known".to_owned();
        let written = self.absolute(written, cwd).ok_or_else(unknown)?;
        let physical = seen.real(&written).ok_or_else(unknown)?;
        let logical = seen.real(&without_dots(&written)).ok_or_else(unknown)?;
        Ok(if physical == logical { vec![physical] } else { vec![physical, logical] })
    }

    fn find_in(
        &self,
        folder: &Path,
        about: &ProjectSubject,
        (disk, seen): (&mut Disk, &mut SeenFolders),
        found: &mut FoundCode,
    ) -> Result<(), Unseen> {
        match about {
            ProjectSubject::Git => git::look(folder, self.home(), (disk, seen), found)?,
            ProjectSubject::OwnProgram(name) => {
                for (file, place) in own_program_files(name) {
                    self.find_all(folder, (&file, place, Content::Any), (disk, seen), found)?;
                }
            }
            ProjectSubject::Files(name) => {
                for file in project_files(name) {
                    self.find_all(folder, (file.name, file.place, file.content), (disk, seen), found)?;
                }
            }
        }
        if found.sources.len() > MAX_SOURCES { Err("there is too much to look at".to_owned()) } else { Ok(()) }
    }

    /// Adds the files of that name and place of which the content counts.
    fn find_all(
        &self,
        folder: &Path,
        (name, place, content): (&str, FileLocation, Content),
        (disk, seen): (&mut Disk, &mut SeenFolders),
        found: &mut FoundCode,
    ) -> Result<(), Unseen> {
        let levels = if place == FileLocation::Here { 1 } else { usize::MAX };
        // Files of the home folder, and those above it, are no project's.
        let is_own = |folder: &&Path| self.home().is_some_and(|home| home.starts_with(folder));
        for folder in folder.ancestors().take(levels).take_while(|folder| !is_own(folder)) {
            for path in named_like(folder, (name, content), (disk, seen))? {
                if is_absent(&path, (disk, seen))? {
                    continue;
                }
                let shown = || text(&path).ok_or_else(|| "a name is no text".to_owned());
                match content {
                    Content::Any | Content::Named(_) if disk.kind(&path)? != Kind::Absent => {
                        found.sources.push(CodeSource { file: shown()?, what: CodeSetting::Presence });
                    }
                    Content::Any | Content::Named(_) => {}
                    Content::Found(find) => read(&path, find, disk, found)?,
                }
            }
        }
        Ok(())
    }
}

/// Adds what `find` finds in the file at `path` and in those that it names, each once for each reader.
fn read(path: &Path, find: Find, disk: &mut Disk, found: &mut FoundCode) -> Result<(), Unseen> {
    let mut waiting = vec![(path.to_owned(), find)];
    let mut seen: Vec<PathBuf> = Vec::new();
    while let Some((path, find)) = waiting.pop() {
        let file = text(&path).ok_or("a name is no text")?;
        let Some(held) = disk.text(&path)? else { continue };
        let known = path.canonicalize().unwrap_or_else(|_| path.clone());
        if seen.contains(&known) {
            continue;
        }
        if seen.len() == MAX_FURTHER {
            return Err("there is too much to look at".to_owned());
        }
        seen.push(known);
        let findings = find(&held).map_err(|error| format!("`{file}` is not understood: {}", error.why))?;
        let names = findings.names.into_iter();
        found.sources.extend(names.map(|name| CodeSource { file: file.clone(), what: CodeSetting::Named(name) }));
        let folder = path.parent().unwrap_or(&path);
        waiting.extend(findings.further.into_iter().map(|further| (folder.join(further.path), further.find)));
    }
    Ok(())
}

/// The paths below `folder` that `name` means, where their names say that they may count.
fn named_like(
    folder: &Path,
    (name, content): (&str, Content),
    (disk, seen): (&mut Disk, &mut SeenFolders),
) -> Result<Vec<PathBuf>, Unseen> {
    // Each with what it is called from the first `*` on.
    let mut found = vec![(folder.to_owned(), String::new())];
    let mut names = components(name).peekable();
    while let Some(wanted) = names.next() {
        let is_last = names.peek().is_none();
        let mut next = Vec::new();
        for (path, varying) in found {
            if !wanted.contains('*') {
                let varying = if varying.is_empty() { varying } else { varying + wanted + end(is_last) };
                next.push((path.join(wanted), varying));
                continue;
            }
            let entries = if is_absent(&path, (disk, seen))? { Vec::new() } else { disk.entries(&path)? };
            for entry in entries {
                let Some(name) = entry.file_name().and_then(std::ffi::OsStr::to_str) else { continue };
                if is_named(wanted, name) {
                    let varying = format!("{varying}{name}{}", end(is_last));
                    next.push((entry, varying));
                }
            }
        }
        if let Content::Named(counts) = content {
            next.retain(|(_, varying)| varying.is_empty() || counts(varying));
        }
        found = next;
    }
    Ok(found.into_iter().map(|(path, _)| path).collect())
}

/// A folder ends with a slash.
fn end(is_last: bool) -> &'static str {
    if is_last { "" } else { "/" }
}

/// Whether nothing is at `path`. It counts as a look, also where the answer is known: a call may name thousands of folders.
fn is_absent(path: &Path, (disk, seen): (&mut Disk, &mut SeenFolders)) -> Result<bool, Unseen> {
    disk.look()?;
    Ok(seen.is_absent(path))
}

/// `path` without `.` and with each `..` taking the component before it away.
fn without_dots(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}
