//! Where a request comes from is found out from the real processes, and shown with it; a false claim is
//! marked.

#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use handraise_tests::binaries;
use handraise_tests::headless::{Headless, folder_flags};
use serde_json::{Value, json};

/// How long a test waits for something that ought to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that stands for an agent, with its hook waiting for an answer. Killed when dropped, and its
/// hook with it.
struct Agent(Child);

impl Drop for Agent {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Scene {
    server: Headless,
    /// A repository on the branch `trunk`, with a worktree beside it on `fix`.
    project: PathBuf,
}

impl Scene {
    fn start() -> Result<Self> {
        let server = Headless::start("")?;
        let project = server.folder.path().canonicalize()?.join("shopfront");
        std::fs::create_dir_all(project.join("src"))?;
        for line in [
            "init --quiet --initial-branch trunk",
            "-c user.name=Ann -c user.email=ann@example.org commit --quiet --allow-empty -m first",
            "worktree add --quiet -b fix ../shopfront-fix",
        ] {
            let status = Command::new("git").args(line.split(' ')).current_dir(&project).status()?;
            ensure!(status.success(), "git {line}");
        }
        Ok(Self { server, project })
    }

    /// Starts a copy of bash called `name` in `folder`, which runs the hook of Claude Code as that would:
    /// through a shell.
    fn agent(&self, name: &str, folder: &Path, claimed: &Path) -> Result<Agent> {
        let program = self.server.folder.path().join(name);
        std::fs::copy("/bin/bash", &program)?;
        let payload = self.server.folder.path().join("payload.json");
        let call = json!({
            "session_id": "s1", "transcript_path": "/t.jsonl", "cwd": claimed, "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "toolu_1",
            "tool_input": { "command": "git push origin trunk" },
        });
        std::fs::write(&payload, call.to_string())?;
        let flags = folder_flags(self.server.folder.path()).join(" ");
        let hook =
            format!("{} {flags} hook claude-code < {}", binaries::handraise_hook()?.display(), payload.display());
        // Two commands each, so that no shell replaces itself with the last one.
        let line = format!("sh -c '{hook}; true'; true");
        let mut command = Command::new(program);
        command.args(["-c", &line]).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
        Ok(Agent(command.spawn()?))
    }

    /// The one request that waits.
    fn waiting(&self) -> Result<Value> {
        let begin = Instant::now();
        loop {
            let reply = self.server.approver()?.call("GET", "/v1/approvals", None)?;
            if let Some(approval) = reply.body["approvals"].as_array().context("no list")?.first() {
                return Ok(approval.clone());
            }
            ensure!(begin.elapsed() < PATIENCE, "nothing was asked");
            std::thread::yield_now();
        }
    }

    /// What `handraise pending` prints.
    fn pending(&self) -> Result<String> {
        let folder = self.server.folder.path();
        let mut command = Command::new(binaries::handraise()?);
        command.args(folder_flags(folder)).args(["pending", "--token-file"]).arg(folder.join("approver.token"));
        Ok(String::from_utf8(command.output()?.stdout)?)
    }
}

fn contradictions(approval: &Value) -> Vec<&str> {
    let findings = approval["findings"].as_array().into_iter().flatten();
    findings.filter(|finding| finding["kind"] == "contradiction").filter_map(|one| one["sentence"].as_str()).collect()
}

#[test]
fn an_honest_agent_is_shown_with_its_programs_folder_and_branch() -> Result<()> {
    let scene = Scene::start()?;
    let _agent = scene.agent("claude", &scene.project.join("src"), &scene.project)?;
    let approval = scene.waiting()?;
    let origin = &approval["origin"];
    let summary = origin["summary"].as_str().context("no summary")?;
    ensure!(summary.starts_with("Claude Code in shopfront (branch trunk)"), "{summary}");
    let programs = origin["programs"].as_array().context("no programs")?;
    ensure!(programs[0]["name"] == "handraise-hook" && programs[0].get("is_agent").is_none(), "{origin:#}");
    let agent = programs.iter().find(|program| program["is_agent"] == true).context("no agent")?;
    ensure!(agent["name"] == "Claude Code", "{origin:#}");
    ensure!(agent["executable"].as_str().is_some_and(|path| path.ends_with("/claude")), "{origin:#}");
    ensure!(origin["folder"] == json!(scene.project.join("src")), "{origin:#}");
    ensure!(contradictions(&approval).is_empty(), "{approval:#}");
    let pending = scene.pending()?;
    ensure!(pending.contains("from Claude Code in shopfront (branch trunk)"), "{pending}");
    ensure!(!pending.contains("WARNING"), "{pending}");
    Ok(())
}

#[test]
fn a_linked_worktree_is_told_and_may_be_claimed_from_the_main_one() -> Result<()> {
    let scene = Scene::start()?;
    let worktree = scene.project.with_file_name("shopfront-fix");
    let _agent = scene.agent("claude", &worktree, &scene.project)?;
    let approval = scene.waiting()?;
    let summary = approval["origin"]["summary"].as_str().context("no summary")?;
    ensure!(summary.starts_with("Claude Code in shopfront-fix (branch fix, worktree of shopfront)"), "{summary}");
    ensure!(contradictions(&approval).is_empty(), "{approval:#}");
    Ok(())
}

#[test]
fn another_program_and_another_folder_than_claimed_are_marked_everywhere() -> Result<()> {
    let scene = Scene::start()?;
    let elsewhere = tempfile::tempdir()?;
    let _agent = scene.agent("codex", elsewhere.path(), &scene.project)?;
    let approval = scene.waiting()?;
    let marked = contradictions(&approval).join(" ");
    ensure!(marked.contains("It calls itself Claude Code, but the program that asks is Codex"), "{approval:#}");
    ensure!(marked.contains("It says that it works in"), "{approval:#}");
    let misleads = |finding: &Value| finding["kind"] != "contradiction" || finding["misleads"] == true;
    ensure!(approval["findings"].as_array().context("no findings")?.iter().all(misleads), "{approval:#}");
    let pending = scene.pending()?;
    ensure!(pending.contains("WARNING: It calls itself Claude Code"), "{pending}");
    Ok(())
}

#[test]
fn where_it_came_from_is_in_the_history_after_its_end_and_a_crash() -> Result<()> {
    let scene = Scene::start()?;
    let agent = scene.agent("claude", &scene.project, &scene.project)?;
    let id = scene.waiting()?["id"].as_str().context("no id")?.to_owned();
    let path = format!("/v1/approvals/{id}/decision");
    scene.server.approver()?.call("POST", &path, Some(&json!({ "decision": "deny" })))?;
    drop(agent);
    let restarted = Headless::start_in(scene.server.kill()?)?;
    let reply = restarted.approver()?.call("GET", "/v1/approvals?status=denied", None)?;
    let summary = reply.body["approvals"][0]["origin"]["summary"].as_str().context("no origin")?;
    ensure!(summary.starts_with("Claude Code in shopfront (branch trunk)"), "{summary}");
    Ok(())
}
