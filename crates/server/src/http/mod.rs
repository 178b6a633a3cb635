//! The local API over HTTP/1.1, on 127.0.0.1 and on a Unix socket.

mod approvals;
mod batches;
mod body;
mod caller;
mod events;
mod guard;
mod hooks;
mod listen;
mod params;
mod policy;
mod questions;
mod refusal;
mod resources;
mod undo;
mod waiting;

use std::sync::Arc;
use std::sync::Mutex;

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::{delete, get, post};
use tokio_util::sync::CancellationToken;

pub(crate) use body::Arrivals;
pub(crate) use events::OpenStreams;
pub(crate) use listen::{Listeners, serve};

use crate::engine::Engine;
use crate::turns::Turns;

/// What every handler can reach.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    /// Cancelled when the server stops: ends open streams.
    pub(crate) stopping: CancellationToken,
    /// Open event streams.
    pub(crate) streams: Arc<Mutex<OpenStreams>>,
    /// Bodies on their way.
    pub(crate) arrivals: Arrivals,
    /// Turns to have a policy checked, which takes a core for a while.
    pub(crate) policy_checks: Turns,
}

/// Every route of [`handraise_protocol::ROUTES`].
pub(crate) fn router(shared: Shared) -> Router {
    Router::new()
        .route("/v1/approvals", post(approvals::submit).get(approvals::list))
        .route("/v1/approvals/batch", post(batches::submit))
        .route("/v1/approvals/deny-all", post(approvals::deny_all))
        .route("/v1/approvals/{id}", get(approvals::look).delete(approvals::cancel))
        .route("/v1/approvals/{id}/decision", post(approvals::decide))
        .route("/v1/approvals/{id}/reveal", get(approvals::reveal))
        .route("/v1/approvals/{id}/redeem", post(approvals::redeem))
        .route("/v1/approvals/{id}/walls", post(approvals::enter_walls))
        .route("/v1/approvals/{id}/walls/report", post(approvals::walls_report))
        .route("/v1/questions", post(questions::ask).get(questions::list))
        .route("/v1/questions/{id}", get(questions::look).delete(questions::cancel))
        .route("/v1/questions/{id}/answer", post(questions::answer))
        .route("/v1/evaluate", post(approvals::evaluate))
        .route("/v1/policy", get(policy::read).put(policy::replace))
        .route("/v1/policy/check", post(policy::check))
        .route("/v1/policy/confirm", post(policy::confirm))
        .route("/v1/policy/discard", post(policy::discard))
        .route("/v1/policy/preview", post(policy::preview))
        .route("/v1/policy/suggestions", get(policy::suggestions))
        .route("/v1/kept", get(undo::list))
        .route("/v1/kept/restore", post(undo::restore))
        .route("/v1/sessions", get(resources::sessions))
        .route("/v1/sessions/{id}", delete(resources::end_session))
        .route("/v1/grants", get(resources::grants))
        .route("/v1/grants/{id}", delete(resources::revoke_grant))
        .route("/v1/mode", get(resources::mode).put(resources::change_mode))
        .route("/v1/surfaces", get(resources::surfaces))
        .route("/v1/credentials", get(resources::credentials))
        .route("/v1/events", get(events::stream))
        .route("/v1/hooks/{agent}", post(hooks::hook))
        .route("/v1/challenge", post(resources::challenge))
        .route("/v1/health", get(resources::health))
        .route("/v1/openapi.json", get(resources::openapi))
        .fallback(refusal::not_found)
        .method_not_allowed_fallback(refusal::method_not_allowed)
        .layer(from_fn(guard::guard))
        .with_state(shared)
}
