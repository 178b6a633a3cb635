//! What the hooks of an agent say about one call: it is asked once, and not beyond its end.

use jiff::{SignedDuration, Timestamp};

use super::end::cancelled;
use super::{Answer, Effect, Entry, Gate, Record, Refusal, add};
use crate::{
    Action, ArgumentsHash, CallKey, DecidedBy, HookQuestion, Outcome, QuestionOrder, Request, RequestId,
    SecondQuestion, SessionKey, Status,
};

const ANSWERED_ELSEWHERE: &str = "It was answered in the agent itself.";
const STOPPED: &str = "The agent has stopped without waiting for an answer.";

/// What a request awaits when it is the first of two questions about a call.
pub(super) fn awaited(request: &Request) -> Option<SecondQuestion> {
    let is_first = request.question.as_ref().is_some_and(|question| question.order == QuestionOrder::First);
    (is_first && request.session.is_some()).then_some(SecondQuestion::Awaited)
}

/// What is left of that once `entry` has ended: only what a person has said, and only for what was
/// decided. What policy and grants say is found anew.
pub(super) fn answered(entry: &Entry, outcome: &Outcome, good_for: SignedDuration) -> Option<SecondQuestion> {
    let said = matches!(outcome.status, Status::Approved | Status::Denied) && outcome.decided_by == DecidedBy::Person;
    let question = entry.request.question.as_ref().filter(|_| said && entry.second_question.is_some())?;
    let digest = match outcome.status {
        Status::Approved => decided_digest(&entry.request, question, outcome)?,
        _ => question.call.digest.clone()?,
    };
    let call = CallKey { id: question.call.id.clone(), digest: Some(digest) };
    Some(SecondQuestion::Answered(call, add(outcome.decided_at, good_for)))
}

/// The digest of the call as it may run: with the arguments that a person has changed, if so.
fn decided_digest(request: &Request, question: &HookQuestion, outcome: &Outcome) -> Option<ArgumentsHash> {
    let Some(arguments) = &outcome.arguments else { return question.call.digest.clone() };
    let session = request.session.as_ref().map(|session| session.id.as_str());
    CallKey::digest(session, request.server.as_deref(), &request.tool, request.class, arguments)
}

impl Gate {
    /// The request whose answer is also that of `request`: the second question about a call gets the
    /// answer to the first. Each first question has at most one second one. What the policy denies by
    /// now is denied.
    pub(super) fn join_first_question(
        &mut self,
        request: &Request,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Option<Answer> {
        let question = request.question.as_ref().filter(|question| question.order == QuestionOrder::Second)?;
        if self.evaluate(request, now).action == Action::Deny {
            return None;
        }
        let id = self.first_question(request, &question.call, now)?;
        self.entries.get_mut(&id)?.second_question = None;
        effects.push(Effect::Record(Record::AskedAgain(id)));
        Some(Answer::Joined(id))
    }

    /// Where several calls are alike, the second question belongs to one that may run already, else to
    /// one that is open, else to one that was denied: in that order, the oldest first.
    fn first_question(&self, request: &Request, call: &CallKey, now: Timestamp) -> Option<RequestId> {
        let rank = |entry: &Entry| {
            let first = &entry.request;
            let is_same_agent = first.requester == request.requester
                && first.agent == request.agent
                && first.session == request.session
                && first.cwd == request.cwd
                // A person has answered about these files.
                && first.has_same_files(request);
            match (entry.second_question.as_ref().filter(|_| is_same_agent)?, &entry.outcome) {
                (SecondQuestion::Awaited, None) => first.question.as_ref()?.call.may_be(call).then_some(1),
                (SecondQuestion::Answered(key, until), Some(outcome)) if now < *until && key.may_be(call) => {
                    Some(if outcome.status == Status::Approved { 0 } else { 2 })
                }
                _ => None,
            }
        };
        let ranked = self.entries.values().filter_map(|entry| Some((rank(entry)?, entry.request.id)));
        ranked.min().map(|(_, id)| id)
    }

    /// A call is over: whatever is open about it is stale, and no answer is good for it any more.
    pub(super) fn call_ended(
        &mut self,
        session: &SessionKey,
        call: &CallKey,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Answer, Refusal> {
        let stale: Vec<(RequestId, Outcome)> = {
            let open = || self.open_questions(session);
            let named = || open().filter(|(_, question)| question.call.has_id_of(call));
            // As many as have ended: of calls that are alike, and not told apart by an id, one.
            let unnamed = || {
                open().find(|(_, question)| {
                    (question.call.id.is_none() || call.id.is_none()) && question.call.may_be(call)
                })
            };
            let by_digest = if named().next().is_none() { unnamed() } else { None };
            named().chain(by_digest).map(|(entry, _)| ended(entry, ANSWERED_ELSEWHERE, now)).collect()
        };
        for (id, outcome) in stale {
            self.finish(id, outcome, None, effects);
        }
        self.forget_answers(session, |answered| answered.has_id_of(call) || answered.may_be(call));
        Ok(Answer::Done)
    }

    /// The agent has stopped: whatever it asked itself is stale. Its sub-agents may still work.
    pub(super) fn turn_ended(
        &mut self,
        session: &SessionKey,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Answer, Refusal> {
        let own = self.open_questions(session).filter(|(_, question)| !question.is_of_sub_agent);
        let stale: Vec<(RequestId, Outcome)> = own.map(|(entry, _)| ended(entry, STOPPED, now)).collect();
        for (id, outcome) in stale {
            self.finish(id, outcome, None, effects);
        }
        self.forget_answers(session, |_| true);
        Ok(Answer::Done)
    }

    /// Lets answers count for no second question any more.
    pub(super) fn forget_answers(&mut self, session: &SessionKey, of: impl Fn(&CallKey) -> bool) {
        for entry in self.entries.values_mut().filter(|entry| entry.request.session.as_ref() == Some(session)) {
            if matches!(&entry.second_question, Some(SecondQuestion::Answered(call, _)) if of(call)) {
                entry.second_question = None;
            }
        }
    }

    /// Open requests of hooks of `session`, the oldest first.
    fn open_questions<'a>(&'a self, session: &'a SessionKey) -> impl Iterator<Item = (&'a Entry, &'a HookQuestion)> {
        self.pending()
            .filter(move |entry| entry.request.session.as_ref() == Some(session))
            .filter_map(|entry| Some((entry, entry.request.question.as_ref()?)))
    }
}

fn ended(entry: &Entry, why: &str, now: Timestamp) -> (RequestId, Outcome) {
    (entry.request.id, cancelled(entry, why.to_owned(), now))
}
