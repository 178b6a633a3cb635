//! How what was asked stands, as everybody but its requester may have it: without secrets, rendered once, and shared.

use std::collections::HashMap;
use std::sync::Arc;

use handraise_gate::{Asked, Entry, QuestionEntry};
use handraise_protocol::{ApprovalResult, QuestionResult};

use crate::redacted::RequestRedactor;
use crate::{approval_result, view};

/// Results of what is forgotten elsewhere which may wait here to be forgotten, too.
const FORGOTTEN: usize = 64;

/// What others than its requester may know the end of.
pub(crate) trait Redactable: Asked {
    /// How it stands.
    type Result;

    /// How it stands, as its requester may have it.
    fn result(&self) -> Self::Result;
    /// The same without secrets. `known` knows the secrets of this one already; `redactor` only those of everyone.
    fn redacted(&self, known: Option<RequestRedactor>, redactor: &RequestRedactor) -> Self::Result;
}

impl Redactable for Entry {
    type Result = ApprovalResult;

    fn result(&self) -> ApprovalResult {
        approval_result::result(self)
    }

    fn redacted(&self, known: Option<RequestRedactor>, redactor: &RequestRedactor) -> ApprovalResult {
        known.unwrap_or_else(|| redactor.knowing(&self.request)).result(self)
    }
}

impl Redactable for QuestionEntry {
    type Result = QuestionResult;

    fn result(&self) -> QuestionResult {
        view::question_result(self)
    }

    fn redacted(&self, _: Option<RequestRedactor>, redactor: &RequestRedactor) -> QuestionResult {
        redactor.question_result(self)
    }
}

/// The results of what is known elsewhere: of the gate's requests, or of the questions.
#[derive(Debug)]
pub(crate) struct RedactedResults<Entry: Redactable> {
    /// Of those that have ended.
    ended: HashMap<Entry::Id, Arc<Entry::Result>>,
    /// What knows the secrets of those that have not. To look for these anew is work on what an agent can make large.
    knowing: HashMap<Entry::Id, RequestRedactor>,
}

impl<Entry: Redactable> Default for RedactedResults<Entry> {
    fn default() -> Self {
        Self { ended: HashMap::new(), knowing: HashMap::new() }
    }
}

impl<Entry: Redactable> RedactedResults<Entry> {
    /// It has come in; `knowing` knows its secrets.
    pub(crate) fn asked(&mut self, id: Entry::Id, knowing: RequestRedactor) {
        self.knowing.insert(id, knowing);
    }

    /// How `entry` stands.
    pub(crate) fn of(&mut self, entry: &Entry, redactor: &RequestRedactor) -> Arc<Entry::Result> {
        // Nothing has been said about it that could hold a secret, and when it is due may still change.
        if entry.life().is_open() {
            return Arc::new(entry.result());
        }
        let Self { ended, knowing } = self;
        let id = entry.id();
        let rendered = ended.entry(id).or_insert_with(|| Arc::new(entry.redacted(knowing.remove(&id), redactor)));
        rendered.clone()
    }

    /// These ended in another way than was rendered.
    pub(crate) fn ended_otherwise(&mut self, ids: impl IntoIterator<Item = Entry::Id>) {
        ids.into_iter().for_each(|id| drop(self.ended.remove(&id)));
    }

    /// Something else counts as a secret from now on.
    pub(crate) fn clear(&mut self) {
        self.ended.clear();
        self.knowing.clear();
    }

    /// Lets go of what is not known elsewhere any more, where `ended` that are over still are.
    pub(crate) fn forget_with(&mut self, ended: usize, is_known: impl Fn(Entry::Id) -> bool) {
        if self.ended.len() > ended + FORGOTTEN {
            self.ended.retain(|id, _| is_known(*id));
            self.knowing.retain(|id, _| is_known(*id));
        }
    }
}

#[cfg(test)]
mod tests {
    use handraise_gate::{Gate, Input, Limits, RegistryLimits};
    use handraise_policy::{Policy, Preset, ProcessTree, RequestId};
    use handraise_protocol::{ApprovalRequest, Status};
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::*;
    use crate::intake::{RequesterIdentity, Submission, intake};

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn submit(gate: &mut Gate, number: u128) -> RequestId {
        let request = ApprovalRequest { tool: "edit".into(), ..ApprovalRequest::default() };
        let requester = RequesterIdentity { credential: "tests".into(), is_agent: false };
        let id = RequestId(Uuid::from_u128(number));
        let request = intake(&Submission::of_program(request, requester), id, ProcessTree::default()).unwrap();
        gate.handle(Input::submit(request), NOW).answer.unwrap();
        id
    }

    fn cancel(gate: &mut Gate, id: RequestId, reason: &str) {
        let (requester, reason) = ("tests".to_owned(), reason.to_owned());
        gate.handle(Input::Cancel { id, requester, reason }, NOW).answer.unwrap();
    }

    #[test]
    fn an_end_is_redacted_once_and_an_open_request_is_looked_at_each_time() {
        let redactor = RequestRedactor::new([7; 32]);
        let mut gate = Gate::new(Policy::from_preset(Preset::Strict), Limits::default());
        let mut results = RedactedResults::<Entry>::default();
        let id = submit(&mut gate, 1);
        assert_eq!(results.of(gate.entry(id).unwrap(), &redactor).status, Status::Pending);
        cancel(&mut gate, id, "It used ghp_16C7e42F292c6912E7710c838347Ae178B4a.");
        let ended = results.of(gate.entry(id).unwrap(), &redactor);
        assert_eq!(ended.status, Status::Cancelled);
        assert!(!ended.reason.as_ref().unwrap().contains("ghp_"), "{ended:?}");
        assert!(Arc::ptr_eq(&ended, &results.of(gate.entry(id).unwrap(), &redactor)));
        results.ended_otherwise([id]);
        assert!(!Arc::ptr_eq(&ended, &results.of(gate.entry(id).unwrap(), &redactor)));
    }

    #[test]
    fn what_knows_the_secrets_of_a_request_already_hides_them_in_its_end() {
        let [known, other] = [[7; 32], [8; 32]].map(RequestRedactor::new);
        let mut gate = Gate::new(Policy::from_preset(Preset::Strict), Limits::default());
        let secret = "It used ghp_16C7e42F292c6912E7710c838347Ae178B4a.";
        let [first, second] = [1, 2].map(|number| {
            let mut results = RedactedResults::<Entry>::default();
            let id = submit(&mut gate, number);
            if number == 1 {
                results.asked(id, known.clone());
            }
            cancel(&mut gate, id, secret);
            results.of(gate.entry(id).unwrap(), &other).reason.clone().unwrap()
        });
        assert_eq!((first, second), (known.text(secret), other.text(secret)));
        assert_ne!(known.text(secret), other.text(secret));
    }

    #[test]
    fn what_the_gate_has_forgotten_is_forgotten() {
        let redactor = RequestRedactor::new([7; 32]);
        let requests = RegistryLimits { finished: 10, ..RegistryLimits::REQUESTS };
        let mut gate = Gate::new(Policy::from_preset(Preset::Strict), Limits { requests, ..Limits::default() });
        let mut results = RedactedResults::<Entry>::default();
        for number in 1..=500 {
            let id = submit(&mut gate, number);
            results.asked(id, redactor.clone());
            cancel(&mut gate, id, "x");
            results.of(gate.entry(id).unwrap(), &redactor);
            results.forget_with(gate.ended_count(), |id| gate.entry(id).is_some());
            assert!(results.knowing.is_empty() && results.ended.len() <= gate.ended_count() + FORGOTTEN);
        }
    }
}
