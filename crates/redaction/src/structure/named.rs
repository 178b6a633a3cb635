//! Values behind names: `NAME=value`, `"name": "value"`, `name: value`, `--name value`,
//! `?name=value`, `Name: value`, `<name>value</name>`.
//!
//! The sources of the forms: POSIX shell grammar 2.9.1 (assignments), RFC 8259 (JSON), YAML 1.2.2
//! (7.3, 8.2), TOML 1.0, RFC 3986 3.4 and the form encoding of the URL standard (queries), RFC 9110
//! 5.1 (header fields), ODBC and libpq connection strings, netrc(5).

use aho_corasick::AhoCorasick;

use super::super::key_names::KeyNames;
use super::super::look_alikes::{self, ValueSyntax};
use super::super::secrecy::{Secrecy, Strength};
use super::super::span::{Rank, Span};
use super::below;
use super::field;
use super::fields;
use super::long_quotes;
use super::name::Name;
use super::separator::{self, Separator};
use super::view::{Quote, View};

/// Longest name on either side of the text that it was found by, in bytes.
const MAX_SIDE: usize = 80;

/// Longest value that is looked into for further names after it was none itself, in bytes.
const MAX_REJECTED: usize = 256;

/// Most hashes between the letter and the quote of a raw string (The Rust Reference, "Raw string literals", has up to 255).
const MAX_HASHES: usize = 8;

/// Most items of a list that are looked at.
const MAX_LISTED: usize = 64;

