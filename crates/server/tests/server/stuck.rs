//! Folders on a file system that never answers: a real one, on a FUSE device that nobody serves.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::read_only_disk::ReadOnlyDisk;
use crate::support::{TestServer, read, start, start_again};

/// Where the file system is, for the run of a test that has one.
const STUCK: &str = "HANDRAISE_TEST_STUCK_FOLDER";
/// Mounts it (fuse(4), mount(8)) and runs the rest of the line. Whoever has the device, which is the standard input there,
/// serves it: nobody reads what is asked of it, unless a test does.
const ON_A_STUCK_FOLDER: &str = r#"
exec 3<>/dev/fuse || exit 80
mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 stuck "$0" || exit 80
exec "$@" <&3
"#;
/// It could not be mounted.
const NOT_MOUNTED: i32 = 80;

/// Runs the test `name` again with such a folder. `Some` within that run.
fn stuck_folder(name: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(STUCK) {
        return Some(folder.into());
    }
    let folder = tempfile::tempdir().unwrap();
    let run = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", ON_A_STUCK_FOLDER])
        .arg(folder.path())
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(STUCK, folder.path())
        .status();
    // unshare(1) ends with 1 when it cannot make the namespaces, and a test with 101.
    let code = run.map_or(Some(NOT_MOUNTED), |status| status.code());
    if [Some(1), Some(NOT_MOUNTED)].contains(&code) {
        eprintln!("SKIPPED: {name}: this takes `unshare`, user namespaces and /dev/fuse");
    } else {
        assert_eq!(code, Some(0), "{name}");
    }
    None
}

const ALLOWS: &str = "version = 1\npreset = \"autonomous\"\nrule = [{ pattern = \"*\", action = \"allow\" }, \
                      { command = \"*\", action = \"allow\" }]\n";

async fn allowing(root: &Path) -> TestServer {
    std::fs::create_dir_all(root.join("config")).unwrap();
    std::fs::write(root.join("config/policy.toml"), ALLOWS).unwrap();
    let server = start(root).await;
    if let Some(etag) = server.get("/v1/policy").await["etag"].as_str() {
        // A file that was there before the first start is confirmed, or waits to be.
        server.server.engine().confirm_policy(etag.to_owned(), "tests".to_owned()).await.ok();
    }
    server
}

fn shell(line: &str, cwd: &Path) -> Value {
    json!({ "tool": "Bash", "arguments": { "command": line }, "cwd": cwd, "session": "s" })
}

