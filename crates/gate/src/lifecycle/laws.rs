//! Laws that hold for everything that is asked of a person, whatever happens in whatever order. Each is tried on
//! requests and on questions, beside a model that knows nothing but the promises.

use std::collections::{BTreeMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::machine::test_support::{at, person, session_key};
use crate::{
    Gate, Input, Limits, PersonsDecision, QuestionEntry, QuestionId, QuestionInput, QuestionStatus, Questions, Reply,
    Status, machine, question,
};
use handraise_policy::{Policy, Request, RequestId};

const LIMITS: RegistryLimits = RegistryLimits {
    pending: 5,
    pending_per_requester: 3,
    pending_share: 1,
    pending_per_session: 100,
    finished: 6,
    ..RegistryLimits::REQUESTS
};
const REQUESTERS: [&str; 3] = ["a", "b", "c"];

#[derive(Clone, Debug)]
enum Step {
    Ask { requester: usize, key: Option<u8>, session: u8, about: bool, timeout: u8 },
    Answer { which: u8 },
    Cancel { which: u8, requester: usize },
    HangUp { which: u8, departure: bool },
    Keep { which: u8 },
    Wait { seconds: u16 },
    EndSession { session: u8 },
    SetClock { hours: i8 },
    Shutdown,
}

fn step() -> impl Strategy<Value = (Step, bool)> {
    let step = prop_oneof![
        10 => (0..3_usize, proptest::option::of(0..2_u8), 0..2_u8, proptest::bool::weighted(0.8), 1..200_u8)
            .prop_map(|(requester, key, session, about, timeout)| Step::Ask { requester, key, session, about, timeout }),
        4 => any::<u8>().prop_map(|which| Step::Answer { which }),
        2 => (any::<u8>(), 0..3_usize).prop_map(|(which, requester)| Step::Cancel { which, requester }),
        4 => (any::<u8>(), any::<bool>()).prop_map(|(which, departure)| Step::HangUp { which, departure }),
        2 => any::<u8>().prop_map(|which| Step::Keep { which }),
        4 => (0..40_u16).prop_map(|seconds| Step::Wait { seconds }),
        1 => (0..2_000_u16).prop_map(|seconds| Step::Wait { seconds }),
        1 => (0..2_u8).prop_map(|session| Step::EndSession { session }),
        1 => (-30..30_i8).prop_map(|hours| Step::SetClock { hours }),
        1 => Just(Step::Shutdown),
    ];
    // Now and then what follows cannot be recorded.
    (step, proptest::bool::weighted(0.1))
}

/// What is asked: by whom, under which key, in which session, about what, for how many seconds.
struct Asking {
    requester: &'static str,
    key: Option<String>,
    session: String,
    about: bool,
    timeout: u8,
}

type Reaction<Entry> = (Vec<Effect<Entry>>, Option<u128>);

/// What asks a person.
trait Asks {
    type Entry: Asked;
    fn new() -> Self;
    fn ask(&mut self, number: u128, asking: &Asking, now: Timestamp) -> Reaction<Self::Entry>;
    /// A person gives an answer that the agent may act on.
    fn answer(&mut self, number: u128, now: Timestamp) -> Reaction<Self::Entry>;
    fn tell(&mut self, input: LawInput, now: Timestamp) -> Reaction<Self::Entry>;
    fn unrecorded(&mut self, effects: &mut Vec<Effect<Self::Entry>>, now: Timestamp);
    fn clock_moved(&mut self, by: SignedDuration);
    fn next_deadline(&self) -> Option<Timestamp>;
    fn pending(&self) -> Vec<u128>;
    fn number(id: <Self::Entry as Asked>::Id) -> u128;
    fn is_answered(outcome: &<Self::Entry as Asked>::Outcome) -> bool;
}

enum LawInput {
    Cancel(u128, &'static str),
    HangUp(u128, Departure),
    Keep(u128),
    EndSession(String),
    Tick,
    Shutdown,
}

impl Asks for Gate {
    type Entry = crate::Entry;

    fn new() -> Self {
        Self::new(Policy::default(), Limits { requests: LIMITS, ..Limits::default() })
    }

    fn ask(&mut self, number: u128, asking: &Asking, now: Timestamp) -> Reaction<Self::Entry> {
        let arguments = format!("{{\"n\":{}}}", asking.about);
        let request = Request {
            requester: asking.requester.into(),
            idempotency_key: asking.key.clone(),
            timeout_seconds: Some(asking.timeout.into()),
            ..machine::test_support::in_session(number, &asking.session, "edit", &arguments)
        };
        request_reaction(self.handle(Input::submit(request), now))
    }

    fn answer(&mut self, number: u128, now: Timestamp) -> Reaction<Self::Entry> {
        let id = machine::test_support::id(number);
        request_reaction(
            self.handle(Input::Decide { id, decision: PersonsDecision::approve(), approver: person() }, now),
        )
    }

    fn tell(&mut self, told: LawInput, now: Timestamp) -> Reaction<Self::Entry> {
        let id = machine::test_support::id;
        let input = match told {
            LawInput::Cancel(number, requester) => {
                Input::Cancel { id: id(number), requester: requester.into(), reason: "x".into() }
            }
            LawInput::HangUp(number, departure) => Input::HangUp { id: id(number), departure },
            LawInput::Keep(number) => Input::Keep(id(number)),
            LawInput::EndSession(session) => Input::EndSession(session_key(&session)),
            LawInput::Tick => Input::Tick,
            LawInput::Shutdown => Input::Shutdown,
        };
        request_reaction(self.handle(input, now))
    }

    fn unrecorded(&mut self, effects: &mut Vec<Effect<Self::Entry>>, now: Timestamp) {
        self.unrecorded(effects, now);
    }

    fn clock_moved(&mut self, by: SignedDuration) {
        self.clock_moved(by);
    }

    fn next_deadline(&self) -> Option<Timestamp> {
        self.next_deadline()
    }

    fn pending(&self) -> Vec<u128> {
        self.pending().map(|entry| Self::number(entry.id())).collect()
    }

    fn number(id: RequestId) -> u128 {
        id.0.as_u128()
    }

    fn is_answered(outcome: &crate::Outcome) -> bool {
        outcome.status == Status::Approved
    }
}

fn request_reaction(reaction: crate::Reaction) -> Reaction<crate::Entry> {
    let id = match reaction.answer {
        Ok(crate::Acknowledgement::Accepted(id) | crate::Acknowledgement::Joined(id)) => Some(id.0.as_u128()),
        _ => None,
    };
    (reaction.effects, id)
}

impl Asks for Questions {
    type Entry = QuestionEntry;

    fn new() -> Self {
        Self::new(LIMITS)
    }

    fn ask(&mut self, number: u128, asking: &Asking, now: Timestamp) -> Reaction<Self::Entry> {
        let question = crate::Question {
            requester: asking.requester.into(),
            idempotency_key: asking.key.clone(),
            session: Some(session_key(&asking.session)),
            text: asking.about.to_string(),
            timeout_seconds: asking.timeout.into(),
            ..question::tests::question(number)
        };
        question_reaction(self.handle(QuestionInput::Ask(Box::new(question)), now))
    }

    fn answer(&mut self, number: u128, now: Timestamp) -> Reaction<Self::Entry> {
        let reply = Reply::Answer { selected: Vec::new(), custom: Some("words".into()) };
        let input = QuestionInput::Reply { id: question_id(number), reply, approver: person(), refused: None };
        question_reaction(self.handle(input, now))
    }

    fn tell(&mut self, told: LawInput, now: Timestamp) -> Reaction<Self::Entry> {
        let input = match told {
            LawInput::Cancel(number, requester) => {
                QuestionInput::Cancel { id: question_id(number), requester: requester.into() }
            }
            LawInput::HangUp(number, departure) => QuestionInput::HangUp { id: question_id(number), departure },
            LawInput::Keep(number) => QuestionInput::Keep(question_id(number)),
            LawInput::EndSession(session) => QuestionInput::EndSession(session_key(&session)),
            LawInput::Tick => QuestionInput::Tick,
            LawInput::Shutdown => QuestionInput::Shutdown,
        };
        question_reaction(self.handle(input, now))
    }

    fn unrecorded(&mut self, effects: &mut Vec<Effect<Self::Entry>>, now: Timestamp) {
        self.unrecorded(effects, now);
    }

    fn clock_moved(&mut self, by: SignedDuration) {
        self.clock_moved(by);
    }

    fn next_deadline(&self) -> Option<Timestamp> {
        self.next_deadline()
    }

    fn pending(&self) -> Vec<u128> {
        self.pending().map(|entry| Self::number(entry.id())).collect()
    }

    fn number(id: QuestionId) -> u128 {
        id.0.as_u128()
    }

    fn is_answered(outcome: &crate::QuestionOutcome) -> bool {
        outcome.status == QuestionStatus::Answered
    }
}

fn question_id(number: u128) -> QuestionId {
    QuestionId(uuid::Uuid::from_u128(number))
}

fn question_reaction(reaction: crate::QuestionReaction) -> Reaction<QuestionEntry> {
    (reaction.effects, reaction.answer.ok().flatten().map(|id| id.0.as_u128()))
}

/// What is open, as the promises say: until its time is up, 30 seconds beyond its requester if that has a key, and
/// as long as it likes if that was told to come back.
#[derive(Clone, Debug)]
struct Promised {
    requester: &'static str,
    key: Option<String>,
    session: String,
    expires: i64,
    gone_since: Option<i64>,
    is_kept: bool,
}

impl Promised {
    fn is_due(&self, now: i64) -> bool {
        self.expires <= now || self.gone_since.is_some_and(|since| since + 30 <= now)
    }
}

#[derive(Default)]
struct Model {
    open: BTreeMap<u128, Promised>,
    is_closed: bool,
}

impl Model {
    fn has_room_for(&self, requester: &str) -> bool {
        let own = self.open.values().filter(|open| open.requester == requester).count();
        own < LIMITS.pending_per_requester && (self.open.len() < LIMITS.pending || own < LIMITS.pending_share)
    }

    fn keyed(&self, requester: &str, key: &Option<String>) -> Option<u128> {
        let is_it = |open: &Promised| key.is_some() && open.requester == requester && open.key == *key;
        self.open.iter().find(|(_, open)| is_it(open)).map(|(number, _)| *number)
    }
}

fn check<Machine: Asks>(steps: Vec<(Step, bool)>) -> Result<(), TestCaseError> {
    let mut machine = Machine::new();
    let mut model = Model::default();
    let (mut presented, mut ended, mut answered) = (HashSet::new(), HashSet::new(), HashSet::new());
    let (mut now, mut offset, mut number) = (0_i64, 0_i64, 0_u128);
    for (step, is_unrecorded) in steps {
        if let Step::Wait { seconds } = step {
            now += i64::from(seconds);
        }
        if let Step::SetClock { hours } = step {
            offset += i64::from(hours) * 3600;
            machine.clock_moved(SignedDuration::from_hours(hours.into()));
        }
        // What is due comes first.
        model.open.retain(|_, open| !open.is_due(now));
        let time = at(now + offset);
        let one = |which: u8| number.saturating_sub(u128::from(which % 5)).max(1);
        let (mut effects, _) = match step {
            Step::Ask { requester, key, session, about, timeout } => {
                number += 1;
                let key = key.map(|key| key.to_string());
                let asking =
                    Asking { requester: REQUESTERS[requester], key, session: session.to_string(), about, timeout };
                let known = model.keyed(asking.requester, &asking.key);
                let has_room = model.has_room_for(asking.requester);
                let (effects, id) = machine.ask(number, &asking, time);
                prop_assert!(!model.is_closed || id.is_none(), "asked while the program ends");
                match (known, id) {
                    (Some(known), Some(id)) => {
                        prop_assert_eq!(known, id, "one key is one thing");
                        model.open.get_mut(&known).unwrap().gone_since = None;
                        model.open.get_mut(&known).unwrap().is_kept = false;
                    }
                    (None, Some(id)) if id == number => {
                        prop_assert!(has_room, "beyond the limits");
                        let Asking { requester, key, session, .. } = asking;
                        let expires = now + i64::from(timeout);
                        let promised = Promised { requester, key, session, expires, gone_since: None, is_kept: false };
                        model.open.insert(number, promised);
                    }
                    (None, None) if asking.key.is_none() && !model.is_closed => {
                        prop_assert!(!has_room, "refused within the limits");
                    }
                    _ => {}
                }
                (effects, None)
            }
            Step::Answer { which } => {
                if model.open.remove(&one(which)).is_some() {
                    answered.insert(one(which));
                }
                machine.answer(one(which), time)
            }
            Step::Cancel { which, requester } => {
                let requester = REQUESTERS[requester];
                if model.open.get(&one(which)).is_some_and(|open| open.requester == requester) {
                    model.open.remove(&one(which));
                }
                machine.tell(LawInput::Cancel(one(which), requester), time)
            }
            Step::HangUp { which, departure } => {
                match model.open.get_mut(&one(which)) {
                    Some(open) if open.is_kept => {}
                    Some(open) if open.key.is_some() => open.gone_since = open.gone_since.or(Some(now)),
                    _ => drop(model.open.remove(&one(which))),
                }
                let departure = if departure { Departure::ConnectionClosed } else { Departure::ProcessEnded };
                machine.tell(LawInput::HangUp(one(which), departure), time)
            }
            Step::Keep { which } => {
                if let Some(open) = model.open.get_mut(&one(which)) {
                    (open.is_kept, open.gone_since) = (true, None);
                }
                machine.tell(LawInput::Keep(one(which)), time)
            }
            Step::EndSession { session } => {
                // The sessions of these tests belong to one requester, whoever asks.
                model.open.retain(|_, open| open.session != session.to_string());
                machine.tell(LawInput::EndSession(session.to_string()), time)
            }
            Step::Shutdown => {
                (model.is_closed, model.open) = (true, BTreeMap::new());
                machine.tell(LawInput::Shutdown, time)
            }
            Step::Wait { .. } | Step::SetClock { .. } => machine.tell(LawInput::Tick, time),
        };
        if is_unrecorded {
            let has_record = effects.iter().any(|effect| matches!(effect, Effect::Record(_)));
            if has_record {
                machine.unrecorded(&mut effects, time);
                let is_new = |number: &u128| presented.contains(number);
                model.open.retain(|number, _| is_new(number));
            }
        }
        for effect in &effects {
            match effect {
                Effect::Present(id) => prop_assert!(presented.insert(Machine::number(*id)), "presented twice"),
                Effect::Withdraw(id) => drop(presented.remove(&Machine::number(*id))),
                Effect::Resolve(id, outcome) => {
                    let number = Machine::number(*id);
                    prop_assert!(ended.insert(number), "ended twice");
                    prop_assert!(!presented.contains(&number), "ended but still on a surface");
                    let is_answered = Machine::is_answered(outcome);
                    prop_assert!(!is_answered || answered.contains(&number), "answered by nobody");
                    prop_assert!(!(is_answered && is_unrecorded), "an answer that nobody recorded");
                }
                Effect::Record(_) | Effect::LastingEffect(_) => {}
            }
        }
        let open: HashSet<u128> = machine.pending().into_iter().collect();
        prop_assert_eq!(&open, &model.open.keys().copied().collect(), "open is what was promised");
        prop_assert_eq!(&open, &presented, "open is what is on the surfaces");
        prop_assert!(machine.next_deadline().is_none_or(|due| due > time), "something due was left");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 768, ..ProptestConfig::default() })]

    /// Each request is open exactly as long as was promised, on every surface; it ends once, approved only by a
    /// person here, and only where that is recorded.
    #[test]
    fn requests_live_as_promised(steps in proptest::collection::vec(step(), 0..60)) {
        check::<Gate>(steps)?;
    }

    /// The same of questions.
    #[test]
    fn questions_live_as_promised(steps in proptest::collection::vec(step(), 0..60)) {
        check::<Questions>(steps)?;
    }
}
