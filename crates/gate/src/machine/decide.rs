//! Somebody decides.

use jiff::Timestamp;
use uuid::Uuid;

use super::confined_run::Confined;
use super::walls::check_alone;
use super::{
    Acknowledgement, Approver, ApproverAction, Authority, Effect, Entry, Gate, LastingEffect, Record, Refusal, add,
};
use crate::{DecidedBy, Decision, Outcome, PersonsDecision, Status};
use handraise_display::line;
use handraise_policy::{
    Action, ArgumentsHash, Breadth, Grant, GrantEffect, GrantId, ProcessTree, Request, RequestId, RiskLevel, RuleDraft,
    RuleOccasion, Scope, grant,
};
use handraise_policy::{ApproverProcess, Requesters};

/// Said to whoever decides about the question of a program that cannot be seen.
const HIDDEN: &str = "The program that asked has ended or hides itself, so only Handraise's own window can answer";

impl Approver {
    /// A person at a surface of this process.
    #[must_use]
    pub fn in_process(name: impl Into<String>) -> Self {
        Self { name: name.into(), authority: Authority::InProcess, process: ApproverProcess::default() }
    }

    /// Whether it is part of somebody who has asked.
    pub(crate) fn belongs_to(&self, requesters: &Requesters) -> bool {
        match self.authority {
            Authority::InProcess => false,
            Authority::Token => requesters.started(&self.process),
            // A terminal that cannot be told apart from the agent is the agent.
            Authority::Terminal => self.process.lineage.is_empty() || requesters.contain(&self.process),
        }
    }

    /// Why it may not decide about what these processes asked: it is part of them, or may be.
    pub(crate) fn refused_for(&self, tree: &ProcessTree) -> Option<Refusal> {
        let is_own = match self.authority {
            Authority::InProcess => return None,
            Authority::Token => tree.is_of_program(&self.process),
            Authority::Terminal => tree.is_of_terminal(&self.process),
        };
        let hidden = || Refusal::UnknownApprover(HIDDEN.to_owned());
        is_own.then_some(Refusal::OwnProcessTree).or_else(|| tree.is_hidden.then(hidden))
    }

    /// Why it may not do this; who belongs to an agent is not looked at.
    pub(crate) fn doubt(&self, act: ApproverAction) -> Option<String> {
        let doubt = self.process.doubt.as_ref().filter(|_| self.authority != Authority::InProcess)?;
        (act == ApproverAction::Change || !doubt.may_look).then(|| doubt.sentence.clone())
    }
}

impl Gate {
    pub(super) fn decide(
        &mut self,
        id: RequestId,
        decision: &PersonsDecision,
        approver: &Approver,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        self.settle_first(id, now, effects);
        let entry = self.entry(id).ok_or(Refusal::UnknownRequest)?;
        let refused = self.check_approver(entry, decision, approver);
        if let Err(refusal) = refused {
            effects.push(Effect::Record(Record::ApproverRefused(id, approver.name.clone())));
            return Err(refusal);
        }
        if decision.arguments_hash.as_ref().is_some_and(|hash| *hash != entry.request.arguments_hash) {
            return Err(Refusal::OtherArguments);
        }
        check_alone(decision)?;
        check_rule_alone(decision)?;
        check_commands_alone(decision)?;
        if let Some(outcome) = &entry.life.outcome {
            if decision.late && decision.approves() && outcome.status == Status::Timeout {
                return Ok(self.mint_ticket(id, approver, now, effects));
            }
            return Err(Refusal::AlreadyOver(Box::new(outcome.clone())));
        }
        if let Some(file) = changed_file(entry, decision) {
            let file = line(file, 200);
            self.ask_anew(id, decision, now, effects);
            return Err(Refusal::FileChanged(file));
        }
        let confined = match self.check_confined(entry, decision, now) {
            Err(Refusal::WallsChanged) => {
                self.ask_about_new_walls(id, now, effects);
                return Err(Refusal::WallsChanged);
            }
            checked => checked?,
        };
        let edited = self.check_edit(entry, decision, now)?;
        let beyond = self.check_scope(entry, decision, now)?;

        let outcome = Outcome {
            status: match decision.decision {
                Decision::Approve => Status::Approved,
                Decision::Deny => Status::Denied,
            },
            decided_by: DecidedBy::Person,
            scope: Some(decision.scope),
            reason: words(decision, edited.is_some(), confined.as_ref()),
            arguments: edited.as_ref().map(|(request, _)| request.arguments.clone()),
            arguments_hash: edited
                .as_ref()
                .map_or_else(|| entry.request.arguments_hash.clone(), |(_, hash)| hash.clone()),
            ..entry.denial(now)
        };
        let outcome = match confined {
            Some(confined) => confined.of(outcome),
            None => outcome,
        };
        self.finish(id, outcome, Some(approver.name.clone()), effects);
        match beyond {
            Beyond::Nothing => {}
            Beyond::Rule(rule) => {
                effects.push(Effect::Record(Record::RuleGiven(id, rule.clone())));
                effects.push(Effect::LastingEffect(LastingEffect::AddRule(id, rule)));
            }
            Beyond::Grant(grant) => {
                self.revoke_where(|earlier| earlier.is_renewed_by(&grant), RENEWED, effects);
                effects.push(Effect::Record(Record::GrantAdded((*grant).clone())));
                self.grants.push(*grant);
                effects.push(Effect::LastingEffect(LastingEffect::GrantsChanged));
                self.settle(now, effects);
            }
        }
        Ok(Acknowledgement::Done)
    }

