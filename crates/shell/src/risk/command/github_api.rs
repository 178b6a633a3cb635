//! `gh api`: whether what it sends only asks. Source: gh reference, "gh api".

use crate::command_line::{Word, WordKind};

/// Headers that choose what the answer looks like.
const HEADERS: &[&str] = &["accept:", "x-github-api-version:"];

/// Why `words`, which the form of the table accepts, may do more than ask.
pub(super) fn only_looks(words: &[Word]) -> Result<(), &'static str> {
    let mut method = None;
    let mut queries = Vec::new();
    let mut has_fields = false;
    let mut endpoint = None;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        let Some((kind, glued)) = option(text) else {
            endpoint = endpoint.or(Some(text).filter(|text| *text != "--"));
            continue;
        };
        if kind == Kind::Flag {
            continue;
        }
        let next = || rest.next().filter(|value| value.kind == WordKind::Exact).map_or("", |value| value.text.as_str());
        let value = glued.unwrap_or_else(next);
        match kind {
            Kind::Method => method = Some(value),
            Kind::Header if !HEADERS.iter().any(|known| value.to_ascii_lowercase().starts_with(known)) => {
                return Err("sends a header that may change what it does");
            }
            Kind::Field => {
                let Some((name, value)) = value.split_once('=') else { return Err("sends something") };
                if value.starts_with('@') {
                    return Err("sends what a file holds");
                }
                has_fields = true;
                queries.extend((name == "query").then_some(value));
            }
            Kind::Header | Kind::Value | Kind::Flag => {}
        }
    }
    match (method, endpoint) {
        (Some(method), _) if method.eq_ignore_ascii_case("get") => Ok(()),
        (None, _) if !has_fields => Ok(()),
        (None, Some("graphql")) if matches!(queries.as_slice(), [query] if only_asks(query)) => Ok(()),
        _ => Err("sends something that may change what is there"),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Method,
    Header,
    Field,
    /// Any other with a value.
    Value,
    Flag,
}

/// What kind of an option `text` is, and the value that is glued to it; `None`: it is none. A cluster of letters ends
/// with the first that has a value, as cobra reads it: `-iXPATCH`.
fn option(text: &str) -> Option<(Kind, Option<&str>)> {
    if let Some(long) = text.strip_prefix("--").filter(|long| !long.is_empty()) {
        let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        let kind = match name {
            "method" => Kind::Method,
            "header" => Kind::Header,
            "field" | "raw-field" => Kind::Field,
            "jq" | "preview" | "cache" => Kind::Value,
            _ => Kind::Flag,
        };
        return Some((kind, value));
    }
    let letters = text.strip_prefix('-').filter(|letters| !letters.is_empty() && *letters != "-")?;
    let found = letters.char_indices().find_map(|(at, letter)| {
        let kind = match letter {
            'X' => Kind::Method,
            'H' => Kind::Header,
            'f' | 'F' => Kind::Field,
            'q' | 'p' => Kind::Value,
            _ => return None,
        };
        let value = letters.get(at + 1..).filter(|value| !value.is_empty());
        Some((kind, value.map(|value| value.strip_prefix('=').unwrap_or(value))))
    });
    Some(found.unwrap_or((Kind::Flag, None)))
}

/// Whether a document of GraphQL holds queries alone (GraphQL specification, "Operations"). A field that is called so
/// counts as well: that only costs a question.
fn only_asks(document: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = document.split(|c: char| !is_letter(c)).filter(|name| !name.is_empty());
    let changes = names.any(|name| ["mutation", "subscription"].contains(&name.to_ascii_lowercase().as_str()));
    let start = document.trim_start();
    !changes && (start.starts_with('{') || start.starts_with("query") || start.starts_with("fragment"))
}
