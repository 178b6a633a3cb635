//! Lines as they are, byte for byte.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// The largest line, in bytes: contents of files travel in one. A larger one ends the conversation.
pub(super) const MAX_LINE: usize = 256 * 1024 * 1024;

/// Reads the next line into `line`, with its line feed; the last may have none. Whether there was one
/// is the answer.
pub(super) async fn read(from: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    // What a large line needed is not kept for the small ones after it.
    line.shrink_to(64 * 1024);
    loop {
        let available = from.fill_buf().await?;
        let end = available.iter().position(|byte| *byte == b'\n').map(|position| position + 1);
        let taken = end.unwrap_or(available.len());
        if taken == 0 {
            return Ok(!line.is_empty());
        }
        if line.len().saturating_add(taken) > MAX_LINE {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a line has more than {MAX_LINE} bytes")));
        }
        line.extend(available.iter().take(taken));
        from.consume(taken);
        if end.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_come_as_they_are() {
        let mut bytes: &[u8] = b"one\r\n\n\xff\0two";
        let mut line = Vec::new();
        let mut lines = Vec::new();
        while read(&mut bytes, &mut line).await.unwrap() {
            lines.push(line.clone());
        }
        assert_eq!(lines, [&b"one\r\n"[..], b"\n", b"\xff\0two"]);
    }

    #[tokio::test]
    async fn a_line_without_end_is_refused() {
        let mut endless = tokio::io::BufReader::new(tokio::io::repeat(b'x'));
        assert!(read(&mut endless, &mut Vec::new()).await.is_err());
    }
}
