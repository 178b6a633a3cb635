//! Every part of a call judged alone; the strictest answer wins.

use std::sync::Arc;

use jiff::Timestamp;

use super::floor::floor;
use super::protection::Guard;
use super::situation::{Call, Outdated, Situation, Target, changes_only_folder, goes_nowhere};
use super::unheld::{unheld, unheld_sentence};
use crate::path::Protection;
use crate::project_code::foreign_code;
use crate::risk::{Classification, classify_part};
use crate::rules::action::{Action, PartialRiskActions, RiskActions};
use crate::rules::applies::Applies;
use crate::rules::confine::Walls;
use crate::rules::decision::{PartDecision, PolicyDecision};
use crate::rules::policy::{AgentPolicy, Policy};
use crate::rules::rule::Rule;
use crate::rules::rule_set::RuleSet;
use crate::{AssessedRisk, Effect, Request, Risk, RiskBasis, RiskLevel, Sources, ToolClass, assess};
use handraise_display::has_hidden;
use handraise_shell::{CommandLine, Obstacle, Part};

/// The tables that count for one call.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    policy: &'a Policy,
    /// The table of the agent, with its name.
    pub(super) agent: Option<(&'a str, &'a AgentPolicy)>,
    /// Rules of the preset that confine apply.
    has_walls: bool,
}

/// What gave the answer for one part.
#[derive(Clone, Copy)]
pub(super) struct Winner<'a> {
    pub(super) rule: &'a Arc<Rule>,
    /// The rule's own action; no stricter than [`Action::Ask`] where nobody can tell whether it applies.
    action: Action,
    is_certain: bool,
}

impl Policy {
    /// What this policy says about `request` at the time `now`.
    ///
    /// The name of an agent that is only claimed can make the answer stricter, never laxer: the call
    /// is judged with and without it, and the stricter answer counts.
    #[must_use]
    pub fn decide(&self, request: &Request, now: Timestamp) -> PolicyDecision {
        self.decide_in_look(request, now).0
    }

    /// The same, with whether the agent's name counted in the look that decided.
    pub(super) fn decide_in_look(&self, request: &Request, now: Timestamp) -> (PolicyDecision, bool) {
        let Some(agent) = &request.agent else { return (self.look(request, now, false), false) };
        let depends = self.rules.depends_on_agent() || self.agents.contains_key(&agent.name);
        if agent.verified || !depends {
            return (self.look(request, now, true), true);
        }
        let (without, with) = (self.look(request, now, false), self.look(request, now, true));
        let counts = with.action > without.action;
        (without.stricter(with), counts)
    }

