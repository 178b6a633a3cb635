//! What runs inside walls: once, as it was asked about, and not again after it has met them.

use serde_json::{Map, Value, json};

use super::test_support::{at, id, in_session, person, session_key};
use super::*;
use crate::{DecidedBy, Status};
use handraise_policy::rules::parse;
use handraise_policy::{
    ArgumentsHash, Confinable, ConfinedCall, HookPhase, PhaseOrder, Policy, Scope, Subject, ToolClass,
};
use handraise_shell::{CommandLine, Shell};

const LINE: &str = "make test";

fn policy() -> Policy {
    parse("version = 1\n[[rule]]\ncommand = \"make *\"\naction = \"confine\"").unwrap().policy
}

fn gate() -> Gate {
    Gate::new(policy(), Limits::default())
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object") };
    object
}

fn rewritten(number: u128, line: &str) -> Map<String, Value> {
    let line = format!("'/opt/walls' --call default:{} -- '{line}'", id(number));
    object(json!({ "command": line, "timeout": 5 }))
}

/// A call of the session `session`, in the first phase of a hook.
fn call(number: u128, session: &str, line: &str) -> Request {
    let arguments = json!({ "command": line, "timeout": 5 });
    let request = in_session(number, session, "Bash", &arguments.to_string());
    let inside = ConfinedCall {
        program: vec!["/opt/walls".into()],
        argument: "command".into(),
        line: line.into(),
        shell: "/bin/sh".into(),
        folder: "/srv/app".into(),
    };
    Request {
        class: ToolClass::Shell,
        subject: Subject::Command { line: line.into() },
        command: Some(CommandLine::analyse(line, Shell::Bash)),
        cwd: Some("/srv/app".into()),
        project: Some("/srv/app".into()),
        confinable: Confinable::Yes(Box::new(inside)),
        hook_phase: Some(phase(session, &request.arguments, PhaseOrder::First)),
        ..request
    }
}

fn phase(session: &str, arguments: &Map<String, Value>, order: PhaseOrder) -> HookPhase {
    let digest = CallKey::digest(Some(session), None, "Bash", ToolClass::Shell, arguments);
    HookPhase { call: CallKey { id: None, digest }, order, is_of_sub_agent: false }
}

fn submit(gate: &mut Gate, request: Request, seconds: i64) -> Acknowledgement {
    gate.handle(Input::submit(request), at(seconds)).answer.unwrap()
}

fn outcome(gate: &Gate, number: u128) -> Option<Outcome> {
    gate.entry(id(number)).unwrap().life.outcome.clone()
}

fn enter(gate: &mut Gate, number: u128, requester: &str, seconds: i64) -> Result<Acknowledgement, Refusal> {
    gate.handle(Input::EnterWalls { id: id(number), requester: requester.into() }, at(seconds)).answer
}

fn denied(gate: &mut Gate, number: u128, what: &[&str]) -> Reaction {
    let denied = what.iter().map(|text| (*text).to_owned()).collect();
    gate.handle(Input::WallsDenied { id: id(number), requester: "default".into(), denied }, at(5))
}

#[test]
fn what_is_confined_is_approved_with_its_walls_and_as_it_is_rewritten() {
    let mut gate = gate();
    submit(&mut gate, call(1, "s", LINE), 0);
    let outcome = outcome(&gate, 1).unwrap();
    assert_eq!((outcome.status, outcome.decided_by), (Status::Approved, DecidedBy::Policy));
    assert_eq!(outcome.reason, "Runs confined: writes only in app, no network.");
    assert_eq!(outcome.arguments, Some(rewritten(1, LINE)));
    assert_eq!(outcome.arguments_hash, ArgumentsHash::of(&rewritten(1, LINE)).unwrap());
    assert_eq!(outcome.walls.map(|walls| walls.project).as_deref(), Some("/srv/app"));
}

#[test]
fn walls_are_collected_once_by_who_asked_and_not_for_long() {
    let mut gate = gate();
    submit(&mut gate, call(1, "s", LINE), 0);
    assert_eq!(enter(&mut gate, 1, "another", 1), Err(Refusal::NoWalls));
    let run = gate.walls_of(id(1), "default", at(1)).unwrap().clone();
    assert_eq!((run.line.as_str(), run.shell.as_str(), run.folder.as_str()), (LINE, "/bin/sh", "/srv/app"));
    assert_eq!(enter(&mut gate, 1, "default", 1), Ok(Acknowledgement::Done));
    assert_eq!(enter(&mut gate, 1, "default", 1), Err(Refusal::NoWalls));
    assert!(gate.walls_of(id(1), "default", at(1)).is_none());
    submit(&mut gate, call(2, "s", LINE), 10);
    assert_eq!(enter(&mut gate, 2, "default", 10 + 120), Err(Refusal::NoWalls));
    assert_eq!(enter(&mut gate, 3, "default", 1), Err(Refusal::NoWalls));
}

#[test]
fn what_a_person_is_asked_about_has_no_walls() {
    for request in [
        Request { require_approval: true, ..call(1, "s", LINE) },
        Request { is_redacted: true, ..call(1, "s", LINE) },
        Request { confinable: Confinable::default(), ..call(1, "s", LINE) },
        call(1, "s", "make test && git push"),
    ] {
        let mut gate = gate();
        submit(&mut gate, request, 0);
        assert_eq!(outcome(&gate, 1), None);
        gate.handle(Input::Decide { id: id(1), decision: PersonsDecision::approve(), approver: person() }, at(1))
            .answer
            .unwrap();
        assert_eq!(outcome(&gate, 1).unwrap().walls, None);
        assert_eq!(enter(&mut gate, 1, "default", 1), Err(Refusal::NoWalls));
    }
    for (mode, status) in [(Mode::AskEverything, None), (Mode::DenyEverything, Some(Status::Denied))] {
        let mut gate = gate();
        gate.handle(Input::SetMode(mode), at(0)).answer.unwrap();
        submit(&mut gate, call(1, "s", LINE), 0);
        assert_eq!(outcome(&gate, 1).map(|outcome| outcome.status), status);
    }
}

