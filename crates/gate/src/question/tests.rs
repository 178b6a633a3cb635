use super::*;
use crate::Authority;
use crate::lifecycle::RegistryLimits;
use crate::machine::test_support::{at, person, session_key};
use handraise_policy::{ApproverProcess, ProcessId};

fn id(number: u128) -> QuestionId {
    QuestionId(Uuid::from_u128(number))
}

fn choice(label: &str) -> QuestionChoice {
    QuestionChoice { label: label.into(), description: None }
}

pub(crate) fn question(number: u128) -> Question {
    Question {
        id: id(number),
        requester: "default".into(),
        agent: None,
        session: Some(session_key("s")),
        text: "Which database?".into(),
        header: None,
        choices: vec![choice("PostgreSQL"), choice("SQLite"), choice("none")],
        multiple: false,
        custom: true,
        custom_label: None,
        cwd: None,
        trace_id: None,
        idempotency_key: None,
        timeout_seconds: 300,
        processes: ProcessTree::default(),
    }
}

fn questions() -> Questions {
    Questions::new(RegistryLimits::QUESTIONS)
}

fn ask(questions: &mut Questions, question: Question, seconds: i64) -> QuestionReaction {
    questions.handle(QuestionInput::Ask(Box::new(question)), at(seconds))
}

pub(super) fn answer(selected: &[&str], custom: Option<&str>) -> Reply {
    Reply::Answer {
        selected: selected.iter().map(|label| (*label).to_owned()).collect(),
        custom: custom.map(str::to_owned),
    }
}

fn reply(questions: &mut Questions, number: u128, reply: Reply, seconds: i64) -> QuestionReaction {
    let input = QuestionInput::Reply { id: id(number), reply, approver: person(), refused: None };
    questions.handle(input, at(seconds))
}

fn outcome(questions: &Questions, number: u128) -> QuestionOutcome {
    questions.entry(id(number)).unwrap().life.outcome.clone().unwrap()
}

#[test]
fn a_question_is_presented_and_ends_with_the_persons_words() {
    let mut questions = questions();
    let asked = ask(&mut questions, question(1), 0);
    let presented = [QuestionEffect::Record(QuestionRecord::Asked(id(1))), QuestionEffect::Present(id(1))];
    assert_eq!((asked.effects.as_slice(), asked.answer), (presented.as_slice(), Ok(Some(id(1)))));

    let answered = reply(&mut questions, 1, answer(&["SQLite"], Some(" small \n")), 5);
    let outcome = outcome(&questions, 1);
    assert_eq!(
        answered.effects,
        [
            QuestionEffect::Record(QuestionRecord::Ended(id(1), outcome.clone(), Some("prompt window".into()))),
            QuestionEffect::Withdraw(id(1)),
            QuestionEffect::Resolve(id(1), outcome.clone()),
        ]
    );
    assert_eq!(outcome.answer().as_deref(), Some("SQLite\nsmall"));
    assert_eq!((outcome.status, outcome.reason), (QuestionStatus::Answered, None));
}

#[test]
fn a_timeout_that_is_due_beats_the_answer_that_comes_with_it() {
    let mut questions = questions();
    ask(&mut questions, question(1), 0);
    assert_eq!(questions.next_deadline(), Some(at(300)));
    let late = reply(&mut questions, 1, answer(&["SQLite"], None), 300);
    assert_eq!(late.answer, Err(QuestionRefusal::AlreadyOver(id(1))));
    assert!(late.effects.contains(&QuestionEffect::Withdraw(id(1))));
    assert_eq!(outcome(&questions, 1).status, QuestionStatus::Timeout);
    assert_eq!(outcome(&questions, 1).answer(), None);
}

#[test]
fn the_second_answer_changes_nothing() {
    let mut questions = questions();
    ask(&mut questions, question(1), 0);
    reply(&mut questions, 1, Reply::Decline { reason: Some(" later ".into()) }, 1);
    let second = reply(&mut questions, 1, answer(&["SQLite"], None), 2);
    assert_eq!((second.answer, second.effects), (Err(QuestionRefusal::AlreadyOver(id(1))), vec![]));
    assert_eq!(outcome(&questions, 1).reason.as_deref(), Some("later"));
}

#[test]
fn an_answer_that_does_not_fit_leaves_the_question_open() {
    let mut questions = questions();
    ask(&mut questions, Question { custom: false, ..question(1) }, 0);
    for (wrong, refusal) in [
        (answer(&[], None), QuestionRefusal::Empty),
        (answer(&[], Some(" \n")), QuestionRefusal::Empty),
        (answer(&["sqlite"], None), QuestionRefusal::UnknownChoice),
        (answer(&["SQLite", "none"], None), QuestionRefusal::OneChoice),
        (answer(&["SQLite"], Some("x")), QuestionRefusal::NoFreeText),
    ] {
        let reaction = reply(&mut questions, 1, wrong, 1);
        assert_eq!((reaction.answer, reaction.effects), (Err(refusal), vec![]));
    }
    assert_eq!(questions.pending().count(), 1);
}

#[test]
fn several_choices_come_back_in_the_order_of_the_question() {
    let mut questions = questions();
    ask(&mut questions, Question { multiple: true, ..question(1) }, 0);
    reply(&mut questions, 1, answer(&["none", "PostgreSQL", "none"], None), 1);
    assert_eq!(outcome(&questions, 1).answer().as_deref(), Some("PostgreSQL, none"));
}

