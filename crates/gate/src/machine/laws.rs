//! Laws that hold whatever happens in whatever order.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::test_support::{at, id, in_session, person, session_key};
use super::*;
use crate::{DecidedBy, Decision, Status};
use handraise_policy::rules::Rule;
use handraise_policy::{Action, Breadth, GrantEffect, HookPhase, PhaseOrder, Policy, RiskLevel, Scope, ToolClass};

const TOOLS: &[&str] = &["look", "edit", "wipe"];
const SESSIONS: &[&str] = &["a", "b", "a:b"];

/// One thing that happens, in small numbers so that things meet.
#[derive(Clone, Debug)]
enum Step {
    Submit {
        tool: usize,
        session: usize,
        arguments: u8,
        risk: Option<u8>,
        key: Option<u8>,
    },
    Decide {
        which: u8,
        approve: bool,
        scope: u8,
        breadth: Breadth,
        late: bool,
    },
    Cancel {
        which: u8,
    },
    HangUp {
        which: u8,
    },
    /// A phase of a hook, with or without an id of the call.
    Hook {
        first: bool,
        session: usize,
        arguments: u8,
        call: Option<u8>,
    },
    CallEnded {
        session: usize,
        arguments: Option<u8>,
        call: Option<u8>,
    },
    TurnEnded {
        session: usize,
    },
    Wait {
        seconds: u16,
    },
    Mode {
        mode: u8,
        /// For so many seconds.
        seconds: Option<u16>,
    },
    EndSession {
        session: usize,
    },
    Revoke {
        which: u8,
    },
    Policy {
        rules: Vec<(usize, u8)>,
    },
    Shutdown,
}

fn breadth() -> impl Strategy<Value = Breadth> {
    prop_oneof![Just(Breadth::Exact), Just(Breadth::Prefix), Just(Breadth::Folder), Just(Breadth::Tool)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..3_usize, 0..3_usize, 0..2_u8, proptest::option::of(0..3_u8), proptest::option::of(0..2_u8)).prop_map(
            |(tool, session, arguments, risk, key)| Step::Submit { tool, session, arguments, risk, key }
        ),
        8 => (any::<u8>(), any::<bool>(), 0..5_u8, breadth(), any::<bool>()).prop_map(
            |(which, approve, scope, breadth, late)| Step::Decide { which, approve, scope, breadth, late }
        ),
        1 => any::<u8>().prop_map(|which| Step::Cancel { which }),
        1 => any::<u8>().prop_map(|which| Step::HangUp { which }),
        8 => (any::<bool>(), 0..3_usize, 0..2_u8, proptest::option::of(0..4_u8)).prop_map(
            |(first, session, arguments, call)| Step::Hook { first, session, arguments, call }
        ),
        2 => (0..3_usize, proptest::option::of(0..2_u8), proptest::option::of(0..4_u8)).prop_map(
            |(session, arguments, call)| Step::CallEnded { session, arguments, call }
        ),
        1 => (0..3_usize).prop_map(|session| Step::TurnEnded { session }),
        2 => (0..100_u16).prop_map(|seconds| Step::Wait { seconds }),
        3 => (0..2000_u16).prop_map(|seconds| Step::Wait { seconds }),
        1 => (0..3_u8, proptest::option::of(1..200_u16)).prop_map(|(mode, seconds)| Step::Mode { mode, seconds }),
        1 => (0..3_usize).prop_map(|session| Step::EndSession { session }),
        1 => any::<u8>().prop_map(|which| Step::Revoke { which }),
        1 => rules().prop_map(|rules| Step::Policy { rules }),
        1 => Just(Step::Shutdown).boxed(),
    ]
}

fn rules() -> impl Strategy<Value = Vec<(usize, u8)>> {
    proptest::collection::vec((0..4_usize, 0..3_u8), 0..4)
}

fn policy(rules: &[(usize, u8)]) -> Policy {
    let patterns = ["look", "edit", "wipe", "*"];
    let rules = rules.iter().map(|(pattern, action)| {
        Rule::new(patterns[*pattern], [Action::Allow, Action::Ask, Action::Deny][usize::from(*action)], None).unwrap()
    });
    Policy { rules: rules.collect(), ..Policy::default() }
}

fn level(number: u8) -> RiskLevel {
    [RiskLevel::ReadOnly, RiskLevel::Write, RiskLevel::Destructive][usize::from(number)]
}

/// What an observer of the effects can know, and the laws it checks as they arrive.
#[derive(Default)]
struct Observer {
    presented: HashSet<RequestId>,
    ended: HashMap<RequestId, Outcome>,
}

