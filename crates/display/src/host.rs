//! Hosts in addresses, and how they look to a resolver.

use super::character::{self, ascii_look, is_mark};
use super::known;
use super::script::{self, Writing};
use super::stretch::stretches;

/// Longest label of a host (RFC 1035 §2.3.4) and, generously, of one before encoding.
const MAX_LABEL: usize = 63;

/// A host that may be taken for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SuspiciousHost {
    /// First byte.
    pub(super) start: usize,
    /// First byte after it.
    pub(super) end: usize,
    /// With every label that is not ASCII in Punycode (RFC 3492).
    pub(super) ascii: String,
    /// Scripts are mixed within it.
    pub(super) mixed: bool,
}

/// The hosts of `text` with labels that are not ASCII and that mix scripts or look like ASCII.
pub(super) fn suspicious(text: &str) -> Vec<SuspiciousHost> {
    if text.is_ascii() {
        return Vec::new();
    }
    candidates(text).into_iter().filter_map(judge).collect()
}

/// The Punycode labels of `text` that mix scripts, look like ASCII or cannot be decoded, by first
/// byte and what they decode to.
pub(super) fn encoded(text: &str) -> Vec<(usize, Option<String>, Writing)> {
    let mut found = Vec::new();
    for (start, label) in stretches(text, |character| character.is_ascii_alphanumeric() || character == '-') {
        let Some((prefix, rest)) = label.split_at_checked(4) else { continue };
        if !prefix.eq_ignore_ascii_case("xn--") || rest.is_empty() || rest.len() > MAX_LABEL {
            continue;
        }
        match idna::punycode::decode_to_string(rest) {
            Some(decoded) if decoded.chars().any(|character| character::hidden(character).is_some()) => {
                found.push((start, None, Writing::Usual));
            }
            Some(decoded) => {
                let writing = label_writing(&decoded);
                let imitates = matches!(writing, Writing::Mixed | Writing::LooksLatin);
                if imitates || decoded.chars().any(|character| ascii_look(character).is_some()) {
                    found.push((start, Some(decoded), writing));
                }
            }
            None => found.push((start, None, Writing::Usual)),
        }
    }
    found
}

/// What may be a host: the authority of an address, and a dotted name under a common domain.
fn candidates(text: &str) -> Vec<(usize, &str)> {
    let mut found = authorities(text);
    for (start, name) in
        stretches(text, |character| character.is_alphanumeric() || matches!(character, '-' | '.') || is_mark(character))
    {
        let name = name.trim_end_matches('.');
        let named = name.rsplit_once('.').is_some_and(|(_, domain)| known::contains(known::DOMAINS, domain));
        let inside = |(at, host): &(usize, &str)| (*at..at + host.len()).contains(&start);
        if named && !name.is_ascii() && !found.iter().any(inside) {
            found.push((start, name));
        }
    }
    found.sort_unstable_by_key(|(start, _)| *start);
    found
}

/// The host of each `scheme://userinfo@host:port` (RFC 3986 §3.2).
pub(super) fn authorities(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, separator) in text.match_indices("://") {
        let start = at + separator.len();
        let Some(rest) = text.get(start..) else { continue };
        let ends = |character: char| {
            character.is_whitespace()
                // U+27E8 opens a label of this module, and is no part of a name either (RFC 5892).
                || matches!(character, '/' | '?' | '#' | '\\' | '"' | '\'' | '`' | '<' | '>' | '|' | ';' | '⟨')
                || character::hidden(character).is_some()
        };
        let authority = rest.split(ends).next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let start = start + authority.len() - host.len();
        let host = host.split(':').next().unwrap_or_default();
        if !host.is_empty() {
            found.push((start, host));
        }
    }
    found
}

fn judge((start, host): (usize, &str)) -> Option<SuspiciousHost> {
    let mut odd = false;
    let mut mixed = false;
    for label in host.split('.') {
        let writing = label_writing(label);
        mixed |= matches!(writing, Writing::Mixed | Writing::LooksLatin);
        odd |= label.chars().any(|character| ascii_look(character).is_some() && !script::is_other_letter(character));
    }
    (odd || mixed).then(|| SuspiciousHost { start, end: start + host.len(), ascii: to_ascii(host), mixed })
}

fn label_writing(label: &str) -> Writing {
    let letters: String =
        label.chars().filter(|character| character.is_alphanumeric() || is_mark(*character)).collect();
    script::writing(&letters)
}

fn to_ascii(host: &str) -> String {
    let labels = host.split('.').map(|label| {
        if label.is_ascii() {
            return label.to_owned();
        }
        let encoded = idna::punycode::encode_str(&label.to_lowercase()).filter(|_| label.chars().count() <= MAX_LABEL);
        encoded.map_or_else(|| "xn--?".to_owned(), |encoded| format!("xn--{encoded}"))
    });
    labels.collect::<Vec<_>>().join(".")
}
