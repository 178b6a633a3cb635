//! The person is away, or does not want to be disturbed.

use handraise_protocol::{QuestionStatus, QuietHours, Status};
use proptest::prelude::*;

use super::*;
use crate::presence::PresenceEvent::{DoNotDisturb, Idle, Locked, SessionLocked};

impl Case {
    fn presence(&mut self, event: PresenceEvent) -> Vec<Call> {
        self.does(Signal::Presence(event))
    }

    /// This request ends because nobody answered.
    fn times_out(&mut self, number: u128) {
        let result = ApprovalResult { status: Status::Timeout, ..approval(number).result };
        self.does(Signal::Ended(Box::new(result)));
    }

    fn last(&self) -> NotificationContent {
        self.recorder.contents.borrow().last().unwrap().clone()
    }
}

use crate::presence::PresenceEvent;

fn disturbs(call: &Call) -> bool {
    matches!(call, Call::Notify(_) | Call::Prompt(..))
}

#[test]
fn whoever_is_away_is_not_disturbed_and_finds_what_waits_on_return() {
    for event in [DoNotDisturb, Locked, SessionLocked, Idle] {
        let mut case = Case::new();
        assert_eq!(case.presence(event(true)), []);
        assert_eq!(case.pending(vec![approval(1)]), [Call::Tray(TrayIcon::Waiting)], "{:?}", event(true));
        assert_eq!(case.presence(event(false)), [Call::Notify(request(1))]);
    }
}

#[test]
fn the_notification_servers_own_switch_counts_as_well() {
    let mut case = Case::new();
    case.does(Signal::Notifier(NotifierEvent::Inhibited(true)));
    assert_eq!(case.pending(vec![destructive(1)]), [Call::Tray(TrayIcon::Waiting)], "however urgent");
    assert_eq!(case.does(Signal::Notifier(NotifierEvent::Inhibited(false))), [Call::Notify(request(1))]);
}

#[test]
fn a_lock_takes_what_a_call_holds_off_the_screen() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    assert_eq!(case.presence(Locked(true)), [Call::Close(request(1))]);
    assert_eq!(case.presence(SessionLocked(true)), []);
    assert_eq!(case.presence(Locked(false)), [], "one of two locks is still there");
    assert_eq!(case.presence(SessionLocked(false)), [Call::Notify(request(1))]);
}

#[test]
fn no_window_comes_up_meanwhile_and_it_does_afterwards() {
    for settings in [
        Settings { prompt_window: PromptWindow::Always, ..Settings::default() },
        Settings { notifications: false, ..Settings::default() },
    ] {
        let mut case = Case::with(settings);
        case.does(Signal::Notifier(NotifierEvent::Server { answers: true, buttons: Buttons::Decide }));
        case.does(Signal::Panel(PanelEvent::TrayHost(true)));
        case.presence(DoNotDisturb(true));
        assert!(!case.pending(vec![approval(1)]).iter().any(disturbs));
        assert!(case.presence(DoNotDisturb(false)).contains(&Call::Prompt(Attention::ByItself, 1)));
    }
}

#[test]
fn without_a_tray_the_first_window_waits_for_the_person() {
    let mut case = Case::with(Settings::default());
    case.presence(Locked(true));
    assert!(!case.does(Signal::Panel(PanelEvent::TrayHost(false))).iter().any(disturbs));
    assert!(case.presence(Locked(false)).contains(&Call::Prompt(Attention::ByItself, 0)));
}

#[test]
fn without_a_tray_do_not_disturb_leaves_the_list_of_the_server() {
    let mut case = Case::new();
    case.does(Signal::Panel(PanelEvent::TrayHost(false)));
    case.presence(DoNotDisturb(true));
    let calls = case.pending(vec![approval(1)]);
    assert_eq!(calls, [Call::Tray(TrayIcon::Waiting), Call::Notify(request(1))], "its server shows it to nobody");
    // It comes up when the person wants to be disturbed again.
    assert_eq!(case.presence(DoNotDisturb(false)), [Call::Close(request(1)), Call::Notify(request(1))]);
    case.presence(Locked(true));
    assert_eq!(case.pending(vec![approval(1), approval(2)]), [Call::Tray(TrayIcon::Waiting)], "a lock is a lock");
}

#[test]
fn what_was_missed_is_summed_up_once_and_stands_for_what_waits() {
    let mut case = Case::new();
    case.presence(Locked(true));
    case.pending((1..=4).map(approval).collect());
    case.times_out(1);
    case.times_out(2);
    case.pending(vec![approval(3), approval(4)]);
    assert_eq!(case.presence(Locked(false)), [Call::Notify(NotificationKey::Returned)]);
    assert_eq!(
        case.last().body,
        "2 requests ended because nobody answered: Claude Code in shopfront\n2 more are waiting for you"
    );
    assert!(!case.last().body.contains("step-"), "no call is in it");
    let calls = case.pending(vec![approval(3), approval(4), approval(5)]);
    assert_eq!(calls, [Call::Tray(TrayIcon::Waiting), Call::Notify(request(5))], "a new one has its own");
    case.does(Signal::Notifier(NotifierEvent::Closed(NotificationKey::Returned)));
    assert_eq!(case.pending(vec![approval(3), approval(4)]).last(), Some(&Call::Close(request(5))));
    case.presence(Locked(true));
    let calls = case.presence(Locked(false));
    assert!(!calls.contains(&Call::Notify(NotificationKey::Returned)), "once: {calls:?}");
}

