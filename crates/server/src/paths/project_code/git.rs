//! The repository that git finds from a folder, and what in it runs programs.
//!
//! Source: git(1), `GIT_DIR`; gitrepository-layout(5); git-config(1), "FILES", "Includes"; git-worktree(1),
//! "CONFIGURATION FILE"; gitsubmodules(7). Where this looks at more than git does (a condition of an include,
//! ownership, borders of file systems), it finds too much, never too little.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use handraise_policy::project_code::{CodeSetting, CodeSource, FoundCode, GitSetting};

use super::super::{SeenFolders, text};
use super::is_absent;
use super::links;
use crate::disk::{Disk, Kind, Unseen};
use crate::repository::{included_settings, index, named_files};

/// Submodules of submodules.
const MAX_SUBMODULE: usize = 4;
/// Folders below `modules` on the way to a submodule whose name has slashes in it.
const MAX_MODULE: usize = 8;
/// How a file `.git` begins that names a repository: gitrepository-layout(5).
const GIT_FILE: &str = "gitdir: ";
/// Longest name of a folder in `.git` files.
const MAX_LINK: u64 = 8 * 1024;

/// Adds what in the repository that git finds from `folder` runs programs.
pub(super) fn look(
    folder: &Path,
    home: Option<&Path>,
    (disk, seen): (&mut Disk, &mut SeenFolders),
    found: &mut FoundCode,
) -> Result<(), Unseen> {
    let mut look = Look { home, disk, found, seen: BTreeSet::new() };
    for place in folder.ancestors() {
        if is_absent(&place.join(".git"), (look.disk, seen))? && is_absent(&place.join("HEAD"), (look.disk, seen))? {
            continue;
        }
        if look.place(place)? {
            return Ok(());
        }
    }
    Ok(())
}

struct Look<'a> {
    home: Option<&'a Path>,
    disk: &'a mut Disk,
    found: &'a mut FoundCode,
    /// Repositories that were looked at, each with the folder of its files: relative settings count from there.
    seen: BTreeSet<(PathBuf, Option<PathBuf>)>,
}

/// Whether a folder is a repository.
enum Repository {
    No,
    Yes,
    /// All of it is there, but git may find it broken, and go on.
    Perhaps,
}