#[test]
fn no_process_of_the_asking_agent_answers() {
    let process = |pid| ProcessId { pid, started: 1 };
    let tree =
        ProcessTree { agent: vec![process(7), process(6)], terminal: vec![process(5)], ..ProcessTree::default() };
    let approver = |authority, lineage: &[u32]| {
        let lineage = lineage.iter().copied().map(process).collect();
        Approver { name: "x".into(), authority, process: ApproverProcess { lineage, ..ApproverProcess::default() } }
    };
    let mut questions = questions();
    ask(&mut questions, Question { processes: tree, ..question(1) }, 0);
    for own in [approver(Authority::Terminal, &[9, 5]), approver(Authority::Token, &[9, 7])] {
        let input = QuestionInput::Reply { id: id(1), reply: answer(&["none"], None), approver: own, refused: None };
        let refused = questions.handle(input, at(1));
        assert_eq!(refused.answer, Err(QuestionRefusal::Approver(Box::new(Refusal::OwnProcessTree))));
        assert_eq!(refused.effects, [QuestionEffect::Record(QuestionRecord::ApproverRefused(id(1), "x".into()))]);
    }
    // One that the owner knows from elsewhere.
    let other = approver(Authority::Token, &[9]);
    let input =
        |refused| QuestionInput::Reply { id: id(1), reply: answer(&["none"], None), approver: other.clone(), refused };
    let refused = questions.handle(input(Some(Refusal::TerminalsOff)), at(2)).answer;
    assert_eq!(refused, Err(QuestionRefusal::Approver(Box::new(Refusal::TerminalsOff))));
    assert_eq!(questions.handle(input(None), at(2)).answer, Ok(Some(id(1))));
}

#[test]
fn who_goes_away_takes_the_question_along_unless_it_can_come_back() {
    let mut questions = questions();
    let keyed = |number| Question { idempotency_key: Some("k".into()), ..question(number) };
    ask(&mut questions, question(1), 0);
    ask(&mut questions, keyed(2), 0);
    questions.handle(QuestionInput::HangUp { id: id(1), departure: Departure::ConnectionClosed }, at(10));
    questions.handle(QuestionInput::HangUp { id: id(2), departure: Departure::ConnectionClosed }, at(10));
    assert_eq!(outcome(&questions, 1).status, QuestionStatus::Cancelled);
    assert_eq!(questions.next_deadline(), Some(at(40)));

    assert_eq!(ask(&mut questions, keyed(3), 20).answer, Ok(Some(id(2))), "the same question, asked again");
    assert_eq!(questions.next_deadline(), Some(at(300)));
    let other = Question { text: "Something else?".into(), ..keyed(4) };
    assert_eq!(ask(&mut questions, other, 20).answer, Err(QuestionRefusal::KeyReused));
    questions.handle(QuestionInput::HangUp { id: id(2), departure: Departure::ConnectionClosed }, at(30));
    questions.handle(QuestionInput::Tick, at(60));
    assert_eq!(outcome(&questions, 2).status, QuestionStatus::Cancelled);
}

#[test]
fn only_the_requester_takes_its_question_back() {
    let mut questions = questions();
    ask(&mut questions, question(1), 0);
    let cancel = |requester: &str| QuestionInput::Cancel { id: id(1), requester: requester.into() };
    assert_eq!(questions.handle(cancel("other"), at(1)).answer, Err(QuestionRefusal::Unknown));
    assert_eq!(questions.handle(cancel("default"), at(1)).answer, Ok(Some(id(1))));
    assert_eq!(questions.handle(cancel("default"), at(1)).answer, Err(QuestionRefusal::AlreadyOver(id(1))));
}

#[test]
fn no_requester_floods_the_person() {
    let mut questions = questions();
    for number in 1..=32 {
        assert!(ask(&mut questions, question(number), 0).answer.is_ok());
    }
    assert_eq!(ask(&mut questions, question(33), 0).answer, Err(QuestionRefusal::TooMany));
    let other = Question { requester: "other".into(), ..question(34) };
    assert!(ask(&mut questions, other, 0).answer.is_ok());
    reply(&mut questions, 1, answer(&["none"], None), 1);
    assert!(ask(&mut questions, question(35), 1).answer.is_ok());
}

#[test]
fn an_answer_that_could_not_be_recorded_is_none() {
    let mut questions = questions();
    ask(&mut questions, question(1), 0);
    let mut effects = ask(&mut questions, question(2), 0).effects;
    effects.extend(reply(&mut questions, 1, answer(&["none"], None), 1).effects);
    questions.unrecorded(&mut effects, at(1));
    for number in [1, 2] {
        assert_eq!(outcome(&questions, number).status, QuestionStatus::Cancelled);
        assert_eq!(outcome(&questions, number).answer(), None);
    }
    assert_eq!(questions.pending().count(), 0);
}

#[test]
fn what_ended_is_forgotten_after_a_while() {
    let mut questions = questions();
    ask(&mut questions, question(1), 0);
    reply(&mut questions, 1, answer(&["none"], None), 1);
    assert_eq!(questions.next_deadline(), Some(at(901)));
    questions.handle(QuestionInput::Tick, at(901));
    assert!(questions.entry(id(1)).is_none());
    assert_eq!(questions.next_deadline(), None);
}

#[test]
fn nothing_is_asked_any_more_while_the_program_ends() {
    let mut questions = questions();
    ask(&mut questions, question(1), 0);
    questions.handle(QuestionInput::Shutdown, at(1));
    assert_eq!(outcome(&questions, 1).status, QuestionStatus::Cancelled);
    assert_eq!(ask(&mut questions, question(2), 2).answer, Err(QuestionRefusal::ShuttingDown));
}
