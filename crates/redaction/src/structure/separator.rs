//! What stands between a name and its value.

use super::super::key_names::{Secrecy, Strength};
use super::super::look_alikes;
use super::view::View;

/// Blanks between a name and its separator that still belong together, in bytes.
const MAX_GAP: usize = 64;

/// A name in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it begins with a hyphen as options do.
    pub(super) is_option: bool,
}

/// What divides a name from its value, and where the value begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Separator {
    /// `=`, `:=`, `=>`, `==`; `spaced` with blanks around it.
    Equals { value: usize, spaced: bool },
    /// `=` in the query of a URL, also percent-encoded.
    Query { value: usize },
    /// `:`.
    Colon { value: usize },
    /// Blanks: options, netrc(5), commands that set a name.
    Blank { value: usize },
    /// `", "`: arguments of a call or of a program in an array.
    Comma { value: usize, is_option: bool },
    /// A quote right behind the name: SQL.
    QuoteOnly { value: usize },
    /// `<name>`.
    Tag { value: usize },
}

impl Separator {
    pub(super) fn value(self) -> usize {
        match self {
            Self::Equals { value, .. }
            | Self::Query { value }
            | Self::Colon { value }
            | Self::Blank { value }
            | Self::Comma { value, .. }
            | Self::QuoteOnly { value }
            | Self::Tag { value } => value,
        }
    }

    pub(super) fn is_shell(self) -> bool {
        matches!(self, Self::Equals { spaced: false, .. } | Self::Blank { .. })
    }
}

/// The separator behind `name`; `None` when the name has no value.
pub(super) fn behind(view: &View<'_>, name: Name, secrecy: Secrecy) -> Option<Separator> {
    let closing = view.quote(name.end).filter(|quote| {
        let hyphens = if name.is_option { 2 } else { 0 };
        (name.start.saturating_sub(hyphens + 2)..=name.start).any(|place| view.byte(place) == quote.sign)
            || view.byte(name.start.saturating_sub(1)) == b':'
            || view.is_inside(quote.sign, name.start)
    });
    let after = closing.map_or(name.end, |quote| quote.content);
    if closing.is_some() {
        if let Some(value) = paired_value(view, after) {
            return Some(Separator::Equals { value, spaced: true });
        }
    } else if let Some(value) = listed_value(view, after) {
        return Some(Separator::Equals { value, spaced: true });
    }
    let after = if view.byte(after) == b']' { after + 1 } else { after };
    let after = if matches!(view.byte(after), b'?' | b'!') && view.byte(after + 1) == b':' { after + 1 } else { after };
    let sign = view.skip_blanks(after).min(after + MAX_GAP);
    let spaced = sign > after;
    if spaced
        && view.before(name.start) == b'<'
        && let Some(value) = value_field(view, sign)
    {
        return Some(Separator::Equals { value, spaced: true });
    }
    match view.byte(sign) {
        b'=' => equals(view, name, sign, spaced),
        b':' => colon(view, sign, closing.is_some()),
        b'%' => encoded(view, sign),
        b',' if closing.is_some() => {
            let value = view.until(sign + 1, |byte| !byte.is_ascii_whitespace());
            view.quote(value).map(|_| Separator::Comma { value, is_option: name.is_option })
        }
        b'>' if matches!(view.before(name.start), b'<' | b':') && !spaced => Some(Separator::Tag { value: sign + 1 }),
        b'(' if !spaced
            && closing.is_none()
            && view.slice(name.start..name.end).bytes().any(|byte| byte.is_ascii_lowercase()) =>
        {
            let value = view.skip_blanks(sign + 1);
            view.quote(value).map(|_| Separator::Comma { value, is_option: false })
        }
        b'(' if secrecy.kind == "password"
            && view.slice(name.start..name.end).bytes().all(|byte| byte.is_ascii_uppercase()) =>
        {
            let value = view.skip_blanks(sign + 1);
            view.quote(value).map(|_| Separator::QuoteOnly { value })
        }
        _ if closing.is_none() && spaced => blank(view, name, secrecy, sign),
        _ => None,
    }
}

fn equals(view: &View<'_>, name: Name, sign: usize, spaced: bool) -> Option<Separator> {
    let behind = view.until(sign + 1, |byte| !matches!(byte, b'=' | b'>' | b'~'));
    let is_comparison = behind > sign + 1;
    let value = view.skip_blanks(behind);
    if is_comparison && view.quote(value).is_none() {
        return None;
    }
    if !spaced && value > behind {
        // `NAME= word` is an empty value in a shell; at the beginning of a line a file may write it so.
        let is_value = view.quote(value).is_some() || view.line_before(name.start).trim().is_empty();
        return is_value.then_some(Separator::Equals { value, spaced: true });
    }
    if !spaced && matches!(view.before(name.start), b'?' | b'&') {
        return Some(Separator::Query { value });
    }
    Some(Separator::Equals { value, spaced })
}

