//! What the disk holds, as far as somebody has looked.

use std::collections::BTreeMap;

/// What is at a path, links followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookedAt {
    /// Nothing.
    Absent,
    /// A file with this text.
    File(String),
    /// A folder with these names in it.
    Folder(Vec<String>),
    /// Something that cannot be read, for this reason, as a clause: "`Makefile` is too large to be looked at".
    Unreadable(String),
}

/// Why there is no definition of a task yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Somebody has to look at these paths first.
    Look(Vec<String>),
    /// There never will be one: why, as a clause.
    Unknown(String),
}

impl Pause {
    pub(super) fn unknown<T>(why: impl Into<String>) -> Result<T, Self> {
        Err(Self::Unknown(why.into()))
    }
}

/// What the disk holds, as far as somebody has looked, by absolute path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFiles(BTreeMap<String, LookedAt>);

impl FromIterator<(String, LookedAt)> for TaskFiles {
    fn from_iter<I: IntoIterator<Item = (String, LookedAt)>>(found: I) -> Self {
        Self(found.into_iter().collect())
    }
}

impl TaskFiles {
    /// Somebody has looked at `path`.
    pub fn add(&mut self, path: String, found: LookedAt) {
        self.0.insert(path, found);
    }

    /// Number of paths that were looked at.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Nobody has looked at anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn at(&self, path: &str) -> Result<&LookedAt, Pause> {
        self.0.get(path).ok_or_else(|| Pause::Look(vec![path.to_owned()]))
    }

    /// Asks for all of `paths` that nobody has looked at.
    pub(super) fn need(&self, paths: impl Iterator<Item = String>) -> Result<(), Pause> {
        let missing: Vec<String> = paths.filter(|path| !self.0.contains_key(path)).collect();
        if missing.is_empty() { Ok(()) } else { Err(Pause::Look(missing)) }
    }

    /// The text of the file at `path`; `None`: there is no file.
    pub(super) fn text(&self, path: &str) -> Result<Option<&str>, Pause> {
        match self.at(path)? {
            LookedAt::Absent | LookedAt::Folder(_) => Ok(None),
            LookedAt::File(text) => Ok(Some(text)),
            LookedAt::Unreadable(why) => Pause::unknown(why),
        }
    }

    /// Names in the folder at `path`; none when it is no folder.
    pub(super) fn names(&self, path: &str) -> Result<&[String], Pause> {
        match self.at(path)? {
            LookedAt::Absent | LookedAt::File(_) => Ok(&[]),
            LookedAt::Folder(names) => Ok(names),
            LookedAt::Unreadable(why) => Pause::unknown(why),
        }
    }

    /// Whether anything is at `path`.
    pub(super) fn is_there(&self, path: &str) -> Result<bool, Pause> {
        Ok(*self.at(path)? != LookedAt::Absent)
    }
}

/// `name` in `folder`.
pub(super) fn join(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.trim_end_matches('/'))
}

/// `folder` and those above it, the nearest first. Those above it end before the folder `home`, when it is given.
pub(super) fn upwards<'a>(folder: &'a str, home: Option<&'a str>) -> impl Iterator<Item = &'a str> {
    let above = |folder: &&'a str| {
        let trimmed = folder.trim_end_matches('/');
        trimmed.rfind('/').map(|end| if end == 0 { "/" } else { trimmed.get(..end).unwrap_or("/") })
    };
    let is_own = move |folder: &&str| {
        let inside = |home: &str| home == *folder || home.starts_with(&format!("{}/", folder.trim_end_matches('/')));
        home.is_some_and(inside)
    };
    std::iter::successors(Some(folder), above).take_while(move |next| *next == folder || !is_own(next))
}
