//! What the hooks of an agent say about one call: it is asked once, and not beyond its end.

use jiff::Timestamp;

use super::collect::{Collector, Uncollected};
use super::{Acknowledgement, Effect, Entry, Gate, Record, Refusal, add};
use crate::lifecycle::End;
use crate::{DecidedBy, Outcome, Status};
use handraise_policy::rules::Foreseen;
use handraise_policy::{Action, ArgumentsHash, CallKey, HookPhase, PhaseOrder, Request, RequestId, SessionKey};

const ANSWERED_ELSEWHERE: &str = "It was answered in the agent itself.";
const STOPPED: &str = "The agent has stopped without waiting for an answer.";

/// The call of a first phase that a person has answered.
fn answered_call(entry: &Entry) -> Option<CallKey> {
    let (phase, outcome) = entry.request.hook_phase.as_ref().zip(entry.life.outcome.as_ref())?;
    let digest = match outcome.status {
        // What runs inside walls is the rewritten call, and there is one answer about it.
        _ if outcome.decided_by != DecidedBy::Person && outcome.walls.is_none() => None,
        Status::Approved => decided_digest(&entry.request, phase, outcome),
        Status::Denied => phase.call.digest.clone(),
        Status::Timeout | Status::Cancelled | Status::Pending => None,
    };
    Some(CallKey { id: phase.call.id.clone(), digest: Some(digest?) })
}

/// The digest of the call as it may run: with the arguments that a person has changed, if so.
fn decided_digest(request: &Request, phase: &HookPhase, outcome: &Outcome) -> Option<ArgumentsHash> {
    let Some(arguments) = &outcome.arguments else { return phase.call.digest.clone() };
    let session = request.session.as_ref().map(|session| session.id.as_str());
    CallKey::digest(session, request.server.as_deref(), &request.tool, request.class, arguments)
}

impl Gate {
    /// The answer to the first phase of a call is that to the second one, too.
    pub(super) fn await_second_phase(&mut self, request: &Request) {
        let first = request.hook_phase.as_ref().filter(|phase| phase.order == PhaseOrder::First);
        let Some(first) = first.filter(|_| request.session.is_some()) else { return };
        let collector = Collector::SecondPhase(first.call.clone());
        self.uncollected.push(Uncollected { id: request.id, collector, until: None });
    }

    /// A request has ended: only what a person has said is left for the second phase, and only for what was
    /// decided. What policy and grants say is found anew.
    pub(super) fn leave_to_second_phase(&mut self, id: RequestId) {
        if !self.collect(id, |collector| matches!(collector, Collector::SecondPhase(_))) {
            return;
        }
        let Some(entry) = self.entry(id) else { return };
        let Some((call, outcome)) = answered_call(entry).zip(entry.life.outcome.as_ref()) else { return };
        let until = Some(add(outcome.decided_at, self.limits.second_phase));
        self.uncollected.push(Uncollected { id, collector: Collector::SecondPhase(call), until });
    }

    /// The request whose answer is also that of `request`: the second phase about a call gets the
    /// answer to the first. Each first phase has at most one second one. What the policy denies by
    /// now is denied.
    pub(super) fn join_first_phase(
        &mut self,
        request: &Request,
        foreseen: Option<&Foreseen>,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Option<Acknowledgement> {
        let phase = request.hook_phase.as_ref().filter(|phase| phase.order == PhaseOrder::Second)?;
        let id = self.first_phase(request, &phase.call, now)?;
        // The line that was made of a call that runs inside walls is judged by that call.
        let is_denied = || self.evaluate_foreseen(foreseen, request, now).0.action == Action::Deny;
        if !self.has_walls(id, now) && is_denied() {
            return None;
        }
        self.collect(id, |collector| matches!(collector, Collector::SecondPhase(_)));
        effects.push(Effect::Record(Record::AskedAgain(id)));
        Some(Acknowledgement::Joined(id))
    }

    /// Where several calls are alike, the second phase belongs to one that may run already, else to
    /// one that is open, else to one that was denied: in that order, the oldest first.
    fn first_phase(&self, request: &Request, call: &CallKey, now: Timestamp) -> Option<RequestId> {
        let rank = |one: &Uncollected| {
            let Collector::SecondPhase(key) = &one.collector else { return None };
            let entry = self.entry(one.id)?;
            let first = &entry.request;
            let is_same_call = key.may_be(call)
                && first.requester == request.requester
                && first.agent == request.agent
                && first.session == request.session
                && first.cwd == request.cwd
                // A person has answered about these files. Inside walls it does not matter what they hold.
                && (self.has_walls(one.id, now) || first.has_same_files(request));
            match &entry.life.outcome {
                _ if !is_same_call || !one.is_there(now) => None,
                None => Some(1),
                // It ended without a person's answer.
                Some(_) if one.until.is_none() => None,
                Some(outcome) => Some(if outcome.status == Status::Approved { 0 } else { 2 }),
            }
        };
        let ranked = self.uncollected.iter().filter_map(|one| Some((rank(one)?, one.id)));
        ranked.min().map(|(_, id)| id)
    }

    /// A call is over: whatever is open about it is stale, and no answer is good for it any more.
    pub(super) fn call_ended(
        &mut self,
        session: &SessionKey,
        call: &CallKey,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        let stale: Vec<RequestId> = {
            let open = || self.open_phases(session);
            let named = || open().filter(|(_, phase)| phase.call.has_id_of(call));
            // As many as have ended: of calls that are alike, and not told apart by an id, one.
            let unnamed =
                || open().find(|(_, phase)| (phase.call.id.is_none() || call.id.is_none()) && phase.call.may_be(call));
            let by_digest = if named().next().is_none() { unnamed() } else { None };
            named().chain(by_digest).map(|(entry, _)| entry.request.id).collect()
        };
        self.take_back(&stale, ANSWERED_ELSEWHERE, now, effects);
        self.forget_answers(session, |answered| answered.has_id_of(call) || answered.may_be(call));
        Ok(Acknowledgement::Done)
    }

    /// The agent has stopped: whatever it asked itself is stale. Its sub-agents may still work.
    pub(super) fn turn_ended(
        &mut self,
        session: &SessionKey,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        let own = self.open_phases(session).filter(|(_, phase)| !phase.is_of_sub_agent);
        let stale: Vec<RequestId> = own.map(|(entry, _)| entry.request.id).collect();
        self.take_back(&stale, STOPPED, now, effects);
        self.forget_answers(session, |_| true);
        Ok(Acknowledgement::Done)
    }

    fn take_back(&mut self, stale: &[RequestId], why: &str, now: Timestamp, effects: &mut Vec<Effect>) {
        for id in stale {
            self.requests.end(*id, &End::Cancelled(why.to_owned()), now, effects);
        }
    }

    /// Lets answers count for no second phase any more.
    pub(super) fn forget_answers(&mut self, session: &SessionKey, of: impl Fn(&CallKey) -> bool) {
        let requests = &self.requests;
        self.uncollected.retain(|one| {
            let Collector::SecondPhase(call) = &one.collector else { return true };
            let entry = requests.entry(one.id).filter(|entry| entry.request.session.as_ref() == Some(session));
            !(entry.is_some_and(|entry| !entry.life.is_open()) && of(call))
        });
    }

    /// Open requests of hooks of `session`, the oldest first.
    fn open_phases<'a>(&'a self, session: &'a SessionKey) -> impl Iterator<Item = (&'a Entry, &'a HookPhase)> {
        self.pending()
            .filter(move |entry| entry.request.session.as_ref() == Some(session))
            .filter_map(|entry| Some((entry, entry.request.hook_phase.as_ref()?)))
    }
}
