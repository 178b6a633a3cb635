//! What stands between a name and its value.

use super::super::look_alikes;
use super::super::secrecy::{Secrecy, Strength};
use super::fields::{in_block, listed_value, paired_value, value_field, value_in_object};
use super::name::{MAX_GAP, Name};
use super::tags;
use super::view::View;

/// Operators that assign, besides those that begin with `=` or `:`: Ruby and JavaScript, Make, R.
const ASSIGNMENTS: &[&str] = &["||=", "??=", "?=", "<<-", "<-"];

/// Types that a declaration writes between a name and `=`: Visual Basic, Bicep, Go.
const DECLARED_TYPES: &[&str] = &["as string", "string", "as securestring", "securestring", "str"];

/// Shortest value of an encoded attribute, in bytes.
const MIN_BASE64: usize = 8;

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
        if let Some(value) = paired_value(view, after).or_else(|| value_in_object(view, name, after)) {
            return Some(Separator::Equals { value, spaced: true });
        }
    } else if let Some(value) = listed_value(view, after) {
        return Some(Separator::Equals { value, spaced: true });
    }
    if let Some(value) = tags::value(view, name, closing.is_some(), after) {
        return Some(Separator::Tag { value });
    }
    if let Some(value) = yaml_pair(view, name, after) {
        return Some(Separator::Colon { value });
    }
    let after = if view.byte(after) == b']' { after + 1 } else { after };
    // Markdown: `**NAME**: value`.
    let is_emphasized = view.before(name.start) == b'*' && view.starts(after, "**:");
    let after = if is_emphasized { after + "**".len() } else { after };
    let after = if matches!(view.byte(after), b'?' | b'!') && view.byte(after + 1) == b':' { after + 1 } else { after };
    // French has a blank before the colon that does not break.
    let narrow = ["\u{a0}", "\u{202f}"].iter().find(|blank| view.starts(after, blank)).map_or(0, |blank| blank.len());
    let after = after + narrow;
    let sign = view.skip_blanks(after).min(after + MAX_GAP);
    if let Some(separator) = full_width(view, sign) {
        return Some(separator);
    }
    let spaced = sign > after;
    if spaced
        && view.before(name.start) == b'<'
        && let Some(value) = value_field(view, sign)
    {
        return Some(Separator::Equals { value, spaced: true });
    }
    match view.byte(sign) {
        b'=' => equals(view, name, sign, spaced),
        b':' => colon(view, name, sign, closing.is_some()),
        b'{' if closing.is_some() => {
            in_block(view, sign, &["default", "value"]).map(|value| Separator::Equals { value, spaced: true })
        }
        b'|' | b'?' | b'<' if ASSIGNMENTS.iter().any(|operator| view.starts(sign, operator)) => {
            let value = view.skip_blanks(view.until_within(sign, 3, |byte| !b"|?<-=".contains(&byte)));
            let is_make = view.starts(sign, "?=");
            (is_make || view.quote(value).is_some()).then_some(Separator::Equals { value, spaced: true })
        }
        b'%' => encoded(view, sign),
        b',' if closing.is_some() => {
            let value = view.until(sign + 1, |byte| !byte.is_ascii_whitespace());
            view.quote(value).map(|_| Separator::Comma { value, is_option: name.is_option })
        }
        b'>' if matches!(view.before(name.start), b'<' | b':') && !spaced => {
            Some(Separator::Tag { value: tags::inner(view, sign + 1) })
        }
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

/// `：` and `＝`, as Chinese, Japanese and Korean are written.
fn full_width(view: &View<'_>, sign: usize) -> Option<Separator> {
    let value = |sign_length: usize| {
        let value = view.skip_blanks(sign + sign_length);
        if view.starts(value, "\u{3000}") { view.skip_blanks(value + "\u{3000}".len()) } else { value }
    };
    if view.starts(sign, "：") {
        return Some(Separator::Colon { value: value("：".len()) });
    }
    view.starts(sign, "＝").then(|| Separator::Equals { value: value("＝".len()), spaced: true })
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

fn colon(view: &View<'_>, name: Name, sign: usize, quoted: bool) -> Option<Separator> {
    match view.byte(sign + 1) {
        b':' => return encoded_attribute(view, name, sign + 2),
        b'/' if view.byte(sign + 2) == b'/' => return None,
        b'=' => return Some(Separator::Equals { value: view.skip_blanks(sign + 2), spaced: true }),
        _ => {}
    }
    // JSON may break the line behind the colon.
    let value =
        if quoted { view.until(sign + 1, |byte| !byte.is_ascii_whitespace()) } else { view.skip_blanks(sign + 1) };
    // Markdown: `**NAME:** value`.
    let is_emphasized = view.starts(value, "**") && view.before(name.start) == b'*'
        || view.starts(value, "__") && view.starts(name.start, "__");
    let value = if is_emphasized { view.skip_blanks(value + "**".len()) } else { value };
    let field = (quoted && view.byte(value) == b'{').then(|| in_block(view, value, &["value"])).flatten();
    Some(Separator::Colon { value: field.unwrap_or(value) })
}

/// LDIF (RFC 2849): `attribute:: base64`, alone on its line.
fn encoded_attribute(view: &View<'_>, name: Name, after: usize) -> Option<Separator> {
    let value = view.skip_blanks(after);
    let end = view.line_end(value);
    let is_base64 = view.slice(value..end).bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
    let is_attribute = view.line_before(name.start).is_empty() && value > after && end - value >= MIN_BASE64;
    (is_attribute && is_base64).then_some(Separator::Colon { value })
}

/// YAML 1.2.2, 8.2.2: `? NAME`, then `: value` on the next line.
fn yaml_pair(view: &View<'_>, name: Name, after: usize) -> Option<usize> {
    let is_key = view.line_before(name.start).trim_matches([' ', '"', '\'']) == "?";
    let next = view.until_within(after, MAX_GAP, |byte| !byte.is_ascii_whitespace());
    (is_key && next > after && view.starts(next, ": ")).then(|| view.skip_blanks(next + 1))
}

/// `Dim NAME As String = "…"`, `param NAME string = '…'`.
fn declared(view: &View<'_>, after: usize) -> Option<Separator> {
    let equals = view.until_within(after, MAX_GAP, |byte| !(byte.is_ascii_alphabetic() || byte == b' '));
    let declared = view.slice(after..equals).trim().to_ascii_lowercase();
    let value = view.skip_blanks(equals + 1);
    (view.byte(equals) == b'=' && DECLARED_TYPES.contains(&declared.as_str()) && view.quote(value).is_some())
        .then_some(Separator::Equals { value, spaced: true })
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
    if let Some(declared) = declared(view, value) {
        return Some(declared);
    }
    // named.conf(5), rndc.conf(5): `secret "…";`.
    if let Some(quote) =
        view.quote(value).filter(|_| view.line_before(name.start).trim_matches([' ', '\t', '{']).is_empty())
    {
        let (end, next) = view.quote_end(quote);
        if view.byte(next) == b';' && look_alikes::mixes(view.slice(quote.content..end)) {
            return Some(Separator::QuoteOnly { value });
        }
    }
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
