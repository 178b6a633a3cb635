//! What is known at one place of a line.

use crate::command_line::Part;
use crate::values::{self, Values};

/// Folders that are told apart: behind `cd a; cd b; cd c` there may be as many as eight.
const MAX_FOLDERS: usize = 4;

/// Where a command runs, and what is known there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ShellState {
    /// In which folder it may run.
    pub(super) folders: Folders,
    /// Variables that the line has given a value, and that nothing else can have set since.
    pub(super) values: Values,
}

/// The folders that a command may run in: behind `cd a; x` that is `a`, or where the line starts, as `cd` may fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folders {
    /// For each the literal `cd` folders on the way to it, in order. Never empty.
    ways: Vec<Vec<String>>,
    /// It may be another one, too.
    unknown: bool,
}

impl Default for Folders {
    fn default() -> Self {
        Self { ways: vec![Vec::new()], unknown: false }
    }
}

impl Folders {
    /// The one that `part` runs in.
    pub(super) fn of(part: &Part) -> Self {
        Self { ways: vec![part.folders.clone()], unknown: part.folder_unknown }
    }

    /// A `cd` to `folder` that has succeeded. From a folder that is written from the root on nothing else is to be known.
    ///
    /// `..` takes the name in front of it away, link or not: POSIX.1-2024, `cd`, step 8 (without `-P`).
    pub(super) fn go(&mut self, folder: &str) {
        if folder.starts_with(['/', '~']) {
            *self = Self::default();
        }
        let goes_up = folder.split('/').any(|name| name == "..");
        let start =
            folder.find('/').filter(|_| goes_up && folder.starts_with(['/', '~'])).map_or(0, |slash| slash.max(1));
        let (start, rest) = folder.split_at_checked(start).unwrap_or(("", folder));
        for way in &mut self.ways {
            way.extend(Some(start.to_owned()).filter(|start| !start.is_empty()));
            match goes_up {
                true => rest.split('/').filter(|name| !matches!(*name, "" | ".")).for_each(|name| step(way, name)),
                false => way.push(rest.to_owned()),
            }
        }
    }

    /// It may be any.
    pub(super) fn lose(&mut self) {
        self.unknown = true;
    }

    /// It may be one of `others` as well.
    pub(super) fn join(&mut self, others: &Self) {
        for way in &others.ways {
            if !self.ways.contains(way) {
                self.ways.push(way.clone());
            }
        }
        self.unknown |= others.unknown || self.ways.len() > MAX_FOLDERS;
        self.ways.truncate(MAX_FOLDERS);
    }

    /// `part` in each of them; or once, in one that is not known, where they are not `told_apart`.
    pub(super) fn each(&self, part: &Part, told_apart: bool) -> impl Iterator<Item = Part> {
        let (most, unknown) = match told_apart {
            true => (MAX_FOLDERS, self.unknown),
            false => (1, self.unknown || self.ways.len() > 1),
        };
        self.ways.iter().take(most).map(move |way| Part {
            folders: way.clone(),
            folder_unknown: unknown,
            ..part.clone()
        })
    }
}

/// Goes on to `name`, or up.
fn step(way: &mut Vec<String>, name: &str) {
    let above = |last: &String| {
        let last = last.trim_end_matches('/');
        let (above, name) = last.rsplit_once('/').map_or(("", last), |(above, name)| (above, name));
        // Of the folder in which the line starts, of the home folder and of the root nothing more is known.
        let is_name = !matches!(name, "" | "." | "..") && !name.starts_with('~');
        is_name.then(|| if above.is_empty() && last.starts_with('/') { "/".to_owned() } else { above.to_owned() })
    };
    match way.last().and_then(above).filter(|_| name == "..") {
        Some(above) => {
            way.pop();
            way.extend(Some(above).filter(|above| !above.is_empty()));
        }
        None => way.push(name.to_owned()),
    }
}

impl ShellState {
    /// Forgets of every variable what may not hold here although it did in `before`.
    pub(super) fn keep_values_of(&mut self, before: &Values) {
        values::join(&mut self.values, before);
    }

    /// Keeps what holds in both: either may come before what follows.
    pub(super) fn join(&mut self, other: &Self) {
        self.folders.join(&other.folders);
        values::join(&mut self.values, &other.values);
    }
}
