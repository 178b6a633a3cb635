//! What lies in a folder, however deep, by which tools run what it says where they only look: a repository's hooks and
//! settings, settings of agents and editors, what shells load in passing. Also pipes, sockets and devices.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::DirEntry;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::git_settings::MARK_OF_REPOSITORIES;
use crate::protected::PROTECTED;

/// Beside [`PROTECTED`]: version control, npm, Yarn, Bazel, Maven, Bun, what reads `.env`, GitHub, Cargo and rustup, and what
/// interactive interpreters read when they start.
const OBEYED: &[&str] = &[
    ".git",
    ".config",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".yarn",
    ".bazelrc",
    ".mvn",
    ".jj",
    ".sl",
    ".hg",
    "_darcs",
    ".pijul",
    ".env",
    ".env.leave",
    ".autoenv_leave.zsh",
    ".github",
    ".cargo/config",
    ".cargo/config.toml",
    "rust-toolchain",
    "rust-toolchain.toml",
    "bunfig.toml",
    ".pdbrc",
    ".irbrc",
    ".pryrc",
    ".rprofile",
    ".renviron",
    ".rdata",
    ".octaverc",
    ".byebugrc",
    ".rdbgrc",
    ".perldb",
    ".psysh.php",
    ".ghci",
    ".ocamlinit",
    ".iex.exs",
];

/// What the name begins with of what Handraise has put aside, closed to everybody. It is not looked into.
pub(crate) const PUT_ASIDE: &str = "handraise-removed-";

/// What a walk has met.
pub(crate) enum Met {
    /// Tools obey it.
    Acts,
    /// It cannot be looked into, or there is more than can be looked through.
    Closed(io::Error),
}

/// A folder that is to be looked into. It knows its name and what it lies in: whole paths of many deep ones would take all
/// memory.
struct Waiting {
    around: Option<Rc<Waiting>>,
    name: OsString,
}

impl Waiting {
    fn path(&self) -> PathBuf {
        let mut names = vec![&self.name];
        let mut around = self.around.as_ref();
        while let Some(folder) = around {
            names.push(&folder.name);
            around = folder.around.as_ref();
        }
        names.into_iter().rev().collect()
    }
}

/// Looks through `folder` and tells of each thing by its path in it, that it may be moved at once. It does not look into what
/// acts. `open` opens a folder that is closed, if it can. It looks at no more than `most` entries. Links are not followed.
pub(crate) fn walk(folder: &Path, most: usize, open: &dyn Fn(&Path) -> bool, tell: &mut dyn FnMut(PathBuf, Met)) {
    let mut seen = 0;
    let mut waiting = vec![Rc::new(Waiting { around: None, name: OsString::new() })];
    while let Some(inner) = waiting.pop() {
        let name = inner.path();
        let path = folder.join(&name);
        let entries = std::fs::read_dir(&path).or_else(|error| match open(&path) {
            true => std::fs::read_dir(&path),
            false => Err(error),
        });
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                tell(name, Met::Closed(error));
                continue;
            }
        };
        for entry in entries {
            seen += 1;
            if seen > most {
                return tell(PathBuf::new(), Met::Closed(io::Error::other("more lies in it than is looked through")));
            }
            let known = entry.and_then(|entry| Ok((entry.file_type()?, entry)));
            let (kind, entry) = match known {
                Ok(known) => known,
                // It is gone.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    tell(name, Met::Closed(error));
                    break;
                }
            };
            if acts(folder, &inner, &entry) || !kind.is_dir() && !kind.is_file() && !kind.is_symlink() {
                tell(name.join(entry.file_name()), Met::Acts);
            } else if kind.is_dir() && !is_put_aside(&entry) {
                waiting.push(Rc::new(Waiting { around: Some(Rc::clone(&inner)), name: entry.file_name() }));
            }
        }
    }
}

/// All that acts in `folder`.
///
/// # Errors
/// When not all can be looked through, or there is too much.
pub(crate) fn all_in(folder: &Path) -> io::Result<BTreeSet<PathBuf>> {
    const MAX_ENTRIES: usize = 100_000;
    const MAX_FOUND: usize = 20_000;
    let (mut found, mut failed) = (BTreeSet::new(), None);
    walk(folder, MAX_ENTRIES, &|_| false, &mut |name, met| match met {
        Met::Acts if found.len() < MAX_FOUND => drop(found.insert(name)),
        Met::Acts => failed = Some(io::Error::other("there is too much that tools obey")),
        Met::Closed(error) => failed = Some(error),
    });
    failed.map_or(Ok(found), Err)
}

fn acts(folder: &Path, around: &Waiting, entry: &DirEntry) -> bool {
    let is_top = around.around.is_none();
    let outer = if is_top { folder.file_name().unwrap_or_default() } else { &around.name };
    is_obeyed(outer, &entry.file_name())
}

/// The outermost part of `path`, which lies in `folder`, that tools obey by its name.
pub(crate) fn obeyed_part(folder: &Path, path: &Path) -> Option<PathBuf> {
    let mut outer = folder.file_name().unwrap_or_default();
    let mut part = PathBuf::new();
    for own in path {
        part.push(own);
        if is_obeyed(outer, own) {
            return Some(part);
        }
        outer = own;
    }
    None
}

/// Whether tools obey what has this name in a folder of the name `outer`.
fn is_obeyed(outer: &OsStr, own: &OsStr) -> bool {
    let [text, outer] = [own, outer].map(|name| name.to_string_lossy().to_lowercase());
    // A place of two names is met at its second one.
    let is_named = |place: &&&str| match place.split_once('/') {
        None => **place == text,
        Some((first, second)) => first == outer && second == text,
    };
    own == MARK_OF_REPOSITORIES
        || text.ends_with(".code-workspace")
        || OBEYED.iter().chain(PROTECTED).any(|place| is_named(&place))
}

fn is_put_aside(entry: &DirEntry) -> bool {
    entry.file_name().to_string_lossy().starts_with(PUT_ASIDE)
        && entry.metadata().is_ok_and(|found| found.permissions().mode() & 0o777 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_found_wherever_it_lies() {
        let folder = tempfile::tempdir().unwrap();
        for inner in ["a/.git/hooks", "a/mise", "mise/src", "b/.GitHub", "deep/er", "handraise-removed-1/.git"] {
            std::fs::create_dir_all(folder.path().join(inner)).unwrap();
        }
        for file in
            ["a/mise/config.toml", "mise/src/config.toml", "deep/er/HEAD", "deep/x.Code-Workspace", "deep/Crush.json"]
        {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let found = |folder: &Path| all_in(folder).unwrap().into_iter().map(|path| path.display().to_string());
        let expected =
            ["a/.git", "a/mise/config.toml", "b/.GitHub", "deep/Crush.json", "deep/er/HEAD", "deep/x.Code-Workspace"];
        let with = |more: &[&str]| expected.iter().chain(more).map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(found(folder.path()).collect::<Vec<_>>(), with(&["handraise-removed-1/.git"]));
        let aside = folder.path().join("handraise-removed-1");
        std::fs::set_permissions(&aside, std::fs::Permissions::from_mode(0o000)).unwrap();
        assert_eq!(found(folder.path()).collect::<Vec<_>>(), with(&[]));
        std::fs::set_permissions(&aside, std::fs::Permissions::from_mode(0o700)).unwrap();
    }
}
