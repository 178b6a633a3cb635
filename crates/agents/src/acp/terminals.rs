//! What an agent has told its client about its terminals (ACP version 2, "Terminals").

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::known::Known;

/// Terminals that are remembered at once.
const MAX_TERMINALS: usize = 256;
/// What is kept of the output of one, in bytes: its end.
const MAX_OUTPUT: usize = 2 * 1024;
/// What is kept of a command or a folder, in characters.
const MAX_TEXT: usize = 2_000;

/// The terminals that were told of. The oldest are forgotten when there are too many.
#[derive(Debug, Default)]
pub(super) struct Terminals {
    known: Known<Terminal>,
}

#[derive(Debug, Default)]
struct Terminal {
    command: Option<String>,
    folder: Option<String>,
    output: Vec<u8>,
    has_more: bool,
    exit: Option<String>,
}

impl Terminals {
    /// Applies a `terminal_update`: what it leaves out stays, `null` clears.
    pub(super) fn update(&mut self, session: &str, update: &Map<String, Value>) {
        let Some(terminal) = self.of(session, update) else { return };
        let text = |value: &Value| value.as_str().map(|text| super::words::cut(text, MAX_TEXT));
        if let Some(command) = update.get("command") {
            terminal.command = text(command);
        }
        if let Some(folder) = update.get("cwd") {
            terminal.folder = text(folder);
        }
        if let Some(output) = update.get("output") {
            terminal.output.clear();
            terminal.has_more = false;
            terminal.add(output.get("data"));
        }
        if let Some(status) = update.get("exitStatus") {
            terminal.exit = exit(status);
        }
    }

    /// Applies a `terminal_output_chunk`.
    pub(super) fn append(&mut self, session: &str, chunk: &Map<String, Value>) {
        if let Some(terminal) = self.of(session, chunk) {
            terminal.add(chunk.get("data"));
        }
    }

    /// What there is to see of the terminal `id`.
    pub(super) fn shown(&self, session: &str, id: &str) -> Option<String> {
        let terminal = self.known.get(session, id)?;
        let mut text = format!("Terminal: {}", terminal.command.as_deref().unwrap_or("a shell"));
        if let Some(folder) = &terminal.folder {
            let _ = write!(text, " (in {folder})");
        }
        if !terminal.output.is_empty() {
            let begin = if terminal.has_more { "…" } else { "" };
            let _ = write!(text, "\n{begin}{}", String::from_utf8_lossy(&terminal.output));
        }
        if let Some(exit) = &terminal.exit {
            let _ = write!(text, "\nIt has ended: {exit}.");
        }
        Some(text)
    }

    fn of(&mut self, session: &str, fields: &Map<String, Value>) -> Option<&mut Terminal> {
        let id = fields.get("terminalId")?.as_str()?;
        if self.known.get(session, id).is_none() && self.known.len() == MAX_TERMINALS {
            self.known.forget_oldest();
        }
        Some(self.known.entry(session, id))
    }
}

impl Terminal {
    fn add(&mut self, data: Option<&Value>) {
        self.output.extend(data.and_then(Value::as_str).map(decoded).unwrap_or_default());
        let too_many = self.output.len().saturating_sub(MAX_OUTPUT);
        if too_many > 0 {
            self.output.drain(..too_many);
            self.has_more = true;
        }
    }
}

fn exit(status: &Value) -> Option<String> {
    let signal = status.get("signal").and_then(Value::as_str).map(|signal| super::words::cut(signal, 40));
    let code = status.get("exitCode").and_then(Value::as_i64).map(|code| format!("exit code {code}"));
    signal.or(code)
}

/// Bytes in base64 (RFC 4648 §4), as far as they are that.
fn decoded(text: &str) -> Vec<u8> {
    let six_bits = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut held, mut bits) = (Vec::with_capacity(text.len() / 4 * 3), 0_u32, 0);
    for six in text.bytes().map_while(six_bits) {
        held = (held << 6 | u32::from(six)) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.extend((held >> bits).to_le_bytes().first());
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::known::tests::object;
    use super::*;

    #[test]
    fn base64_is_read() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")] {
            assert_eq!(decoded(text), bytes.as_bytes());
        }
        assert_eq!(decoded("+/8="), [0xfb, 0xff]);
    }

    #[test]
    fn a_terminal_is_what_its_updates_say_with_the_end_of_its_output() {
        let mut terminals = Terminals::default();
        let start = json!({ "terminalId": "t", "command": "npm test", "cwd": "/work", "output": { "data": "Zm9v" } });
        terminals.update("s", &object(start));
        terminals.append("s", &object(json!({ "terminalId": "t", "data": "YmFy" })));
        assert_eq!(terminals.shown("s", "t").unwrap(), "Terminal: npm test (in /work)\nfoobar");
        terminals.update("s", &object(json!({ "terminalId": "t", "cwd": null, "exitStatus": { "exitCode": 1 } })));
        assert_eq!(terminals.shown("s", "t").unwrap(), "Terminal: npm test\nfoobar\nIt has ended: exit code 1.");
        terminals.append("s", &object(json!({ "terminalId": "t", "data": "AAAA".repeat(MAX_OUTPUT) })));
        assert!(terminals.shown("s", "t").unwrap().starts_with("Terminal: npm test\n…\0"));
        assert_eq!(terminals.shown("other", "t"), None);
    }

    #[test]
    fn the_oldest_of_too_many_is_forgotten() {
        let mut terminals = Terminals::default();
        for number in 0..=MAX_TERMINALS {
            terminals.update("s", &object(json!({ "terminalId": number.to_string() })));
        }
        assert!(terminals.shown("s", "0").is_none() && terminals.shown("s", "1").is_some());
        assert_eq!(terminals.known.len(), MAX_TERMINALS);
    }
}
