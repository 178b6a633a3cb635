//! Lines broken to the width of a terminal, which would break them by itself: at its left edge, where an
//! agent's words could be taken for ours.

use ratatui::text::Span;

use super::text::{Line, Run, Tone};

/// In front of what goes on of a line of our own: no label of ours stands so far in.
const INDENT: &str = "          ";
/// What of a line is left for text, at the least; narrower than that it goes on at the edge.
const MIN_COLUMNS: usize = 8;

/// `lines` broken at `width` columns, after a space where there is one. No character is lost. What goes on
/// of an agent's line stands behind the margin again.
pub(crate) fn wrap(lines: &[Line], width: usize) -> Vec<Line> {
    lines.iter().flat_map(|line| wrap_line(line, width.max(1))).collect()
}

fn wrap_line(line: &Line, width: usize) -> Vec<Line> {
    let margin = Some(margin(line)).filter(|margin| columns(margin) + MIN_COLUMNS <= width).unwrap_or_default();
    let mut letters: Vec<(char, Tone)> =
        line.0.iter().flat_map(|run| run.text.chars().map(|letter| (letter, run.tone))).collect();
    let mut wrapped = Vec::new();
    let mut before = "";
    loop {
        let rest = letters.split_off(fitting(&letters, width - columns(before)));
        wrapped.push(of_letters(before, &letters));
        if rest.is_empty() {
            return wrapped;
        }
        letters = rest;
        before = &margin;
    }
}

/// What stands in front of the rest of `line`.
fn margin(line: &Line) -> String {
    let first = line.0.first().map_or("", |run| run.text.as_str());
    match first.split_once('│') {
        // A sign behind it, as of a line that comes into a file, is not repeated: it would be one more line.
        Some((before, behind)) => format!("{before}│{}", " ".repeat(columns(behind))),
        None if first.trim().parse::<u32>().is_ok() => format!("{}│ ", " ".repeat(columns(first))),
        None => INDENT.to_owned(),
    }
}

/// How many of `letters` fit into `width` columns, and at least one of them.
fn fitting(letters: &[(char, Tone)], width: usize) -> usize {
    let mut used = 0;
    let too_many = letters.iter().position(|(letter, _)| {
        used += columns(letter.encode_utf8(&mut [0; 4]));
        used > width
    });
    let Some(count) = too_many else { return letters.len() };
    let count = count.max(1);
    // Not too far back: what has no spaces is broken where it is.
    let space = letters.iter().take(count).rposition(|(letter, _)| *letter == ' ');
    space.map(|at| at + 1).filter(|at| *at > count / 2).unwrap_or(count)
}

fn of_letters(before: &str, letters: &[(char, Tone)]) -> Line {
    let mut line = if before.is_empty() { Line::default() } else { Line::new(Tone::Label, before) };
    let start = line.0.len();
    for (letter, tone) in letters {
        match line.0.get_mut(start..).and_then(<[Run]>::last_mut) {
            Some(run) if run.tone == *tone => run.text.push(*letter),
            _ => line.0.push(Run { tone: *tone, text: letter.to_string() }),
        }
    }
    line
}

/// How many columns `text` takes in a terminal.
pub(crate) fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

#[cfg(test)]
mod tests {
    use handraise_protocol::pieces;

    use super::super::text::lines;
    use super::*;

    fn shown(lines: &[Line], width: usize) -> Vec<String> {
        wrap(lines, width).iter().map(Line::text).collect()
    }

    #[test]
    fn nothing_is_lost_when_a_line_is_broken() {
        let line = Line::new(Tone::Label, "ab").with(Tone::Plain, "cdefg日本");
        assert_eq!(shown(&[line, Line::default()], 4), ["abcd", "efg", "日本", ""]);
        assert_eq!(shown(&[Line::new(Tone::Plain, "日本")], 1), ["日", "本"]);
    }

    #[test]
    fn what_goes_on_of_an_agents_line_stands_behind_the_margin() {
        let command = lines(&pieces("cat a_long_file_names Risk: reads_only"), "  │ ", Tone::Plain);
        assert_eq!(shown(&command, 22), ["  │ cat a_long_file_na", "  │ mes Risk: ", "  │ reads_only"]);
        let added = lines(&pieces("one two three four"), "  │ + ", Tone::Added);
        assert_eq!(shown(&added, 16), ["  │ + one two ", "  │   three four"]);
        let choice = lines(&pieces("one two three four"), "   2  ", Tone::Strong);
        assert_eq!(shown(&choice, 18), ["   2  one two ", "      │ three four"]);
        let own = Line::new(Tone::Label, "Tool      ").with(Tone::Plain, "a_tool Risk reads_only");
        assert_eq!(shown(&[own], 22), ["Tool      a_tool Risk ", "          reads_only"]);
    }

    #[test]
    fn a_line_is_broken_after_a_space_that_is_not_too_far_back() {
        let line = |text: &str| [Line::new(Tone::Plain, text)];
        assert_eq!(shown(&line("one two three"), 9), ["one two ", "three"]);
        assert_eq!(shown(&line("a bcdefghijkl"), 9), ["a bcdefgh", "ijkl"]);
    }
}
