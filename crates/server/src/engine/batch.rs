//! The calls of one parallel batch: all of them are taken, or none.

use handraise_gate::{ProcessTree, Request};
use handraise_protocol::{Problem, RequestId};
use uuid::Uuid;

use super::{Engine, State, Submitted, WaitsTo};
use crate::intake::Submission;

impl Engine {
    /// Submits calls in order. A call that needs a person does not hold up the next one: whoever asked
    /// runs them in order.
    pub(crate) async fn submit_batch(
        &self,
        submissions: Vec<Submission>,
        processes: ProcessTree,
    ) -> Result<Vec<Submitted>, Problem> {
        let engine = self.clone();
        let size = submissions.iter().map(Submission::size).sum();
        let _turn = match submissions.first() {
            Some(first) => Some(self.turns.take(&first.asker.requester, size).await?),
            None => None,
        };
        self.call(move |state| {
            let requests = state.batch(&submissions, &processes)?;
            let mut submitted = Vec::with_capacity(requests.len());
            for (request, submission) in requests.into_iter().zip(submissions) {
                let own = request.id;
                let id = state.submit(request, submission)?;
                if id != own {
                    state.came_back(id);
                }
                // When a later one fails, whoever was to wait for these is gone, and they are withdrawn.
                submitted.push(state.submitted(id, WaitsTo::Act, engine.clone())?);
            }
            Ok(submitted)
        })
        .await?
    }
}

impl State {
    /// Makes submissions requests, when the gate would take all of them; a refusal names the one.
    fn batch(&mut self, submissions: &[Submission], processes: &ProcessTree) -> Result<Vec<Request>, Problem> {
        let mut requests = Vec::with_capacity(submissions.len());
        for (index, submission) in submissions.iter().enumerate() {
            let request = self.request(submission, RequestId(Uuid::now_v7()), processes.clone());
            let request = request.map_err(|problem| at(index, problem))?;
            requests.push(self.with_scripts(request));
        }
        let now = self.clock.now();
        match self.gate.check_batch(&requests, now) {
            Ok(()) => Ok(requests),
            Err((index, refusal)) => Err(at(index, self.problem(refusal))),
        }
    }
}

fn at(index: usize, problem: Problem) -> Problem {
    Problem { detail: format!("`requests[{index}]`: {}", problem.detail), ..problem }
}