pub(super) fn find(view: &View<'_>, roots: &AhoCorasick, names: &KeyNames, spans: &mut Vec<Span<'_>>) {
    let mut from = 0;
    for hit in roots.find_iter(view.text) {
        if hit.start() < from {
            continue;
        }
        let Some(name) = name_around(view, hit.start(), hit.end(), from) else { continue };
        from = name.end;
        let Some(secrecy) = names.secrecy(view.slice(name.start..name.end)) else { continue };
        let Some(separator) = separator::behind(view, name, secrecy) else {
            if let Some((value, is_quoted)) = fields::value_before(view, name) {
                let place = if is_quoted { ValueSyntax::Quoted } else { ValueSyntax::Line };
                if look_alikes::is_secret(view.slice(value.clone()), secrecy.strength, place) {
                    spans.push(Span::new(value, secrecy.kind, Rank::Structure));
                }
            }
            continue;
        };
        from = from.max(value_behind(view, name, secrecy, separator, spans));
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn name_around(view: &View<'_>, start: usize, end: usize, floor: usize) -> Option<Name> {
    // Letters outside of ASCII belong to a name in a language that has them.
    let is_foreign = !view.slice(start..end).is_ascii();
    let is_name = |character: char| match u8::try_from(character) {
        Ok(byte) if byte.is_ascii() => is_name_byte(byte),
        _ => is_foreign && character.is_alphanumeric(),
    };
    let head = view.slice(floor..start).chars().rev().take(MAX_SIDE);
    let mut left = start - head.take_while(|character| is_name(*character)).map(char::len_utf8).sum::<usize>();
    let tail = view.rest(end).chars().take(MAX_SIDE);
    let right = end + tail.take_while(|character| is_name(*character)).map(char::len_utf8).sum::<usize>();
    // `%3Ftoken`, `\npassword`: the name begins behind the escape.
    if view.before(left) == b'%' && view.slice(left..left + 2).bytes().all(|byte| byte.is_ascii_hexdigit()) {
        left = (left + 2).min(start);
    } else if view.before(left) == b'\\' && matches!(view.byte(left), b'n' | b't' | b'r') {
        left = (left + 1).min(start);
    }
    let hyphens = view.slice(left..right).bytes().take_while(|byte| *byte == b'-').count();
    let trimmed = view.slice(left..right).trim_end_matches(['-', '.']).len();
    let name = Name { start: left + hyphens, end: left + trimmed, is_option: (1..=2).contains(&hyphens) };
    (name.start < name.end).then_some(name)
}

/// Finds the secret behind a name. Returns where to go on: behind what was found, or behind a long
/// value that is no secret, so that no text is walked through again for each name in it.
fn value_behind(
    view: &View<'_>,
    name: Name,
    secrecy: Secrecy,
    separator: Separator,
    spans: &mut Vec<Span<'_>>,
) -> usize {
    let value = behind_yaml_properties(view, separator);
    if matches!(secrecy.kind, "authorization" | "cookie")
        && matches!(separator, Separator::Colon { .. } | Separator::Equals { .. } | Separator::Comma { .. })
        && let Some(end) = field::find(view, secrecy.kind, value, spans)
    {
        return end;
    }
    let prefixed = quote_prefix(view, value);
    if is_database_name(view, name, separator) || is_flag(view, name, separator) {
        return name.end;
    }
    if let Some(content) = long_quotes::content(view, value + prefixed, separator) {
        if look_alikes::is_secret(view.slice(content.clone()), secrecy.strength, ValueSyntax::Quoted) {
            spans.push(Span::new(content.clone(), secrecy.kind, Rank::Structure));
            return content.end.max(name.end);
        }
        return name.end;
    }
    if matches!(separator, Separator::Colon { .. })
        && let Some(end) = below::find(view, name, secrecy, value, spans)
    {
        return end;
    }
    // In a query a quote ends the URL, and a tag has its content behind it.
    let quote = view.quote(value + prefixed).filter(|quote| {
        !matches!(separator, Separator::Query { .. } | Separator::Tag { .. }) && !closes_outer(view, name, *quote)
    });
    let is_variable = matches!(separator, Separator::Equals { spaced: false, .. } | Separator::Comma { .. })
        && view.slice(name.start..name.end).bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    // The name of a variable of the environment is not a word of prose.
    let strength = match secrecy.strength {
        Strength::Medium if is_variable && quote.is_some_and(|quote| quote.sign != b'`') => Strength::Strong,
        strength => strength,
    };
    if let Some(end) = listed(view, value, secrecy, spans) {
        return end;
    }
    let (end, place) = if let Some(quote) = quote {
        let (end, next) = view.quote_end(quote);
        let text = view.slice(quote.content..end);
        // Two texts side by side say less than an assignment.
        let is_enough = !matches!(separator, Separator::Comma { is_option: false, .. })
            || look_alikes::looks_random(text)
            || strength == Strength::Strong && look_alikes::mixes(text);
        if is_enough && look_alikes::is_secret(text, strength, ValueSyntax::Quoted) {
            let joined = if separator.is_shell() && is_word_byte(view.byte(next)) && !view.starts(next, "/>") {
                word_end(view, next, name.start)
            } else {
                end
            };
            spans.push(Span::new(quote.content..joined, secrecy.kind, Rank::Structure));
            return joined;
        }
        return name.end;
    } else {
        match separator {
            Separator::Query { .. } => (query_end(view, value), ValueSyntax::Assigned),
            Separator::Equals { spaced: false, .. } => (word_end(view, value, name.start), ValueSyntax::Assigned),
            Separator::Blank { .. } => (word_end(view, value, name.start), ValueSyntax::Option),
            Separator::Tag { .. } => {
                let content = view.slice(value..view.until(value, |byte| byte == b'<'));
                // A name in angle brackets is no element: `<password> of <user>`.
                let is_apart =
                    view.before(value) != b'>' || content.trim_end_matches(['\r', '\n']).contains(char::is_whitespace);
                if is_apart && !view.starts(value + content.len(), "</") {
                    return name.end;
                }
                (value + content.trim_end().len(), ValueSyntax::Quoted)
            }
            Separator::Comma { .. } | Separator::QuoteOnly { .. } => return name.end,
            Separator::Equals { .. } | Separator::Colon { .. } => line_value(view, name, value),
        }
    };
    if name.is_option
        && matches!(view.byte(value), b'-' | b'<' | b'>' | b'|' | b'&' | b';' | b'#' | b'(' | b')')
        && !matches!(separator, Separator::Equals { .. })
    {
        return name.end;
    }
    let found = if look_alikes::is_secret(view.slice(value..end), strength, place) {
        Some((value, end))
    } else {
        let is_secret = |(start, end): &(usize, usize)| {
            look_alikes::is_secret(view.slice(*start..*end), strength, ValueSyntax::Quoted)
        };
        let declared = || declared_value(view, value).filter(is_secret);
        let computed = || {
            computed_value(view, value).filter(is_secret).filter(|(start, end)| {
                let text = view.slice(*start..*end);
                look_alikes::looks_random(text) || strength == Strength::Strong && look_alikes::mixes(text)
            })
        };
        let elsewhere = || below::block_scalar(view, name, value, end).or_else(declared).or_else(computed);
        if matches!(separator, Separator::Tag { .. }) { None } else { elsewhere() }
    };
    match found {
        Some((start, end)) => {
            spans.push(Span::new(start..end, secrecy.kind, Rank::Structure));
            end
        }
        None if end > value + MAX_REJECTED => end,
        None => name.end,
    }
}

/// `r"…"`, `b'…'`, `$'…'`, `br#"…"#`: signs before the quote say how to read it. How many there are.
fn quote_prefix(view: &View<'_>, value: usize) -> usize {
    let letters = view
        .until_within(value, 2, |byte| !matches!(byte, b'b' | b'c' | b'r' | b'f' | b'u' | b'@' | b'$' | b'L' | b'N'));
    let raw = view.before(letters) == b'r' && letters > value;
    let quote = if raw { view.until_within(letters, MAX_HASHES, |byte| byte != b'#') } else { letters };
    if view.quote(quote).is_some() { quote - value } else { 0 }
}

/// Where the value begins behind the end of a continued line, or behind its tag and its anchor (YAML 1.2.2, section 6.9). A local tag (`!vault`) says that the
/// value is kept elsewhere, and `&` before a word without a digit is code.
fn behind_yaml_properties(view: &View<'_>, separator: Separator) -> usize {
    let mut value = separator.value();
    if !matches!(separator, Separator::Colon { .. }) {
        // A continued line (Java, `Properties.load`).
        let is_continued = view.byte(value) == b'\\' && matches!(view.byte(value + 1), b'\n' | b'\r');
        return if is_continued { view.until(value + 1, |byte| !byte.is_ascii_whitespace()) } else { value };
    }
    for _ in 0..2 {
        let end = view.until_within(value, MAX_SIDE, |byte| byte.is_ascii_whitespace());
        let next = view.skip_blanks(end);
        let word = view.slice(next..view.until_within(next, MAX_REJECTED, |byte| byte.is_ascii_whitespace()));
        let is_tag = view.starts(value, "!!") || view.starts(value, "!<");
        let is_anchor = view.byte(value) == b'&' && (look_alikes::mixes(word) || word.starts_with(['"', '\'', '!']));
        if word.is_empty() || next == end || !is_tag && !is_anchor {
            break;
        }
        value = next;
    }
    value
}

fn is_word_byte(byte: u8) -> bool {
    byte != 0 && !byte.is_ascii_whitespace() && !b",;)}]>&|\"'`\\:<".contains(&byte)
}

/// `token: string = "…"`: the value stands behind the type.
fn declared_value(view: &View<'_>, value: usize) -> Option<(usize, usize)> {
    let equals =
        view.until_within(value, MAX_SIDE, |byte| !(byte.is_ascii_alphanumeric() || b"<>[]|&_.? ".contains(&byte)));
    let quote = (view.byte(equals) == b'=').then(|| view.quote(view.skip_blanks(equals + 1)))??;
    Some((quote.content, view.quote_end(quote).0))
}

/// `String::from("…")` and `variable || "…"`: the value stands in a call or behind an alternative.
fn computed_value(view: &View<'_>, value: usize) -> Option<(usize, usize)> {
    let callee =
        view.until_within(value, MAX_SIDE, |byte| !(byte.is_ascii_alphanumeric() || b"_:.&[]!".contains(&byte)));
    // `password = (`, and the text on the next line.
    let opened = |place: usize| {
        let is_group = callee == value;
        view.until_within(place, MAX_SIDE, |byte| {
            !(matches!(byte, b' ' | b'\t') || is_group && byte.is_ascii_whitespace())
        })
    };
    let reads = |name: &str| view.slice(value..callee).to_ascii_lowercase().contains(name);
    let called = (view.byte(callee) == b'(' && !["env", "get", "read", "param"].iter().any(|name| reads(name)))
        .then(|| view.quote(opened(callee + 1)))
        .flatten();
    let alternative = || {
        let line = view.slice(value..view.until_within(value, MAX_SIDE, |byte| matches!(byte, b'\n' | b';')));
        let sign = ["||", "??", " or ", "?:"].into_iter().find_map(|sign| Some(line.find(sign)? + sign.len()))?;
        view.quote(view.skip_blanks(value + sign))
    };
    let quote = called.or_else(alternative)?;
    Some((quote.content, view.quote_end(quote).0))
}

/// The secrets of `"names": ["…", "…"]`. Returns where the list ends.
fn listed(view: &View<'_>, value: usize, secrecy: Secrecy, spans: &mut Vec<Span<'_>>) -> Option<usize> {
    let mut place = (view.byte(value) == b'[').then_some(value + 1)?;
    let mut found = Vec::new();
    for _ in 0..MAX_LISTED {
        place = view.until_within(place, MAX_SIDE, |byte| !(byte.is_ascii_whitespace() || byte == b','));
        let Some(quote) = view.quote(place) else { break };
        let (end, next) = view.quote_end(quote);
        let text = view.slice(quote.content..end);
        let is_enough =
            look_alikes::looks_random(text) || secrecy.strength == Strength::Strong && look_alikes::mixes(text);
        if is_enough && look_alikes::is_secret(text, secrecy.strength, ValueSyntax::Quoted) {
            found.push(Span::new(quote.content..end, secrecy.kind, Rank::Structure));
        }
        place = next;
    }
    spans.append(&mut found);
    (spans.last()?.start > value).then_some(place)
}

/// Whether a quote in the place of a value ends the text that the name stands in: `'Password: ' NAME`.
fn closes_outer(view: &View<'_>, name: Name, quote: Quote) -> bool {
    let after = view.byte(quote.content);
    let is_named_in_quotes = view.quote(name.end).is_some();
    !is_named_in_quotes
        && (after == 0 || after.is_ascii_whitespace() || b";,)+]}|".contains(&after))
        && view.is_inside(quote.sign, name.start)
}

/// mysql(1): `--password` without an equals sign asks, and the next word is a database. What looks like
/// no name of one was meant as the password and goes the same way.
fn is_database_name(view: &View<'_>, name: Name, separator: Separator) -> bool {
    let is_client = |word: &str| {
        let program = word.rsplit('/').next().unwrap_or(word);
        (program.starts_with("mysql") || program.starts_with("mariadb")) && program != "mysqlsh"
    };
    let value = separator.value();
    let word = view.slice(value..view.until_within(value, MAX_SIDE, |byte| byte.is_ascii_whitespace()));
    matches!(separator, Separator::Blank { .. })
        && name.is_option
        && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        && view.slice(name.start..name.end) == "password"
        && view
            .line_before(name.start)
            .rsplit(['|', ';', '&'])
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .take(8)
            .any(is_client)
}

/// `pulumi config set --secret NAME`: the option only says that the value is one.
fn is_flag(view: &View<'_>, name: Name, separator: Separator) -> bool {
    matches!(separator, Separator::Blank { .. })
        && name.is_option
        && view.slice(name.start..name.end) == "secret"
        && view.line_before(name.start).contains("pulumi")
}

fn query_end(view: &View<'_>, from: usize) -> usize {
    let end = view.until(from, |byte| byte.is_ascii_whitespace() || b"&#\"'`<>\\|;".contains(&byte));
    let encoded = ["%26", "%2526", "%22"].into_iter().filter_map(|sign| view.slice(from..end).find(sign)).min();
    let end = encoded.map_or(end, |length| from + length);
    let value = view.slice(from..end);
    from + value.trim_end_matches([')', ']', ',', '.']).len()
}

/// The end of an unquoted word of a shell, an environment block or a connection string.
pub(super) fn word_end(view: &View<'_>, from: usize, name: usize) -> usize {
    let mut place = from;
    loop {
        let byte = view.byte(place);
        match byte {
            0 if place >= view.length() => return place,
            b';' | b'|' | b'&' | b'<' | b'>' | b'`' => return place,
            b'"' | b'\'' if place > from && !view.is_inside(byte, name) => {
                let Some(quote) = view.quote(place) else { return place };
                place = view.quote_end(quote).1.max(place + 1);
                continue;
            }
            b'"' | b'\'' => return place,
            b')' | b']' | b'}' if !is_word_byte(view.byte(place + 1)) => return place,
            b',' if is_next_pair(view, place + 1) => return place,
            b'\\' if matches!(view.byte(place + 1), b'"' | b'\'' | b'\\' | b'\n' | b'\r') => return place,
            b'\\' if matches!(view.byte(place + 1), b'n' | b'r' | b't') && is_next_pair(view, place + 2) => {
                return place;
            }
            byte if byte.is_ascii_whitespace() => return place,
            _ => place += 1,
        }
    }
}

/// Whether `name=`, the end of a line or of the text follows.
fn is_next_pair(view: &View<'_>, from: usize) -> bool {
    let name = view.until_within(from, MAX_SIDE, |byte| !is_name_byte(byte));
    matches!(view.byte(name), b'=' | b':' | b'[')
        || name == from && (view.byte(from) == 0 || !is_word_byte(view.byte(from)) || view.byte(from) == b'#')
}

/// The value of `name: value` or `name = value`: to the end of the line when it is one word there.
fn line_value(view: &View<'_>, name: Name, value: usize) -> (usize, ValueSyntax) {
    let head = view.line_before(name.start);
    let begins =
        head.trim_start_matches([' ', '\t', '-', '"', '\'', '$', '+', '>', '[', '@', '?', ';', '{']).trim_start();
    let begins = begins.is_empty()
        || matches!(begins.trim_end_matches([' ', '$', '-', '\t']), "export" | "set" | "env:" | "-e" | "ENV" | "ARG");
    let inline = view.until(value, |byte| byte.is_ascii_whitespace() || b",;)}]\"'<".contains(&byte));
    let inline = view.slice(value..inline).find("\\n").map_or(inline, |length| value + length);
    if begins && !head.contains('{') {
        let end = view.until(value, |byte| byte.is_ascii_whitespace());
        let escape = view.slice(value..end).find("\\n").map_or(end, |length| value + length);
        let inside = |sign: char| matches!(sign, '"' | '\'') && view.is_inside(sign as u8, name.start);
        let end = view.slice(value..escape).find(inside).map_or(escape, |length| value + length);
        let end = value + view.slice(value..end).trim_end_matches('\\').len();
        let after = view.slice(end..view.line_end(end)).trim_start();
        if after.is_empty() || after.starts_with(['#', '\\', '"', '\'']) || after.starts_with("//") {
            return (value + view.slice(value..end).trim_end_matches([',', ';']).len(), ValueSyntax::Line);
        }
    }
    (inline, ValueSyntax::Inline)
}
