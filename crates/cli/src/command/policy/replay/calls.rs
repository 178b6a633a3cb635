//! Calls that are replayed more than once.

use std::collections::{BTreeMap, HashSet};

use handraise_agents::PastCall;
use handraise_policy::Request;
use handraise_server::DryRun;
use jiff::Timestamp;

use super::person::Person;
use super::report::Report;
use crate::command::policy::learn::{Evidence, Suggested, WrittenPolicy};
use crate::command::policy::shown::Shown;

/// A call with the request that it makes.
pub(super) struct ReplayedCall {
    /// Without its arguments, which the request has.
    pub(super) call: PastCall,
    /// `None`: the agent asks the person itself.
    pub(super) request: Option<Request>,
}

/// Calls of the past, and which of them are learned from.
#[derive(Default)]
pub(super) struct Calls(Vec<ReplayedCall>);

/// The calls that are learned from, and those on which it is measured.
pub(super) struct Divided<'a> {
    sessions: HashSet<SessionName>,
    pub(super) first: Vec<&'a ReplayedCall>,
    pub(super) rest: Vec<&'a ReplayedCall>,
}

impl Divided<'_> {
    /// Whether nothing is learned from this call.
    pub(super) fn is_of_rest(&self, replayed: &ReplayedCall) -> bool {
        !self.sessions.contains(&session(replayed))
    }
}

/// The name of a session, which its source goes with.
type SessionName = (String, String);

impl Calls {
    pub(super) fn add(&mut self, mut call: PastCall, request: Option<Request>) {
        call.arguments.clear();
        self.0.push(ReplayedCall { call, request });
    }

    /// The first third of each source's sessions: what is learned from. All else is the rest.
    fn first_third(&self) -> HashSet<SessionName> {
        let mut began: BTreeMap<SessionName, Timestamp> = BTreeMap::new();
        for replayed in &self.0 {
            let time = replayed.call.time.unwrap_or(Timestamp::MIN);
            let first = began.entry(session(replayed)).or_insert(time);
            *first = time.min(*first);
        }
        let mut by_source: BTreeMap<&str, Vec<(Timestamp, &SessionName)>> = BTreeMap::new();
        for (name, time) in &began {
            by_source.entry(&name.0).or_default().push((*time, name));
        }
        let mut first = HashSet::new();
        for sessions in by_source.values_mut() {
            sessions.sort();
            first.extend(sessions.iter().take(sessions.len() / 3).map(|(_, name)| (*name).clone()));
        }
        first
    }

    /// The calls divided into those that are learned from, and the rest.
    pub(super) fn divided(&self) -> Divided<'_> {
        let first = self.first_third();
        let (first_calls, rest) = self.0.iter().partition(|replayed| first.contains(&session(replayed)));
        Divided { sessions: first, first: first_calls, rest }
    }

    pub(super) fn all(&self) -> Vec<&ReplayedCall> {
        self.0.iter().collect()
    }
}

fn session(replayed: &ReplayedCall) -> SessionName {
    (replayed.call.source.clone().unwrap_or_default(), replayed.call.session.clone().unwrap_or_default())
}

/// What a policy does with `calls`, with a person who remembers for the session or answers each call: with all of them,
/// and with those that `counts` names.
pub(super) fn replayed(
    calls: &[&ReplayedCall],
    policy: &WrittenPolicy,
    remembers: bool,
    counts: &dyn Fn(&ReplayedCall) -> bool,
) -> (Report, Report) {
    let mut person = Person::new(policy.policy.clone(), remembers);
    let (mut all, mut some) = (Report::default(), Report::default());
    for replayed in calls {
        let answered = replayed.request.as_ref().map(|request| person.submit(request, &replayed.call));
        let counted = counts(replayed).then_some(&mut some);
        for report in std::iter::once(&mut all).chain(counted) {
            match &answered {
                None => report.add_own_question(&replayed.call),
                Some(answered) => report.add(&replayed.call, answered),
            }
        }
    }
    (all, some)
}

/// The rules that `calls` suggest under a policy, and the policy with them.
pub(super) fn learned(
    calls: &[&ReplayedCall],
    policy: &WrittenPolicy,
    dry_run: &DryRun,
    shown: &Shown,
) -> (Vec<Suggested>, WrittenPolicy) {
    let mut evidence = Evidence::new(policy, shown);
    for ReplayedCall { call, request } in calls {
        if let Some(request) = request {
            evidence.add(request.clone(), call.outcome);
        }
    }
    let suggested = evidence.choose(dry_run);
    let rules = suggested.iter().map(|one| one.rule.as_str()).collect::<Vec<_>>().join("\n");
    let with = if suggested.is_empty() { None } else { policy.with(&rules, dry_run) };
    (suggested, with.unwrap_or_else(|| policy.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_third_of_each_sources_sessions_is_learned_from() {
        let mut calls = Calls::default();
        for (source, session, time) in
            [("a", "late", 30), ("a", "early", 10), ("a", "middle", 20), ("a", "early", 40), ("b", "only", 5)]
        {
            let call = PastCall {
                source: Some(source.to_owned()),
                session: Some(session.to_owned()),
                time: Timestamp::from_second(time).ok(),
                ..PastCall::default()
            };
            calls.add(call, None);
        }
        let Divided { first, rest, .. } = calls.divided();
        let names = |calls: &[&ReplayedCall]| {
            calls.iter().map(|replayed| replayed.call.session.clone().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(names(&first), ["early", "early"]);
        assert_eq!(names(&rest), ["late", "middle", "only"]);
    }
}
