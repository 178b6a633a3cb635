//! One call in, allow, confine, ask or deny out: policy first, then the grants of the session, then a person.

use jiff::Timestamp;

use super::{Entry, Gate, Mode};
use crate::DecidedBy;
use handraise_policy::grant::{self, Remembered};
use handraise_policy::rules::{DecidedUnder, Foreseen, PolicyDecision};
use handraise_policy::{Action, ChangedTask, Effect, GrantId, Request, Walls, WallsDenial, Widening};
use handraise_shell::Part;

/// What would happen to a call, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The final answer.
    pub action: Action,
    /// What gave it; for [`Action::Ask`] the policy.
    pub decided_by: DecidedBy,
    /// What the policy says.
    pub policy: PolicyDecision,
    /// The grant that settled it.
    pub grant: Option<GrantId>,
    /// The mode that overruled the policy.
    pub mode: Mode,
    /// Tasks that ran something else when a person approved them.
    pub changed_tasks: Vec<ChangedTask>,
    /// What the same walls have denied the same call in this session.
    pub denied_by_walls: Vec<WallsDenial>,
    /// What a person may open to its walls then.
    pub widenings: Vec<Widening>,
}

impl Evaluation {
    /// What happens to `request` by what the policy says, when nothing is remembered.
    #[must_use]
    pub fn by_policy(policy: PolicyDecision, mode: Mode, request: &Request) -> Self {
        let needs_a_person = mode == Mode::AskEverything || request.is_redacted || request.require_approval;
        let action = match policy.action {
            _ if mode == Mode::DenyEverything => Action::Deny,
            Action::Allow | Action::Confine if needs_a_person => Action::Ask,
            action => action,
        };
        let changed_tasks = if action == Action::Ask { policy.changed_tasks(request) } else { Vec::new() };
        Self {
            action,
            decided_by: DecidedBy::Policy,
            policy,
            grant: None,
            mode,
            changed_tasks,
            denied_by_walls: Vec::new(),
            widenings: Vec::new(),
        }
    }

    /// The walls that a person may have the call run inside of, who is asked about it.
    #[must_use]
    pub fn offered_walls(&self) -> Option<&Walls> {
        self.policy.walls_for_a_person().filter(|_| self.action == Action::Ask)
    }

    /// What the call changes, and where, when it passes: without walls where a person lets it pass.
    #[must_use]
    pub fn effect(&self) -> Effect {
        if self.action == Action::Confine { self.policy.effect() } else { self.policy.effect_unconfined() }
    }

    /// The words for a denial that no person gave.
    #[must_use]
    pub fn denial_reason(&self, request: &Request) -> String {
        if self.mode == Mode::DenyEverything {
            return "Handraise is paused and denies everything.".to_owned();
        }
        if self.grant.is_some() {
            return format!("A person has denied `{}` for this session.", request.tool);
        }
        if self.policy.is_held_by_decision_point {
            return self.policy.why.clone();
        }
        let own = self.policy.rule.as_ref().and_then(|rule| rule.reason.clone());
        own.unwrap_or_else(|| format!("Policy denies '{}'", request.tool))
    }

    /// The words for an approval that no person gave.
    #[must_use]
    pub fn approval_reason(&self) -> String {
        if let Some(walls) = self.policy.walls().filter(|_| self.action == Action::Confine) {
            return format!("Runs confined: {}.", walls.sentence());
        }
        match (self.grant, &self.policy.rule) {
            (Some(_), _) => "Approved for this session before.".to_owned(),
            (None, Some(rule)) => format!("Allowed by the rule `{}`.", rule.text()),
            (None, None) => "Allowed by the policy's default.".to_owned(),
        }
    }
}

impl Gate {
    /// What would happen to `request` now. Changes nothing.
    #[must_use]
    pub fn evaluate(&self, request: &Request, now: Timestamp) -> Evaluation {
        self.evaluate_by(self.policy.decide(request, now), request, now)
    }

    /// The same, where a policy has said its part ahead.
    #[must_use]
    pub fn evaluate_as(&self, foreseen: &Foreseen, request: &Request, now: Timestamp) -> Evaluation {
        self.evaluate_foreseen(Some(foreseen), request, now).0
    }

    /// The same, where a policy may have said its part about `request` ahead: a policy's decision takes as long as the
    /// call is large.
    pub(super) fn evaluate_foreseen(
        &self,
        foreseen: Option<&Foreseen>,
        request: &Request,
        now: Timestamp,
    ) -> (Evaluation, Option<DecidedUnder>) {
        let foreseen = foreseen.filter(|foreseen| foreseen.under.holds(&self.policy, now));
        let Foreseen { decision, under } =
            foreseen.cloned().unwrap_or_else(|| Foreseen::new(&self.policy, request, now));
        debug_assert_eq!(decision, self.policy.decide(request, now), "foreseen about another request");
        let said = decision.action;
        let evaluation = self.evaluate_by(decision, request, now);
        // What the walls of an earlier call have turned into a question is not what the policy says.
        let is_as_said = evaluation.policy.action == said;
        (evaluation, is_as_said.then_some(under))
    }

    /// What would happen to the request of `entry` now, and by what the policy's part was decided.
    pub(super) fn evaluate_again(&self, entry: &Entry, now: Timestamp) -> (Evaluation, Option<DecidedUnder>) {
        let foreseen = entry.under.clone().map(|under| Foreseen { decision: entry.evaluation.policy.clone(), under });
        self.evaluate_foreseen(foreseen.as_ref(), &entry.request, now)
    }

    /// What follows for `request` when the policy says `decision`.
    fn evaluate_by(&self, decision: PolicyDecision, request: &Request, now: Timestamp) -> Evaluation {
        let evaluation = Evaluation::by_policy(decision, self.mode, request);
        if evaluation.action == Action::Deny {
            return evaluation;
        }
        let evaluation = self.asked_about_walls(evaluation, request);
        let policy = &evaluation.policy;
        let asked: Vec<&Part> =
            request.understood_command().map(|command| policy.asked_parts(command).collect()).unwrap_or_default();
        // A person who has approved it has seen it without walls.
        let may_allow = matches!(policy.action, Action::Confine | Action::Ask)
            && policy.grantable
            && self.mode == Mode::Normal
            && !request.is_redacted
            && !request.require_approval;
        let by_grant = match grant::look_up(&self.grants, request, &asked, now) {
            // A person's "no" stands even where the policy would let the call pass.
            Remembered::Denied(id) => Some((Action::Deny, id)),
            Remembered::Approved(id) if may_allow => Some((Action::Allow, id)),
            _ => None,
        };
        match by_grant {
            Some((action, id)) => Evaluation { action, decided_by: DecidedBy::Grant, grant: Some(id), ..evaluation },
            None if evaluation.action == Action::Ask => {
                let mut changed_tasks = grant::changed_tasks(&self.grants, request, now);
                // One sentence about each task is enough.
                let calls: Vec<String> = changed_tasks.iter().map(|changed| changed.approved.call.clone()).collect();
                let by_rules = evaluation.changed_tasks.into_iter();
                changed_tasks.extend(by_rules.filter(|changed| !calls.contains(&changed.approved.call)));
                Evaluation { changed_tasks, ..evaluation }
            }
            None => evaluation,
        }
    }
}
