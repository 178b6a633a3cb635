//! Server-sent events (WHATWG HTML, "Server-sent events", section "Interpreting an event stream"),
//! as far as the server uses them: one `data` line for each event.

use handraise_protocol::Event;
use http_body_util::BodyExt;
use hyper::body::Incoming;

use super::ClientError;
use super::connection::Connection;

/// The largest event that is read, in bytes.
const LARGEST_EVENT: usize = 8 * 1024 * 1024;

/// Events as they come.
pub(crate) struct EventStream {
    body: Incoming,
    lines: Lines,
    // Nothing more is sent on it, but the connection lives only as long as its sender.
    _connection: Connection,
}

impl EventStream {
    pub(super) fn new(body: Incoming, connection: Connection) -> Self {
        Self { body, lines: Lines::default(), _connection: connection }
    }

    /// The next event of a kind that is known here; `None` when the stream has ended.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>, ClientError> {
        loop {
            while let Some(line) = self.lines.next() {
                let data = line.strip_prefix("data:").map(str::trim_start);
                if let Some(event) = data.and_then(|data| serde_json::from_str(data).ok()) {
                    return Ok(Some(event));
                }
            }
            let Some(frame) = self.body.frame().await else { return Ok(None) };
            let frame = frame.map_err(|_| ClientError::Interrupted)?;
            self.lines.push(frame.data_ref().map(|data| data.as_ref()).unwrap_or_default())?;
        }
    }
}

/// Puts lines together from pieces that end anywhere.
#[derive(Default)]
struct Lines {
    buffer: Vec<u8>,
}

impl Lines {
    fn push(&mut self, bytes: &[u8]) -> Result<(), ClientError> {
        if self.buffer.len() + bytes.len() > LARGEST_EVENT {
            return Err(ClientError::Answer);
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    fn next(&mut self) -> Option<String> {
        let end = self.buffer.iter().position(|byte| *byte == b'\n')?;
        let line: Vec<u8> = self.buffer.drain(..=end).collect();
        Some(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_come_in_pieces() {
        let mut lines = Lines::default();
        lines.push(b"event: a\r\nda").unwrap();
        assert_eq!(lines.next().as_deref(), Some("event: a"));
        assert_eq!(lines.next(), None);
        lines.push(b"ta: 1\n\n").unwrap();
        assert_eq!(lines.next().as_deref(), Some("data: 1"));
        assert_eq!(lines.next().as_deref(), Some(""));
    }
}
