//! A pause that ends by itself.

use super::test_support::{at, id, in_session};
use super::*;
use crate::Status;
use handraise_policy::{Policy, RiskLevel};

fn gate() -> Gate {
    Gate::new(Policy::default(), Limits::default())
}

/// A call that only reads, which the policy lets pass.
fn read(number: u128) -> Request {
    Request { declared_risk: Some(RiskLevel::ReadOnly), ..in_session(number, "a", "look", "{}") }
}

fn submit(gate: &mut Gate, request: Request, seconds: i64) {
    gate.handle(Input::submit(request), at(seconds)).answer.unwrap();
}

fn status(gate: &Gate, number: u128) -> Option<Status> {
    gate.entry(id(number)).unwrap().life.outcome.as_ref().map(|outcome| outcome.status)
}

#[test]
fn a_pause_with_a_time_ends_by_itself_and_lets_nothing_pass_that_waits() {
    let mut gate = gate();
    gate.handle(Input::PauseUntil(Mode::AskEverything, at(60)), at(0)).answer.unwrap();
    assert_eq!(
        (gate.mode(), gate.paused_until(), gate.next_deadline()),
        (Mode::AskEverything, Some(at(60)), Some(at(60)))
    );
    submit(&mut gate, read(1), 1);
    gate.handle(Input::Tick, at(59)).answer.unwrap();
    assert_eq!(gate.mode(), Mode::AskEverything);
    let ended = gate.handle(Input::Tick, at(60));
    assert_eq!((gate.mode(), gate.paused_until()), (Mode::Normal, None));
    assert!(ended.effects.contains(&Effect::Record(Record::ModeChanged(Mode::Normal, None))), "{ended:?}");
    // A person was asked about it, and answers it.
    assert_eq!(status(&gate, 1), None);
    submit(&mut gate, read(2), 61);
    assert_eq!(status(&gate, 2), Some(Status::Approved));
}

#[test]
fn what_comes_with_the_end_of_a_pause_is_no_earlier_than_it() {
    let mut gate = gate();
    gate.handle(Input::PauseUntil(Mode::DenyEverything, at(60)), at(0)).answer.unwrap();
    // A clock that is set makes no pause shorter: it keeps the time that it had left.
    gate.clock_moved(jiff::SignedDuration::from_secs(100));
    submit(&mut gate, read(1), 110);
    assert_eq!((status(&gate, 1), gate.paused_until()), (Some(Status::Denied), Some(at(160))));
    submit(&mut gate, read(2), 159);
    assert_eq!(status(&gate, 2), Some(Status::Denied));
    submit(&mut gate, read(3), 160);
    assert_eq!(status(&gate, 3), Some(Status::Approved));
    // A pause without a time that is set later has none, and Normal never has one.
    gate.handle(Input::PauseUntil(Mode::DenyEverything, at(300)), at(200)).answer.unwrap();
    gate.handle(Input::SetMode(Mode::DenyEverything), at(210)).answer.unwrap();
    assert_eq!((gate.paused_until(), gate.next_deadline().is_some_and(|next| next == at(300))), (None, false));
    gate.handle(Input::Tick, at(400)).answer.unwrap();
    assert_eq!(gate.mode(), Mode::DenyEverything);
    gate.handle(Input::PauseUntil(Mode::Normal, at(500)), at(410)).answer.unwrap();
    assert_eq!((gate.mode(), gate.paused_until()), (Mode::Normal, None));
}
