//! The tray menu as a value.

use std::sync::Arc;

use handraise_display::{line, split};
use handraise_protocol::{Approval, Mode, Question, RequestId};
use uuid::Uuid;

use crate::compact_view::{CompactView, agent, approvable, compact_view, question_agent};
use crate::lately::Lately;
use crate::strings::Text;
use crate::tray::entry::{MAX_TITLE, shortened};
use crate::tray::lately;

pub(crate) use crate::tray::entry::{Choice, Item, Menu, PauseTime};

/// Requests that the menu lists; the rest is counted.
const MAX_LIST: usize = 8;
/// Longest line inside a request's menu, in characters.
const MAX_LINE: usize = 60;

/// What the menu is made from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TrayState {
    /// The mode in force.
    pub mode: Mode,
    /// The local time at which a pause ends by itself.
    pub until: Option<String>,
    /// Open requests, oldest first.
    pub waiting: Vec<Waiting>,
    /// Open questions, oldest first; each with one plain line.
    pub questions: Vec<(Uuid, String)>,
    /// How many ended because nobody answered, and can still be answered late.
    pub missed: usize,
    /// What happened lately.
    pub lately: Lately,
}

/// An open request as the menu shows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Waiting {
    /// Which.
    pub id: RequestId,
    /// Who asks, a plain line.
    pub agent: String,
    /// What it does.
    pub compact_view: CompactView,
    /// It may be approved here: not destructive, and all of it can be seen.
    pub approvable: bool,
}

impl TrayState {
    /// The state for open requests and questions, each oldest first.
    #[must_use]
    pub(crate) fn new(mode: Mode, pending: &[Arc<Approval>], questions: &[Arc<Question>]) -> Self {
        let waiting = pending.iter().map(|approval| Waiting {
            id: approval.id,
            agent: agent(approval),
            compact_view: compact_view(approval),
            approvable: approvable(approval),
        });
        let asked = questions.iter().map(|question| {
            let line = Text::TrayQuestion.with(&[("agent", &question_agent(question)), ("question", &question.title)]);
            (question.id.0, line)
        });
        let (waiting, questions) = (waiting.collect(), asked.collect());
        Self { mode, until: None, waiting, questions, missed: 0, lately: Lately::default() }
    }

    /// Before anything is known.
    #[must_use]
    pub(crate) fn empty() -> Self {
        Self::new(Mode::Normal, &[], &[])
    }
}

/// The menu for `state`. Requests keep their order, so that a new one never moves those above it.
#[must_use]
pub(crate) fn menu(state: &TrayState) -> Menu {
    let mut items = Vec::new();
    let waiting = state.waiting.len() + state.questions.len();
    if waiting == 0 {
        items.push(Item::Label(Text::TrayNothingWaiting.get()));
    } else {
        items.push(Item::Label(Text::TrayWaiting.with(&[("count", &waiting.to_string())])));
        let questions = state.questions.iter().map(|(id, question)| asked(*id, question));
        items.extend(state.waiting.iter().map(request).chain(questions).take(MAX_LIST));
        let more = waiting.saturating_sub(MAX_LIST);
        if more > 0 {
            let text = Text::TrayMore.with(&[("count", &more.to_string())]);
            items.push(Item::Choice(Choice::OpenInbox, text));
        }
    }
    if state.missed > 0 {
        let text = if state.missed == 1 { Text::TrayMissedOne } else { Text::TrayMissed };
        items.push(Item::Choice(Choice::OpenInbox, text.with(&[("count", &state.missed.to_string())])));
    }
    items.push(Item::Separator);
    items.push(Item::Choice(Choice::OpenInbox, Text::TrayOpenInbox.get()));
    items.extend(lately::items(&state.lately));
    items.extend(pause(state));
    items.push(Item::Choice(Choice::OpenSettings, Text::TraySettings.get()));
    items.push(Item::Separator);
    items.push(quit(waiting));
    Menu(items)
}

/// To quit denies what waits: then it takes a second click, on words that say so.
fn quit(waiting: usize) -> Item {
    if waiting == 0 {
        return Item::Choice(Choice::Quit, Text::TrayQuit.get());
    }
    let text = Text::TrayQuitDenies.with(&[("count", &waiting.to_string())]);
    Item::Submenu(Text::TrayQuit.get(), Menu(vec![Item::Choice(Choice::Quit, text)]))
}

