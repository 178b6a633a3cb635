//! A list as every command prints it: JSON, or one sentence where there is nothing, or a table.

use handraise_display::escape_json;
use serde::Serialize;

use super::{printed, say};
use crate::show::{Line, Tone, columns};

/// Between two columns.
const GAP: &str = "  ";

/// One row of a table, and what stands below it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// The columns; all but the last are as wide as the widest of the list.
    pub(crate) cells: Vec<Line>,
    /// Lines that belong to the row, indented as its second column.
    pub(crate) below: Vec<Line>,
}

impl Row {
    /// A row of plain cells, the first of which is an id.
    pub(crate) fn of_id(id: impl Into<String>, cells: impl IntoIterator<Item = String>) -> Self {
        let cells = cells.into_iter().map(|cell| Line::new(Tone::Plain, cell));
        Self { cells: std::iter::once(Line::new(Tone::Strong, id)).chain(cells).collect(), below: Vec::new() }
    }
}

/// Prints `value` as JSON, or `rows` as a table, or `empty` where there are none.
///
/// # Errors
/// As [`say`].
pub(crate) fn print(json: bool, value: &impl Serialize, empty: &str, rows: &[Row]) -> anyhow::Result<()> {
    if json {
        return print_json(value);
    }
    if rows.is_empty() {
        return say(empty);
    }
    print_lines(&table(rows))
}

/// Prints `value` as JSON that acts on no terminal.
///
/// # Errors
/// As [`say`].
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    say(&escape_json(&serde_json::to_string_pretty(value)?))
}

/// Prints `lines`, broken to the width of the terminal.
///
/// # Errors
/// As [`say`].
pub(crate) fn print_lines(lines: &[Line]) -> anyhow::Result<()> {
    say(&printed(lines).join("\n"))
}

/// The rows, in columns.
pub(crate) fn table(rows: &[Row]) -> Vec<Line> {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        // What stands in the last column of a row may be as long as it likes.
        for (index, cell) in row.cells.iter().enumerate().take(row.cells.len().saturating_sub(1)) {
            let width = columns(&cell.text());
            match widths.get_mut(index) {
                Some(known) => *known = width.max(*known),
                None => widths.push(width),
            }
        }
    }
    let indent = " ".repeat(widths.first().copied().unwrap_or_default() + GAP.len());
    let mut lines = Vec::new();
    for row in rows {
        let mut line = Line::default();
        for (index, cell) in row.cells.iter().enumerate() {
            line.0.extend(cell.0.iter().cloned());
            if index + 1 < row.cells.len() {
                let width = widths.get(index).copied().unwrap_or_default();
                let missing = width.saturating_sub(columns(&cell.text()));
                line = line.with(Tone::Plain, format!("{}{GAP}", " ".repeat(missing)));
            }
        }
        lines.push(line);
        lines.extend(row.below.iter().map(|below| {
            let mut indented = Line::new(Tone::Plain, indent.clone());
            indented.0.extend(below.0.iter().cloned());
            indented
        }));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut first = Row::of_id("1", ["日本".to_owned(), "a long title".to_owned()]);
        first.below = vec![Line::new(Tone::Warning, "WARNING")];
        let second = Row::of_id("22", ["xyzab".to_owned(), "b".to_owned()]);
        let lines: Vec<String> = table(&[first, second]).iter().map(Line::text).collect();
        assert_eq!(lines, ["1   日本   a long title", "    WARNING", "22  xyzab  b"]);
    }

    #[test]
    fn rows_of_different_lengths_stand_side_by_side() {
        let rows = [Row::of_id("a", ["b".to_owned(), "c".to_owned()]), Row::of_id("long", ["d".to_owned()])];
        let lines: Vec<String> = table(&rows).iter().map(Line::text).collect();
        assert_eq!(lines, ["a     b  c", "long  d"]);
    }
}