async fn ask(server: &TestServer, call: Value) -> Value {
    server.ask("/v1/approvals?wait=0", call).await.body
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_never_answers_holds_up_its_own_calls_only() {
    let Some(stuck) = stuck_folder("stuck::a_folder_that_never_answers_holds_up_its_own_calls_only") else { return };
    let (root, plain) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = allowing(root.path()).await;
    let fine = shell("touch x", plain.path());
    assert_eq!(ask(&server, fine.clone()).await["status"], "approved");

    // The policy allows it, and nobody can tell what it touches.
    let mut asked =
        server.open("POST", "/v1/approvals?wait=0", &server.requester, Some(shell("touch x", &stuck))).await;
    let mut answered = Box::pin(read(&mut asked));
    let mut first = None;
    let mut beside = 0;
    while first.is_none() {
        tokio::select! {
            biased;
            reply = &mut answered => first = Some(reply.body),
            other = ask(&server, fine.clone()) => {
                assert_eq!(other["status"], "approved");
                beside += 1;
            }
        }
    }
    assert!(beside > 0, "another call was answered meanwhile");
    let first = first.unwrap();
    assert_eq!(first["status"], "pending", "{first}");
    let shown = &server.server.engine().pending().await.unwrap()[0];
    assert!(shown.explanation.contains("could not be looked at within 2 seconds"), "{}", shown.explanation);
    assert!(shown.scopes.is_empty() || shown.scopes.iter().all(|choice| choice.rule.is_none()), "{:?}", shown.scopes);

    // A person decides, and nothing waits for the files again and again.
    let id = first["id"].as_str().unwrap();
    let lasting = server.decide(id, json!({ "decision": "approve", "scope": "session" })).await;
    assert_ne!(lasting.status, 200, "{lasting:?}");
    assert_eq!(server.decide(id, json!({ "decision": "approve" })).await.body["result"]["status"], "approved");
    // The log says why.
    let log = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    let unseen = "SELECT count(*) FROM log WHERE json_extract(entry, '$.kind') = 'requested'
                  AND json_extract(entry, '$.unseen') LIKE '%could not be looked at%'";
    assert_eq!(log.query_row(unseen, [], |row| row.get::<_, i64>(0)).unwrap(), 1);
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_looks_at_a_stuck_folder_is_waited_for() {
    let Some(stuck) = stuck_folder("stuck::nothing_that_looks_at_a_stuck_folder_is_waited_for") else { return };
    let (root, plain) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = allowing(root.path()).await;
    // More than one requester may have hanging: the rest is not even tried.
    let calls: Vec<Value> = (0..6).map(|number| shell(&format!("touch {number}"), &stuck)).collect();
    let batch = server.ask("/v1/approvals/batch?wait=0", json!({ "requests": calls })).await;
    assert_eq!(batch.status, 202, "{batch:?}");
    let pending = server.server.engine().pending().await.unwrap();
    assert_eq!(pending.len(), 6);
    assert!(pending[5].explanation.contains("earlier calls"), "{}", pending[5].explanation);
    // Neither is anything else of this requester; of another one it is.
    let own = ask(&server, shell("touch x", plain.path())).await;
    assert_eq!(own["status"], "pending");
    let other = server.folders.token_file("claude-code");
    let other = std::fs::read_to_string(other).unwrap();
    let fine = server.call("POST", "/v1/approvals?wait=0", &other, Some(shell("touch x", plain.path()))).await;
    assert_eq!(fine.body["status"], "approved", "{fine:?}");

    let evaluated = server.ask("/v1/evaluate", shell("sh ./x", &stuck)).await;
    assert_eq!(evaluated.body["action"], "ask", "{evaluated:?}");
    let mut keyed = shell("sh ./x", &stuck);
    keyed["idempotency_key"] = json!("key");
    let keyed_id = ask(&server, keyed.clone()).await["id"].as_str().unwrap().to_owned();
    for list in ["all", "pending", "approved"] {
        let page = server.get(&format!("/v1/approvals?status={list}")).await;
        assert!(!page["approvals"].as_array().unwrap().is_empty(), "{list}: {page}");
    }
    server.server.engine().suggest_rules(None).await.unwrap();
    assert!(server.server.engine().missed().await.unwrap().is_empty());

    // What was open is there after the next start, which does not wait either.
    drop(server);
    let server = start_again(root.path()).await;
    let pending = server.server.engine().pending().await.unwrap();
    let kept: Vec<_> = pending.iter().filter(|approval| approval.id.to_string() == keyed_id).collect();
    assert_eq!(kept.len(), 1, "{pending:?}");
    assert!(kept[0].explanation.contains("could not be looked at"), "{}", kept[0].explanation);
    let decided = server.decide(&keyed_id, json!({ "decision": "approve" })).await;
    assert_eq!(decided.body["result"]["status"], "approved", "{decided:?}");
    let stopped = tokio::time::timeout(Duration::from_secs(60), server.server.stop()).await;
    assert!(stopped.is_ok(), "the server does not stop");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_file_that_never_answers_holds_up_no_call() {
    let Some(stuck) = stuck_folder("stuck::a_policy_file_that_never_answers_holds_up_no_call") else { return };
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let engine = server.server.engine();
    let link = server.folders.config.join("link");
    std::os::unix::fs::symlink(stuck.join("policy.toml"), &link).unwrap();
    std::fs::rename(&link, server.folders.policy_file()).unwrap();
    let look = json!({ "tool": "look", "arguments": {}, "risk": "read_only" });
    loop {
        let answer = tokio::time::timeout(Duration::from_secs(30), ask(&server, look.clone())).await;
        assert_eq!(answer.expect("the engine waits for the policy file")["status"], "approved");
        if engine.notices().await.unwrap().iter().any(|notice| notice.title == "The policy file does not answer") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Nothing is written where nobody knows what lies there, and who tries is told.
    let refused = engine.set_timeout(60).await.unwrap_err();
    assert!(refused.detail.contains("does not answer"), "{refused:?}");
    assert_eq!(ask(&server, look).await["status"], "approved");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_file_that_cannot_be_written_holds_up_no_call() {
    let Some(disk) = stuck_folder("stuck::a_policy_file_that_cannot_be_written_holds_up_no_call") else { return };
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let policy = server.folders.policy_file();
    let served = ReadOnlyDisk::with("policy.toml", std::fs::read_to_string(&policy).unwrap());
    let link = server.folders.config.join("link");
    std::os::unix::fs::symlink(disk.join("policy.toml"), &link).unwrap();
    std::fs::rename(&link, &policy).unwrap();

    let engine = server.server.engine().clone();
    let change = tokio::spawn(async move { engine.set_timeout(60).await });
    let begun = tokio::time::timeout(Duration::from_secs(60), served.wants_to_write()).await;
    assert!(begun.is_ok(), "nobody writes the policy");
    let look = json!({ "tool": "look", "arguments": {}, "risk": "read_only" });
    for _ in 0..20 {
        let answer = tokio::time::timeout(Duration::from_secs(30), ask(&server, look.clone())).await;
        assert_eq!(answer.expect("the engine waits for the policy to be written")["status"], "approved");
    }
    // One that waits behind it, and one that comes later.
    let engine = server.server.engine();
    let waiting = engine.set_preset(handraise_protocol::Preset::Strict).await.unwrap_err();
    let refused = change.await.unwrap().unwrap_err();
    let later = engine.set_timeout(90).await.unwrap_err();
    for told in [refused, waiting, later] {
        assert!(told.detail.contains("does not answer, so nothing has changed"), "{told:?}");
    }
    assert_eq!(engine.policy_summary().await.unwrap().timeout_seconds, 300);
    assert_eq!(ask(&server, look).await["status"], "approved");
    // A person's answer that would stand as a rule is not given before anybody knows that it can.
    let asked = ask(&server, shell("make", root.path())).await;
    let lasting = json!({ "decision": "approve", "scope": "always" });
    assert_eq!(server.decide(asked["id"].as_str().unwrap(), lasting).await.status, 500);
    assert_eq!(engine.pending().await.unwrap().len(), 1);
    let stopped = tokio::time::timeout(Duration::from_secs(60), server.server.stop()).await;
    assert!(stopped.is_ok(), "the server does not stop");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_call_would_do_is_not_waited_for() {
    let Some(stuck) = stuck_folder("stuck::what_a_call_would_do_is_not_waited_for") else { return };
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    // What decides looks at the folder above only; what would be removed lies in the one that never answers.
    let (above, name) = (stuck.parent().unwrap(), stuck.file_name().unwrap().to_str().unwrap());
    let line = format!("rm -rf ./{}*", name.get(..name.len() - 1).unwrap());
    // More than one requester may have hanging.
    for _ in 0..6 {
        let asked = ask(&server, shell(&line, above)).await;
        assert_eq!(asked["status"], "pending");
        let pending = server.server.engine().pending().await.unwrap();
        let shown = pending.iter().find(|one| json!(one.id) == asked["id"]).unwrap();
        assert!(shown.consequences.is_empty(), "{:?}", shown.consequences);
        assert!(!shown.explanation.contains("could not be looked at"), "{}", shown.explanation);
        let decided = server.decide(asked["id"].as_str().unwrap(), json!({ "decision": "deny" })).await;
        assert_eq!(decided.body["result"]["status"], "denied");
    }
    server.server.stop().await;
}