    /// One look at the call, in which the agent's name counts or does not.
    fn look(&self, request: &Request, now: Timestamp, agent_counts: bool) -> PolicyDecision {
        let call = Call::new(request, now, agent_counts);
        let tables = self.tables(request, agent_counts);
        let (targets, obstacle) = targets(request);
        let judged = |tables: Tables<'_>| -> Vec<PartDecision> {
            targets.iter().map(|target| tables.judge(&self.situation(&call, *target))).collect()
        };
        let parts = judged(tables);
        let opens = obstacle.as_ref().is_some_and(Obstacle::holds_back);
        let doubt = doubt(request);
        // What nobody could look at is asked about for its own sake.
        let walls = doubt.is_none().then_some(|| self.confine.walls_for(request));
        // Where no walls can be put up, what the preset lets pass without them does.
        let is_confined = || parts.iter().map(|part| part.action).max() == Some(Action::Confine);
        let without = walls.as_ref().filter(|_| is_confined()).filter(|walls| walls().is_err());
        let without = without.map(|_| judged(Tables { has_walls: false, ..tables }));
        let passes = |parts: &Vec<PartDecision>| parts.iter().all(|part| part.action == Action::Allow);
        let parts = without.filter(passes).unwrap_or(parts);
        let decision = PolicyDecision::over(parts, obstacle).held_back(doubt).confined(walls);
        // What comes later is no part of what was shown, so no answer is remembered for it.
        let is_seen = request.unseen.is_none();
        let decision = PolicyDecision { grantable: decision.grantable && !opens && is_seen, ..decision };
        if is_seen { decision } else { decision.without_undo() }
    }

    /// One part of `call`, with its risk.
    pub(super) fn situation<'a>(&self, call: &'a Call<'a>, target: Target<'a>) -> Situation<'a> {
        let risk = self.risk_in(call, target);
        let Target::Command(part) = target else { return Situation::new(call, target, risk, None) };
        let foreign = foreign_code(call.request, part);
        let risk = match foreign.as_ref().filter(|foreign| foreign.only_looks) {
            Some(foreign) => {
                let raised = Classification::new(RiskLevel::Write, foreign.clause.as_str());
                risk.or_raised((raised, RiskBasis::Command))
            }
            None => risk,
        };
        Situation::new(call, target, risk, foreign.map(|foreign| foreign.clause))
    }

    /// The risk of one part, with what it does together with its neighbours.
    fn risk_in(&self, call: &Call<'_>, target: Target<'_>) -> AssessedRisk {
        let alone = self.risk_of(call.request, target);
        match (target, call.together()) {
            (Target::Command(_), Some(together)) if alone.risk.level > RiskLevel::ReadOnly => {
                alone.or_raised((together.clone(), RiskBasis::Command))
            }
            _ => alone,
        }
    }

    /// The risk of one part alone. A redirection's own is known; a simple command has its own level and
    /// what is known about the whole call.
    fn risk_of(&self, request: &Request, target: Target<'_>) -> AssessedRisk {
        let own = |level| AssessedRisk { risk: Risk { level, basis: RiskBasis::Command }, because: None };
        let alone;
        let command = match target {
            Target::Read(..) => return own(RiskLevel::ReadOnly),
            Target::Write(_, word) => {
                let found = classify_part(&Part { writes: vec![word.clone()], ..Part::default() });
                return own(found.level.max(RiskLevel::Write));
            }
            Target::Call => request.command.as_ref(),
            Target::Line(line) => line,
            Target::Command(part) => {
                let bare = part.without_writes().into_owned();
                alone = CommandLine { text: part.text.clone(), parts: vec![bare], flat: Vec::new(), obstacle: None };
                Some(&alone)
            }
        };
        assess(&Sources {
            declared: request.declared_risk,
            annotations: request.annotations,
            tool_table: request.table_risk,
            command,
            arguments: &request.arguments,
            class: request.class,
            server_trusted: self.trusts_server_of(request),
        })
    }

    /// Whether a person has marked the server of the tool of `request` as trusted.
    fn trusts_server_of(&self, request: &Request) -> bool {
        request.server.as_ref().is_some_and(|server| self.trusted_servers.contains(server))
    }

    /// The tables that count for `request`.
    pub(super) fn tables(&self, request: &Request, agent_counts: bool) -> Tables<'_> {
        let name = request.agent_name().filter(|_| agent_counts);
        let agent = name.and_then(|name| self.agents.get_key_value(name));
        Tables { policy: self, agent: agent.map(|(name, table)| (name.as_str(), table)), has_walls: true }
    }
}

/// What of `request` is judged by itself, and why its command line was not understood.
pub(super) fn targets(request: &Request) -> (Vec<Target<'_>>, Option<Obstacle>) {
    if request.class != ToolClass::Shell {
        return (vec![Target::Call], None);
    }
    let Some(line) = &request.command else { return (vec![Target::Line(None)], Some(Obstacle::NotAnalysed)) };
    let mut targets = Vec::new();
    if line.obstacle.is_some() || line.parts.is_empty() {
        targets.push(Target::Line(Some(line)));
    }
    for part in &line.parts {
        let only_redirects = part.words.is_empty() && part.assignments.is_empty() && !part.writes.is_empty();
        if !only_redirects {
            targets.push(Target::Command(part));
        }
        let counts = |word: &&_| !goes_nowhere(part, word);
        targets.extend(part.writes.iter().filter(counts).map(|word| Target::Write(part, word)));
        targets.extend(part.reads.iter().filter(counts).map(|word| Target::Read(part, word)));
    }
    (targets, line.obstacle.clone())
}

/// Why nothing can allow the call, whatever it is.
fn doubt(request: &Request) -> Option<String> {
    let odd = request.unseen.as_deref().map(unseen_sentence).or_else(|| odd_text(request).map(str::to_owned));
    let obstacle = || request.command.as_ref()?.obstacle.as_ref().filter(|obstacle| obstacle.holds_back());
    odd.or_else(|| obstacle().map(|obstacle| format!("Only a person lets it pass: {obstacle}.")))
}

