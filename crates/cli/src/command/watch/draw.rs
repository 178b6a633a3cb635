//! The screen.

use std::time::Instant;

use handraise_protocol::{Approval, RiskLevel};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};

use super::state::{Dialog, State};
use super::wrap::{style, wrap};
use crate::command::answer::CONFIRMATION;
use crate::show::{self, Tone};

/// The most lines that the list takes from the detail.
const LONGEST_LIST: usize = 8;

const KEYS: &str = "a approve   s for the session   d deny   r deny with a reason   j/k select   ? help   q quit";

const HELP: &str = "\
 a      approve the selected call, this once
 s      approve exactly this call for the rest of its session
 d      deny it
 r      deny it with a reason, which the agent is told
 j, k   select the next or the previous request (also the arrow keys)
 Space  scroll down (also Page Down; Page Up scrolls back)
 q      leave; Handraise goes on

 Keys that decide do nothing until a request has been in view for a moment.
 A destructive call is approved by typing the word out. Enter alone decides nothing.

 Any key closes this.";

/// Draws everything.
pub(super) fn draw(frame: &mut Frame<'_>, state: &State, now: Timestamp, instant: Instant) {
    let rows = u16::try_from(state.waiting.len().clamp(1, LONGEST_LIST)).unwrap_or(1);
    let areas =
        Layout::vertical([Constraint::Length(1), Constraint::Length(rows), Constraint::Min(1), Constraint::Length(2)]);
    let [head, list, detail, foot] = areas.areas(frame.area());
    let title = format!(" Handraise: {} waiting", state.waiting.len());
    let bar = Style::new().add_modifier(Modifier::REVERSED);
    frame.render_widget(Paragraph::new(title).style(bar), head);
    draw_list(frame, list, state, now);
    draw_detail(frame, detail, state);
    draw_foot(frame, foot, state, instant);
    if state.dialog == Dialog::Help {
        let area = frame.area();
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(HELP).block(Block::bordered().title(" Help ")), area);
    }
}

fn draw_list(frame: &mut Frame<'_>, area: Rect, state: &State, now: Timestamp) {
    if state.waiting.is_empty() {
        frame.render_widget(Paragraph::new(" Nothing waits for you.").style(style(Tone::Label)), area);
        return;
    }
    let position = state.waiting.iter().position(|approval| Some(approval.id) == state.selected).unwrap_or(0);
    let height = usize::from(area.height).max(1);
    let first = (position + 1).saturating_sub(height);
    let rows = state.waiting.iter().enumerate().skip(first).take(height);
    let lines: Vec<Line<'_>> =
        rows.map(|(index, approval)| row(approval, step(approval, &state.waiting), index == position, now)).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

/// Which of the waiting calls of one step this is, and how many there are; empty for a call of its own.
fn step(approval: &Approval, waiting: &[Approval]) -> String {
    let together: Vec<&Approval> =
        waiting.iter().filter(|other| other.batch.is_some() && other.batch == approval.batch).collect();
    match together.iter().position(|other| other.id == approval.id) {
        Some(place) if together.len() > 1 => format!("{} of {} together  ", place + 1, together.len()),
        _ => String::new(),
    }
}

fn row(approval: &Approval, step: String, selected: bool, now: Timestamp) -> Line<'static> {
    let level = approval.risk.level;
    let tone = if level == RiskLevel::Destructive { Tone::Warning } else { Tone::Plain };
    let times = format!("{} ago, {} left", show::age(approval.requested_at, now), show::left(approval.expires_at, now));
    let line = Line::from(vec![
        Span::raw(if selected { "▸ " } else { "  " }),
        Span::styled(format!("{:8}  ", show::risk_word(level)), style(tone)),
        Span::raw(format!("{}  ", show::who(approval))),
        Span::styled(format!("{times}  "), style(Tone::Label)),
        Span::styled(step, style(Tone::Label)),
        Span::raw(approval.title.clone()),
    ]);
    if selected { line.style(style(Tone::Strong)) } else { line }
}

