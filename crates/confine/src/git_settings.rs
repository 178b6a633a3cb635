//! What the settings of a repository name in its project: folders of hooks, further settings, programs. They are read more
//! widely than git reads them, since what is found here is only kept as it was.

mod syntax;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::lexical::lexical;
use syntax::{Setting, settings};
use words::words;

/// Larger settings are nobody's.
const MAX_BYTES: u64 = 1 << 20;

/// What makes a folder that is none a repository: git(1) takes hooks and settings from the folder that it is started in
/// when this is there, and two folders.
pub(crate) const MARK_OF_REPOSITORIES: &str = "HEAD";

/// The hooks of githooks(5).
const HOOKS: &[&str] = &[
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "pre-rebase",
    "post-checkout",
    "post-merge",
    "pre-push",
    "pre-receive",
    "update",
    "proc-receive",
    "post-receive",
    "post-update",
    "reference-transaction",
    "push-to-checkout",
    "pre-auto-gc",
    "post-rewrite",
    "sendemail-validate",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-prepare-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "post-index-change",
];

/// Settings of the machine: git-config(1), "FILES". Also where Homebrew has them.
const OF_MACHINE: &[&str] = &["/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig"];

/// Settings that only name something to be read, or a branch. A project's own calls may change the file of that name.
const NEVER_RUN: &[(&str, &str)] = &[
    ("blame", "ignorerevsfile"),
    ("commit", "template"),
    ("core", "excludesfile"),
    ("init", "defaultbranch"),
    ("mailmap", "file"),
];

/// What git itself writes in a repository while it works. A setting may have the same word (`alias.undo = reset HEAD^`, or
/// `branch.main.merge = refs/heads/main`).
const STATE: &[&str] = &["COMMIT_EDITMSG", "MERGE_MSG", "index", "logs", "objects", "packed-refs", "refs", "shallow"];

/// The repository's own folder of a working tree: `.git`, or where a file of that name leads (gitrepository-layout(5)).
pub(crate) fn folder(tree: &Path) -> PathBuf {
    let git = tree.join(".git");
    let text = read(&git);
    // setup.c, `read_gitfile_gently`: a blank at the end belongs to the name.
    let named = text.strip_prefix(b"gitdir: ").map(|mut path| {
        while let [rest @ .., b'\n' | b'\r'] = path {
            path = rest;
        }
        path
    });
    let led = named.map(|path| lexical(&tree.join(path_of(path))));
    led.unwrap_or(git)
}

/// Where the repository of a working tree lies, if that is elsewhere and the repository names this tree as its own: the common
/// folder of a linked working tree (git-worktree(1), "DETAILS"), or the folder of a submodule (gitsubmodules(7)). What only a
/// file in the tree says is not believed. `tree` is a real path.
#[cfg(target_os = "linux")]
pub(crate) fn elsewhere(tree: &Path) -> Option<PathBuf> {
    let own = tree.join(".git");
    let git = Some(folder(tree)).filter(|git| *git != own)?.canonicalize().ok()?;
    if let Some(tree_of_it) = led(&git, "gitdir") {
        let (tree_of_it, common) = (tree_of_it.canonicalize().ok()?, led(&git, "commondir")?.canonicalize().ok()?);
        return (tree_of_it == own && git.parent() == Some(&common.join("worktrees"))).then_some(common);
    }
    let settings = settings(&read(&git.join("config")));
    let named = settings.iter().find(|setting| setting.section == "core" && setting.key == "worktree")?;
    let named = git.join(path_of(&named.value)).canonicalize().ok()?;
    let is_submodule = git.ancestors().any(|folder| folder.ends_with(".git/modules"));
    (named == tree && is_submodule).then_some(git)
}

/// Where a file of the repository in `git` leads, whose text is a path. Nowhere when it is not there.
fn led(git: &Path, file: &str) -> Option<PathBuf> {
    let text = read(&git.join(file));
    (!text.is_empty()).then(|| lexical(&git.join(path_of(text.trim_ascii()))))
}

/// What the settings of the repository in `git` name, relative to its working tree or to themselves.
pub(crate) fn named(tree: &Path, git: &Path, homes: &[PathBuf]) -> Vec<PathBuf> {
    let common = led(git, "commondir").unwrap_or_else(|| git.to_owned());
    let (mut found, settings) = all_settings(&common, git, homes);
    let moved = settings.iter().filter(|(_, setting)| setting.key == "worktree");
    let moved = moved.flat_map(|(_, setting)| places(git, &setting.value, homes));
    let trees: Vec<PathBuf> = std::iter::once(tree.to_owned()).chain(moved).collect();
    let bare = Some(tree).filter(|tree| tree.join(MARK_OF_REPOSITORIES).is_file());
    let repositories: Vec<&Path> = [git, &common].into_iter().chain(bare).collect();
    for (file, Setting { section, key, value }) in &settings {
        for tree in &trees {
            match key.as_str() {
                "hookspath" => {
                    let folders = places(tree, value, homes);
                    let hooks = folders.iter().flat_map(|folder| HOOKS.iter().map(|hook| folder.join(hook)));
                    let hooks: Vec<PathBuf> = hooks.collect();
                    found.extend(hooks.iter().filter(|hook| hook.is_symlink()).map(|hook| real(hook)));
                    found.extend(hooks);
                }
                "attributesfile" => found.extend(places(tree, value, homes)),
                _ if NEVER_RUN.contains(&(section, key)) => {}
                _ => found.extend(programs(tree, value, homes).filter(|path| !is_state(path, &repositories))),
            }
        }
        if key == "path" {
            found.extend(included(file, value, homes).filter(|path| !path.is_dir()));
        }
    }
    found
}

