//! The prompt window while nobody sees it, and on its way to the screen.

use handraise_protocol::{KeepPromptReady, PromptStage};
use tokio::sync::mpsc::unbounded_channel;

use super::super::prompt::{DRAWN_WITHIN, LOADED_WITHIN, PAINTED_WITHIN};
use super::recorder::{LAYOUT, WindowStep};
use super::*;

const TEN_MINUTES: Duration = Duration::from_secs(600);
const SHOWN: WindowStep = WindowStep::Shown { drawn: true };

fn steps(case: &Case) -> Vec<WindowStep> {
    std::mem::take(&mut *case.recorder.steps.borrow_mut())
}

fn always() -> Case {
    Case::with(Settings { prompt_window: PromptWindow::Always, ..Settings::default() })
}

#[test]
fn the_first_window_is_built_unseen_and_comes_up_once_its_page_has_drawn() {
    let mut case = always();
    assert_eq!(steps(&case), [], "nothing before an agent calls");
    case.pending(vec![approval(1)]);
    assert_eq!(steps(&case), [WindowStep::Built, SHOWN, WindowStep::Uncovered]);
}

#[test]
fn the_next_prompt_comes_up_in_the_same_window() {
    let mut case = always();
    case.pending(vec![approval(1)]);
    case.pending(Vec::new());
    assert_eq!(case.does_after(PROMPT_CLOSE_DELAY, Signal::Awake), [Call::ClosePrompt]);
    steps(&case);
    case.pending(vec![approval(2)]);
    assert_eq!(steps(&case), [WindowStep::LaidOut, SHOWN, WindowStep::Uncovered]);
}

#[test]
fn a_window_that_nobody_sees_is_told_nothing() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    assert_eq!(steps(&case), [WindowStep::Built], "it is prepared beside the notification");
    let told = |case: &Case| case.recorder.states.borrow().last().map(|state| (state.stage, state.pending.len()));
    assert_eq!(told(&case), Some((PromptStage::Hidden, 0)));
    case.pending(vec![approval(1), approval(2)]);
    assert_eq!(told(&case), Some((PromptStage::Hidden, 0)));
    case.click(1, "default");
    assert_eq!(told(&case), Some((PromptStage::OnScreen, 2)));
    case.does(Signal::PutPromptAway);
    assert_eq!(told(&case), Some((PromptStage::Hidden, 0)), "its page was loaded anew and has asked");
}

#[test]
fn nothing_counts_as_seen_before_the_page_has_painted() {
    let mut case = always();
    case.recorder.is_silent.set(true);
    case.pending(vec![approval(1)]);
    let (answer, mut answered) = unbounded_channel();
    case.does_after(Duration::ZERO, Signal::PromptAsks(answer));
    let state = answered.try_recv().unwrap();
    assert_eq!((state.stage, state.pending.len()), (PromptStage::ComingUp, 1));
    case.does_after(Duration::ZERO, Signal::PromptDrawn(state.opening, LAYOUT));
    assert_eq!(steps(&case), [WindowStep::Built, SHOWN]);
    // One of before, that came late.
    case.does_after(Duration::ZERO, Signal::PromptPainted(state.opening.wrapping_sub(1)));
    assert_eq!(steps(&case), []);
    let calls = case.does_after(Duration::ZERO, Signal::PromptPainted(state.opening));
    assert_eq!((steps(&case), calls), (vec![WindowStep::Uncovered], vec![Call::Publish(1)]));
}

#[test]
fn a_page_that_never_says_anything_hides_no_request() {
    let mut case = always();
    case.recorder.is_silent.set(true);
    case.pending(vec![approval(1)]);
    assert_eq!(case.does_after(LOADED_WITHIN / 2, Signal::Awake), []);
    let calls = case.does_after(LOADED_WITHIN / 2, Signal::Awake);
    assert_eq!(calls, [Call::Prompt(Attention::ByItself, 1)]);
    case.does_after(PAINTED_WITHIN, Signal::Awake);
    assert_eq!(steps(&case), [WindowStep::Built, WindowStep::Shown { drawn: false }, WindowStep::Uncovered]);
}

#[test]
fn a_window_that_is_there_later_than_it_was_to_be_shown_comes_up_all_the_same() {
    let mut case = always();
    case.recorder.is_silent.set(true);
    case.pending(vec![approval(1)]);
    case.does_after(LOADED_WITHIN, Signal::Awake);
    case.does_after(PAINTED_WITHIN, Signal::Awake);
    steps(&case);
    let (answer, mut answered) = unbounded_channel();
    case.does_after(Duration::ZERO, Signal::PromptAsks(answer));
    assert_eq!(steps(&case), [WindowStep::Shown { drawn: false }, WindowStep::Uncovered]);
    assert_eq!(answered.try_recv().unwrap().stage, PromptStage::OnScreen);
}

