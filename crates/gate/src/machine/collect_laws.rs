//! Laws about handing out approvals, and about a wall clock that is set.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::test_support::{at, id, in_session, person, requests_limited};
use super::*;
use crate::{DecidedBy, Status};
use handraise_policy::{Policy, RiskLevel, Scope};

#[derive(Clone, Debug)]
enum Step {
    Submit { call: u8, key: Option<u8>, looks: bool },
    Approve { which: u8, scope: u8 },
    HangUp { which: u8 },
    Keep { which: u8 },
    Undelivered { which: u8 },
    Redeem { which: u8, call: u8 },
    Wait { seconds: u16 },
    SetClock { hours: i8 },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..2_u8, proptest::option::weighted(0.8, 0..2_u8), proptest::bool::weighted(0.2))
            .prop_map(|(call, key, looks)| Step::Submit { call, key, looks }),
        5 => (any::<u8>(), 0..3_u8).prop_map(|(which, scope)| Step::Approve { which, scope }),
        4 => any::<u8>().prop_map(|which| Step::HangUp { which }),
        2 => any::<u8>().prop_map(|which| Step::Keep { which }),
        1 => any::<u8>().prop_map(|which| Step::Undelivered { which }),
        4 => (any::<u8>(), 0..2_u8).prop_map(|(which, call)| Step::Redeem { which, call }),
        4 => (0..80_u16).prop_map(|seconds| Step::Wait { seconds }),
        1 => (80..2000_u16).prop_map(|seconds| Step::Wait { seconds }),
        1 => (-30..30_i8).prop_map(|hours| Step::SetClock { hours }),
    ]
}

fn call(number: u128, call: u8, key: Option<u8>, looks: bool) -> Request {
    Request {
        idempotency_key: key.map(|key| key.to_string()),
        declared_risk: looks.then_some(RiskLevel::ReadOnly),
        ..in_session(number, "s", if looks { "look" } else { "edit" }, &format!("{{\"n\":{call}}}"))
    }
}

/// One of the latest requests, so that steps meet.
fn one(which: u8, number: u128) -> RequestId {
    id(number.saturating_sub(u128::from(which % 3)).max(1))
}

fn input(step: &Step, number: &mut u128) -> Option<Input> {
    Some(match step {
        Step::Submit { call: of, key, looks } => {
            *number += 1;
            Input::submit(call(*number, *of, *key, *looks))
        }
        Step::Approve { which, scope } => Input::Decide {
            id: one(*which, *number),
            decision: PersonsDecision::approve()
                .with_scope([Scope::Once, Scope::Minutes, Scope::Session][usize::from(*scope)]),
            approver: person(),
        },
        Step::HangUp { which } => Input::HangUp { id: one(*which, *number), departure: Departure::ConnectionClosed },
        Step::Keep { which } => Input::Keep(one(*which, *number)),
        Step::Redeem { which, call: of } => {
            Input::Redeem { request: Box::new(call(0, *of, None, false)), id: one(*which, *number) }
        }
        Step::Wait { .. } => Input::Tick,
        Step::Undelivered { .. } | Step::SetClock { .. } => return None,
    })
}

/// When a requester went away, as its owner told the gate.
#[derive(Clone, Copy, Debug, PartialEq)]
enum There {
    Waits,
    GoneSince(Timestamp),
    ComesBack,
}

/// What whoever waits or comes back is given, seen from outside.
#[derive(Default)]
struct Observer {
    there: HashMap<RequestId, There>,
    approved: HashSet<RequestId>,
    handed_out: HashSet<RequestId>,
    redeemed: HashSet<RequestId>,
}