/// The menu of one request. What its own line cannot hold is repeated inside in full, with the change
/// that it makes, so that nobody approves what the menu cut off.
fn request(waiting: &Waiting) -> Item {
    let CompactView { title, change, .. } = &waiting.compact_view;
    let whole = format!("{} · {title}", waiting.agent);
    let mut inside = Vec::new();
    if waiting.approvable {
        if whole.chars().count() > MAX_TITLE {
            inside.extend(wrapped(title).into_iter().map(Item::Label));
        }
        inside.extend(change.iter().flat_map(|line| wrapped(line)).map(Item::Label));
        if !inside.is_empty() {
            inside.push(Item::Separator);
        }
        inside.push(Item::Choice(Choice::Approve(waiting.id), Text::TrayApprove.get()));
    }
    inside.push(Item::Choice(Choice::Deny(waiting.id), Text::TrayDeny.get()));
    inside.push(Item::Choice(Choice::Open(waiting.id.0), Text::TrayOpen.get()));
    Item::Submenu(shortened(&whole), Menu(inside))
}

/// A question; it is answered in the prompt window.
fn asked(id: Uuid, question: &str) -> Item {
    Item::Choice(Choice::Open(id), shortened(question))
}

fn pause(state: &TrayState) -> Vec<Item> {
    if state.mode == Mode::Normal {
        let mut choices = pauses(Mode::AskEverything, Text::TrayAskEverything);
        choices.push(Item::Separator);
        choices.extend(pauses(Mode::DenyEverything, Text::TrayDenyEverything));
        vec![Item::Submenu(Text::TrayPause.get(), Menu(choices))]
    } else {
        let until = state.until.iter().map(|time| Item::Label(Text::TrayPausedUntil.with(&[("time", time)])));
        until.chain([Item::Choice(Choice::SetMode(Mode::Normal), Text::TrayResume.get())]).collect()
    }
}

fn pauses(mode: Mode, text: Text) -> Vec<Item> {
    let timed = PauseTime::ALL.map(|time| {
        let text = time.text().with(&[("what", &text.get())]);
        Item::Choice(Choice::PauseFor(mode, time), text)
    });
    [Item::Choice(Choice::SetMode(mode), text.get())].into_iter().chain(timed).collect()
}

