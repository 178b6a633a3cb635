//! Files that decide who decides, reached through the real file system.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{TestServer, start};

/// What is said about writing `path` in a call from `cwd`.
async fn write(server: &TestServer, cwd: &Path, path: &str) -> Value {
    evaluate(server, cwd, "Write", json!({ "file_path": path, "content": "x" })).await
}

async fn run(server: &TestServer, cwd: &Path, command: &str) -> Value {
    evaluate(server, cwd, "Bash", json!({ "command": command })).await
}

async fn evaluate(server: &TestServer, cwd: &Path, tool: &str, arguments: Value) -> Value {
    let call = json!({ "tool": tool, "arguments": arguments, "cwd": cwd });
    let reply = server.ask("/v1/evaluate", call).await;
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    reply.body["action"].clone()
}

/// A server that lets everything pass, and a project folder.
async fn open_server(root: &Path) -> (TestServer, std::path::PathBuf) {
    let server = start(root).await;
    server.server.engine().set_preset(handraise_protocol::Preset::Autonomous).await.unwrap();
    let project = root.canonicalize().unwrap().join("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    (server, project)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_policy_gives_the_gates_own_files_away() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = open_server(root.path()).await;
    assert_eq!(write(&server, &project, "notes.txt").await, "allow");
    let policy = server.folders.policy_file();
    for path in [policy.to_str().unwrap(), "../config/policy.toml", "../data/confirmed-policy.toml"] {
        assert_eq!(write(&server, &project, path).await, "deny", "{path}");
    }
    assert_eq!(run(&server, &project, "echo x > ../config/policy.toml").await, "deny");
    assert_eq!(run(&server, &project, "cp evil.toml ../config/policy.toml").await, "deny");
    let token = evaluate(&server, &project, "Read", json!({ "file_path": "../config/tokens/default.token" })).await;
    assert_eq!(token, "deny");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_settings_of_an_agent_are_asked_about_in_every_project() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = open_server(root.path()).await;
    assert_eq!(write(&server, &project, ".claude/settings.local.json").await, "ask");
    assert_eq!(write(&server, &project, "sub/.cursor/hooks.json").await, "ask");
    assert_eq!(write(&server, &project, ".claude/notes.md").await, "allow");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn another_name_of_a_protected_file_is_the_same_file() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = open_server(root.path()).await;
    let policy = server.folders.policy_file();
    std::fs::hard_link(&policy, project.join("hard.txt")).unwrap();
    std::os::unix::fs::symlink(&policy, project.join("soft.txt")).unwrap();
    std::os::unix::fs::symlink(&server.folders.config, project.join("folder")).unwrap();
    for path in ["hard.txt", "soft.txt", "folder/policy.toml", "folder/new.toml", "folder/../data/audit.sqlite3"] {
        assert_eq!(write(&server, &project, path).await, "deny", "{path}");
        assert_eq!(run(&server, &project, &format!("echo x > {path}")).await, "deny", "> {path}");
    }
    // The file behind a name is looked up anew for each call.
    std::fs::remove_file(project.join("hard.txt")).unwrap();
    std::fs::write(project.join("hard.txt"), "mine").unwrap();
    assert_eq!(write(&server, &project, "hard.txt").await, "allow");
    std::fs::rename(project.join("soft.txt"), project.join("renamed.txt")).unwrap();
    assert_eq!(write(&server, &project, "renamed.txt").await, "deny");
}
