//! Rules that would have spared a person some questions.

use std::collections::BTreeMap;

use handraise_gate::{Entry, Evaluation};
use handraise_policy::{Breadth, Scope, may_be_suggested, rule_from_approval};
use handraise_protocol::{ApprovalResult, DecidedBy, PreviewRequest, Problem, Status, Suggestion, Suggestions};

use super::Engine;
use super::history::PastCalls;
use super::preview::checked_calls;
use crate::audit::StoredRequest;
use crate::prepare::{Known, LoggedCall};

/// Approvals of one kind before a rule is suggested.
pub(super) const OFTEN: u32 = 3;
/// Rules that are tried, those with the most approvals first.
const TRIED: usize = 10;

/// How many calls of the past a person approved that a rule would have answered, by its TOML text.
type Approvals = BTreeMap<String, u32>;

impl Engine {
    /// Rules for what a person has approved at least three times in the last `calls` calls and never
    /// denied, and what each would have done. They are made as those of an answer "always": exactly the
    /// call, or its commands with open operands where that is known to be harmless.
    ///
    /// # Errors
    /// When the audit log cannot be read.
    pub async fn suggest_rules(&self, calls: Option<u32>) -> Result<Suggestions, Problem> {
        let calls = checked_calls(calls)?;
        let mut suggestions: Vec<Suggestion> = Vec::new();
        for rule in often(self.approvals(calls).await?) {
            let request = PreviewRequest { rule: rule.clone(), calls: Some(calls) };
            // A rule that cannot be used as the policy stands is none to suggest.
            let Ok(preview) = self.preview_rule(request).await else { continue };
            let is_wanted = preview.denied_by_person_count == 0 && preview.approved_by_person >= OFTEN;
            // The narrower one of two that do the same comes first, and is enough.
            let is_new = suggestions.iter().all(|known| known.preview.examples != preview.examples);
            if is_wanted && is_new && preview.would_allow > 0 {
                suggestions.push(Suggestion { rule, preview });
            }
        }
        suggestions.sort_by_key(|suggestion| std::cmp::Reverse(suggestion.preview.approved_by_person));
        let widenings = self.suggest_widenings(calls).await?;
        Ok(Suggestions { suggestions, widenings })
    }

    async fn approvals(&self, calls: u32) -> Result<Approvals, Problem> {
        let mut approvals = Approvals::new();
        let mut past = PastCalls::latest(calls);
        while let Some(calls) = past.next(self).await? {
            let approved = |result: &ApprovalResult| {
                result.status == Status::Approved && result.decided_by == Some(DecidedBy::Person)
            };
            let rows: Vec<StoredRequest> = calls.into_iter().filter(|stored| approved(&stored.result)).collect();
            for rules in self.preparer.past(rows, rules_for).await?.into_iter().flatten() {
                rules.into_iter().for_each(|rule| *approvals.entry(rule).or_default() += 1);
            }
        }
        Ok(approvals)
    }
}

/// The rules that an answer "always" to this call would have made.
fn rules_for(call: LoggedCall<'_>, known: &Known) -> Vec<String> {
    let policy = known.policy.decide_alone(&call.entry.request, call.now());
    // What is asked about today, and may be answered by a rule; of the whole call, not of what is left when its secrets are out.
    if !may_be_suggested(&call.entry.request, &policy) || call.entry.request.is_redacted {
        return Vec::new();
    }
    let Entry { request, evaluation, .. } = call.entry;
    let evaluation = Evaluation { policy, ..evaluation };
    let drafts = [Breadth::Exact, Breadth::Prefix].into_iter();
    let drafts = drafts.filter_map(|breadth| rule_from_approval(&request, &evaluation.policy, breadth, Scope::Always));
    drafts.map(|draft| draft.toml).filter(|rule| known.redactor.text(rule) == *rule).collect()
}

/// The rules to try: the most approvals first, and of those with as many the ones without open operands.
fn often(approvals: Approvals) -> Vec<String> {
    let mut often: Vec<(String, u32)> = approvals.into_iter().filter(|(_, count)| *count >= OFTEN).collect();
    often.sort_by(|(rule, count), (other, other_count)| {
        other_count.cmp(count).then(rule.contains(" *").cmp(&other.contains(" *"))).then(rule.cmp(other))
    });
    often.truncate(TRIED);
    often.into_iter().map(|(rule, _)| rule).collect()
}