    /// Whether `approver` may decide this about the request of `entry`.
    pub(super) fn check_approver(
        &self,
        entry: &Entry,
        decision: &PersonsDecision,
        approver: &Approver,
    ) -> Result<(), Refusal> {
        let approves_destruction = decision.approves() && entry.evaluation.policy.risk.level == RiskLevel::Destructive;
        if let Some(own) = approver.refused_for(&entry.request.processes) {
            return Err(own);
        }
        self.admit(approver, ApproverAction::Change)?;
        let outside = approver.authority != Authority::InProcess && !self.external.destructive;
        if outside && approves_destruction { Err(Refusal::WindowOnly) } else { Ok(()) }
    }

    /// Puts an open request before a person again, with the files as they are at the time `now`.
    fn ask_anew(&mut self, id: RequestId, decision: &PersonsDecision, now: Timestamp, effects: &mut Vec<Effect>) {
        let Some((entry, scripts)) = self.requests.entry_mut(id).zip(decision.scripts.clone()) else { return };
        entry.request.scripts = (*scripts).after(&entry.request.scripts);
        if let Some(tasks) = decision.tasks.clone() {
            entry.request.tasks = tasks;
            // A rule may hold what a task runs, so what was decided is about another call.
            entry.under = None;
            let request = entry.request.clone();
            let evaluation = self.evaluate(&request, now);
            // Who has begun to decide goes on, whatever would be decided without a person by now.
            if let Some(entry) = self.requests.entry_mut(id)
                && evaluation.action == Action::Ask
            {
                entry.evaluation = evaluation;
            }
        }
        effects.push(Effect::Withdraw(id));
        effects.push(Effect::Present(id));
    }

    pub(super) fn deny_all(
        &mut self,
        agent: &str,
        reason: Option<String>,
        approver: &Approver,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        let is_meant = |request: &Request| {
            let shown = request.agent_name().map(|name| line(name, MAX_AGENT_NAME));
            request.requester == agent || shown.as_deref() == Some(agent) || request.agent_name() == Some(agent)
        };
        let open = self.pending().filter(|entry| is_meant(&entry.request)).map(|entry| entry.request.id);
        let open: Vec<RequestId> = open.collect();
        let own = self.pending().filter(|entry| open.contains(&entry.request.id));
        let own = own.filter_map(|entry| approver.refused_for(&entry.request.processes)).next();
        if let Err(refusal) = own.map_or_else(|| self.admit(approver, ApproverAction::Change), Err) {
            effects.extend(open.first().map(|id| Effect::Record(Record::ApproverRefused(*id, approver.name.clone()))));
            return Err(refusal);
        }
        let decision = PersonsDecision::deny(reason);
        for id in &open {
            let Some(entry) = self.entry(*id) else { continue };
            let outcome = Outcome {
                decided_by: DecidedBy::Person,
                scope: Some(Scope::Once),
                reason: words(&decision, false, None),
                ..entry.denial(now)
            };
            self.finish(*id, outcome, Some(approver.name.clone()), effects);
        }
        Ok(Acknowledgement::Denied(u32::try_from(open.len()).unwrap_or(u32::MAX)))
    }

