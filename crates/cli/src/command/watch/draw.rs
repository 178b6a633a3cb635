//! The screen.

use std::time::Instant;

use handraise_protocol::{Approval, Question, RiskLevel};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};

use super::state::{Dialog, State, Typing};
use super::style::{end, style, styled};
use crate::command::answer::CONFIRMATION;
use crate::command::waiting::Waiting;
use crate::show::{self, Tone, widenings};

/// The most lines that the list takes from the detail.
const MAX_LIST: usize = 8;

/// As the one for questions, within the 80 columns that every terminal has.
const KEYS: &str = "a approve  s for session  d deny  r with a reason  j/k select  ? help  q quit";

/// The same for a call that can run confined.
const CONFINABLE_KEYS: &str = "a approve  c confined  s session  d deny  r with a reason  j/k select  ? help";

/// The same where something can be opened to its walls. The list of what can stands above.
const OPENING_KEYS: &str = "a approve  c confined  1… open to its walls  s session  d deny  r reason  ? help";

const QUESTION_KEYS: &str = "d decline  r with a reason  j/k select  ? help  q quit";

const HELP: &str = "\x20a      approve the selected call, this once
 c      approve it to run confined, inside the walls that are shown
 1 … 9  the same, and open to these walls what has this number, from now on
 s      approve exactly this call for the rest of its session
 d      deny it, or decline to answer a question
 r      the same with a reason, which the agent is told
 1 … 9  at a question: choose an answer; then Enter
 t      write an answer to a question of your own
 j, k   select what waits above or below (also the arrow keys)
 Space  scroll down (also Page Down; Page Up scrolls back)
 q      leave; Handraise goes on

 Keys that decide sleep until what they decide has been in view for a moment.
 A destructive call is approved by typing the word out. Enter alone decides
 nothing.

 Any key closes this.";

/// Draws everything.
pub(super) fn draw(frame: &mut Frame<'_>, state: &State, now: Timestamp, instant: Instant) {
    let rows = u16::try_from(state.waiting.len().clamp(1, MAX_LIST)).unwrap_or(1);
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
    let position = state.position();
    let height = usize::from(area.height).max(1);
    let first = (position + 1).saturating_sub(height);
    let rows = state.waiting.iter().enumerate().skip(first).take(height);
    let lines: Vec<Line<'_>> = rows.map(|(index, one)| row(one, &state.waiting, index == position, now)).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

/// Which of the waiting calls of one step this is, and how many there are; empty for a call of its own.
fn step(approval: &Approval, waiting: &[Waiting]) -> String {
    let calls = waiting.iter().filter_map(|one| match one {
        Waiting::Approval(approval) => Some(approval),
        Waiting::Question(_) => None,
    });
    let together: Vec<_> = calls.filter(|other| other.batch.is_some() && other.batch == approval.batch).collect();
    match together.iter().position(|other| other.id == approval.id) {
        Some(place) if together.len() > 1 => format!("{} of {} together  ", place + 1, together.len()),
        _ => String::new(),
    }
}

fn row(one: &Waiting, all: &[Waiting], selected: bool, now: Timestamp) -> Line<'static> {
    let mut spans = vec![Span::raw(if selected { "▸ " } else { "  " })];
    spans.extend(match one {
        Waiting::Approval(approval) => call(approval, step(approval, all), now),
        Waiting::Question(question) => asked(question, now),
    });
    let line = Line::from(spans);
    if selected { line.style(style(Tone::Strong)) } else { line }
}

fn call(approval: &Approval, step: String, now: Timestamp) -> Vec<Span<'static>> {
    let level = approval.risk.level;
    let tone = if level == RiskLevel::Destructive { Tone::Warning } else { Tone::Plain };
    vec![
        Span::styled(format!("{:8}  ", show::risk_word(level)), style(tone)),
        Span::raw(format!("{}  ", show::who(approval))),
        Span::styled(times(approval.requested_at, approval.expires_at, now), style(Tone::Label)),
        Span::styled(step, style(Tone::Label)),
        Span::raw(approval.title.clone()),
    ]
}

fn asked(question: &Question, now: Timestamp) -> Vec<Span<'static>> {
    vec![
        Span::raw("question  "),
        Span::raw(format!("{}  ", show::question_sender(question))),
        Span::styled(times(question.asked_at, question.expires_at, now), style(Tone::Label)),
        Span::raw(question.title.clone()),
    ]
}

