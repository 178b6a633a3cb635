//! Windows that come and go.

use super::*;

#[test]
fn a_window_that_came_by_itself_goes_by_itself() {
    let mut case = Case::with(Settings { prompt_window: PromptWindow::Always, ..Settings::default() });
    case.pending(vec![approval(1)]);
    assert!(case.pending(Vec::new()).contains(&Call::Wake(PROMPT_CLOSE_DELAY)));
    assert_eq!(case.does_after(PROMPT_CLOSE_DELAY / 2, Signal::Awake), [], "too early");
    assert_eq!(case.does_after(PROMPT_CLOSE_DELAY / 2, Signal::Awake), [Call::ClosePrompt]);
    assert!(case.pending(vec![approval(2)]).contains(&Call::Prompt(Attention::ByItself, 1)));
    case.pending(Vec::new());
    case.does_after(PROMPT_CLOSE_DELAY / 2, Signal::StartedAgain);
    let calls = case.pending(vec![approval(3)]);
    assert!(!calls.contains(&Call::ClosePrompt), "something is waiting again");
}

#[test]
fn a_window_that_a_person_asked_for_stays() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    case.click(1, "default");
    case.pending(Vec::new());
    assert_eq!(case.does(Signal::Awake), []);
}

#[test]
fn a_window_that_came_by_itself_says_that_keys_may_be_meant_for_another() {
    let mut case = Case::with(Settings { prompt_window: PromptWindow::Always, ..Settings::default() });
    case.pending(vec![approval(1)]);
    let says = |case: &Case| case.recorder.states.borrow().last().is_some_and(|state| state.keyboard_unasked);
    assert!(says(&case));
    case.does(Signal::Menu(Choice::OpenInbox));
    assert!(!says(&case), "a person asked for it");
}

#[test]
fn while_a_person_works_in_the_window_nothing_pops_up_over_it() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    case.click(1, "default");
    assert_eq!(case.does(Signal::PromptFocus(true)), [Call::Close(request(1))]);
    let calls = case.pending(vec![approval(1), approval(2)]);
    assert_eq!(calls, [Call::Tray(TrayIcon::Waiting), Call::Publish(2)]);
    case.does(Signal::WindowClosed(WindowName::Prompt));
    let calls = case.pending(vec![approval(1), approval(2), approval(3)]);
    assert_eq!(calls, [Call::Tray(TrayIcon::Waiting), Call::Notify(request(3))]);
}

#[test]
fn the_token_of_a_click_is_for_the_window_that_the_click_opens() {
    let mut case = Case::new();
    case.pending(vec![approval(1), approval(2)]);
    let click = |name: &str, token: Option<&str>| {
        let token = token.map(str::to_owned);
        Signal::Notifier(NotifierEvent::Action { key: request(1), name: name.into(), token })
    };
    case.does(click("default", Some("kwin-1")));
    assert_eq!(*case.recorder.tokens.borrow(), ["kwin-1"]);
    case.does(click("deny", Some("kwin-2")));
    case.does(Signal::Menu(Choice::OpenInbox));
    assert_eq!(*case.recorder.tokens.borrow(), ["kwin-1"], "a token is for its own click");
}

#[test]
fn the_notification_of_what_the_person_looks_at_does_not_cover_it() {
    let mut case = Case::new();
    case.pending(vec![approval(1), approval(2)]);
    case.click(1, "default");
    assert_eq!(case.does(Signal::PromptFocus(true)), [Call::Close(request(1))], "and the other one stays");
    assert_eq!(case.does(Signal::PromptFocus(false)), []);
    case.wall += SignedDuration::from_secs(240);
    assert!(case.does(Signal::Awake).contains(&Call::Notify(request(1))), "it is reminded of");
}
