//! Keys, times and what must never happen by accident.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use handraise_protocol::{
    Approval, ApprovalRequested, ApprovalResolved, ApprovalResult, ArgumentsHash, Breadth, CanBeUndone, CommandSubject,
    Confinement, Decision, Effect, FindingView, Question, QuestionAsked, QuestionResolved, Reach, Risk, RiskBasis,
    RiskLevel, Scope, SessionKey, Status, SubjectView, ToolClass, WallLimits, Walls, Widening, pieces,
};
use jiff::Timestamp;

use super::*;

/// A request that can run confined, to whose walls `number` folders can be opened.
pub(crate) fn widenable(count: usize) -> Approval {
    let mut approval = confinable(1);
    let confinement = approval.confinement.as_mut().unwrap();
    confinement.widenings = (1..=count)
        .map(|number| Widening {
            opens: format!("~/out{number}"),
            walls: Walls {
                sentence: format!("writes only in shop and out{number}, no network"),
                write: vec![format!("/home/ana/out{number}")],
                ..confinement.walls.clone()
            },
            hash: format!("wider{number}"),
            rule: format!("[[confine.project]]\nproject = \"~/shop\"\nwrite = [\"~/out{number}\"]\n"),
        })
        .collect();
    approval.denied_by_walls = vec!["write /home/ana/out1/x".to_owned()];
    approval
}

/// A request that can run confined.
pub(crate) fn confinable(number: u128) -> Approval {
    let walls = Walls {
        sentence: "writes only in shop, no network".into(),
        project: "/home/ana/shop".into(),
        write: Vec::new(),
        read: Vec::new(),
        made: Vec::new(),
        show: Vec::new(),
        read_deny: Vec::new(),
        caches: Vec::new(),
        limits: WallLimits::default(),
    };
    let confinement = Some(Confinement { walls, hash: "77".into(), widenings: Vec::new() });
    Approval { confinement, ..sample(number, RiskLevel::Write, "make test") }
}

/// A request that waits.
pub(crate) fn sample(number: u128, level: RiskLevel, command: &str) -> Approval {
    let odd = handraise_display::findings(command, handraise_display::TextRole::Argument);
    let findings: Vec<FindingView> = odd
        .into_iter()
        .map(|finding| FindingView {
            kind: finding.kind.into(),
            misleads: finding.kind.misleads(),
            sentence: finding.sentence,
            field: "arguments.command".into(),
        })
        .collect();
    let id = RequestId(uuid::Uuid::from_u128(number));
    let asked = Timestamp::UNIX_EPOCH;
    let hash: ArgumentsHash = handraise_policy::ArgumentsHash::of(&serde_json::Map::new()).unwrap().into();
    let expires_at = Timestamp::from_second(300).unwrap();
    Approval {
        id,
        result: ApprovalResult {
            id,
            status: Status::Pending,
            decided_by: None,
            scope: None,
            reason: None,
            rule: None,
            risk: level,
            arguments: None,
            confined: None,
            arguments_hash: hash.clone(),
            requested_at: asked,
            decided_at: None,
            expires_at,
            trace_id: None,
        },
        agent: Some("claude-code".into()),
        agent_title: Some("Claude Code".into()),
        agent_verified: true,
        session: Some(SessionKey { requester: "claude-code".into(), agent: None, id: "s".into() }),
        sub_agent: None,
        batch: None,
        tool: "Bash".into(),
        server: None,
        class: ToolClass::Shell,
        risk: Risk { level, basis: RiskBasis::Declared },
        effect: Effect {
            reach: Reach::Machine,
            can_be_undone: CanBeUndone::No,
            sentence: "It cannot be told what it changes.".into(),
        },
        title: handraise_display::line(command, 400),
        subject: SubjectView::Command(CommandSubject { line: pieces(command), parts: Vec::new(), obstacle: None }),
        tasks: Vec::new(),
        consequences: Vec::new(),
        arguments: Vec::new(),
        editable_arguments: None,
        redacted: false,
        arguments_hash: hash,
        intent: Vec::new(),
        summary: Vec::new(),
        description: Vec::new(),
        cwd: pieces("/home/ana/shop"),
        project: Some("shop".into()),
        rule: None,
        explanation: "No rule matches.".into(),
        scopes: Vec::new(),
        confinement: None,
        denied_by_walls: Vec::new(),
        provenance: None,
        has_hidden_characters: findings
            .iter()
            .any(|finding| handraise_display::FindingKind::from(finding.kind).hides()),
        findings,
        requested_at: asked,
        expires_at,
    }
}

