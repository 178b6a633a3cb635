//! What the questions want done, done in order: first the audit log, then the world.

use std::sync::Arc;

use handraise_gate::{QuestionEffect, QuestionId, QuestionInput, QuestionRecord, QuestionRefusal};
use handraise_protocol::{Event, Problem, ProblemCode, QuestionAsked, QuestionResolved};
use jiff::Timestamp;

use crate::engine::State;
use crate::sentence::sentence;
use crate::view;

impl State {
    /// Lets the questions take `input` in and carries out what follows.
    pub(crate) fn handle_question(&mut self, input: QuestionInput) -> Result<Option<QuestionId>, Problem> {
        self.look_at_clock();
        let now = self.clock.now();
        let reaction = self.questions.handle(input, now);
        let carried_out = self.carry_out_questions(reaction.effects, now);
        let answer = reaction.answer.map_err(|refusal| self.question_problem(&refusal))?;
        carried_out?;
        Ok(answer)
    }

    /// Like [`State::handle_question`], where nobody waits to be told that it failed.
    pub(crate) fn tell_questions(&mut self, input: QuestionInput) {
        if let Err(problem) = self.handle_question(input) {
            tracing::error!(detail = problem.detail, "could not record what happened to a question");
        }
    }

    fn carry_out_questions(&mut self, mut effects: Vec<QuestionEffect>, now: Timestamp) -> Result<(), Problem> {
        let new = effects.iter().find_map(asked).and_then(|id| self.questions.entry(id));
        let new = new.map(|entry| self.redactor.question(entry));
        let mut failure = None;
        let results = &mut self.question_results;
        match self.audit.write_questions(&effects, &self.questions, new.as_ref(), &self.redactor, results, now) {
            Ok(()) if effects.iter().any(|effect| matches!(effect, QuestionEffect::Record(_))) => self.recorded(),
            Ok(()) => {}
            Err(error) => {
                self.questions.unrecorded(&mut effects, now);
                self.question_results.ended_otherwise(effects.iter().filter_map(ended));
                failure = Some(self.cannot_record(&error));
            }
        }
        if let Some(new) = new {
            self.shown_questions.insert(new.question.id, Arc::new(view::question(&new)));
        }
        for effect in effects {
            self.carry_out_question(effect);
        }
        let is_known = |id| self.questions.entry(id).is_some();
        self.question_results.forget_with(self.questions.ended_count(), is_known);
        failure.map_or(Ok(()), Err)
    }

    fn carry_out_question(&mut self, effect: QuestionEffect) {
        match effect {
            QuestionEffect::Record(_) => {}
            QuestionEffect::LastingEffect(never) => match never {},
            QuestionEffect::Present(id) => {
                let Some(question) = self.shown_question(id) else { return };
                let Some(entry) = self.questions.entry(id) else { return };
                let owner = entry.question.requester.clone();
                for surface in &self.surfaces {
                    surface.present_question(&question);
                }
                self.events.publish(Some(owner), Event::QuestionAsked(QuestionAsked { question }));
            }
            QuestionEffect::Withdraw(id) => {
                let Some(entry) = self.questions.entry(id) else { return };
                let result = self.question_results.of(entry, &self.redactor);
                for surface in &self.surfaces {
                    surface.withdraw_question(id.into(), &result);
                }
            }
            QuestionEffect::Resolve(id, _) => {
                self.shown_questions.remove(&id);
                let Some(entry) = self.questions.entry(id) else { return };
                // Who waits is told the very words; who only listens gets them without secrets.
                let (own, shown) = (view::question_result(entry), self.question_results.of(entry, &self.redactor));
                let owner = entry.question.requester.clone();
                if let Some(waiters) = self.question_waiters.remove(&id) {
                    waiters.tell(&own);
                }
                self.events.publish(
                    Some(owner),
                    Event::QuestionResolved(QuestionResolved { id: id.into(), result: Arc::unwrap_or_clone(shown) }),
                );
            }
        }
    }

    fn question_problem(&mut self, refusal: &QuestionRefusal) -> Problem {
        let code = match refusal {
            QuestionRefusal::Approver(refusal) => return self.problem((**refusal).clone()),
            QuestionRefusal::Unknown => ProblemCode::NotFound,
            QuestionRefusal::AlreadyOver(_) => ProblemCode::AlreadyOver,
            QuestionRefusal::KeyReused => ProblemCode::KeyReused,
            QuestionRefusal::TooMany => ProblemCode::TooManyRequests,
            QuestionRefusal::ShuttingDown => ProblemCode::ShuttingDown,
            QuestionRefusal::Empty
            | QuestionRefusal::UnknownChoice
            | QuestionRefusal::OneChoice
            | QuestionRefusal::NoFreeText => ProblemCode::InvalidRequest,
        };
        let problem = Problem::new(code, sentence(&refusal.to_string()));
        let QuestionRefusal::AlreadyOver(id) = refusal else { return problem };
        Problem { question: self.shown_question_result(*id).map(Box::new), ..problem }
    }
}

/// The question that has just come in, if `effect` tells of one.
fn asked(effect: &QuestionEffect) -> Option<QuestionId> {
    if let QuestionEffect::Record(QuestionRecord::Asked(id)) = effect { Some(*id) } else { None }
}

/// The question that whoever waits is told the end of.
fn ended(effect: &QuestionEffect) -> Option<QuestionId> {
    if let QuestionEffect::Resolve(id, _) = effect { Some(*id) } else { None }
}