fn colon(view: &View<'_>, sign: usize, quoted: bool) -> Option<Separator> {
    match view.byte(sign + 1) {
        b':' => return None,
        b'/' if view.byte(sign + 2) == b'/' => return None,
        b'=' => return Some(Separator::Equals { value: view.skip_blanks(sign + 2), spaced: true }),
        _ => {}
    }
    // JSON may break the line behind the colon.
    let value =
        if quoted { view.until(sign + 1, |byte| !byte.is_ascii_whitespace()) } else { view.skip_blanks(sign + 1) };
    Some(Separator::Colon { value })
}

/// `%3D` and `%3A`, also encoded twice, and with encoded quotes around them.
fn encoded(view: &View<'_>, sign: usize) -> Option<Separator> {
    let quote = "%22";
    let sign = if view.starts(sign, quote) { sign + quote.len() } else { sign };
    let equals = ["%3D", "%253D", "%3A"].into_iter().find(|equals| view.starts(sign, equals))?;
    let value = sign + equals.len();
    Some(Separator::Query { value: if view.starts(value, quote) { value + quote.len() } else { value } })
}

fn blank(view: &View<'_>, name: Name, secrecy: Secrecy, value: usize) -> Option<Separator> {
    // A continued line (POSIX shell, 2.2.1).
    let value = if view.byte(value) == b'\\' && matches!(view.byte(value + 1), b'\n' | b'\r') {
        view.until(value + 1, |byte| !byte.is_ascii_whitespace())
    } else {
        value
    };
    if name.is_option || sets_names(view, name) {
        return Some(Separator::Blank { value });
    }
    let is_password = secrecy.kind == "password";
    if is_password && view.quote(value).is_some() {
        let quote = view.quote(value)?;
        let content = view.slice(quote.content..view.quote_end(quote).0);
        return (!content.contains(' ') && matches!(quote.sign, b'\'' | b'"'))
            .then_some(Separator::QuoteOnly { value });
    }
    let word = view.until_within(value, MAX_GAP, |byte| byte.is_ascii_whitespace() || b"\"'`|;&<>,".contains(&byte));
    let word = view.slice(value..word);
    let is_enough = match secrecy.kind {
        "password" => look_alikes::is_jumbled(word),
        "token" | "api-key" => look_alikes::is_jumbled(word) && look_alikes::looks_random(word),
        "secret" => {
            secrecy.strength == Strength::Medium
                && view.slice(name.start..name.end).contains('_')
                && look_alikes::is_jumbled(word)
        }
        _ => false,
    };
    is_enough.then_some(Separator::Blank { value })
}

/// Whether the words before the name are those of a line that gives names their values: netrc(5),
/// `aws configure set`, `git config`, `npm config set`, csh `setenv`, Windows `setx`, Dockerfile
/// `ENV`, fish `set -x`, redis.conf.
fn sets_names(view: &View<'_>, name: Name) -> bool {
    let head = view.line_before(name.start);
    let mut words = head
        .rsplit(|character: char| {
            character.is_whitespace() || character == '"' || character == '\'' || character == '/' || character == ':'
        })
        .filter(|word| !word.is_empty());
    let nearest = words.next().unwrap_or_default();
    if matches!(
        nearest,
        "setenv" | "setx" | "ENV" | "-x" | "-gx" | "-Ux" | "-xg" | "CONFIG" | "requirepass" | "#define"
    ) || matches!(view.slice(name.start..name.end), "requirepass" | "masterauth")
    {
        return true;
    }
    let is_netrc = |head: &str| {
        let mut words = head.split_whitespace().rev();
        words.next().is_some()
            && words.next().is_some_and(|word| matches!(word, "login" | "user" | "machine" | "account"))
    };
    if is_netrc(head) || head.trim().is_empty() && is_netrc(view.line_before(name.start.saturating_sub(head.len() + 1)))
    {
        return true;
    }
    std::iter::once(nearest).chain(words.take(4)).any(|word| matches!(word, "config" | "configure" | "nmcli"))
}

/// `"NAME", "value": "…"` and `key="NAME" value="…"`: the value stands in the next field.
fn paired_value(view: &View<'_>, after: usize) -> Option<usize> {
    let next = view.until_within(after, MAX_GAP, |byte| {
        !(byte.is_ascii_whitespace() || matches!(byte, b',' | b'"' | b'\'' | b'\\'))
    });
    value_field(view, next)
}

/// `- name: NAME`, then `value: …` on the next line.
fn listed_value(view: &View<'_>, after: usize) -> Option<usize> {
    let line = view.skip_blanks(after);
    if !matches!(view.byte(line), b'\n' | b'\r' | b',') {
        return None;
    }
    value_field(view, view.until_within(line, MAX_GAP, |byte| !(byte.is_ascii_whitespace() || byte == b',')))
}

fn value_field(view: &View<'_>, place: usize) -> Option<usize> {
    // AWS CloudFormation: `ParameterKey=NAME,ParameterValue=x`.
    let place = if view.starts(place, "parameter") { place + "parameter".len() } else { place };
    if !view.starts(place, "value") {
        return None;
    }
    let sign = view.until_within(place + "value".len(), MAX_GAP, |byte| {
        !(byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'\\'))
    });
    matches!(view.byte(sign), b':' | b'=').then(|| view.until(sign + 1, |byte| !byte.is_ascii_whitespace()))
}
