//! What the settings of a repository name in its project: folders of hooks, further settings, programs. They are read more
//! widely than git reads them, since what is found here is only kept as it was.

use std::path::{Path, PathBuf};

use crate::lexical::lexical;

/// Settings that name other settings name no more than this after each other (git(1) itself stops at ten).
const MAX_DEPTH: usize = 10;
/// Larger settings are nobody's.
const MAX_BYTES: u64 = 1 << 20;

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

/// The repository's own folder of a working tree: `.git`, or where a file of that name leads (gitrepository-layout(5)).
pub(crate) fn folder(tree: &Path) -> PathBuf {
    let git = tree.join(".git");
    let led = read(&git).and_then(|text| Some(text.strip_prefix("gitdir:")?.trim().to_owned()));
    led.map_or_else(|| git.clone(), |path| lexical(&tree.join(path)))
}

/// What the settings of the repository in `git` name, relative to its working tree or to themselves.
pub(crate) fn named(tree: &Path, git: &Path, homes: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let common = read(&git.join("commondir")).map_or_else(|| git.to_owned(), |path| lexical(&git.join(path.trim())));
    let mut files = vec![common.join("config"), git.join("config.worktree")];
    files.extend(homes.iter().flat_map(|home| [".gitconfig", ".config/git/config"].map(|file| home.join(file))));
    for _ in 0..MAX_DEPTH {
        let mut further = Vec::new();
        for file in files {
            let text = read(&file).unwrap_or_default();
            let beside = file.parent().unwrap_or(tree);
            for (key, value) in settings(&text) {
                let at = |folder: &Path| lexical(&folder.join(value));
                match key.as_str() {
                    "hookspath" => found.extend(HOOKS.iter().map(|hook| at(tree).join(hook))),
                    // `include.path`, and other paths, which name no settings: these are looked at for nothing.
                    "path" => {
                        further.push(at(beside));
                        found.push(at(beside));
                    }
                    "attributesfile" => found.push(at(tree)),
                    _ => found.extend(programs(tree, value)),
                }
            }
        }
        if further.is_empty() {
            break;
        }
        files = further;
    }
    found
}

/// Every key, in small letters, with its value.
fn settings(text: &str) -> impl Iterator<Item = (String, &str)> {
    text.lines().filter_map(|line| {
        // A setting may stand behind its section.
        let line = line.rsplit_once(']').map_or(line, |(_, rest)| rest);
        let (key, value) = line.split_once('=')?;
        Some((key.trim().to_ascii_lowercase(), value.trim().trim_matches('"')))
    })
}

/// The files of the project among the words of a value: what it runs, and what that reads. A program of the project has a
/// `/` in its name; `main` is a branch.
fn programs(tree: &Path, value: &str) -> Vec<PathBuf> {
    let words = value.split(|letter: char| letter.is_whitespace() || "!\"';&|()\\".contains(letter));
    let paths = words.filter(|word| word.contains('/')).map(|word| lexical(&tree.join(word)));
    paths.filter(|path| path.starts_with(tree) && path.is_file()).collect()
}

fn read(file: &Path) -> Option<String> {
    let is_small = std::fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() <= MAX_BYTES);
    is_small.then(|| std::fs::read(file).ok()).flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_settings_name_is_found() {
        let project = tempfile::tempdir().unwrap();
        let root = project.path().canonicalize().unwrap();
        let put = |file: &str, text: &str| {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put(".git/config", "[core]\n\thooksPath = tools/hooks\n[include]\n\tpath = ../.gitsettings\n[user] name = a\n");
        put(".gitsettings", "[include \"x\"] path = \"more/settings\"\n[filter \"x\"]\n\tclean = ./tools/clean %f\n");
        put("tools/clean", "");
        put("more/settings", "[alias]\n\tst = !sh tools/status.sh --all\n[core]\nattributesFile=attributes\n");
        put("tools/status.sh", "");
        put("a", "");
        let found = named(&root, &folder(&root), &[]);
        for file in
            ["tools/hooks/pre-commit", ".gitsettings", "more/settings", "tools/clean", "tools/status.sh", "attributes"]
        {
            assert!(found.contains(&root.join(file)), "{file}: {found:?}");
        }
        assert!(!found.contains(&root) && !found.contains(&root.join("a")), "{found:?}");
    }

    #[test]
    fn a_file_leads_to_the_repository() {
        let project = tempfile::tempdir().unwrap();
        let root = project.path();
        assert_eq!(folder(root), root.join(".git"));
        std::fs::write(root.join(".git"), "gitdir: ../main/.git/worktrees/topic\n").unwrap();
        assert_eq!(folder(root), root.parent().unwrap().join("main/.git/worktrees/topic"));
    }
}
