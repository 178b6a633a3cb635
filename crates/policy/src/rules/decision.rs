//! What the policy says about a call, and why.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::path::Protection;
use crate::rules::action::Action;
use crate::rules::confine::Walls;
use crate::rules::part_kind::PartKind;
use crate::rules::rule::Rule;
use crate::{Effect, Reach, Risk};
use handraise_shell::{CommandLine, Obstacle, Part};

/// What the policy says about one call, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyDecision {
    /// The answer: the strictest over [`PolicyDecision::parts`].
    pub action: Action,
    /// The rule that gave it, if one did.
    pub rule: Option<Arc<Rule>>,
    /// The risk that the call was judged with.
    pub risk: Risk,
    /// One sentence for a person: why that risk.
    pub risk_sentence: String,
    /// What it changes, and where, should it run without walls.
    pub(crate) effect_unconfined: Effect,
    /// What was judged one by one; of a call that is no command line, the call alone.
    pub parts: Vec<PartDecision>,
    /// Why the command line was not understood.
    pub obstacle: Option<Obstacle>,
    /// Files that no rule and no grant gives away.
    pub protection: Option<Protection>,
    /// The walls that can be put around it, where it is confined or asked about.
    pub(crate) possible_walls: Option<Walls>,
    /// It would run confined, and is asked about instead, for the reason in [`PolicyDecision::why`].
    pub is_unconfined: bool,
    /// The external decision point gave the answer, or gave none, as [`PolicyDecision::why`] says.
    pub is_held_by_decision_point: bool,
    /// Whether a remembered approval may answer in a person's place.
    pub grantable: bool,
    /// One sentence for a person: what gave the answer.
    pub why: String,
}

impl PolicyDecision {
    /// What the call changes, and where. Walls hold it in the project.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.inside_walls(self.effect_unconfined)
    }

    /// What the call changes, and where, should it run without walls.
    #[must_use]
    pub fn effect_unconfined(&self) -> Effect {
        self.effect_unconfined
    }

    /// What `part`, one of [`PolicyDecision::parts`], changes, and where.
    #[must_use]
    pub fn effect_of(&self, part: &PartDecision) -> Effect {
        self.inside_walls(part.effect_unconfined)
    }

    /// The walls that it runs inside of; there for [`Action::Confine`] and nothing else.
    #[must_use]
    pub fn walls(&self) -> Option<&Walls> {
        self.possible_walls.as_ref().filter(|_| self.action == Action::Confine)
    }

    /// The walls that can be put around it, where it is confined or asked about.
    #[must_use]
    pub fn walls_around(&self) -> Option<&Walls> {
        self.possible_walls.as_ref()
    }

    /// The walls that a person may have it run inside of, who is asked about it. None for what surely needs another
    /// machine: inside walls it could only fail.
    #[must_use]
    pub fn walls_for_a_person(&self) -> Option<&Walls> {
        self.possible_walls.as_ref().filter(|_| self.effect_unconfined.reach() != Reach::Outside)
    }

    fn inside_walls(&self, effect: Effect) -> Effect {
        match self.walls() {
            Some(walls) => effect.inside_walls(!walls.hold_in_project()),
            None => effect,
        }
    }

    /// The same with each of its sentences and texts as `change` makes them. Every field is named here, so that a new one
    /// is not forgotten; rules are texts of the person's own file.
    #[must_use]
    pub fn with_texts(self, change: impl Fn(&str) -> String) -> Self {
        let Self {
            action,
            rule,
            risk,
            risk_sentence,
            effect_unconfined,
            parts,
            obstacle,
            protection,
            possible_walls,
            is_unconfined,
            is_held_by_decision_point,
            grantable,
            why,
        } = self;
        let part = |part: PartDecision| PartDecision {
            text: change(&part.text),
            risk_sentence: change(&part.risk_sentence),
            project_code: part.project_code.map(|clause| change(&clause)),
            why: change(&part.why),
            ..part
        };
        Self {
            action,
            rule,
            risk,
            risk_sentence: change(&risk_sentence),
            effect_unconfined,
            parts: parts.into_iter().map(part).collect(),
            obstacle: obstacle.map(|obstacle| obstacle.with_texts(&change)),
            protection,
            possible_walls,
            is_unconfined,
            is_held_by_decision_point,
            grantable,
            why: change(&why),
        }
    }

    /// What is said of the files that no rule gives away, where a person is asked because of them.
    #[must_use]
    pub fn protection_sentence(&self) -> Option<&str> {
        let protection = self.protection?;
        let asks = |part: &&PartDecision| part.protection == Some(protection) && part.action == Action::Ask;
        let part = self.parts.iter().find(asks);
        Some(part.map_or_else(|| protection.sentence(Action::Ask), |part| &part.why))
    }

    /// What the project makes the commands run that a person is asked about, each once, as clauses.
    pub fn project_code(&self) -> impl Iterator<Item = &str> {
        let mut seen = BTreeSet::new();
        let asked = self.parts.iter().filter(|part| part.action == Action::Ask);
        asked.filter_map(|part| part.project_code.as_deref()).filter(move |clause| seen.insert(*clause))
    }

    /// The same call, asked about instead of confined, and `why`.
    #[must_use]
    pub fn asked(self, why: String) -> Self {
        let asked = Self { action: Action::Ask, rule: None, is_unconfined: true, why: why.clone(), ..self };
        asked.without_confined_parts(&why)
    }

    /// The simple commands of `line` that a person is asked about, or would be without walls, each once.
    pub fn asked_parts<'a>(&'a self, line: &'a CommandLine) -> impl Iterator<Item = &'a Part> {
        self.asked_commands(line).map(|(_, part)| part)
    }

    /// The same with the position of each in the line.
    pub fn asked_commands<'a>(&'a self, line: &'a CommandLine) -> impl Iterator<Item = (usize, &'a Part)> {
        line.parts.iter().enumerate().filter_map(|(index, part)| {
            let is_asked = |action: Action| matches!(action, Action::Confine | Action::Ask);
            let asks = |decision: &PartDecision| decision.command == Some(index) && is_asked(decision.action);
            self.parts.iter().any(asks).then_some((index, part))
        })
    }
}

/// What the policy says about one part of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct PartDecision {
    /// What was judged.
    pub kind: PartKind,
    /// Position in the command line's parts of the simple command that it is, or belongs to.
    pub command: Option<usize>,
    /// The simple command, the path, or the tool's name.
    pub text: String,
    /// The answer for this part.
    pub action: Action,
    /// The rule that gave it, if one did.
    pub rule: Option<Arc<Rule>>,
    /// Of what is asked about: the rule that would have decided, did a task run what it holds.
    pub(crate) unheld: Option<Arc<Rule>>,
    /// The risk that the part was judged with.
    pub risk: Risk,
    /// One sentence for a person: why that risk.
    pub risk_sentence: String,
    /// What it changes, and where, should it run without walls.
    pub(crate) effect_unconfined: Effect,
    /// Files that no rule and no grant gives away.
    pub protection: Option<Protection>,
    /// What the project makes it run, as a clause.
    pub project_code: Option<String>,
    /// One sentence for a person: what gave the answer.
    pub why: String,
}
