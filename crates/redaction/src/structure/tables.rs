//! Columns of secrets: CSV with a header (RFC 4180, section 2), tables of Markdown (GitHub Flavored Markdown, 4.10) and
//! of database clients.

use std::ops::Range;

use super::super::key_names::KeyNames;
use super::super::look_alikes::{self, ValueSyntax};
use super::super::secrecy::{Secrecy, Strength};
use super::super::span::{Rank, Span};
use super::view::View;

/// Most columns of a table.
const MAX_COLUMNS: usize = 64;

/// Longest name of a column, in bytes.
const MAX_NAME: usize = 40;

/// What divides the columns. Behind a comma in prose a blank follows.
const SEPARATORS: &[u8] = b",;\t|";

/// A table whose header was read.
struct Table {
    separator: u8,
    columns: usize,
    /// The columns that hold secrets.
    secret: Vec<(usize, Secrecy)>,
    /// Whether a line between header and rows was read, which tables drawn with `|` have.
    is_ruled: bool,
}

pub(super) fn find(view: &View<'_>, names: &KeyNames, spans: &mut Vec<Span<'_>>) {
    let mut table: Option<Table> = None;
    let mut place = 0;
    let mut before = 0..0;
    for line in view.text.split_inclusive('\n') {
        let range = place..place + line.trim_end_matches(['\n', '\r']).len();
        place += line.len();
        named_cell(view, names, range.clone(), spans);
        if let Some(open) = &mut table {
            let is_rule = open.separator == b'|' && is_rule(view.slice(range.clone()));
            open.is_ruled |= is_rule;
            if is_rule || rows(view, open, range.clone(), spans) {
                before = range;
                continue;
            }
        }
        let may_be_header = view.slice(range.clone()).bytes().all(is_header_byte);
        table = SEPARATORS.iter().filter(|_| may_be_header).find_map(|separator| {
            header(view, names, *separator, range.clone())
                .filter(|table| cells(view, *separator, before.clone()).is_none_or(|row| row.len() != table.columns))
        });
        before = range;
    }
}

/// Whether a line of code or prose would not go on with this byte, but a header would.
fn is_header_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || b" _-.*`\",;\t|".contains(&byte)
}

/// The table whose header this line is, unless it is a row of another: the line before has as many cells then.
fn header(view: &View<'_>, names: &KeyNames, separator: u8, line: Range<usize>) -> Option<Table> {
    if line.len() > MAX_COLUMNS * MAX_NAME || !view.slice(line.clone()).contains(char::from(separator)) {
        return None;
    }
    let is_statement = view.starts(line.start, "select ");
    let cells = cells(view, separator, line).filter(|_| !is_statement)?;
    let is_cell_name = |cell: &Range<usize>| {
        let name = view.slice(cell.clone());
        let is_name = |character: char| character.is_alphanumeric() || " _-.*".contains(character);
        name.starts_with(|first: char| !first.is_ascii_digit()) && name.len() <= MAX_NAME && name.chars().all(is_name)
    };
    if cells.len() < 2 || !cells.iter().all(is_cell_name) {
        return None;
    }
    let said = |cell: &Range<usize>| {
        let name = view.slice(cell.clone()).trim_matches('*');
        // `pass` counts what did not fail.
        let secrecy = names.secrecy(name).filter(|_| !name.eq_ignore_ascii_case("pass"))?;
        matches!(secrecy.strength, Strength::Strong | Strength::Medium).then_some(secrecy)
    };
    let secret: Vec<_> =
        cells.iter().enumerate().filter_map(|(column, cell)| said(cell).map(|secrecy| (column, secrecy))).collect();
    (!secret.is_empty()).then_some(Table { separator, columns: cells.len(), secret, is_ruled: false })
}