/// A screen with these requests, and a time at which everything is armed.
fn state(levels: &[RiskLevel]) -> (State, Instant) {
    let start = Instant::now();
    let mut state = State::default();
    let approvals = (1..).zip(levels).map(|(number, level)| sample(number, *level, "true")).collect();
    state.replace(together(approvals, Vec::new()), start);
    (state, start + Duration::from_secs(10))
}

/// Questions that wait.
pub(crate) fn questions(count: u128, multiple: bool) -> Vec<Question> {
    let numbered = |number| {
        let question = crate::show::sample_question(multiple);
        Question { id: QuestionId(uuid::Uuid::from_u128(number)), ..question }
    };
    (1..=count).map(numbered).collect()
}

/// A screen with these questions alone.
fn asked(questions: Vec<Question>) -> (State, Instant) {
    let start = Instant::now();
    let mut state = State::default();
    state.replace(together(Vec::new(), questions), start);
    (state, start + Duration::from_secs(10))
}

fn answers(wishes: Vec<Wish>) -> Vec<AnswerRequest> {
    let answer = |wish| match wish {
        Wish::Answer(_, answer) => answer,
        other => panic!("no answer: {other:?}"),
    };
    wishes.into_iter().map(answer).collect()
}

fn press(state: &mut State, code: KeyCode, now: Instant) -> Option<Wish> {
    state.key(KeyEvent::new(code, KeyModifiers::NONE), now)
}

fn write(state: &mut State, text: &str, now: Instant) -> Vec<Wish> {
    text.chars()
        .filter_map(|letter| press(state, if letter == '\n' { KeyCode::Enter } else { KeyCode::Char(letter) }, now))
        .collect()
}

fn ended(state: &mut State, number: u128, now: Instant) {
    let id = RequestId(uuid::Uuid::from_u128(number));
    let result = sample(number, RiskLevel::Write, "").result;
    state.hear(
        WatchEvent::Event(Box::new(Event::ApprovalResolved(ApprovalResolved { id, result: Arc::new(result) }))),
        now,
    );
}

fn decided(wish: Option<Wish>) -> (u128, Decision, Scope, Option<String>) {
    match wish {
        Some(Wish::Decide(id, request)) => {
            assert!(request.arguments_hash.is_some() && request.breadth == Breadth::Exact && !request.late);
            (id.0.as_u128(), request.decision, request.scope, request.reason)
        }
        other => panic!("no decision: {other:?}"),
    }
}

