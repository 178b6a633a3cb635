//! What the files hold that a call runs: a person who reads a script approves that script, not what lies there a
//! moment later.
//!
//! Files that those run in turn, and programs that are found by their name alone, are not among them.

use crate::{Request, ScriptFacts, ScriptState};
use handraise_shell::{Part, Word, WordKind, implied_files, runs_scripts};

/// Most files of one call that are looked at.
pub const MAX_SCRIPTS: usize = 32;
/// Operands of an interpreter that may be its script: an option may take the ones in front.
const OPERANDS: usize = 3;

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

    /// What the files hold that it runs, when nobody can look at them, and `why`.
    #[must_use]
    pub fn scripts_unseen(&self, why: &str) -> ScriptFacts {
        let files = self.script_candidates().into_iter();
        files.map(|file| (file, ScriptState::Unknown(why.to_owned()))).collect()
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
