//! A call that runs inside walls: the program that puts them up collects them once, for this very call.

use jiff::Timestamp;

use super::collect::{Collector, Uncollected};
use super::confined_run::{Confined, ConfinedRun};
use super::{Acknowledgement, Approver, Effect, Entry, Evaluation, Gate, Record, Refusal, add};
use crate::PersonsDecision;
use handraise_display::line;
use handraise_policy::{
    Action, ArgumentsHash, Confinable, Request, RequestId, RiskLevel, Scope, SessionKey, Walls, WallsDenial, Widening,
};

/// Most denials of one call that are kept.
pub const MAX_DENIED: usize = 50;
/// Calls of one session of which it is kept what their walls have denied.
const MAX_WALLED_IN: usize = 100;
/// Longest denial, in characters; the rest is counted.
const MAX_TEXT: usize = 200;
/// Denials that the question about the next call names.
const MAX_NAMED: usize = 3;
/// Why a call that has just failed inside is asked about.
const FAILED: &str = "It has just run confined and failed, and this session has changed nothing since. It may need \
                      something outside its walls.";

/// A call that did not get what it wanted inside its walls. The same call goes to a person next time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WalledIn {
    arguments_hash: ArgumentsHash,
    cwd: Option<String>,
    walls: Walls,
    /// What the walls have denied it. Nothing: it has failed, and nobody knows whether that is why. This is kept until
    /// the session changes something.
    denied: Vec<WallsDenial>,
}

impl WalledIn {
    fn is_of(&self, request: &Request) -> bool {
        (&self.arguments_hash, &self.cwd) == (&request.arguments_hash, &request.cwd)
    }
}

impl Gate {
    /// Walls that wait for the program that puts them up, for whoever has asked for the call.
    #[must_use]
    pub fn walls_of(&self, id: RequestId, requester: &str, now: Timestamp) -> Option<&ConfinedRun> {
        self.entry(id).filter(|entry| entry.request.requester == requester)?;
        self.uncollected.iter().find_map(|one| match &one.collector {
            Collector::Walls(run) if one.id == id && one.is_there(now) => Some(&**run),
            _ => None,
        })
    }

    /// The session of a call that this requester has run inside walls, and what these let it make among the temporary files.
    #[must_use]
    pub fn made_inside(&self, id: RequestId, requester: &str) -> Option<(&SessionKey, &[String])> {
        let entry = self.entry(id).filter(|entry| entry.request.requester == requester)?;
        let walls = entry.life.outcome.as_ref()?.walls.as_ref()?;
        Some((entry.request.session.as_ref()?, &walls.made))
    }

    /// Whether walls wait for this call: what was made of it has not run yet.
    pub(super) fn has_walls(&self, id: RequestId, now: Timestamp) -> bool {
        self.uncollected
            .iter()
            .any(|one| one.id == id && one.is_there(now) && matches!(one.collector, Collector::Walls(_)))
    }

    /// What was decided by rules that do not hold any more is decided anew.
    pub(super) fn take_walls_back(&mut self) {
        self.uncollected.retain(|one| !matches!(one.collector, Collector::Walls(_)));
    }

    /// A call has been approved for its walls: leaves them to the program that puts them up.
    pub(super) fn leave_walls(&mut self, id: RequestId) {
        let Some(entry) = self.entry(id) else { return };
        let Some(outcome) = &entry.life.outcome else { return };
        let (Some(walls), Confinable::Yes(call)) = (outcome.walls.clone(), &entry.request.confinable) else { return };
        let (line, shell, folder) = (call.line.clone(), call.shell.clone(), call.folder.clone());
        let run = Box::new(ConfinedRun { line, shell, folder, walls });
        let until = Some(add(outcome.decided_at, self.limits.walls));
        self.uncollected.push(Uncollected { id, collector: Collector::Walls(run), until });
    }

    pub(super) fn enter_walls(
        &mut self,
        id: RequestId,
        requester: &str,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        self.walls_of(id, requester, now).ok_or(Refusal::NoWalls)?;
        self.collect(id, |collector| matches!(collector, Collector::Walls(_)));
        effects.push(Effect::Record(Record::WallsEntered(id)));
        Ok(Acknowledgement::Done)
    }

    pub(super) fn walls_reported(
        &mut self,
        id: RequestId,
        requester: &str,
        mut denied: Vec<WallsDenial>,
        failed: bool,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        let entry = self.requests.entry(id).filter(|entry| entry.request.requester == requester);
        let entry = entry.ok_or(Refusal::NoWalls)?;
        let walls = entry.life.outcome.as_ref().and_then(|outcome| outcome.walls.clone()).ok_or(Refusal::NoWalls)?;
        if denied.is_empty() && !failed {
            return Err(Refusal::NoWalls);
        }
        denied.truncate(MAX_DENIED);
        for denial in &mut denied {
            denial.clause = line(&denial.clause, MAX_TEXT);
        }
        let request = &entry.request;
        let (arguments_hash, cwd) = (request.arguments_hash.clone(), request.cwd.clone());
        if let Some(session) = request.session.as_ref().and_then(|key| self.sessions.get_mut(key)) {
            session.walled_in.retain(|one| !one.is_of(request));
            session.walled_in.push_back(WalledIn { arguments_hash, cwd, walls, denied: denied.clone() });
            if session.walled_in.len() > MAX_WALLED_IN {
                session.walled_in.pop_front();
            }
        }
        if !denied.is_empty() {
            effects.push(Effect::Record(Record::WallsDenied(id, denied)));
        }
        Ok(Acknowledgement::Done)
    }

