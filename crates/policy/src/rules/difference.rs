//! What a change of the policy does, for the person who confirms it.

use std::collections::HashMap;

use handraise_redaction::{UserKey, UserPattern};

use crate::rules::action::Action;
use crate::rules::in_force::{PolicyDifference, SettingChange};
use crate::rules::policy::Policy;
use crate::rules::rule_text::RuleText;

/// What the step from `old` to `new` changes, and whether anything may pass that did not before.
///
/// In doubt it loosens: a rule that was moved, a question in front of which there is a denial.
#[must_use]
pub fn difference(old: &Policy, new: &Policy) -> PolicyDifference {
    let (old_rules, new_rules) = (rules(old), rules(new));
    let added = without(&new_rules, &old_rules);
    let removed = without(&old_rules, &new_rules);
    let moved = moved(&without(&old_rules, &removed), &without(&new_rules, &added));
    let settings = settings(old, new);
    let denies =
        new_rules.iter().any(|rule| rule.action == Action::Deny) || actions(new).any(|(_, a)| a == Action::Deny);
    // What confines loosens like what allows, where it was asked.
    let adds = |rule: &RuleText| rule.action < Action::Ask || (rule.action == Action::Ask && denies);
    let loosens = added.iter().any(adds)
        || removed.iter().any(|rule| rule.action != Action::Allow)
        || !moved.is_empty()
        || settings.iter().any(|(_, loosens)| *loosens);
    let settings = settings.into_iter().map(|(change, _)| change).collect();
    PolicyDifference { added, removed, moved, settings, loosens }
}

/// Every rule, the general ones first.
fn rules(policy: &Policy) -> Vec<RuleText> {
    let general = policy.rules.iter().map(|rule| rule.shown(None));
    let special =
        policy.agents.iter().flat_map(|(name, table)| table.rules.iter().map(move |rule| rule.shown(Some(name))));
    general.chain(special).collect()
}

/// What makes two rules the same: not their words for why, and not their line.
fn key(rule: &RuleText) -> (Option<&str>, &str, Action, bool) {
    (rule.agent.as_deref(), &rule.text, rule.action, rule.is_final)
}

/// Those of `rules` that `others` has not, each as often as it has it more.
fn without(rules: &[RuleText], others: &[RuleText]) -> Vec<RuleText> {
    let mut left: HashMap<_, usize> = HashMap::new();
    for other in others {
        *left.entry(key(other)).or_default() += 1;
    }
    let mut more = Vec::new();
    for rule in rules {
        match left.get_mut(&key(rule)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => more.push(rule.clone()),
        }
    }
    more
}

/// Rules of two lists of the same rules that stand at another place. Two rules with the same action
/// may change places: the last match decides the same.
fn moved(old: &[RuleText], new: &[RuleText]) -> Vec<RuleText> {
    let same_actions = old.iter().zip(new).all(|(one, other)| (&one.agent, one.action) == (&other.agent, other.action));
    let pairs = old.iter().zip(new).filter(|(one, other)| key(one) != key(other));
    if same_actions { Vec::new() } else { pairs.map(|(_, rule)| rule.clone()).collect() }
}

/// Every setting that is an action, by its key, as it is in effect.
fn actions(policy: &Policy) -> impl Iterator<Item = (String, Action)> {
    let of = |prefix: &str, risk: super::RiskActions| {
        [("read_only", risk.read_only), ("write", risk.write), ("destructive", risk.destructive)]
            .map(|(key, action)| (format!("{prefix}risk.{key}"), action))
    };
    let general = of("", policy.risk).into_iter().chain([("unknown_tools".to_owned(), policy.unknown_tools)]);
    let special =
        policy.agents.iter().flat_map(move |(name, table)| of(&format!("agent.{name}."), table.risk.over(policy.risk)));
    general.chain(special)
}

