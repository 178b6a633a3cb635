//! `kill -9` at any point loses no decision and no grant that somebody was told about, whoever decided.

#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, ensure};
use handraise_tests::headless::Headless;
use serde_json::{Value, json};

/// One call that differs from every other.
fn call(number: usize) -> Value {
    json!({ "tool": "edit", "arguments": { "number": number }, "session": "s" })
}

/// Asks and approves for the session, over and over; returns the numbers that were acknowledged
/// before the server died.
fn approve_until_it_dies(server: &Headless, first: usize, acknowledged: &Mutex<Vec<(usize, String)>>) -> Result<()> {
    let (requester, approver) = (server.requester()?, server.approver()?);
    for number in first.. {
        let Ok(asked) = requester.call("POST", "/v1/approvals?wait=0", Some(&call(number))) else { return Ok(()) };
        let Some(id) = asked.body["id"].as_str().map(str::to_owned) else { return Ok(()) };
        let decision = json!({ "decision": "approve", "scope": "session" });
        let path = format!("/v1/approvals/{id}/decision");
        let Ok(decided) = approver.call("POST", &path, Some(&decision)) else { return Ok(()) };
        if decided.status != 200 {
            return Ok(());
        }
        acknowledged.lock().map_err(|_| anyhow::anyhow!("poisoned"))?.push((number, id));
    }
    Ok(())
}

#[test]
fn what_was_acknowledged_is_there_after_a_kill() -> Result<()> {
    let mut server = Headless::start("")?;
    let acknowledged = Mutex::new(Vec::new());
    for round in 1..=5_usize {
        let wanted = round * 10;
        let pid = nix::unistd::Pid::from_raw(i32::try_from(server.pid())?);
        std::thread::scope(|scope| {
            let deciding = scope.spawn(|| approve_until_it_dies(&server, round * 10_000, &acknowledged));
            // Not after a time but after some work, in the middle of more.
            while acknowledged.lock().is_ok_and(|list| list.len() < wanted) && !deciding.is_finished() {
                std::thread::yield_now();
            }
            nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL)?;
            deciding.join().map_err(|_| anyhow::anyhow!("the deciding thread panicked"))?
        })?;
        server = Headless::start_in(server.kill()?)?;

        let (requester, approver) = (server.requester()?, server.approver()?);
        let list = acknowledged.lock().map_err(|_| anyhow::anyhow!("poisoned"))?.clone();
        ensure!(list.len() >= wanted, "only {} decisions in round {round}", list.len());
        for (number, id) in list {
            let known = approver.call("GET", &format!("/v1/approvals/{id}"), None)?;
            ensure!(known.body["status"] == "approved", "decision {id} is gone: {known:?}");
            let again = requester.call("POST", "/v1/approvals?wait=0", Some(&call(number)))?;
            let by = again.body["decided_by"].as_str().context("not decided")?;
            ensure!(by == "grant", "the grant of {id} is gone: {again:?}");
        }
    }
    Ok(())
}

/// Asks over and over for what the policy allows; the ids of what was answered before the server died.
fn ask_until_it_dies(server: &Headless, acknowledged: &Mutex<Vec<String>>) -> Result<()> {
    let requester = server.requester()?;
    loop {
        let allowed = json!({ "tool": "look", "arguments": {}, "risk": "read_only" });
        let Ok(answer) = requester.call("POST", "/v1/approvals", Some(&allowed)) else { return Ok(()) };
        let Some(id) = answer.body["id"].as_str().map(str::to_owned) else { return Ok(()) };
        ensure!(answer.body["decided_by"] == "policy", "{answer:?}");
        acknowledged.lock().map_err(|_| anyhow::anyhow!("poisoned"))?.push(id);
    }
}