fn unseen_sentence(why: &str) -> String {
    format!("Only a person lets it pass: {why}.")
}

/// What of its text nobody can look at.
fn odd_text(request: &Request) -> Option<&'static str> {
    // First, because it spares the others.
    if request.command.as_ref().is_some_and(|command| !command.is_searched_whole()) {
        return Some("It is too long to be looked at whole.");
    }
    let paths = || request.named_paths();
    let hidden = |text: &str| has_hidden(text);
    let line = request.command.as_ref().map(|command| command.text.as_str());
    if hidden(&request.tool) || request.server.as_deref().is_some_and(hidden) || line.is_some_and(hidden) {
        return Some("It contains characters that cannot be seen.");
    }
    if paths().iter().any(|path| hidden(path)) {
        return Some("It names a path with characters that cannot be seen.");
    }
    request.names_too_many_paths().then_some("It names more paths than are looked at.")
}

impl<'a> Tables<'a> {
    /// The answer for one part.
    fn judge(self, situation: &Situation<'_>) -> PartDecision {
        let guard = self.policy.protections.guard(situation);
        let winner = self.winner(situation);
        let part = self.part(situation, winner, guard);
        if part.action == Action::Allow
            && let Some(outdated) = situation.outdated().filter(|outdated| !self.means_all_code(&part, outdated))
        {
            let is_held = self.puts_walls_up() && !outdated.talks;
            let action = if is_held { Action::Confine } else { Action::Ask };
            let why = format!(
                "An earlier part of the line may bring files, so that nobody can tell yet {}.",
                outdated.clause
            );
            return PartDecision { action, rule: None, why, ..part };
        }
        // What runs beside it inside walls may lead it elsewhere.
        if part.action == Action::Allow && self.puts_walls_up() && situation.turns_back() {
            return PartDecision { action: Action::Confine, rule: None, why: TURNS_BACK.to_owned(), ..part };
        }
        part
    }

    /// Whether what a project makes a program run passes in any case, as `autonomous` lets it.
    fn means_all_code(self, part: &PartDecision, outdated: &Outdated) -> bool {
        let defaults = self.agent.map_or(self.policy.risk, |(_, table)| table.risk.over(self.policy.risk));
        outdated.is_code && part.rule.is_none() && defaults.write == Action::Allow
    }

    /// Whether any call runs inside walls without a question.
    fn puts_walls_up(self) -> bool {
        let by_risk = |risk: RiskActions| [risk.read_only, risk.write, risk.destructive].contains(&Action::Confine);
        let by_agent = self
            .policy
            .agents
            .values()
            .any(|agent| agent.rules.confines() || by_risk(agent.risk.over(self.policy.risk)));
        self.policy.rules.confines() || by_risk(self.policy.risk) || by_agent
    }

    /// The answer that `winner` and `guard` give.
    pub(super) fn part(
        self,
        situation: &Situation<'_>,
        winner: Option<Winner<'a>>,
        guard: Option<Guard>,
    ) -> PartDecision {
        let usual = self.default_action(situation);
        // A rule that surely applies loosens it, and walls hold what it is about.
        let undecided = usual == Action::Allow && winner.is_none_or(|winner| !winner.is_certain);
        let floor = undecided.then(|| floor(situation)).flatten();
        let default = if floor.is_some() { Action::Ask } else { usual };
        // Where a rule may not apply, the default may; its reason is the better one where a preset's rule adds nothing.
        let adds = |winner: &Winner<'_>| winner.action > default || !winner.rule.is_of_preset();
        let winner = winner.filter(|winner| winner.is_certain || winner.action >= default && adds(winner));
        // A rule for a command says nothing about what a project makes that command run.
        let unsaid = winner.filter(|winner| winner.action == Action::Allow && winner.rule.is_for_command());
        let unsaid = unsaid.and_then(|winner| Some((winner, winner.rule.uncovered_project_code(situation)?)));
        let (action, why) = match (&unsaid, winner) {
            (Some((winner, clause)), _) => {
                (Action::Ask, format!("The rule {} does not say that {clause}.", winner.rule.name()))
            }
            (None, Some(winner)) => (winner.action, winner.sentence()),
            (None, None) => (default, floor.unwrap_or_else(|| default_sentence(situation))),
        };
        let unheld = if action == Action::Ask { self.unheld(situation) } else { None };
        let why = unheld.and_then(|rule| unheld_sentence(rule, situation)).unwrap_or(why);
        let winner = winner.filter(|_| unsaid.is_none());
        let spelled = |winner: Winner<'_>| winner.action == Action::Allow && winner.rule.spells_credentials(situation);
        let given = guard.filter(|guard| guard.protection == Protection::Credential).and(winner).is_some_and(spelled);
        let part = PartDecision {
            kind: situation.kind(),
            command: situation.command(),
            text: situation.text(),
            action,
            rule: winner.map(|winner| Arc::clone(winner.rule)),
            unheld: unheld.map(Arc::clone),
            risk: situation.risk,
            risk_sentence: situation.risk_sentence.clone(),
            effect_unconfined: situation.effect(self.policy.trusts_server_of(situation.call.request)),
            protection: guard.filter(|_| !given).map(|guard| guard.protection),
            project_code: situation.project_code.clone(),
            why,
        };
        match guard.filter(|_| !given) {
            Some(guard) if guard.action >= action => {
                let own = guard.action > action || guard.action == Action::Deny;
                let rule = part.rule.clone().filter(|_| !own);
                PartDecision { action: guard.action, rule, why: guard.sentence().to_owned(), ..part }
            }
            _ => part,
        }
    }