impl Observer {
    fn watch(&mut self, gate: &Gate, policy: &PolicyInForce, reaction: &Reaction, approvals: &HashSet<RequestId>) {
        for effect in &reaction.effects {
            match effect {
                Effect::Present(id) => assert!(self.presented.insert(*id), "presented twice"),
                Effect::Withdraw(id) => {
                    self.presented.remove(id);
                }
                Effect::Resolve(id, outcome) => {
                    assert!(self.ended.insert(*id, outcome.clone()).is_none(), "ended twice");
                    assert!(!self.presented.contains(id), "ended but still on a surface");
                    assert!(!outcome.reason.trim().is_empty(), "no words for the model");
                    if outcome.status == Status::Approved {
                        self.check_approval(gate, policy, *id, outcome, approvals);
                    }
                }
                Effect::Record(_) | Effect::LastingEffect(_) => {}
            }
        }
    }

    fn check_approval(
        &self,
        gate: &Gate,
        policy: &PolicyInForce,
        id: RequestId,
        outcome: &Outcome,
        approvals: &HashSet<RequestId>,
    ) {
        let Some(entry) = gate.entry(id) else { return };
        let says = policy.decide(&entry.request, outcome.decided_at).action;
        match outcome.decided_by {
            DecidedBy::Policy => {
                assert_eq!(says, Action::Allow, "approved without an allow");
                assert_eq!(gate.mode(), Mode::Normal, "approved while paused");
            }
            DecidedBy::Grant => {
                assert_eq!(says, Action::Ask, "a grant overruled the policy");
                assert_eq!(gate.mode(), Mode::Normal, "approved while paused");
            }
            DecidedBy::Person => {}
            other => panic!("approved by {other:?}"),
        }
        if outcome.decided_by == DecidedBy::Person {
            let ticket = outcome.reason.contains("timed out");
            assert!(ticket || approvals.contains(&id), "approved by a person who did not");
        }
    }
}

fn call_key(session: &str, arguments: Option<u8>, call: Option<u8>) -> CallKey {
    let arguments = arguments.map(|number| in_session(1, session, "edit", &format!("{{\"n\":{number}}}")).arguments);
    let digest = |arguments| CallKey::digest(Some(session), None, "edit", ToolClass::Other, &arguments);
    CallKey { id: call.map(|call| call.to_string()), digest: arguments.and_then(digest) }
}

fn hook_phase_request(number: u128, first: bool, session: &str, arguments: u8, call: Option<u8>) -> Request {
    let order = if first { PhaseOrder::First } else { PhaseOrder::Second };
    let call = call_key(session, Some(arguments), call);
    let phase = HookPhase { call, order, is_of_sub_agent: false };
    Request { hook_phase: Some(phase), ..in_session(number, session, "edit", &format!("{{\"n\":{arguments}}}")) }
}

/// What may be said twice: the answers to first phases, as long as their calls are not over.
#[derive(Default)]
struct SecondPhases {
    /// First phases that no second one has joined, whatever became of them.
    free: HashMap<RequestId, Request>,
    ended: HashMap<RequestId, Timestamp>,
    now: Timestamp,
}

impl SecondPhases {
    fn before(&mut self, input: &Input, now: Timestamp) {
        self.now = now;
        let ended = &self.ended;
        let is_over = |request: &Request| match input {
            Input::TurnEnded(session) | Input::EndSession(session) => request.session.as_ref() == Some(session),
            Input::CallEnded { session, call } => {
                let own = &request.hook_phase.as_ref().unwrap().call;
                let same_id = own.id.is_some() && own.id == call.id;
                let same_digest = call.digest.is_some() && own.digest == call.digest;
                let told_apart = own.id.is_some() && call.id.is_some() && own.id != call.id;
                request.session.as_ref() == Some(session)
                    && (same_id || same_digest && !told_apart)
                    && ended.contains_key(&request.id)
            }
            _ => false,
        };
        self.free.retain(|_, request| !is_over(request));
    }