#[test]
fn what_the_policy_answered_is_there_after_a_kill() -> Result<()> {
    let mut server = Headless::start("")?;
    let acknowledged = Mutex::new(Vec::new());
    for round in 1..=3_usize {
        let wanted = round * 30;
        let pid = nix::unistd::Pid::from_raw(i32::try_from(server.pid())?);
        std::thread::scope(|scope| {
            let asking: Vec<_> = (0..4).map(|_| scope.spawn(|| ask_until_it_dies(&server, &acknowledged))).collect();
            while acknowledged.lock().is_ok_and(|list| list.len() < wanted)
                && !asking.iter().all(|one| one.is_finished())
            {
                std::thread::yield_now();
            }
            nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL)?;
            asking
                .into_iter()
                .try_for_each(|one| one.join().map_err(|_| anyhow::anyhow!("an asking thread panicked"))?)
        })?;
        server = Headless::start_in(server.kill()?)?;

        let approver = server.approver()?;
        let list = acknowledged.lock().map_err(|_| anyhow::anyhow!("poisoned"))?.clone();
        ensure!(list.len() >= wanted, "only {} answers in round {round}", list.len());
        for id in list {
            let known = approver.call("GET", &format!("/v1/approvals/{id}"), None)?;
            ensure!(known.body["status"] == "approved", "answer {id} is gone: {known:?}");
        }
    }
    Ok(())
}

/// Edits over and over what the preset lets pass; the ids and files of what was answered before the server died.
fn edit_until_it_dies(
    server: &Headless,
    project: &Path,
    who: usize,
    acknowledged: &Mutex<Vec<(String, PathBuf)>>,
) -> Result<()> {
    let requester = server.requester()?;
    for number in 0.. {
        let file = project.join(format!("{}-{who}-{number}.txt", server.pid()));
        std::fs::write(&file, format!("before {who} {number}"))?;
        let arguments = json!({ "file_path": file, "content": "the agent's" });
        let call = json!({ "tool": "Write", "arguments": arguments, "cwd": project, "session": "s" });
        let Ok(answer) = requester.call("POST", "/v1/approvals", Some(&call)) else { return Ok(()) };
        let Some(id) = answer.body["id"].as_str().map(str::to_owned) else { return Ok(()) };
        ensure!(answer.body["decided_by"] == "policy", "{answer:?}");
        // From here on the file may be overwritten.
        std::fs::write(&file, "the agent's")?;
        acknowledged.lock().map_err(|_| anyhow::anyhow!("poisoned"))?.push((id, file));
    }
    Ok(())
}

#[test]
fn what_an_edit_overwrote_can_be_put_back_after_a_kill() -> Result<()> {
    let project = tempfile::tempdir()?;
    let mut server = Headless::start("version = 1\npreset = \"workspace\"\n")?;
    for round in 1..=3_usize {
        let acknowledged = Mutex::new(Vec::new());
        let pid = nix::unistd::Pid::from_raw(i32::try_from(server.pid())?);
        std::thread::scope(|scope| {
            let (server, acknowledged, project) = (&server, &acknowledged, project.path());
            let edit = |who| scope.spawn(move || edit_until_it_dies(server, project, who, acknowledged));
            let editing: Vec<_> = (0..3).map(edit).collect();
            let enough = || acknowledged.lock().is_ok_and(|list| list.len() >= round * 10);
            while !enough() && !editing.iter().all(|one| one.is_finished()) {
                std::thread::yield_now();
            }
            nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL)?;
            editing
                .into_iter()
                .try_for_each(|one| one.join().map_err(|_| anyhow::anyhow!("an editing thread panicked"))?)
        })?;
        server = Headless::start_in(server.kill()?)?;

        let list = acknowledged.into_inner().map_err(|_| anyhow::anyhow!("poisoned"))?;
        ensure!(list.len() >= round * 10, "only {} edits in round {round}", list.len());
        let ids: Vec<&String> = list.iter().map(|(id, _)| id).collect();
        let result = server.approver()?.call("POST", "/v1/kept/restore", Some(&json!({ "ids": ids })))?;
        ensure!(result.status == 200, "{result:?}");
        for (id, file) in &list {
            let held = std::fs::read_to_string(file)?;
            ensure!(held.starts_with("before "), "what {id} overwrote is gone: {held}");
        }
    }
    Ok(())
}
