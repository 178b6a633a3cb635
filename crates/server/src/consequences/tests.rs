//! What calls would do, in real repositories, and in hostile ones.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use handraise_policy::{ProcessTree, RequestId};
use handraise_protocol::ApprovalRequest;
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::intake::{RequesterIdentity, Submission, intake};

/// A home folder with a project in it, `work`, that is a repository with two commits.
struct Home {
    _root: tempfile::TempDir,
    path: PathBuf,
}

impl Home {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let home = Self { path: root.path().canonicalize().unwrap(), _root: root };
        fs::create_dir(home.work()).unwrap();
        home.git("init -q -b main");
        home.write("src/a.ts", "a\n");
        home.write("src/b.ts", "b\n");
        home.write("README.md", "read me\n");
        home.git("add .");
        home.commit("First");
        home
    }

    fn work(&self) -> PathBuf {
        self.path.join("work")
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.work().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn commit(&self, message: &str) {
        self.git_with(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    fn git(&self, line: &str) {
        self.git_with(&line.split(' ').collect::<Vec<_>>());
    }

    fn git_with(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "protocol.file.allow=always"]);
        git.args(arguments).current_dir(self.work()).env("HOME", &self.path).env("GIT_CONFIG_NOSYSTEM", "1");
        let done = git.output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    /// A remote called `origin`, to which everything was pushed.
    fn with_remote(self) -> Self {
        self.with_remote_of("--object-format=sha1")
    }

    fn with_remote_of(self, format: &str) -> Self {
        self.git(&format!("init -q --bare {format} ../remote.git"));
        self.git("remote add origin ../remote.git");
        self.git("push -q -u origin main");
        self
    }

    fn all(&self, line: &str) -> Vec<Consequence> {
        let call = ApprovalRequest {
            tool: "shell".into(),
            arguments: json!({ "command": line }).as_object().cloned().unwrap(),
            cwd: Some(self.work().to_str().unwrap().to_owned()),
            ..ApprovalRequest::default()
        };
        self.of(call)
    }

    fn of(&self, call: ApprovalRequest) -> Vec<Consequence> {
        let requester = RequesterIdentity { credential: "tests".into(), is_agent: false };
        let submission = Submission::of_program(call, requester);
        let request = intake(&submission, RequestId(Uuid::nil()), ProcessTree::default()).unwrap();
        consequences(&request, Some(&self.path), &RequestRedactor::new([7; 32]))
    }

    fn told(&self, line: &str) -> Vec<String> {
        self.all(line).into_iter().map(|one| one.sentence).collect()
    }

    fn loses(&self, line: &str) -> bool {
        self.all(line).iter().any(|one| one.loses)
    }
}

/// The seven digits of commits are another each time.
fn without_ids(told: Vec<String>) -> Vec<String> {
    let is_id = |word: &str| word.len() == 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let plain = |text: String| text.split(' ').filter(|word| !is_id(word)).collect::<Vec<_>>().join(" ");
    told.into_iter().map(plain).collect()
}

#[test]
fn what_is_deleted_is_counted_and_held_against_git() {
    let home = Home::new();
    home.write(".env", "secret");
    home.write("notes.md", "notes");
    home.write("src/a.ts", "changed\n");
    home.write("dist/x.js", "0123456789");
    assert_eq!(home.told("rm README.md"), ["Deletes 1 file, 8 bytes; git has it: README.md."]);
    assert!(!home.loses("rm README.md"));
    assert_eq!(home.told("rm *.md"), ["Deletes 2 files, 13 bytes; git does not have 1 of them: notes.md."]);
    assert!(home.loses("rm *.md"));
    assert_eq!(
        home.told("rm -rf src"),
        ["Deletes 2 files in 1 folder, 10 bytes; git has 1 of them with other content: src/a.ts."]
    );
    assert_eq!(home.told("rm -r dist"), ["Deletes 1 file in 1 folder, 10 bytes; git does not have it: dist/x.js."]);
    // rm(1) removes no folder without `-r`, and a shell finds no dotfile by `*`.
    assert_eq!(home.told("rm *"), ["Deletes 2 files, 13 bytes; git does not have 1 of them: notes.md."]);
    assert_eq!(home.told("rm -f none"), ["Finds no such file."]);
    assert_eq!(
        home.told("git add -A && rm .env"),
        ["Deletes 1 file, 6 bytes; git does not have it: .env (as it is now)."]
    );
    // A file with a dash in front would be read as an option.
    home.write("-rf", "");
    assert_eq!(home.told("rm *"), Vec::<String>::new());
    assert_eq!(home.all("rm ./*").len(), 1);
}

#[test]
fn what_is_moved_over_is_told() {
    let home = Home::new();
    home.write("notes.md", "notes");
    assert_eq!(home.told("mv notes.md new.md"), ["Moves 1 file, 5 bytes: notes.md."]);
    assert_eq!(home.told("mv notes.md README.md"), ["Overwrites 1 file, 8 bytes; git has it: README.md."]);
    home.write("src/notes.md", "other");
    assert_eq!(home.told("mv notes.md src"), ["Overwrites 1 file, 5 bytes; git does not have it: src/notes.md."]);
    assert!(home.loses("mv notes.md src"));
    assert_eq!(
        home.told("chmod -R 777 src"),
        ["Changes the rights of 3 files in 1 folder, 9 bytes: src/a.ts, src/b.ts, src/notes.md."]
    );
}

#[test]
fn what_is_published_is_told_by_its_commits() {
    let home = Home::new().with_remote();
    assert_eq!(home.told("git push"), ["Changes nothing: main on origin has all of it already."]);
    home.commit("Fix tax rounding");
    home.commit("Add a test for it");
    let published = "Publishes 2 commits to main on origin: Add a test for it, Fix tax rounding.";
    for line in ["git push", "git push origin main", "git push origin HEAD", "git push -u origin HEAD:main"] {
        assert_eq!(without_ids(home.told(line)), [published], "{line}");
        assert!(!home.loses(line));
    }
    let made =
        "Makes the branch topic on origin, with 2 commits that are new there: Add a test for it, Fix tax rounding.";
    assert_eq!(without_ids(home.told("git push origin main:topic")), [made]);
    home.git("push -q");
    home.git("reset -q --hard HEAD~1");
    home.commit("Another way");
    assert_eq!(
        without_ids(home.told("git push --force")),
        [
            "Takes 1 commit away from main on origin: Add a test for it.",
            "Publishes 1 commit to main on origin: Another way."
        ]
    );
    assert!(home.loses("git push --force") && home.loses("git push origin +main") && !home.loses("git push"));
    let refused =
        "main on origin was last seen with 1 commit that this lacks, so the push would be refused: Add a test for it.";
    assert_eq!(without_ids(home.told("git push"))[0], refused);
    let deleted = "Deletes the branch main on origin, with 3 commits that no other branch there has: \
        Add a test for it, Fix tax rounding, First.";
    assert_eq!(without_ids(home.told("git push origin :main")), [deleted]);
}

#[test]
fn the_host_of_a_remote_is_told_where_no_setting_rewrites_it() {
    let home = Home::new().with_remote();
    home.commit("New");
    home.git("remote set-url origin git@github.com:ann/shopfront.git");
    assert!(home.told("git push")[0].contains("to main on origin (github.com):"));
    home.git("config url.https://evil.example/.insteadOf git@github.com:");
    assert!(home.told("git push")[0].contains("to main on origin:"));
}

#[test]
fn nothing_is_told_of_a_push_that_settings_make_another() {
    for setting in [
        "push.default matching",
        "remote.origin.push refs/heads/*:refs/heads/x/*",
        "remote.origin.mirror true",
        "remote.pushDefault elsewhere",
        "remote.origin.fetch +refs/heads/*:refs/other/*",
    ] {
        let home = Home::new().with_remote();
        home.commit("New");
        assert_eq!(home.told("git push").len(), 1);
        home.git(&format!("config {setting}"));
        assert_eq!(home.told("git push"), Vec::<String>::new(), "{setting}");
    }
}

#[test]
fn what_a_reset_takes_back_is_told() {
    let home = Home::new();
    assert_eq!(home.told("git reset --hard"), ["No file has changes that it would take back."]);
    home.write("src/a.ts", "changed\n");
    home.write("new.ts", "staged\n");
    home.git("add new.ts");
    home.write("untracked.ts", "stays\n");
    let told = "Takes back changes to 2 files that are in no commit: new.ts, src/a.ts.";
    assert_eq!(home.told("git reset --hard"), [told]);
    assert_eq!(home.told("git reset --hard HEAD"), [told]);
    assert_eq!(home.told("git checkout ."), ["Takes back changes to 1 file that are in no commit: src/a.ts."]);
    assert_eq!(home.told("git restore src/b.ts"), ["No file has changes that it would take back."]);
    assert_eq!(home.told("git checkout -- src"), ["Takes back changes to 1 file that are in no commit: src/a.ts."]);
    home.git("commit -qam Second");
    assert_eq!(
        without_ids(home.told("git reset --hard HEAD~1"))[1..],
        ["Leaves 1 commit on no branch or tag: Second."]
    );
    home.git("branch kept");
    assert_eq!(home.told("git reset --hard HEAD~1").len(), 1);
}

#[test]
fn what_clean_deletes_is_what_git_would() {
    let home = Home::new();
    home.write(".gitignore", "*.log\n/build/\n!keep.log\nnode_modules/\nsrc/*.tmp\n");
    home.git("add .gitignore");
    for name in [
        "a.log",
        "keep.log",
        "src/x.log",
        "src/x.tmp",
        "build/out",
        "src/build/out",
        "node_modules/m/index.js",
        "src/node_modules/n.js",
        "new.ts",
        "lib/deep/new.ts",
        "lib/new.log",
        "src/new.ts",
    ] {
        home.write(name, "x");
    }
    home.write("src/.gitignore", "!x.tmp\nbuild\n");
    fs::create_dir_all(home.path.join(".config/git")).unwrap();
    fs::write(home.path.join(".config/git/ignore"), "new.log\n").unwrap();
    fs::create_dir(home.work().join("lib/own")).unwrap();
    home.git("init -q lib/own");
    home.write("lib/own/file", "x");
    for options in ["-f", "-fd", "-fx", "-fdx"] {
        let mut git = Command::new("git");
        git.args(["clean", &format!("{options}n")]).current_dir(home.work()).env("HOME", &home.path);
        let output = String::from_utf8(git.output().unwrap().stdout).unwrap();
        let mut named: Vec<String> = Vec::new();
        for line in output.lines().filter_map(|line| line.strip_prefix("Would remove ")) {
            let place = home.work().join(line);
            if place.is_dir() { files_in(&place, &home.work(), &mut named) } else { named.push(line.to_owned()) }
        }
        named.sort();
        let told = home.all(&format!("git clean {options}"));
        let count = format!("Deletes {} files", named.len());
        assert!(told[0].sentence.starts_with(&count), "{options}: {named:?}, {told:?}");
        assert_eq!(told[0].names, named, "{options}");
    }
}

fn files_in(folder: &Path, top: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files_in(&entry, top, found);
        } else {
            found.push(entry.strip_prefix(top).unwrap().to_str().unwrap().to_owned());
        }
    }
}