fn times(asked_at: Timestamp, expires_at: Timestamp, now: Timestamp) -> String {
    format!("{} ago, {} left  ", show::age(asked_at, now), show::left(expires_at, now))
}

fn draw_detail(frame: &mut Frame<'_>, area: Rect, state: &State) {
    let block = Block::new().borders(Borders::TOP | Borders::BOTTOM);
    let inner = block.inner(area);
    let lines = state.selection().map(Waiting::in_full).unwrap_or_default();
    let lines = styled(&show::wrap(&lines, usize::from(inner.width)));
    let height = usize::from(inner.height);
    let last_start = lines.len().saturating_sub(height);
    let start = usize::from(state.scroll).min(last_start);
    let below = lines.len().saturating_sub(start + height);
    let block = if start > 0 { block.title_top(format!(" {start} lines above ")) } else { block };
    let block = if below > 0 { block.title_bottom(format!(" {below} more lines: Space ")) } else { block };
    frame.render_widget(block, area);
    let shown: Vec<Line<'_>> = lines.into_iter().skip(start).take(height).collect();
    frame.render_widget(Paragraph::new(shown), inner);
}

fn draw_foot(frame: &mut Frame<'_>, area: Rect, state: &State, now: Instant) {
    let lines = match &state.dialog {
        Dialog::Typing(what, text) => {
            let prompt = match state.notice.as_str() {
                "" => typing(*what, state.selection()),
                notice => notice.to_owned(),
            };
            // What has been typed last is what a person looks at.
            [Line::from(prompt), Line::from(end(&format!("› {text}▏"), usize::from(area.width)))]
        }
        Dialog::RequestEnded => {
            let words = "It has gone or was answered elsewhere. Press Esc to go on.";
            [Line::from(state.notice.clone()), Line::from(words)]
        }
        Dialog::None | Dialog::Help => {
            let sleeps = state.selection().is_some() && !state.is_armed(now);
            let keys = Line::from(keys(state.selection()));
            [Line::from(state.notice.clone()), if sleeps { keys.style(style(Tone::Label)) } else { keys }]
        }
    };
    frame.render_widget(Paragraph::new(lines.to_vec()), area);
}

/// What to type, and what Enter and Esc do.
fn typing(what: Typing, selection: Option<&Waiting>) -> String {
    match (what, selection) {
        (Typing::Reason, Some(Waiting::Question(_))) => {
            "Decline. Why? The agent is told. Enter declines, Esc goes back.".to_owned()
        }
        (Typing::Reason, _) => "Deny. Why? The agent is told. Enter denies, Esc goes back.".to_owned(),
        (Typing::Confirmation(_), _) => {
            format!("This destroys something. To approve it, type {CONFIRMATION} and Enter. Esc goes back.")
        }
        (Typing::Choices, Some(Waiting::Question(question))) if question.multiple => {
            "Your choices by their numbers, as 1,3. Enter answers, Esc goes back.".to_owned()
        }
        (Typing::Choices, _) => "Your choice by its number. Enter answers, Esc goes back.".to_owned(),
        (Typing::Words, _) => "Your answer. Enter answers, Esc goes back.".to_owned(),
    }
}