#[test]
fn a_call_that_can_run_confined_is_approved_so_by_a_key() {
    let (mut state, now) = state(&[RiskLevel::Write]);
    assert_eq!(press(&mut state, KeyCode::Char('c'), now), None);
    assert_eq!(state.notice, "This call cannot run confined; answer it with a or d.");
    state.replace(vec![Waiting::Approval(Box::new(confinable(2)))], now);
    let later = now + Duration::from_secs(1);
    let Some(Wish::Decide(_, request)) = press(&mut state, KeyCode::Char('c'), later) else { panic!("a decision") };
    assert_eq!((request.decision, request.confined.as_deref()), (Decision::Approve, Some("77")));
    // Where something can be opened, by its number; no other number decides.
    state.replace(vec![Waiting::Approval(Box::new(widenable(2)))], later);
    let later = later + Duration::from_secs(1);
    for (key, walls) in [('1', Some("wider1")), ('2', Some("wider2")), ('c', Some("77")), ('a', None)] {
        let Some(Wish::Decide(_, request)) = press(&mut state, KeyCode::Char(key), later) else { panic!("{key}") };
        assert_eq!((request.decision, request.scope), (Decision::Approve, Scope::Once));
        assert_eq!(request.confined.as_deref(), walls, "{key}");
    }
    for key in ['0', '3', '9'] {
        assert_eq!(press(&mut state, KeyCode::Char(key), later), None, "{key}");
    }
    assert_eq!(decided(press(&mut state, KeyCode::Char('d'), later)).1, Decision::Deny);
    let destructive = Approval { risk: Risk { level: RiskLevel::Destructive, ..confinable(3).risk }, ..confinable(3) };
    state.replace(vec![Waiting::Approval(Box::new(destructive))], later);
    let later = later + Duration::from_secs(2);
    assert_eq!(press(&mut state, KeyCode::Char('c'), later), None, "a destructive one is typed out");
    assert_eq!(state.dialog, Dialog::Typing(Typing::Confirmation(Approving::Confined), String::new()));
}

#[test]
fn one_key_answers_the_selected_request() {
    let (mut state, now) = state(&[RiskLevel::Write, RiskLevel::Write]);
    assert_eq!(decided(press(&mut state, KeyCode::Char('a'), now)), (1, Decision::Approve, Scope::Once, None));
    assert_eq!(decided(press(&mut state, KeyCode::Char('s'), now)), (1, Decision::Approve, Scope::Session, None));
    assert_eq!(decided(press(&mut state, KeyCode::Char('d'), now)), (1, Decision::Deny, Scope::Once, None));
    press(&mut state, KeyCode::Char('j'), now);
    let later = now + Duration::from_secs(1);
    assert_eq!(decided(press(&mut state, KeyCode::Char('a'), later)).0, 2);
}

#[test]
fn keys_sleep_after_the_selection_changes_the_longer_the_more_dangerous() {
    for (level, milliseconds) in [(RiskLevel::ReadOnly, 300), (RiskLevel::Write, 600), (RiskLevel::Destructive, 1_500)]
    {
        let (mut state, now) = state(&[RiskLevel::Write, level]);
        press(&mut state, KeyCode::Char('j'), now);
        for key in ['a', 's', 'd', 'r'] {
            let early = now + Duration::from_millis(milliseconds - 1);
            assert_eq!(press(&mut state, KeyCode::Char(key), early), None);
            assert_eq!(state.dialog, Dialog::None);
        }
        assert!(state.is_armed(now + Duration::from_millis(milliseconds)));
    }
}

#[test]
fn the_next_request_is_not_hit_by_the_key_for_the_one_before() {
    let (mut state, now) = state(&[RiskLevel::Write, RiskLevel::Write]);
    decided(press(&mut state, KeyCode::Char('a'), now));
    ended(&mut state, 1, now);
    assert_eq!(state.selected, Some(WaitingId::Approval(RequestId(uuid::Uuid::from_u128(2)))));
    assert_eq!(press(&mut state, KeyCode::Char('a'), now), None);
}

#[test]
fn enter_and_unknown_keys_do_nothing() {
    let (mut state, now) = state(&[RiskLevel::ReadOnly]);
    for code in [KeyCode::Enter, KeyCode::Tab, KeyCode::Esc, KeyCode::Char('y'), KeyCode::Char('A'), KeyCode::F(1)] {
        assert_eq!(press(&mut state, code, now), None);
        assert_eq!(state.dialog, Dialog::None);
    }
}