/// `text` in lines of at most [`MAX_LINE`] characters.
fn wrapped(text: &str) -> Vec<String> {
    let plain = line(text, usize::MAX);
    let mut rest = plain.as_str();
    let lines = std::iter::from_fn(|| {
        let (line, after) = split(rest, MAX_LINE);
        rest = after;
        (!line.is_empty()).then(|| line.to_owned())
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::spoofed;
    use handraise_display::has_hidden;

    fn waiting(number: u128, title: &str) -> Waiting {
        let id = RequestId(Uuid::from_u128(number));
        let compact_view = CompactView { title: title.into(), is_complete: true, ..CompactView::default() };
        Waiting { id, agent: "Claude Code".into(), compact_view, approvable: true }
    }

    fn items(state: &TrayState) -> Vec<Item> {
        menu(state).0
    }

    #[test]
    fn with_nothing_waiting_there_are_only_the_fixed_entries() {
        assert_eq!(
            menu(&TrayState::empty()),
            Menu(vec![
                Item::Label("Nothing is waiting".into()),
                Item::Separator,
                Item::Choice(Choice::OpenInbox, "Open inbox".into()),
                Item::Submenu(
                    "Pause".into(),
                    Menu(
                        [pauses(Mode::AskEverything, Text::TrayAskEverything), vec![Item::Separator]]
                            .into_iter()
                            .chain([pauses(Mode::DenyEverything, Text::TrayDenyEverything)])
                            .flatten()
                            .collect()
                    )
                ),
                Item::Choice(Choice::OpenSettings, "Settings…".into()),
                Item::Separator,
                Item::Choice(Choice::Quit, "Quit".into()),
            ])
        );
    }

    #[test]
    fn a_request_can_be_answered_from_its_own_menu() {
        let one = waiting(1, "npm test");
        let id = one.id;
        let state = TrayState { waiting: vec![one], ..TrayState::empty() };
        assert_eq!(
            items(&state)[..2],
            [
                Item::Label("1 waiting".into()),
                Item::Submenu(
                    "Claude Code · npm test".into(),
                    Menu(vec![
                        Item::Choice(Choice::Approve(id), "Approve".into()),
                        Item::Choice(Choice::Deny(id), "Deny".into()),
                        Item::Choice(Choice::Open(id.0), "Open".into()),
                    ])
                ),
            ]
        );
    }

    #[test]
    fn what_may_not_be_approved_at_a_glance_has_no_approve() {
        let one = Waiting { approvable: false, ..waiting(1, "rm -rf /srv") };
        let id = one.id;
        let state = TrayState { waiting: vec![one], ..TrayState::empty() };
        assert_eq!(
            items(&state)[1],
            Item::Submenu(
                "Claude Code · rm -rf /srv".into(),
                Menu(vec![
                    Item::Choice(Choice::Deny(id), "Deny".into()),
                    Item::Choice(Choice::Open(id.0), "Open".into()),
                ])
            )
        );
    }

    fn labels(menu: &Menu) -> Vec<String> {
        let labels = menu.0.iter().flat_map(|item| match item {
            Item::Label(text) | Item::Choice(_, text) => vec![text.clone()],
            Item::Submenu(text, inside) => [vec![text.clone()], labels(inside)].concat(),
            Item::Separator => Vec::new(),
        });
        labels.collect()
    }

    #[test]
    fn no_menu_carries_text_that_acts_on_the_desktop() {
        for spoofed in spoofed() {
            let menu = menu(&TrayState::new(Mode::Normal, &[Arc::new(spoofed.clone())], &[]));
            for text in labels(&menu) {
                assert!(!has_hidden(&text) && !text.contains(['\n', '\t']), "{:?}: {text:?}", spoofed.title);
            }
            let approves = labels(&menu).contains(&Text::TrayApprove.get());
            assert!(!approves || !spoofed.findings.iter().any(|finding| finding.misleads), "{:?}", spoofed.title);
        }
    }

    #[test]
    fn the_ninth_request_and_those_after_it_are_counted() {
        let state = TrayState { waiting: (0..11).map(|number| waiting(number, "x")).collect(), ..TrayState::empty() };
        let items = items(&state);
        assert_eq!(
            items.iter().filter(|item| matches!(item, Item::Submenu(title, _) if title.contains('x'))).count(),
            8
        );
        assert_eq!(items[9], Item::Choice(Choice::OpenInbox, "3 more in the inbox…".into()));
    }

    #[test]
    fn a_title_that_is_cut_off_is_repeated_in_full_inside() {
        let title = "a".repeat(130);
        let state = TrayState { waiting: vec![waiting(1, &title)], ..TrayState::empty() };
        let Item::Submenu(short, Menu(inside)) = &items(&state)[1] else { panic!() };
        assert_eq!(short.chars().count(), 60);
        assert!(short.ends_with('…'));
        let labels: String = inside
            .iter()
            .filter_map(|item| if let Item::Label(text) = item { Some(text.as_str()) } else { None })
            .collect();
        assert_eq!(labels, title);
    }

    #[test]
    fn the_change_of_a_file_stands_above_its_approve() {
        let edit = crate::testing::edit(1, &["a"], &["b"]);
        let state = TrayState::new(Mode::Normal, &[Arc::new(edit.clone())], &[]);
        let Item::Submenu(title, Menu(inside)) = &items(&state)[1] else { panic!() };
        assert_eq!(title, "Claude Code · Edit src/cart.ts +1 −1");
        assert_eq!(
            inside[..4],
            [
                Item::Label("− a".into()),
                Item::Label("+ b".into()),
                Item::Separator,
                Item::Choice(Choice::Approve(edit.id), "Approve".into()),
            ]
        );
    }

    #[test]
    fn questions_are_counted_and_each_opens_itself() {
        let question = crate::testing::question(1, &["a", "b"]);
        let state = TrayState::new(Mode::Normal, &[], &[Arc::new(question.clone())]);
        assert_eq!(
            items(&state)[..2],
            [
                Item::Label("1 waiting".into()),
                Item::Choice(Choice::Open(question.id.0), "Claude Code asks: Which database?".into()),
            ]
        );
    }

    #[test]
    fn to_quit_takes_a_second_click_while_something_waits() {
        let state = TrayState { waiting: vec![waiting(1, "a"), waiting(2, "b")], ..TrayState::empty() };
        let quit = Item::Choice(Choice::Quit, "Deny what waits (2) and quit".into());
        assert_eq!(items(&state).last(), Some(&Item::Submenu("Quit".into(), Menu(vec![quit]))));
    }

    #[test]
    fn while_paused_the_menu_offers_to_resume() {
        let state = TrayState { mode: Mode::DenyEverything, ..TrayState::empty() };
        assert!(items(&state).contains(&Item::Choice(Choice::SetMode(Mode::Normal), "Resume".into())));
        assert!(!items(&state).iter().any(|item| matches!(item, Item::Submenu(..))));
    }

    #[test]
    fn a_pause_with_a_time_says_when_it_ends() {
        let state = TrayState { mode: Mode::AskEverything, until: Some("14:30".into()), ..TrayState::empty() };
        let items = items(&state);
        let label = items.iter().position(|item| *item == Item::Label("Paused until 14:30".into())).unwrap();
        assert_eq!(items[label + 1], Item::Choice(Choice::SetMode(Mode::Normal), "Resume".into()));
    }

    #[test]
    fn what_was_missed_is_counted_and_leads_to_the_window() {
        let one = items(&TrayState { missed: 1, ..TrayState::empty() });
        assert_eq!(one[1], Item::Choice(Choice::OpenInbox, "1 ended unanswered…".into()));
        let two = items(&TrayState { missed: 2, ..TrayState::empty() });
        assert_eq!(two[1], Item::Choice(Choice::OpenInbox, "2 ended unanswered…".into()));
    }
}
