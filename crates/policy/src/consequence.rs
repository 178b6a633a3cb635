//! What a call would do to what is there, as questions to whoever can look: which files are there to be removed, which
//! commits would be published.
//!
//! Nothing is decided by the answers: they are for the person who is asked. So a question is put only where the words of
//! a command say for certain what it does, and nothing is asked about the rest.

use handraise_shell::path::{expanded, is_one};
use handraise_shell::risk::classify_part;
use handraise_shell::{CommandLine, Part, StateChange, StateChangeCall, Word, WordKind, state_change_of};

use crate::path::working_folder;
use crate::{Request, RiskLevel};

/// Most questions about one call.
const MAX_QUESTIONS: usize = 8;

/// What is to be found out about one simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsequenceQuestion {
    /// The command, as it is written.
    pub command: String,
    /// Commands in front of it on the same line may change what is there.
    pub is_behind_changes: bool,
    /// What it does.
    pub act: Act,
}

/// What a command does to what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It removes files.
    Remove {
        /// What it names.
        targets: Vec<Target>,
        /// Folders, too, with all in them.
        recursive: bool,
    },
    /// It moves files.
    Move {
        /// What it names.
        targets: Vec<Target>,
        /// Where to, as seen from the folder of the call.
        to: String,
    },
    /// It changes the rights of files.
    ChangeRights {
        /// What it names.
        targets: Vec<Target>,
        /// All that is in folders, too.
        recursive: bool,
    },
    /// It does something with the repository of a folder.
    Git {
        /// The folder, as seen from the folder of the call.
        folder: String,
        /// What.
        act: GitAct,
    },
    /// It installs what the project needs.
    Install {
        /// The folder, as seen from the folder of the call.
        folder: String,
        /// The program, as `npm`.
        program: String,
    },
}

/// Files that a word of a command names, as seen from the folder of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// This one.
    Path(String),
    /// Those in a folder whose names fit.
    Glob {
        /// The folder.
        folder: String,
        /// The names, with `*` and `?`.
        pattern: String,
        /// A name with a dash in front would be read as an option.
        may_be_option: bool,
    },
}

/// What a command of git does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GitAct {
    /// `git push`.
    Push {
        /// The remote; `None`: the one that is set.
        remote: Option<String>,
        /// What goes where, as it is written; empty: the branch that is checked out.
        refspecs: Vec<String>,
        /// Commits of the remote may be lost.
        force: bool,
        /// The branches are deleted.
        delete: bool,
    },
    /// `git reset --hard`.
    Reset {
        /// The commit; `None`: the one that is checked out.
        to: Option<String>,
    },
    /// `git checkout -- …`, `git restore`.
    Restore {
        /// What it names, from the folder of the call.
        targets: Vec<Target>,
    },
    /// `git clean`.
    Clean {
        /// Folders, too.
        folders: bool,
        /// What git is told to ignore, too.
        ignored: bool,
    },
    /// `git stash drop`, `git stash clear`.
    DropStash {
        /// The number of the stash; `None`: all of them.
        number: Option<usize>,
    },
    /// `git branch -D`.
    DeleteBranches {
        /// Their names.
        names: Vec<String>,
    },
}

impl Request {
    /// What could be found out about what this call would do; none where its command line is not understood.
    #[must_use]
    pub fn consequence_questions(&self) -> Vec<ConsequenceQuestion> {
        let Some(command) = self.command.as_ref().filter(|command| command.obstacle.is_none()) else {
            return Vec::new();
        };
        questions(command)
    }
}

fn questions(command: &CommandLine) -> Vec<ConsequenceQuestion> {
    let mut is_behind_changes = false;
    let mut found = Vec::new();
    for part in &command.parts {
        if let Some(act) = state_change_of(part).and_then(|call| act(&call)).filter(|_| found.len() < MAX_QUESTIONS) {
            found.push(ConsequenceQuestion { command: part.text.clone(), is_behind_changes, act });
        }
        is_behind_changes |= !part.writes.is_empty() || classify_part(part).level != RiskLevel::ReadOnly;
    }
    found
}

fn act(call: &StateChangeCall) -> Option<Act> {
    let part = &call.part;
    let recursive = call.has("r R recursive");
    match call.state_change {
        StateChange::Removes => Some(Act::Remove { targets: targets(part, &call.operands)?, recursive }),
        StateChange::Moves => {
            let (last, sources) = call.operands.split_last()?;
            Some(Act::Move { targets: targets(part, sources)?, to: part.path(last)? })
        }
        StateChange::ChangesRights => {
            Some(Act::ChangeRights { targets: targets(part, call.operands.get(1..)?)?, recursive })
        }
        StateChange::Installs if call.operands.is_empty() => {
            Some(Act::Install { folder: working_folder(part)?, program: call.program.clone() })
        }
        StateChange::Installs => None,
        _ => Some(Act::Git { folder: working_folder(part)?, act: git(call)? }),
    }
}

