//! A law of a question's own; those that hold for whatever is asked are in `lifecycle/laws.rs`.

use std::collections::HashMap;

use proptest::prelude::*;

use super::tests::{answer, question};
use super::*;
use crate::lifecycle::RegistryLimits;
use crate::machine::test_support::{at, person};

/// One thing that happens, in small numbers so that things meet.
#[derive(Clone, Debug)]
enum Step {
    Ask { custom: bool, timeout: u8 },
    Answer { which: u8, label: u8, words: bool, is_agent: bool },
    Decline { which: u8 },
    Cancel { which: u8 },
    Wait { seconds: u16 },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (any::<bool>(), 1..200_u8).prop_map(|(custom, timeout)| Step::Ask { custom, timeout }),
        6 => (any::<u8>(), 0..5_u8, any::<bool>(), proptest::bool::weighted(0.2))
            .prop_map(|(which, label, words, is_agent)| Step::Answer { which, label, words, is_agent }),
        2 => any::<u8>().prop_map(|which| Step::Decline { which }),
        1 => any::<u8>().prop_map(|which| Step::Cancel { which }),
        3 => (0..2_000_u16).prop_map(|seconds| Step::Wait { seconds }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    /// An answer comes from an explicit input of an approver that is no agent, to that very question, and
    /// says what was said.
    #[test]
    fn nothing_but_a_persons_words_is_an_answer(steps in proptest::collection::vec(step(), 0..60)) {
        let mut questions = Questions::new(RegistryLimits::QUESTIONS);
        let mut said: HashMap<QuestionId, Reply> = HashMap::new();
        let (mut now, mut number) = (0_i64, 0_u128);
        for step in steps {
            let one = |which: u8| QuestionId(Uuid::from_u128(u128::from(which) % number.max(1) + 1));
            let mut saying = None;
            let input = match step {
                Step::Wait { seconds } => { now += i64::from(seconds); QuestionInput::Tick }
                Step::Ask { custom, timeout } => {
                    number += 1;
                    QuestionInput::Ask(Box::new(Question { custom, timeout_seconds: timeout.into(), ..question(number) }))
                }
                Step::Answer { which, label, words, is_agent } => {
                    let label = ["PostgreSQL", "SQLite", "none", "other", ""][usize::from(label)];
                    let reply = answer(&[label], words.then_some("words"));
                    if !is_agent { saying = Some((one(which), reply.clone())); }
                    let refused = is_agent.then_some(Refusal::OwnProcessTree);
                    QuestionInput::Reply { id: one(which), reply, approver: person(), refused }
                }
                Step::Decline { which } => {
                    let reply = Reply::Decline { reason: None };
                    QuestionInput::Reply { id: one(which), reply, approver: person(), refused: None }
                }
                Step::Cancel { which } => QuestionInput::Cancel { id: one(which), requester: "default".into() },
            };
            let reaction = questions.handle(input, at(now));
            if let (Some((id, reply)), Ok(Some(_))) = (saying, &reaction.answer) {
                said.insert(id, reply);
            }
            for effect in &reaction.effects {
                let QuestionEffect::Resolve(id, outcome) = effect else { continue };
                prop_assert!(outcome.status != QuestionStatus::Pending);
                let is_answered = outcome.status == QuestionStatus::Answered;
                prop_assert_eq!(outcome.answer().is_some(), is_answered);
                prop_assert_eq!(outcome.reason.is_none(), is_answered, "the model is told why not");
                if is_answered {
                    let Some(Reply::Answer { selected, custom }) = said.get(id) else { panic!("answered by nobody") };
                    prop_assert_eq!(selected, &outcome.selected);
                    prop_assert_eq!(custom, &outcome.custom);
                }
            }
        }
    }
}
