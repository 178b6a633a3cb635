//! User information of URLs (RFC 3986, section 3.2.1).

use super::super::look_alikes::{self, ValueSyntax};
use super::super::secrecy::Strength;
use super::super::span::{Rank, Span};
use super::view::View;

/// Longest user information, in bytes.
const MAX_LENGTH: usize = 2048;

/// Longest host that is looked at, in bytes.
const MAX_HOST: usize = 64;

/// Longest user information with a slash in it, in bytes.
const MAX_UNESCAPED: usize = 256;

pub(super) fn find(view: &View<'_>, spans: &mut Vec<Span<'_>>) {
    // JSON may escape the slashes (RFC 8259, section 7).
    for separator in ["://", r":\/\/"] {
        find_behind(view, separator, spans);
    }
}

fn find_behind(view: &View<'_>, separator: &str, spans: &mut Vec<Span<'_>>) {
    let mut from = 0;
    for (scheme, _) in view.text.match_indices(separator) {
        let start = scheme + separator.len();
        if start < from {
            continue;
        }
        let Some((user_end, host)) = user_information(view, start) else { continue };
        from = host;
        let user = view.slice(start..user_end);
        if user_end < host - 1 {
            let password = view.slice(user_end + 1..host - 1);
            // A token in place of the user, with a fixed word behind it.
            if look_alikes::is_digest(user) && matches!(password, "x-oauth-basic" | "x-oauth" | "") {
                spans.push(Span::new(start..user_end, "url-token", Rank::Structure));
                continue;
            }
            // Documentation writes `user:password@host`.
            if look_alikes::is_secret(password, Strength::Strong, ValueSyntax::Quoted) {
                spans.push(Span::new(user_end + 1..host - 1, "url-password", Rank::Structure));
            }
        } else if user.len() >= 20
            && (look_alikes::looks_random(user) || look_alikes::is_digest(user))
            && !is_ingest(view, host)
        {
            spans.push(Span::new(start..user_end, "url-token", Rank::Structure));
        }
    }
}

/// Addresses that events are sent to have a public key as their user.
fn is_ingest(view: &View<'_>, host: usize) -> bool {
    let end = view.until_within(host, MAX_HOST, |byte| byte.is_ascii_whitespace() || b"/\"'".contains(&byte));
    view.slice(host..end).contains("ingest")
}

/// Where the user ends and where the host begins. A password may hold an unescaped `@`, `/`, `?` or
/// `#`, as people write it, unless what stands before is a port.
fn user_information(view: &View<'_>, start: usize) -> Option<(usize, usize)> {
    let authority =
        view.until_within(start, MAX_LENGTH, |byte| byte.is_ascii_whitespace() || b"/?#\"'`<>\\".contains(&byte));
    let head = (start..=authority).rev().find_map(|end| view.text.get(start..end)).unwrap_or_default();
    if let Some(at) = head.rfind('@') {
        let colon = head.get(..at)?.find(':').unwrap_or(at);
        return Some((start + colon, start + at + 1));
    }
    let colon = head.rfind(':')?;
    let after = head.get(colon + 1..)?;
    if after.is_empty()
        || after.bytes().all(|byte| byte.is_ascii_digit())
        || head.starts_with('[')
        || after.contains('.')
    {
        return None;
    }
    let stop =
        view.until_within(start, MAX_UNESCAPED, |byte| byte.is_ascii_whitespace() || b"\"'`<>\\|,;".contains(&byte));
    let whole = (start..=stop).rev().find_map(|end| view.text.get(start..end)).unwrap_or_default();
    let at = whole.find('@')?;
    (at > colon).then_some((start + colon, start + at + 1))
}
