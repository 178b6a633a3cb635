//! Private key blocks.
//!
//! PEM (RFC 7468), OpenSSH and PGP (RFC 9580, section 6.2) write `-----BEGIN … PRIVATE KEY…-----`
//! to `-----END …-----`; PuTTY (its manual, appendix C) `PuTTY-User-Key-File-` to `Private-MAC:`.
//! A block without an end, as a preview leaves it, reaches to the end of the text. The `\n` of a
//! JSON string, escaped however often, is part of the block.

use super::span::{Rank, Span};

/// How the first and the last line of a block begin and end.
#[derive(Clone, Copy)]
struct Frame {
    begin: &'static str,
    end: &'static str,
    dashes: &'static str,
}

/// PEM, and the frame of RFC 4716, section 3.2, in which commercial SSH also writes private keys.
const FRAMES: [Frame; 2] = [
    Frame { begin: "-----BEGIN ", end: "-----END ", dashes: "-----" },
    Frame { begin: "---- BEGIN ", end: "---- END ", dashes: "----" },
];
/// Longest label between the dashes, in bytes.
const MAX_LABEL: usize = 64;
const PUTTY: &str = "PuTTY-User-Key-File-";
const PUTTY_MAC: &str = "Private-MAC: ";

pub(super) fn find(text: &str, spans: &mut Vec<Span<'_>>) {
    for frame in FRAMES {
        let mut from = 0;
        let mut ends = text.match_indices(frame.end).map(|(end, _)| end).peekable();
        for (start, _) in text.match_indices(frame.begin) {
            if start < from || !is_private(text, start + frame.begin.len()) {
                continue;
            }
            // The ends are walked through once for all beginnings: many beginnings can stand before one end, or before none.
            while ends.next_if(|end| *end < start).is_some() {}
            let Some(end) = end_of_block(text, start, ends.peek().copied(), frame) else { continue };
            from = end;
            spans.push(Span::new(start..from, "private-key", Rank::Block));
        }
    }
    let mut from = 0;
    for (start, _) in text.match_indices(PUTTY) {
        if start < from {
            continue;
        }
        from = end_of_putty(text, start);
        spans.push(Span::new(start..from, "private-key", Rank::Block));
    }
}

/// Whether the label that begins at `label` is that of a private key. A label that is cut off counts
/// as far as it goes.
fn is_private(text: &str, label: usize) -> bool {
    let rest = text.as_bytes().get(label..).unwrap_or_default();
    let label: Vec<u8> =
        rest.iter().copied().take(MAX_LABEL).take_while(|byte| !matches!(byte, b'-' | b'\n')).collect();
    label.windows(b"PRIVATE KEY".len()).any(|words| words.eq_ignore_ascii_case(b"PRIVATE KEY"))
}

/// `None` when nothing of a key follows: somebody searches for the words of the first line.
fn end_of_block(text: &str, start: usize, end: Option<usize>, frame: Frame) -> Option<usize> {
    let rest = text.get(start..)?;
    let Some(end) = end.map(|end| end - start) else { return has_content(rest, frame).then_some(text.len()) };
    let inner = rest.get(frame.begin.len()..end).and_then(|inner| inner.split_once(frame.dashes));
    // Manuals write three dots between the lines.
    if inner.is_some_and(|(_, content)| !content.contains(char::is_alphanumeric)) {
        return None;
    }
    let label = end + frame.end.len();
    let closing = rest.get(label..).and_then(|rest| rest.find(frame.dashes)).filter(|length| *length <= MAX_LABEL);
    Some(closing.map_or(text.len(), |closing| start + label + closing + frame.dashes.len()))
}

/// Whether the first line of a block without an end is followed by anything but a closing quote.
fn has_content(block: &str, frame: Frame) -> bool {
    let Some(content) =
        block.get(frame.begin.len()..).and_then(|rest| rest.split_once(frame.dashes)).map(|(_, rest)| rest)
    else {
        return true;
    };
    let content = content.trim_start_matches(['-', ' ']);
    !content.starts_with(['"', '\'', '`', '/', ')', '|', ']']) && !content.is_empty()
}

fn end_of_putty(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let Some(mac) = rest.find(PUTTY_MAC) else { return text.len() };
    let digest = mac + PUTTY_MAC.len();
    let digits = rest.as_bytes().iter().skip(digest).take_while(|byte| byte.is_ascii_hexdigit()).count();
    start + digest + digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        find(text, &mut spans);
        spans.iter().map(|span| text.get(span.range()).unwrap()).collect()
    }

    #[test]
    fn a_block_ends_with_its_end_or_with_the_text() {
        let block = "-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK-----";
        assert_eq!(covered(&format!("a {block} b {block}")), vec![block, block]);
        assert_eq!(
            covered("a -----BEGIN OPENSSH PRIVATE KEY-----\\nabc"),
            vec!["-----BEGIN OPENSSH PRIVATE KEY-----\\nabc"]
        );
    }

    #[test]
    fn public_keys_and_certificates_stay() {
        assert!(covered("-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----").is_empty());
        assert!(covered("-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----").is_empty());
    }

    #[test]
    fn the_words_of_the_first_line_alone_are_no_block() {
        assert!(covered("grep -r -e '-----BEGIN PRIVATE KEY-----' src && rm -rf build").is_empty());
    }

    #[test]
    fn a_putty_key_ends_with_its_mac() {
        let key = "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nFAKE\nPrivate-MAC: 00ff";
        assert_eq!(covered(&format!("{key}\nrest")), vec![key]);
    }
}
