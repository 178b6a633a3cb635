//! What the disk said before the line began, and a part of the line changes.

use super::*;
use crate::project_code::{CodeSetting, CodeSource, ProjectAnswer, ProjectQuestion};

const WORKSPACE: &str = "preset = \"workspace\"";
const AUTONOMOUS: &str = "preset = \"autonomous\"";
/// Ways to bring files of which the line says no names.
const BRINGS: &[&str] = &[
    "git switch -q evil",
    "git checkout evil",
    "git merge evil",
    "git pull --ff-only",
    "git cherry-pick evil",
    "git stash pop",
    "git checkout -b t origin/evil",
    "git clone https://example.org/x n",
    "tar xf x.tar",
    "unzip x.zip",
];

fn decided(preset: &str, line: &str) -> (Action, String) {
    let decision = policy(&format!("version = 1\n{preset}")).decide(&shell(line), at(0));
    (decision.action, decision.why)
}

/// The same, where nothing is in the folder `missing` of the project, and `folder` is one.
fn decided_where(preset: &str, line: &str, missing: &str, folder: &str) -> Action {
    let [missing, folder] = [missing, folder].map(|name| format!("{PROJECT}/{name}"));
    let request = resolved(shell(line), |path| {
        let is_missing = handraise_shell::path::is_within(path, &missing);
        let missing_from = is_missing.then(|| missing.clone());
        ResolvedPath { is_missing, missing_from, is_folder: path == folder, ..ResolvedPath::new(path) }
    });
    policy(&format!("version = 1\n{preset}")).decide(&request.in_plain_project(), at(0)).action
}

#[test]
fn behind_files_that_nobody_has_seen_no_path_leads_where_it_led() {
    for preset in [WORKSPACE, AUTONOMOUS] {
        for brings in BRINGS {
            for then in [
                "cat k",
                "cat < k",
                "head -n 5 k | wc",
                "rg x out",
                "echo x > out/a.txt",
                "mkdir -p out/x",
                "cd out && cat k",
            ] {
                let line = format!("{brings} && {then}");
                let (action, why) = decided(preset, &line);
                assert_ne!(action, Action::Allow, "{preset}: {line}: {why}");
            }
        }
    }
    for line in ["mv d e && cat e/k", "cp -r d e && cat e/k", "git worktree add t evil && cat t/k"] {
        assert_ne!(decided_where(AUTONOMOUS, line, "none", "d"), Action::Allow, "{line}");
    }
}

#[test]
fn behind_files_that_nobody_has_seen_a_project_may_make_anything_run() {
    for brings in BRINGS {
        for then in [
            "git -C n.git status",
            "cd src && git status",
            "python3 -c 'import json,sys; print(1)'",
            "cargo --version",
            "npm ls",
        ] {
            let line = format!("{brings} && {then}");
            let (action, why) = decided(WORKSPACE, &line);
            assert_ne!(action, Action::Allow, "{line}: {why}");
        }
    }
    assert_ne!(decided(WORKSPACE, "git worktree add ../t evil && cd ../t && cargo --version").0, Action::Allow);
    // An archive may hold a `.git/config`; a branch does not.
    assert_ne!(decided(WORKSPACE, "tar xf x.tar && git status").0, Action::Allow);
    // There what the project's code does is not judged.
    for line in ["git switch evil && cargo --version", "git pull && npm run build && make test && git status"] {
        assert_eq!(decided(AUTONOMOUS, line).0, Action::Allow, "{line}");
    }
}

#[test]
fn a_repository_that_the_line_builds_is_none_that_was_looked_at() {
    for line in [
        "mkdir -p n7/objects n7/refs && printf 'ref: refs/heads/m\\n' > n7/HEAD && printf x > n7/config && git -C n7 status",
        "mkdir -p n7 && cp -r fixtures/. n7 && git -C n7 status",
        "mkdir -p n7 && cp fixtures/config n7/ && cd n7 && git status",
        "mv fixtures n7 && cd n7 && git log",
        "mkdir -p n7/.cargo && cp x n7/.cargo/config.toml && cd n7 && cargo metadata",
        "mv fixtures n7 && cd n7 && cargo --version",
    ] {
        assert_ne!(decided_where(WORKSPACE, line, "n7", "none"), Action::Allow, "{line}");
    }
    // In a folder that was there.
    for line in [
        "cp a n7/config && git -C n7 status",
        "tee n7/hooks/post-index-change < a && git -C n7 status",
        "cp -r a n7 && git -C n7/b status",
        "mv a n7 && git -C n7 status",
    ] {
        assert_ne!(decided_where(WORKSPACE, line, "none", "n7"), Action::Allow, "{line}");
    }
    assert_eq!(decided_where(WORKSPACE, "mkdir -p n7 && cd n7 && git status", "n7", "none"), Action::Allow);
    assert_eq!(decided(WORKSPACE, "echo x > src/a.txt && git -C src status").0, Action::Allow);
}

