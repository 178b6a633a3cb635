//! A call that runs inside walls: the program that puts them up collects them once, for this very call.

use jiff::Timestamp;

use super::collect::{Collector, Uncollected};
use super::confined_run::ConfinedRun;
use super::{Acknowledgement, Effect, Evaluation, Gate, Record, Refusal, add};
use handraise_display::line;
use handraise_policy::{Action, ArgumentsHash, Confinable, Request, RequestId};

/// Most denials of one call that are kept.
const MAX_DENIED: usize = 50;
/// Calls of one session of which it is kept what their walls have denied.
const MAX_WALLED_IN: usize = 100;
/// Longest denial, in characters; the rest is counted.
const MAX_TEXT: usize = 200;
/// Denials that the question about the next call names.
const MAX_NAMED: usize = 3;

/// A call that its walls have denied something. The same call goes to a person next time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WalledIn {
    arguments_hash: ArgumentsHash,
    cwd: Option<String>,
    denied: Vec<String>,
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

    pub(super) fn walls_denied(
        &mut self,
        id: RequestId,
        requester: &str,
        mut denied: Vec<String>,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        let entry = self.entry(id).filter(|entry| entry.request.requester == requester).ok_or(Refusal::NoWalls)?;
        let has_walls = entry.life.outcome.as_ref().is_some_and(|outcome| outcome.walls.is_some());
        if !has_walls || denied.is_empty() {
            return Err(Refusal::NoWalls);
        }
        denied.truncate(MAX_DENIED);
        let denied: Vec<String> = denied.iter().map(|text| line(text, MAX_TEXT)).collect();
        let request = &entry.request;
        let (arguments_hash, cwd, session) =
            (request.arguments_hash.clone(), request.cwd.clone(), request.session.clone());
        if let Some(session) = session.and_then(|key| self.sessions.get_mut(&key)) {
            session.walled_in.retain(|one| (&one.arguments_hash, &one.cwd) != (&arguments_hash, &cwd));
            session.walled_in.push_back(WalledIn { arguments_hash, cwd, denied: denied.clone() });
            if session.walled_in.len() > MAX_WALLED_IN {
                session.walled_in.pop_front();
            }
        }
        effects.push(Effect::Record(Record::WallsDenied(id, denied)));
        Ok(Acknowledgement::Done)
    }

    /// What has met its walls before is not confined again: a person hears what it wanted.
    pub(super) fn asked_about_walls(&self, evaluation: Evaluation, request: &Request) -> Evaluation {
        if evaluation.action != Action::Confine {
            return evaluation;
        }
        let is_same =
            |one: &&super::walls::WalledIn| (&one.arguments_hash, &one.cwd) == (&request.arguments_hash, &request.cwd);
        let session = request.session.as_ref().and_then(|key| self.sessions.get(key));
        let Some(met) = session.and_then(|session| session.walled_in.iter().find(is_same)) else { return evaluation };
        let named = met.denied.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
        let more = match met.denied.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let why = format!("It has run confined in this session, and its walls denied: {named}{more}.");
        Evaluation { action: Action::Ask, policy: evaluation.policy.asked(why), ..evaluation }
    }
}
