//! Elements of XML whose content is the value of a name (XML 1.0, 3.1).

use super::super::look_alikes;
use super::name::Name;
use super::view::View;

/// Elements that hold the value of what their attribute names: Spring, Hibernate, Java properties, Android resources.
#[rustfmt::skip]
const NAMED_ELEMENTS: &[&str] = &[
    "property", "entry", "string", "param", "parameter", "setting", "item", "field", "var", "env", "data", "arg", "prop",
    "preference", "attribute", "secret", "const", "variable", "simpleproperty",
];

/// How an element with a name ends and the one with its value begins: property lists of Apple, Hadoop, servlets.
#[rustfmt::skip]
const NEIGHBOURS: &[(&str, &str)] = &[
    ("</key>", "<string>"), ("</name>", "<value>"), ("</key>", "<value>"), ("</name>", "<string>"),
    ("</param-name>", "<param-value>"), ("</env-entry-name>", "<env-entry-value>"),
];

/// Longest attributes, in bytes.
const MAX_ATTRIBUTES: usize = 256;

/// Most blanks between two elements, in bytes.
const MAX_GAP: usize = 64;

/// Where the value of a name in a tag begins that ends at `after`; `is_quoted` when it is an attribute.
pub(super) fn value(view: &View<'_>, name: Name, is_quoted: bool, after: usize) -> Option<usize> {
    let value = if is_quoted {
        behind_attribute(view, name, after)?
    } else {
        neighbour(view, after).or_else(|| behind_attributes(view, name, after))?
    };
    Some(inner(view, value))
}

/// Where the content begins, also in a further element: `<Password><Value>…`.
pub(super) fn inner(view: &View<'_>, value: usize) -> usize {
    let start = view.until_within(value, MAX_GAP, |byte| !byte.is_ascii_whitespace());
    if view.starts(start, "<value>") { start + "<value>".len() } else { start }
}

/// `<property name="NAME">…`.
fn behind_attribute(view: &View<'_>, name: Name, after: usize) -> Option<usize> {
    let head = view.line_before(name.start).trim_end_matches(['"', '\'', '\\']);
    let head = head.strip_suffix("name=").or_else(|| head.strip_suffix("key="))?;
    let element = head.rsplit('<').next()?.split_whitespace().next()?.to_ascii_lowercase();
    if !NAMED_ELEMENTS.contains(&element.as_str()) {
        return None;
    }
    let value = tag_end(view, after)?;
    let content = content(view, value);
    // Texts for people have names like these, too.
    let is_text = content.contains(char::is_whitespace)
        || element == "string" && !look_alikes::mixes(content) && !look_alikes::looks_random(content);
    (!is_text).then_some(value)
}

fn content<'t>(view: &View<'t>, value: usize) -> &'t str {
    view.slice(value..view.until_within(value, MAX_ATTRIBUTES, |byte| byte == b'<')).trim()
}

/// `<key>NAME</key><string>…`.
fn neighbour(view: &View<'_>, after: usize) -> Option<usize> {
    NEIGHBOURS.iter().find_map(|(end, begin)| {
        let next = view.starts(after, end).then(|| after + end.len())?;
        let next = view.until_within(next, MAX_GAP, |byte| !byte.is_ascii_whitespace());
        let value = view.starts(next, begin).then(|| next + begin.len())?;
        (!content(view, value).contains(char::is_whitespace)).then_some(value)
    })
}

/// `<wsse:Password Type="…">…`.
fn behind_attributes(view: &View<'_>, name: Name, after: usize) -> Option<usize> {
    let head = view.line_before(name.start);
    let prefix = head.rsplit('<').next().filter(|prefix| prefix.len() < head.len())?;
    let is_prefix = prefix.is_empty()
        || prefix.strip_suffix(':').is_some_and(|space| space.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let value = tag_end(view, after).filter(|_| is_prefix && view.byte(after).is_ascii_whitespace())?;
    ["=\"", "='", "=\\"].iter().any(|sign| view.slice(after..value).contains(sign)).then_some(value)
}

/// Behind the end of a tag that does not close its element.
fn tag_end(view: &View<'_>, from: usize) -> Option<usize> {
    let end = view.until_within(from, MAX_ATTRIBUTES, |byte| matches!(byte, b'<' | b'>'));
    (view.byte(end) == b'>' && view.before(end) != b'/').then_some(end + 1)
}
