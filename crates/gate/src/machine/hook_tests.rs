//! A call is asked once, and no question outlives it.

use super::test_support::{at, id, in_session, person, session_key};
use super::*;
use crate::{DecidedBy, Status};
use handraise_policy::rules::Rule;
use handraise_policy::{Action, HookPhase, PhaseOrder, Policy, Scope, ToolClass};

const ASKED: &str = r#"{"path":"a"}"#;

/// A phase of a hook of the session `s` about the tool `edit`.
fn asked(number: u128, order: PhaseOrder, call: Option<&str>, arguments: &str) -> Request {
    let request = in_session(number, "s", "edit", arguments);
    let digest = CallKey::digest(Some("s"), None, "edit", ToolClass::Other, &request.arguments);
    let phase = HookPhase { call: CallKey { id: call.map(str::to_owned), digest }, order, is_of_sub_agent: false };
    Request { hook_phase: Some(phase), ..request }
}

fn first(number: u128, call: &str) -> Request {
    asked(number, PhaseOrder::First, Some(call), ASKED)
}

fn second(number: u128) -> Request {
    asked(number, PhaseOrder::Second, None, ASKED)
}

fn key(call: Option<&str>) -> CallKey {
    CallKey { id: call.map(str::to_owned), ..first(0, "").hook_phase.unwrap().call }
}

fn gate() -> Gate {
    Gate::new(Policy::default(), Limits::default())
}

fn submit(gate: &mut Gate, request: Request, seconds: i64) -> Acknowledgement {
    gate.handle(Input::submit(request), at(seconds)).answer.unwrap()
}

fn decide(gate: &mut Gate, number: u128, decision: PersonsDecision, seconds: i64) -> Reaction {
    gate.handle(Input::Decide { id: id(number), decision, approver: person() }, at(seconds))
}

fn tell(gate: &mut Gate, input: Input, seconds: i64) -> Reaction {
    gate.handle(input, at(seconds))
}

fn call_ended(call: CallKey) -> Input {
    Input::CallEnded { session: session_key("s"), call }
}

fn outcome(gate: &Gate, number: u128) -> Option<(Status, String)> {
    gate.entry(id(number)).unwrap().life.outcome.as_ref().map(|outcome| (outcome.status, outcome.reason.clone()))
}

fn is_open(gate: &Gate, number: u128) -> bool {
    outcome(gate, number).is_none()
}

#[test]
fn a_second_phase_waits_with_the_first_and_nobody_is_asked_again() {
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    let joined = tell(&mut gate, Input::submit(second(2)), 1);
    assert_eq!(joined.answer, Ok(Acknowledgement::Joined(id(1))));
    assert_eq!(joined.effects, [Effect::Record(Record::AskedAgain(id(1)))]);
    decide(&mut gate, 1, PersonsDecision::approve(), 2);
    assert_eq!(
        submit(&mut gate, second(3), 3),
        Acknowledgement::Accepted(id(3)),
        "one second phase for each first one"
    );
    assert!(is_open(&gate, 3));
}

#[test]
fn what_a_person_has_said_is_said_once_more_and_no_oftener() {
    for decision in [PersonsDecision::approve(), PersonsDecision::deny(Some("not now".into()))] {
        let mut gate = gate();
        submit(&mut gate, first(1, "call"), 0);
        decide(&mut gate, 1, decision, 5);
        assert_eq!(submit(&mut gate, second(2), 6), Acknowledgement::Joined(id(1)));
        assert_eq!(submit(&mut gate, second(3), 7), Acknowledgement::Accepted(id(3)));
        assert!(is_open(&gate, 3));
    }
}

#[test]
fn a_second_call_with_the_same_arguments_is_a_call_of_its_own() {
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    assert_eq!(submit(&mut gate, first(2, "another"), 0), Acknowledgement::Accepted(id(2)));
    decide(&mut gate, 1, PersonsDecision::approve(), 1);
    assert!(is_open(&gate, 2));
    assert_eq!(submit(&mut gate, first(3, "a third"), 2), Acknowledgement::Accepted(id(3)));
    assert!(is_open(&gate, 3));
}