/// `include.path = ../x.cfg`: another branch may hold another one.
#[test]
fn settings_that_lie_in_the_project_are_others_behind_a_branch() {
    let include = crate::project_code::read_git_config("[include] path = ../x.cfg").unwrap().remove(0);
    let source = CodeSource { file: format!("{PROJECT}/.git/config"), what: CodeSetting::Git(include) };
    let decided = |line: &str| {
        let request = shell(line);
        let answer = |question: ProjectQuestion| {
            let mut answer = request.project_code.get(&question).cloned().unwrap();
            if let ProjectAnswer::Looked(found) = &mut answer
                && found.repository.is_some()
            {
                found.sources.push(source.clone());
            }
            (question, answer)
        };
        let project_code = request.project_questions().into_iter().map(answer).collect();
        let request = Request { project_code, ..request };
        by(WORKSPACE, &request)
    };
    assert_eq!(decided("git status"), Action::Allow);
    assert_ne!(decided("git stash pop && git status"), Action::Allow);
    assert_eq!(decided("git add -A && git status"), Action::Allow);
}

#[test]
fn a_file_by_which_git_takes_a_folder_for_a_repository_is_no_ordinary_one() {
    assert_eq!(by(WORKSPACE, &write("n7/HEAD")), Action::Ask);
    assert_eq!(by(WORKSPACE, &shell("echo x > n7/HEAD")), Action::Ask);
}

/// A clone may bring `HEAD` and `config` of a repository, which is none without two folders.
#[test]
fn behind_what_completes_a_repository_git_may_run_anything() {
    for line in [
        "mkdir -p sub/objects sub/refs && git -C sub status",
        "mkdir sub/objects sub/refs; cd sub && git status",
        "cd sub && mkdir -p objects refs; git log",
        "mkdir sub/refs && git -C sub diff",
        "cp -r src sub/objects; git -C sub status",
        "mkdir sub/.git && git -C sub status",
    ] {
        let (action, why) = decided(WORKSPACE, line);
        assert_ne!(action, Action::Allow, "{line}: {why}");
    }
    let (action, why) = decided(WORKSPACE, "mkdir -p src/objects && git status");
    assert_eq!(action, Action::Allow, "{why}");
}

#[test]
fn what_is_written_every_day_passes() {
    for line in [
        "git switch x && git status",
        "git pull --ff-only && git log -3 --oneline | head -5",
        "git switch main && git pull --ff-only",
        "git switch main && git pull --ff-only && git switch -c topic",
        "git stash pop && git status",
        "git merge x && git diff --stat",
        "git stash && git switch main && git stash pop && git status --short",
        "git cherry-pick x && git log --oneline -1",
        "git switch -c topic && echo x > src/a.txt && git add src/a.txt && git commit -m x",
        "git checkout -b topic && cat src/a.rs",
        "git fetch origin && cat README.md && git status",
        "git add -A && git commit -m x && cat README.md",
        "git switch main && ls src && echo done",
        "mv a.txt b.txt && cat b.txt",
        "git worktree add ../t topic && git status && cat README.md",
        "cp a.txt b.txt && cat b.txt && git status",
        "echo x > a.txt && cat a.txt && git status && cargo --version",
        "sed -i s/a/b/ src/a.rs && git diff src/a.rs",
        "mkdir -p src/new && echo x > src/new/a.txt && git status",
        "git switch x && cat /usr/share/doc/a",
        "git reset HEAD src/a.rs && cat src/a.rs",
    ] {
        let (action, why) = decided(WORKSPACE, line);
        assert_eq!(action, Action::Allow, "{line}: {why}");
    }
}