    /// Whether `approver` may do this. Invariant: a process that belongs to somebody who has asked neither
    /// decides, nor changes or sees anything else that an approver may.
    ///
    /// # Errors
    /// Why not.
    pub fn admit(&self, approver: &Approver, act: ApproverAction) -> Result<(), Refusal> {
        if approver.belongs_to(&self.requesters) {
            return Err(Refusal::OwnProcessTree);
        }
        if act == ApproverAction::Change && approver.authority == Authority::Terminal && !self.external.terminals {
            return Err(Refusal::TerminalsOff);
        }
        approver.doubt(act).map_or(Ok(()), |sentence| Err(Refusal::UnknownApprover(sentence)))
    }

    /// Remembers who asked: from now on they decide about nothing.
    pub fn note_requester(&mut self, tree: &ProcessTree) {
        self.requesters.note(tree);
    }

    fn mint_ticket(
        &mut self,
        id: RequestId,
        approver: &Approver,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Acknowledgement {
        self.leave_ticket(id, now);
        effects.push(Effect::Record(Record::TicketMinted(id, approver.name.clone())));
        Acknowledgement::TicketMinted
    }

    /// The edited request, when the decision changes the arguments and may.
    fn check_edit(
        &self,
        entry: &Entry,
        decision: &PersonsDecision,
        now: Timestamp,
    ) -> Result<Option<(Request, ArgumentsHash)>, Refusal> {
        let Some(arguments) = &decision.arguments else { return Ok(None) };
        if !decision.approves() || !entry.request.accepts_edits {
            return Err(Refusal::EditsNotAccepted);
        }
        if decision.scope != Scope::Once {
            return Err(Refusal::EditBeyondOnce);
        }
        let hash = ArgumentsHash::of(arguments).map_err(|_| Refusal::EditsNotAccepted)?;
        let read_anew = decision.edited.as_deref().filter(|edited| edited.arguments_hash == hash);
        let edited = Request {
            arguments: arguments.clone(),
            arguments_hash: hash.clone(),
            class: read_anew.map_or(entry.request.class, |edited| edited.class),
            subject: read_anew.map(|edited| edited.subject.clone()).unwrap_or_default(),
            command: read_anew.and_then(|edited| edited.command.clone()),
            paths: read_anew.map(|edited| edited.paths.clone()).unwrap_or_default(),
            project_code: read_anew.map(|edited| edited.project_code.clone()).unwrap_or_default(),
            tasks: read_anew.map(|edited| edited.tasks.clone()).unwrap_or_default(),
            table_risk: read_anew.map_or(entry.request.table_risk, |edited| edited.table_risk),
            decision_point: read_anew.and_then(|edited| edited.decision_point.clone()),
            ..entry.request.clone()
        };
        match self.policy.decide(&edited, now).action {
            Action::Deny => Err(Refusal::EditDenied),
            Action::Allow | Action::Confine | Action::Ask => Ok(Some((edited, hash))),
        }
    }

    /// Whether the answer `decision` to the open request `id` could reach as far as it says, by the rule that it brings.
    ///
    /// # Errors
    /// Why not.
    pub fn check_reach(&self, id: RequestId, decision: &PersonsDecision, now: Timestamp) -> Result<(), Refusal> {
        let entry = self.entry(id).filter(|entry| entry.life.outcome.is_none()).ok_or(Refusal::UnknownRequest)?;
        check_rule_alone(decision)?;
        check_commands_alone(decision)?;
        self.check_scope(entry, decision, now).map(drop)
    }

    /// What the decision makes beyond this call, when its scope reaches beyond it and may.
    fn check_scope(&self, entry: &Entry, decision: &PersonsDecision, now: Timestamp) -> Result<Beyond, Refusal> {
        let (request, evaluation) = (&entry.request, &entry.evaluation);
        let effect = match decision.decision {
            Decision::Approve => GrantEffect::Approve,
            Decision::Deny => GrantEffect::Deny,
        };
        if decision.scope == Scope::Once {
            return Ok(Beyond::Nothing);
        }
        if effect == GrantEffect::Approve {
            if !grant::is_offered(decision.breadth, decision.scope, request, &evaluation.policy) {
                return Err(Refusal::TooWide);
            }
            if !evaluation.policy.grantable {
                return Err(Refusal::Protected);
            }
        }
        let expires_at = match decision.scope {
            Scope::Once | Scope::Session => None,
            Scope::Minutes => Some(add(now, self.limits.minutes)),
            Scope::Project | Scope::Always => {
                let rule =
                    grant::rule_from_answer(request, &evaluation.policy, decision.coverage(), decision.scope, effect);
                let draft = rule.ok_or(Refusal::NoSuchRule)?;
                let Some(text) = &decision.rule else { return Ok(Beyond::Rule(draft)) };
                let occasion =
                    RuleOccasion { request, draft: &draft, in_project: decision.scope == Scope::Project, now };
                let edited = self.policy.confirmed.check_edited_rule(text, occasion);
                return edited.map(Beyond::Rule).map_err(Refusal::RuleUnfit);
            }
        };
        let session = request.session.clone().ok_or(Refusal::NoSession)?;
        if self.grants.len() >= self.limits.grants {
            return Err(Refusal::TooManyGrants);
        }
        Ok(Beyond::Grant(Box::new(Grant {
            // One decision makes at most one grant, so its id follows from the request's.
            id: GrantId(Uuid::from_u128(request.id.0.as_u128() ^ GRANT_MARK)),
            session,
            effect,
            matcher: grant::matcher(decision.coverage(), request, &evaluation.policy)
                .ok_or(Refusal::BreadthDoesNotFit)?,
            scope: decision.scope,
            title: request.title(),
            created_at: now,
            expires_at,
            decided_in: request.id,
            tasks: match effect {
                GrantEffect::Approve => grant::tasks(decision.coverage(), request, &evaluation.policy),
                GrantEffect::Deny => Vec::new(),
            },
        })))
    }
}

/// A changed rule takes the place of the one that an approval makes, and of nothing else.
fn check_rule_alone(decision: &PersonsDecision) -> Result<(), Refusal> {
    let makes_rule = decision.approves() && matches!(decision.scope, Scope::Project | Scope::Always);
    let is_plain = decision.arguments.is_none() && decision.confined.is_none() && !decision.late;
    if decision.rule.is_none() || makes_rule && is_plain { Ok(()) } else { Err(Refusal::RuleAlone) }
}

/// Some simple commands are chosen for an approval that is remembered, and leaves their operands open.
fn check_commands_alone(decision: &PersonsDecision) -> Result<(), Refusal> {
    let remembers = decision.approves() && decision.scope != Scope::Once && decision.breadth == Breadth::Prefix;
    if decision.commands.is_none() || remembers && !decision.late { Ok(()) } else { Err(Refusal::CommandsAlone) }
}

/// A file or a task that was another one when the call was put before the person who approves it. Arguments that the
/// person has changed are the person's own.
fn changed_file<'a>(entry: &'a Entry, decision: &'a PersonsDecision) -> Option<&'a str> {
    let approves = decision.approves() && decision.arguments.is_none();
    let script = || entry.request.scripts.first_change(decision.scripts.as_ref()?);
    let task = || entry.request.tasks.first_change(decision.tasks.as_ref()?);
    if approves { script().or_else(task) } else { None }
}

/// What an answer makes beyond the call that it was given for.
enum Beyond {
    Nothing,
    Grant(Box<Grant>),
    Rule(RuleDraft),
}

/// Characters of an agent's name that are shown.
const MAX_AGENT_NAME: usize = 80;

/// Why a grant ends when a person approves what its tasks run now.
const RENEWED: &str = "a task of it has changed, and was approved anew";

/// Tells the id of a grant from that of the request that it was made for.
const GRANT_MARK: u128 = 1 << 127;

fn words(decision: &PersonsDecision, edited: bool, confined: Option<&Confined>) -> String {
    let given = decision.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    let given = given.map(str::to_owned);
    let given = given.or_else(|| Some(format!("Approved to run confined: {}.", confined?.sentence())));
    match (given, decision.decision) {
        (Some(reason), _) => reason,
        (None, Decision::Approve) if edited => "Approved with changes in Handraise".to_owned(),
        (None, Decision::Approve) => "Approved in Handraise".to_owned(),
        (None, Decision::Deny) => "A person denied this call.".to_owned(),
    }
}