#[test]
fn a_page_that_broke_while_it_waited_is_built_anew() {
    let mut case = always();
    case.pending(vec![approval(1)]);
    case.pending(Vec::new());
    case.does_after(PROMPT_CLOSE_DELAY, Signal::Awake);
    steps(&case);
    case.recorder.is_silent.set(true);
    case.pending(vec![approval(2)]);
    assert_eq!(case.does_after(DRAWN_WITHIN, Signal::Awake), [Call::ReleasePrompt]);
    assert_eq!(steps(&case), [WindowStep::LaidOut, WindowStep::Released, WindowStep::Built]);
    // And that one is broken as well.
    assert_eq!(case.does_after(LOADED_WITHIN, Signal::Awake), [Call::Prompt(Attention::ByItself, 1)]);
}

#[test]
fn a_person_who_asks_while_it_comes_up_gets_it_with_the_keyboard() {
    let mut case = always();
    case.recorder.is_silent.set(true);
    case.pending(vec![approval(1)]);
    case.does_after(Duration::ZERO, Signal::Menu(Choice::OpenInbox));
    let opening = case.controller.built.opening;
    let calls = case.does_after(Duration::ZERO, Signal::PromptDrawn(opening, LAYOUT));
    assert_eq!(calls, [Call::Prompt(Attention::Asked, 1)]);
}

#[test]
fn it_goes_when_nothing_has_waited_for_a_while() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    case.pending(Vec::new());
    assert_eq!(case.does_after(TEN_MINUTES / 2, Signal::Awake), []);
    case.pending(vec![approval(2)]);
    case.pending(Vec::new());
    assert_eq!(case.does_after(TEN_MINUTES / 2, Signal::Awake), [], "something has waited since");
    assert_eq!(case.does_after(TEN_MINUTES / 2, Signal::Awake), [Call::ReleasePrompt]);
    steps(&case);
    case.pending(vec![approval(3)]);
    assert_eq!(steps(&case), [WindowStep::Built]);
}

#[test]
fn it_stays_ready_for_ever_or_never_as_the_person_wants() {
    let keeping = |keep| Settings { keep_prompt_ready: keep, ..Settings::default() };
    let mut case = Case::new();
    case.does(Signal::Settings(Box::new(keeping(KeepPromptReady::Always))));
    assert_eq!(steps(&case), [], "not before something waits");
    case.pending(vec![approval(1)]);
    case.pending(Vec::new());
    assert_eq!(case.does_after(TEN_MINUTES * 100, Signal::Awake), []);
    assert_eq!(case.does(Signal::Settings(Box::new(keeping(KeepPromptReady::Off)))), [Call::ReleasePrompt]);
    steps(&case);
    case.pending(vec![approval(2)]);
    assert_eq!(steps(&case), []);
    case.click(2, "default");
    assert_eq!(case.does(Signal::PutPromptAway), [Call::ReleasePrompt], "as it was built for this once");
}

#[test]
fn where_it_comes_up_with_each_request_it_is_ready_once_an_agent_calls() {
    let mut case = always();
    case.does(Signal::AgentCalled);
    assert_eq!(steps(&case), [WindowStep::Built]);
    let mut case = Case::new();
    case.does(Signal::AgentCalled);
    assert_eq!(steps(&case), [], "a notification leaves the time to build it");
}

#[test]
fn nothing_is_prepared_for_somebody_who_is_away() {
    let mut case = Case::new();
    case.does(Signal::Presence(crate::presence::PresenceEvent::Locked(true)));
    case.pending(vec![approval(1)]);
    assert_eq!(steps(&case), []);
    case.does(Signal::Presence(crate::presence::PresenceEvent::Locked(false)));
    assert_eq!(steps(&case), [WindowStep::Built]);
}

#[test]
fn where_no_window_can_wait_unseen_none_is_kept() {
    let mut case = Case::new();
    case.recorder.shows_all.set(true);
    case.pending(vec![approval(1)]);
    assert_eq!(steps(&case), []);
    case.click(1, "default");
    assert_eq!(case.does(Signal::PutPromptAway), [Call::ReleasePrompt]);
}

#[test]
fn what_is_asked_while_the_window_ends_comes_up_in_a_new_one() {
    let mut case = Case::with(Settings { keep_prompt_ready: KeepPromptReady::Off, ..Settings::default() });
    case.does(Signal::Menu(Choice::OpenInbox));
    // The desktop has not said yet that it is gone.
    case.handle(Signal::PutPromptAway);
    case.handle(Signal::Menu(Choice::OpenInbox));
    steps(&case);
    case.does_after(Duration::ZERO, Signal::Awake);
    assert_eq!(steps(&case), [WindowStep::Built, SHOWN, WindowStep::Uncovered]);
}
