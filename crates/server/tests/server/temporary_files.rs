//! Temporary files that a session has made are its own: it may write and remove them.

use std::path::Path;

use handraise_protocol::Preset;
use serde_json::json;

use crate::support::{TestServer, start};

/// Whether the call of `session` passes without a person.
async fn passes(server: &TestServer, project: &Path, session: &str, line: &str) -> bool {
    let call = json!({ "tool": "Bash", "arguments": { "command": line }, "cwd": project, "session": session });
    let reply = server.ask("/v1/approvals?wait=0", call).await.body;
    let status = reply["status"].as_str().unwrap_or_default();
    assert!(["approved", "pending"].contains(&status), "{line}: {reply}");
    status == "approved"
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_session_has_made_it_may_write_and_remove() {
    let root = tempfile::Builder::new().prefix("made-").tempdir_in("/tmp").unwrap();
    let server = start(root.path()).await;
    server.server.engine().set_preset(Preset::Workspace).await.unwrap();
    let project = root.path().join("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let (file, folder) = (root.path().join("out.txt"), root.path().join("w"));
    let (write, remove) = (format!("echo a > {}", file.display()), format!("rm {}", file.display()));
    let (make, clear) = (format!("mkdir -p {}/x", folder.display()), format!("rm -rf {}", folder.display()));

    assert!(passes(&server, &project, "s", &write).await, "nothing is there");
    std::fs::write(&file, "a\n").unwrap();
    assert!(!passes(&server, &project, "t", &write).await, "another session's");
    assert!(!passes(&server, &project, "t", &remove).await, "another session's");
    assert!(passes(&server, &project, "s", &write).await);
    assert!(passes(&server, &project, "s", &remove).await);

    assert!(passes(&server, &project, "s", &make).await);
    std::fs::create_dir_all(folder.join("x")).unwrap();
    assert!(passes(&server, &project, "s", &clear).await);
    assert!(!passes(&server, &project, "t", &clear).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_the_place_of_it_is_not() {
    let root = tempfile::Builder::new().prefix("made-").tempdir_in("/tmp").unwrap();
    let server = start(root.path()).await;
    server.server.engine().set_preset(Preset::Workspace).await.unwrap();
    let project = root.path().join("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let (file, other) = (root.path().join("out.txt"), root.path().join("other.txt"));
    std::fs::write(&other, "somebody's").unwrap();
    let write = format!("echo a > {}", file.display());
    assert!(passes(&server, &project, "s", &write).await, "nothing is there");

    std::os::unix::fs::symlink(&other, &file).unwrap();
    assert!(!passes(&server, &project, "s", &write).await, "a link");
    std::fs::remove_file(&file).unwrap();
    std::fs::hard_link(&other, &file).unwrap();
    assert!(!passes(&server, &project, "s", &write).await, "a second name");
    // What was asked about and never ran has made nothing.
    let never = root.path().join("never.txt");
    assert!(!passes(&server, &project, "s", &format!("curl https://example.org -o {}", never.display())).await);
    std::fs::write(&never, "somebody's").unwrap();
    assert!(!passes(&server, &project, "s", &format!("echo a > {}", never.display())).await);
}