    /// The rule that would have decided, did a task run what it holds.
    fn unheld(self, situation: &Situation<'_>) -> Option<&'a Arc<Rule>> {
        let tables = [Some(&self.policy.rules), self.agent.map(|(_, table)| &table.rules)];
        let holds_tasks = tables.into_iter().flatten().any(RuleSet::holds_tasks);
        holds_tasks.then(|| unheld(self.candidates(situation).into_iter().map(|(rule, _)| rule), situation)).flatten()
    }

    /// Everything that was looked at for one part, in order.
    pub(super) fn candidates(self, situation: &Situation<'_>) -> Vec<(&'a Arc<Rule>, Option<&'a str>)> {
        let general = self.policy.rules.candidates(situation).into_iter().map(|rule| (rule, None));
        let special = self.agent.into_iter().flat_map(|(name, table)| {
            table.rules.candidates(situation).into_iter().map(move |rule| (rule, Some(name)))
        });
        general.chain(special).collect()
    }

    /// The last rule that applies, or a stricter final one. A rule of which nobody can tell whether
    /// it applies makes the answer no laxer than to ask, and no laxer than without it. One of a preset does not
    /// where another confines: the walls hold whatever the call may be.
    pub(super) fn winner(self, situation: &Situation<'_>) -> Option<Winner<'a>> {
        let stricter = |one: Option<Winner<'a>>, other: Option<Winner<'a>>| match (one, other) {
            (Some(one), Some(other)) => Some(if other.action > one.action { other } else { one }),
            (one, other) => one.or(other),
        };
        let mut last: Option<Winner<'a>> = None;
        let mut uncertain: Option<Winner<'a>> = None;
        let mut uncertain_of_preset: Option<Winner<'a>> = None;
        let mut strictest_final: Option<Winner<'a>> = None;
        // A preset puts walls around what may change something. What only looks passes without them, as it does where no
        // walls can be put up.
        let only_looks = situation.risk.level == RiskLevel::ReadOnly;
        let needs_no_walls = !self.has_walls || only_looks && self.default_action(situation) == Action::Allow;
        for (rule, _) in self.candidates(situation).into_iter().rev() {
            if last.is_some() && !rule.is_final {
                continue;
            }
            if needs_no_walls && rule.is_of_preset() && rule.action == Action::Confine {
                continue;
            }
            let winner = match rule.apply(situation) {
                Applies::Yes => Winner { rule, action: rule.action, is_certain: true },
                // One that denies asks. One that confines does at least that.
                Applies::Perhaps => Winner { rule, action: rule.action.min(Action::Ask), is_certain: false },
                Applies::No(_) => continue,
            };
            if rule.is_final && strictest_final.is_none_or(|strictest| winner.action > strictest.action) {
                strictest_final = Some(winner);
            }
            match winner.is_certain {
                true => last = last.or(Some(winner)),
                false if last.is_none() && rule.is_of_preset() => {
                    uncertain_of_preset = stricter(uncertain_of_preset, Some(winner));
                }
                false if last.is_none() => uncertain = stricter(uncertain, Some(winner)),
                false => {}
            }
        }
        let is_confined = last.is_some_and(|last| last.action == Action::Confine);
        let uncertain = stricter(uncertain, uncertain_of_preset.filter(|_| !is_confined));
        stricter(stricter(last, uncertain), strictest_final)
    }

    fn default_action(self, situation: &Situation<'_>) -> Action {
        let defaults = self.agent.map_or(self.policy.risk, |(_, table)| table.risk.over(self.policy.risk));
        let action = default_action(situation.risk, defaults, self.policy.unknown_tools);
        match situation.target {
            // Reading a file is the work of the command that the redirection belongs to.
            Target::Read(..) => Action::Allow,
            Target::Command(part) if changes_only_folder(part) && !situation.is_alone() => Action::Allow,
            // What was not understood may be of any level.
            Target::Line(_) if defaults.allow_everything() && self.policy.unknown_tools == Action::Allow => action,
            Target::Line(_) => action.max(Action::Ask),
            Target::Call | Target::Command(_) | Target::Write(..) => action,
        }
    }
}

fn default_action(risk: Risk, defaults: RiskActions, unknown_tools: Action) -> Action {
    let by_level = defaults.get(risk.level);
    match (risk.basis, risk.level) {
        (RiskBasis::Unknown, _) => by_level.max(unknown_tools),
        (RiskBasis::Declared, _) => by_level,
        // A destructive level that is only inferred is a reason to ask, not to refuse.
        (_, RiskLevel::Destructive) => by_level.min(defaults.write.max(Action::Ask)),
        _ => by_level,
    }
}

impl RiskActions {
    fn allow_everything(self) -> bool {
        [self.read_only, self.write, self.destructive].iter().all(|action| *action == Action::Allow)
    }
}

impl PartialRiskActions {
    pub(super) fn over(self, base: RiskActions) -> RiskActions {
        RiskActions {
            read_only: self.read_only.unwrap_or(base.read_only),
            write: self.write.unwrap_or(base.write),
            destructive: self.destructive.unwrap_or(base.destructive),
        }
    }
}

impl Winner<'_> {
    fn sentence(&self) -> String {
        let name = self.rule.name();
        if !self.is_certain {
            return format!(
                "The rule {name} may apply: it cannot be told all that this runs or which files it is about."
            );
        }
        let verb = match self.action {
            Action::Allow => "allows",
            Action::Confine => "confines",
            Action::Ask => "asks about",
            Action::Deny => "denies",
        };
        match &self.rule.reason {
            Some(reason) => format!("The rule {name} {verb} it: {reason}."),
            None => format!("The rule {name} {verb} it."),
        }
    }
}

/// Why a part runs inside walls that would pass.
const TURNS_BACK: &str =
    "A path in it goes up behind a name, as `a/../b` does. Where that leads, a command inside walls can change.";
/// Why a part is asked about that would run confined alone.
const BESIDE_A_QUESTION: &str = "It would run confined, but another part of the call is asked about or denied.";

fn default_sentence(situation: &Situation<'_>) -> String {
    match situation.target {
        Target::Line(_) => "No rule matches, and the command line was not understood.".to_owned(),
        Target::Write(..) => "No rule matches; it writes a file.".to_owned(),
        Target::Read(..) => "No rule matches; it reads a file.".to_owned(),
        Target::Call | Target::Command(_) => format!("No rule matches. {}", situation.risk_sentence),
    }
}

impl PolicyDecision {
    /// The strictest of `parts`, and the first of those that are equally strict.
    fn over(parts: Vec<PartDecision>, obstacle: Option<Obstacle>) -> Self {
        let strictest = parts.iter().rev().max_by_key(|part| part.action);
        let riskiest = parts.iter().rev().max_by_key(|part| part.risk.level);
        let unknown = Risk { level: RiskLevel::Write, basis: RiskBasis::Unknown };
        let protected = parts.iter().filter(|part| part.protection.is_some()).max_by_key(|part| part.action);
        let protection = protected.and_then(|part| part.protection);
        Self {
            action: strictest.map_or(Action::Ask, |part| part.action),
            rule: strictest.and_then(|part| part.rule.clone()),
            risk: riskiest.map_or(unknown, |part| part.risk),
            risk_sentence: riskiest.map(|part| part.risk_sentence.clone()).unwrap_or_default(),
            effect_unconfined: parts
                .iter()
                .map(|part| part.effect_unconfined)
                .reduce(Effect::and)
                .unwrap_or(Effect::UNKNOWN),
            obstacle,
            protection,
            possible_walls: None,
            is_unconfined: false,
            is_held_by_decision_point: false,
            grantable: protection.is_none(),
            why: strictest.map(|part| part.why.clone()).unwrap_or_default(),
            parts,
        }
    }

