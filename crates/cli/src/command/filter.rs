//! JSON lines in, JSON lines out, one for one and in order: for scripts and large tests.

use std::io::{BufRead, BufReader, Write};
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::unwritten;
use crate::DONE;

/// Longest line, in bytes: as much as the API takes, and room for escapes.
const MAX_LINE: usize = 8 * 1024 * 1024;

/// Answers each line of stdin with one line on stdout. A line that cannot be used is answered with
/// `{"error": …}` and the fields of `refused`; the others are still answered, and the exit code
/// says that there was one.
pub(crate) fn run<Input: DeserializeOwned, Output: Serialize>(
    refused: &serde_json::Map<String, serde_json::Value>,
    mut answer: impl FnMut(Input) -> anyhow::Result<Output>,
) -> anyhow::Result<ExitCode> {
    let mut lines = BufReader::new(std::io::stdin().lock());
    let mut stdout = std::io::BufWriter::new(std::io::stdout().lock());
    let mut code = DONE;
    let mut line = Vec::new();
    for number in 1_usize.. {
        line.clear();
        if lines.read_until(b'\n', &mut line).context("cannot read stdin")? == 0 {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answered = if line.len() > MAX_LINE {
            Err(anyhow::anyhow!("the line is longer than {MAX_LINE} bytes"))
        } else {
            serde_json::from_slice(&line).context("not the JSON that is expected here").and_then(&mut answer)
        };
        match answered {
            Ok(output) => stdout.write_all(ascii(&serde_json::to_string(&output)?).as_bytes()).map_err(unwritten)?,
            Err(error) => {
                code = ExitCode::from(1);
                let mut output = refused.clone();
                output.insert("error".to_owned(), json!(format!("line {number}: {error:#}")));
                stdout.write_all(ascii(&serde_json::to_string(&output)?).as_bytes()).map_err(unwritten)?;
            }
        }
        stdout.write_all(b"\n").map_err(unwritten)?;
        // A script may wait for each answer before it writes the next line.
        if lines.buffer().is_empty() {
            stdout.flush().map_err(unwritten)?;
        }
    }
    stdout.flush().map_err(unwritten)?;
    Ok(code)
}

/// JSON text with everything beyond ASCII escaped (RFC 8259, section 7): what is odd about a text
/// then acts on no terminal and divides no line.
fn ascii(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() && character != '\u{7f}' {
            escaped.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::ascii;

    #[test]
    fn what_is_beyond_ascii_is_escaped_and_means_the_same() {
        let text = "h\u{e9}llo \u{202e}\u{2028} \u{1f680}";
        let json = ascii(&serde_json::to_string(text).unwrap());
        assert!(json.is_ascii());
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