#[test]
fn what_stashes_and_branches_hold_is_told() {
    let home = Home::new();
    home.write("src/a.ts", "one\n");
    home.git("stash push -q -m one");
    home.write("src/a.ts", "two\n");
    home.git("stash push -q -m two");
    assert_eq!(home.told("git stash drop"), ["Forgets 1 stash: On main: two."]);
    assert_eq!(home.told("git stash drop stash@{1}"), ["Forgets 1 stash: On main: one."]);
    assert_eq!(home.told("git stash clear"), ["Forgets 2 stashes: On main: two, On main: one."]);
    home.git("checkout -q -b topic");
    home.commit("Only here");
    home.git("checkout -q main");
    assert_eq!(without_ids(home.told("git branch -D topic")), ["Leaves 1 commit on no branch or tag: Only here."]);
    home.git("tag kept topic");
    assert_eq!(home.told("git branch -D topic"), ["Loses no commit: each is also on another branch or tag."]);
}

#[test]
fn scripts_around_an_installation_are_told() {
    let home = Home::new();
    home.write("package.json", r#"{"scripts":{"postinstall":"node x.js","test":"vitest","prepare":"husky"}}"#);
    let told = "Runs 2 scripts of package.json: postinstall: node x.js, prepare: husky.";
    assert_eq!(home.told("npm install"), [told]);
    assert_eq!(home.told("cd src && npm ci"), [told]);
    assert_eq!(home.told("npm install --ignore-scripts"), Vec::<String>::new());
    home.write(".npmrc", "ignore-scripts=true\n");
    assert_eq!(home.told("npm install"), Vec::<String>::new());
}

#[test]
fn where_an_address_leads_is_told() {
    let home = Home::new();
    let fetch = |url: &str| {
        let arguments = json!({ "url": url }).as_object().cloned().unwrap();
        home.of(ApprovalRequest {
            tool: "fetch".into(),
            server: Some("web".into()),
            arguments,
            ..ApprovalRequest::default()
        })
    };
    assert_eq!(fetch("https://docs.rs/x")[0].sentence, "Leads to docs.rs.");
    let told = fetch("https://github.com@p\u{430}ypal.com/x")[0].sentence.clone();
    assert!(told.starts_with("Leads to xn--pypal-4ve.com, written as "), "{told}");
    assert!(told.contains("github.com in front of it is only a name to sign in with"), "{told}");
}

/// Packed and deltified objects, packed names, a linked worktree, a shallow clone and other forms of the index.
#[test]
fn other_ways_to_keep_a_repository_tell_the_same() {
    let published = "Publishes 1 commit to main on origin: Change one line.";
    let lines = |changed: &str| (0..400).map(|number| format!("line {number} {changed}\n")).collect::<String>();
    let made = |format: &str| {
        let home = Home::new();
        fs::remove_dir_all(home.work().join(".git")).unwrap();
        home.git(&format!("init -q -b main {format}"));
        home.write("long.txt", &lines(""));
        home.git("add .");
        home.commit("Long");
        let home = home.with_remote_of(format);
        home.write("long.txt", &lines("").replace("line 200", "line two hundred"));
        home.git("commit -qam Change_one_line");
        home.git_with(&["commit", "-q", "--amend", "-m", "Change one line"]);
        home
    };
    let home = made("--object-format=sha1");
    home.git("gc -q --aggressive --prune=now");
    assert!(!home.work().join(".git/refs/heads/main").exists());
    assert_eq!(without_ids(home.told("git push")), [published]);
    home.write("long.txt", "other");
    assert_eq!(home.told("git reset --hard"), ["Takes back changes to 1 file that are in no commit: long.txt."]);
    home.git("update-index --index-version 4");
    assert_eq!(home.told("rm README.md"), ["Deletes 1 file, 8 bytes; git has it: README.md."]);
    // A linked worktree.
    home.git("worktree add -q ../work2 -b topic");
    fs::write(home.path.join("work2/README.md"), "other").unwrap();
    let told = home.told("cd ../work2 && git reset --hard");
    assert_eq!(told, ["Takes back changes to 1 file that are in no commit: README.md."]);
    let home = made("--object-format=sha256");
    assert_eq!(without_ids(home.told("git push")), [published]);
    assert_eq!(home.told("rm README.md"), ["Deletes 1 file, 8 bytes; git has it: README.md."]);
}

/// Settings that make git run something, and attributes that make it change what files hold: nothing runs.
#[test]
fn a_hostile_repository_runs_nothing() {
    let home = Home::new().with_remote();
    let mark = home.path.join("ran");
    let run = format!("touch {}", mark.display());
    home.write(".gitattributes", "* filter=evil diff=evil\n");
    for setting in [
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.textconv",
        "diff.external",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "uploadpack.packObjectsHook",
        "credential.helper",
        "gpg.program",
        "core.alternateRefsCommand",
    ] {
        home.git_with(&["config", setting, &run]);
    }
    for hook in ["pre-push", "post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"] {
        let file = home.work().join(".git/hooks").join(hook);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, format!("#!/bin/sh\n{run}\n")).unwrap();
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    home.write("src/a.ts", "changed\n");
    for line in
        ["git push --force", "git reset --hard", "git clean -fdx", "rm -rf src", "git checkout .", "git branch -D main"]
    {
        let _ = home.all(line);
        assert!(!mark.exists(), "{line}");
    }
    // The attack works: git itself runs what is set.
    let mut git = Command::new("git");
    git.args(["status"]).current_dir(home.work()).env("HOME", &home.path).output().unwrap();
    assert!(mark.exists());
}

#[test]
fn what_cannot_be_known_is_not_told() {
    let home = Home::new().with_remote();
    home.commit("New");
    let none = Vec::<String>::new();
    // Objects that another repository keeps.
    fs::create_dir_all(home.work().join(".git/objects/info")).unwrap();
    fs::write(home.work().join(".git/objects/info/alternates"), home.path.join("remote.git/objects").to_str().unwrap())
        .unwrap();
    home.git("repack -adlq");
    assert_eq!(home.told("git push"), none);
    // What is told of files alone stays.
    assert_eq!(home.told("rm README.md"), ["Deletes 1 file, 8 bytes; git has it: README.md."]);
    for (file, text, lines) in [
        (".git/HEAD", "ref: ../../../etc/passwd\n", &["git push", "git reset --hard", "git branch -D main"][..]),
        (".git/HEAD", "ref: refs/heads/../../../../x\n", &["git push", "git reset --hard", "git branch -D main"]),
        (
            ".git/config",
            "[core]\n\tworktree = /\n",
            &["git push", "git reset --hard", "git branch -D main", "git clean -f"],
        ),
        (
            ".git/index",
            "DIRC\0\0\0\u{2}\u{7f}\u{7f}\u{7f}\u{7f}",
            &["git reset --hard", "git clean -f", "git checkout ."],
        ),
        (".git/packed-refs", "not a name\n", &["git push", "git branch -D main"]),
        (".git/info/grafts", "", &["git push", "git branch -D main"]),
    ] {
        let home = Home::new().with_remote();
        home.commit("New");
        home.write(file, text);
        for line in lines {
            assert_eq!(home.told(line), none, "{file} {line}");
        }
    }
}

/// Replaced objects count to some commands of git; what is pushed is what there is.
#[test]
fn replaced_commits_are_not_followed() {
    let home = Home::new().with_remote();
    home.commit("Real");
    home.git("checkout -q --orphan other");
    home.commit("Made up");
    home.git("checkout -q main");
    home.git("replace main other");
    assert_eq!(without_ids(home.told("git push")), ["Publishes 1 commit to main on origin: Real."]);
}

#[test]
fn links_are_not_followed_and_loops_end() {
    let home = Home::new();
    fs::create_dir(home.path.join("outside")).unwrap();
    fs::write(home.path.join("outside/precious"), "0123456789").unwrap();
    fs::create_dir(home.work().join("links")).unwrap();
    symlink(home.path.join("outside"), home.work().join("links/out")).unwrap();
    symlink("..", home.work().join("links/up")).unwrap();
    symlink("self", home.work().join("links/self")).unwrap();
    symlink(home.path.join("outside"), home.work().join("direct")).unwrap();
    let told = home.told("rm -rf links");
    assert!(told[0].starts_with("Deletes 3 files in 1 folder"), "{told:?}");
    let told = home.told("rm -rf direct");
    assert!(told[0].starts_with("Deletes 1 file,") && told[0].ends_with("git does not have it: direct."), "{told:?}");
    // With a slash behind it, it is the folder.
    let told = home.told("rm -rf direct/*");
    assert_eq!(
        told,
        ["Deletes 1 file, 10 bytes: ".to_owned() + home.path.join("outside/precious").to_str().unwrap() + "."]
    );
}

#[test]
fn a_huge_folder_is_counted_only_so_far() {
    let home = Home::new();
    for number in 0..101 {
        let folder = home.work().join(format!("many/{number}"));
        fs::create_dir_all(&folder).unwrap();
        for file in 0..101 {
            fs::write(folder.join(file.to_string()), "").unwrap();
        }
    }
    let told = home.all("rm -rf many");
    assert!(told[0].sentence.starts_with("Deletes more than "), "{told:?}");
    assert!(told[0].names.len() <= 50 && told[0].more > 9_000);
}

#[test]
fn a_repository_in_a_folder_is_told() {
    let home = Home::new();
    home.git("init -q inner");
    home.write("inner/x", "x");
    let told = home.told("rm -rf inner");
    assert!(told[0].contains("; 1 git repository among them"), "{told:?}");
    assert!(!told[0].contains("git does not have"), "{told:?}");
    let told = home.told("rm -rf .git");
    assert!(told[0].contains("; 1 git repository among them") && home.loses("rm -rf .git"), "{told:?}");
}

/// Commits whose times an agent has made up: none that is published is left out.
#[test]
fn no_commit_is_hidden_by_its_time() {
    let home = Home::new().with_remote();
    for (number, time) in ["2000-01-01T00:00:00Z", "2037-01-01T00:00:00Z", "1980-01-01T00:00:00Z"].iter().enumerate() {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "-q", "--allow-empty", "-m"]);
        git.arg(format!("Number {number}")).current_dir(home.work()).env("GIT_COMMITTER_DATE", time);
        assert!(git.output().unwrap().status.success());
    }
    let told = without_ids(home.told("git push")).join(" ");
    assert!((0..3).all(|number| told.contains(&format!("Number {number}"))), "{told}");
}
