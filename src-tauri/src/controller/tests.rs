use handraise_protocol::{Appearance, ApprovalResult, Decision, Locale, QuestionResult, RiskLevel, Scope};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::prompt::PROMPT_CLOSE_DELAY;
use super::*;
use crate::testing::{approval, destructive, id, question};
use crate::tray::menu::{Item, Menu};

mod away;
mod lately;
mod questions;
mod recorder;
mod unseen;
mod window;

use recorder::{Call, Case};

fn action(number: u128, name: &str) -> Signal {
    Signal::Notifier(NotifierEvent::Action { key: request(number), name: name.into(), token: None })
}

fn request(number: u128) -> NotificationKey {
    NotificationKey::Request(id(number))
}

#[test]
fn a_request_is_shown_in_tray_and_notification_and_no_window_opens() {
    let calls = Case::new().pending(vec![approval(1)]);
    assert_eq!(calls, [Call::Tray(TrayIcon::Waiting), Call::Notify(request(1))]);
}

#[test]
fn four_requests_collapse_into_one_summary_and_expand_again() {
    let mut case = Case::new();
    case.pending((1..=3).map(approval).collect());
    let calls = case.pending((1..=4).map(approval).collect());
    assert_eq!(
        calls,
        [
            Call::Tray(TrayIcon::Waiting),
            Call::Close(request(1)),
            Call::Close(request(2)),
            Call::Close(request(3)),
            Call::Notify(NotificationKey::Summary),
        ]
    );
    let calls = case.pending((2..=4).map(approval).collect());
    assert_eq!(calls[1], Call::Close(NotificationKey::Summary));
    assert_eq!(calls[2..], [2, 3, 4].map(|number| Call::Notify(request(number))));
}

#[test]
fn the_end_of_a_request_closes_its_notification() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    assert_eq!(case.pending(Vec::new()), [Call::Tray(TrayIcon::Idle), Call::Close(request(1))]);
}

#[test]
fn a_click_decides_once_however_often_it_is_made() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    let expected = Call::Decide(id(1), Decision::Approve, Scope::Once, DecidingSurface::Notification);
    assert_eq!(case.click(1, "approve"), [expected]);
    assert_eq!(case.click(1, "approve"), []);
    assert_eq!(case.click(1, "deny"), []);
}

#[test]
fn for_this_session_reaches_as_far_as_it_says() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    let expected = Call::Decide(id(1), Decision::Approve, Scope::Session, DecidingSurface::Notification);
    assert_eq!(case.click(1, "session"), [expected]);
}

#[test]
fn a_destructive_request_cannot_be_approved_from_notification_or_tray() {
    let mut case = Case::new();
    case.pending(vec![destructive(1)]);
    assert_eq!(case.recorder.contents.borrow()[0].offered("approve"), None);
    assert_eq!(case.click(1, "approve"), [], "an action that was not offered");
    assert_eq!(case.click(1, "session"), []);
    let calls = case.does(Signal::Menu(Choice::Approve(id(1))));
    assert_eq!(calls, [Call::Prompt(Attention::Asked, 1), Call::Publish(1)], "it opens instead");
    let menu = case.recorder.menu.borrow().clone().unwrap();
    let Item::Submenu(_, Menu(inside)) = &menu.0[1] else { panic!("{menu:?}") };
    assert!(!inside.iter().any(|item| matches!(item, Item::Choice(Choice::Approve(_), _))));
    let expected = Call::Decide(id(1), Decision::Deny, Scope::Once, DecidingSurface::Notification);
    assert_eq!(case.click(1, "deny"), [expected]);
}

#[test]
fn a_reason_that_is_written_on_the_notification_denies_and_an_empty_one_opens_the_window() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    let sent = |text: &str| Signal::Notifier(NotifierEvent::Reason { key: request(1), text: text.into() });
    assert_eq!(case.does(sent(" "))[..1], [Call::Prompt(Attention::Asked, 1)]);
    let expected = Call::Decide(id(1), Decision::Deny, Scope::Once, DecidingSurface::Notification);
    assert_eq!(case.does(sent("use pnpm")), [expected]);
    assert_eq!(case.recorder.reasons.borrow().last(), Some(&Some("use pnpm".to_owned())));
}

