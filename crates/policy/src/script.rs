//! What the files hold that a call runs: a person who reads a script approves that script, not what lies there a
//! moment later.
//!
//! Files that those run in turn, and programs that are found by their name alone, are not among them.

use std::collections::{BTreeMap, BTreeSet};

use crate::Request;
use handraise_shell::{Part, Word, WordKind, implied_files, runs_scripts};

/// Most files of one call that are looked at.
pub const MAX_SCRIPTS: usize = 32;
/// Operands of an interpreter that may be its script: an option may take the ones in front.
const OPERANDS: usize = 3;

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

impl Request {
    /// The files that the commands of this call run, as far as its words tell: texts as in a
    /// [`crate::PathCandidate`], each once, at most [`MAX_SCRIPTS`].
    #[must_use]
    pub fn script_candidates(&self) -> Vec<String> {
        let mut candidates = Vec::new();
        let parts = self.command.iter().flat_map(|line| &line.parts);
        for candidate in parts.flat_map(scripts) {
            if candidates.len() < MAX_SCRIPTS && !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        }
        candidates
    }
}

fn scripts(part: &Part) -> Vec<String> {
    let Some(program) = part.words.first() else { return Vec::new() };
    let itself = Some(program).filter(|program| program.text.contains('/'));
    let operands =
        part.words.iter().skip(1).filter(|word| !word.text.starts_with('-') && word.kind != WordKind::Varies);
    let is_interpreter = runs_scripts(&program.text);
    let run =
        operands.take(OPERANDS).chain(&part.reads).filter(|word| is_interpreter && !word.text.contains(['\n', '(']));
    let implied = implied_files(&program.text);
    let implied = implied.map(|file| Word { text: file.to_owned(), kind: WordKind::Exact });
    let named = itself.into_iter().chain(run).cloned().chain(implied);
    named.filter_map(|word| part.path(&word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::request;
    use handraise_shell::{CommandLine, Shell};

    fn candidates(line: &str) -> Vec<String> {
        let command = Some(CommandLine::analyse(line, Shell::Bash));
        Request { command, ..request("Bash", "{}") }.script_candidates()
    }

    #[test]
    fn the_files_that_a_command_runs_are_known() {
        assert_eq!(candidates("./run.sh x"), ["./run.sh"]);
        assert_eq!(candidates("cd a && python3 -u b.py"), ["a/b.py"]);
        assert_eq!(candidates("python3.12 b.py"), ["b.py"]);
        assert_eq!(candidates("tcsh b.csh"), ["b.csh"]);
        assert_eq!(candidates("ansible-playbook site.yml"), ["site.yml"]);
        assert_eq!(candidates("source ~/x"), ["~/x"]);
        assert_eq!(candidates("make -C b all"), ["GNUmakefile", "makefile", "Makefile"]);
        assert_eq!(candidates("npm test"), ["package.json"]);
        assert_eq!(candidates("cat log.txt"), Vec::<String>::new());
    }
}
