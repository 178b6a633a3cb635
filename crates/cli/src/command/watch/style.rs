//! Text as the screen takes it.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use crate::show;
use crate::show::Tone;

/// `lines` with their colours.
pub(super) fn styled(lines: &[show::Line]) -> Vec<Line<'static>> {
    let line = |line: &show::Line| -> Line<'static> {
        line.0.iter().map(|run| Span::styled(run.text.clone(), style(run.tone))).collect()
    };
    lines.iter().map(line).collect()
}

/// The end of `text` that fits into `width` columns; a mark says that there is more before it.
pub(super) fn end(text: &str, width: usize) -> String {
    if Span::raw(text).width() <= width {
        return text.to_owned();
    }
    let columns = |character: char| Span::raw(character.to_string()).width();
    let mut left = width.saturating_sub(1);
    let fitting = text.char_indices().rev().take_while(|(_, character)| {
        let fits = columns(*character) <= left;
        left = left.saturating_sub(columns(*character));
        fits
    });
    let start = fitting.last().map_or(text.len(), |(index, _)| index);
    format!("…{}", text.get(start..).unwrap_or_default())
}

/// Colours that the terminal chooses itself, so that they can be read on any background.
pub(super) fn style(tone: Tone) -> Style {
    let style = coloured(tone);
    // Bold and reversed stay: they are no colours.
    if show::is_coloured() { style } else { Style { fg: None, ..style } }
}

fn coloured(tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Label => Style::new().add_modifier(Modifier::DIM),
        Tone::Strong => Style::new().add_modifier(Modifier::BOLD),
        Tone::Hidden => Style::new().fg(Color::Red).add_modifier(Modifier::REVERSED),
        Tone::Added => Style::new().fg(Color::Green),
        Tone::Removed => Style::new().fg(Color::Red),
        Tone::Warning => Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_text_is_shown() {
        for (width, shown) in [(5, "abcde"), (4, "…cde"), (1, "…"), (0, "…")] {
            assert_eq!(end("abcde", width), shown);
        }
        assert_eq!(end("日本語", 4), "…語");
        assert_eq!(end("日本語", 5), "…本語");
    }
}
