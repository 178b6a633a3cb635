//! Servers that misbehave in every way that a hook has to survive.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use handraise_protocol::{Challenge, TokenHash};

use crate::common::TOKEN;

/// How a server answers the challenge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// As Handraise does.
    Right,
    /// With the proof for another address: what a relay gets from the real server.
    ForAnotherAddress,
    /// With the answer to everything else.
    None,
    /// Not at all: the connection stays open, silent.
    Silence,
}

/// A server, and all that was sent to it: one text for each request.
pub(crate) struct FakeServer {
    pub(crate) address: SocketAddr,
    pub(crate) requests: Receiver<String>,
}

impl FakeServer {
    /// Listens on loopback. `answer` is sent, byte for byte, in reply to what is no challenge.
    pub(crate) fn start(proof: Proof, answer: impl Into<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answer = answer.into();
        let (sender, requests) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (sender, answer) = (sender.clone(), answer.clone());
                thread::spawn(move || serve(stream.unwrap(), proof, &address.to_string(), &answer, &sender));
            }
        });
        Self { address, requests }
    }

    /// Listens on a Unix socket and proves itself.
    pub(crate) fn on_socket(path: &Path, answer: String) {
        let listener = UnixListener::bind(path).unwrap();
        let address = path.display().to_string();
        thread::spawn(move || {
            let (sender, _requests) = channel();
            for stream in listener.incoming() {
                serve(stream.unwrap(), Proof::Right, &address, &answer, &sender);
            }
        });
    }
}

/// A whole answer with this status line and body.
pub(crate) fn answer(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

fn serve(mut stream: impl Read + Write, proof: Proof, address: &str, reply: &str, sender: &Sender<String>) {
    while let Some(request) = read(&mut stream) {
        let is_challenge = request.starts_with("POST /v1/challenge ");
        let _ = sender.send(request.clone());
        let reply = match proof {
            Proof::Silence => continue,
            Proof::Right if is_challenge => proved(&request, address),
            Proof::ForAnotherAddress if is_challenge => proved(&request, "127.0.0.1:1"),
            _ => reply.to_owned(),
        };
        let goes_on = is_challenge && proof != Proof::None;
        if stream.write_all(reply.as_bytes()).is_err() || !goes_on {
            // Closing here cuts off what `reply` promised and does not hold.
            return;
        }
    }
}

/// One request: its head and its body.
fn read(stream: &mut impl Read) -> Option<String> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        bytes.extend_from_slice(&byte);
    }
    let head = String::from_utf8_lossy(&bytes).to_lowercase();
    let length = head.split("content-length: ").nth(1).map_or(0, |rest| rest.lines().next().unwrap().parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    bytes.extend_from_slice(&body);
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn proved(request: &str, address: &str) -> String {
    let challenge: Challenge = serde_json::from_str(request.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    answer("200 OK", &serde_json::to_string(&TokenHash::of(TOKEN).prove(&challenge, address)).unwrap())
}