#[test]
fn a_click_on_the_notification_itself_opens_the_window_for_the_person() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    assert_eq!(case.click(1, "default"), [Call::Prompt(Attention::Asked, 1), Call::Publish(1)]);
}

impl Case {
    /// What the prompt window was last told that the person wants to see.
    fn wanted(&self) -> Option<String> {
        Some(self.recorder.states.borrow().last()?.wanted.clone()?.id)
    }
}

#[test]
fn a_click_leads_to_the_very_request_or_question() {
    let mut case = Case::new();
    let question = question(9, &["a", "b"]);
    let pending = || (1..=2).map(approval).map(Arc::new).collect::<Vec<_>>();
    let question = Arc::new(question);
    let snapshot = Snapshot { pending: pending(), questions: vec![question.clone()], ..Snapshot::default() };
    case.does(Signal::Gate(Box::new(snapshot)));
    case.click(2, "default");
    assert_eq!(case.wanted(), Some(id(2).to_string()));
    case.does(Signal::Menu(Choice::Open(id(1).0)));
    assert_eq!(case.wanted(), Some(id(1).to_string()));
    let key = NotificationKey::Question(question.id);
    case.does(Signal::Notifier(NotifierEvent::Action { key, name: "default".into(), token: None }));
    assert_eq!(case.wanted(), Some(question.id.0.to_string()));
    case.does(Signal::Notifier(NotifierEvent::Failed(request(2))));
    assert_eq!(case.wanted(), Some(id(2).to_string()));
    let mut numbers: Vec<u32> =
        case.recorder.states.borrow().iter().filter_map(|state| Some(state.wanted.as_ref()?.number)).collect();
    // The page was told of the first one before it painted, and after.
    numbers.dedup();
    assert_eq!(numbers, [1, 2, 3, 4], "each time anew");
}

#[test]
fn what_a_page_asks_for_at_its_start_is_what_the_person_wants_to_see() {
    let mut case = Case::new();
    case.pending((1..=2).map(approval).collect());
    case.click(2, "default");
    let (answer, mut answered) = tokio::sync::mpsc::unbounded_channel();
    case.does(Signal::PromptAsks(answer));
    let state = answered.try_recv().unwrap();
    assert_eq!((state.pending.len(), state.wanted.map(|wanted| wanted.id)), (2, Some(id(2).to_string())));
    case.does(Signal::WindowClosed(WindowName::Prompt));
    case.does(Signal::StartedAgain);
    assert_eq!(case.wanted(), None, "another window");
}

#[test]
fn what_cannot_be_approved_in_the_menu_any_more_opens() {
    let mut case = Case::new();
    case.pending(vec![approval(1), destructive(2)]);
    let calls = case.does(Signal::Menu(Choice::Approve(id(2))));
    assert_eq!(calls, [Call::Prompt(Attention::Asked, 2), Call::Publish(2)]);
    assert_eq!(case.wanted(), Some(id(2).to_string()));
}

#[test]
fn a_dismissed_notification_comes_back_once_before_the_time_is_over() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    case.does(Signal::Notifier(NotifierEvent::Closed(request(1))));
    assert!(
        case.recorder
            .menu
            .borrow()
            .as_ref()
            .unwrap()
            .0
            .iter()
            .any(|item| matches!(item, Item::Submenu(title, _) if title.contains("step-1"))),
        "the tray shows it"
    );
    case.wall += SignedDuration::from_secs(239);
    assert_eq!(case.does(Signal::Awake), []);
    case.wall += SignedDuration::from_secs(1);
    assert_eq!(case.does(Signal::Awake), [Call::Notify(request(1))]);
    assert!(case.recorder.contents.borrow().last().unwrap().body.ends_with("nearly over."));
    case.does(Signal::Notifier(NotifierEvent::Closed(request(1))));
    case.wall += SignedDuration::from_secs(30);
    assert_eq!(case.does(Signal::Awake), [], "once");
}

#[test]
fn a_notification_that_still_stands_says_that_the_time_is_nearly_over() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    case.wall += SignedDuration::from_secs(250);
    assert_eq!(case.does(Signal::Awake), [Call::Notify(request(1))]);
    assert_eq!(case.does(Signal::Awake), []);
}

