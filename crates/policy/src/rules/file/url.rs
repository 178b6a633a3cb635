//! Addresses of programs outside that Handraise asks or tells something.

use std::net::IpAddr;

use toml::de::DeTable;

use super::reader::{Reader, Value};

/// Longest address, in bytes.
const MAX_URL: usize = 2048;

/// The `url` of `table`, which is the value `of` and called `place`; without a slash at the end.
pub(super) fn read_url(
    reader: &mut Reader<'_>,
    table: &DeTable<'_>,
    of: &Value<'_>,
    place: &str,
    help: &str,
) -> Option<String> {
    let Some(url) = table.get("url") else {
        reader.error("missing_key", of.span(), format!("{place} has no `url`"), Some(help.to_owned()));
        return None;
    };
    let text = reader.string("url", url)?;
    if let Some(fault) = fault(text) {
        reader.error("bad_url", url.span(), format!("`url` {fault}"), Some(help.to_owned()));
        return None;
    }
    Some(text.trim_end_matches('/').to_owned())
}

/// Why calls cannot be sent to an address.
fn fault(url: &str) -> Option<&'static str> {
    let is_plain = |character: char| character.is_ascii_graphic() && !matches!(character, '"' | '<' | '>' | '\\' | '`');
    if url.len() > MAX_URL || !url.chars().all(is_plain) {
        return Some("holds characters that no address has, or is too long");
    }
    let (is_secure, rest) = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
        (Some(rest), _) => (true, rest),
        (None, Some(rest)) => (false, rest),
        (None, None) => return Some("begins neither with `https://` nor with `http://`"),
    };
    if url.contains(['?', '#']) {
        return Some("has a query or a fragment");
    }
    let authority = rest.split('/').next().unwrap_or(rest);
    if authority.contains('@') {
        return Some("holds a user name: credentials do not belong into the policy");
    }
    let Some(host) = host_of(authority) else { return Some("has a port that is none") };
    if host.is_empty() {
        return Some("names no host");
    }
    let is_here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    (!is_secure && !is_here)
        .then_some("goes to another machine without TLS, where everybody on the way can read and answer")
}

/// The host of `authority`; `None`: it has a port that is none.
fn host_of(authority: &str) -> Option<&str> {
    let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, rest)) => (host, rest.strip_prefix(':').or_else(|| rest.is_empty().then_some("1"))?),
        None => authority.split_once(':').unwrap_or((authority, "1")),
    };
    port.parse::<u16>().ok().filter(|port| *port > 0).map(|_| host)
}
