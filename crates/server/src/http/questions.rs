//! Questions to the person.

use axum::extract::{Path, State};
use axum::response::Response;
use handraise_gate::QuestionEntry;
use handraise_gate::QuestionId;
use handraise_protocol::{AnswerRequest, ProblemCode, QuestionList, QuestionRequest, QuestionResult};

use super::Shared;
use super::body::Json;
use super::caller::{ApproverCaller, Caller, Requester};
use super::params::Params;
use super::refusal::{HttpResult, refuse};
use super::waiting::{self, Wait, told};

pub(super) async fn ask(
    State(shared): State<Shared>,
    requester: Requester,
    Params(wait): Params<Wait>,
    Json(request): Json<QuestionRequest>,
) -> HttpResult<Response> {
    let wait = wait.checked()?;
    let process = requester.process().await;
    if process.is_other_user {
        return Err(refuse(ProblemCode::NotARequester, "This gate belongs to another user."));
    }
    let asked = shared.engine.ask(request, requester.identity, process.tree).await?;
    waiting::answer(asked, wait).await
}

pub(super) async fn list(State(shared): State<Shared>, _: ApproverCaller) -> HttpResult<axum::Json<QuestionList>> {
    Ok(axum::Json(QuestionList { questions: shared.engine.questions().await? }))
}

pub(super) async fn look(
    State(shared): State<Shared>,
    caller: Caller,
    Path(id): Path<String>,
    Params(wait): Params<Wait>,
) -> HttpResult<Response> {
    let (id, wait) = (question_id(&id)?, wait.checked()?);
    match (caller, wait) {
        (Caller::Requester(requester), Some(wait)) if !wait.is_zero() => {
            let asked = shared.engine.resume_question(id, requester.identity.credential).await?;
            waiting::answer(asked, Some(wait)).await
        }
        // Who only looks neither holds the question open nor ends it by going away.
        (caller, _) => Ok(told::<QuestionEntry>(shared.engine.look_at_question(id, caller.sees_only()).await?)),
    }
}

pub(super) async fn cancel(
    State(shared): State<Shared>,
    requester: Requester,
    Path(id): Path<String>,
) -> HttpResult<axum::Json<QuestionResult>> {
    Ok(axum::Json(shared.engine.cancel_question(question_id(&id)?, requester.identity.credential).await?))
}

pub(super) async fn answer(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Path(id): Path<String>,
    Json(answer): Json<AnswerRequest>,
) -> HttpResult<axum::Json<QuestionResult>> {
    Ok(axum::Json(shared.engine.answer(question_id(&id)?, answer, caller.approver).await?))
}

fn question_id(text: &str) -> HttpResult<QuestionId> {
    let id = text.parse().map_err(|_| refuse(ProblemCode::NotFound, "There is no such question."))?;
    Ok(QuestionId(id))
}