/// The files of the person, which may be links into the project; and the settings of the repository, the person and the
/// machine, with the files that they stand in.
fn all_settings(common: &Path, git: &Path, homes: &[PathBuf]) -> (Vec<PathBuf>, Vec<(PathBuf, Setting)>) {
    let of_person = homes.iter().flat_map(|home| [".gitconfig", ".config/git/config"].map(|file| home.join(file)));
    let moved = std::env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty());
    let moved = moved.map(|folder| Path::new(&folder).join("git/config"));
    let of_person: Vec<PathBuf> = of_person.chain(moved).collect();
    let mut waiting = vec![common.join("config"), git.join("config.worktree")];
    waiting.extend(of_person.iter().cloned().chain(OF_MACHINE.iter().map(PathBuf::from)));
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    while let Some(file) = waiting.pop() {
        if seen.insert(file.clone()) {
            for setting in settings(&read(&file)) {
                // `include.path`, and other paths, which name no settings: these are looked at for nothing.
                if setting.key == "path" {
                    waiting.extend(included(&file, &setting.value, homes));
                }
                all.push((file.clone(), setting));
            }
        }
    }
    (of_person.iter().map(|file| real(file)).collect(), all)
}

/// Where the settings are that a value of the settings in `file` names.
fn included(file: &Path, value: &[u8], homes: &[PathBuf]) -> impl Iterator<Item = PathBuf> {
    places(file.parent().unwrap_or(file), value, homes).into_iter()
}

/// Where a path of the settings can lead: git-config(1), "Values", "pathname". Nowhere when it is empty.
fn places(folder: &Path, value: &[u8], homes: &[PathBuf]) -> Vec<PathBuf> {
    let value = value.strip_prefix(b":(optional)").unwrap_or(value);
    if value.is_empty() {
        return Vec::new();
    }
    let mut found = in_homes(value, homes);
    found.push(folder.join(path_of(value)));
    // Links on the way lead elsewhere than the names say.
    found.iter().flat_map(|path| [lexical(path), real(path)]).collect()
}

/// Where a path leads that starts with `~/` or `~user/`. Homes mostly lie beside each other, and that of the user who asks
/// may have another name.
fn in_homes(value: &[u8], homes: &[PathBuf]) -> Vec<PathBuf> {
    let Some(value) = value.strip_prefix(b"~") else { return Vec::new() };
    let (user, rest) = split_at_slash(value);
    let beside = homes.iter().filter_map(|home| home.parent()).map(|around| around.join(path_of(user)));
    let beside = beside.filter(|_| !user.is_empty());
    homes.iter().cloned().chain(beside).map(|home| home.join(path_of(rest))).collect()
}

/// What stands before the first slash, and behind it and those that follow it.
fn split_at_slash(value: &[u8]) -> (&[u8], &[u8]) {
    let at = value.iter().position(|byte| *byte == b'/').unwrap_or(value.len());
    let (start, mut rest) = value.split_at_checked(at).unwrap_or((value, &[]));
    while let Some(behind) = rest.strip_prefix(b"/") {
        rest = behind;
    }
    (start, rest)
}

/// With the links resolved, as far as it is there.
fn real(path: &Path) -> PathBuf {
    let above = path.ancestors().filter(|above| !above.as_os_str().is_empty());
    let mut real = above.filter_map(|above| Some((above.canonicalize().ok()?, path.strip_prefix(above).ok()?)));
    real.next().map_or_else(|| lexical(path), |(above, rest)| lexical(&above.join(rest)))
}

/// The files among the words of a value: what it runs, and what that reads. A bare word may be a branch: then a file of that
/// name is kept for nothing.
fn programs(tree: &Path, value: &[u8], homes: &[PathBuf]) -> impl Iterator<Item = PathBuf> {
    let found = words(value).into_iter().flat_map(move |word| {
        let mut paths = in_homes(&word, homes);
        paths.push(tree.join(path_of(&word)));
        // `$HOME/x`, `$(git rev-parse --show-toplevel)/x`: only a shell knows what that is.
        let (start, rest) = split_at_slash(&word);
        if start.is_empty() || start.starts_with(b"$") {
            paths.extend(homes.iter().map(PathBuf::as_path).chain([tree]).map(|folder| folder.join(path_of(rest))));
        }
        paths
    });
    found.filter(|path| path.is_file()).flat_map(|path| [lexical(&path), real(&path)])
}

/// Whether a file of a repository is one that git itself writes.
fn is_state(path: &Path, repositories: &[&Path]) -> bool {
    repositories.iter().filter_map(|repository| path.strip_prefix(repository).ok()).any(|below| {
        let first = below.iter().next().and_then(OsStr::to_str);
        first.is_some_and(|first| first.ends_with("HEAD") || STATE.contains(&first))
    })
}

fn path_of(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

/// Nothing when it is none, or too large.
fn read(file: &Path) -> Vec<u8> {
    let is_small = std::fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() <= MAX_BYTES);
    is_small.then(|| std::fs::read(file).ok()).flatten().unwrap_or_default()
}