#[test]
fn what_the_summary_stands_for_is_reminded_of_before_its_time_is_over() {
    let mut case = Case::new();
    case.presence(Idle(true));
    case.pending(vec![approval(1), approval(2)]);
    case.times_out(1);
    case.pending(vec![approval(2)]);
    case.presence(Idle(false));
    case.wall += SignedDuration::from_secs(240);
    let calls = case.does(Signal::Awake);
    assert!(calls.contains(&Call::Notify(request(2))), "{calls:?}");
}

#[test]
fn the_summary_leads_to_the_window_and_goes_when_the_person_looks_there() {
    let mut case = Case::new();
    case.presence(Idle(true));
    case.pending(vec![approval(1)]);
    case.times_out(1);
    case.pending(Vec::new());
    assert_eq!(case.presence(Idle(false)), [Call::Notify(NotificationKey::Returned)]);
    let key = NotificationKey::Returned;
    let calls = case.does(Signal::Notifier(NotifierEvent::Action { key, name: "review".into(), token: None }));
    assert!(calls.contains(&Call::Prompt(Attention::Asked, 0)), "{calls:?}");
    assert_eq!(case.does(Signal::PromptFocus(true)), [Call::Close(key)]);
}

#[test]
fn a_question_that_nobody_answered_was_missed_too() {
    let mut case = Case::new();
    case.presence(Idle(true));
    let asked = question(9, &["a", "b"]);
    let snapshot = Snapshot { questions: vec![Arc::new(asked.clone())], ..Snapshot::default() };
    case.does(Signal::Gate(Box::new(snapshot)));
    let result = QuestionResult { status: QuestionStatus::Timeout, ..asked.result };
    case.does(Signal::QuestionEnded(Box::new(result)));
    case.pending(Vec::new());
    case.presence(Idle(false));
    assert_eq!(case.last().body, "1 request ended because nobody answered: Claude Code in shopfront");
}

#[test]
fn what_a_person_refused_or_an_agent_took_back_was_not_missed() {
    let mut case = Case::new();
    case.presence(Idle(true));
    case.pending(vec![approval(1)]);
    for status in [Status::Denied, Status::Approved, Status::Cancelled] {
        case.does(Signal::Ended(Box::new(ApprovalResult { status, ..approval(1).result })));
    }
    case.pending(Vec::new());
    assert_eq!(case.presence(Idle(false)), []);
}

#[test]
fn quiet_hours_begin_and_end_by_the_clock() {
    let hours = QuietHours { from: 60, until: 120 };
    let mut case = Case::with(Settings { quiet_hours: Some(hours), ..Settings::default() });
    case.does(Signal::Notifier(NotifierEvent::Server { answers: true, buttons: Buttons::Decide }));
    case.does(Signal::Panel(PanelEvent::TrayHost(true)));
    case.wall += SignedDuration::from_mins(61);
    let late = |number| {
        let expires_at = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(9);
        Approval { expires_at, ..approval(number) }
    };
    assert_eq!(case.pending(vec![late(1)]), [Call::Tray(TrayIcon::Waiting)]);
    case.wall += SignedDuration::from_mins(59);
    assert_eq!(case.does(Signal::Awake), [Call::Notify(request(1))]);
}

#[derive(Clone, Debug)]
enum Happening {
    Comes(u128),
    Ends(u128, bool),
    Presence(u8, bool),
    Focus(bool),
    Dismissed(u128),
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        (1..7u128).prop_map(Happening::Comes),
        (1..7u128, any::<bool>()).prop_map(|(number, missed)| Happening::Ends(number, missed)),
        (0..4u8, any::<bool>()).prop_map(|(kind, on)| Happening::Presence(kind, on)),
        any::<bool>().prop_map(Happening::Focus),
        (1..7u128).prop_map(Happening::Dismissed),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever happens: nothing comes up while the person is away, what is on the screen then goes, and what ends
    /// leaves no notification.
    #[test]
    fn nothing_comes_up_while_the_person_is_away(happenings in proptest::collection::vec(happening(), 1..40)) {
        let mut case = Case::new();
        let mut open: Vec<u128> = Vec::new();
        let mut away = [false; 4];
        let mut on_screen: std::collections::BTreeSet<NotificationKey> = std::collections::BTreeSet::new();
        for happening in happenings {
            let calls = match happening {
                Happening::Comes(number) => {
                    if !open.contains(&number) {
                        open.push(number);
                    }
                    case.pending(open.iter().copied().map(approval).collect())
                }
                Happening::Ends(number, missed) => {
                    if missed && open.contains(&number) {
                        case.times_out(number);
                    }
                    open.retain(|one| *one != number);
                    case.pending(open.iter().copied().map(approval).collect())
                }
                Happening::Presence(kind, on) => {
                    away[usize::from(kind)] = on;
                    case.presence([DoNotDisturb, Locked, SessionLocked, Idle][usize::from(kind)](on))
                }
                Happening::Focus(has_focus) => case.does(Signal::PromptFocus(has_focus)),
                Happening::Dismissed(number) => {
                    on_screen.remove(&request(number));
                    case.does(Signal::Notifier(NotifierEvent::Closed(request(number))))
                }
            };
            let is_away = away.contains(&true);
            for call in &calls {
                prop_assert!(!is_away || !disturbs(call), "{call:?}");
                match call {
                    Call::Notify(key) => drop(on_screen.insert(*key)),
                    Call::Close(key) => drop(on_screen.remove(key)),
                    _ => {}
                }
            }
            prop_assert!(!is_away || on_screen.is_empty(), "{on_screen:?}");
            for key in &on_screen {
                if let NotificationKey::Request(id) = key {
                    prop_assert!(open.contains(&id.0.as_u128()), "{key:?} is over");
                }
            }
        }
    }
}