    /// The same, when nobody keeps what it changes.
    fn without_undo(mut self) -> Self {
        self.parts.iter_mut().for_each(|part| part.effect_unconfined = part.effect_unconfined.for_good());
        Self { effect_unconfined: self.effect_unconfined.for_good(), ..self }
    }

    fn held_back(self, doubt: Option<String>) -> Self {
        match doubt {
            Some(why) if self.action < Action::Ask => Self { action: Action::Ask, rule: None, why, ..self },
            _ => self,
        }
    }

    /// The stricter of both, part by part; this one where they are alike. Both are about the same call.
    #[must_use]
    pub fn stricter(mut self, mut other: Self) -> Self {
        let alike = self.parts.len() == other.parts.len();
        if alike {
            for (one, two) in self.parts.iter_mut().zip(&mut other.parts) {
                if two.action > one.action {
                    std::mem::swap(one, two);
                }
            }
        }
        let grantable = self.grantable && other.grantable && alike;
        let protection = self.protection.or(other.protection);
        // What would let it run without walls takes nothing from those of the other.
        let possible_walls = match (self.possible_walls.take(), other.possible_walls.take()) {
            (Some(one), Some(other)) => Some(one.narrowed(&other)),
            (Some(one), None) if other.action == Action::Allow => Some(one),
            (None, Some(other)) if self.action == Action::Allow => Some(other),
            _ => None,
        };
        let stricter = if other.action > self.action {
            let parts = if alike { self.parts } else { other.parts };
            Self { grantable, protection, parts, ..other }
        } else {
            Self { grantable, protection, ..self }
        };
        match stricter.action {
            Action::Confine if possible_walls.is_some() => Self { possible_walls, ..stricter },
            // Walls that one of both cannot put up are no walls.
            Action::Confine => stricter.asked(BESIDE_A_QUESTION.to_owned()),
            Action::Allow | Action::Ask | Action::Deny => {
                let is_offered = stricter.action == Action::Ask && stricter.protection.is_none();
                let possible_walls = possible_walls.filter(|_| is_offered);
                Self { possible_walls, ..stricter }.without_confined_parts(BESIDE_A_QUESTION)
            }
        }
    }