#[test]
fn what_was_not_recorded_has_no_walls() {
    let mut gate = gate();
    let mut reaction = gate.handle(Input::submit(call(1, "s", LINE)), at(0));
    gate.unrecorded(&mut reaction.effects, at(0));
    assert_eq!(enter(&mut gate, 1, "default", 1), Err(Refusal::NoWalls));
}

#[test]
fn what_has_met_its_walls_goes_to_a_person_who_hears_what_it_wanted() {
    let mut gate = gate();
    submit(&mut gate, call(1, "s", LINE), 0);
    enter(&mut gate, 1, "default", 1).unwrap();
    let reaction = denied(&mut gate, 1, &["connect 192.0.2.1:443", "write /srv/\u{202e}x", "write /a", "write /b"]);
    assert!(matches!(reaction.effects.as_slice(), [Effect::Record(Record::WallsDenied(_, what))] if what.len() == 4));
    submit(&mut gate, call(2, "s", LINE), 6);
    let entry = gate.entry(id(2)).unwrap();
    assert!(entry.life.is_open());
    let why = &entry.evaluation.policy.why;
    assert!(
        why.starts_with("It has run confined in this session, and its walls denied: connect 192.0.2.1:443; write"),
        "{why}"
    );
    assert!(why.ends_with("and 1 more.") && !why.contains('\u{202e}'), "{why}");
    // Neither another call nor another session has met them.
    submit(&mut gate, call(3, "s", "make lint"), 6);
    submit(&mut gate, call(4, "t", LINE), 6);
    assert!([3, 4].into_iter().all(|number| outcome(&gate, number).is_some_and(|outcome| outcome.walls.is_some())));
}

#[test]
fn nobody_reports_denials_of_what_ran_without_walls() {
    let mut gate = gate();
    submit(&mut gate, call(1, "s", "git push"), 0);
    assert_eq!(denied(&mut gate, 1, &["write /a"]).answer, Err(Refusal::NoWalls));
    submit(&mut gate, call(2, "s", LINE), 0);
    let reported = Input::WallsDenied { id: id(2), requester: "another".into(), denied: vec!["write /a".into()] };
    assert_eq!(gate.handle(reported, at(1)).answer, Err(Refusal::NoWalls));
    assert_eq!(denied(&mut gate, 2, &[]).answer, Err(Refusal::NoWalls));
}

#[test]
fn a_persons_word_for_the_session_counts_more_than_walls() {
    let remembered = |decision: PersonsDecision| {
        let mut gate = gate();
        submit(&mut gate, call(1, "s", LINE), 0);
        enter(&mut gate, 1, "default", 1).unwrap();
        denied(&mut gate, 1, &["write /a"]).answer.unwrap();
        submit(&mut gate, call(2, "s", LINE), 6);
        let decision = decision.with_scope(Scope::Session);
        gate.handle(Input::Decide { id: id(2), decision, approver: person() }, at(7)).answer.unwrap();
        submit(&mut gate, call(3, "s", LINE), 8);
        outcome(&gate, 3).unwrap()
    };
    let approved = remembered(PersonsDecision::approve());
    assert_eq!((approved.status, approved.walls, approved.arguments), (Status::Approved, None, None));
    assert_eq!(remembered(PersonsDecision::deny(None)).status, Status::Denied);
}

#[test]
fn the_rewritten_line_that_is_asked_about_again_is_the_same_call() {
    let mut gate = gate();
    submit(&mut gate, call(1, "s", LINE), 0);
    let again = |number: u128, arguments: Map<String, Value>| {
        let line = arguments["command"].as_str().unwrap().to_owned();
        let arguments_hash = ArgumentsHash::of(&arguments).unwrap();
        let hook_phase = Some(phase("s", &arguments, PhaseOrder::Second));
        Request { arguments, arguments_hash, hook_phase, confinable: Confinable::default(), ..call(number, "s", &line) }
    };
    assert_eq!(submit(&mut gate, again(2, rewritten(7, LINE)), 1), Acknowledgement::Accepted(id(2)), "another call");
    assert_eq!(submit(&mut gate, again(3, rewritten(1, LINE)), 1), Acknowledgement::Joined(id(1)));
    assert_eq!(submit(&mut gate, again(4, rewritten(1, LINE)), 2), Acknowledgement::Accepted(id(4)), "once");
    gate.handle(Input::EndSession(session_key("s")), at(3)).answer.unwrap();
}

#[test]
fn rules_that_are_changed_take_walls_back() {
    for input in [
        Input::SetPolicy(parse("version = 1\npreset = \"strict\"").unwrap().policy.into()),
        Input::SetMode(Mode::DenyEverything),
    ] {
        let mut gate = gate();
        submit(&mut gate, call(1, "s", LINE), 0);
        gate.handle(input, at(1)).answer.unwrap();
        assert_eq!(enter(&mut gate, 1, "default", 1), Err(Refusal::NoWalls));
    }
}
