//! The attacks of `tests/data/http_attacks.jsonl`, each sent byte by byte to a real server.
//!
//! Not sent: `ha-055` and what names `{MCP}` (there is no MCP endpoint on this port; that an agent cannot approve
//! through `handraise-mcp serve` is tested with that) and `ha-167` (a full disk; a log that cannot be written is tested
//! with the server).

#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

mod case;
mod sessions;
mod special;

use anyhow::{Context, Result, ensure};
use case::{Case, Scene};
use handraise_tests::api;

const CASES: &str = include_str!("../../data/http_attacks.jsonl");
const ELSEWHERE: &[&str] = &["ha-055", "ha-167"];

#[test]
fn every_attack_is_refused() -> Result<()> {
    let scene = Scene::start()?;
    let mut failures = Vec::new();
    for line in CASES.lines() {
        let case: Case = serde_json::from_str(line)?;
        if ELSEWHERE.contains(&case.id.as_str()) || special::covers(&case.id) {
            continue;
        }
        if let Err(error) = attack(&scene, &case) {
            failures.push(format!("{} ({}): {error:#}", case.id, case.why));
        }
    }
    ensure!(failures.is_empty(), "{} attacks were not refused as they must:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}

fn attack(scene: &Scene, case: &Case) -> Result<()> {
    let target = scene.target(case)?;
    let before = scene.open_requests()?;
    let reply = api::read(api::send(&scene.server.started.address, &target.bytes)?)?;

    let closed = reply.status == 0 && case.expect.or_connection_closed;
    let expected = case.expect.status.contains(&reply.status) || closed;
    ensure!(expected, "status {} instead of {:?}: {}", reply.status, case.expect.status, reply.rest);
    ensure!(!reply.head.to_lowercase().contains("access-control-"), "it grants CORS");
    ensure!(!reply.rest.contains("HTTP/1.1 200"), "a second request was answered");
    if (200..300).contains(&reply.status) {
        let status = reply.body["status"].as_str().context("no status in the answer")?;
        ensure!(["pending", "denied"].contains(&status), "it was {status}");
    }
    if case.expect.no_prompt_shown {
        ensure!(scene.open_requests()? == before, "a person was asked");
    }
    if let Some(pending) = target.pending {
        ensure!(scene.status_of(&pending)? == "pending", "the pending request was decided");
    }
    scene.check_alive()
}