impl Look<'_> {
    /// Looks at the repository at `place`, if there is one. Whether git surely goes no further up.
    fn place(&mut self, place: &Path) -> Result<bool, Unseen> {
        let dot_git = place.join(".git");
        match self.disk.kind(&dot_git)? {
            Kind::Absent => {}
            Kind::Other => return Err(format!("`{}` cannot be looked at", dot_git.display())),
            Kind::File => {
                let linked = self.link(&dot_git, GIT_FILE)?;
                let folder = linked.ok_or_else(|| format!("`{}` names no repository", dot_git.display()))?;
                self.own(place);
                self.repository(&folder, Some(place), 0)?;
                return Ok(true);
            }
            Kind::Folder => {
                let kind = self.kind(&dot_git)?;
                if !matches!(kind, Repository::No) {
                    self.own(place);
                    self.repository(&dot_git, Some(place), 0)?;
                }
                if matches!(kind, Repository::Yes) {
                    return Ok(true);
                }
            }
        }
        let kind = self.kind(place)?;
        if !matches!(kind, Repository::No) {
            self.own(place);
            self.repository(place, None, 0)?;
        }
        Ok(matches!(kind, Repository::Yes))
    }

    /// The repository that the call is in: the first one that was found.
    fn own(&mut self, place: &Path) {
        if self.found.repository.is_none() {
            self.found.repository = text(place);
        }
    }

    /// setup.c, `is_git_directory`: `HEAD`, `objects` and `refs`, the latter two perhaps in a common folder.
    fn kind(&mut self, folder: &Path) -> Result<Repository, Unseen> {
        let head = folder.join("HEAD");
        let is_link = head.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        if !is_link && self.disk.kind(&head)? == Kind::Absent {
            return Ok(Repository::No);
        }
        let common = self.common(folder)?;
        for name in ["objects", "refs"] {
            if self.disk.kind(&common.join(name))? == Kind::Absent {
                return Ok(Repository::No);
            }
        }
        let text = self.disk.read(&head, MAX_LINK).ok().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let is_hash = |text: &str| text.len() >= 40 && text.bytes().take(40).all(|byte| byte.is_ascii_hexdigit());
        let names_ref = text.strip_prefix("ref:").is_some_and(|name| name.trim_start().starts_with("refs/"));
        Ok(if names_ref || is_hash(&text) { Repository::Yes } else { Repository::Perhaps })
    }

    /// The folder that linked worktrees share: gitrepository-layout(5), "commondir".
    fn common(&mut self, folder: &Path) -> Result<PathBuf, Unseen> {
        Ok(self.link(&folder.join("commondir"), "")?.unwrap_or_else(|| folder.to_owned()))
    }

    /// The folder that the file `path` names behind `key`.
    fn link(&mut self, path: &Path, key: &str) -> Result<Option<PathBuf>, Unseen> {
        let Some(held) = self.disk.read(path, MAX_LINK)? else { return Ok(None) };
        let text = String::from_utf8(held).map_err(|_| format!("`{}` is no text", path.display()))?;
        // setup.c, `read_gitfile_gently`, `get_common_dir_noenv`: a blank belongs to the name.
        let named = text.strip_prefix(key).map(|rest| rest.trim_end_matches(['\n', '\r']));
        let folder = path.parent().unwrap_or(path);
        Ok(named.filter(|named| !named.is_empty()).map(|named| folder.join(named)))
    }

    /// Looks at the repository in `folder`, with its files at `place`.
    fn repository(&mut self, folder: &Path, place: Option<&Path>, depth: usize) -> Result<(), Unseen> {
        if depth > MAX_SUBMODULE {
            return Err("there are too many submodules in each other".to_owned());
        }
        let known = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        if !self.seen.insert((known, place.map(Path::to_owned))) {
            return Ok(());
        }
        let common = self.common(folder)?;
        links::check(folder, self.disk)?;
        if common != folder {
            links::check(&common, self.disk)?;
        }
        let mut settings = Vec::new();
        for file in [common.join("config"), folder.join("config.worktree"), common.join("config.worktree")] {
            self.settings(&file, &mut settings)?;
        }
        self.hooks(&settings, folder, &common, place)?;
        // git-config(1), `core.worktree`: the files, and the submodules among them, lie there.
        let is_moved = |setting: &&GitSetting| setting.name() == "core.worktree";
        let moved: Vec<PathBuf> = settings
            .iter()
            .map(|(_, setting)| setting)
            .filter(is_moved)
            .filter_map(|setting| setting.value.as_deref())
            .map(|value| folder.join(value))
            .collect();
        self.old_remotes(&common, &mut settings)?;
        let running = settings.into_iter().filter(|(_, setting)| setting.may_run());
        for (file, setting) in running {
            let file = text(&file).ok_or("a name is no text")?;
            self.found.sources.push(CodeSource { file, what: CodeSetting::Git(setting) });
        }
        self.modules(&common.join("modules"), 0, depth)?;
        for place in place.map(Path::to_owned).into_iter().chain(moved.iter().cloned()) {
            self.submodules(folder, &place, depth)?;
        }
        self.moved(&common.join("config"), &moved)
    }

    /// Files that `core.worktree` says to lie outside of the repository that was found: git shows what they hold.
    fn moved(&mut self, config: &Path, moved: &[PathBuf]) -> Result<(), Unseen> {
        let own = self.found.repository.clone().map(PathBuf::from);
        let canonical = |path: &Path| soft_canonicalize::soft_canonicalize(path).ok();
        let own = own.as_deref().and_then(canonical);
        let is_inside =
            |path: &PathBuf| own.as_ref().zip(canonical(path)).is_some_and(|(own, path)| path.starts_with(own));
        if !moved.iter().all(is_inside) {
            let file = text(config).ok_or("a name is no text")?;
            self.found.sources.push(CodeSource { file, what: CodeSetting::Named("core.worktree".to_owned()) });
        }
        Ok(())
    }

    /// Remotes as older versions of git wrote them: git-fetch(1), "Named file in $GIT_DIR/remotes", "… branches".
    fn old_remotes(&mut self, common: &Path, settings: &mut Vec<(PathBuf, GitSetting)>) -> Result<(), Unseen> {
        for folder in ["remotes", "branches"] {
            for file in self.disk.entries(&common.join(folder))? {
                if self.disk.kind(&file)? == Kind::Folder {
                    return Err(format!("`{}` is a folder", file.display()));
                }
                let held = self.disk.text(&file)?.unwrap_or_default();
                let name = file.file_name().and_then(std::ffi::OsStr::to_str).ok_or("a name is no text")?;
                for line in held.lines() {
                    let address = line.trim().strip_prefix("URL:").unwrap_or(line).trim();
                    let (section, key) = ("remote".to_owned(), "url".to_owned());
                    let (subsection, value) = (Some(name.to_owned()), Some(address.to_owned()));
                    settings.push((file.clone(), GitSetting { section, subsection, key, value }));
                }
            }
        }
        Ok(())
    }

    /// The settings of `file` and of what it includes.
    fn settings(&mut self, file: &Path, settings: &mut Vec<(PathBuf, GitSetting)>) -> Result<(), Unseen> {
        included_settings(file, self.home, self.disk, settings)
    }

    fn hooks(
        &mut self,
        settings: &[(PathBuf, GitSetting)],
        folder: &Path,
        common: &Path,
        place: Option<&Path>,
    ) -> Result<(), Unseen> {
        let mut folders = vec![common.join("hooks")];
        let moved = settings.iter().any(|(_, setting)| setting.name() == "core.worktree");
        for path in settings.iter().filter_map(|(_, setting)| setting.hooks_path()) {
            // git-config(1), `core.hooksPath`: relative to the folder in which hooks run.
            let base = place.unwrap_or(folder);
            let hooks = named_files(path, base, self.home)?;
            if moved && !Path::new(path).is_absolute() && !path.starts_with('~') {
                return Err("a repository's files and hooks lie elsewhere".to_owned());
            }
            folders.extend(hooks);
        }
        for entry in folders.iter().map(|folder| self.disk.entries(folder)).collect::<Result<Vec<_>, _>>()?.concat() {
            let Some(name) = entry.file_name().and_then(std::ffi::OsStr::to_str) else { continue };
            let what = CodeSetting::Hook(name.to_owned());
            if what.is_hook_that_runs() && self.disk.kind(&entry)? != Kind::Folder {
                let file = text(&entry).ok_or("a name is no text")?;
                self.found.sources.push(CodeSource { file, what });
            }
        }
        Ok(())
    }

    /// Repositories of submodules that lie within the one above them.
    fn modules(&mut self, folder: &Path, level: usize, depth: usize) -> Result<(), Unseen> {
        if level > MAX_MODULE {
            return Err("there are too many submodules in each other".to_owned());
        }
        for entry in self.disk.entries(folder)? {
            if self.disk.kind(&entry)? != Kind::Folder {
                continue;
            }
            if matches!(self.kind(&entry)?, Repository::No) {
                self.modules(&entry, level + 1, depth)?;
            } else {
                self.repository(&entry, None, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Submodules with a repository of their own: those that `.git/index` names as such.
    fn submodules(&mut self, folder: &Path, place: &Path, depth: usize) -> Result<(), Unseen> {
        let file = folder.join("index");
        let Some(held) = self.disk.read(&file, index::MAX_SIZE)? else { return Ok(()) };
        let names = index::submodules(&held).ok_or_else(|| format!("`{}` is not understood", file.display()))?;
        for name in names {
            let below = place.join(name);
            let dot_git = below.join(".git");
            match self.disk.kind(&dot_git)? {
                Kind::Absent => {}
                Kind::Folder => self.repository(&dot_git, Some(&below), depth + 1)?,
                Kind::File => {
                    if let Some(linked) = self.link(&dot_git, GIT_FILE)? {
                        self.repository(&linked, Some(&below), depth + 1)?;
                    }
                }
                Kind::Other => return Err(format!("`{}` cannot be looked at", dot_git.display())),
            }
        }
        Ok(())
    }
}
