//! Where a command runs, seen from where its line starts.

use super::command_line::{Part, Word, WordKind};
use super::operand_effects::{is_harmless_global, shape};

impl Part {
    /// Whether it runs in a folder that is not known to lie below the one that the command line starts in.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.folder_unknown || self.folders.iter().any(|folder| shape::leaves_folder(folder))
    }

    /// The same command with git's `-C DIR` taken off and followed as a `cd`, and without settings for this one call that
    /// change nothing that matters (`-c user.name=…`). `None`: it has none of these in front of its sub-command, or nobody
    /// here can tell where a folder leads (git(1), `-C`, `-c`).
    #[must_use]
    pub fn settled(&self) -> Option<Self> {
        let (program, rest) = self.words.split_first().filter(|(program, _)| program.text == "git")?;
        // Most have none, and every rule asks.
        rest.iter().find(|word| !is_harmless_global(&word.text)).filter(|word| ["-C", "-c"].contains(&&*word.text))?;
        let mut is_settled = false;
        let mut settled = Self { words: vec![program.clone()], ..self.clone() };
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            if word.text == "-c" && rest.as_slice().first().is_some_and(is_harmless_setting) {
                rest.next();
                is_settled = true;
                continue;
            }
            if word.text != "-C" || word.kind != WordKind::Exact {
                settled.words.push(word.clone());
                if is_harmless_global(&word.text) {
                    continue;
                }
                break;
            }
            let folder = rest.next().filter(|folder| folder.kind != WordKind::Varies && !folder.text.is_empty())?;
            settled.folders.push(folder.as_folder());
        }
        settled.words.extend(rest.cloned());
        (is_settled || settled.folders.len() > self.folders.len()).then_some(settled)
    }
}

/// Settings of git that say how something looks, who somebody is, or that something is left out that proves or tidies up:
/// a name, or what the names of a whole section begin with, and the value that is meant; `*` is any. git-config(1).
const HARMLESS_SETTINGS: &[(&str, &str)] = &[
    ("user.name", "*"),
    ("user.email", "*"),
    ("author.name", "*"),
    ("author.email", "*"),
    ("committer.name", "*"),
    ("committer.email", "*"),
    ("core.quotepath", "*"),
    ("color.", "*"),
    ("advice.", "*"),
    ("init.defaultbranch", "*"),
    ("log.date", "*"),
    ("core.pager", "cat"),
    ("core.pager", ""),
    ("commit.gpgsign", "false"),
    ("tag.gpgsign", "false"),
    ("log.showsignature", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];

/// Whether `word` is a setting behind `-c` with which git does no more than without.
fn is_harmless_setting(word: &Word) -> bool {
    let Some((name, value)) = word.text.split_once('=').filter(|_| word.kind == WordKind::Exact) else { return false };
    let name = name.to_ascii_lowercase();
    HARMLESS_SETTINGS.iter().any(|(known, meant)| {
        let is_named = if known.ends_with('.') { name.starts_with(known) } else { name == *known };
        is_named && (*meant == "*" || *meant == value)
    })
}

#[cfg(test)]
mod tests {
    use crate::{CommandLine, Shell};

    #[test]
    fn settings_that_change_nothing_that_matters_are_taken_off() {
        let settled = |line: &str| {
            let part = CommandLine::analyse(line, Shell::Bash).parts.remove(0);
            let settled = part.settled()?;
            Some(settled.words.iter().map(|word| word.text.clone()).collect::<Vec<_>>().join(" "))
        };
        for (line, expected) in [
            ("git -c user.name='A B' -c user.email=a@b commit -m x", "git commit -m x"),
            ("git -c core.quotePath=false -C src status", "git status"),
            ("git --no-pager -c color.ui=always log", "git --no-pager log"),
            ("git -c core.pager=cat diff", "git diff"),
        ] {
            assert_eq!(settled(line).as_deref(), Some(expected), "{line}");
        }
        for line in [
            "git -c core.pager=./x diff",
            "git -c user.name=$X commit",
            "git -c core.hooksPath=/dev/null commit",
            "git -c alias.x='!y' x",
            "git -c core.fsmonitor=./x status",
            "git -c color diff",
            "git status -c user.name=x",
        ] {
            assert_eq!(settled(line), None, "{line}");
        }
        assert_eq!(
            settled("git -c user.name=x -c core.sshCommand=y fetch").as_deref(),
            Some("git -c core.sshCommand=y fetch")
        );
    }
}
