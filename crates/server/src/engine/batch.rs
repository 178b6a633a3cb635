//! The calls of one parallel batch: all of them are taken, or none.

use handraise_gate::Entry;
use handraise_policy::rules::Foreseen;
use handraise_policy::{ProcessTree, Request, RequestId};
use handraise_protocol::Problem;
use uuid::Uuid;

use super::{Engine, Standing, State, TRIES, WaitsTo, moved_on};
use crate::intake::Submission;
use crate::prepare::Prepared;

impl Engine {
    /// Submits calls in order. A call that needs a person does not hold up the next one: whoever asked
    /// runs them in order.
    pub(crate) async fn submit_batch(
        &self,
        submissions: Vec<Submission>,
        processes: ProcessTree,
    ) -> Result<Vec<Standing<Entry>>, Problem> {
        let Some(first) = submissions.first() else { return Ok(Vec::new()) };
        let requester = first.requester.credential.clone();
        let size = submissions.iter().map(Submission::size).sum();
        let mut turn = Some(self.turns.take(&requester, size).await?);
        for _ in 0..TRIES {
            let prepared = self.preparer.prepare_all(submissions.clone(), processes.clone(), true, &mut turn).await?;
            let numbered = prepared.into_iter().enumerate();
            let prepared: Result<Vec<Prepared>, Problem> =
                numbered.map(|(index, one)| one.map_err(|problem| at(index, problem))).collect();
            let mut ready = Vec::new();
            for mut one in prepared? {
                one.request.id = RequestId(Uuid::now_v7());
                ready.push(self.keep_first(one, &mut turn).await?);
            }
            let (engine, prepared) = (self.clone(), ready.clone());
            if turn.is_none() {
                turn = Some(self.turns.again(&requester).await?);
            }
            match self.call(move |state| state.take_batch(&prepared, &engine)).await? {
                Ok(Some(submitted)) => {
                    for (one, standing) in ready.iter().zip(&submitted) {
                        let is_asked = matches!(standing, Standing::Pending(_));
                        if let Some(looking) = is_asked.then(|| self.preparer.look_ahead(one)).flatten() {
                            self.tell_later(one.request.id, looking);
                        }
                        self.settle_kept(one, standing, &mut turn).await;
                    }
                    return Ok(submitted);
                }
                refused => {
                    ready.iter().for_each(|one| self.discard_kept(one));
                    refused?;
                }
            }
        }
        Err(moved_on())
    }
}

impl State {
    /// Takes all of them in, or none. `None`: what counts as a secret has changed since they were prepared.
    fn take_batch(&mut self, prepared: &[Prepared], engine: &Engine) -> Result<Option<Vec<Standing<Entry>>>, Problem> {
        if !prepared.iter().all(|one| self.redacts_as(one)) {
            return Ok(None);
        }
        let requests: Vec<Request> = prepared.iter().map(|one| one.request.clone()).collect();
        let foreseen: Vec<Foreseen> = prepared.iter().map(Prepared::foreseen).collect();
        let with_foreseen: Vec<_> = requests.iter().zip(foreseen.iter().map(Some)).collect();
        if let Err((index, refusal)) = self.gate.check_batch(&with_foreseen, self.clock.now()) {
            return Err(at(index, self.problem(refusal)));
        }
        let mut submitted = Vec::with_capacity(requests.len());
        for (request, prepared) in requests.into_iter().zip(prepared) {
            let own = request.id;
            let id = self.submit(request, prepared)?;
            if id != own {
                self.came_back(id);
            }
            // When a later one fails, whoever was to wait for these is gone, and they are withdrawn.
            submitted.push(self.standing(id, WaitsTo::Act, engine.clone())?);
        }
        Ok(Some(submitted))
    }
}

fn at(index: usize, problem: Problem) -> Problem {
    Problem { detail: format!("`requests[{index}]`: {}", problem.detail), ..problem }
}
