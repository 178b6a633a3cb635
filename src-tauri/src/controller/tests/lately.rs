use handraise_protocol::{FileChange, KeptFile, Problem, ProblemCode, UndoOutcome};

use super::*;
use crate::lately::{Lately, Past};

fn past(number: u128) -> Past {
    Past { id: id(number), line: format!("Claude Code · Edit {number}.ts"), is_approved: true, can_be_undone: true }
}

fn changed(numbers: impl IntoIterator<Item = u128>) -> Signal {
    let changed = numbers.into_iter().map(past).collect();
    Signal::Lately(Box::new(Lately { changed, answered: Vec::new() }))
}

fn file(outcome: UndoOutcome) -> KeptFile {
    KeptFile {
        path: "/home/ann/shop/cart.ts".into(),
        change: FileChange::Changed,
        outcome,
        why: None,
        diff: Vec::new(),
    }
}

fn told(case: &Case) -> (String, String) {
    let contents = case.recorder.contents.borrow();
    contents.last().map(|content| (content.summary.clone(), content.body.clone())).unwrap()
}

#[test]
fn what_happened_lately_is_drawn_when_it_changes_and_takes_no_click_away() {
    let mut case = Case::new();
    case.pending(vec![approval(1)]);
    assert_eq!(case.does(changed([7])), [Call::Tray(TrayIcon::Waiting)]);
    assert_eq!(case.does(changed([7])), []);
    case.does(changed([8, 7]));
    let approves = Call::Decide(id(1), Decision::Approve, Scope::Once, DecidingSurface::Notification);
    let clicked = case.does_after(Duration::from_millis(10), action(1, "approve"));
    assert_eq!(clicked, [approves], "a call of another agent moved nothing that the click is about");
}

#[test]
fn undo_puts_back_and_says_so() {
    let mut case = Case::new();
    case.does(changed([7]));
    assert_eq!(case.does(Signal::Menu(Choice::Undo(id(7)))), [Call::PutBack(id(7))]);
    let files = vec![file(UndoOutcome::Restored), file(UndoOutcome::Unchanged)];
    let done = case.does(Signal::PutBack(id(7), Ok(files)));
    assert_eq!(done, [Call::Notify(NotificationKey::Answer(id(7)))]);
    assert_eq!(told(&case).0, "Undone: Claude Code · Edit 7.ts");
    case.does(Signal::PutBack(id(7), Ok(vec![file(UndoOutcome::Unchanged)])));
    assert_eq!(told(&case).0, "Nothing to undo: Claude Code · Edit 7.ts");
}

#[test]
fn what_somebody_changed_since_is_left_and_shown() {
    for outcome in [UndoOutcome::Doubtful, UndoOutcome::Refused] {
        let mut case = Case::new();
        case.does(changed([7]));
        let files = vec![file(UndoOutcome::Restored), file(outcome)];
        let done = case.does(Signal::PutBack(id(7), Ok(files)));
        assert_eq!(done, [Call::Notify(NotificationKey::Answer(id(7))), Call::InActivity(id(7))]);
        let (title, detail) = told(&case);
        assert_eq!(title, "Not undone: Claude Code · Edit 7.ts");
        assert_eq!(detail, "These files were left as they are: /home/ann/shop/cart.ts");
    }
}

#[test]
fn an_undo_that_fails_says_why() {
    let mut case = Case::new();
    case.does(changed([7]));
    let problem = Box::new(Problem::new(ProblemCode::NotFound, "Nothing is kept of the call."));
    let done = case.does(Signal::PutBack(id(7), Err(problem)));
    assert_eq!(done, [Call::Notify(NotificationKey::Answer(id(7)))]);
    assert_eq!(told(&case).1, "Nothing is kept of the call.");
}

#[test]
fn a_press_that_a_program_made_undoes_nothing() {
    let mut case = Case::new();
    case.does(changed([7]));
    case.recorder.is_made.set(true);
    let calls = case.does(Signal::Menu(Choice::Undo(id(7))));
    assert_eq!(calls, [Call::Notify(NotificationKey::Answer(id(7))), Call::InActivity(id(7))]);
}

#[test]
fn a_call_of_the_past_is_shown_by_whoever_asks_for_it() {
    let mut case = Case::new();
    case.recorder.is_made.set(true);
    assert_eq!(case.does(Signal::Menu(Choice::ShowCall(id(7)))), [Call::InActivity(id(7))]);
}