fn git(call: &StateChangeCall) -> Option<GitAct> {
    let exact = |words: &[Word]| -> Option<Vec<String>> {
        words.iter().map(|word| (word.kind == WordKind::Exact).then(|| word.text.clone())).collect()
    };
    match call.state_change {
        StateChange::Pushes => {
            let mut words = exact(&call.operands)?.into_iter();
            let (force, delete) = (call.has("f force"), call.has("d delete"));
            Some(GitAct::Push { remote: words.next(), refspecs: words.collect(), force, delete })
        }
        StateChange::Resets => match exact(&call.operands)?.as_slice() {
            [] => Some(GitAct::Reset { to: None }),
            [to] if call.before_dashes != Some(0) => Some(GitAct::Reset { to: Some(to.clone()) }),
            _ => None,
        },
        StateChange::Restores => {
            // Without `-W`, `-S` leaves the files alone.
            let only_index = call.has("S staged") && !call.has("W worktree");
            let is_checkout = call.part.words.iter().any(|word| word.text == "checkout");
            let paths = match call.before_dashes {
                // What stands in front is a commit.
                Some(before) if is_checkout && before <= 1 => call.operands.get(before..)?,
                // `.` is the name of no branch.
                None if is_checkout && call.operands.iter().all(|word| word.text == ".") => &call.operands,
                _ if is_checkout => return None,
                _ => &call.operands,
            };
            let is_magic = |word: &Word| word.kind == WordKind::Exact && word.text.contains(['*', '?', '[', ':']);
            if only_index || paths.is_empty() || paths.iter().any(is_magic) {
                return None;
            }
            Some(GitAct::Restore { targets: targets(&call.part, paths)? })
        }
        // Paths would be read as patterns.
        StateChange::Cleans if call.operands.is_empty() => {
            // Twice, it removes repositories in the repository.
            let forced = call.options.iter().filter(|(name, _)| ["f", "force"].contains(&name.as_str())).count();
            (forced == 1).then(|| GitAct::Clean { folders: call.has("d"), ignored: call.has("x") })
        }
        StateChange::DropsStash => match exact(&call.operands)?.as_slice() {
            [] => Some(GitAct::DropStash { number: Some(0) }),
            [name] => {
                let number = name.strip_prefix("stash@{").and_then(|rest| rest.strip_suffix('}')).unwrap_or(name);
                Some(GitAct::DropStash { number: Some(number.parse().ok()?) })
            }
            _ => None,
        },
        StateChange::ClearsStashes => call.operands.is_empty().then_some(GitAct::DropStash { number: None }),
        StateChange::DeletesBranches => Some(GitAct::DeleteBranches { names: exact(&call.operands)? }),
        _ => None,
    }
}

/// `None`: it cannot be told for certain what one of `words` names.
fn targets(part: &Part, words: &[Word]) -> Option<Vec<Target>> {
    let found: Option<Vec<Vec<Target>>> = words.iter().map(|word| target(part, word)).collect();
    found.map(|found| found.concat()).filter(|found| !found.is_empty())
}

fn target(part: &Part, word: &Word) -> Option<Vec<Target>> {
    if word.kind != WordKind::Varies {
        return Some(vec![Target::Path(part.path(word)?)]);
    }
    // Which signs of a word were quoted is not known any more, so that none may have been.
    let is_plain = !part.text.contains(['\'', '"', '\\', '$', '`', '(', '<', '>', '&', '[', '^', '#']);
    let words = if is_one(&word.text) { expanded(&word.text) } else { vec![word.text.clone()] };
    if !is_plain || words.is_empty() {
        return None;
    }
    words.iter().map(|text| plain_target(part, text)).collect()
}

/// What `text` names, in which nothing was quoted.
fn plain_target(part: &Part, text: &str) -> Option<Target> {
    let named = |text: &str| {
        let is_home = text == "~" || text.starts_with("~/");
        let is_known = is_home || !text.starts_with(['~', '=']);
        let kind = if is_home { WordKind::Home } else { WordKind::Exact };
        is_known.then(|| part.path(&Word { text: text.to_owned(), kind })).flatten()
    };
    // As an option, where it stands in front of a `--`.
    if text.starts_with('-') {
        return None;
    }
    if !text.contains(['*', '?']) {
        return Some(Target::Path(named(text)?));
    }
    let (folder, pattern) = text
        .rsplit_once('/')
        .map_or((".", text), |(folder, pattern)| (if folder.is_empty() { "/" } else { folder }, pattern));
    // `**` is more than one folder to some shells.
    if folder.contains(['*', '?']) || pattern.is_empty() || pattern.contains("**") || pattern.contains(['{', '}']) {
        return None;
    }
    let may_be_option = !text.contains('/');
    Some(Target::Glob { folder: named(folder)?, pattern: pattern.to_owned(), may_be_option })
}