impl Observer {
    fn watch(&mut self, gate: &Gate, input: &Input, reaction: &Reaction, now: Timestamp) {
        let before = self.approved.clone();
        match (input, &reaction.answer) {
            (Input::Submit { .. }, Ok(Acknowledgement::Accepted(id) | Acknowledgement::Joined(id)))
                if !before.contains(id) =>
            {
                self.there.insert(*id, There::Waits);
            }
            (Input::HangUp { id, .. }, Ok(_)) if self.there.get(id) == Some(&There::Waits) && !before.contains(id) => {
                self.there.insert(*id, There::GoneSince(now));
            }
            (Input::Keep(id), Ok(_)) if !self.handed_out.contains(id) => {
                self.there.insert(*id, There::ComesBack);
            }
            _ => {}
        }
        for effect in &reaction.effects {
            let Effect::Resolve(id, outcome) = effect else { continue };
            if outcome.status == Status::Approved && outcome.decided_by == DecidedBy::Person {
                self.approved.insert(*id);
                if self.there.get(id) == Some(&There::Waits) {
                    self.hand_out(*id, now);
                }
            }
        }
        match (input, &reaction.answer) {
            (Input::Submit { .. }, Ok(Acknowledgement::Joined(id))) if before.contains(id) => self.hand_out(*id, now),
            (Input::Redeem { id, request }, Ok(_)) => {
                let known = gate.entry(*id).unwrap();
                assert_eq!(known.request.arguments_hash, request.arguments_hash, "another call");
                let outcome = known.life.outcome.as_ref().unwrap();
                assert_eq!(outcome.status, Status::Approved);
                assert!(self.redeemed.insert(*id), "redeemed twice");
                // What needs no person may be redeemed late, as long as it would be allowed anew.
                if outcome.decided_by == DecidedBy::Person {
                    self.hand_out(*id, now);
                }
            }
            _ => {}
        }
    }

    fn hand_out(&mut self, id: RequestId, now: Timestamp) {
        assert!(self.handed_out.insert(id), "handed out twice");
        if let Some(There::GoneSince(since)) = self.there.get(&id) {
            let limit = SignedDuration::from_secs(60);
            assert!(now < *since + limit, "handed out {:?} after its requester went away", now - *since);
        }
    }

