//! Questions to the person: asking, answering, waiting.

mod effects;
mod intake;

use std::sync::Arc;

use handraise_gate::{Approver, ApproverAction, QuestionEntry, QuestionId, QuestionInput, Reply};
use handraise_policy::ProcessTree;
use handraise_protocol::{AnswerRequest, Problem, ProblemCode, Question, QuestionRequest, QuestionResult};
use uuid::Uuid;

use super::history::unreadable;
use super::waiting::WaitsTo;
use super::{Engine, Standing, State};
use crate::intake::RequesterIdentity;
use crate::view;

impl Engine {
    /// Asks a question.
    pub(crate) async fn ask(
        &self,
        request: QuestionRequest,
        requester: RequesterIdentity,
        processes: ProcessTree,
    ) -> Result<Standing<QuestionEntry>, Problem> {
        let engine = self.clone();
        let _turn = self.turns.take(&requester.credential, request.question.len()).await?;
        self.call(move |state| {
            state.gate.note_requester(&processes);
            let question = intake::question(request, requester, QuestionId(Uuid::now_v7()), processes)?;
            let id = question.id;
            let known = state.handle_question(QuestionInput::Ask(Box::new(question)))?;
            state.standing(known.unwrap_or(id), WaitsTo::Know, engine)
        })
        .await?
    }

    /// Goes on waiting for the answer to a question of this requester's own.
    pub(crate) async fn resume_question(
        &self,
        id: QuestionId,
        requester: String,
    ) -> Result<Standing<QuestionEntry>, Problem> {
        let (engine, name) = (self.clone(), requester.clone());
        let own = self.call(move |state| {
            let entry = state.questions.entry(id).filter(|entry| entry.question.requester == name);
            entry.is_some().then(|| state.standing(id, WaitsTo::Know, engine))
        });
        match own.await? {
            Some(standing) => standing,
            None => Ok(Standing::Ended(Box::new(self.stored_question(id, Some(requester)).await?))),
        }
    }

    /// How a question stands; one of this requester's own, when one is given.
    pub(crate) async fn look_at_question(
        &self,
        id: QuestionId,
        requester: Option<String>,
    ) -> Result<QuestionResult, Problem> {
        let name = requester.clone();
        let known = self.call(move |state| match (state.questions.entry(id), &name) {
            (Some(_), None) => state.shown_question_result(id),
            (Some(entry), Some(name)) if entry.question.requester == *name => Some(view::question_result(entry)),
            _ => None,
        });
        match known.await? {
            Some(known) => Ok(known),
            None => self.stored_question(id, requester).await,
        }
    }

    /// How a question ended that is only known to the audit log.
    async fn stored_question(&self, id: QuestionId, requester: Option<String>) -> Result<QuestionResult, Problem> {
        self.reader.question(id, requester).await.map_err(unreadable)?.ok_or_else(unknown)
    }

    /// Takes a question back.
    pub(crate) async fn cancel_question(&self, id: QuestionId, requester: String) -> Result<QuestionResult, Problem> {
        self.call(move |state| {
            state.handle_question(QuestionInput::Cancel { id, requester })?;
            state.question_result(id)
        })
        .await?
    }

    /// Answers a question, or declines to.
    ///
    /// # Errors
    /// When it is over already (with its real end), when the approver may not, or when the answer does
    /// not fit the question.
    pub async fn answer(
        &self,
        id: QuestionId,
        answer: AnswerRequest,
        approver: Approver,
    ) -> Result<QuestionResult, Problem> {
        self.call(move |state| {
            let invalid = |error: handraise_protocol::InvalidRequest| {
                Problem::new(ProblemCode::InvalidRequest, format!("{error}."))
            };
            let reply = match answer.reply().map_err(invalid)? {
                Reply::Answer { selected, custom } => {
                    Reply::Answer { selected: state.original_labels(id, selected), custom }
                }
                declined @ Reply::Decline { .. } => declined,
            };
            let refused = state.gate.admit(&approver, ApproverAction::Change).err();
            state.handle_question(QuestionInput::Reply { id, reply, approver, refused })?;
            state.shown_question_result(id).ok_or_else(unknown)
        })
        .await?
    }

    /// Open questions, oldest first.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn questions(&self) -> Result<Vec<Arc<Question>>, Problem> {
        self.call(|state| {
            let open: Vec<QuestionId> = state.questions.pending().map(|entry| entry.question.id).collect();
            open.into_iter().filter_map(|id| state.shown_question(id)).collect()
        })
        .await
    }
}

impl State {
    /// How a question that is still known here stands, as its requester may have it.
    pub(super) fn question_result(&self, id: QuestionId) -> Result<QuestionResult, Problem> {
        self.questions.entry(id).map(view::question_result).ok_or_else(unknown)
    }

    /// How a question that is known here stands, as everybody but its requester may have it.
    pub(super) fn shown_question_result(&mut self, id: QuestionId) -> Option<QuestionResult> {
        let entry = self.questions.entry(id)?;
        Some(Arc::unwrap_or_clone(self.question_results.of(entry, &self.redactor)))
    }

    /// An open question as a surface may have it.
    pub(super) fn shown_question(&mut self, id: QuestionId) -> Option<Arc<Question>> {
        let entry = self.questions.entry(id).filter(|entry| entry.life.is_open())?;
        let rendered = self.shown_questions.entry(id);
        Some(rendered.or_insert_with(|| Arc::new(view::question(&self.redactor.question(entry)))).clone())
    }

    /// What was chosen was named by the labels that were shown; those with secrets in them were redacted.
    fn original_labels(&self, id: QuestionId, selected: Vec<String>) -> Vec<String> {
        let Some(entry) = self.questions.entry(id) else { return selected };
        let choices = &entry.question.choices;
        let original = |label: String| {
            if choices.iter().any(|choice| choice.label == label) {
                return label;
            }
            let shown_as = choices.iter().find(|choice| self.redactor.text(&choice.label) == label);
            shown_as.map_or(label, |choice| choice.label.clone())
        };
        selected.into_iter().map(original).collect()
    }

    /// Ends, as over, what was open when the program last stopped.
    pub(crate) fn end_open_questions(&mut self) -> Result<(), crate::AuditError> {
        self.audit.end_open_questions(self.clock.now())
    }
}

fn unknown() -> Problem {
    Problem::new(ProblemCode::NotFound, "There is no such question.")
}
