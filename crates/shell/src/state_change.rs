//! What a simple command does to what is there already, as far as the entry of its program tells for certain.

use crate::changes::{plain_call, starts_with};
use crate::command_line::{Part, Word, WordKind};
use crate::programs;
use crate::programs::state_change::{StateChange, StateChangeForm};

/// A command of which it is known what it does to what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateChangeCall {
    /// What it does.
    pub state_change: StateChange,
    /// The name of the program.
    pub program: String,
    /// Its options as they are given, without dashes, and the values of those that have one.
    pub options: Vec<(String, Option<String>)>,
    /// Its operands.
    pub operands: Vec<Word>,
    /// How many of them stand in front of a `--`; `None`: there is none.
    pub before_dashes: Option<usize>,
    /// The command, seen from the folder that it runs in (`git -C`).
    pub part: Part,
}

impl StateChangeCall {
    /// Whether one of the options `names`, blank-separated, is given.
    #[must_use]
    pub fn has(&self, names: &str) -> bool {
        self.options.iter().any(|(given, _)| names.split_ascii_whitespace().any(|name| name == given))
    }
}

/// What `part` does to what is there already. `None`: nobody can tell for certain, as with an option that is not listed.
#[must_use]
pub fn state_change_of(part: &Part) -> Option<StateChangeCall> {
    let settled = part.settled();
    let part = settled.as_ref().unwrap_or(part);
    let (name, rest) = plain_call(part)?;
    let row = programs::of(name).state_changes.iter().find_map(|row| {
        let steps = row.path.split_ascii_whitespace().count();
        let words = starts_with(rest, row.path).then(|| rest.get(steps..))??;
        read(row, words)
    });
    let (state_change, options, operands, before_dashes) = row?;
    Some(StateChangeCall {
        state_change,
        program: name.to_owned(),
        options,
        operands,
        before_dashes,
        part: part.clone(),
    })
}

type Read = (StateChange, Vec<(String, Option<String>)>, Vec<Word>, Option<usize>);

/// `None`: `row` does not tell what `words` do.
fn read(row: &StateChangeForm, words: &[Word]) -> Option<Read> {
    let is = |list: &str, name: &str| list.split_ascii_whitespace().any(|listed| listed == name);
    let (mut options, mut operands, mut before_dashes) = (Vec::new(), Vec::new(), None);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        // What a shell finds by a pattern may begin with a dash; whoever looks sees that.
        let finds_names = word.kind == WordKind::Varies && word.text.starts_with(['*', '?', '{']);
        if before_dashes.is_some() || !word.may_be_option() || finds_names || word.text == "-" {
            operands.push(word.clone());
            continue;
        }
        if word.kind != WordKind::Exact || !operands.is_empty() && !row.permutes {
            return None;
        }
        let mut value = |glued: Option<&str>| match glued {
            Some(glued) => Some(glued.to_owned()),
            None => rest.next().filter(|word| word.kind == WordKind::Exact).map(|word| word.text.clone()),
        };
        match word.text.strip_prefix("--") {
            Some("") => before_dashes = Some(operands.len()),
            Some(long) => {
                let (name, glued) = long.split_once('=').map_or((long, None), |(name, glued)| (name, Some(glued)));
                if name.len() > 1 && is(row.options, &format!("{name}=")) {
                    options.push((name.to_owned(), Some(value(glued)?)));
                } else if name.len() > 1 && glued.is_none() && is(row.options, name) {
                    options.push((name.to_owned(), None));
                } else {
                    return None;
                }
            }
            None => {
                let mut letters = word.text.get(1..).unwrap_or_default().chars();
                while let Some(letter) = letters.next() {
                    let name = letter.to_string();
                    if is(row.options, &format!("{name}=")) {
                        let glued = letters.as_str();
                        options.push((name, Some(value((!glued.is_empty()).then_some(glued))?)));
                        break;
                    }
                    if !is(row.options, &name) {
                        return None;
                    }
                    options.push((name, None));
                }
            }
        }
    }
    let is_it = row.only_with.is_empty() || options.iter().any(|(name, _)| is(row.only_with, name));
    is_it.then_some((row.state_change, options, operands, before_dashes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CommandLine, Shell};

    fn of(line: &str) -> Option<StateChangeCall> {
        state_change_of(CommandLine::analyse(line, Shell::Bash).parts.last()?)
    }

    fn operands(call: &StateChangeCall) -> Vec<&str> {
        call.operands.iter().map(|word| word.text.as_str()).collect()
    }

    #[test]
    fn a_known_call_is_taken_apart() {
        let call = of("rm -rf -- build -x").unwrap();
        assert_eq!((call.state_change, operands(&call)), (StateChange::Removes, vec!["build", "-x"]));
        assert!(call.has("recursive r") && call.before_dashes == Some(0));
        let call = of("git -C api push --force origin main").unwrap();
        assert_eq!((call.state_change, operands(&call)), (StateChange::Pushes, vec!["origin", "main"]));
        assert_eq!(call.part.folders, ["api"]);
        let call = of("git restore --source=HEAD~2 -W src").unwrap();
        assert_eq!(call.options, [("source".into(), Some("HEAD~2".into())), ("W".into(), None)]);
        assert_eq!(of("git push origin main -f").map(|call| call.has("f")), Some(true));
    }

    #[test]
    fn nothing_is_told_of_what_is_not_known_for_certain() {
        for line in [
            "rm --no-such x",
            "rm --recurs x",
            "rm build -rf",
            "rm $options x",
            "GIT_DIR=/x git push",
            "sudo rm -rf x",
            "./rm -rf x",
            "find . | xargs rm",
            "git -c remote.origin.url=x push",
            "git --git-dir=/x push",
            "git push --mirror",
            "git reset --soft HEAD~1",
            "git branch -d x",
            "git clean -i",
            "git checkout -b x",
            "npm install --prefix /x",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