#[test]
fn a_second_phase_never_answers_a_first_one() {
    let mut gate = gate();
    submit(&mut gate, second(1), 0);
    decide(&mut gate, 1, PersonsDecision::approve(), 1);
    assert_eq!(submit(&mut gate, first(2, "call"), 2), Acknowledgement::Accepted(id(2)));
    assert!(is_open(&gate, 2));
    assert_eq!(submit(&mut gate, second(3), 3), Acknowledgement::Joined(id(2)));
}

#[test]
fn of_two_alike_each_gets_one_answer() {
    let mut gate = gate();
    submit(&mut gate, first(1, "one"), 0);
    submit(&mut gate, first(2, "two"), 0);
    decide(&mut gate, 2, PersonsDecision::approve(), 1);
    assert_eq!(submit(&mut gate, second(3), 2), Acknowledgement::Joined(id(2)), "the one that may run");
    assert_eq!(submit(&mut gate, second(4), 3), Acknowledgement::Joined(id(1)), "then the one that is open");
    assert_eq!(submit(&mut gate, second(5), 4), Acknowledgement::Accepted(id(5)));
}

#[test]
fn nothing_else_is_the_same_call() {
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    decide(&mut gate, 1, PersonsDecision::approve(), 1);
    let in_another_folder = Request { cwd: Some("/elsewhere".into()), ..second(10) };
    let of_another_requester = Request { requester: "other".into(), ..second(11) };
    let of_another_session = Request { session: Some(session_key("t")), ..second(12) };
    let of_another_call = asked(13, PhaseOrder::Second, Some("other"), ASKED);
    let with_other_arguments = asked(14, PhaseOrder::Second, Some("call"), r#"{"path":"b"}"#);
    for other in [in_another_folder, of_another_requester, of_another_session, of_another_call, with_other_arguments] {
        let own = other.id;
        assert_eq!(submit(&mut gate, other, 2), Acknowledgement::Accepted(own));
    }
    assert_eq!(submit(&mut gate, second(15), 3), Acknowledgement::Joined(id(1)));
}

#[test]
fn changed_arguments_are_what_was_approved() {
    let edited = r#"{"path":"b"}"#;
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    let decision =
        PersonsDecision { arguments: Some(serde_json::from_str(edited).unwrap()), ..PersonsDecision::approve() };
    decide(&mut gate, 1, decision, 1).answer.unwrap();
    assert_eq!(
        submit(&mut gate, second(2), 2),
        Acknowledgement::Accepted(id(2)),
        "the unchanged call was not approved"
    );
    assert_eq!(submit(&mut gate, asked(3, PhaseOrder::Second, None, edited), 3), Acknowledgement::Joined(id(1)));
}

#[test]
fn the_end_of_the_call_the_turn_the_session_or_two_minutes_end_the_answer() {
    let ends: [(Input, i64); 6] = [
        (call_ended(key(Some("call"))), 2),
        (call_ended(CallKey::of_id("call")), 2),
        (call_ended(key(None)), 2),
        (Input::TurnEnded(session_key("s")), 2),
        (Input::EndSession(session_key("s")), 2),
        (Input::Tick, 121),
    ];
    for (input, seconds) in ends {
        let mut gate = gate();
        submit(&mut gate, first(1, "call"), 0);
        decide(&mut gate, 1, PersonsDecision::approve(), 1);
        let what = format!("{input:?}");
        tell(&mut gate, input, seconds).answer.unwrap();
        assert_eq!(submit(&mut gate, second(2), seconds), Acknowledgement::Accepted(id(2)), "{what}");
        assert!(is_open(&gate, 2), "{what}");
    }
}

#[test]
fn the_end_of_another_call_ends_nothing() {
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    submit(&mut gate, first(2, "open"), 0);
    decide(&mut gate, 1, PersonsDecision::approve(), 1);
    tell(&mut gate, call_ended(CallKey::of_id("other")), 2).answer.unwrap();
    tell(&mut gate, call_ended(key(Some("other"))), 2).answer.unwrap();
    tell(&mut gate, Input::CallEnded { session: session_key("t"), call: key(None) }, 2).answer.unwrap();
    tell(&mut gate, Input::TurnEnded(session_key("t")), 2).answer.unwrap();
    assert!(is_open(&gate, 2));
    assert_eq!(submit(&mut gate, second(3), 3), Acknowledgement::Joined(id(1)));
}

#[test]
fn a_rule_that_came_in_between_is_stricter_than_the_person() {
    let denies = Policy {
        rules: std::iter::once(Rule::new("edit", Action::Deny, None).unwrap()).collect(),
        ..Policy::default()
    };
    let changes = [Input::SetPolicy(denies.into()), Input::SetMode(Mode::DenyEverything)];
    for change in changes {
        let mut gate = gate();
        submit(&mut gate, first(1, "call"), 0);
        decide(&mut gate, 1, PersonsDecision::approve(), 1);
        tell(&mut gate, change, 2).answer.unwrap();
        assert_eq!(submit(&mut gate, second(2), 3), Acknowledgement::Accepted(id(2)));
        assert_eq!(outcome(&gate, 2).unwrap().0, Status::Denied);
    }
}

#[test]
fn only_a_person_is_taken_at_their_word() {
    let allows = Policy {
        rules: std::iter::once(Rule::new("edit", Action::Allow, None).unwrap()).collect(),
        ..Policy::default()
    };
    let mut gate = Gate::new(allows, Limits::default());
    submit(&mut gate, first(1, "call"), 0);
    assert_eq!(outcome(&gate, 1).unwrap().0, Status::Approved);
    tell(&mut gate, Input::SetPolicy(Policy::default().into()), 1).answer.unwrap();
    assert_eq!(submit(&mut gate, second(2), 2), Acknowledgement::Accepted(id(2)));
    assert!(is_open(&gate, 2), "the rule is gone, so a person is asked");
}

#[test]
fn a_denial_stands_where_the_policy_would_let_the_second_phase_pass() {
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    decide(&mut gate, 1, PersonsDecision::deny(Some("no".into())), 1);
    let allows = Policy {
        rules: std::iter::once(Rule::new("edit", Action::Allow, None).unwrap()).collect(),
        ..Policy::default()
    };
    tell(&mut gate, Input::SetPolicy(allows.into()), 2).answer.unwrap();
    assert_eq!(submit(&mut gate, second(2), 3), Acknowledgement::Joined(id(1)));
    assert_eq!(outcome(&gate, 1), Some((Status::Denied, "no".into())));
}

#[test]
fn a_timeout_and_a_withdrawal_are_no_answers() {
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    assert_eq!(submit(&mut gate, second(2), 300), Acknowledgement::Accepted(id(2)));
    tell(&mut gate, Input::HangUp { id: id(2), departure: Departure::ConnectionClosed }, 301).answer.unwrap();
    submit(&mut gate, first(3, "another"), 302);
    tell(&mut gate, Input::HangUp { id: id(3), departure: Departure::ProcessEnded }, 303).answer.unwrap();
    assert_eq!(submit(&mut gate, second(4), 304), Acknowledgement::Accepted(id(4)));
    assert!(is_open(&gate, 4));
}

#[test]
fn an_approval_that_was_not_recorded_approves_no_second_phase() {
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    let mut decided = decide(&mut gate, 1, PersonsDecision::approve(), 1);
    gate.unrecorded(&mut decided.effects, at(1));
    if submit(&mut gate, second(2), 2) == Acknowledgement::Joined(id(1)) {
        assert_eq!(outcome(&gate, 1).unwrap().0, Status::Denied);
    }
}

#[test]
fn what_was_answered_in_the_agent_is_withdrawn_by_its_id_or_by_its_digest() {
    for (request, ended) in [
        (first(1, "call"), CallKey::of_id("call")),
        (first(1, "call"), key(None)),
        (second(1), key(Some("call"))),
        (second(1), key(None)),
    ] {
        let mut gate = gate();
        submit(&mut gate, request, 0);
        let reaction = tell(&mut gate, call_ended(ended), 1);
        assert!(reaction.effects.contains(&Effect::Withdraw(id(1))), "{:?}", reaction.effects);
        assert_eq!(outcome(&gate, 1), Some((Status::Cancelled, "It was answered in the agent itself.".into())));
    }
}

#[test]
fn one_of_two_alike_is_withdrawn_for_each_that_has_ended() {
    let mut gate = gate();
    submit(&mut gate, second(1), 0);
    submit(&mut gate, second(2), 1);
    tell(&mut gate, call_ended(key(Some("one"))), 2).answer.unwrap();
    assert!(!is_open(&gate, 1) && is_open(&gate, 2));
    tell(&mut gate, call_ended(key(Some("two"))), 3).answer.unwrap();
    assert!(!is_open(&gate, 2));
}

#[test]
fn the_end_of_a_turn_withdraws_what_its_agent_asked_and_nothing_else() {
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    submit(&mut gate, second(2), 0);
    let mut of_sub_agent = first(3, "deeper");
    of_sub_agent.hook_phase.as_mut().unwrap().is_of_sub_agent = true;
    submit(&mut gate, of_sub_agent, 0);
    submit(&mut gate, in_session(4, "s", "edit", ASKED), 0);
    submit(&mut gate, Request { session: Some(session_key("t")), ..first(5, "other") }, 0);
    tell(&mut gate, Input::TurnEnded(session_key("s")), 1).answer.unwrap();
    assert_eq!(outcome(&gate, 1).unwrap().0, Status::Cancelled);
    assert!([3, 4, 5].into_iter().all(|number| is_open(&gate, number)));
    tell(&mut gate, Input::EndSession(session_key("s")), 2).answer.unwrap();
    assert!([3, 4].into_iter().all(|number| !is_open(&gate, number)) && is_open(&gate, 5));
}

#[test]
fn whoever_comes_first_wins_the_click_or_the_end_of_the_call() {
    for end in [
        call_ended(key(Some("call"))),
        Input::TurnEnded(session_key("s")),
        Input::HangUp { id: id(1), departure: Departure::ProcessEnded },
    ] {
        let mut gate = gate();
        submit(&mut gate, first(1, "call"), 0);
        tell(&mut gate, end.clone(), 1).answer.unwrap();
        let late = decide(&mut gate, 1, PersonsDecision::approve(), 1);
        assert!(matches!(late.answer, Err(Refusal::AlreadyOver(outcome)) if outcome.status == Status::Cancelled));

        let mut gate = Gate::new(Policy::default(), Limits::default());
        submit(&mut gate, first(1, "call"), 0);
        decide(&mut gate, 1, PersonsDecision::approve(), 1).answer.unwrap();
        let late = tell(&mut gate, end, 1);
        assert_eq!((late.answer, late.effects), (Ok(Acknowledgement::Done), Vec::new()));
        assert_eq!(outcome(&gate, 1).unwrap().0, Status::Approved);
    }
}

#[test]
fn whoever_asks_in_the_second_phase_does_not_decide_about_the_first() {
    let process = handraise_policy::ProcessId { pid: 7, started: 1 };
    let processes = handraise_policy::ProcessTree { agent: vec![process], ..handraise_policy::ProcessTree::default() };
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    submit(&mut gate, Request { processes, ..second(2) }, 1);
    let approver = Approver {
        authority: Authority::Terminal,
        process: handraise_policy::ApproverProcess {
            lineage: vec![process],
            ..handraise_policy::ApproverProcess::default()
        },
        ..person()
    };
    let input = Input::Decide { id: id(1), decision: PersonsDecision::approve(), approver };
    assert_eq!(tell(&mut gate, input, 2).answer, Err(Refusal::OwnProcessTree));
}

#[test]
fn the_end_of_the_process_is_told_apart_from_a_closed_connection() {
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    tell(&mut gate, Input::HangUp { id: id(1), departure: Departure::ProcessEnded }, 1).answer.unwrap();
    assert_eq!(outcome(&gate, 1).unwrap().1, "The agent, or the program that asked for it, has ended.");
}

#[test]
fn a_session_scope_still_makes_its_grant() {
    let mut gate = gate();
    submit(&mut gate, first(1, "call"), 0);
    decide(&mut gate, 1, PersonsDecision::approve().with_scope(Scope::Session), 1);
    assert_eq!(submit(&mut gate, second(2), 2), Acknowledgement::Joined(id(1)));
    submit(&mut gate, first(3, "next"), 3);
    assert_eq!(gate.entry(id(3)).unwrap().life.outcome.as_ref().unwrap().decided_by, DecidedBy::Grant);
}