#[test]
fn a_reminder_is_planned_when_a_request_comes() {
    let case = &mut Case::new();
    let snapshot = Snapshot { pending: vec![Arc::new(approval(1))], ..Snapshot::default() };
    case.controller
        .handle(Signal::Gate(Box::new(snapshot)), Moment { instant: case.now, wall: case.wall, offset: Offset::UTC });
    assert!(case.recorder.calls.borrow().contains(&Call::Wake(Duration::from_secs(240))));
}

#[test]
fn a_missed_request_can_be_put_away() {
    let mut case = Case::new();
    let missed = |numbers: &[u128]| {
        let missed = numbers.iter().map(|number| Arc::new(approval(*number))).collect();
        Signal::Gate(Box::new(Snapshot { missed, ..Snapshot::default() }))
    };
    case.does(Signal::StartedAgain);
    case.does(missed(&[1, 2]));
    case.does(Signal::PutAway(id(1)));
    let shown: Vec<RequestId> = case.recorder.states.borrow().last().unwrap().missed.iter().map(|one| one.id).collect();
    assert_eq!(shown, [id(2)]);
}

#[test]
fn a_press_that_a_program_made_approves_nothing_and_is_told() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    case.recorder.is_made.set(true);
    for signal in [action(1, "approve"), action(1, "session"), Signal::Menu(Choice::Approve(id(1)))] {
        let calls = case.does(signal);
        assert_eq!(calls[..2], [Call::Notify(NotificationKey::Answer(id(1))), Call::Prompt(Attention::ByItself, 1)]);
        assert!(!calls.iter().any(|call| matches!(call, Call::Decide(..))), "{calls:?}");
        assert_eq!(case.recorder.contents.borrow().last().unwrap().summary, "Not counted: no person pressed it");
    }
    let denied = Call::Decide(id(1), Decision::Deny, Scope::Once, DecidingSurface::Notification);
    assert_eq!(case.click(1, "deny"), [denied], "to deny harms nobody");
}

#[test]
fn a_press_that_a_program_made_counts_where_the_person_wants_it() {
    let mut case = Case::with(Settings { accept_made_input: true, ..Settings::default() });
    case.does(Signal::Notifier(NotifierEvent::Server { answers: true, buttons: Buttons::Decide }));
    case.pending(vec![approval(1)]);
    case.recorder.is_made.set(true);
    let expected = Call::Decide(id(1), Decision::Approve, Scope::Once, DecidingSurface::Notification);
    assert_eq!(case.click(1, "approve"), [expected]);
}

#[test]
fn a_press_that_a_program_made_does_not_resume() {
    let mut case = Case::new();
    case.recorder.is_made.set(true);
    let calls = case.does(Signal::Menu(Choice::SetMode(Mode::Normal)));
    assert!(!calls.contains(&Call::Mode(Mode::Normal, None)), "{calls:?}");
}

#[test]
fn another_notification_server_is_trusted_once_the_person_has_answered_in_the_window() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    case.does(Signal::Notifier(NotifierEvent::Server { answers: true, buttons: Buttons::Changed }));
    assert_eq!(case.recorder.contents.borrow().last().unwrap().offered("approve"), None);
    assert_eq!(case.click(1, "approve"), [], "not offered");
    case.click(1, "default");
    assert!(case.recorder.states.borrow().last().unwrap().notifications_changed, "the window says it");
    // Still another, and then the first again: it stays so.
    case.does(Signal::Notifier(NotifierEvent::Server { answers: true, buttons: Buttons::Decide }));
    assert_eq!(case.recorder.contents.borrow().last().unwrap().offered("approve"), None);
    case.does(Signal::AnsweredInPrompt);
    assert!(!case.recorder.states.borrow().last().unwrap().notifications_changed);
    assert!(case.recorder.contents.borrow().last().unwrap().offered("approve").is_some());
}

