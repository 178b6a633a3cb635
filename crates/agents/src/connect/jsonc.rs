//! Changes in a JSON file that a person also edits: comments, order, indentation and line ends of
//! everything else stay as they are, byte for byte.
//!
//! An insertion and its removal are exact opposites. What makes that possible is one convention: a
//! container that this module writes begins with a line break, and an item that goes into an empty
//! container which was there before follows the bracket directly. So a removal can tell whether
//! the emptied container is to go as well.

use jsonc_parser::ast;
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, ParseResult};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::ConnectError;

/// A step from a container to one of its items.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// A property of an object.
    Key(&'a str),
    /// An element of an array.
    Index(usize),
}

/// Comments and trailing commas are taken, other liberties are not.
const SYNTAX: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The value of `text`; `None` when there is nothing but blanks and comments.
pub(crate) fn value(text: &str) -> Result<Option<Value>, ConnectError> {
    let tree = parse(text)?;
    if let Some(key) = tree.value.as_ref().and_then(duplicate_key) {
        return Err(ConnectError::DuplicateKey(key));
    }
    jsonc_parser::parse_to_serde_value(text, &SYNTAX).map_err(|error| ConnectError::Syntax(error.to_string()))
}

/// `text` with `item` as the last item of the container at `path`; a property when `key` is given.
/// Text without any value becomes an object with that property.
pub(crate) fn insert(text: &str, path: &[Step<'_>], key: Option<&str>, item: &Value) -> Result<String, ConnectError> {
    let tree = parse(text)?;
    let style = Style::of(text, &tree);
    let Some(root) = &tree.value else {
        let root = serde_json::json!({ key.unwrap_or_default(): item });
        return Ok(format!("{}{}{text}", style.write(&root, ""), style.line_end));
    };
    let container = find(root, path).ok_or_else(|| missing(path))?;
    let Range { start: open, end } = container.range();
    let write = |indent: &str| {
        let name = key.map(|key| format!("{}: ", Value::from(key))).unwrap_or_default();
        format!("{name}{}", style.write(item, indent))
    };
    let Some(last) = items(container).pop() else {
        let written = write(line_indent(text, open));
        return Ok(splice(text, &[(open + 1..open + 1, &written)]));
    };
    let indent = line_indent(text, last.start);
    let between =
        if piece(text, open, end).contains('\n') { format!("{}{indent}", style.line_end) } else { " ".to_owned() };
    let tokens = tree.tokens.as_deref().unwrap_or_default();
    // After the last comment, so that comments stay with the items that they were written for.
    let place = before(tokens, end - 1).map_or(last.end, |token| token.range.end);
    let (comma, own_comma) = if comma_after(tokens, last.end).is_some() { ("", ",") } else { (",", "") };
    let written = format!("{between}{}{own_comma}", write(indent));
    Ok(splice(text, &[(last.end..last.end, comma), (place..place, &written)]))
}

/// `text` without the item at `path`, and without the containers that [`insert`] made for it.
pub(crate) fn remove(text: &str, path: &[Step<'_>]) -> Result<String, ConnectError> {
    let tree = parse(text)?;
    let tokens = tree.tokens.as_deref().unwrap_or_default();
    let Some(root) = &tree.value else { return Ok(text.to_owned()) };
    let Some((step, parent)) = path.split_last() else {
        let Range { start, end } = root.range();
        let rest = text.get(end..).unwrap_or_default();
        let line_end = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')).unwrap_or(rest);
        return Ok(format!("{}{line_end}", piece(text, 0, start)));
    };
    let container = find(root, parent).ok_or_else(|| missing(parent))?;
    let item = item(container, *step).ok_or_else(|| missing(path))?;
    let items = items(container);
    let (open, close) = (container.start() + 1, container.end() - 1);
    let before = piece(text, open, item.start);
    let comma = comma_after(tokens, item.end);
    let rest = piece(text, comma.map_or(item.end, |comma| comma.end), close);
    if let [_] = items.as_slice()
        && before.contains('\n')
        && before.trim().is_empty()
        && rest.trim().is_empty()
    {
        return remove(text, parent);
    }
    if items.first() == Some(&item) {
        // The next item takes its place.
        let end = comma.map_or(item.end, |comma| comma.end + rest.len() - rest.trim_start().len());
        return Ok(splice(text, &[(item.start..end, "")]));
    }
    let start = open + before.trim_end().len();
    let mut cuts = vec![(start..item.end, "")];
    // With a comma behind it (a separating one, or a trailing one as the file likes it), that one
    // goes; the last item without one takes the comma in front with it.
    cuts.extend(comma.or_else(|| comma_before(tokens, item.start)).map(|comma| (comma.start..comma.end, "")));
    cuts.sort_by_key(|(range, _)| range.start);
    Ok(splice(text, &cuts))
}

fn parse(text: &str) -> Result<ParseResult<'_>, ConnectError> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
    jsonc_parser::parse_to_ast(text, &collect, &SYNTAX).map_err(|error| ConnectError::Syntax(error.to_string()))
}

fn find<'a, 'b>(root: &'b ast::Value<'a>, path: &[Step<'_>]) -> Option<&'b ast::Value<'a>> {
    path.iter().try_fold(root, |value, step| match (value, step) {
        (ast::Value::Object(object), Step::Key(key)) => object.get(key).map(|property| &property.value),
        (ast::Value::Array(array), Step::Index(index)) => array.elements.get(*index),
        _ => None,
    })
}

fn items(container: &ast::Value<'_>) -> Vec<Range> {
    match container {
        ast::Value::Object(object) => object.properties.iter().map(Ranged::range).collect(),
        ast::Value::Array(array) => array.elements.iter().map(Ranged::range).collect(),
        _ => Vec::new(),
    }
}

fn item(container: &ast::Value<'_>, step: Step<'_>) -> Option<Range> {
    match (container, step) {
        (ast::Value::Object(object), Step::Key(key)) => object.get(key).map(Ranged::range),
        (ast::Value::Array(array), Step::Index(index)) => array.elements.get(index).map(Ranged::range),
        _ => None,
    }
}

fn duplicate_key(value: &ast::Value<'_>) -> Option<String> {
    match value {
        ast::Value::Object(object) => {
            let mut seen = std::collections::HashSet::new();
            object.properties.iter().find_map(|property| {
                let name = property.name.as_str();
                if seen.insert(name) { duplicate_key(&property.value) } else { Some(name.to_owned()) }
            })
        }
        ast::Value::Array(array) => array.elements.iter().find_map(duplicate_key),
        _ => None,
    }
}

fn missing(path: &[Step<'_>]) -> ConnectError {
    let place = path.iter().map(|step| match step {
        Step::Key(key) => (*key).to_owned(),
        Step::Index(index) => index.to_string(),
    });
    ConnectError::Shape { place: place.collect::<Vec<_>>().join("."), expected: "there" }
}

fn is_comment(token: &TokenAndRange<'_>) -> bool {
    matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_))
}

/// The last token that ends at `position` or before.
fn before<'a, 'b>(tokens: &'b [TokenAndRange<'a>], position: usize) -> Option<&'b TokenAndRange<'a>> {
    tokens.iter().rev().find(|token| token.range.end <= position)
}

