//! The tray menu as a value.

use std::sync::Arc;

use handraise_display::{line, split};
use handraise_protocol::{Approval, MAX_PAUSE, Mode, Question, RequestId};
use jiff::Timestamp;
use jiff::tz::Offset;
use uuid::Uuid;

use crate::compact_view::{CompactView, agent, approvable, compact_view, question_agent};
use crate::strings::Text;

/// Requests that the menu lists; the rest is counted.
const MAX_LIST: usize = 8;
/// Longest title of a request's own menu, in characters.
const MAX_TITLE: usize = 60;
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
        Self { mode, until: None, waiting: waiting.collect(), questions: asked.collect(), missed: 0 }
    }

    /// Before anything is known.
    #[must_use]
    pub(crate) fn empty() -> Self {
        Self::new(Mode::Normal, &[], &[])
    }
}

/// A menu.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Menu(pub Vec<Item>);

/// One entry of a menu.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// Text that cannot be chosen.
    Label(String),
    /// Text that can.
    Choice(Choice, String),
    /// A menu of its own.
    Submenu(String, Menu),
    /// A line between entries.
    Separator,
}

/// What a person can choose from the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Approve this request, once.
    Approve(RequestId),
    /// Deny this request.
    Deny(RequestId),
    /// Show this request or question in the prompt window.
    Open(Uuid),
    /// Show all requests.
    OpenInbox,
    /// Pause until a person resumes, or resume.
    SetMode(Mode),
    /// Pause for a time.
    PauseFor(Mode, PauseTime),
    /// Show the settings.
    OpenSettings,
    /// End the program.
    Quit,
}

impl Choice {
    /// The name under which a drawn menu reports the choice.
    #[must_use]
    pub(crate) fn name(self) -> String {
        match self {
            Self::Approve(id) => format!("approve:{id}"),
            Self::Deny(id) => format!("deny:{id}"),
            Self::Open(id) => format!("open:{id}"),
            Self::OpenInbox => "open-inbox".to_owned(),
            Self::SetMode(Mode::Normal) => "resume".to_owned(),
            Self::SetMode(Mode::AskEverything) => "ask-everything".to_owned(),
            Self::SetMode(Mode::DenyEverything) => "deny-everything".to_owned(),
            Self::PauseFor(mode, time) => format!("{}-{}", Self::SetMode(mode).name(), time.name()),
            Self::OpenSettings => "open-settings".to_owned(),
            Self::Quit => "quit".to_owned(),
        }
    }

    /// The choice with the name `name`.
    #[must_use]
    pub(crate) fn named(name: &str) -> Option<Self> {
        if let Some((verb, id)) = name.split_once(':') {
            let id = Uuid::parse_str(id).ok()?;
            return match verb {
                "approve" => Some(Self::Approve(RequestId(id))),
                "deny" => Some(Self::Deny(RequestId(id))),
                "open" => Some(Self::Open(id)),
                _ => None,
            };
        }
        for time in PauseTime::ALL {
            let mode = name.strip_suffix(time.name()).and_then(|name| name.strip_suffix('-'));
            if let Some(Self::SetMode(mode)) = mode.and_then(Self::named) {
                return (mode != Mode::Normal).then_some(Self::PauseFor(mode, time));
            }
        }
        match name {
            "open-inbox" => Some(Self::OpenInbox),
            "resume" => Some(Self::SetMode(Mode::Normal)),
            "ask-everything" => Some(Self::SetMode(Mode::AskEverything)),
            "deny-everything" => Some(Self::SetMode(Mode::DenyEverything)),
            "open-settings" => Some(Self::OpenSettings),
            "quit" => Some(Self::Quit),
            _ => None,
        }
    }
}

/// How long a pause lasts that ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PauseTime {
    /// 15 minutes.
    Quarter,
    /// An hour.
    Hour,
    /// Until the day ends, by the local time.
    Tomorrow,
}

impl PauseTime {
    const ALL: [Self; 3] = [Self::Quarter, Self::Hour, Self::Tomorrow];

    fn name(self) -> &'static str {
        match self {
            Self::Quarter => "quarter",
            Self::Hour => "hour",
            Self::Tomorrow => "tomorrow",
        }
    }

    fn text(self) -> Text {
        match self {
            Self::Quarter => Text::TrayForQuarter,
            Self::Hour => Text::TrayForHour,
            Self::Tomorrow => Text::TrayUntilTomorrow,
        }
    }

    /// In seconds, from the time `now` of a clock that is `offset` from UTC.
    #[must_use]
    pub(crate) fn seconds(self, now: Timestamp, offset: Offset) -> u32 {
        let gone = || {
            let time = offset.to_datetime(now).time();
            (u32::try_from(time.hour()).unwrap_or_default() * 60 + u32::try_from(time.minute()).unwrap_or_default())
                * 60
                + u32::try_from(time.second()).unwrap_or_default()
        };
        match self {
            Self::Quarter => 15 * 60,
            Self::Hour => 60 * 60,
            Self::Tomorrow => MAX_PAUSE.saturating_sub(gone()).max(1),
        }
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

/// `text` as one line of at most [`MAX_TITLE`] characters that shows where it is cut off.
fn shortened(text: &str) -> String {
    let plain = line(text, usize::MAX);
    if plain.chars().count() <= MAX_TITLE {
        return plain;
    }
    format!("{}…", split(&plain, MAX_TITLE - 1).0)
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
    fn a_choice_is_found_again_by_its_name() {
        let id = RequestId(Uuid::from_u128(7));
        let choices = [
            Choice::Approve(id),
            Choice::Deny(id),
            Choice::Open(id.0),
            Choice::OpenInbox,
            Choice::SetMode(Mode::Normal),
            Choice::SetMode(Mode::AskEverything),
            Choice::SetMode(Mode::DenyEverything),
            Choice::PauseFor(Mode::AskEverything, PauseTime::Quarter),
            Choice::PauseFor(Mode::AskEverything, PauseTime::Tomorrow),
            Choice::PauseFor(Mode::DenyEverything, PauseTime::Hour),
            Choice::OpenSettings,
            Choice::Quit,
        ];
        for choice in choices {
            assert_eq!(Choice::named(&choice.name()), Some(choice));
        }
        for name in ["approve:nonsense", "resume-hour", "deny-everything-", "hour"] {
            assert_eq!(Choice::named(name), None, "{name}");
        }
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

    #[test]
    fn until_tomorrow_is_until_the_local_day_ends() {
        let now = Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_secs(22 * 3_600 + 30 * 60 + 15);
        assert_eq!(PauseTime::Tomorrow.seconds(now, Offset::UTC), 89 * 60 + 45);
        assert_eq!(PauseTime::Tomorrow.seconds(now, Offset::constant(2)), 86_400 - (30 * 60 + 15));
        assert_eq!(PauseTime::Tomorrow.seconds(Timestamp::UNIX_EPOCH, Offset::UTC), MAX_PAUSE);
        assert_eq!(PauseTime::Quarter.seconds(now, Offset::UTC), 900);
    }
}