#[test]
fn while_the_person_is_not_to_be_disturbed_no_window_comes_up_by_itself() {
    let mut case = Case::with(Settings { prompt_window: PromptWindow::Always, ..Settings::default() });
    case.does(Signal::Notifier(NotifierEvent::Server { answers: true, buttons: Buttons::Decide }));
    case.does(Signal::Notifier(NotifierEvent::Inhibited(true)));
    let calls = case.pending(vec![approval(1)]);
    assert_eq!(calls, [Call::Tray(TrayIcon::Waiting)]);
    let calls = case.does(Signal::Notifier(NotifierEvent::Inhibited(false)));
    assert_eq!(calls, [Call::Notify(request(1)), Call::Prompt(Attention::ByItself, 1), Call::Publish(1)]);
}

#[test]
fn a_closed_notification_is_no_answer() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    assert_eq!(case.does(Signal::Notifier(NotifierEvent::Closed(request(1)))), []);
    assert_eq!(case.pending(vec![approval(1)]), []);
}

#[test]
fn a_new_notification_server_gets_what_is_still_open() {
    let mut case = Case::new();
    case.pending(vec![approval(1), approval(2)]);
    case.pending(vec![approval(2)]);
    let calls = case.does(Signal::Notifier(NotifierEvent::Server { answers: true, buttons: Buttons::Decide }));
    assert_eq!(calls, [Call::Notify(request(2))]);
}

#[test]
fn without_buttons_the_window_comes_up_by_itself_once_for_each_request() {
    let mut case = Case::with(Settings::default());
    assert_eq!(case.pending(vec![approval(1)]), [Call::Tray(TrayIcon::Waiting)], "nothing is known yet");
    let calls = case.does(Signal::Notifier(NotifierEvent::Server { answers: false, buttons: Buttons::Look }));
    assert_eq!(calls, [Call::Prompt(Attention::ByItself, 1), Call::Publish(1)]);
    case.does(Signal::WindowClosed(WindowName::Prompt));
    assert_eq!(case.pending(vec![approval(1)]), [], "the person has closed it");
    let calls = case.pending(vec![approval(1), approval(2)]);
    assert!(calls.contains(&Call::Prompt(Attention::ByItself, 2)));
}

#[test]
fn a_notification_that_cannot_be_shown_becomes_a_window() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    let calls = case.does(Signal::Notifier(NotifierEvent::Failed(request(1))));
    assert_eq!(calls, [Call::Prompt(Attention::ByItself, 1), Call::Publish(1)]);
}

#[test]
fn with_notifications_switched_off_the_window_comes_up() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    let settings = Settings { notifications: false, ..Settings::default() };
    let calls = case.does(Signal::Settings(Box::new(settings)));
    assert_eq!(calls, [Call::Close(request(1)), Call::Prompt(Attention::ByItself, 1), Call::Publish(1)]);
}

#[test]
fn the_mode_changes_the_icon() {
    let mut case = Case::new();
    assert_eq!(
        case.does(Signal::Menu(Choice::SetMode(Mode::DenyEverything))),
        [Call::Mode(Mode::DenyEverything, None)]
    );
    let paused = Snapshot { mode: Mode::DenyEverything, ..Snapshot::default() };
    assert_eq!(case.does(Signal::Gate(Box::new(paused))), [Call::Tray(TrayIcon::Paused)]);
}

#[test]
fn a_refused_answer_is_explained_and_the_open_request_shown_again() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    case.click(1, "approve");
    let problem = Problem::new(ProblemCode::AuditUnavailable, "The disk is full.");
    let calls = case.does(Signal::Decided(id(1), Err(Box::new(problem))));
    assert_eq!(calls, [Call::Notify(NotificationKey::Answer(id(1))), Call::Notify(request(1))]);
    assert_eq!(case.click(1, "deny").len(), 1, "it can be answered again");
}

#[test]
fn a_late_answer_is_called_late() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    case.click(1, "approve");
    let problem = Problem::new(ProblemCode::AlreadyOver, "The request is over.");
    case.does(Signal::Decided(id(1), Err(Box::new(problem))));
    assert_eq!(case.recorder.contents.borrow().last().unwrap().summary, "Too late: the agent already went on");
}

#[test]
fn without_a_tray_the_window_comes_up_at_the_start_and_only_then() {
    let mut case = Case::with(Settings::default());
    let calls = case.does(Signal::Panel(PanelEvent::TrayHost(false)));
    assert_eq!(calls, [Call::TrayHost(false), Call::Prompt(Attention::ByItself, 0), Call::Publish(0)]);
    case.does(Signal::WindowClosed(WindowName::Prompt));
    assert_eq!(case.does(Signal::Panel(PanelEvent::TrayHost(true))), [Call::TrayHost(true)]);
    assert_eq!(case.does(Signal::Panel(PanelEvent::TrayHost(false))), [Call::TrayHost(false)]);
}