/// Settings with another value, and whether it loosens.
fn settings(old: &Policy, new: &Policy) -> Vec<(SettingChange, bool)> {
    let mut changes = Vec::new();
    let old_actions: HashMap<String, Action> = actions(old).collect();
    let general = |policy: &Policy, key: &str| {
        let level = key.rsplit('.').next().unwrap_or_default();
        actions(policy).find(|(known, _)| known.rsplit('.').next() == Some(level)).map(|(_, action)| action)
    };
    for (key, now) in actions(new) {
        // A table that is new changes what was general for its agent.
        let before = old_actions.get(&key).copied().or_else(|| general(old, &key));
        if let Some(before) = before.filter(|before| *before != now) {
            changes.push((change(&key, word(before), word(now)), now < before));
        }
    }
    let new_keys: Vec<String> = actions(new).map(|(key, _)| key).collect();
    for (key, before) in actions(old).filter(|(key, _)| !new_keys.contains(key)) {
        if let Some(now) = general(new, &key).filter(|now| *now != before) {
            changes.push((change(&key, word(before), word(now)), now < before));
        }
    }
    if old.timeout_seconds != new.timeout_seconds {
        let seconds = |policy: &Policy| format!("{}s", policy.timeout_seconds);
        changes.push((change("timeout", &seconds(old), &seconds(new)), false));
    }
    for name in old.agents.keys().chain(new.agents.keys().filter(|name| !old.agents.contains_key(*name))) {
        let timeout = |policy: &Policy| policy.agents.get(name).and_then(|table| table.timeout_seconds);
        if timeout(old) != timeout(new) {
            let shown = |policy: &Policy| timeout(policy).map(|seconds| format!("{seconds}s")).unwrap_or_default();
            changes.push((change(&format!("agent.{name}.timeout"), &shown(old), &shown(new)), false));
        }
    }
    if old.trusted_servers != new.trusted_servers {
        let more = new.trusted_servers.iter().any(|server| !old.trusted_servers.contains(server));
        let shown = |policy: &Policy| policy.trusted_servers.join(", ");
        changes.push((change("trusted_servers", &shown(old), &shown(new)), more));
    }
    if old.confine != new.confine {
        let wider = old.confine.narrowed(&new.confine) != new.confine;
        changes.push((change("confine", &old.confine.text(), &new.confine.text()), wider));
    }
    if old.authzen != new.authzen {
        let shown = |policy: &Policy| match &policy.authzen {
            Some(point) => format!("{} ({}s)", point.url, point.timeout_seconds),
            None => String::new(),
        };
        // Calls go somewhere else then, and somebody else may deny them, or nobody.
        changes.push((change("authzen", &shown(old), &shown(new)), true));
    }
    if old.opentelemetry != new.opentelemetry {
        let shown =
            |policy: &Policy| policy.opentelemetry.as_ref().map(|target| target.url.clone()).unwrap_or_default();
        changes.push((change("opentelemetry", &shown(old), &shown(new)), new.opentelemetry.is_some()));
    }
    if old.redaction != new.redaction {
        let patterns = |policy: &Policy| policy.redaction.patterns.clone();
        let less = old.redaction.keys.iter().any(|key| !new.redaction.keys.contains(key))
            || patterns(old).iter().any(|pattern| !patterns(new).contains(pattern));
        let shown = |policy: &Policy| {
            let names = policy.redaction.patterns.iter().map(UserPattern::name);
            policy.redaction.keys.iter().map(UserKey::text).chain(names).collect::<Vec<_>>().join(", ")
        };
        changes.push((change("redaction", &shown(old), &shown(new)), less));
    }
    changes
}

fn change(key: &str, old: &str, new: &str) -> SettingChange {
    SettingChange { key: key.to_owned(), old: old.to_owned(), new: new.to_owned() }
}

fn word(action: Action) -> &'static str {
    match action {
        Action::Allow => "allow",
        Action::Confine => "confine",
        Action::Ask => "ask",
        Action::Deny => "deny",
    }
}
