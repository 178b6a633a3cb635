//! Calls that come together are taken together.

use jiff::Timestamp;

use super::{Entry, Gate, Refusal};
use handraise_policy::rules::Foreseen;
use handraise_policy::{Action, Request};

impl Gate {
    /// Whether all of `requests` would be taken, submitted one after the other now, each with what a policy said about
    /// it ahead. Changes nothing.
    ///
    /// # Errors
    /// The position of the first one that would be refused, and why.
    pub fn check_batch(
        &self,
        requests: &[(&Request, Option<&Foreseen>)],
        now: Timestamp,
    ) -> Result<(), (usize, Refusal)> {
        let mut asked: Vec<Entry> = Vec::new();
        for (index, (request, foreseen)) in requests.iter().enumerate() {
            let refused = |refusal| Err((index, refusal));
            if self.requests.check_open().is_err() {
                return refused(Refusal::ShuttingDown);
            }
            let earlier = requests.iter().take(index).map(|(earlier, _)| earlier).find(|earlier| {
                request.idempotency_key.is_some()
                    && (&earlier.requester, &earlier.idempotency_key) == (&request.requester, &request.idempotency_key)
            });
            match self.earlier(request, now) {
                Ok(Some(_)) => continue,
                Ok(None) => {}
                Err(refusal) => return refused(refusal),
            }
            match earlier {
                Some(earlier) if earlier.is_same_call(request) => continue,
                Some(_) => return refused(Refusal::KeyReused),
                None => {}
            }
            let entry = Entry::new((*request).clone(), self.evaluate_foreseen(*foreseen, request, now).0, now, now);
            if entry.evaluation.action == Action::Ask {
                if let Err(full) = self.requests.check_room(&entry, &asked) {
                    return refused(self.refusal(full, request.id));
                }
                asked.push(entry);
            }
            if self.is_full_for(request) {
                return refused(Refusal::TooManySessions);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{at, id, in_session, requests_limited};
    use super::super::*;
    use handraise_policy::Policy;

    fn keyed(number: u128, key: &str, arguments: &str) -> Request {
        Request { idempotency_key: Some(key.into()), ..in_session(number, "s", "edit", arguments) }
    }

    fn check(gate: &Gate, requests: &[Request], seconds: i64) -> Result<(), (usize, Refusal)> {
        let requests: Vec<_> = requests.iter().map(|request| (request, None)).collect();
        gate.check_batch(&requests, at(seconds))
    }

    #[test]
    fn a_batch_is_refused_at_the_call_that_would_be() {
        let limits = requests_limited(RegistryLimits { pending_per_requester: 3, ..RegistryLimits::REQUESTS });
        let mut gate = Gate::new(Policy::default(), limits);
        gate.handle(Input::submit(keyed(1, "known", "{}")), at(0)).answer.unwrap();
        let plain = |number| in_session(number, "s", "edit", "{}");
        let looks = |number| Request { declared_risk: Some(handraise_policy::RiskLevel::ReadOnly), ..plain(number) };

        let fits = [plain(2), looks(3), keyed(4, "known", "{}"), plain(5)];
        assert_eq!(check(&gate, &fits, 1), Ok(()));
        let full = [plain(2), looks(3), plain(4), plain(5)];
        assert_eq!(check(&gate, &full, 1), Err((3, Refusal::TooManyPending)));
        let reused = [plain(2), keyed(3, "known", r#"{"n":1}"#)];
        assert_eq!(check(&gate, &reused, 1), Err((1, Refusal::KeyReused)));
        let twice = [keyed(2, "new", "{}"), keyed(3, "new", "{}"), keyed(4, "new", r#"{"n":1}"#)];
        assert_eq!(check(&gate, &twice, 1), Err((2, Refusal::KeyReused)));
        assert!(gate.entry(id(2)).is_none(), "nothing was submitted");

        gate.handle(Input::Shutdown, at(2)).answer.unwrap();
        assert_eq!(check(&gate, &[plain(2)], 3), Err((0, Refusal::ShuttingDown)));
    }

    #[test]
    fn what_the_check_takes_the_gate_takes() {
        let limits = requests_limited(RegistryLimits { pending_per_requester: 2, ..RegistryLimits::REQUESTS });
        let mut gate = Gate::new(Policy::default(), limits);
        let batch = [keyed(1, "a", "{}"), keyed(2, "a", "{}"), in_session(3, "s", "edit", "{}")];
        assert_eq!(check(&gate, &batch, 0), Ok(()));
        for request in batch {
            gate.handle(Input::submit(request), at(0)).answer.unwrap();
        }
        assert_eq!(gate.pending().count(), 2);
    }
}