    fn after(&mut self, gate: &Gate, input: &Input, reaction: &Reaction) {
        for effect in &reaction.effects {
            if let Effect::Resolve(id, outcome) = effect {
                self.ended.insert(*id, outcome.decided_at);
            }
        }
        let Input::Submit { request, .. } = input else { return };
        let Some(phase) = &request.hook_phase else { return };
        match (phase.order, &reaction.answer) {
            (PhaseOrder::First, Ok(Acknowledgement::Accepted(id))) => {
                self.free.insert(*id, (**request).clone());
            }
            (PhaseOrder::First, Ok(other)) => panic!("a first phase was answered with {other:?}"),
            (PhaseOrder::Second, Ok(Acknowledgement::Joined(id))) => {
                let first = self.free.remove(id).expect("joined twice, or beyond the end of its call");
                let own = &first.hook_phase.as_ref().unwrap().call;
                assert_eq!((&first.session, &own.digest), (&request.session, &phase.call.digest));
                assert!(own.id.is_none() || phase.call.id.is_none() || own.id == phase.call.id);
                assert_ne!(gate.evaluate(request, self.now).action, Action::Deny, "a denial was overruled");
                if let Some(outcome) = &gate.entry(*id).unwrap().life.outcome {
                    assert_eq!(outcome.decided_by, DecidedBy::Person);
                    assert!(self.now < outcome.decided_at + Limits::default().second_phase, "too late");
                }
            }
            _ => {}
        }
    }
}

fn unless_asked(request: Request) -> Input {
    Input::Submit { request: Box::new(request), foreseen: None, unless_asked: true }
}

fn foreseen_by(policy: &Arc<PolicyInForce>, request: &Request, now: Timestamp) -> Input {
    let foreseen = Some(Box::new(Foreseen::new(policy, request, now)));
    Input::Submit { request: Box::new(request.clone()), foreseen, unless_asked: false }
}

