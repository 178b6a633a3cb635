//! A repository that was found.

use std::path::{Path, PathBuf};

use handraise_policy::project_code::GitSetting;

use super::included_settings;
use super::lookup::{Lookup, NotTold, Until};
use super::objects::Objects;
use crate::disk::{Disk, Kind};

/// Folders above the working folder that are looked into.
const MAX_FOLDERS: usize = 64;
/// Longest of git's own small files, in bytes.
const MAX_LINK: u64 = 8 * 1024;

/// A repository with working files.
#[derive(Debug)]
pub(crate) struct Repository {
    /// The folder of its working files.
    pub(crate) top: PathBuf,
    /// Its own folder, `.git` as a rule.
    pub(super) git: PathBuf,
    /// The folder that its worktrees share.
    pub(super) common: PathBuf,
    /// Its settings, those of the user not among them.
    pub(crate) settings: Vec<GitSetting>,
    pub(super) objects: Objects,
    pub(super) until: Until,
}

impl Repository {
    /// The repository that `folder`, which has no links in it, lies in. `None`: it lies in none that is understood.
    pub(crate) fn of(folder: &Path, home: Option<&Path>, until: Until) -> Option<Self> {
        let mut disk = Disk::default();
        let (top, git) = folder.ancestors().take(MAX_FOLDERS).find_map(|top| {
            let dot_git = top.join(".git");
            match disk.kind(&dot_git).ok()? {
                Kind::Folder => Some((top.to_owned(), dot_git)),
                Kind::File => Some((top.to_owned(), link(&dot_git, "gitdir: ", &mut disk)?)),
                Kind::Absent | Kind::Other => None,
            }
        })?;
        let common = link(&git.join("commondir"), "", &mut disk).unwrap_or_else(|| git.clone());
        let mut settings = Vec::new();
        for file in [common.join("config"), git.join("config.worktree")] {
            included_settings(&file, home, &mut disk, &mut settings).ok()?;
        }
        let settings: Vec<GitSetting> = settings.into_iter().map(|(_, setting)| setting).collect();
        let is = |name: &str| settings.iter().rfind(|setting| setting.name() == name);
        // Its files lie elsewhere, or are kept in a way that is not known here.
        let is_known = |setting: &GitSetting| match setting.name().as_str() {
            "extensions.objectformat" => matches!(setting.value.as_deref(), Some("sha1" | "sha256")),
            "extensions.refstorage" => setting.value.as_deref() == Some("files"),
            "core.worktree" | "extensions.partialclone" | "core.bare" => {
                setting.name() == "core.bare" && setting.value.as_deref() == Some("false")
            }
            _ => true,
        };
        if !settings.iter().all(is_known) {
            return None;
        }
        let is_long = is("extensions.objectformat").is_some_and(|setting| setting.value.as_deref() == Some("sha256"));
        let objects = Objects::new(common.join("objects"), if is_long { 32 } else { 20 }, until);
        Some(Self { top, git, common, settings, objects, until })
    }

    /// The value of the last setting called `name`, as `push.default`.
    pub(crate) fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().rev().find(|setting| setting.name() == name)?.value.as_deref()
    }

    /// The messages of its stashes, the latest first: gitrepository-layout(5), "logs"; git-stash(1).
    pub(crate) fn stashes(&self) -> Lookup<Vec<String>> {
        let log = Disk::default().text(&self.common.join("logs/refs/stash")).map_err(|_| NotTold)?;
        let lines = log.unwrap_or_default();
        let message = |line: &str| line.split_once('\t').map(|(_, message)| message.to_owned());
        Ok(lines.lines().rev().filter_map(message).collect())
    }
}

/// The folder that the file `path` names behind `key`.
fn link(path: &Path, key: &str, disk: &mut Disk) -> Option<PathBuf> {
    let text = String::from_utf8(disk.read(path, MAX_LINK).ok()??).ok()?;
    let named = text.strip_prefix(key)?.trim_end_matches(['\n', '\r']);
    (!named.is_empty()).then(|| path.parent().unwrap_or(path).join(named))
}
