//! Server-sent events (WHATWG HTML, "Server-sent events", section "Interpreting an event stream"),
//! as far as the server uses them: one `data` line for each event. They come in chunks (RFC 9112, section 7.1).

use std::mem;

use handraise_protocol::Event;
use httparse::{Status, parse_chunk_size};

use crate::ClientError;

/// The largest event that is read, in bytes.
const MAX_EVENT: usize = 8 * 1024 * 1024;
/// Bytes of a chunk's first line, with what may stand behind its size.
const MAX_CHUNK_LINE: usize = 256;

/// Puts events together from bytes that are cut off anywhere.
#[derive(Debug, Default)]
pub(crate) struct EventStream {
    /// Bytes that have come and were not understood yet.
    rest: Vec<u8>,
    chunk: Chunk,
    lines: Lines,
}

/// Where in the chunks `rest` begins.
#[derive(Clone, Copy, Debug, Default)]
enum Chunk {
    /// At the line with a chunk's size.
    #[default]
    Size,
    /// So many bytes before a chunk's end.
    Data(usize),
    /// At the end of a chunk's line.
    LineEnd,
    /// Behind the last chunk.
    Over,
}

impl EventStream {
    /// Takes what has come, and gives the events of known kinds that are whole now.
    pub(crate) fn receive(&mut self, bytes: &[u8]) -> Result<Vec<Event>, ClientError> {
        self.rest.extend_from_slice(bytes);
        self.take_chunks()?;
        let mut events = Vec::new();
        while let Some(line) = self.lines.next() {
            let data = line.strip_prefix("data:").map(str::trim_start);
            events.extend(data.and_then(|data| serde_json::from_str(data).ok()));
        }
        Ok(events)
    }

    /// Nothing more comes.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.chunk, Chunk::Over)
    }

    fn take_chunks(&mut self) -> Result<(), ClientError> {
        loop {
            self.chunk = match self.chunk {
                Chunk::Size => match parse_chunk_size(&self.rest).map_err(|_| ClientError::Response)? {
                    Status::Complete((_, 0)) => Chunk::Over,
                    Status::Complete((line, size)) => {
                        self.rest.drain(..line);
                        Chunk::Data(usize::try_from(size).map_err(|_| ClientError::Response)?)
                    }
                    Status::Partial if self.rest.len() > MAX_CHUNK_LINE => return Err(ClientError::Response),
                    Status::Partial => return Ok(()),
                },
                Chunk::Data(0) => Chunk::LineEnd,
                Chunk::Data(_) if self.rest.is_empty() => return Ok(()),
                Chunk::Data(left) => {
                    let there = self.rest.len().min(left);
                    let behind = self.rest.split_off(there);
                    self.lines.push(&mem::replace(&mut self.rest, behind))?;
                    Chunk::Data(left - there)
                }
                Chunk::LineEnd => match self.rest.get(..2) {
                    Some(b"\r\n") => {
                        self.rest.drain(..2);
                        Chunk::Size
                    }
                    Some(_) => return Err(ClientError::Response),
                    None => return Ok(()),
                },
                Chunk::Over => return Ok(()),
            };
        }
    }
}

/// Puts lines together from pieces that end anywhere.
#[derive(Debug, Default)]
struct Lines {
    buffer: Vec<u8>,
}

impl Lines {
    fn push(&mut self, bytes: &[u8]) -> Result<(), ClientError> {
        if self.buffer.len() + bytes.len() > MAX_EVENT {
            return Err(ClientError::Response);
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

    #[test]
    fn chunks_may_be_cut_off_anywhere() {
        let text = "5;name=value\r\nda\nta\r\n3\r\n: 1\r\n1\r\n\n\r\n0\r\n\r\n";
        for cut in 0..text.len() {
            let (first, second) = text.split_at(cut);
            let mut stream = EventStream::default();
            stream.receive(first.as_bytes()).unwrap();
            assert!(!stream.is_over() || first.ends_with("\n0\r\n") || first.ends_with("\n0\r\n\r"), "{cut}");
            stream.rest.extend_from_slice(second.as_bytes());
            stream.take_chunks().unwrap();
            assert!(stream.is_over(), "{cut}");
        }
    }

    #[test]
    fn what_is_no_chunk_ends_the_stream() {
        for wrong in ["x\r\n", "1\r\nabc", "-1\r\n", "fffffffffffffffff\r\n", "1\r\na\n\n"] {
            assert!(EventStream::default().receive(wrong.as_bytes()).is_err(), "{wrong:?}");
        }
        let endless = format!("1;{}", "x".repeat(MAX_CHUNK_LINE));
        assert!(EventStream::default().receive(endless.as_bytes()).is_err());
        let mut stream = EventStream::default();
        stream.receive(format!("{:x}\r\n", usize::MAX).as_bytes()).unwrap();
        let piece = vec![b'x'; MAX_EVENT];
        stream.receive(&piece).unwrap();
        assert!(stream.receive(b"x").is_err(), "a line without an end");
    }
}