/// The keys that there are for what is selected.
fn keys(selection: Option<&Waiting>) -> String {
    let question = match selection {
        Some(Waiting::Question(question)) => question,
        Some(Waiting::Approval(approval)) if !widenings(approval).is_empty() => return OPENING_KEYS.to_owned(),
        Some(Waiting::Approval(approval)) if approval.confinement.is_some() => return CONFINABLE_KEYS.to_owned(),
        Some(Waiting::Approval(_)) | None => return KEYS.to_owned(),
    };
    let choose = match question.choices.len() {
        0 => None,
        1 => Some("1 choose".to_owned()),
        count => Some(format!("1-{} choose", count.min(9))),
    };
    let write = question.custom.then(|| "t write".to_owned());
    let keys: Vec<String> = choose.into_iter().chain(write).chain([QUESTION_KEYS.to_owned()]).collect();
    keys.join("  ")
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::super::state::tests::{confinable, questions, sample, widenable};
    use super::*;
    use crate::command::answer::Approving;
    use crate::command::waiting::together;

    fn screen(state: &State, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(100, height)).unwrap();
        let now = Timestamp::from_second(30).unwrap();
        terminal.draw(|frame| draw(frame, state, now, Instant::now())).unwrap();
        terminal.backend().to_string()
    }

    #[test]
    fn everything_about_the_selected_request_is_on_the_screen() {
        let mut state = State::default();
        state
            .replace(together(vec![sample(1, RiskLevel::Destructive, "rm -rf \u{202e}dliub")], vec![]), Instant::now());
        let screen = screen(&state, 30);
        for words in [
            "1 waiting",
            "DESTROYS",
            "Claude Code in shop",
            "30s ago, 4m left",
            "rm -rf ⟨U+202E⟩dliub",
            "arguments.command: Characters change",
        ] {
            assert!(screen.contains(words), "{words}\n{screen}");
        }
    }

    #[test]
    fn what_can_be_opened_to_the_walls_is_on_the_screen_with_its_number_and_its_table() {
        let mut state = State::default();
        state.replace(vec![Waiting::Approval(Box::new(widenable(2)))], Instant::now());
        let screen = screen(&state, 30);
        for words in [
            "Its walls denied it write /home/ana/out1/x",
            "1  Confined, and ~/out1 open to this project from now on",
            "2  Confined, and ~/out2 open to this project from now on",
            "write = [\"~/out2\"]",
            "c confined  1… open to its walls",
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
        let calls = vec![of(1, Some("x")), of(2, None), of(3, Some("x")), of(4, Some("y"))];
        state.replace(together(calls, vec![]), Instant::now());
        let screen = screen(&state, 30);
        assert!(screen.contains("1 of 2 together") && screen.contains("2 of 2 together"), "{screen}");
        assert_eq!(screen.matches("together").count(), 2, "{screen}");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut state = State::default();
        state.replace(together(vec![sample(1, RiskLevel::Write, &"line\n".repeat(40))], vec![]), Instant::now());
        assert!(screen(&state, 20).contains("more lines: Space"));
        state.scroll = u16::MAX;
        assert!(screen(&state, 20).contains("lines above"));
    }

    #[test]
    fn a_question_is_on_the_screen_with_its_choices_and_keys() {
        let mut state = State::default();
        let begin = Instant::now();
        state.replace(together(vec![], questions(1, false)), begin);
        let screen = screen(&state, 20);
        for words in [
            "1 waiting",
            "▸ question  Claude Code in shop  30s ago, 4m left  Which one?",
            "Question from Claude Code in shop",
            "1  a⟨U+202E⟩b",
            "2  c",
            "1-2 choose  t write  d decline  r with a reason  j/k select  ? help  q quit",
        ] {
            assert!(screen.contains(words), "{words}\n{screen}");
        }
    }

    #[test]
    fn the_end_of_a_long_line_that_is_typed_can_be_seen() {
        let mut state = State::default();
        state.replace(together(vec![], questions(1, true)), Instant::now());
        state.dialog = Dialog::Typing(Typing::Words, format!("{}the end", "long ".repeat(40)));
        let shown = screen(&state, 20);
        assert!(shown.contains("Your answer. Enter answers, Esc goes back.") && shown.contains("the end▏"), "{shown}");
        state.dialog = Dialog::Typing(Typing::Choices, "1".to_owned());
        assert!(screen(&state, 20).contains("as 1,3"), "{}", screen(&state, 20));
        state.notice = "Not so.".to_owned();
        let shown = screen(&state, 20);
        assert!(shown.contains("Not so.") && shown.contains("› 1▏"), "{shown}");
    }

    #[test]
    fn what_we_say_ourselves_fits_into_80_columns() {
        let question = |multiple| together(vec![], questions(1, multiple)).remove(0);
        let typing = [Typing::Reason, Typing::Confirmation(Approving::Once), Typing::Choices, Typing::Words]
            .map(|what| typing(what, Some(&question(true))));
        // The help stands in a frame.
        let help = HELP.lines().map(|line| format!("{line}  "));
        let confinable = Waiting::Approval(Box::new(confinable(1)));
        let widenable = Waiting::Approval(Box::new(widenable(2)));
        let calls = [&confinable, &widenable].map(|call| keys(Some(call)));
        for line in help.chain(typing).chain([keys(None), keys(Some(&question(false)))]).chain(calls) {
            assert!(Line::from(line.as_str()).width() <= 80, "{line}");
        }
    }

    #[test]
    fn an_empty_list_says_so() {
        assert!(screen(&State::default(), 10).contains("Nothing waits for you."));
    }
}