fn draw_detail(frame: &mut Frame<'_>, area: Rect, state: &State) {
    let block = Block::new().borders(Borders::TOP | Borders::BOTTOM);
    let inner = block.inner(area);
    let lines = state.selection().map(show::approval).unwrap_or_default();
    let lines = wrap(&lines, usize::from(inner.width));
    let height = usize::from(inner.height);
    let last_start = lines.len().saturating_sub(height);
    let start = usize::from(state.scroll).min(last_start);
    let below = lines.len().saturating_sub(start + height);
    let block = match (start, below) {
        (0, 0) => block,
        (above, 0) => block.title_top(format!(" {above} lines above ")),
        (above, below) => {
            block.title_top(format!(" {above} lines above ")).title_bottom(format!(" {below} more lines: Space "))
        }
    };
    frame.render_widget(block, area);
    let shown: Vec<Line<'_>> = lines.into_iter().skip(start).take(height).collect();
    frame.render_widget(Paragraph::new(shown), inner);
}

fn draw_foot(frame: &mut Frame<'_>, area: Rect, state: &State, now: Instant) {
    let keys = match &state.dialog {
        Dialog::Reason(text) => Line::from(format!("Deny. Why? {text}▏  (Enter denies, Esc goes back)")),
        Dialog::Confirm(_, text) => Line::from(format!(
            "This destroys something. To approve it, type {CONFIRMATION} and Enter: {text}▏  (Esc goes back)"
        )),
        Dialog::Gone => Line::from("The request was answered elsewhere. Press Esc to go on."),
        Dialog::None | Dialog::Help if state.selection().is_none() || state.is_armed(now) => Line::from(KEYS),
        Dialog::None | Dialog::Help => Line::from(KEYS).style(style(Tone::Label)),
    };
    frame.render_widget(Paragraph::new(vec![Line::from(state.notice.clone()), keys]), area);
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::super::state::tests::sample;
    use super::*;

    fn screen(state: &State, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(100, height)).unwrap();
        let now = Timestamp::from_second(30).unwrap();
        terminal.draw(|frame| draw(frame, state, now, Instant::now())).unwrap();
        terminal.backend().to_string()
    }

    #[test]
    fn everything_about_the_selected_request_is_on_the_screen() {
        let mut state = State::default();
        state.replace(vec![sample(1, RiskLevel::Destructive, "rm -rf \u{202e}dliub")], Instant::now());
        let screen = screen(&state, 30);
        for words in [
            "1 waiting",
            "DESTROYS",
            "claude-code in shop",
            "30s ago, 4m left",
            "rm -rf ⟨U+202E⟩dliub",
            "arguments.command: Characters change",
        ] {
            assert!(screen.contains(words), "{words}\n{screen}");
        }
    }

    #[test]
    fn calls_of_one_step_say_so() {
        let mut state = State::default();
        let of = |number, batch: Option<&str>| Approval {
            batch: batch.map(str::to_owned),
            ..sample(number, RiskLevel::Write, "make")
        };
        state.replace(vec![of(1, Some("x")), of(2, None), of(3, Some("x")), of(4, Some("y"))], Instant::now());
        let screen = screen(&state, 30);
        assert!(screen.contains("1 of 2 together") && screen.contains("2 of 2 together"), "{screen}");
        assert_eq!(screen.matches("together").count(), 2, "{screen}");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut state = State::default();
        state.replace(vec![sample(1, RiskLevel::Write, &"line\n".repeat(40))], Instant::now());
        assert!(screen(&state, 20).contains("more lines: Space"));
        state.scroll = u16::MAX;
        assert!(screen(&state, 20).contains("lines above"));
    }

    #[test]
    fn an_empty_list_says_so() {
        assert!(screen(&State::default(), 10).contains("Nothing waits for you."));
    }
}
