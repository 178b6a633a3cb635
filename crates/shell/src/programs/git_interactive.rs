//! Calls of git that can be typed into.

use super::interactive::Interactive;

/// Sub-commands that open an editor where nothing says what to write: git-commit(1), git-merge(1), git-tag(1), git-notes(1).
const EDITORS: &[(&str, &[&str])] = &[
    (
        "commit",
        &[
            "-m",
            "--message",
            "-F",
            "--file",
            "-C",
            "--reuse-message",
            "--no-edit",
            "--fixup",
            "--dry-run",
            "--short",
            "--porcelain",
        ],
    ),
    (
        "merge",
        &["-m", "--message", "-F", "--file", "--no-edit", "--ff-only", "--no-commit", "--squash", "--abort", "--quit"],
    ),
    ("pull", &["--no-edit", "--ff-only", "--rebase", "-r", "--no-commit", "--squash", "--dry-run"]),
    ("revert", &["--no-edit", "-n", "--no-commit", "--abort", "--quit"]),
    ("notes add", &["-m", "--message", "-F", "--file", "-C", "--reuse-message"]),
    ("notes append", &["-m", "--message", "-F", "--file", "-C", "--reuse-message"]),
    ("tag -a", &["-m", "--message", "-F", "--file"]),
    ("tag -s", &["-m", "--message", "-F", "--file"]),
];

pub(super) const GIT_INTERACTIVE: &[Interactive] = &[
    Interactive::As(&[
        &["rebase", "-i"],
        &["rebase", "--interactive"],
        &["add", "-e"],
        &["config", "-e"],
        &["config", "--edit"],
        &["mergetool"],
        &["difftool"],
        // `e` at one of their questions opens an editor.
        &["add", "-i", "-p", "--patch", "--edit"],
        &["commit", "-p", "--patch", "--interactive"],
        &["stash", "-p", "--patch"],
        &["checkout", "-p", "--patch"],
        &["reset", "-p", "--patch"],
        &["restore", "-p", "--patch"],
        &["commit", "-e", "--edit"],
        &["merge", "-e", "--edit"],
        &["branch", "--edit-description"],
        &["replace", "--edit"],
        &["notes", "edit"],
        &["rebase", "--continue"],
        &["cherry-pick", "-e", "--edit", "--continue"],
        &["am", "-i", "--interactive"],
    ]),
    Interactive::Editor(EDITORS),
];
