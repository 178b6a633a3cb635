//! Settings of git in a file and those that it includes.

use std::path::{Path, PathBuf};

use handraise_policy::project_code::{GitSetting, read_git_config};

use crate::disk::{Disk, Unseen};

/// Includes of includes: git's own limit (config.c, `MAX_INCLUDE_DEPTH`).
const MAX_INCLUDE: usize = 10;

/// Adds the settings of `file` and of what it includes, whatever the condition, each with its file.
pub(crate) fn included_settings(
    file: &Path,
    home: Option<&Path>,
    disk: &mut Disk,
    settings: &mut Vec<(PathBuf, GitSetting)>,
) -> Result<(), Unseen> {
    read(file, home, 0, disk, settings)
}

fn read(
    file: &Path,
    home: Option<&Path>,
    depth: usize,
    disk: &mut Disk,
    settings: &mut Vec<(PathBuf, GitSetting)>,
) -> Result<(), Unseen> {
    if depth > MAX_INCLUDE {
        return Err(format!("`{}` is included too deep", file.display()));
    }
    let Some(text) = disk.text(file)? else { return Ok(()) };
    let found = read_git_config(&text).map_err(|error| format!("`{}` is not understood: {error}", file.display()))?;
    for setting in found {
        if let Some(included) = setting.included() {
            for path in named_files(included, file.parent().unwrap_or(file), home)? {
                read(&path, home, depth + 1, disk, settings)?;
            }
        }
        settings.push((file.to_owned(), setting));
    }
    Ok(())
}

/// The files that a path in a setting of a file in `folder` may mean. To a git older than 2.52, `:(optional)` is a part of the
/// name.
pub(crate) fn named_files(path: &str, folder: &Path, home: Option<&Path>) -> Result<Vec<PathBuf>, Unseen> {
    let optional = path.strip_prefix(":(optional)");
    optional.into_iter().chain([path]).map(|path| named_file(path, folder, home)).collect()
}

/// A path in a setting of a file in `folder`: git-config(1), "Values", pathname.
pub(crate) fn named_file(path: &str, folder: &Path, home: Option<&Path>) -> Result<PathBuf, Unseen> {
    if let Some(rest) = path.strip_prefix("~/") {
        return home.map(|home| home.join(rest)).ok_or_else(|| "the home folder is not known".to_owned());
    }
    if path.starts_with('~') || path.starts_with("%(") {
        return Err(format!("a setting of git names `{path}`, which is not known"));
    }
    Ok(folder.join(path))
}
