//! What has failed inside walls that have denied it nothing, as far as is known.

use super::test_support::{at, id};
use super::walls_tests::{LINE, call, decide, gate, outcome, policy, shown, submit};
use super::*;
use crate::Status;

/// The session of `call` runs it inside, where it fails, though the walls have denied it nothing that is known.
fn fails_inside(gate: &mut Gate, call: Request) {
    let number = call.id;
    gate.handle(Input::submit(call), at(0)).answer.unwrap();
    gate.handle(Input::EnterWalls { id: number, requester: "default".into() }, at(1)).answer.unwrap();
    let failed = Input::WallsReported { id: number, requester: "default".into(), denied: Vec::new(), failed: true };
    let reaction = gate.handle(failed, at(2));
    assert_eq!(reaction.answer, Ok(Acknowledgement::Done));
    assert!(!reaction.effects.iter().any(|effect| matches!(effect, Effect::Record(_))), "nothing was denied");
}

/// A Makefile includes a file outside: the kernel tells nobody that it was looked for.
#[test]
fn what_fails_inside_goes_to_a_person_when_it_comes_again_and_nothing_was_changed_meanwhile() {
    let mut gate = gate();
    fails_inside(&mut gate, call(1, "s", LINE));
    submit(&mut gate, call(2, "s", "cat Makefile"), 3);
    submit(&mut gate, call(3, "s", LINE), 4);
    assert_eq!(outcome(&gate, 3), None, "a person is asked");
    let why = &gate.entry(id(3)).unwrap().evaluation.policy.why;
    assert!(why.starts_with("It has just run confined and failed"), "{why}");
    assert_eq!(shown(&gate, 3), Some(outcome(&gate, 1).unwrap().walls.unwrap().hash()), "and may confine it again");

    // Whatever comes in meanwhile, it goes on to wait for an answer.
    submit(&mut gate, call(4, "s", "make clean"), 5);
    gate.handle(Input::SetPolicy(policy().into()), at(6)).answer.unwrap();
    assert_eq!(outcome(&gate, 3), None);
    decide(&mut gate, 3, PersonsDecision::approve(), 7).answer.unwrap();
    submit(&mut gate, call(5, "s", LINE), 8);
    assert_eq!(outcome(&gate, 5), None, "it would still fail inside");
}

#[test]
fn what_fails_inside_is_tried_again_after_a_change_by_others_and_in_other_places() {
    let other = |number, request: Request| {
        let mut gate = gate();
        fails_inside(&mut gate, call(1, "s", LINE));
        submit(&mut gate, request, 3);
        outcome(&gate, number).map(|outcome| outcome.status)
    };
    assert_eq!(other(2, call(2, "s", "make build")), Some(Status::Approved));
    assert_eq!(other(2, call(2, "t", LINE)), Some(Status::Approved));
    assert_eq!(other(2, Request { cwd: Some("/srv/app/sub".into()), ..call(2, "s", LINE) }), Some(Status::Approved));

    let mut gate = gate();
    fails_inside(&mut gate, call(1, "s", LINE));
    submit(&mut gate, call(2, "s", "touch src/main.c"), 3);
    submit(&mut gate, call(3, "s", LINE), 4);
    assert_eq!(outcome(&gate, 3).map(|outcome| outcome.status), Some(Status::Approved));
}
