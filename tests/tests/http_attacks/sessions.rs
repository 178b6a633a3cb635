//! A million names of sessions (ha-165): what is kept of them is bounded, and a person's "no" to a session stays.
//!
//! A build for tests takes an hour for a million. `make test` sends the first few thousand; `scripts/bench sessions`
//! sends all of them to the program as it is released.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::case::Scene;
use crate::special::resident_mebibytes;

/// How many are sent where `HANDRAISE_TEST_SESSIONS` says nothing: far more than may be open.
const SESSIONS: usize = 2000;
const CONNECTIONS: usize = 2;
/// Requests on one connection before their answers are read.
const PIPELINED: usize = 50;
/// What the case allows (`ha-165`).
const STATUSES: &[u16] = &[200, 202, 400, 401, 403, 429];
const MAX_MEBIBYTES: u64 = 300;

#[test]
fn sessions_without_number_take_no_memory_and_push_no_denial_out() -> Result<()> {
    let scene = Scene::start()?;
    let sessions = match std::env::var("HANDRAISE_TEST_SESSIONS") {
        Ok(number) => number.parse()?,
        Err(_) => SESSIONS,
    };
    let requester = scene.server.requester()?;
    let call = json!({ "tool": "Bash", "arguments": { "command": "npm publish" }, "session": "denied" });
    let first = requester.call("POST", "/v1/approvals?wait=0", Some(&call))?;
    let path = format!("/v1/approvals/{}/decision", first.body["id"].as_str().context("no id")?);
    let denial = json!({ "decision": "deny", "scope": "session" });
    let denied = scene.server.approver()?.call("POST", &path, Some(&denial))?;
    ensure!(denied.status == 200, "{denied:?}");

    let answers: Vec<Result<()>> = std::thread::scope(|scope| {
        let floods: Vec<_> = (0..CONNECTIONS)
            .map(|number| {
                scope.spawn({
                    let scene = &scene;
                    move || flood(scene, number, sessions / CONNECTIONS)
                })
            })
            .collect();
        floods.into_iter().filter_map(|flood| flood.join().ok()).collect()
    });
    ensure!(answers.len() == CONNECTIONS, "a connection panicked");
    answers.into_iter().collect::<Result<()>>()?;

    let held = resident_mebibytes(scene.server.pid())?;
    ensure!(held < MAX_MEBIBYTES, "it holds {held} MiB");
    scene.check_alive()?;
    let again = requester.call("POST", "/v1/approvals?wait=0", Some(&call))?;
    ensure!(again.body["status"] == "denied", "the denial was forgotten: {again:?}");
    Ok(())
}

/// Sends its share of the sessions on one connection, as `curl --next` and pipelining clients do.
fn flood(scene: &Scene, number: usize, share: usize) -> Result<()> {
    let address = &scene.server.started.address;
    let token = scene.server.requester_token("default")?;
    let stream = TcpStream::connect(address)?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    for start in (0..share).step_by(PIPELINED) {
        let mut requests = String::new();
        for session in start..(start + PIPELINED).min(share) {
            let body =
                format!(r#"{{"tool":"Bash","arguments":{{"command":"npm install"}},"session":"s{number}-{session}"}}"#);
            requests += &format!(
                "POST /v1/approvals?wait=0 HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
                 Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
        }
        writer.write_all(requests.as_bytes())?;
        for session in start..(start + PIPELINED).min(share) {
            let status = read_status(&mut reader).with_context(|| format!("session {session}"))?;
            ensure!(STATUSES.contains(&status), "session {session}: status {status}");
        }
    }
    Ok(())
}

/// The status of the next answer, whose body is read to its end.
fn read_status(reader: &mut BufReader<TcpStream>) -> Result<u16> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).context("no status")?.parse()?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    std::io::copy(&mut reader.take(length), &mut std::io::sink())?;
    Ok(status)
}