    /// The owner found that nobody took it.
    fn undelivered(&mut self, id: RequestId, now: Timestamp) {
        if self.there.get(&id) == Some(&There::Waits) && self.approved.contains(&id) {
            self.handed_out.remove(&id);
            self.there.insert(id, There::GoneSince(now));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]

    /// No approval of a person is handed out twice. One whose requester is gone is handed out within 60 seconds or never,
    /// unless that requester was told to come back for it.
    #[test]
    fn an_approval_is_handed_out_once_and_soon(steps in proptest::collection::vec(step(), 0..50)) {
        let mut gate = Gate::new(Policy::default(), Limits::default());
        let mut observer = Observer::default();
        let (mut now, mut number) = (0_i64, 0_u128);
        for step in steps {
            if let Step::Wait { seconds } = step { now += i64::from(seconds); }
            if let Step::Undelivered { which } = step {
                // As its owner does it: about what has just been answered.
                let id = one(which, number);
                if gate.entry(id).is_some_and(|entry| entry.life.outcome.is_some()) {
                    gate.undelivered(id, at(now));
                    observer.undelivered(id, at(now));
                }
            }
            let Some(input) = input(&step, &mut number) else { continue };
            let reaction = gate.handle(input.clone(), at(now));
            observer.watch(&gate, &input, &reaction, at(now));
        }
    }

    /// Whatever the wall clock is set to, in either direction: the same requests end in the same way at the same
    /// moment, and the same grants are in force.
    #[test]
    fn a_clock_that_is_set_changes_nothing(steps in proptest::collection::vec(step(), 0..50)) {
        let mut steady = Gate::new(Policy::default(), Limits::default());
        let mut set = steady.clone();
        let (mut now, mut offset) = (0_i64, 0_i64);
        let (mut number, mut same_number) = (0_u128, 0_u128);
        for step in steps {
            match step {
                Step::Wait { seconds } => now += i64::from(seconds),
                Step::SetClock { hours } => {
                    let by = i64::from(hours) * 3600;
                    offset += by;
                    set.clock_moved(SignedDuration::from_secs(by));
                }
                _ => {}
            }
            let (Some(one), Some(other)) = (input(&step, &mut number), input(&step, &mut same_number)) else { continue };
            let expected = steady.handle(one, at(now));
            let found = set.handle(other, at(now + offset));
            let kind = |reaction: &Reaction| reaction.effects.iter().map(std::mem::discriminant).collect::<Vec<_>>();
            prop_assert_eq!(kind(&expected), kind(&found));
            let said = |answer: &Result<Acknowledgement, Refusal>| match answer {
                Err(Refusal::AlreadyOver(outcome)) => format!("{:?}", outcome.status),
                other => format!("{other:?}"),
            };
            prop_assert_eq!(said(&expected.answer), said(&found.answer));
            let ends = |gate: &Gate| {
                let known = gate.pending().chain(gate.ended());
                let ended = known.map(|entry| (entry.request.id, entry.life.outcome.as_ref().map(|o| o.status)));
                (ended.collect::<Vec<_>>(), gate.grants.iter().map(|grant| grant.id).collect::<Vec<_>>())
            };
            prop_assert_eq!(ends(&steady), ends(&set));
            let left = |gate: &Gate, now| gate.next_deadline().map(|due| due.duration_since(at(now)));
            prop_assert_eq!(left(&steady, now), left(&set, now + offset));
        }
    }
}

#[test]
fn one_key_gets_one_answer_of_a_person_and_policy_answers_anew() {
    let mut gate = Gate::new(Policy::default(), Limits::default());
    let submit = |gate: &mut Gate, request, seconds| gate.handle(Input::submit(request), at(seconds)).answer;
    submit(&mut gate, call(1, 0, Some(1), false), 0).unwrap();
    gate.handle(Input::Decide { id: id(1), decision: PersonsDecision::approve(), approver: person() }, at(1))
        .answer
        .unwrap();
    // Whoever waited has it.
    assert_eq!(submit(&mut gate, call(2, 0, Some(1), false), 2), Err(Refusal::NotRedeemable));
    let redeem = Input::Redeem { request: Box::new(call(1, 0, None, false)), id: id(1) };
    assert_eq!(gate.handle(redeem, at(2)).answer, Err(Refusal::NotRedeemable));

    submit(&mut gate, call(3, 0, Some(2), true), 3).unwrap();
    let again = |gate: &mut Gate| {
        let redeem = Input::Redeem { request: Box::new(call(3, 0, None, true)), id: id(3) };
        gate.handle(redeem, at(4)).answer
    };
    assert_eq!(again(&mut gate), Ok(Acknowledgement::Done));
    let mut paused = gate.clone();
    paused.handle(Input::SetMode(Mode::DenyEverything), at(4)).answer.unwrap();
    assert_eq!(again(&mut paused), Err(Refusal::NotRedeemable));
    assert_eq!(gate.entry(id(3)).unwrap().life.outcome.as_ref().unwrap().decided_by, DecidedBy::Policy);
    assert_eq!(submit(&mut gate, call(4, 0, Some(2), true), 4), Ok(Acknowledgement::Accepted(id(4))));
    gate.handle(Input::SetMode(Mode::DenyEverything), at(5)).answer.unwrap();
    submit(&mut gate, call(5, 0, Some(2), true), 6).unwrap();
    assert_eq!(gate.entry(id(5)).unwrap().life.outcome.as_ref().unwrap().status, Status::Denied);
}

#[test]
fn what_could_not_be_recorded_leaves_nothing_behind() {
    let mut gate = Gate::new(Policy::default(), Limits::default());
    gate.handle(Input::submit(call(1, 0, None, false)), at(0)).answer.unwrap();
    let asked = gate.handle(Input::submit(call(2, 1, None, false)), at(0));
    let decision = PersonsDecision::approve().with_scope(Scope::Session);
    let decided = gate.handle(Input::Decide { id: id(1), decision, approver: person() }, at(1));
    assert_eq!(gate.grants().len(), 1);
    let mut effects = asked.effects;
    effects.extend(decided.effects);
    gate.unrecorded(&mut effects, at(1));
    assert!(gate.grants().is_empty(), "a grant without a record");
    for number in [1, 2] {
        let outcome = gate.entry(id(number)).unwrap().life.outcome.as_ref().unwrap();
        assert_eq!((outcome.status, outcome.decided_by), (Status::Denied, DecidedBy::Policy));
    }
    assert_eq!(gate.pending().count(), 0);
}

#[test]
fn what_is_over_lets_go_of_its_arguments() {
    let mut gate = Gate::new(Policy::default(), Limits::default());
    gate.handle(Input::submit(call(1, 7, None, false)), at(0)).answer.unwrap();
    gate.handle(Input::Decide { id: id(1), decision: PersonsDecision::approve(), approver: person() }, at(1))
        .answer
        .unwrap();
    assert!(gate.entry(id(1)).unwrap().life.has_content, "it is recorded with its arguments");
    gate.handle(Input::Tick, at(2)).answer.unwrap();
    let entry = gate.entry(id(1)).unwrap();
    assert!(!entry.life.has_content && entry.request.arguments.is_empty());
    assert_eq!(entry.request.arguments_hash, call(1, 7, None, false).arguments_hash);
}

#[test]
fn every_requester_and_every_session_has_room() {
    let limits = RegistryLimits {
        pending: 8,
        pending_per_requester: 4,
        pending_share: 2,
        pending_per_session: 3,
        pending_per_batch: 3,
        ..RegistryLimits::REQUESTS
    };
    let mut gate = Gate::new(Policy::default(), requests_limited(limits));
    let mut number = 0;
    let mut submit = |requester: &str, session: Option<&str>, batch: Option<&str>| {
        number += 1;
        let session =
            session.map(|id| handraise_policy::SessionKey { requester: requester.into(), agent: None, id: id.into() });
        let request = Request {
            requester: requester.into(),
            session,
            batch: batch.map(str::to_owned),
            ..in_session(number, "s", "edit", "{}")
        };
        gate.handle(Input::submit(request), at(0)).answer.map(|_| ())
    };
    for loud in ["a", "b"] {
        for _ in 0..4 {
            submit(loud, None, None).unwrap();
        }
        assert_eq!(submit(loud, None, None), Err(Refusal::TooManyPending));
    }
    // All places are taken; who has had none still has its share.
    for _ in 0..2 {
        submit("c", None, None).unwrap();
    }
    assert_eq!(submit("c", None, None), Err(Refusal::TooManyPending));
    for _ in 0..2 {
        submit("d", Some("s"), None).unwrap();
    }

    let mut gate =
        Gate::new(Policy::default(), requests_limited(RegistryLimits { pending_per_requester: 100, ..limits }));
    let mut submit = |number, session: &str, batch: Option<&str>| {
        let request = Request { batch: batch.map(str::to_owned), ..in_session(number, session, "edit", "{}") };
        gate.handle(Input::submit(request), at(0)).answer.map(|_| ())
    };
    for number in 1..=2 {
        submit(number, "one", None).unwrap();
    }
    for number in 3..=5 {
        submit(number, "one", Some("batch")).unwrap();
    }
    assert_eq!(submit(6, "one", Some("batch")), Err(Refusal::TooManyInSession), "a batch has an end");
    assert_eq!(submit(7, "one", None), Err(Refusal::TooManyInSession));
    submit(8, "another", None).unwrap();
}

#[test]
fn what_waits_is_bounded_in_bytes() {
    let limits = requests_limited(RegistryLimits { pending_bytes: 10_000, ..RegistryLimits::REQUESTS });
    let mut gate = Gate::new(Policy::default(), limits);
    let text = "x".repeat(6_000);
    let large = |number, requester: &str| Request {
        requester: requester.into(),
        ..in_session(number, "s", "edit", &format!("{{\"text\":\"{text}\"}}"))
    };
    gate.handle(Input::submit(large(1, "a")), at(0)).answer.unwrap();
    let second = gate.handle(Input::submit(large(2, "a")), at(0)).answer;
    assert_eq!(second, Err(Refusal::TooManyBytes));
    gate.handle(Input::submit(large(3, "b")), at(0)).answer.unwrap();
}

#[test]
fn everything_from_one_agent_is_denied_at_once() {
    let mut gate = Gate::new(Policy::default(), Limits::default());
    let agent = |name: &str| Some(handraise_policy::AgentIdentity { name: name.into(), verified: false });
    for (number, name) in [(1, "loud"), (2, "loud"), (3, "quiet")] {
        let request = Request { agent: agent(name), ..in_session(number, "s", "edit", "{}") };
        gate.handle(Input::submit(request), at(0)).answer.unwrap();
    }
    let deny = |agent: &str| Input::DenyAll { agent: agent.into(), reason: Some("enough".into()), approver: person() };
    assert_eq!(gate.handle(deny("nobody"), at(1)).answer, Ok(Acknowledgement::Denied(0)));
    let reaction = gate.handle(deny("loud"), at(1));
    assert_eq!(reaction.answer, Ok(Acknowledgement::Denied(2)));
    let outcome = gate.entry(id(1)).unwrap().life.outcome.as_ref().unwrap();
    assert_eq!(
        (outcome.status, outcome.decided_by, outcome.reason.as_str()),
        (Status::Denied, DecidedBy::Person, "enough")
    );
    assert_eq!(gate.pending().count(), 1);
    // The credential's name means all of its agents, whatever they call themselves.
    assert_eq!(gate.handle(deny("default"), at(2)).answer, Ok(Acknowledgement::Denied(1)));
}
