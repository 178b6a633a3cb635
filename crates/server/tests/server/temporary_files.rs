//! Temporary files that a session has made are its own: it may write and remove them.

use std::path::{Path, PathBuf};

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

/// Names directly in `/tmp` that nothing has; what has them in the end is removed.
struct Names(Vec<PathBuf>);

impl Names {
    fn new(names: &[&str]) -> Self {
        let name = |name: &&str| PathBuf::from(format!("/tmp/made-{}-{name}", uuid::Uuid::now_v7()));
        Self(names.iter().map(name).collect())
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        for path in &self.0 {
            let _ = std::fs::remove_dir_all(path).or_else(|_| std::fs::remove_file(path));
        }
    }
}

async fn workspace(root: &Path) -> (TestServer, PathBuf) {
    let server = start(root).await;
    server.server.engine().set_preset(Preset::Workspace).await.unwrap();
    let project = root.join("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    (server, project)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_session_has_made_it_may_write_and_remove() {
    let root = tempfile::tempdir_in("/var/tmp").unwrap();
    let (server, project) = workspace(root.path()).await;
    let names = Names::new(&["out.txt", "w"]);
    let [file, folder] = names.0.as_slice() else { panic!("two names") };
    let (write, remove) = (format!("echo a > {}", file.display()), format!("rm {}", file.display()));
    let (make, clear) = (format!("mkdir -p {}/x", folder.display()), format!("rm -rf {}", folder.display()));

    assert!(passes(&server, &project, "s", &write).await, "nothing is there");
    std::fs::write(file, "a\n").unwrap();
    assert!(!passes(&server, &project, "t", &write).await, "another session's");
    assert!(!passes(&server, &project, "t", &remove).await, "another session's");
    assert!(passes(&server, &project, "s", &write).await);
    assert!(passes(&server, &project, "s", &remove).await);

    assert!(passes(&server, &project, "s", &make).await);
    std::fs::create_dir_all(folder.join("x")).unwrap();
    let inside = format!("echo a > {}/x/new.txt", folder.display());
    assert!(passes(&server, &project, "s", &inside).await && !passes(&server, &project, "t", &inside).await);
    assert!(passes(&server, &project, "s", &clear).await);
    assert!(!passes(&server, &project, "t", &clear).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_the_place_of_it_is_not() {
    let root = tempfile::tempdir_in("/var/tmp").unwrap();
    let (server, project) = workspace(root.path()).await;
    let names = Names::new(&["out.txt", "other.txt", "never.txt"]);
    let [file, other, never] = names.0.as_slice() else { panic!("three names") };
    std::fs::write(other, "somebody's").unwrap();
    let write = format!("echo a > {}", file.display());
    assert!(passes(&server, &project, "s", &write).await, "nothing is there");

    std::os::unix::fs::symlink(other, file).unwrap();
    assert!(!passes(&server, &project, "s", &write).await, "a link");
    std::fs::remove_file(file).unwrap();
    std::fs::hard_link(other, file).unwrap();
    assert!(!passes(&server, &project, "s", &write).await, "a second name");
    // What was asked about and never ran has made nothing.
    assert!(!passes(&server, &project, "s", &format!("curl https://example.org -o {}", never.display())).await);
    std::fs::write(never, "somebody's").unwrap();
    assert!(!passes(&server, &project, "s", &format!("echo a > {}", never.display())).await);
}

/// A line that names what it never makes does not claim it.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_call_may_not_make_is_not_claimed() {
    let root = tempfile::tempdir_in("/var/tmp").unwrap();
    let (server, project) = workspace(root.path()).await;
    let names = Names::new(&["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
    let lines = [
        "false && mkdir -p PATH",
        "false && echo x > PATH",
        "sleep 9 || mkdir -p PATH",
        "ls nowhere && touch PATH",
        "mkdir PATH > nodir/f",
        "case x in y) mkdir PATH;; esac",
        "echo x > nodir/f > PATH",
        "{ mkdir PATH; } > nodir/f",
        "( mkdir PATH ) > nodir/f",
    ];
    for (path, line) in names.0.iter().zip(lines) {
        let shown = path.display();
        passes(&server, &project, "s", &line.replace("PATH", &shown.to_string())).await;
        std::fs::create_dir(path).unwrap();
        assert!(!passes(&server, &project, "s", &format!("rm -rf {shown}")).await, "{line}");
    }
}

/// What is made in a folder of somebody else would be taken for theirs.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_made_in_a_folder_of_somebody_else() {
    let root = tempfile::tempdir_in("/var/tmp").unwrap();
    let (server, project) = workspace(root.path()).await;
    let names = Names::new(&["mirror.git", "venv"]);
    let [mirror, venv] = names.0.as_slice() else { panic!("two names") };
    std::fs::create_dir_all(mirror.join("hooks")).unwrap();
    std::fs::create_dir_all(venv.join("lib/python3/site-packages")).unwrap();
    for (folder, path) in [(mirror, "hooks/update"), (mirror, "new"), (venv, "lib/python3/site-packages/x.pth")] {
        let path = folder.join(path);
        for line in [format!("echo x > {}", path.display()), format!("mkdir -p {}", path.display())] {
            assert!(!passes(&server, &project, "s", &line).await, "{line}");
        }
    }
    // A repository that is a folder itself.
    let own = Names::new(&["own"]);
    let [folder] = own.0.as_slice() else { panic!("one name") };
    assert!(passes(&server, &project, "s", &format!("mkdir {}", folder.display())).await);
    std::fs::create_dir(folder).unwrap();
    assert!(passes(&server, &project, "s", &format!("echo x > {}/a.txt", folder.display())).await);
    assert!(!passes(&server, &project, "s", &format!("echo x > {}/HEAD", folder.display())).await);
    for name in ["node_modules", "conftest.py", "vite.config.ts", ".envrc", "tsx-1000", "HEAD", "refs"] {
        let path = Path::new("/tmp").join(name);
        if !path.exists() {
            assert!(!passes(&server, &project, "s", &format!("echo x > {}", path.display())).await, "{name}");
        }
    }
}
