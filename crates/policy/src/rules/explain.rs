//! A decision taken apart: every rule that was looked at, and why it did or did not match.

use std::sync::Arc;

use jiff::Timestamp;

use super::decide::{Tables, targets};
use super::situation::{Call, Situation};
use crate::path::Protection;
use crate::rules::action::Action;
use crate::rules::applies::Applies;
use crate::rules::confine::Walls;
use crate::rules::decision::PartDecision;
use crate::rules::part_kind::PartKind;
use crate::rules::policy::Policy;
use crate::rules::rule_text::RuleText;
use crate::{Effect, Request, Risk};

/// Why the policy says what it says about one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The answer.
    pub action: Action,
    /// The rule that gave it.
    pub rule: Option<RuleText>,
    /// The risk that the call was judged with.
    pub risk: Risk,
    /// One sentence: why that risk.
    pub risk_sentence: String,
    /// What it changes, and where.
    pub effect: Effect,
    /// The project folder that its effects are told with.
    pub project: Option<String>,
    /// Why the command line was not understood.
    pub obstacle: Option<String>,
    /// Files that no rule and no grant gives away.
    pub protection: Option<Protection>,
    /// The walls that it would run inside of.
    pub walls: Option<Walls>,
    /// Whether a remembered approval may answer in a person's place.
    pub grantable: bool,
    /// One sentence: what gave the answer.
    pub why: String,
    /// One sentence: why a table or rule for the agent that the request names does not loosen the answer.
    pub unproved: Option<String>,
    /// What was judged one by one.
    pub parts: Vec<PartExplanation>,
}

/// Why the policy says what it says about one part.
#[derive(Clone, Debug, PartialEq)]
pub struct PartExplanation {
    /// What was judged.
    pub kind: PartKind,
    /// The simple command, the path, or the tool's name.
    pub text: String,
    /// The answer for this part.
    pub action: Action,
    /// The rule that gave it.
    pub rule: Option<RuleText>,
    /// The risk that the part was judged with.
    pub risk: Risk,
    /// One sentence: why that risk.
    pub risk_sentence: String,
    /// What it changes, and where.
    pub effect: Effect,
    /// Files that no rule and no grant gives away.
    pub protection: Option<Protection>,
    /// One sentence: what gave the answer.
    pub why: String,
    /// Every rule that was looked at, in the order of the file.
    pub considered: Vec<ConsideredRule>,
}

/// One rule that was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsideredRule {
    /// The rule.
    pub rule: RuleText,
    /// It matched.
    pub matched: bool,
    /// It gave the answer for this part.
    pub decided: bool,
    /// The first condition that did not hold, in words.
    pub because: Option<String>,
}

impl Policy {
    /// What this policy says about `request` at the time `now`, with every rule that was looked at.
    /// A rule that cannot apply because of what it is about, by its index, is not among them.
    #[must_use]
    pub fn explain(&self, request: &Request, now: Timestamp) -> Explanation {
        let (decision, agent_counts) = self.decide_in_look(request, now);
        let call = Call::new(request, now, agent_counts);
        let tables = self.tables(request, agent_counts);
        let (targets, _) = targets(request);
        let parts: Vec<PartExplanation> = targets
            .into_iter()
            .zip(&decision.parts)
            .map(|(target, part)| {
                let effect = decision.effect_of(part);
                PartExplanation { effect, ..explain_part(tables, &self.situation(&call, target), part) }
            })
            .collect();
        let (effect, walls) = (decision.effect(), decision.walls().cloned());
        let deciding = parts.iter().find(|part| part.action == decision.action).and_then(|part| part.rule.clone());
        Explanation {
            action: decision.action,
            rule: deciding.filter(|_| decision.rule.is_some()),
            risk: decision.risk,
            risk_sentence: decision.risk_sentence,
            effect,
            project: request.project.clone(),
            obstacle: decision.obstacle.map(|obstacle| obstacle.to_string()),
            protection: decision.protection,
            walls,
            grantable: decision.grantable,
            why: decision.why,
            unproved: self.unproved(request),
            parts,
        }
    }

    /// Why what is said about the agent of `request` can only make the answer stricter.
    fn unproved(&self, request: &Request) -> Option<String> {
        let agent = request.agent.as_ref().filter(|agent| !agent.verified)?;
        let what = if self.agents.contains_key(&agent.name) {
            format!("The table [agent.{}]", agent.name)
        } else if self.rules.depends_on_agent() {
            "A rule with `agents`".to_owned()
        } else {
            return None;
        };
        Some(format!(
            "{what} can only make the answer stricter here: the credential of this request does not prove that it comes \
             from `{0}`. A credential that you make under the name `{0}` does.",
            agent.name
        ))
    }
}

fn explain_part(tables: Tables<'_>, situation: &Situation<'_>, part: &PartDecision) -> PartExplanation {
    let winner = tables.winner(situation);
    let considered: Vec<ConsideredRule> = tables
        .candidates(situation)
        .into_iter()
        .map(|(rule, agent)| {
            let applies = rule.apply(situation);
            let because = match applies {
                Applies::Yes => None,
                Applies::Perhaps => {
                    Some("it may apply: it cannot be told all that this runs or which files it is about".to_owned())
                }
                Applies::No(miss) => Some(miss.words(rule, situation)),
            };
            ConsideredRule {
                rule: rule.shown(agent),
                matched: !matches!(applies, Applies::No(_)),
                decided: winner.as_ref().is_some_and(|winner| Arc::ptr_eq(winner.rule, rule)),
                because,
            }
        })
        .collect();
    let deciding = considered.iter().find(|considered| considered.decided);
    PartExplanation {
        kind: part.kind,
        text: part.text.clone(),
        action: part.action,
        rule: part.rule.as_ref().and(deciding).map(|considered| considered.rule.clone()),
        risk: part.risk,
        risk_sentence: part.risk_sentence.clone(),
        effect: part.effect_unconfined,
        protection: part.protection,
        why: part.why.clone(),
        considered,
    }
}
