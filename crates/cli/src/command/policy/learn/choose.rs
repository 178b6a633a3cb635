//! Few rules that answer many questions.

use std::collections::{BTreeMap, BTreeSet};

use handraise_policy::{Action, Request};
use handraise_server::DryRun;
use jiff::Timestamp;

use super::evidence::Asked;
use super::{Evidence, Suggested, WrittenPolicy};

/// Questions that a rule has to have saved, for each table that it adds.
const MIN_CALLS_PER_RULE: usize = 3;
/// Sessions in which it has to have saved one: what only one session does again and again is over with it.
const MIN_SESSIONS: usize = 2;
/// Rules at most: nobody reads more.
const MAX_SUGGESTIONS: usize = 25;

/// Rules that belong together, each by its text.
type Draft = BTreeSet<String>;

impl Evidence<'_> {
    /// The rules, the most useful first. Each is the one that answers the most questions for its length, given those
    /// before it; one under which a call would pass that a person has refused is left out.
    pub(in crate::command::policy) fn choose(&self, dry_run: &DryRun) -> Vec<Suggested> {
        let mut open: Vec<&Asked> = self.asked.iter().collect();
        let mut unusable: BTreeSet<&Draft> = BTreeSet::new();
        let mut chosen = Draft::new();
        let mut suggested: Vec<Suggested> = Vec::new();
        // The policy after each suggestion.
        let mut policies = vec![self.base.clone()];
        while suggested.len() < MAX_SUGGESTIONS {
            let Some(draft) = best(&open, &chosen, &unusable) else { break };
            let (concerned, others): (Vec<&Asked>, Vec<&Asked>) = open.iter().partition(|asked| concerns(asked, draft));
            // A rule may answer more than the calls that it was made of: those are counted before anything else is.
            let (settled, mut left): (Vec<&Asked>, Vec<&Asked>) = concerned
                .into_iter()
                .partition(|asked| policies.last().is_some_and(|policy| passes(policy, &asked.request)));
            for asked in &settled {
                let by = policies.iter().position(|policy| passes(policy, &asked.request));
                if let Some(one) = by.and_then(|by| suggested.get_mut(by.checked_sub(1)?)) {
                    one.saves += 1;
                }
            }
            if !settled.is_empty() {
                left.extend(others);
                open = left;
                continue;
            }
            let added: Vec<&str> = draft.difference(&chosen).map(String::as_str).collect();
            let rule = added.join("\n");
            let tried = policies.last().and_then(|policy| policy.with(&rule, dry_run));
            let Some(tried) = tried.filter(|tried| self.keeps_refusals(tried)) else {
                unusable.insert(draft);
                continue;
            };
            let (answered, still): (Vec<&Asked>, Vec<&Asked>) =
                left.iter().partition(|asked| passes(&tried, &asked.request));
            let is_enough = answered.len() >= MIN_CALLS_PER_RULE * added.len() && sessions(&answered) >= MIN_SESSIONS;
            let Some(first) = answered.first().filter(|_| is_enough) else {
                unusable.insert(draft);
                continue;
            };
            let example = self.shown.text(&first.request.title());
            suggested.push(Suggested { rule, saves: answered.len() as u64, example });
            chosen.extend(draft.iter().cloned());
            policies.push(tried);
            open = still;
            open.extend(others);
        }
        suggested
    }

    /// Whether nothing passes that a person has refused.
    fn keeps_refusals(&self, policy: &WrittenPolicy) -> bool {
        self.refused.iter().all(|request| !passes(policy, request))
    }
}

fn passes(policy: &WrittenPolicy, request: &Request) -> bool {
    policy.policy.decide(request, Timestamp::UNIX_EPOCH).action == Action::Allow
}

/// Sessions that the calls belong to. A call without one is a session of its own.
fn sessions(calls: &[&Asked]) -> usize {
    let known: BTreeSet<_> = calls.iter().filter_map(|asked| asked.request.session.as_ref()).collect();
    known.len() + calls.iter().filter(|asked| asked.request.session.is_none()).count()
}

/// Whether the prompt would have offered one of these rules for the call.
fn concerns(asked: &Asked, draft: &Draft) -> bool {
    asked.answers.iter().any(|answer| !answer.is_disjoint(draft))
}

/// The draft that answers the most open questions for each rule that it adds to the chosen ones.
fn best<'a>(open: &[&'a Asked], chosen: &Draft, unusable: &BTreeSet<&Draft>) -> Option<&'a Draft> {
    let mut gains: BTreeMap<&Draft, usize> = BTreeMap::new();
    // By the rules that are still missing: a call whose other parts are answered already counts for the rest.
    let mut missing: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for asked in open {
        let mut seen = BTreeSet::new();
        for answer in &asked.answers {
            let lacks: Vec<&str> = answer.difference(chosen).map(String::as_str).collect();
            if !lacks.is_empty() && seen.insert(lacks.clone()) {
                *missing.entry(lacks).or_default() += 1;
                gains.entry(answer).or_default();
            }
        }
    }
    for (draft, gain) in &mut gains {
        let lacks: BTreeSet<&str> = draft.difference(chosen).map(String::as_str).collect();
        *gain = match lacks.len() {
            1 => lacks.first().and_then(|only| missing.get(&vec![*only])).copied().unwrap_or_default(),
            _ => subsets(&missing, &lacks),
        };
    }
    let added = |draft: &Draft| draft.difference(chosen).count().max(1);
    let usable = gains
        .into_iter()
        .filter(|(draft, gain)| !unusable.contains(draft) && *gain >= MIN_CALLS_PER_RULE * added(draft));
    // Of drafts that do the same, the first by its text: the order is the same in every run.
    usable
        .max_by(|(one, gain), (other, other_gain)| {
            (gain * added(other)).cmp(&(other_gain * added(one))).then_with(|| other.cmp(one))
        })
        .map(|(draft, _)| draft)
}

/// Calls that lack nothing but some of `lacks`.
fn subsets(missing: &BTreeMap<Vec<&str>, usize>, lacks: &BTreeSet<&str>) -> usize {
    let within = |rules: &Vec<&str>| rules.iter().all(|rule| lacks.contains(rule));
    missing.iter().filter(|(rules, _)| within(rules)).map(|(_, count)| count).sum()
}
