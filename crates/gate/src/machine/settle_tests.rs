//! A policy that changes while many requests wait.

use super::test_support::{at, id, in_session, person};
use super::*;
use crate::Status;
use handraise_policy::Policy;
use handraise_policy::rules::parse;

const WAITING: u128 = 40;

/// A gate with forty requests that wait, then told a policy of one rule with this `action`.
fn changed(action: &str) -> (Gate, Reaction) {
    let mut gate = Gate::new(Policy::default(), Limits::default());
    for number in 1..=WAITING {
        gate.handle(Input::submit(in_session(number, &format!("s{}", number % 4), "edit", "{}")), at(0))
            .answer
            .unwrap();
    }
    let policy = parse(&format!("version = 1\nrule = [{{ pattern = \"edit\", action = \"{action}\" }}]")).unwrap();
    let reaction = gate.handle(Input::SetPolicy(policy.policy.into()), at(5));
    (gate, reaction)
}

fn resolved(reaction: &Reaction) -> usize {
    reaction.effects.iter().filter(|effect| matches!(effect, Effect::Resolve(..))).count()
}

fn ended(gate: &Gate) -> usize {
    (1..=WAITING).filter(|number| gate.entry(id(*number)).unwrap().life.outcome.is_some()).count()
}

#[test]
fn a_changed_policy_is_asked_about_a_few_requests_in_each_turn_until_all_are_settled() {
    let (mut gate, first) = changed("allow");
    assert_eq!((resolved(&first), gate.next_deadline()), (16, Some(at(5))), "the next turn is due at once");
    assert_eq!(resolved(&gate.handle(Input::Tick, at(5))), 16);
    // Whatever happens is a turn, too. What comes by now is judged by the new policy.
    let new = gate.handle(Input::submit(in_session(99, "new", "edit", "{}")), at(6));
    assert_eq!((resolved(&new), ended(&gate)), (9, 40));
    assert_ne!(gate.next_deadline(), Some(at(5)));
    assert_eq!(resolved(&gate.handle(Input::Tick, at(7))), 0);
}

#[test]
fn nobody_decides_about_a_request_before_the_changed_policy() {
    let (mut gate, _) = changed("deny");
    assert_eq!(gate.entry(id(WAITING)).unwrap().life.outcome, None);
    let approve = Input::Decide { id: id(WAITING - 20), decision: PersonsDecision::approve(), approver: person() };
    // One turn is taken first; this one is far behind.
    let mut last = gate.clone();
    assert!(
        matches!(gate.handle(approve, at(5)).answer, Err(Refusal::AlreadyOver(over)) if over.status == Status::Denied)
    );
    let approve = Input::Decide { id: id(WAITING), decision: PersonsDecision::approve(), approver: person() };
    assert!(
        matches!(last.handle(approve, at(5)).answer, Err(Refusal::AlreadyOver(over)) if over.status == Status::Denied)
    );
    assert_eq!(ended(&last), 33, "its own turn and that one");
}

#[test]
fn whoever_wants_to_know_what_the_changed_policy_says_about_a_request_hears_it() {
    let (mut gate, _) = changed("allow");
    gate.handle(Input::Settle(id(WAITING)), at(5)).answer.unwrap();
    assert_eq!(gate.entry(id(WAITING)).unwrap().life.outcome.as_ref().unwrap().status, Status::Approved);
}

#[test]
fn a_policy_that_changes_again_is_asked_about_all_that_still_waits() {
    let (mut gate, _) = changed("ask");
    let policy = parse("version = 1\nrule = [{ pattern = \"edit\", action = \"deny\" }]").unwrap().policy;
    gate.handle(Input::SetPolicy(policy.into()), at(6)).answer.unwrap();
    while gate.next_deadline() == Some(at(6)) {
        gate.handle(Input::Tick, at(6)).answer.unwrap();
    }
    assert_eq!(ended(&gate), 40);
}

#[test]
fn what_has_timed_out_meanwhile_stays_so() {
    let (mut gate, _) = changed("allow");
    let late = gate.handle(Input::Tick, at(300));
    let is_timeout =
        |effect: &&Effect| matches!(effect, Effect::Resolve(_, outcome) if outcome.status == Status::Timeout);
    assert_eq!(late.effects.iter().filter(is_timeout).count(), 24);
    assert_eq!(ended(&gate), 40);
}
