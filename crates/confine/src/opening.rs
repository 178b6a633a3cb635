//! What would let a command write where its walls have denied it. Whoever decides about calls puts it before a person.
//!
//! It is offered only where nothing runs later of what is written there, and nothing of it is anybody's secret.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::narrow::check_narrow;
use crate::{CACHES, places, protected};

/// What would let a command write at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// The cache of this name, which is not writable by itself.
    Cache(String),
    /// This folder, by its real path. It is there.
    Folder(PathBuf),
}

/// Folders of programs and of the system beside those that are readable inside walls: what lies there is run by others.
const SYSTEM: &[&str] = &["/var", "/run", "/dev", "/boot", "/root", "/tmp", "/sbin", "/lost+found"];
/// Temporary files that stay: nothing runs of them.
const SCRATCH: &str = "/var/tmp";
/// The hidden folders of a home in whose folders tools keep data; in the others they keep settings.
const DATA: &[&str] = &[".cache", ".local/share"];

impl Opening {
    /// What would let a command write at `denied`, an absolute path; `None` when nothing should. `also_home` counts as a
    /// home folder beside that of the user database.
    #[must_use]
    pub fn of(denied: &Path, also_home: Option<&Path>) -> Option<Self> {
        let homes: Vec<PathBuf> = handraise_locations::home()
            .ok()
            .into_iter()
            .chain(also_home.map(Path::to_path_buf))
            .map(|home| home.canonicalize().unwrap_or(home))
            .collect();
        let (folder, rest) = existing_folder(denied)?;
        let real = folder.join(rest);
        let in_cache = |place: &&str| homes.iter().any(|home| real.starts_with(home.join(place)));
        if let Some(cache) = CACHES.iter().find(|cache| cache.places.iter().any(in_cache)) {
            return Some(Self::Cache(cache.name.to_owned()));
        }
        is_ordinary(&folder, &homes).then_some(Self::Folder(folder))
    }
}

/// The real path of the nearest folder above `denied` that is there, and the rest of the path.
fn existing_folder(denied: &Path) -> Option<(PathBuf, PathBuf)> {
    let is_plain = |part: std::path::Component<'_>| {
        matches!(part, std::path::Component::RootDir | std::path::Component::Normal(_))
    };
    if !denied.is_absolute() || !denied.components().all(is_plain) {
        return None;
    }
    let folders = denied.ancestors().skip(1);
    let found =
        folders.filter_map(|folder| Some((folder, folder.canonicalize().ok()?))).find(|(_, real)| real.is_dir());
    let (folder, real) = found?;
    Some((real, denied.strip_prefix(folder).ok()?.to_owned()))
}

/// Whether nothing runs of what is written to `folder`, and it holds no secret.
fn is_ordinary(folder: &Path, homes: &[PathBuf]) -> bool {
    let mut secrets = places::secrets(homes);
    let real: Vec<PathBuf> = secrets.iter().filter_map(|path| path.canonicalize().ok()).collect();
    secrets.extend(real);
    if check_narrow(folder, homes, &secrets).is_err() {
        return false;
    }
    let overlaps = |place: &Path| folder.starts_with(place) || place.starts_with(folder);
    let is_system = places::SYSTEM.iter().chain(SYSTEM).any(|place| folder.starts_with(place));
    let is_scratch = folder.starts_with(SCRATCH) && folder != Path::new(SCRATCH);
    let has_programs = homes.iter().any(|home| places::TOOLS.iter().any(|tool| overlaps(&home.join(tool))));
    let is_setting = homes.iter().any(|home| is_hidden_setting(folder, home));
    // Another repository, and whatever has hooks or settings of agents, decides what runs there later.
    let is_project =
        |folder: &Path| protected::PROTECTED.iter().chain([&".git"]).any(|name| folder.join(name).exists());
    let above = folder.ancestors().take_while(|folder| !homes.iter().any(|home| home == folder));
    (!is_system || is_scratch) && !has_programs && !is_setting && !above.into_iter().any(is_project)
}

/// Whether it is a hidden folder of the home, or lies in one, that is not known for data.
fn is_hidden_setting(folder: &Path, home: &Path) -> bool {
    let Ok(below) = folder.strip_prefix(home) else { return false };
    let is_hidden = below.components().next().is_none_or(|first| first.as_os_str().to_string_lossy().starts_with('.'));
    let is_data = DATA.iter().any(|data| below.starts_with(data) && below != Path::new(data));
    is_hidden && !is_data
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir_in("/var/tmp").unwrap();
        let home = root.path().canonicalize().unwrap().join("ana");
        for folder in [
            "out/deep",
            ".cache/tool",
            ".cache/pip/http",
            ".local/share/tool",
            ".local/share/opencode",
            ".local/bin",
            ".config/tool",
            ".ssh",
            ".tool",
            "other/.git/hooks",
            "other/src",
            "agentic/.claude",
            "bin",
        ] {
            std::fs::create_dir_all(home.join(folder)).unwrap();
        }
        std::os::unix::fs::symlink(home.join(".ssh"), home.join("out/keys")).unwrap();
        std::os::unix::fs::symlink(home.join(".cache/pip"), home.join("out/pip")).unwrap();
        (root, home)
    }

    #[test]
    fn folders_of_data_and_caches_can_be_opened() {
        let (_root, home) = home();
        let opening = |path: &str| Opening::of(&home.join(path), Some(&home));
        let folder = |path: &str| Some(Opening::Folder(home.join(path)));
        assert_eq!(opening("out/x.txt"), folder("out"));
        assert_eq!(opening("out/deep/new/er/x"), folder("out/deep"));
        assert_eq!(opening(".cache/tool/x"), folder(".cache/tool"));
        assert_eq!(opening(".local/share/tool/x"), folder(".local/share/tool"));
        for path in [".cache/pip/http/x", ".cache/pip", "out/pip/x"] {
            assert_eq!(opening(path), Some(Opening::Cache("pip".to_owned())), "{path}");
        }
    }

    #[test]
    fn nothing_that_is_secret_or_acts_later_can_be_opened() {
        let (_root, home) = home();
        for path in [
            "x",
            ".bashrc",
            ".ssh/config",
            "out/keys/config",
            ".config/x",
            ".config/tool/x",
            ".config/systemd/user/x.service",
            ".cache/new",
            ".local/share/opencode/auth.json",
            ".local/share/new",
            ".local/bin/x",
            ".tool/x",
            "bin/x",
            "other/x",
            "other/.git/hooks/x",
            "other/src/x",
            "agentic/x",
            "out/../.ssh/x",
        ] {
            assert_eq!(Opening::of(&home.join(path), Some(&home)), None, "{path}");
        }
        for path in
            ["/x", "/etc/x", "/usr/local/x/y", "/var/lib/x", "/var/tmp/x", "/tmp/x/y", "/dev/shm/x", "/opt/x/y", "x"]
        {
            assert_eq!(Opening::of(Path::new(path), Some(&home)), None, "{path}");
        }
    }
}
