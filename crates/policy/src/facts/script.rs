//! What the files hold that a call runs.

use std::collections::{BTreeMap, BTreeSet};

/// What one file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptState {
    /// There is none.
    Absent,
    /// The SHA-256 of what it holds, in hex.
    Digest(String),
    /// Why it cannot be told: "it is too large".
    Unknown(String),
}

/// What the files of one call hold, by the text of each candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptFacts {
    states: BTreeMap<String, ScriptState>,
    /// Those that have changed since they were put before a person first.
    changed: BTreeSet<String>,
}

impl FromIterator<(String, ScriptState)> for ScriptFacts {
    fn from_iter<I: IntoIterator<Item = (String, ScriptState)>>(states: I) -> Self {
        Self { states: states.into_iter().collect(), changed: BTreeSet::new() }
    }
}

impl ScriptFacts {
    /// Files that have changed since they were put before a person first.
    pub fn changed(&self) -> impl Iterator<Item = &str> {
        self.changed.iter().map(String::as_str)
    }

    /// Files of which nobody can tell whether they change, and why.
    pub fn unknown(&self) -> impl Iterator<Item = (&str, &str)> {
        self.states.iter().filter_map(|(file, state)| match state {
            ScriptState::Unknown(why) => Some((file.as_str(), why.as_str())),
            ScriptState::Absent | ScriptState::Digest(_) => None,
        })
    }

    /// Bytes that these facts hold.
    pub fn size(&self) -> usize {
        let state = |state: &ScriptState| match state {
            ScriptState::Absent => 0,
            ScriptState::Digest(text) | ScriptState::Unknown(text) => text.len(),
        };
        let states: usize = self.states.iter().map(|(file, known)| file.len() + state(known)).sum();
        states + self.changed.iter().map(String::len).sum::<usize>()
    }

    /// The first file that is another one in `later`. What nobody could tell either time, for whatever reason, is
    /// the same: whoever approved it was told so.
    pub fn first_change<'a>(&'a self, later: &'a Self) -> Option<&'a str> {
        let files = self.states.keys().chain(later.states.keys());
        files.map(String::as_str).find(|file| match (self.states.get(*file), later.states.get(*file)) {
            (Some(ScriptState::Unknown(_)), Some(ScriptState::Unknown(_))) => false,
            (before, now) => before != now,
        })
    }

    /// These facts, of a call that was put before a person with the facts `before`.
    pub fn after(mut self, before: &Self) -> Self {
        let differs = |file: &&String| self.states.get(*file) != before.states.get(*file);
        let changed: BTreeSet<String> = self.states.keys().filter(differs).cloned().collect();
        self.changed = before.changed.union(&changed).cloned().collect();
        self
    }
}
