//! The values of `Authorization`, `Cookie` and `Set-Cookie` (RFC 9110, section 11.6.2; RFC 6265,
//! section 4), wherever these names stand.

use super::super::look_alikes::{self, ValueSyntax};
use super::super::secrecy::Strength;
use super::super::span::{Rank, Span};
use super::view::View;

/// Schemes in the registry of RFC 9110, section 16.4.1, and such as services made up.
const SCHEMES: &[&str] = &[
    "bearer",
    "basic",
    "token",
    "digest",
    "apikey",
    "api-key",
    "negotiate",
    "ntlm",
    "oauth",
    "bot",
    "geniekey",
    "ssws",
    "dpop",
    "hawk",
    "key",
    "aws4-hmac-sha256",
    "signature",
    "sharedkey",
    "sharedaccesssignature",
    "jwt",
    "splunk",
    "vapid",
    "mac",
    "scram-sha-256",
    "gnap",
    "hoba",
    "mutual",
    "privatetoken",
];

/// Attributes of `Set-Cookie`, which are no cookies.
const COOKIE_ATTRIBUTES: &[&str] =
    &["path", "domain", "expires", "max-age", "samesite", "secure", "httponly", "priority", "partitioned", "version"];
/// Longest field without a secret that is looked into for further names, in bytes.
const MAX_WITHOUT: usize = 1024;
/// Shortest value of a cookie that can be a session, in bytes.
const MIN_COOKIE: usize = 8;

/// Finds the secrets of a field whose value begins at `value`. Returns where to go on; `None` when
/// the name does not stand for a field here.
pub(super) fn find(view: &View<'_>, kind: &'static str, value: usize, spans: &mut Vec<Span<'_>>) -> Option<usize> {
    // `f"…"`, `b'…'`: a letter before the quote says how to read it.
    let prefixed =
        usize::from(matches!(view.byte(value), b'b' | b'r' | b'f' | b'u') && view.quote(value + 1).is_some());
    let (start, end) = if let Some(quote) = view.quote(value + prefixed) {
        (quote.content, view.quote_end(quote).0)
    } else {
        (value, unquoted_end(view, value))
    };
    let mut last = value;
    for (from, to) in header_values(kind, view.slice(start..end)) {
        spans.push(Span::new(start + from..start + to, kind, Rank::Structure));
        last = start + to;
    }
    if last == value && end > value + MAX_WITHOUT {
        last = end;
    }
    let is_field = last > value || kind == "cookie" || scheme(view.slice(start..end)).is_some();
    is_field.then_some(last)
}

/// To the end of the line, or to the quote that the whole field stands in.
fn unquoted_end(view: &View<'_>, value: usize) -> usize {
    let line = view.line_end(value);
    let text = view.slice(value..line);
    let quote = text
        .find(|sign: char| matches!(sign, '"' | '\'' | '`') && view.is_inside(sign as u8, value))
        .unwrap_or(text.len());
    let escape = text.find("\\n").or_else(|| text.find("\\r")).unwrap_or(text.len());
    let end = quote.min(escape);
    value + text.get(..end).unwrap_or_default().trim_end_matches(['\\', ' ']).len()
}

/// The secret parts of the value of a header of this kind.
pub(in super::super) fn header_values(kind: &str, value: &str) -> Vec<(usize, usize)> {
    if kind == "cookie" { cookies(value) } else { credentials(value) }
}

fn credentials(value: &str) -> Vec<(usize, usize)> {
    let start = scheme(value).unwrap_or_default();
    let secret = value.get(start..).unwrap_or_default();
    if start == 0 && secret.trim().contains(char::is_whitespace)
        || !look_alikes::is_secret(secret, Strength::Strong, ValueSyntax::Quoted)
    {
        return Vec::new();
    }
    // `auth: token expired, refreshing`.
    let is_prose = secret.trim().contains(' ') && !secret.contains(|sign: char| sign == '=' || sign.is_ascii_digit());
    if is_prose {
        return Vec::new();
    }
    // Without a scheme the text can as well be code.
    if start == 0 && !look_alikes::looks_random(secret) {
        return Vec::new();
    }
    vec![(start, start + secret.trim_end().len())]
}

/// Where the credentials begin behind a scheme.
fn scheme(value: &str) -> Option<usize> {
    let (word, rest) = value.split_once([' ', '+'])?;
    let is_scheme = SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme));
    is_scheme.then(|| value.len() - rest.trim_start().len())
}

fn cookies(value: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut place = 0;
    for part in value.split_inclusive(';') {
        let start = place;
        place += part.len();
        let part = part.trim_end_matches(';').trim_end();
        let (name, equals) = part.split_once('=').map_or(("", 0), |(name, _)| (name.trim(), name.len() + 1));
        let secret = part.get(equals..).unwrap_or_default();
        if COOKIE_ATTRIBUTES.iter().any(|attribute| name.eq_ignore_ascii_case(attribute))
            || equals == 0 && !look_alikes::looks_random(secret)
        {
            continue;
        }
        if secret.len() >= MIN_COOKIE && look_alikes::is_secret(secret, Strength::Medium, ValueSyntax::Quoted) {
            found.push((start + equals, start + part.len()));
        }
    }
    found
}