/// The comma that follows `position`, with nothing but blanks and comments between.
fn comma_after(tokens: &[TokenAndRange<'_>], position: usize) -> Option<Range> {
    let next = tokens.iter().filter(|token| !is_comment(token)).find(|token| token.range.start >= position)?;
    (next.token == Token::Comma).then_some(next.range)
}

/// The comma in front of `position`, with nothing but blanks and comments between.
fn comma_before(tokens: &[TokenAndRange<'_>], position: usize) -> Option<Range> {
    let mut before = tokens.iter().rev().filter(|token| token.range.end <= position);
    let previous = before.find(|token| !is_comment(token))?;
    (previous.token == Token::Comma).then_some(previous.range)
}

/// `text` with each range (ascending, disjoint) replaced.
fn splice(text: &str, changes: &[(std::ops::Range<usize>, &str)]) -> String {
    let mut result = String::with_capacity(text.len() + 256);
    let mut position = 0;
    for (range, replacement) in changes {
        result.push_str(piece(text, position, range.start));
        result.push_str(replacement);
        position = range.end;
    }
    result.push_str(text.get(position..).unwrap_or_default());
    result
}

/// Positions come from the parser, so they are in order and between characters.
fn piece(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// The blanks at the beginning of the line that `position` is in.
fn line_indent(text: &str, position: usize) -> &str {
    let line = piece(text, 0, position).rsplit('\n').next().unwrap_or_default();
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..blanks).unwrap_or_default()
}

/// How the file is written.
struct Style<'a> {
    indent: &'a str,
    line_end: &'static str,
}

impl<'a> Style<'a> {
    fn of(text: &'a str, tree: &ParseResult<'_>) -> Self {
        let first = tree.value.as_ref().and_then(|root| items(root).into_iter().next());
        let indent = first.map(|first| line_indent(text, first.start)).filter(|indent| !indent.is_empty());
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Self { indent: indent.unwrap_or("  "), line_end }
    }

    /// `value` in this style, every line but the first with `indent` in front.
    fn write(&self, value: &Value, indent: &str) -> String {
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.indent.as_bytes());
        let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
        let text = written.ok().and_then(|()| String::from_utf8(bytes).ok()).unwrap_or_default();
        text.replace('\n', &format!("{}{indent}", self.line_end))
    }
}