/// Submitting unless a person is asked is submitting, or nothing; what was foreseen by the policy in force changes nothing.
fn check_unless_asked(gate: &Gate, request: &Request, now: Timestamp) {
    let after = |input| {
        let mut gate = gate.clone();
        let reaction = gate.handle(input, now);
        let Gate { requests, uncollected, grants, sessions, .. } = gate;
        (reaction, (requests, uncollected, grants, sessions))
    };
    let (unless, state) = after(unless_asked(request.clone()));
    let (submitted, state_submitted) = after(Input::submit(request.clone()));
    assert_eq!(after(foreseen_by(gate.policy(), request, now)), (submitted.clone(), state_submitted.clone()));
    let asks = gate.evaluate(request, now).action == Action::Ask;
    if unless.answer == Ok(Acknowledgement::PersonNeeded) {
        let (due, state_before) = after(Input::Tick);
        assert!(asks && unless.effects == due.effects && state == state_before);
    } else {
        let is_new = matches!(unless.answer, Ok(Acknowledgement::Accepted(_)));
        assert!(!(asks && is_new) && unless == submitted && state == state_submitted);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    /// No sequence of inputs approves without an explicit allow; a policy denial beats every grant;
    /// each request ends exactly once, and is withdrawn everywhere when it does. What a person has said about
    /// the first phase of a hook answers at most one second phase, about the same call, before its end.
    #[test]
    fn nothing_but_an_explicit_allow_approves(steps in proptest::collection::vec(step(), 0..60)) {
        let mut gate = Gate::new(Policy::default(), Limits::default());
        let mut observer = Observer::default();
        let mut approvals = HashSet::new();
        let mut second_phases = SecondPhases::default();
        let (mut now, mut number) = (0_i64, 0_u128);
        for step in steps {
            let input = match step {
                Step::Wait { seconds } => { now += i64::from(seconds); Input::Tick }
                Step::Submit { tool, session, arguments, risk, key } => {
                    number += 1;
                    Input::submit(Request {
                        declared_risk: risk.map(level),
                        idempotency_key: key.map(|key| key.to_string()),
                        ..in_session(number, SESSIONS[session], TOOLS[tool], &format!("{{\"n\":{arguments}}}"))
                    })
                }
                Step::Decide { which, approve, scope, breadth, late } => {
                    let id = id(u128::from(which) % number.max(1) + 1);
                    if approve { approvals.insert(id); }
                    let decision = PersonsDecision {
                        decision: if approve { Decision::Approve } else { Decision::Deny },
                        scope: [Scope::Once, Scope::Minutes, Scope::Session, Scope::Project, Scope::Always][usize::from(scope)],
                        breadth,
                        late,
                        ..PersonsDecision::approve()
                    };
                    Input::Decide { id, decision, approver: person() }
                }
                Step::Cancel { which } => Input::Cancel {
                    id: id(u128::from(which) % number.max(1) + 1), requester: "default".into(), reason: "x".into(),
                },
                Step::HangUp { which } => Input::HangUp {
                    id: id(u128::from(which) % number.max(1) + 1),
                    departure: if which % 2 == 0 { Departure::ConnectionClosed } else { Departure::ProcessEnded },
                },
                Step::Hook { first, session, arguments, call } => {
                    number += 1;
                    Input::submit(hook_phase_request(number, first, SESSIONS[session], arguments, call))
                }
                Step::CallEnded { session, arguments, call } => Input::CallEnded {
                    session: session_key(SESSIONS[session]),
                    call: call_key(SESSIONS[session], arguments, call),
                },
                Step::TurnEnded { session } => Input::TurnEnded(session_key(SESSIONS[session])),
                Step::Mode { mode, seconds } => {
                    let mode = [Mode::Normal, Mode::AskEverything, Mode::DenyEverything][usize::from(mode)];
                    match seconds {
                        Some(seconds) => Input::PauseUntil(mode, at(now + i64::from(seconds))),
                        None => Input::SetMode(mode),
                    }
                }
                Step::EndSession { session } => Input::EndSession(session_key(SESSIONS[session])),
                Step::Revoke { which } => match gate.grants().get(usize::from(which) % gate.grants().len().max(1)) {
                    Some(grant) => Input::RevokeGrant(grant.id),
                    None => Input::Tick,
                },
                Step::Policy { rules } => Input::SetPolicy(policy(&rules).into()),
                Step::Shutdown => Input::Shutdown,
            };
            second_phases.before(&input, at(now));
            if let Input::Submit { request, .. } = &input { check_unless_asked(&gate, request, at(now)); }
            let reaction = gate.handle(input.clone(), at(now));
            second_phases.after(&gate, &input, &reaction);
            let in_force = gate.policy().clone();
            observer.watch(&gate, &in_force, &reaction, &approvals);
            let open: HashSet<RequestId> = gate.pending().map(|entry| entry.request.id).collect();
            prop_assert_eq!(&open, &observer.presented, "open requests are exactly those on the surfaces");
            prop_assert!(gate.next_deadline().is_none_or(|due| due > at(now)), "something due was left");
        }
    }

    /// A grant never crosses sessions: whatever was granted in one, nothing of it shows in another.
    #[test]
    fn a_grant_never_crosses_sessions(
        tool in 0..3_usize, whole_tool: bool, approve: bool, from in 0..3_usize, to in 0..3_usize,
    ) {
        prop_assume!(from != to);
        let mut gate = Gate::new(Policy::default(), Limits::default());
        gate.handle(Input::submit(in_session(1, SESSIONS[from], TOOLS[tool], "{}")), at(0));
        let decision = if approve { Decision::Approve } else { Decision::Deny };
        let breadth = if whole_tool { Breadth::Tool } else { Breadth::Exact };
        let decision = PersonsDecision { decision, breadth, ..PersonsDecision::approve().with_scope(Scope::Session) };
        gate.handle(Input::Decide { id: id(1), decision, approver: person() }, at(1));
        prop_assert_eq!(gate.grants().len(), 1);
        let effect = if approve { GrantEffect::Approve } else { GrantEffect::Deny };
        prop_assert_eq!(gate.grants()[0].effect, effect);
        gate.handle(Input::submit(in_session(2, SESSIONS[to], TOOLS[tool], "{}")), at(2));
        prop_assert!(gate.entry(id(2)).unwrap().life.outcome.is_none());
    }

    /// A stricter policy never yields a laxer result: raising the action of any one rule or default
    /// never lowers what is decided.
    #[test]
    fn a_stricter_policy_is_never_laxer(
        rules in rules(), which in 0..8_usize, tool in 0..3_usize, risk in proptest::option::of(0..3_u8),
    ) {
        let lax = policy(&rules);
        let mut strict = lax.clone();
        let raise = |action: Action| if action == Action::Allow { Action::Ask } else { Action::Deny };
        match which {
            0 => strict.risk.read_only = raise(strict.risk.read_only),
            1 => strict.risk.write = raise(strict.risk.write),
            2 => strict.risk.destructive = raise(strict.risk.destructive),
            3 => strict.unknown_tools = raise(strict.unknown_tools),
            _ => strict.rules = lax.rules.iter().enumerate().map(|(position, rule)| {
                let action = if position == which - 4 { raise(rule.action) } else { rule.action };
                rule.with_action(action)
            }).collect(),
        }
        let call = Request { declared_risk: risk.map(level), ..in_session(1, "a", TOOLS[tool], "{}") };
        prop_assert!(strict.decide(&call, at(0)).action >= lax.decide(&call, at(0)).action);
    }

    /// Adding a deny at the end never turns a denial or an ask into an approval.
    #[test]
    fn a_further_deny_never_loosens(rules in rules(), pattern in 0..4_usize, tool in 0..3_usize) {
        let before = policy(&rules);
        let mut more = rules;
        more.push((pattern, 2));
        let call = in_session(1, "a", TOOLS[tool], "{}");
        prop_assert!(policy(&more).decide(&call, at(0)).action >= before.decide(&call, at(0)).action);
    }
}
