//! Questions: shown, counted, and answered by what was shown.

use handraise_protocol::Question;

use super::*;

fn asked(case: &mut Case, questions: Vec<Question>) -> Vec<Call> {
    let questions = questions.into_iter().map(Arc::new).collect();
    let snapshot = Snapshot { questions, ..Snapshot::default() };
    case.does(Signal::Gate(Box::new(snapshot)))
}

#[test]
fn a_question_is_counted_shown_and_answered_once_by_the_choice_that_was_shown() {
    let mut case = Case::new();
    let question = question(1, &["PostgreSQL", "SQLite"]);
    let (id, key) = (question.id, NotificationKey::Question(question.id));
    assert_eq!(asked(&mut case, vec![question]), [Call::Tray(TrayIcon::Waiting), Call::Notify(key)]);
    let click = |name: &str| Signal::Notifier(NotifierEvent::Action { key, name: name.into(), token: None });
    assert_eq!(case.does(click("choice-3")), [], "it was not offered");
    let answered = Call::Answer(id, vec!["SQLite".into()], DecidingSurface::Notification);
    assert_eq!(case.does(click("choice-2")), [answered]);
    assert_eq!(case.does(click("choice-1")), []);
    assert_eq!(asked(&mut case, Vec::new()), [Call::Tray(TrayIcon::Idle), Call::Close(key)]);
}

#[test]
fn a_click_on_a_choice_that_has_just_appeared_answers_nothing() {
    let mut case = Case::new();
    let question = question(1, &["a", "b"]);
    let key = NotificationKey::Question(question.id);
    asked(&mut case, vec![question]);
    let click = Signal::Notifier(NotifierEvent::Action { key, name: "choice-1".into(), token: None });
    assert_eq!(case.does_after(Duration::from_millis(100), click), []);
}

#[test]
fn a_question_without_buttons_is_answered_in_the_prompt_window() {
    let mut case = Case::new();
    let question = question(1, &[]);
    let key = NotificationKey::Question(question.id);
    asked(&mut case, vec![question]);
    let click = Signal::Notifier(NotifierEvent::Action { key, name: "default".into(), token: None });
    assert!(case.does(click).contains(&Call::Prompt(Attention::Asked, 1)));
}

#[test]
fn an_answer_that_came_too_late_is_said_so() {
    let mut case = Case::new();
    let question = question(1, &["a", "b"]);
    let id = question.id;
    asked(&mut case, vec![question]);
    let over = Problem::new(ProblemCode::AlreadyOver, "The question is already over.");
    let calls = case.does(Signal::Answered(id, Err(Box::new(over))));
    assert_eq!(calls, [Call::Notify(NotificationKey::QuestionAnswer(id))]);
}
