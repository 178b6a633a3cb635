//! What stands in place of a secret: `‹redacted:kind:length:fingerprint›`.

use std::ops::Range;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::Redaction;

const OPEN: &str = "‹redacted:";
const CLOSE: &str = "›";
/// Longest text between the opening and the closing of a mark, in bytes.
const MAX_LENGTH: usize = 64;
/// Longest name of a kind, in characters.
pub(super) const MAX_KIND: usize = 32;
/// Block size of SHA-256 in bytes (FIPS 180-4, table 1). A shorter HMAC key is filled up with zeros
/// (RFC 2104, section 2).
const BLOCK: usize = 64;

#[derive(Clone)]
pub(super) struct Marks {
    mac: Hmac<Sha256>,
}

impl std::fmt::Debug for Marks {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Marks")
    }
}

impl Marks {
    pub(super) fn new(key: [u8; 32]) -> Self {
        let mut block = [0; BLOCK];
        for (to, from) in block.iter_mut().zip(key) {
            *to = from;
        }
        Self { mac: Hmac::new(&block.into()) }
    }

    /// The mark for a secret.
    pub(super) fn mark(&self, kind: &str, secret: &str) -> (String, Redaction) {
        self.mark_of(kind, secret.chars().count(), [secret])
    }

    /// The mark for something that consists of several texts.
    pub(super) fn mark_of<'t>(
        &self,
        kind: &str,
        length: usize,
        parts: impl IntoIterator<Item = &'t str>,
    ) -> (String, Redaction) {
        let mut mac = self.mac.clone();
        for part in parts {
            mac.update(part.as_bytes());
        }
        let [first, second, third, fourth, ..]: [u8; 32] = mac.finalize().into_bytes().into();
        let fingerprint = hex::encode([first, second, third, fourth]);
        let mark = format!("{OPEN}{kind}:{length}:{fingerprint}{CLOSE}");
        (mark, Redaction { kind: kind.to_owned(), length })
    }

    /// The marks that stand in `text` already.
    pub(super) fn find(&self, text: &str) -> Vec<Range<usize>> {
        find(text)
    }
}

/// The marks in `text`, in order. Only the exact form counts, so that nothing longer than a mark can
/// pass for one and go unredacted.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut marks = Vec::new();
    for (start, _) in text.match_indices(OPEN) {
        let Some(rest) = text.get(start + OPEN.len()..) else { continue };
        let Some(inside) = head(rest, MAX_LENGTH).split_once(CLOSE).map(|(inside, _)| inside) else { continue };
        if is_mark(inside) {
            marks.push(start..start + OPEN.len() + inside.len() + CLOSE.len());
        }
    }
    marks
}

/// `text` with each mark as `[kind]`: for a short line, and for looking at the text around it.
#[must_use]
pub fn in_short(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut rest = 0;
    for mark in find(text) {
        let inside = text.get(mark.clone()).unwrap_or_default();
        let kind = inside.strip_prefix(OPEN).and_then(|inside| inside.split(':').next()).unwrap_or_default();
        short.push_str(text.get(rest..mark.start).unwrap_or_default());
        short.push_str(&format!("[{kind}]"));
        rest = mark.end;
    }
    short.push_str(text.get(rest..).unwrap_or_default());
    short
}

/// The first `bytes` of `text`, or a little less where that would cut a character.
fn head(text: &str, bytes: usize) -> &str {
    (bytes.saturating_sub(3)..=bytes).rev().find_map(|end| text.get(..end)).unwrap_or(text)
}

fn is_mark(inside: &str) -> bool {
    let mut parts = inside.splitn(3, ':');
    let (Some(kind), Some(length), Some(fingerprint)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    is_kind(kind)
        && !length.is_empty()
        && length.bytes().all(|byte| byte.is_ascii_digit())
        && fingerprint.len() == 8
        && fingerprint.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Whether `kind` may name a kind: lower-case letters, digits and hyphens.
pub(super) fn is_kind(kind: &str) -> bool {
    (1..=MAX_KIND).contains(&kind.len())
        && kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_secrets_have_equal_fingerprints_under_one_key_only() {
        let (one, other) = (Marks::new([1; 32]), Marks::new([2; 32]));
        assert_eq!(one.mark("password", "x").0, one.mark("password", "x").0);
        assert_ne!(one.mark("password", "x").0, one.mark("password", "y").0);
        assert_ne!(one.mark("password", "x").0, other.mark("password", "x").0);
    }

    #[test]
    fn a_mark_is_found_again_and_nothing_longer_is() {
        let (mark, redaction) = Marks::new([1; 32]).mark("password", "hunter2");
        assert_eq!(redaction.length, 7);
        assert_eq!(find(&format!("a {mark} b")), vec![2..2 + mark.len()]);
        assert!(find("‹redacted:My-Password:7:01234567›").is_empty());
        assert!(find("‹redacted:password:7:0123456›").is_empty());
        assert!(find(&format!("‹redacted:{}:7:01234567›", "a".repeat(33))).is_empty());
    }

    #[test]
    fn in_short_a_mark_is_its_kind() {
        let (mark, _) = Marks::new([1; 32]).mark("password", "hunter2");
        assert_eq!(in_short(&format!("a {mark} b {mark}")), "a [password] b [password]");
        assert_eq!(in_short("‹redacted: x›"), "‹redacted: x›");
    }

    #[test]
    fn the_fingerprint_is_the_beginning_of_an_hmac_sha_256() {
        // RFC 4231, test case 2, with its key "Jefe".
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        assert!(Marks::new(key).mark("x", "what do ya want for nothing?").0.ends_with(":5bdcc146›"));
    }
}