#[cfg(test)]
mod tests {
    use handraise_shell::Shell;

    use super::*;

    fn acts(line: &str) -> Vec<Act> {
        questions(&CommandLine::analyse(line, Shell::Bash)).into_iter().map(|question| question.act).collect()
    }

    fn paths(texts: &[&str]) -> Vec<Target> {
        texts.iter().map(|text| Target::Path((*text).into())).collect()
    }

    #[test]
    fn what_files_are_named_is_asked() {
        let glob = |folder: &str, pattern: &str| {
            let may_be_option = folder.ends_with("/.");
            Target::Glob { folder: folder.into(), pattern: pattern.into(), may_be_option }
        };
        assert_eq!(acts("rm -rf build ~/x"), [Act::Remove { targets: paths(&["build", "~/x"]), recursive: true }]);
        assert_eq!(
            acts("cd api && rm *.log tmp/a?"),
            [Act::Remove { targets: vec![glob("api/.", "*.log"), glob("api/tmp", "a?")], recursive: false }]
        );
        assert_eq!(acts("rm -f {a,b}.txt"), [Act::Remove { targets: paths(&["a.txt", "b.txt"]), recursive: false }]);
        assert_eq!(acts("mv a b"), [Act::Move { targets: paths(&["a"]), to: "b".into() }]);
        assert_eq!(acts("chmod -R 777 ."), [Act::ChangeRights { targets: paths(&["."]), recursive: true }]);
    }

    #[test]
    fn nothing_is_asked_where_a_word_may_be_anything() {
        for line in [
            "rm '*'x*",
            "rm \"a\"*",
            "rm \\**",
            "rm [a]*",
            "rm **/x",
            "rm */x",
            "rm $x",
            "rm ~other/x",
            "rm {-rf,$x}",
            "rm",
            "git push origin $branch",
            "git checkout main",
            "git checkout a b -- c",
            "git restore --staged x",
            "git restore ':(top)*'",
            "git clean -ff",
            "git clean -f src",
            "npm install left-pad",
            "yarn add left-pad",
        ] {
            assert_eq!(acts(line), [], "{line}");
        }
    }

    #[test]
    fn what_git_does_is_asked() {
        let git = |line: &str| match acts(line).as_slice() {
            [Act::Git { act, .. }] => Some(act.clone()),
            _ => None,
        };
        let push = |remote: Option<&str>, refspecs: &[&str], force, delete| {
            let refspecs = refspecs.iter().map(|text| (*text).to_owned()).collect();
            Some(GitAct::Push { remote: remote.map(str::to_owned), refspecs, force, delete })
        };
        assert_eq!(git("git push"), push(None, &[], false, false));
        assert_eq!(git("git push -f origin main:x"), push(Some("origin"), &["main:x"], true, false));
        assert_eq!(git("git push origin --delete x"), push(Some("origin"), &["x"], false, true));
        assert_eq!(git("git reset --hard HEAD~2"), Some(GitAct::Reset { to: Some("HEAD~2".into()) }));
        assert_eq!(git("git checkout ."), Some(GitAct::Restore { targets: paths(&["."]) }));
        assert_eq!(git("git checkout HEAD -- a"), Some(GitAct::Restore { targets: paths(&["a"]) }));
        assert_eq!(git("git clean -fdx"), Some(GitAct::Clean { folders: true, ignored: true }));
        assert_eq!(git("git stash drop stash@{2}"), Some(GitAct::DropStash { number: Some(2) }));
        assert_eq!(git("git stash clear"), Some(GitAct::DropStash { number: None }));
        assert_eq!(git("git branch -D x"), Some(GitAct::DeleteBranches { names: vec!["x".into()] }));
    }

    #[test]
    fn whether_an_earlier_command_changes_something_is_told() {
        let told = |line: &str| {
            let all = questions(&CommandLine::analyse(line, Shell::Bash));
            all.last().map(|question| question.is_behind_changes)
        };
        assert_eq!(told("git status && git push"), Some(false));
        assert_eq!(told("cd api && git push"), Some(false));
        assert_eq!(told("git commit -qm x && git push"), Some(true));
        assert_eq!(told("echo x > a && rm *"), Some(true));
    }
}
