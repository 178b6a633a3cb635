//! Attacks that are more than one request.

use std::io::Write;

use anyhow::{Result, ensure};
use handraise_tests::api;
use serde_json::json;

use crate::case::Scene;

/// Whether a case of the corpus is sent here.
pub(crate) fn covers(id: &str) -> bool {
    const HERE: &[&str] = &[
        "ha-059", "ha-061", "ha-063", "ha-065", "ha-067", "ha-069", "ha-087", "ha-089", "ha-091", "ha-099", "ha-161",
        "ha-163", "ha-165", "ha-169", "ha-171",
    ];
    HERE.contains(&id)
}

fn decide(scene: &Scene, id: &str) -> Result<u16> {
    let approve = json!({ "decision": "approve" });
    let path = format!("/v1/approvals/{id}/decision");
    Ok(scene.server.approver()?.call("POST", &path, Some(&approve))?.status)
}

fn submit_raw(scene: &Scene, headers: &str, body: &[u8]) -> Result<api::Reply> {
    let address = &scene.server.started.address;
    let head = format!(
        "POST /v1/approvals?wait=0 HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Authorization: Bearer {}\r\nContent-Type: application/json\r\n{headers}\r\n",
        scene.server.requester_token("default")?
    );
    api::read(api::send(address, &[head.as_bytes(), body].concat())?)
}

fn submit_body(scene: &Scene, body: &[u8]) -> Result<api::Reply> {
    submit_raw(scene, &format!("Content-Length: {}\r\n", body.len()), body)
}

#[test]
fn an_approval_is_bound_to_its_call_and_used_once() -> Result<()> {
    // ha-061, ha-063, ha-065
    let scene = Scene::start()?;
    let id = scene.submit("Bash", &json!({ "command": "npm install" }))?;
    ensure!(decide(&scene, &id)? == 200, "the approval itself");
    let path = format!("/v1/approvals/{id}/redeem");
    let call = json!({ "tool": "Bash", "arguments": { "command": "npm install" } });
    let elsewhere = json!({ "tool": "Bash", "arguments": { "command": "npm install" }, "cwd": "/tmp/evil" });
    let requester = scene.server.requester()?;
    ensure!(requester.call("POST", &path, Some(&elsewhere))?.status == 409, "another working folder");

    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let uses: Vec<_> = (0..1000)
            .map(|_| scope.spawn(|| requester.call("POST", &path, Some(&call)).map_or(0, |reply| reply.status)))
            .collect();
        uses.into_iter().map(|one| one.join().unwrap_or(0)).collect()
    });
    let successes = statuses.iter().filter(|status| **status == 200).count();
    ensure!(successes == 1, "{successes} of 1000 uses succeeded");

    let other = scene.submit("Bash", &json!({ "command": "npm ci" }))?;
    ensure!(decide(&scene, &other)? == 200, "the approval itself");
    let folder = scene.server.kill()?;
    let again = handraise_tests::headless::Headless::start_in(folder)?;
    let call = json!({ "tool": "Bash", "arguments": { "command": "npm ci" } });
    let reply = again.requester()?.call("POST", &format!("/v1/approvals/{other}/redeem"), Some(&call))?;
    ensure!(reply.status == 404, "an approval outlived the server: {reply:?}");
    Ok(())
}

#[test]
fn a_late_answer_and_a_reused_key_are_refused() -> Result<()> {
    // ha-067, ha-069
    let scene = Scene::start()?;
    let requester = scene.server.requester()?;
    let call = json!({ "tool": "Bash", "arguments": { "command": "npm install" }, "timeout_seconds": 1 });
    let timed_out = requester.call("POST", "/v1/approvals", Some(&call))?;
    ensure!(timed_out.body["status"] == "timeout", "{timed_out:?}");
    ensure!(decide(&scene, timed_out.body["id"].as_str().unwrap_or_default())? == 409, "a late answer");

    let keyed = |command: &str| json!({ "tool": "Bash", "arguments": { "command": command }, "idempotency_key": "k" });
    let first = requester.call("POST", "/v1/approvals?wait=0", Some(&keyed("npm install")))?;
    ensure!(decide(&scene, first.body["id"].as_str().unwrap_or_default())? == 200, "{first:?}");
    let reused = requester.call("POST", "/v1/approvals?wait=0", Some(&keyed("rm -rf ~")))?;
    ensure!(reused.status == 409, "{reused:?}");
    Ok(())
}

