//! Which commands of git put files into the working folder that their words do not name.
//!
//! Sources: git-switch(1), git-checkout(1), git-merge(1), git-cherry-pick(1), git-revert(1), git-stash(1).

use crate::Request;
use crate::facts::{CheckoutQuestion, CheckoutSource};
use crate::path::working_folder;
use crate::project_code::git_words;
use handraise_shell::{Part, Word, WordKind};

/// Options behind which the name of a new branch stands.
const NEW_BRANCH: &str = "-b -B -c -C --create --force-create --orphan";

impl Request {
    /// What has to be looked up of the commands of git in the line.
    #[must_use]
    pub fn checkout_questions(&self) -> Vec<CheckoutQuestion> {
        let parts = self.command.iter().flat_map(|line| &line.parts);
        parts.filter_map(checkout_question).collect()
    }
}

/// What has to be looked up of `part`. `None`: it takes no files from a commit.
pub(crate) fn checkout_question(part: &Part) -> Option<CheckoutQuestion> {
    if part.program() != Some("git") {
        return None;
    }
    let settled = part.settled();
    let part = settled.as_ref().unwrap_or(part);
    let (command, rest) = git_words(part)?;
    let source = source(command, rest)?;
    Some(CheckoutQuestion { folder: working_folder(part)?, source })
}

fn source(command: &str, rest: &[Word]) -> Option<CheckoutSource> {
    let listed = |list: &str, text: &str| list.split(' ').any(|one| one == text);
    let in_front = || rest.iter().take_while(|word| word.text != "--");
    let makes_branch = in_front().any(|word| listed(NEW_BRANCH, &word.text));
    let operands = in_front().filter(|word| word.text == "-" || !word.text.starts_with('-'));
    // What a variable holds is a revision of any name.
    let named = |word: &Word| if word.kind == WordKind::Exact { word.text.clone() } else { "-".to_owned() };
    let operands: Vec<String> = operands.map(named).collect();
    let told = |operands: Vec<String>| (!operands.is_empty()).then_some(operands);
    match command {
        "switch" | "checkout" if makes_branch => {
            told(operands.into_iter().skip(1).collect()).map(CheckoutSource::Commits)
        }
        "switch" | "checkout" | "merge" => told(operands).map(CheckoutSource::Commits),
        "cherry-pick" | "revert" => told(operands).map(CheckoutSource::Changes),
        // Without a verb it is `push`, whatever stands behind its options: git-stash(1).
        "stash" if rest.first().is_none_or(|word| word.text.starts_with('-')) => Some(CheckoutSource::Head),
        "stash" => match operands.split_first() {
            Some((verb, _)) if listed("push save", verb) => Some(CheckoutSource::Head),
            Some((verb, which)) if listed("pop apply", verb) => match which {
                [] => Some(CheckoutSource::Stash),
                [first] if listed("stash@{0} 0", first) => Some(CheckoutSource::Stash),
                others => Some(CheckoutSource::Changes(others.to_vec())),
            },
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use handraise_shell::{CommandLine, Shell};

    #[test]
    fn what_git_takes_files_from_is_asked() {
        let source = |line: &str| {
            let line = CommandLine::analyse(line, Shell::Bash);
            checkout_question(line.parts.last()?).map(|question| question.source)
        };
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        for (line, expected) in [
            ("git switch topic", CheckoutSource::Commits(names(&["topic"]))),
            ("git -c user.name=x switch -q topic", CheckoutSource::Commits(names(&["topic"]))),
            ("git switch -c new topic", CheckoutSource::Commits(names(&["topic"]))),
            ("git checkout -", CheckoutSource::Commits(names(&["-"]))),
            ("git merge --ff-only \"$x\"", CheckoutSource::Commits(names(&["-"]))),
            ("git revert -n HEAD", CheckoutSource::Changes(names(&["HEAD"]))),
            ("git stash", CheckoutSource::Head),
            ("git stash -m 'x y'", CheckoutSource::Head),
            ("git stash -u -- src", CheckoutSource::Head),
            ("git stash push -m 'x y'", CheckoutSource::Head),
            ("git stash pop", CheckoutSource::Stash),
            ("git stash apply stash@{2}", CheckoutSource::Changes(names(&["stash@{2}"]))),
        ] {
            assert_eq!(source(line), Some(expected), "{line}");
        }
        for line in ["git status", "git switch -c new", "git stash list", "git commit -m x", "git fetch", "ls topic"] {
            assert_eq!(source(line), None, "{line}");
        }
    }
}
