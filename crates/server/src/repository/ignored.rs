//! What git is told not to look at: gitignore(5).

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::{Lookup, NotTold, Repository, named_file};
use crate::disk::Disk;

/// The patterns of one file.
#[derive(Debug)]
struct Patterns {
    /// The folder that they are about.
    folder: PathBuf,
    patterns: Vec<Pattern>,
}

#[derive(Debug)]
struct Pattern {
    takes_back: bool,
    only_folders: bool,
    /// It is about the name alone, in any folder.
    by_name: bool,
    glob: GlobMatcher,
}

/// What is ignored in a repository, from the top on as far as it was gone into.
#[derive(Debug)]
pub(crate) struct Ignored(Vec<Patterns>);

impl Ignored {
    /// As it stands at the top of `repository`. `excludes`: `core.excludesFile` of the user.
    pub(crate) fn of(repository: &Repository, excludes: Option<&Path>, home: Option<&Path>) -> Lookup<Self> {
        let own = repository.setting("core.excludesfile");
        let own = own.map(|own| named_file(own, &repository.top, home).map_err(|_| NotTold)).transpose()?;
        let mut ignored = Self(Vec::new());
        let files = own.as_deref().or(excludes).into_iter().map(Path::to_owned);
        for file in files.chain([repository.common.join("info/exclude")]) {
            ignored.add(&file, &repository.top)?;
        }
        Ok(ignored)
    }

    /// Goes into `folder`: its own `.gitignore` counts from here on.
    pub(crate) fn enter(&mut self, folder: &Path) -> Lookup<()> {
        self.add(&folder.join(".gitignore"), folder)
    }

    /// Leaves it.
    pub(crate) fn leave(&mut self) {
        self.0.pop();
    }

    fn add(&mut self, file: &Path, folder: &Path) -> Lookup<()> {
        let text = Disk::default().text(file).map_err(|_| NotTold)?.unwrap_or_default();
        let patterns = text.lines().filter_map(|line| pattern(line).transpose()).collect::<Lookup<Vec<Pattern>>>()?;
        self.0.push(Patterns { folder: folder.to_owned(), patterns });
        Ok(())
    }

    /// Whether `path` is ignored, in a folder that is not.
    pub(crate) fn has(&self, path: &Path, is_folder: bool) -> bool {
        let name = path.file_name().map(Path::new).unwrap_or(path);
        for Patterns { folder, patterns } in self.0.iter().rev() {
            let Ok(below) = path.strip_prefix(folder) else { continue };
            let fits = |pattern: &&Pattern| {
                (is_folder || !pattern.only_folders)
                    && pattern.glob.is_match(if pattern.by_name { name } else { below })
            };
            if let Some(pattern) = patterns.iter().rev().find(fits) {
                return !pattern.takes_back;
            }
        }
        false
    }
}

/// One line; `None`: it says nothing.
fn pattern(line: &str) -> Lookup<Option<Pattern>> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    // A blank at the end counts only behind a backslash.
    let bare = line.trim_end_matches(' ');
    let line =
        if bare.ends_with('\\') && bare.len() < line.len() { line.get(..=bare.len()).unwrap_or(line) } else { bare };
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (takes_back, line) = line.strip_prefix('!').map_or((false, line), |line| (true, line));
    let (only_folders, line) = line.strip_suffix('/').map_or((false, line), |line| (true, line));
    let by_name = !line.contains('/');
    let line = line.strip_prefix('/').unwrap_or(line);
    // Braces mean nothing to git.
    let escaped = line.replace('{', "[{]").replace('}', "[}]");
    let glob = GlobBuilder::new(&escaped).literal_separator(true).backslash_escape(true).build();
    let glob = glob.map_err(|_| NotTold)?.compile_matcher();
    Ok(Some(Pattern { takes_back, only_folders, by_name, glob }))
}