#[test]
fn bodies_that_are_no_plain_json_are_refused() -> Result<()> {
    // ha-087, ha-091, ha-099
    let scene = Scene::start()?;
    let zipped = submit_raw(&scene, "Content-Encoding: gzip\r\nContent-Length: 4\r\n", &[0x1f, 0x8b, 8, 0])?;
    ensure!(zipped.status == 415, "{zipped:?}");

    let deep = format!("{{\"tool\":\"Bash\",\"arguments\":{}{{}}{}}}", "{\"a\":".repeat(2000), "}".repeat(2000));
    let deep = submit_body(&scene, deep.as_bytes())?;
    ensure!(deep.status == 400, "{deep:?}");

    let wide: Vec<u8> = r#"{"tool":"Bash"}"#.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = submit_body(&scene, &[vec![0xff, 0xfe], wide].concat())?;
    ensure!(wide.status == 400, "{wide:?}");
    ensure!(scene.open_requests()?.is_empty(), "a person was asked");
    Ok(())
}

#[test]
fn a_requesters_event_stream_shows_only_its_own() -> Result<()> {
    // ha-059
    let scene = Scene::start()?;
    let address = &scene.server.started.address;
    let others = api::Client::new(address, &scene.server.requester_token("claude-code")?);
    let mut stream = others.open("GET", "/v1/events", None)?;
    let foreign = scene.submit("Bash", &json!({ "command": "of-somebody-else" }))?;
    let call = json!({ "tool": "mine", "arguments": {} });
    let own = others.call("POST", "/v1/approvals?wait=0", Some(&call))?;
    ensure!(own.status < 300, "{own:?}");

    let mut seen = String::new();
    let mut bytes = [0; 4096];
    while !seen.contains("approval_resolved") && !seen.contains("\"mine\"") {
        let count = std::io::Read::read(&mut stream, &mut bytes)?;
        ensure!(count > 0, "the stream ended: {seen}");
        seen += &String::from_utf8_lossy(bytes.get(..count).unwrap_or_default());
    }
    ensure!(!seen.contains(&foreign) && !seen.contains("of-somebody-else"), "{seen}");
    Ok(())
}

#[test]
fn an_endless_body_is_cut_off() -> Result<()> {
    // ha-089
    let scene = Scene::start()?;
    let address = &scene.server.started.address;
    let head = format!(
        "POST /v1/approvals?wait=0 HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        scene.server.requester_token("default")?
    );
    let mut stream = api::send(address, head.as_bytes())?;
    let chunk = [b"10000\r\n".to_vec(), vec![b'A'; 0x10000], b"\r\n".to_vec()].concat();
    for _ in 0..1024 {
        // The server closes long before the last chunk.
        if stream.write_all(&chunk).is_err() {
            break;
        }
    }
    let reply = api::read(stream)?;
    ensure!([413, 0].contains(&reply.status), "{reply:?}");
    ensure!(resident_mebibytes(scene.server.pid())? < 100, "it kept the body");
    scene.check_alive()
}

#[test]
fn slow_and_idle_connections_hold_nobody_up() -> Result<()> {
    // ha-161, ha-163
    let scene = Scene::start()?;
    let address = &scene.server.started.address;
    let slow: Vec<_> = (0..500).map(|_| api::send(address, b"P")).collect::<Result<_>>()?;
    scene.check_alive()?;

    let requester = scene.server.requester()?;
    let mut streams = Vec::new();
    for _ in 0..100 {
        streams.push(requester.open("GET", "/v1/events", None)?);
    }
    let mut first_lines = Vec::new();
    for stream in &mut streams {
        let mut head = [0; 12];
        std::io::Read::read_exact(stream, &mut head)?;
        first_lines.push(String::from_utf8_lossy(&head).into_owned());
    }
    let open = first_lines.iter().filter(|line| line.ends_with("200")).count();
    let refused = first_lines.iter().filter(|line| line.ends_with("429")).count();
    // One process has half of what its credential may have.
    ensure!((open, refused) == (8, 92), "{open} streams open, {refused} refused");
    let id = scene.submit("Bash", &json!({ "command": "npm install" }))?;
    ensure!(decide(&scene, &id)? == 200, "decisions go on");

    // Each slow connection is closed for its slowness: reading to the end comes back.
    for stream in slow {
        api::read(stream)?;
    }
    scene.check_alive()
}

#[test]
fn text_made_to_be_expensive_is_only_asked_about() -> Result<()> {
    // ha-169, ha-171
    let policy = "version = 1\nrule = [{ pattern = \"Bash:*a*a*a*a*a*a*a*b\", action = \"allow\" }]\n";
    let scene = Scene { server: handraise_tests::headless::Headless::start(policy)? };
    for command in ["a".repeat(100_000), "a".repeat(60_000), "{ ".repeat(5000)] {
        let call = json!({ "tool": "Bash", "arguments": { "command": command } });
        let reply = scene.server.requester()?.call("POST", "/v1/approvals?wait=0", Some(&call))?;
        ensure!(reply.body["status"] == "pending", "{:?}", reply.body["status"]);
    }
    Ok(())
}

/// Resident memory of a process in MiB, from `/proc/PID/status`.
pub(crate) fn resident_mebibytes(pid: u32) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kibibytes / 1024)
}
