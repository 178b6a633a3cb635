//! Somebody decides.

use jiff::Timestamp;
use uuid::Uuid;

use super::submit::base_outcome;
use super::{Answer, Approver, Authority, Effect, Entry, Gate, Record, Refusal, Ticket, add};
use crate::display::line;
use crate::{
    Action, ArgumentsHash, DecidedBy, Decision, Grant, GrantEffect, GrantId, Outcome, ProcessTree, Request, RequestId,
    RuleDraft, Scope, Status, Verdict, grant,
};

impl Approver {
    /// Whether it is part of an agent with one of these process trees.
    pub(crate) fn belongs_to<'a>(&self, mut trees: impl Iterator<Item = &'a ProcessTree>) -> bool {
        match self.authority {
            Authority::InProcess => false,
            Authority::Token => trees.any(|tree| tree.started(&self.lineage)),
            // A terminal that cannot be told apart from the agent is the agent.
            Authority::Terminal => self.lineage.is_empty() || trees.any(|tree| tree.contains(&self.lineage)),
        }
    }
}

impl Gate {
    pub(super) fn decide(
        &mut self,
        id: RequestId,
        verdict: &Verdict,
        approver: &Approver,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Answer, Refusal> {
        let entry = self.entries.get(&id).ok_or(Refusal::UnknownRequest)?;
        if self.belongs_to_an_agent(approver) {
            effects.push(Effect::Record(Record::ApproverRefused(id, approver.name.clone())));
            return Err(Refusal::OwnProcessTree);
        }
        if verdict.arguments_hash.as_ref().is_some_and(|hash| *hash != entry.request.arguments_hash) {
            return Err(Refusal::OtherArguments);
        }
        if let Some(outcome) = &entry.outcome {
            if verdict.late && verdict.decision == Decision::Approve && outcome.status == Status::Timeout {
                return Ok(self.mint_ticket(id, approver, now, effects));
            }
            return Err(Refusal::AlreadyOver(Box::new(outcome.clone())));
        }
        if let Some(file) = changed_file(entry, verdict) {
            let file = line(file, 200);
            self.ask_anew(id, verdict, effects);
            return Err(Refusal::FileChanged(file));
        }
        let edited = self.check_edit(entry, verdict, now)?;
        let lasting = self.check_scope(entry, verdict, now)?;

        let outcome = Outcome {
            status: match verdict.decision {
                Decision::Approve => Status::Approved,
                Decision::Deny => Status::Denied,
            },
            decided_by: DecidedBy::Person,
            scope: Some(verdict.scope),
            reason: reason(verdict, edited.is_some()),
            arguments: edited.as_ref().map(|(request, _)| request.arguments.clone()),
            arguments_hash: edited
                .as_ref()
                .map_or_else(|| entry.request.arguments_hash.clone(), |(_, hash)| hash.clone()),
            ..base_outcome(entry, now)
        };
        self.finish(id, outcome, Some(approver.name.clone()), effects);
        match lasting {
            Lasting::Nothing => {}
            Lasting::Rule(rule) => effects.push(Effect::AddRule(id, rule)),
            Lasting::Grant(grant) => {
                effects.push(Effect::Record(Record::GrantAdded((*grant).clone())));
                self.grants.push(*grant);
                effects.push(Effect::GrantsChanged);
                self.settle(now, effects);
            }
        }
        Ok(Answer::Done)
    }

    /// Puts an open request before a person again, with the files as they are now.
    fn ask_anew(&mut self, id: RequestId, verdict: &Verdict, effects: &mut Vec<Effect>) {
        let Some((entry, now)) = self.entries.get_mut(&id).zip(verdict.scripts.clone()) else { return };
        entry.request.scripts = now.after(&entry.request.scripts);
        effects.push(Effect::Withdraw(id));
        effects.push(Effect::Present(id));
    }

    pub(super) fn redeem(
        &mut self,
        request: &Request,
        id: RequestId,
        effects: &mut Vec<Effect>,
    ) -> Result<Answer, Refusal> {
        let entry = self.entries.get_mut(&id).ok_or(Refusal::UnknownRequest)?;
        if entry.request.requester != request.requester {
            return Err(Refusal::UnknownRequest);
        }
        let approved = entry.outcome.as_ref().is_some_and(|outcome| outcome.status == Status::Approved);
        if !approved || entry.redeemed || !entry.request.is_same_call(request) {
            return Err(Refusal::NotRedeemable);
        }
        if let Some(file) = entry.request.scripts.first_change(&request.scripts) {
            return Err(Refusal::FileChanged(line(file, 200)));
        }
        entry.redeemed = true;
        effects.push(Effect::Record(Record::Redeemed(id)));
        Ok(Answer::Done)
    }

    /// Whether `approver` is part of an agent that asks or has asked. Invariant: a process inside a
    /// requesting agent's process tree can never decide, and changes nothing else that an approver may.
    #[must_use]
    pub fn belongs_to_an_agent(&self, approver: &Approver) -> bool {
        let sessions = self.sessions.values().flat_map(|session| &session.processes);
        let requests = self.entries.values().map(|entry| &entry.request.processes);
        approver.belongs_to(sessions.chain(requests))
    }

    fn mint_ticket(&mut self, id: RequestId, approver: &Approver, now: Timestamp, effects: &mut Vec<Effect>) -> Answer {
        let minted = self.entries.get(&id).map(|entry| entry.request.clone());
        self.tickets.retain(|ticket| ticket.request.id != id);
        self.tickets.extend(minted.map(|request| Ticket { request, expires_at: add(now, self.limits.ticket) }));
        effects.push(Effect::Record(Record::TicketMinted(id, approver.name.clone())));
        Answer::TicketMinted
    }

    /// The edited request, when the verdict changes the arguments and may.
    fn check_edit(
        &self,
        entry: &Entry,
        verdict: &Verdict,
        now: Timestamp,
    ) -> Result<Option<(Request, ArgumentsHash)>, Refusal> {
        let Some(arguments) = &verdict.arguments else { return Ok(None) };
        if verdict.decision == Decision::Deny || !entry.request.accepts_edits {
            return Err(Refusal::EditsNotAccepted);
        }
        if verdict.scope != Scope::Once {
            return Err(Refusal::EditBeyondOnce);
        }
        let hash = ArgumentsHash::of(arguments).map_err(|_| Refusal::EditsNotAccepted)?;
        let read_anew = verdict.edited.as_deref().filter(|edited| edited.arguments_hash == hash);
        let edited = Request {
            arguments: arguments.clone(),
            arguments_hash: hash.clone(),
            class: read_anew.map_or(entry.request.class, |edited| edited.class),
            subject: read_anew.map(|edited| edited.subject.clone()).unwrap_or_default(),
            command: read_anew.and_then(|edited| edited.command.clone()),
            paths: read_anew.map(|edited| edited.paths.clone()).unwrap_or_default(),
            project_code: read_anew.map(|edited| edited.project_code.clone()).unwrap_or_default(),
            table_risk: read_anew.map_or(entry.request.table_risk, |edited| edited.table_risk),
            ..entry.request.clone()
        };
        match self.policy.decide(&edited, now).action {
            Action::Deny => Err(Refusal::EditDenied),
            Action::Allow | Action::Ask => Ok(Some((edited, hash))),
        }
    }

    /// What the verdict makes beyond this call, when its scope reaches beyond it and may.
    fn check_scope(&self, entry: &Entry, verdict: &Verdict, now: Timestamp) -> Result<Lasting, Refusal> {
        let (request, evaluation) = (&entry.request, &entry.evaluation);
        let effect = match verdict.decision {
            Decision::Approve => GrantEffect::Approve,
            Decision::Deny => GrantEffect::Deny,
        };
        if verdict.scope == Scope::Once {
            return Ok(Lasting::Nothing);
        }
        if effect == GrantEffect::Approve {
            if !grant::is_offered(verdict.breadth, verdict.scope, request, evaluation) {
                return Err(Refusal::TooWide);
            }
            if !evaluation.policy.grantable {
                return Err(Refusal::Protected);
            }
        }
        let expires_at = match verdict.scope {
            Scope::Once | Scope::Session => None,
            Scope::Minutes => Some(add(now, self.limits.minutes)),
            Scope::Project | Scope::Always => {
                let rule = grant::rule_for(request, evaluation, verdict.breadth, verdict.scope, effect);
                return rule.map(Lasting::Rule).ok_or(Refusal::NoSuchRule);
            }
        };
        let session = request.session.clone().ok_or(Refusal::NoSession)?;
        if self.grants.len() >= self.limits.grants {
            return Err(Refusal::TooManyGrants);
        }
        Ok(Lasting::Grant(Box::new(Grant {
            // One decision makes at most one grant, so its id follows from the request's.
            id: GrantId(Uuid::from_u128(request.id.0.as_u128() ^ GRANT_MARK)),
            session,
            effect,
            matcher: grant::matcher(verdict.breadth, request, evaluation).ok_or(Refusal::BreadthDoesNotFit)?,
            scope: verdict.scope,
            title: request.title(),
            created_at: now,
            expires_at,
            decided_in: request.id,
        })))
    }
}

/// A file that was another one when the call was put before the person who approves it. Arguments that the
/// person has changed are the person's own.
fn changed_file<'a>(entry: &'a Entry, verdict: &'a Verdict) -> Option<&'a str> {
    let approves = verdict.decision == Decision::Approve && verdict.arguments.is_none();
    entry.request.scripts.first_change(verdict.scripts.as_ref().filter(|_| approves)?)
}

/// What an answer makes beyond the call that it was given for.
enum Lasting {
    Nothing,
    Grant(Box<Grant>),
    Rule(RuleDraft),
}

/// Tells the id of a grant from that of the request that it was made for.
const GRANT_MARK: u128 = 1 << 127;

fn reason(verdict: &Verdict, edited: bool) -> String {
    let given = verdict.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    match (given, verdict.decision) {
        (Some(reason), _) => reason.to_owned(),
        (None, Decision::Approve) if edited => "Approved with changes in Handraise".to_owned(),
        (None, Decision::Approve) => "Approved in Handraise".to_owned(),
        (None, Decision::Deny) => "A person denied this call.".to_owned(),
    }
}
