//! Lines broken to the width of the screen, so that it is known how many there are: what does not
//! fit is counted, never silently cut off.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use crate::show;
use crate::show::Tone;

/// `lines` broken at `width` columns.
pub(super) fn wrap(lines: &[show::Line], width: usize) -> Vec<Line<'static>> {
    lines.iter().flat_map(|line| wrap_line(line, width.max(1))).collect()
}

fn wrap_line(line: &show::Line, width: usize) -> Vec<Line<'static>> {
    let mut wrapped = vec![Line::default()];
    let mut used = 0;
    for run in &line.0 {
        let mut text = String::new();
        for character in run.text.chars() {
            let columns = Span::raw(character.to_string()).width();
            if used + columns > width {
                push(&mut wrapped, run.tone, std::mem::take(&mut text));
                wrapped.push(Line::default());
                used = 0;
            }
            text.push(character);
            used += columns;
        }
        push(&mut wrapped, run.tone, text);
    }
    wrapped
}

fn push(lines: &mut [Line<'static>], tone: Tone, text: String) {
    if let (Some(line), false) = (lines.last_mut(), text.is_empty()) {
        line.push_span(Span::styled(text, style(tone)));
    }
}

/// Colours that the terminal chooses itself, so that they can be read on any background.
pub(super) fn style(tone: Tone) -> Style {
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
    fn nothing_is_lost_when_a_line_is_broken() {
        let line = show::Line::new(Tone::Label, "ab").with(Tone::Plain, "cdefg日本");
        let shown: Vec<String> = wrap(&[line, show::Line::default()], 4).iter().map(Line::to_string).collect();
        assert_eq!(shown, ["abcd", "efg", "日本", ""]);
    }
}