#[test]
fn without_a_tray_no_empty_window_covers_the_first_steps() {
    let mut case = Case::with(Settings::default());
    assert_eq!(case.does(Signal::Menu(Choice::OpenSettings)), [Call::Settings]);
    assert_eq!(case.does(Signal::Panel(PanelEvent::TrayHost(false))), [Call::TrayHost(false)]);
    assert_eq!(case.does(Signal::WindowClosed(WindowName::Settings)), []);
    let mut closed_before = Case::with(Settings::default());
    closed_before.does(Signal::OpenSettings);
    closed_before.does(Signal::WindowClosed(WindowName::Settings));
    assert!(closed_before.does(Signal::NoTray).contains(&Call::Prompt(Attention::ByItself, 0)));
}

#[test]
fn another_start_shows_the_window_without_taking_the_keyboard() {
    let calls = Case::new().does(Signal::StartedAgain);
    assert_eq!(calls, [Call::Prompt(Attention::StartedAgain, 0), Call::Publish(0)]);
}

#[test]
fn only_settings_that_changed_touch_the_desktop() {
    let mut case = Case::new();
    let settings = Settings { start_at_login: true, appearance: Appearance::Dark, ..Settings::default() };
    let calls = case.does(Signal::Settings(Box::new(settings.clone())));
    assert_eq!(calls, [Call::Appearance(Appearance::Dark), Call::StartAtLogin(true)]);
    assert_eq!(case.does(Signal::Settings(Box::new(settings))), []);
}

#[test]
fn another_language_is_in_force_at_once() {
    let mut case = Case::new();
    case.does(Signal::StartedAgain);
    let settings = Settings { language: Some(Locale::Ja), ..Settings::default() };
    let calls = case.does(Signal::Settings(Box::new(settings)));
    assert_eq!(calls, [Call::Language(Some(Locale::Ja)), Call::Publish(0)], "the open window is told");
    assert_eq!(case.controller.desktop_state().locale, Locale::Ja);
}

#[test]
fn the_window_learns_how_requests_end() {
    let mut case = Case::new();
    let ended = approval(1).result;
    assert_eq!(ended.risk, RiskLevel::Write);
    assert_eq!(case.does(Signal::Ended(Box::new(ended))), [Call::End]);
}

#[test]
fn a_click_just_after_something_moved_approves_nothing_and_makes_nobody_wait_longer() {
    let mut case = Case::new();
    case.pending(vec![approval(1), approval(2)]);
    case.pending(vec![approval(2)]);
    for _ in 0..4 {
        assert_eq!(case.does_after(ARMING / 5, action(2, "approve")), [], "too early");
    }
    let expected = Call::Decide(id(2), Decision::Approve, Scope::Once, DecidingSurface::Notification);
    assert_eq!(case.does_after(ARMING / 5, action(2, "approve")), [expected], "half a second after it moved");
}

#[test]
fn a_notification_that_its_server_took_away_with_an_early_click_is_shown_again() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    assert_eq!(case.does_after(ARMING / 5, action(1, "approve")), []);
    let calls = case.does_after(ARMING / 5, Signal::Notifier(NotifierEvent::Closed(request(1))));
    assert_eq!(calls, [Call::Notify(request(1))]);
    let approved = Call::Decide(id(1), Decision::Approve, Scope::Once, DecidingSurface::Notification);
    let soon = case.does_after(ARMING * 4 / 5, action(1, "approve"));
    assert_eq!(soon, [approved], "half a second after it was shown first");
    assert_eq!(case.does(Signal::Notifier(NotifierEvent::Closed(request(1)))), [], "closed by the person");
}

#[test]
fn a_denial_needs_no_arming() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    let expected = Call::Decide(id(1), Decision::Deny, Scope::Once, DecidingSurface::Notification);
    assert_eq!(case.does_after(Duration::ZERO, action(1, "deny")), [expected]);
}