    /// A call runs inside walls as a whole, or not at all: one that cannot is asked about, and one that is asked about
    /// for another reason is asked about in every part that would be confined alone.
    ///
    /// `walls`: those around it, or why there are none; `None` for what is asked about for its own sake.
    fn confined(self, walls: Option<impl FnOnce() -> Result<Walls, String>>) -> Self {
        let is_possible = match self.action {
            Action::Confine => true,
            Action::Ask => self.protection.is_none(),
            Action::Allow | Action::Deny => false,
        };
        let walls = walls.filter(|_| is_possible).map(|walls| walls());
        match (self.action, walls) {
            (Action::Confine, Some(Ok(walls))) => Self { possible_walls: Some(walls), ..self },
            (Action::Confine, Some(Err(why))) => self.asked(format!("It would run confined, but {why}.")),
            (Action::Ask, Some(Ok(walls))) => {
                Self { possible_walls: Some(walls), ..self }.without_confined_parts(BESIDE_A_QUESTION)
            }
            (Action::Confine, None) => self.asked(BESIDE_A_QUESTION.to_owned()),
            (Action::Allow | Action::Ask | Action::Deny, _) => self.without_confined_parts(BESIDE_A_QUESTION),
        }
    }

    /// No part of what is asked about is confined: who approves it lets all of it run without walls.
    pub(super) fn without_confined_parts(mut self, why: &str) -> Self {
        for part in self.parts.iter_mut().filter(|part| part.action == Action::Confine) {
            *part = PartDecision { action: Action::Ask, rule: None, why: why.to_owned(), ..part.clone() };
        }
        self
    }
}
