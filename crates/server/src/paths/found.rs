//! Files with credentials that a pattern finds.

use std::path::{Path, PathBuf};

use handraise_shell::path::{NamePattern, components};

use super::credentials::{CredentialSearch, Found};
use super::secret_content::is_found_secret;

/// Most names that are told.
const MAX_NAMES: usize = 64;

/// What a pattern finds beside the files with names that do not begin with a dot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Finds {
    /// Names that begin with a dot.
    pub(super) hidden: bool,
    /// What lies in a folder to which a link leads.
    pub(super) folders: bool,
}

/// A folder that the first components of a pattern find.
struct Reached {
    path: PathBuf,
    /// A link was on the way.
    is_linked: bool,
}

/// What the next component of a pattern finds.
#[derive(Default)]
struct Next {
    folders: Vec<Reached>,
    /// A file with credentials.
    file: Option<PathBuf>,
    /// Folders to which links lead.
    linked: Vec<PathBuf>,
}

impl CredentialSearch<'_> {
    /// A file with credentials that `pattern` finds from `folder` on, where there is any. A shell follows links in it; below `**` it does not (bash manual, "globstar").
    pub(super) fn found(&mut self, folder: &Path, pattern: &str, finds: Finds) -> Found {
        let mut found = Found::default();
        let is_linked = folder.canonicalize().is_ok_and(|real| real != folder);
        let mut reached = vec![Reached { path: folder.to_owned(), is_linked }];
        // The last `**` finds files, too.
        let last = pattern.ends_with("**").then_some("*");
        let mut names = components(pattern).chain(last).peekable();
        while let Some(name) = names.next() {
            let is_last = names.peek().is_none();
            let Some(next) = self.step(&reached, name, is_last, finds.hidden) else {
                found.is_cut = true;
                return found;
            };
            if let Some(file) = next.file {
                self.tell(&file, folder, &mut found);
                return found;
            }
            let linked = next.linked.iter().filter(|_| finds.folders);
            for folder in linked.filter_map(|folder| folder.canonicalize().ok()) {
                let held = self.held_with_links(&folder, true);
                found.is_cut |= held.is_cut;
                found.holds.extend(held.holds);
            }
            reached = next.folders;
        }
        found
    }

    /// The names that `pattern`, of one component, finds in `folder`, as far as they are looked at.
    pub(super) fn names_found(&mut self, folder: &Path, pattern: &str) -> Vec<String> {
        let pattern = NamePattern::new(pattern);
        let names = self.names_in(folder).unwrap_or_default().into_iter();
        let names = names.filter_map(|(path, _)| path.file_name()?.to_str().map(str::to_owned));
        names.filter(|name| pattern.may_find(name)).take(MAX_NAMES).collect()
    }

    /// What the component `name` finds in the folders that were `reached`. `None`: there is too much to look at.
    fn step(&mut self, reached: &[Reached], name: &str, is_last: bool, hidden: bool) -> Option<Next> {
        let mut next = Next::default();
        let pattern = NamePattern::new(name);
        let finds = |path: &Path| {
            let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            if hidden { pattern.may_match(&name) } else { pattern.may_find(&name) }
        };
        for folder in reached {
            if name == "**" {
                self.below(folder, hidden, &mut next.folders)?;
                continue;
            }
            let entries = if name.contains(['*', '?', '[']) {
                let names = self.names_in(&folder.path)?;
                names.into_iter().filter(|(path, _)| finds(path)).collect()
            } else {
                let path = folder.path.join(name);
                self.names = self.names.checked_sub(1)?;
                path.symlink_metadata().map(|found| vec![(path, found.file_type())]).unwrap_or_default()
            };
            for (path, kind) in entries {
                let is_linked = folder.is_linked || kind.is_symlink();
                let is_folder = kind.is_dir() || kind.is_symlink() && path.is_dir();
                if !is_last && is_folder {
                    next.folders.push(Reached { path, is_linked });
                } else if is_folder && is_linked {
                    next.linked.push(path);
                } else if is_last
                    && !is_folder
                    && (self.is_one(&path, is_linked) || is_found_secret(&path, self.disk))
                    && path.is_file()
                {
                    next.file = Some(path);
                    return Some(next);
                }
            }
        }
        Some(next)
    }

    /// Adds `folder` and those below it to `found`; a folder that a link leads to, but nothing below that.
    fn below(&mut self, folder: &Reached, hidden: bool, found: &mut Vec<Reached>) -> Option<()> {
        let mut waiting = vec![folder.path.clone()];
        found.push(Reached { path: folder.path.clone(), is_linked: folder.is_linked });
        while let Some(next) = waiting.pop() {
            for (path, kind) in self.names_in(&next)? {
                let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
                if is_hidden && !hidden {
                    continue;
                }
                let is_linked = folder.is_linked || kind.is_symlink();
                if kind.is_dir() {
                    waiting.push(path.clone());
                    found.push(Reached { path, is_linked });
                } else if kind.is_symlink() && path.is_dir() {
                    found.push(Reached { path, is_linked });
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::super::credentials::CredentialSearch;
    use super::*;
    use crate::disk::Disk;

    /// A clone with links to a key outside of it.
    fn project() -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().canonicalize().unwrap();
        for folder in [".ssh", "app/lib/a", "app/lib/deep/er", "app/node_modules/x", "app/dist", "app/src"] {
            std::fs::create_dir_all(path.join(folder)).unwrap();
        }
        for file in [".ssh/id_rsa", "app/src/main.rs", "app/README.txt", "app/lib/a/notes.txt"] {
            std::fs::write(path.join(file), "x").unwrap();
        }
        let key = path.join(".ssh/id_rsa");
        for link in ["app/lib/a/l.txt", "app/lib/deep/er/k.txt", "app/node_modules/x/k.txt", "app/dist/k.txt"] {
            symlink(&key, path.join(link)).unwrap();
        }
        symlink(path.join(".ssh"), path.join("app/keys")).unwrap();
        (root, path.join("app"))
    }

    #[test]
    fn a_pattern_finds_what_a_shell_would() {
        let (_root, app) = project();
        let found = |folder: &str, pattern: &str| {
            let mut disk = Disk::default();
            let found = CredentialSearch::new(None, &mut disk).found(&app.join(folder), pattern, Finds::default());
            assert!(!found.is_cut, "{pattern}");
            !found.holds.is_empty()
        };
        for pattern in [
            "*/*/*.txt",
            "lib/*/l.txt",
            "**/*.txt",
            "**",
            "*/*/l.*",
            "lib/*/../a/l.txt",
            "k*/id_rsa",
            "*/id*",
            "[l]ib/a/*",
        ] {
            assert!(found("", pattern), "{pattern}");
        }
        assert!(found("src", "../lib/*/l.txt") && found("lib", "*/l.txt") && found("keys", "*"));
        for pattern in ["*", "*.txt", "*/*.rs", "src/**", "lib/*/notes.txt", "**/*.rs", "src/*", "lib/*"] {
            assert!(!found("", pattern), "{pattern}");
        }
    }

    #[test]
    fn names_that_begin_as_an_option_are_told() {
        let (_root, app) = project();
        std::fs::write(app.join("--files0-from=k.txt"), "x").unwrap();
        let mut disk = Disk::default();
        let names = CredentialSearch::new(None, &mut disk).names_found(&app, "-*");
        assert_eq!(names, ["--files0-from=k.txt"]);
    }

    #[test]
    fn a_folder_to_which_a_link_leads_is_looked_into_for_who_reads_it() {
        let (_root, app) = project();
        let mut disk = Disk::default();
        let mut search = CredentialSearch::new(None, &mut disk);
        for pattern in ["*", "k*", "*/", "*/../keys"] {
            let finds = Finds { folders: true, ..Finds::default() };
            assert!(!search.found(&app, pattern, finds).holds.is_empty(), "{pattern}");
        }
        assert!(search.found(&app, "*", Finds::default()).holds.is_empty());
    }

    #[test]
    fn what_is_too_much_to_look_at_is_said() {
        let (_root, app) = project();
        let mut disk = Disk::default();
        let mut search = CredentialSearch::new(None, &mut disk);
        search.names = 3;
        assert!(search.found(&app, "*/*.md", Finds::default()).is_cut);
    }

    #[test]
    fn links_are_found_in_folders_that_are_left_out_otherwise() {
        let (_root, app) = project();
        let mut disk = Disk::default();
        let mut search = CredentialSearch::new(None, &mut disk);
        let mut told: Vec<String> =
            search.held_with_links(&app, true).holds.into_iter().map(|held| held.path).collect();
        told.sort_unstable();
        let all = ["dist/k.txt", "keys/id_rsa", "lib/a/l.txt", "lib/deep/er/k.txt", "node_modules/x/k.txt"]
            .map(str::to_owned);
        assert_eq!(told, all);
        let mut shallow: Vec<String> = search.held(&app).holds.into_iter().map(|held| held.path).collect();
        shallow.sort_unstable();
        assert_eq!(shallow, ["lib/a/l.txt", "lib/deep/er/k.txt"]);
        search.names = 3;
        assert!(search.held_with_links(&app, true).is_cut);
    }

    #[test]
    fn links_in_circles_end() {
        let (_root, app) = project();
        std::fs::remove_file(app.join("keys")).unwrap();
        symlink("..", app.join("lib/up")).unwrap();
        symlink("../..", app.join("lib/out")).unwrap();
        let mut disk = Disk::default();
        let found = CredentialSearch::new(None, &mut disk).held_with_links(&app, true);
        assert!(!found.is_cut && found.holds.iter().any(|held| held.path == "lib/out/.ssh/id_rsa"), "{found:?}");
    }
}