    /// `request` comes in, which may change what others have failed by: these are tried again, but for one that a person
    /// is being asked about.
    pub(super) fn forget_failures(&mut self, request: &Request, risk: RiskLevel) {
        if risk == RiskLevel::ReadOnly {
            return;
        }
        let Some(key) = &request.session else { return };
        let open =
            self.requests.pending().map(|entry| &entry.request).filter(|open| open.session.as_ref() == Some(key));
        let open: Vec<_> = open.collect();
        let Some(session) = self.sessions.get_mut(key) else { return };
        session
            .walled_in
            .retain(|one| !one.denied.is_empty() || one.is_of(request) || open.iter().any(|open| one.is_of(open)));
    }

    /// What has met its walls before is not confined in the same ones again: a person hears what it wanted.
    pub(super) fn asked_about_walls(&self, evaluation: Evaluation, request: &Request) -> Evaluation {
        let Some(walls) = evaluation.policy.walls_around() else { return evaluation };
        let is_same = |one: &&WalledIn| one.is_of(request) && one.walls == *walls;
        let session = request.session.as_ref().and_then(|key| self.sessions.get(key));
        let Some(met) = session.and_then(|session| session.walled_in.iter().find(is_same)) else { return evaluation };
        let widenings = self.policy.widenings(request, walls, &met.denied);
        let evaluation = Evaluation { denied_by_walls: met.denied.clone(), widenings, ..evaluation };
        if evaluation.action != Action::Confine {
            return evaluation;
        }
        let why = match met.denied.as_slice() {
            [] => FAILED.to_owned(),
            denied => format!("It has run confined in this session, and its walls denied: {}.", named(denied)),
        };
        Evaluation { action: Action::Ask, policy: evaluation.policy.asked(why), ..evaluation }
    }

    /// What has to be opened to the walls of its project before `decision` can be given, if it is one for wider walls
    /// that were offered with the request, and `approver` may give it.
    #[must_use]
    pub fn widening(&self, id: RequestId, decision: &PersonsDecision, approver: &Approver) -> Option<&Widening> {
        let entry = self.entry(id).filter(|entry| entry.life.is_open())?;
        let wanted = decision.confined.as_ref().filter(|_| check_alone(decision).is_ok())?;
        self.check_approver(entry, decision, approver).ok()?;
        entry.evaluation.offered_walls()?;
        entry.evaluation.widenings.iter().find(|widening| widening.walls.hash() == **wanted)
    }

    /// What `decision` has run inside walls, if it does: those that were shown, while they are still the same.
    ///
    /// # Errors
    /// [`Refusal::WallsChanged`] when the request has to be put before a person again.
    pub(super) fn check_confined(
        &self,
        entry: &Entry,
        decision: &PersonsDecision,
        now: Timestamp,
    ) -> Result<Option<Confined>, Refusal> {
        let Some(shown) = &decision.confined else { return Ok(None) };
        let was_offered = entry.evaluation.offered_walls().is_some();
        let (evaluation, _) = self.evaluate_again(entry, now);
        let walls = match evaluation.offered_walls() {
            Some(walls) if walls.hash() == **shown => walls,
            None if !was_offered => return Err(Refusal::NotConfinable),
            _ => return Err(Refusal::WallsChanged),
        };
        Confined::new(walls, &entry.request).map(Some).ok_or(Refusal::NotConfinable)
    }

    /// Puts an open request before a person again, with the walls of now.
    pub(super) fn ask_about_new_walls(&mut self, id: RequestId, now: Timestamp, effects: &mut Vec<Effect>) {
        let Some(entry) = self.entry(id) else { return };
        let (evaluation, under) = self.evaluate_again(entry, now);
        let Some(entry) = self.requests.entry_mut(id) else { return };
        (entry.evaluation, entry.under) = (evaluation, under);
        effects.push(Effect::Withdraw(id));
        effects.push(Effect::Present(id));
    }
}

/// A confined approval is for one call, as it was asked about, now.
pub(super) fn check_alone(decision: &PersonsDecision) -> Result<(), Refusal> {
    let alone = decision.approves()
        && decision.scope == Scope::Once
        && decision.arguments.is_none()
        && decision.edited.is_none()
        && decision.rule.is_none()
        && decision.commands.is_none()
        && !decision.late;
    if decision.confined.is_none() || alone { Ok(()) } else { Err(Refusal::ConfinedAlone) }
}

/// The first of `denied`, and how many more there are.
fn named(denied: &[WallsDenial]) -> String {
    let first = denied.iter().take(MAX_NAMED).map(|denial| denial.clause.as_str()).collect::<Vec<_>>().join("; ");
    match denied.len().saturating_sub(MAX_NAMED) {
        0 => first,
        more => format!("{first}; and {more} more"),
    }
}
