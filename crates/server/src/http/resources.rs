//! Everything besides approvals: sessions, grants, credentials, and what anybody may know.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use handraise_policy::GrantId;
use handraise_protocol::{
    Challenge, ChallengeProof, Credential, Grant, Health, ModeRequest, ModeState, ProblemCode, SessionList, SurfaceList,
};

use super::Shared;
use super::body::Json;
use super::caller::{ApproverCaller, Caller, KnownProcess};
use super::refusal::{HttpResult, refuse};
use crate::peer::Peer;

/// Hexadecimal digits of a nonce.
const NONCE_DIGITS: std::ops::RangeInclusive<usize> = 32..=128;

pub(super) async fn sessions(State(shared): State<Shared>, _: ApproverCaller) -> HttpResult<axum::Json<SessionList>> {
    Ok(axum::Json(SessionList { sessions: shared.engine.sessions().await? }))
}

pub(super) async fn end_session(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Path(id): Path<String>,
) -> HttpResult<StatusCode> {
    caller.check_may_change(&shared).await?;
    let key = shared.engine.call(move |state| state.session_key(&id)).await?;
    let key = key.ok_or_else(|| refuse(ProblemCode::NotFound, "There is no such session."))?;
    shared.engine.end_session(key).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn grants(State(shared): State<Shared>, _: ApproverCaller) -> HttpResult<axum::Json<Vec<Grant>>> {
    Ok(axum::Json(shared.engine.grants().await?))
}

pub(super) async fn revoke_grant(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Path(id): Path<String>,
) -> HttpResult<StatusCode> {
    caller.check_may_change(&shared).await?;
    let id = id.parse().map_err(|_| refuse(ProblemCode::NotFound, "There is no such grant."))?;
    shared.engine.revoke_grant(GrantId(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn mode(State(shared): State<Shared>, _: ApproverCaller) -> HttpResult<axum::Json<ModeState>> {
    Ok(axum::Json(shared.engine.mode_state().await?))
}

pub(super) async fn change_mode(
    State(shared): State<Shared>,
    caller: ApproverCaller,
    Json(request): Json<ModeRequest>,
) -> HttpResult<axum::Json<ModeState>> {
    caller.check_may_change(&shared).await?;
    Ok(axum::Json(shared.engine.change_mode(request).await?))
}

pub(super) async fn surfaces(State(shared): State<Shared>, _: Caller) -> HttpResult<axum::Json<SurfaceList>> {
    Ok(axum::Json(shared.engine.surfaces().await?))
}

pub(super) async fn credentials(
    State(shared): State<Shared>,
    _: ApproverCaller,
) -> HttpResult<axum::Json<Vec<Credential>>> {
    Ok(axum::Json(shared.engine.credentials().await?))
}

pub(super) async fn challenge(
    State(shared): State<Shared>,
    Extension(peer): Extension<Peer>,
    Extension(known): Extension<KnownProcess>,
    Json(challenge): Json<Challenge>,
) -> HttpResult<axum::Json<ChallengeProof>> {
    let hexadecimal = challenge.nonce.chars().all(|digit| digit.is_ascii_hexdigit());
    if !hexadecimal || !NONCE_DIGITS.contains(&challenge.nonce.len()) {
        return Err(refuse(ProblemCode::InvalidRequest, "`nonce` is 16 to 64 bytes in hexadecimal."));
    }
    let proof = shared.engine.prove(&challenge, &peer.address());
    let proof = proof.ok_or_else(|| refuse(ProblemCode::NotFound, "There is no such credential."))?;
    known.begin(&peer);
    Ok(axum::Json(ChallengeProof { proof }))
}

pub(super) async fn health(State(shared): State<Shared>) -> HttpResult<axum::Json<Health>> {
    Ok(axum::Json(shared.engine.health().await?))
}

pub(super) async fn openapi() -> axum::Json<serde_json::Value> {
    axum::Json(handraise_protocol::openapi())
}
