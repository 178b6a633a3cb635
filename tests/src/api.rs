//! A plain client of the API, byte by byte, so that a test can also send what no proper client would.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

/// How long an answer may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client with one token.
#[derive(Clone, Debug)]
pub struct Client {
    address: String,
    token: String,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Reply {
    /// HTTP status; 0 when the connection was closed without an answer.
    pub status: u16,
    /// Everything before the body.
    pub head: String,
    /// The body, as JSON where it is.
    pub body: Value,
    /// Everything that came after the first answer's head.
    pub rest: String,
}

impl Client {
    /// A client of the server at `address`.
    #[must_use]
    pub fn new(address: &str, token: &str) -> Self {
        Self { address: address.to_owned(), token: token.to_owned() }
    }

    /// Sends a request and waits for the answer.
    ///
    /// # Errors
    /// When the connection fails.
    pub fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Reply> {
        read(self.open(method, path, body)?)
    }

    /// Sends a request and leaves the connection open.
    ///
    /// # Errors
    /// When the connection fails.
    pub fn open(&self, method: &str, path: &str, body: Option<&Value>) -> Result<TcpStream> {
        let Self { address, token } = self;
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        send(address, request.as_bytes())
    }
}

/// Sends bytes as they are.
///
/// # Errors
/// When the connection fails.
pub fn send(address: &str, bytes: &[u8]) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    // A server that refuses early may close before everything is sent; its answer is what counts.
    let _ = stream.write_all(bytes);
    Ok(stream)
}

/// Reads what comes until the server closes the connection.
///
/// # Errors
/// When nothing comes for a minute.
pub fn read(mut stream: TcpStream) -> Result<Reply> {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        // Closed with data still to be read on the other side: what has arrived is the answer.
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
        other => {
            other.context("no answer")?;
        }
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, rest) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = serde_json::from_str(rest).unwrap_or(Value::Null);
    Ok(Reply { status, head: head.to_owned(), body, rest: rest.to_owned() })
}
