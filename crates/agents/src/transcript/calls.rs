//! Calls in the order in which they were made, until their end is known.

use std::collections::VecDeque;

use crate::{PastCall, PastOutcome};

/// Calls that may wait for their end at a time. Of a session that was cut off, ends never come.
const MAX_OPEN: usize = 1_000;

/// The calls of a transcript that nobody has taken yet.
#[derive(Debug, Default)]
pub struct Calls {
    waiting: VecDeque<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    call: PastCall,
    has_ended: bool,
}

impl Calls {
    /// A call begins. One that is known already is the same one, told again.
    pub(crate) fn begin(&mut self, call: PastCall) {
        self.add(call, false);
    }

    /// A call that is told together with its end.
    pub(crate) fn whole(&mut self, call: PastCall) {
        self.add(call, true);
    }

    fn add(&mut self, call: PastCall, has_ended: bool) {
        let known = call.id.as_deref().and_then(|id| self.open(id));
        match known {
            Some(known) if has_ended => *known = Waiting { call, has_ended },
            Some(_) => {}
            None => self.waiting.push_back(Waiting { call, has_ended }),
        }
    }

    /// The call `id` has ended. The first end counts: what follows a refusal is a failure.
    pub(crate) fn end(&mut self, id: &str, outcome: PastOutcome) {
        if let Some(waiting) = self.open(id) {
            waiting.call.outcome = outcome;
            waiting.has_ended = true;
        }
    }

    fn open(&mut self, id: &str) -> Option<&mut Waiting> {
        self.waiting.iter_mut().rev().find(|waiting| !waiting.has_ended && waiting.call.id.as_deref() == Some(id))
    }

    /// The next call whose end is known, if those before it have been taken.
    pub fn next_ended(&mut self) -> Option<PastCall> {
        let is_due = self.waiting.front().is_some_and(|first| first.has_ended) || self.waiting.len() > MAX_OPEN;
        if is_due { self.next_of_all() } else { None }
    }

    /// The next call, whether or not its end is known: for the end of a file.
    pub fn next_of_all(&mut self) -> Option<PastCall> {
        self.waiting.pop_front().map(|waiting| waiting.call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str) -> PastCall {
        PastCall { id: Some(id.to_owned()), tool: id.to_owned(), ..PastCall::default() }
    }

    #[test]
    fn calls_come_in_the_order_in_which_they_were_made_and_the_first_end_counts() {
        let mut calls = Calls::default();
        calls.begin(call("a"));
        calls.begin(call("b"));
        calls.begin(call("a"));
        calls.end("b", PastOutcome::Rejected);
        calls.end("b", PastOutcome::Error);
        assert_eq!(calls.next_ended(), None);
        calls.end("a", PastOutcome::Ok);
        let taken: Vec<(String, PastOutcome)> =
            std::iter::from_fn(|| calls.next_ended()).map(|call| (call.tool, call.outcome)).collect();
        assert_eq!(taken, [("a".to_owned(), PastOutcome::Ok), ("b".to_owned(), PastOutcome::Rejected)]);
        assert_eq!(calls.next_of_all(), None);
    }

    #[test]
    fn a_call_that_never_ends_holds_up_only_so_many_others() {
        let mut calls = Calls::default();
        calls.begin(call("lost"));
        for number in 0..MAX_OPEN {
            calls.whole(call(&number.to_string()));
        }
        let first = calls.next_ended().unwrap();
        assert_eq!((first.tool.as_str(), first.outcome), ("lost", PastOutcome::None));
        assert_eq!(std::iter::from_fn(|| calls.next_ended()).count(), MAX_OPEN);
    }
}