/// Hides the secrets of a row. Whether the line is one.
fn rows(view: &View<'_>, table: &Table, line: Range<usize>, spans: &mut Vec<Span<'_>>) -> bool {
    let Some(cells) = cells(view, table.separator, line) else { return false };
    if cells.len() != table.columns || table.separator == b'|' && !table.is_ruled {
        return false;
    }
    for (column, secrecy) in &table.secret {
        let Some(cell) = cells.get(*column) else { continue };
        let text = view.slice(cell.clone());
        // A table for people has words where a file has values.
        let is_word = text.bytes().all(|byte| byte.is_ascii_lowercase()) || text.contains(char::is_whitespace);
        let is_enough = match (secrecy.strength, table.separator) {
            (Strength::Strong, b'|') => look_alikes::mixes(text),
            (Strength::Strong, _) => !is_word && !text.bytes().all(|byte| byte.is_ascii_digit()),
            _ => look_alikes::looks_random(text),
        };
        if is_enough && look_alikes::is_secret(text, secrecy.strength, ValueSyntax::Quoted) {
            spans.push(Span::new(cell.clone(), secrecy.kind, Rank::Structure));
        }
    }
    true
}

/// `| Password | SECRET |`: a cell that names the next one. Types of columns stand there as well: `varchar2(255)`.
fn named_cell(view: &View<'_>, names: &KeyNames, line: Range<usize>, spans: &mut Vec<Span<'_>>) {
    if !view.slice(line.clone()).trim_start().starts_with('|') {
        return;
    }
    let cells = cells(view, b'|', line).unwrap_or_default();
    for (name, value) in cells.iter().zip(cells.iter().skip(1)) {
        let named = names.secrecy(view.slice(name.clone()).trim_matches(['*', '`']));
        let text = view.slice(value.clone());
        let is_made_up = look_alikes::mixes(text)
            && !text.contains('(')
            && text.bytes().any(|byte| byte.is_ascii_lowercase())
            && text.bytes().any(|byte| byte.is_ascii_uppercase());
        if let Some(secrecy) = named.filter(|named| named.strength == Strength::Strong && is_made_up)
            && look_alikes::is_secret(text, secrecy.strength, ValueSyntax::Quoted)
        {
            spans.push(Span::new(value.clone(), secrecy.kind, Rank::Structure));
        }
    }
}

/// The cells of a line without quotes, backticks and, in a drawn table, blanks around them; `None` when a comma is one
/// of prose or there are too many.
fn cells(view: &View<'_>, separator: u8, line: Range<usize>) -> Option<Vec<Range<usize>>> {
    let text = view.slice(line.clone());
    let is_drawn = separator == b'|';
    let indented = if is_drawn { text.trim() } else { text };
    let start = line.start + (if is_drawn { text.len() - text.trim_start().len() } else { 0 });
    let inner = if is_drawn { indented.strip_prefix('|').unwrap_or(indented) } else { indented };
    let mut place = start + (indented.len() - inner.len());
    let end = place + (if is_drawn { inner.strip_suffix('|').unwrap_or(inner) } else { inner }).len();
    let mut cells = Vec::new();
    while place <= end {
        let mut next = view.until_within(place, end - place, |byte| byte == separator);
        if let Some(quote) = view.quote(place).filter(|quote| !is_drawn && quote.sign == b'"') {
            let (content_end, behind) = view.quote_end(quote);
            if behind > end || behind != end && view.byte(behind) != separator {
                return None;
            }
            cells.push(quote.content..content_end);
            next = behind;
        } else {
            let cell = view.slice(place..next);
            if !is_drawn && cell.starts_with(' ') {
                return None;
            }
            let trimmed = cell.trim_matches([' ', '`']);
            let from = place + (cell.len() - cell.trim_start_matches([' ', '`']).len());
            cells.push(from.min(next)..(from + trimmed.len()).min(next));
        }
        if cells.len() > MAX_COLUMNS {
            return None;
        }
        place = next + 1;
    }
    Some(cells)
}

/// `|---|:--:|`, `----+----`.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains("--") && line.bytes().all(|byte| b"|+-: ".contains(&byte))
}
