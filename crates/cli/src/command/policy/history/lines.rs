//! Lines of a file that anybody may have written: no line takes more memory than the longest that is read.

use std::io::{self, BufRead};

/// Longest line, in bytes: as much as the API takes, and room for escapes.
pub(super) const MAX_LINE: usize = 8 * 1024 * 1024;

/// Reads line by line.
pub(super) struct Lines<Reader> {
    reader: Reader,
    line: Vec<u8>,
}

/// What stands in a line.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'a> {
    /// All of it, without its end.
    Whole(&'a [u8]),
    /// It is longer than the longest that is read, and was passed over.
    TooLong,
}

impl<Reader: BufRead> Lines<Reader> {
    pub(super) fn new(reader: Reader) -> Self {
        Self { reader, line: Vec::new() }
    }

    /// The next line that is not blank; `None` at the end.
    ///
    /// # Errors
    /// When the file cannot be read further.
    pub(super) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            self.line.clear();
            match self.take_line()? {
                None => return Ok(None),
                Some(false) => return Ok(Some(Line::TooLong)),
                Some(true) if self.line.iter().all(u8::is_ascii_whitespace) => {}
                Some(true) => break,
            }
        }
        Ok(Some(Line::Whole(&self.line)))
    }

    /// Takes a line in; whether all of it. `None` at the end.
    fn take_line(&mut self) -> io::Result<Option<bool>> {
        let mut is_whole = true;
        let mut is_end = true;
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok((!is_end).then_some(is_whole));
            }
            is_end = false;
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let text = end.and_then(|end| chunk.get(..end)).unwrap_or(chunk);
            is_whole &= self.line.len() + text.len() <= MAX_LINE;
            match is_whole {
                true => self.line.extend_from_slice(text),
                false => self.line.clear(),
            }
            let used = end.map_or(chunk.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                return Ok(Some(is_whole));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_takes_no_memory_and_hides_no_other() {
        let long = vec![b'x'; MAX_LINE + 1];
        let text = [b"a\n\n  \n".as_slice(), &long, b"\nb\r\n", &long].concat();
        let mut lines = Lines::new(io::BufReader::with_capacity(4096, text.as_slice()));
        assert_eq!(lines.next_line().unwrap(), Some(Line::Whole(b"a")));
        assert_eq!(lines.next_line().unwrap(), Some(Line::TooLong));
        assert!(lines.line.is_empty());
        assert_eq!(lines.next_line().unwrap(), Some(Line::Whole(b"b\r")));
        assert_eq!(lines.next_line().unwrap(), Some(Line::TooLong));
        assert_eq!(lines.next_line().unwrap(), None);
    }
}
