//! How requests stand, as everybody but their requesters may have it: without secrets, rendered once, and shared.

use std::collections::HashMap;
use std::sync::Arc;

use handraise_gate::{Entry, Gate};
use handraise_policy::RequestId;
use handraise_protocol::ApprovalResult;

use crate::approval_result;
use crate::redacted::RequestRedactor;

/// Results of requests that the gate has forgotten which may wait here to be forgotten, too.
const FORGOTTEN: usize = 64;

/// The results of the requests that the gate knows.
#[derive(Debug, Default)]
pub(crate) struct RedactedResults {
    /// Of those that have ended.
    ended: HashMap<RequestId, Arc<ApprovalResult>>,
    /// What knows the secrets of those that have not. To look for these anew is work on what an agent can make large.
    knowing: HashMap<RequestId, RequestRedactor>,
}

impl RedactedResults {
    /// A request has come in, of which `knowing` knows the secrets.
    pub(crate) fn asked(&mut self, id: RequestId, knowing: RequestRedactor) {
        self.knowing.insert(id, knowing);
    }

    /// How the request of `entry` stands.
    pub(crate) fn of(&mut self, entry: &Entry, redactor: &RequestRedactor) -> Arc<ApprovalResult> {
        // Nothing has been said about it that could hold a secret, and when it is due may still change.
        if entry.life.is_open() {
            return Arc::new(approval_result::result(entry));
        }
        let Self { ended, knowing } = self;
        let id = entry.request.id;
        let rendered = ended.entry(id).or_insert_with(|| {
            let knowing = knowing.remove(&id).unwrap_or_else(|| redactor.knowing(&entry.request));
            Arc::new(knowing.result(entry))
        });
        rendered.clone()
    }

    /// These ended in another way than was rendered.
    pub(crate) fn ended_otherwise(&mut self, ids: impl IntoIterator<Item = RequestId>) {
        ids.into_iter().for_each(|id| drop(self.ended.remove(&id)));
    }

    /// Something else counts as a secret from now on.
    pub(crate) fn clear(&mut self) {
        self.ended.clear();
        self.knowing.clear();
    }

    /// Lets go of what `gate` has forgotten.
    pub(crate) fn forget_with(&mut self, gate: &Gate) {
        if self.ended.len() > gate.ended_count() + FORGOTTEN {
            self.ended.retain(|id, _| gate.entry(*id).is_some());
            self.knowing.retain(|id, _| gate.entry(*id).is_some());
        }
    }
}

#[cfg(test)]
mod tests {
    use handraise_gate::{Input, Limits, RegistryLimits};
    use handraise_policy::{Policy, Preset, ProcessTree};
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
        let mut results = RedactedResults::default();
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
            let mut results = RedactedResults::default();
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
        let mut results = RedactedResults::default();
        for number in 1..=500 {
            let id = submit(&mut gate, number);
            results.asked(id, redactor.clone());
            cancel(&mut gate, id, "x");
            results.of(gate.entry(id).unwrap(), &redactor);
            results.forget_with(&gate);
            assert!(results.knowing.is_empty() && results.ended.len() <= gate.ended_count() + FORGOTTEN);
        }
    }
}
