//! Settings of agents that git takes from a commit are asked about as if the call had written them.

use std::path::Path;

use serde_json::json;

use crate::support::{TestServer, start};

/// Part of the sentence about settings of agents.
const SETTINGS: &str = "how an agent is watched";

fn git(folder: &Path, arguments: &[&str]) {
    let mut git = std::process::Command::new("git");
    git.args(["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "init.defaultBranch=main"]);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("GIT_DIR");
    let output = git.args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

/// A server that lets everything pass that no protection asks about.
async fn open(root: &Path) -> TestServer {
    let server = start(&root.join("handraise")).await;
    let policy = server.get("/v1/policy").await;
    let text = "version = 1\npreset = \"autonomous\"\n[[rule]]\npattern = \"*\"\naction = \"allow\"\n";
    let put = server.put("/v1/policy", policy["etag"].as_str().unwrap(), json!({ "text": text })).await;
    assert_eq!(put.status, 200, "{:?}", put.body);
    server
}

/// `why`: what is said about each.
async fn answers(server: &TestServer, project: &Path, lines: &[&str], expected: &str, why: &str) {
    for line in lines {
        let request = json!({ "tool": "Bash", "arguments": { "command": line }, "cwd": project });
        let reply = server.ask("/v1/evaluate", request).await;
        assert_eq!(reply.body["action"], expected, "{line}: {:?}", reply.body);
        assert!(reply.body["explanation"].as_str().unwrap().contains(why), "{line}: {:?}", reply.body);
    }
}

/// A script that may write the repository makes the branch there: no file of the project changes, so that walls see nothing.
fn plant(project: &Path) {
    let settings = ".claude/settings.json";
    git(project, &["switch", "-q", "-c", "evil"]);
    std::fs::create_dir(project.join(".claude")).unwrap();
    std::fs::write(project.join(settings), "{\"hooks\": {}}").unwrap();
    git(project, &["add", "-f", settings]);
    git(project, &["commit", "-q", "-m", "settings"]);
    git(project, &["switch", "-q", "main"]);
    assert!(!project.join(settings).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_git_would_check_out_are_asked_about() {
    let root = tempfile::tempdir().unwrap();
    let server = open(root.path()).await;
    let project = root.path().canonicalize().unwrap().join("project");
    std::fs::create_dir(&project).unwrap();
    git(&project, &["init", "-q"]);
    std::fs::write(project.join("a.txt"), "a\n").unwrap();
    git(&project, &["add", "a.txt"]);
    git(&project, &["commit", "-q", "-m", "one"]);
    git(&project, &["branch", "topic"]);
    plant(&project);
    git(&project, &["update-ref", "refs/remotes/origin/theirs", "evil"]);
    git(&project, &["tag", "release", "evil"]);

    let bring = [
        "git switch evil",
        "git switch theirs",
        "git switch -c new evil",
        "git checkout evil",
        "git checkout -b new evil",
        "git checkout release",
        "git -C . merge --ff-only evil",
        "git -c user.name=x merge --no-edit origin/theirs",
        "git cherry-pick evil",
        "git revert -n evil",
        "cd . && git merge -q --no-edit evil",
        "ls; git checkout evil && ls",
    ];
    answers(&server, &project, &bring, "ask", SETTINGS).await;
    // What nobody here can tell.
    let untold = ["git switch -", "git merge --ff-only FETCH_HEAD", "git cherry-pick main..evil"];
    answers(&server, &project, &untold, "ask", "cannot be told").await;
    let id = |name: &str| {
        let mut git = std::process::Command::new("git");
        let output = git.args(["rev-parse", "--short=7", name]).current_dir(&project).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let (evil, topic) = (id("evil"), id("topic"));
    for is_packed in [false, true] {
        if is_packed {
            git(&project, &["gc", "-q"]);
        }
        let lines =
            [format!("git checkout {evil}"), format!("git cherry-pick {evil}"), format!("git revert -n {evil}")];
        answers(&server, &project, &lines.each_ref().map(String::as_str), "ask", SETTINGS).await;
        let lines =
            [format!("git checkout {topic}"), format!("git cherry-pick {topic}"), "git checkout abcdef1".to_owned()];
        answers(&server, &project, &lines.each_ref().map(String::as_str), "allow", "").await;
    }
    let other = [
        "git switch topic",
        "git switch -c new",
        "git checkout main",
        "git merge --ff-only topic",
        "git stash",
        "git stash pop",
    ];
    answers(&server, &project, &other, "allow", "").await;

    // `git stash` brings back what is committed, and `git stash pop` what was put away.
    git(&project, &["update-ref", "refs/heads/main", "evil"]);
    git(&project, &["reset", "-q", "HEAD"]);
    answers(&server, &project, &["git stash", "git stash push -m x"], "ask", SETTINGS).await;
    git(&project, &["stash", "-q"]);
    answers(&server, &project, &["git stash"], "allow", "").await;
    std::fs::write(project.join(".claude/settings.json"), "{}").unwrap();
    git(&project, &["stash", "-q"]);
    answers(&server, &project, &["git stash pop", "git stash apply"], "ask", SETTINGS).await;
    answers(&server, &project, &["git switch evil", "git merge --ff-only evil"], "allow", "").await;
}
