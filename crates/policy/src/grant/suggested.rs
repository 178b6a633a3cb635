//! Which questions a rule may be suggested for.

use crate::rules::{PartDecision, PolicyDecision};
use crate::{Action, Request, RiskLevel, written_findings};
use handraise_display::FindingKind;
use handraise_shell::risk::classify_part;
use handraise_shell::{ChangesElsewhere, Part, changes};

/// Whether a rule may be suggested that answers the question that `policy` asks about `request`. What a rule asks about,
/// of the person's own or of the preset, is asked about for its own sake: it removes, or decides what runs later. Neither
/// what destroys nor what publishes, reaches credentials or acts later is anything to get used to.
#[must_use]
pub fn may_be_suggested(request: &Request, policy: &PolicyDecision) -> bool {
    let mut commands = request.command.iter().flat_map(|line| &line.parts);
    policy.action == Action::Ask
        && policy.grantable
        && policy.risk.level != RiskLevel::Destructive
        && policy.protection.is_none()
        && policy.parts.iter().all(|part| part.protection.is_none() && !is_asked_by_a_rule(part))
        && written_findings(request, policy.risk.level).iter().all(|(kind, _)| *kind != FindingKind::ActsLater)
        && !commands.any(publishes)
}

/// Whether it changes something on another machine, or sends something there.
fn publishes(part: &Part) -> bool {
    let only_looks = classify_part(part).level == RiskLevel::ReadOnly;
    changes(part, only_looks).elsewhere == ChangesElsewhere::Changes
}

fn is_asked_by_a_rule(part: &PartDecision) -> bool {
    part.action == Action::Ask && part.rule.as_ref().is_some_and(|rule| rule.action == Action::Ask)
}
