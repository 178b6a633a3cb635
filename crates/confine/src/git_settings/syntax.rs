//! Settings as git reads them: git-config(1), "Syntax" and "Values", and where that is silent `config.c` of git 2.47. Where git
//! gives a file up, the next line is read: other programs may go on, too.

/// One setting. The subsection is left out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// In small letters.
    pub(super) section: String,
    /// In small letters.
    pub(super) key: String,
    /// Empty when the key stands alone.
    pub(super) value: Vec<u8>,
}

/// Every setting of a file.
pub(super) fn settings(text: &[u8]) -> Vec<Setting> {
    let mut reader = Reader(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text));
    let mut section = String::new();
    let mut found = Vec::new();
    while !reader.0.is_empty() {
        match reader.next() {
            b'[' => section = reader.section(),
            first if first.is_ascii_alphabetic() => {
                let (key, value) = reader.setting(first);
                found.push(Setting { section: section.clone(), key, value });
            }
            byte if is_blank(byte) => {}
            // A comment, or what git takes for a mistake.
            _ => reader.skip_line(),
        }
    }
    found
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// What is left of the text.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// The end of the text ends a line, too.
    fn next(&mut self) -> u8 {
        let (byte, rest) = match self.0 {
            [b'\r', b'\n', rest @ ..] => (b'\n', rest),
            [byte, rest @ ..] => (*byte, rest),
            [] => (b'\n', self.0),
        };
        self.0 = rest;
        byte
    }

    fn skip_line(&mut self) {
        while self.next() != b'\n' {}
    }

    /// The name of a section, from behind its bracket. A quoted subsection may hold any bracket.
    fn section(&mut self) -> String {
        let mut name = String::new();
        let (mut is_named, mut is_quoted) = (false, false);
        loop {
            match self.next() {
                b'\n' => return name,
                b']' if !is_quoted => return name,
                b'"' => (is_named, is_quoted) = (true, !is_quoted),
                b'\\' if is_quoted && !self.0.starts_with(b"\n") => {
                    self.next();
                }
                byte if is_blank(byte) => is_named = true,
                byte if !is_named => name.push(byte.to_ascii_lowercase().into()),
                _ => {}
            }
        }
    }

    /// A key that starts with `first`, and its value.
    fn setting(&mut self, first: u8) -> (String, Vec<u8>) {
        let mut key = String::new();
        let mut byte = first;
        while byte.is_ascii_alphanumeric() || byte == b'-' {
            key.push(byte.to_ascii_lowercase().into());
            byte = self.next();
        }
        while matches!(byte, b' ' | b'\t') {
            byte = self.next();
        }
        let value = match byte {
            b'=' => self.value(),
            b'\n' => Vec::new(),
            _ => {
                self.skip_line();
                Vec::new()
            }
        };
        (key, value)
    }

    fn value(&mut self) -> Vec<u8> {
        let mut value = Vec::new();
        // Up to where it is not blanks that end it.
        let mut length = 0;
        let mut is_quoted = false;
        loop {
            match self.next() {
                b'\n' => break,
                b'#' | b';' if !is_quoted => {
                    self.skip_line();
                    break;
                }
                byte if is_blank(byte) && !is_quoted => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                b'"' => is_quoted = !is_quoted,
                b'\\' => match self.next() {
                    b'\n' => {}
                    b'n' => value.push(b'\n'),
                    b't' => value.push(b'\t'),
                    b'b' => value.push(8),
                    other => value.push(other),
                },
                byte => value.push(byte),
            }
            length = value.len();
        }
        value.truncate(length);
        // To git a value is a string of C.
        value.split(|byte| *byte == 0).next().unwrap_or_default().to_owned()
    }
}
