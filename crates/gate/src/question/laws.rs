//! Laws that hold whatever happens in whatever order.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::tests::{answer, question};
use super::*;
use crate::machine::test_support::{at, person, session_key};

/// One thing that happens, in small numbers so that things meet.
#[derive(Clone, Debug)]
enum Step {
    Ask { session: u8, key: Option<u8>, custom: bool, timeout: u8 },
    Answer { which: u8, label: u8, words: bool, is_agent: bool },
    Decline { which: u8 },
    Cancel { which: u8, own: bool },
    HangUp { which: u8 },
    Wait { seconds: u16 },
    EndSession { session: u8 },
    Unrecorded { which: u8 },
    Shutdown,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..2_u8, proptest::option::of(0..2_u8), any::<bool>(), 1..200_u8)
            .prop_map(|(session, key, custom, timeout)| Step::Ask { session, key, custom, timeout }),
        6 => (any::<u8>(), 0..5_u8, any::<bool>(), proptest::bool::weighted(0.2))
            .prop_map(|(which, label, words, is_agent)| Step::Answer { which, label, words, is_agent }),
        2 => any::<u8>().prop_map(|which| Step::Decline { which }),
        1 => (any::<u8>(), any::<bool>()).prop_map(|(which, own)| Step::Cancel { which, own }),
        2 => any::<u8>().prop_map(|which| Step::HangUp { which }),
        3 => (0..2_000_u16).prop_map(|seconds| Step::Wait { seconds }),
        1 => (0..2_u8).prop_map(|session| Step::EndSession { session }),
        1 => any::<u8>().prop_map(|which| Step::Unrecorded { which }),
        1 => Just(Step::Shutdown),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    /// An answer comes from an explicit input of an approver that is no agent, to that very question, and
    /// says what was said; every question ends at most once, and is withdrawn everywhere when it does.
    #[test]
    fn nothing_but_a_persons_words_is_an_answer(steps in proptest::collection::vec(step(), 0..60)) {
        let mut questions = Questions::new(QuestionLimits::default());
        let mut presented: HashSet<QuestionId> = HashSet::new();
        let mut ended: HashSet<QuestionId> = HashSet::new();
        let mut said: HashMap<QuestionId, Reply> = HashMap::new();
        let (mut now, mut number) = (0_i64, 0_u128);
        for step in steps {
            let one = |which: u8| QuestionId(Uuid::from_u128(u128::from(which) % number.max(1) + 1));
            let mut saying = None;
            let input = match step {
                Step::Wait { seconds } => { now += i64::from(seconds); QuestionInput::Tick }
                Step::Ask { session, key, custom, timeout } => {
                    number += 1;
                    QuestionInput::Ask(Box::new(Question {
                        session: Some(session_key(&session.to_string())),
                        idempotency_key: key.map(|key| key.to_string()),
                        custom,
                        timeout_seconds: timeout.into(),
                        ..question(number)
                    }))
                }
                Step::Answer { which, label, words, is_agent } => {
                    let label = ["PostgreSQL", "SQLite", "none", "other", ""][usize::from(label)];
                    let reply = answer(&[label], words.then_some("words"));
                    if !is_agent { saying = Some((one(which), reply.clone())); }
                    QuestionInput::Reply { id: one(which), reply, approver: person(), refused: is_agent.then_some(Refusal::OwnProcessTree) }
                }
                Step::Decline { which } => {
                    let reply = Reply::Decline { reason: None };
                    QuestionInput::Reply { id: one(which), reply, approver: person(), refused: None }
                }
                Step::Cancel { which, own } => {
                    let requester = if own { "default" } else { "other" };
                    QuestionInput::Cancel { id: one(which), requester: requester.into() }
                }
                Step::HangUp { which } => QuestionInput::HangUp { id: one(which) },
                Step::EndSession { session } => QuestionInput::EndSession(session_key(&session.to_string())),
                Step::Unrecorded { which } => {
                    // As the owner does it: only about what has just been asked or answered.
                    let id = one(which);
                    presented.remove(&id);
                    questions.void(&[id], at(now));
                    QuestionInput::Tick
                }
                Step::Shutdown => QuestionInput::Shutdown,
            };
            let reaction = questions.handle(input, at(now));
            if let (Some((id, reply)), Ok(Some(_))) = (saying, &reaction.answer) {
                said.insert(id, reply);
            }
            for effect in &reaction.effects {
                match effect {
                    QuestionEffect::Present(id) => prop_assert!(presented.insert(*id), "presented twice"),
                    QuestionEffect::Withdraw(id) => { presented.remove(id); }
                    QuestionEffect::Resolve(id, outcome) => {
                        prop_assert!(ended.insert(*id), "ended twice");
                        prop_assert!(!presented.contains(id), "ended but still on a surface");
                        prop_assert!(outcome.status != QuestionStatus::Pending);
                        let is_answered = outcome.status == QuestionStatus::Answered;
                        prop_assert_eq!(outcome.answer().is_some(), is_answered);
                        prop_assert_eq!(outcome.reason.is_none(), is_answered, "the model is told why not");
                        if is_answered {
                            let said = said.get(id);
                            let Some(Reply::Answer { selected, custom }) = said else {
                                panic!("answered by nobody");
                            };
                            prop_assert_eq!(selected, &outcome.selected);
                            prop_assert_eq!(custom, &outcome.custom);
                        }
                    }
                    QuestionEffect::Record(_) => {}
                }
            }
            let open: HashSet<QuestionId> = questions.pending().map(|entry| entry.question.id).collect();
            prop_assert_eq!(&open, &presented, "open questions are exactly those on the surfaces");
            prop_assert!(questions.next_deadline().is_none_or(|due| due > at(now)), "something due was left");
        }
    }
}