#[test]
fn a_destructive_call_is_approved_only_by_the_whole_word() {
    let (mut state, now) = state(&[RiskLevel::Destructive]);
    assert_eq!(write(&mut state, "a\naaa\nye\nyess\n", now), []);
    press(&mut state, KeyCode::Esc, now);
    assert_eq!(state.dialog, Dialog::None);
    let wishes = write(&mut state, "ayes\n", now);
    assert_eq!(decided(wishes.into_iter().next()), (1, Decision::Approve, Scope::Once, None));
    // Denying needs no ceremony.
    assert_eq!(decided(press(&mut state, KeyCode::Char('d'), now)).1, Decision::Deny);
}

#[test]
fn a_reason_is_told_and_an_empty_one_is_none() {
    let (mut state, now) = state(&[RiskLevel::Write]);
    assert_eq!(write(&mut state, "r\n \n", now), []);
    let wishes = write(&mut state, "not now\n", now);
    let (.., decision, _, reason) = decided(wishes.into_iter().next());
    assert_eq!((decision, reason.as_deref()), (Decision::Deny, Some(" not now")));
}

#[test]
fn what_is_typed_for_a_request_that_went_away_decides_nothing() {
    let (mut state, now) = state(&[RiskLevel::Write, RiskLevel::Write]);
    write(&mut state, "rbec", now);
    ended(&mut state, 1, now);
    assert_eq!(state.dialog, Dialog::RequestEnded);
    let later = now + Duration::from_secs(5);
    assert_eq!(write(&mut state, "ause\nasd", later), []);
    press(&mut state, KeyCode::Esc, later);
    assert_eq!(decided(press(&mut state, KeyCode::Char('d'), later)).0, 2);
}

#[test]
fn a_new_request_does_not_move_the_selection() {
    let (mut state, now) = state(&[RiskLevel::Write]);
    let approval = sample(7, RiskLevel::Write, "false");
    let requested = Event::ApprovalRequested(ApprovalRequested { approval: Arc::new(approval) });
    state.hear(WatchEvent::Event(Box::new(requested.clone())), now);
    state.hear(WatchEvent::Event(Box::new(requested)), now);
    assert_eq!(state.waiting.len(), 2);
    assert_eq!(decided(press(&mut state, KeyCode::Char('a'), now)).0, 1);
}

#[test]
fn without_a_session_nothing_is_remembered() {
    let (mut state, now) = state(&[]);
    let approval = Approval { session: None, ..sample(1, RiskLevel::Write, "true") };
    state.replace(together(vec![approval], Vec::new()), now - Duration::from_secs(10));
    assert_eq!(press(&mut state, KeyCode::Char('s'), now), None);
    assert!(state.notice.contains("no session"));
}

#[test]
fn a_lost_server_leaves_nothing_to_answer() {
    let (mut state, now) = state(&[RiskLevel::Write]);
    state.hear(WatchEvent::Lost("Handraise is not running.".into()), now);
    assert_eq!(press(&mut state, KeyCode::Char('a'), now + Duration::from_secs(5)), None);
    assert_eq!(state.notice, "Handraise is not running.");
}

#[test]
fn quitting_is_always_possible() {
    let (mut state, now) = state(&[]);
    assert_eq!(press(&mut state, KeyCode::Char('q'), now), Some(Wish::Quit));
    state.dialog = Dialog::RequestEnded;
    assert_eq!(state.key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), now), Some(Wish::Quit));
}

#[test]
fn a_question_is_answered_by_a_number_and_enter_or_by_words() {
    let (mut state, now) = asked(questions(1, false));
    assert_eq!(answers(write(&mut state, "1\n", now))[0].selected, ["a\u{202e}b"]);
    assert_eq!(state.dialog, Dialog::None);
    assert_eq!(answers(write(&mut state, "t2\n", now))[0].custom.as_deref(), Some("2"));
    assert!(answers(write(&mut state, "d", now))[0].decline);
    let declined = answers(write(&mut state, "rnot now\n", now)).remove(0);
    assert_eq!((declined.decline, declined.reason.as_deref()), (true, Some("not now")));
    // A number can be taken back.
    assert_eq!(write(&mut state, "1", now), []);
    press(&mut state, KeyCode::Backspace, now);
    assert_eq!(answers(write(&mut state, "2\n", now))[0].selected, ["c"]);
}

