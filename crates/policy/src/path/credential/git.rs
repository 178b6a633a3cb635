//! What git reads of the files that its words name, and puts where it can be seen.
//!
//! What a repository tracks already is known to whoever has it, so that `git diff` and `git log -p` without a
//! path are free. A path that names a file with credentials is not, and neither is taking one into the
//! repository (`git add`), from where every command of git shows it.
//!
//! Source: the manual page of each command of git(1).

use super::operands::{is_exclusion, surely_values, values_of};
use handraise_shell::risk::names_listed;
use handraise_shell::{Word, WordKind};

/// Commands that use the paths they are given as names alone, or write them.
const NAMES_ONLY: &str = "status ls-files ls-tree ls-remote check-ignore check-attr check-mailmap check-ref-format rm restore checkout \
    switch reset clean branch tag merge rebase cherry-pick revert push pull fetch clone init remote worktree submodule \
    merge-base rev-parse for-each-ref show-ref describe bisect sparse-checkout gc fsck prune symbolic-ref name-rev \
    count-objects help version maintenance lfs";
/// Commands that show what changed in files when an option says so.
const SHOW_IF_TOLD: &str = "log whatchanged shortlog rev-list reflog";
/// Commands that show what changed in files unless an option says so.
const SHOW: &str = "diff show diff-files diff-index diff-tree";
/// Options with which the first show it.
const PATCH: &[&str] =
    &["--patch", "--unified", "--cc", "--word-diff", "--color-words", "--combined", "--remerge", "--function-context"];
/// Options with which the others show names and numbers alone.
const NO_PATCH: &str = "--stat --name-only --name-status --numstat --shortstat --dirstat --summary --quiet --no-patch -s --exit-code --raw";
/// Options of any command whose value is a file that is read.
const READS: &str =
    "--pathspec-from-file --exclude-from --file -F --ignore-revs-file --template --add-file --reference";
/// Options in front of the command that take the next word.
const VALUED: &str = "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path";

/// The command among `words`, and what follows it.
pub(super) fn command<'w, 'a>(words: &'w [&'a Word]) -> Option<(&'a str, &'w [&'a Word])> {
    let mut index = 0;
    while let Some(word) = words.get(index) {
        let text = word.text.as_str();
        if !text.starts_with('-') {
            return Some((text, words.get(index + 1..).unwrap_or_default()));
        }
        index += if names_listed(VALUED, text) { 2 } else { 1 };
    }
    None
}

/// The words that may name what is read.
pub(super) fn read_words(words: &[&Word]) -> Vec<Word> {
    let Some((command, rest)) = command(words) else { return Vec::new() };
    let has = |list: &str| rest.iter().any(|word| names_listed(list, word.text.split('=').next().unwrap_or_default()));
    let interactive = has("-p --patch");
    let names = if names_listed(NAMES_ONLY, command) {
        !interactive
    } else if names_listed(SHOW_IF_TOLD, command) {
        !shows_patch(rest)
    } else if names_listed(SHOW, command) {
        has(NO_PATCH) && !shows_patch(rest)
    } else {
        // git-stash(1), git-update-index(1), git-config(1).
        match command {
            "stash" => !rest.iter().any(|word| ["push", "save", "show", "--"].contains(&word.text.as_str())),
            "update-index" => !has("--add --replace --cacheinfo --stdin"),
            "add" | "stage" => has("-n --dry-run"),
            _ => false,
        }
    };
    if names {
        return values_of(rest, READS);
    }
    let pattern = rest.iter().position(|word| !word.text.starts_with('-')).filter(|_| command == "grep" && !has("-e"));
    let values = match command {
        "commit" | "tag" | "merge" | "notes" | "stash" => "-m --message --author --date",
        "grep" => "-e",
        _ if names_listed(SHOW, command) || names_listed(SHOW_IF_TOLD, command) => "-S -G --output",
        _ => "--output",
    };
    let skipped = surely_values(rest, values);
    let is_read = |(index, word): &(usize, &&Word)| {
        Some(*index) != pattern && !skipped.contains(index) && !is_exclusion(&word.text)
    };
    // gitglossary(7), "pathspec": git itself finds what a pattern means, quoted or not.
    let pathspec = |word: &Word| match word.kind {
        WordKind::Exact if word.text.contains(['*', '?', '[']) && !word.text.contains(char::is_whitespace) => {
            Word { kind: WordKind::Varies, ..word.clone() }
        }
        _ => word.clone(),
    };
    rest.iter().enumerate().filter(is_read).map(|(_, word)| pathspec(word)).collect()
}

/// Whether the command among `words` takes its operands for names alone.
pub(super) fn takes_names(words: &[&Word]) -> bool {
    command(words).is_some_and(|(command, _)| names_listed(NAMES_ONLY, command))
}

/// Folders of which everything is read or taken in that git does not know yet, and whether ignored files, too.
/// A word is a folder as it is written; none: the working folder.
pub(super) fn takes_folders<'a>(words: &[&'a Word]) -> Option<(Vec<&'a Word>, bool)> {
    let (command, rest) = command(words)?;
    let given = |long: &str, letter: char| {
        rest.iter().any(|word| {
            let text = word.text.as_str();
            (text.len() > 3 && long.starts_with(text)) || super::is_cluster_with(text, letter)
        })
    };
    let operands: Vec<&Word> = rest.iter().filter(|word| !word.text.starts_with('-')).copied().collect();
    match command {
        "add" | "stage" if given("--dry-run", 'n') => None,
        "add" | "stage" => {
            let all = given("--all", 'A') || given("--no-ignore-removal", 'A');
            // gitglossary(7), "pathspec": what is no plain path may be anything below, and what only leaves out means the
            // rest.
            let is_open = |word: &&Word| word.text.starts_with(':') || word.text.contains(['*', '?', '[', '{']);
            let is_whole = operands.iter().any(is_open);
            let named = if is_whole { Vec::new() } else { operands };
            (all || is_whole || !named.is_empty()).then(|| (named, given("--force", 'f')))
        }
        "stash" if operands.first().is_none_or(|word| ["push", "save"].contains(&word.text.as_str())) => {
            let ignored = given("--all", 'a');
            (ignored || given("--include-untracked", 'u')).then(|| (Vec::new(), ignored))
        }
        "grep" if given("--no-index", '\0') || given("--untracked", '\0') => Some((
            operands.into_iter().skip(1).collect(),
            given("--no-exclude-standard", '\0') || given("--no-index", '\0'),
        )),
        "diff" if given("--no-index", '\0') => Some((operands, true)),
        _ => None,
    }
}

fn shows_patch(words: &[&Word]) -> bool {
    words.iter().take_while(|word| word.text != "--").any(|word| {
        let text = word.text.as_str();
        let short = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        short.is_some_and(|rest| rest.starts_with(['p', 'u', 'U', 'L', 'c', 'W']))
            || (text.len() > 3 && PATCH.iter().any(|option| text.starts_with(option) || option.starts_with(text)))
    })
}