#[test]
fn several_choices_only_where_several_can_be_chosen() {
    let (mut state, now) = asked(questions(1, true));
    assert_eq!(answers(write(&mut state, "2,1\n", now))[0].selected, ["c", "a\u{202e}b"]);
    let (mut state, now) = asked(questions(1, false));
    assert_eq!(write(&mut state, "1,2\n", now), []);
    assert!(state.notice.contains("the number of one"), "{}", state.notice);
    assert_eq!(state.dialog, Dialog::Typing(Typing::Choices, "1,2".to_owned()));
}

#[test]
fn keys_of_requests_and_what_is_not_there_answer_no_question() {
    let (mut state, now) = asked(questions(1, false));
    assert_eq!(write(&mut state, "\nas0yA", now), []);
    assert!(state.notice.starts_with("This is a question"), "{}", state.notice);
    assert_eq!(state.dialog, Dialog::None);
    assert_eq!(write(&mut state, "9\n", now), []);
    press(&mut state, KeyCode::Esc, now);
    for line in ["t\n", "t \n", "r\n"] {
        assert_eq!(write(&mut state, line, now), [], "{line}");
        press(&mut state, KeyCode::Esc, now);
    }
    let closed = Question { custom: false, ..questions(1, false).remove(0) };
    let (mut state, now) = asked(vec![closed]);
    assert_eq!(write(&mut state, "t", now), []);
    assert_eq!(state.dialog, Dialog::None);
    let open = Question { choices: Vec::new(), ..questions(1, false).remove(0) };
    let (mut state, now) = asked(vec![open]);
    assert_eq!(write(&mut state, "1\n", now), []);
    assert_eq!(state.dialog, Dialog::None);
}

#[test]
fn keys_sleep_before_a_question_could_be_read() {
    let (mut state, now) = asked(questions(1, false));
    let early = now - Duration::from_secs(10) + Duration::from_millis(599);
    assert_eq!(write(&mut state, "1trd", early), []);
    assert_eq!(state.dialog, Dialog::None);
}

#[test]
fn what_is_typed_for_a_question_that_went_away_answers_nothing() {
    let (mut state, now) = asked(questions(2, false));
    write(&mut state, "tyes, rem", now);
    let [first, _] = questions(2, false).try_into().unwrap();
    let resolved = QuestionResolved { id: first.id, result: first.result };
    state.hear(WatchEvent::Event(Box::new(Event::QuestionResolved(resolved))), now);
    assert_eq!(state.dialog, Dialog::RequestEnded);
    let later = now + Duration::from_secs(5);
    assert_eq!(write(&mut state, "ove\nd1\n", later), []);
    press(&mut state, KeyCode::Esc, later);
    assert!(matches!(press(&mut state, KeyCode::Char('d'), later), Some(Wish::Answer(id, _)) if id.0.as_u128() == 2));
}

#[test]
fn questions_wait_among_requests_and_take_no_key_of_theirs() {
    let (mut state, now) = state(&[RiskLevel::Write]);
    let question = questions(1, false).remove(0);
    let event = Event::QuestionAsked(QuestionAsked { question: Arc::new(question) });
    state.hear(WatchEvent::Event(Box::new(event.clone())), now);
    state.hear(WatchEvent::Event(Box::new(event)), now);
    assert_eq!(state.waiting.len(), 2);
    // The request goes, and the question comes into its place: the next key of the person is not for it.
    assert_eq!(decided(press(&mut state, KeyCode::Char('d'), now)).0, 1);
    ended(&mut state, 1, now);
    assert_eq!(press(&mut state, KeyCode::Char('d'), now), None);
    assert!(matches!(press(&mut state, KeyCode::Char('d'), now + Duration::from_secs(1)), Some(Wish::Answer(..))));
}
