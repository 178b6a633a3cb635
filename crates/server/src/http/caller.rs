//! Who calls, and what that lets them do. Roles come from credentials, never from a body.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use handraise_gate::{Approver, ApproverAction, Authority};
use handraise_policy::ProcessId;
use handraise_protocol::{Credential, Problem, ProblemCode, Role};

use tokio::sync::OnceCell;

use super::Shared;
use super::body::Sender;
use super::refusal::{Refused, refuse};
use crate::engine::AcceptedCall;
use crate::intake::{RequesterIdentity, Submission};
use crate::peer::{ApproverKind, FoundApprover, Peer, PeerProcess};
use crate::provenance::Claims;

/// Somebody with a requester credential.
pub(super) struct Requester {
    pub(super) identity: RequesterIdentity,
    peer: Peer,
    known: KnownProcess,
}

/// What was found out about the process at the other end of one connection, when a requester first used it.
/// It may have ended since; who asked through this connection does not change with that.
#[derive(Clone, Default)]
pub(super) struct KnownProcess(Arc<OnceCell<PeerProcess>>);

impl KnownProcess {
    /// Finds it out, unless that was done before.
    async fn of(&self, peer: &Peer) -> PeerProcess {
        self.0.get_or_init(|| looked_up(peer, Peer::requester)).await.clone()
    }

    /// Begins to find it out: who lets the server prove itself is about to ask.
    pub(super) fn begin(&self, peer: &Peer) {
        let (known, peer) = (self.clone(), peer.clone());
        tokio::spawn(async move { known.of(&peer).await });
    }
}

impl Requester {
    /// The process at the other end, as it was when it asked first.
    pub(super) async fn process(&self) -> PeerProcess {
        self.known.of(&self.peer).await
    }
}

/// Somebody who may decide: an approver credential, or a person's terminal on the Unix socket.
pub(super) struct ApproverCaller {
    pub(super) approver: Approver,
}

/// Either of them.
pub(super) enum Caller {
    Requester(Requester),
    Approver(ApproverCaller),
}

impl Caller {
    /// The requester whose things this caller may see; `None`: everything.
    pub(super) fn sees_only(&self) -> Option<String> {
        match self {
            Self::Requester(requester) => Some(requester.identity.credential.clone()),
            Self::Approver(_) => None,
        }
    }

    /// The process at the other end, where the system tells.
    pub(super) async fn process(&self) -> Option<ProcessId> {
        match self {
            Self::Requester(requester) => requester.process().await.lineage.first().copied(),
            Self::Approver(caller) => caller.approver.process.lineage.first().copied(),
        }
    }

    /// The name of the credential, or `terminal`.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Requester(requester) => &requester.identity.credential,
            Self::Approver(caller) => &caller.approver.name,
        }
    }

    /// The credential, unless it is a terminal.
    pub(super) fn credential(&self) -> Option<&str> {
        match self {
            Self::Requester(requester) => Some(&requester.identity.credential),
            Self::Approver(ApproverCaller { approver }) => {
                (approver.authority == Authority::Token).then_some(approver.name.as_str())
            }
        }
    }
}

impl FromRequestParts<Shared> for Caller {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refused> {
        let caller = Self::found(parts, shared).await?;
        parts.extensions.insert(Sender(caller.name().to_owned()));
        Ok(caller)
    }
}

impl Caller {
    async fn found(parts: &Parts, shared: &Shared) -> Result<Self, Refused> {
        let peer = parts.extensions.get::<Peer>().cloned();
        let peer = peer.ok_or_else(|| refuse(ProblemCode::Internal, "The connection has no peer."))?;
        let Some(header) = parts.headers.get(header::AUTHORIZATION) else {
            return terminal(&peer, shared).await;
        };
        let unauthorized = || refuse(ProblemCode::Unauthorized, "Send Authorization: Bearer TOKEN with a valid token.");
        let (scheme, token) = header.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(unauthorized)?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(unauthorized());
        }
        let credential = shared.engine.authenticate(token).ok_or_else(unauthorized)?;
        let known = parts.extensions.get::<KnownProcess>().cloned().unwrap_or_default();
        of_credential(credential, peer, known, shared).await
    }
}

impl FromRequestParts<Shared> for Requester {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refused> {
        match Caller::from_request_parts(parts, shared).await? {
            Caller::Requester(requester) => Ok(requester),
            Caller::Approver(_) => Err(refuse(ProblemCode::NotARequester, "Use a requester's token for this.")),
        }
    }
}

impl FromRequestParts<Shared> for ApproverCaller {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refused> {
        match Caller::from_request_parts(parts, shared).await? {
            Caller::Approver(approver) => Ok(approver),
            Caller::Requester(_) => {
                Err(refuse(ProblemCode::NotAnApprover, "A requester cannot do this; it takes a person."))
            }
        }
    }
}

impl ApproverCaller {
    /// Lets an approver in that may see what is not its own: none that belongs to an agent, and none of which
    /// too little is known.
    async fn admitted(approver: Approver, shared: &Shared) -> Result<Caller, Refused> {
        shared.engine.admit(approver.clone(), ApproverAction::Look).await?;
        Ok(Caller::Approver(Self { approver }))
    }

    /// Refuses an approver that may not change anything. Deciding and answering are checked by the gate
    /// itself; this is for everything else.
    pub(super) async fn check_may_change(&self, shared: &Shared) -> Result<(), Refused> {
        Ok(shared.engine.admit(self.approver.clone(), ApproverAction::Change).await?)
    }
}

/// Looks the process at the other end up, without holding other work.
async fn looked_up<Found: Default + Send + 'static>(peer: &Peer, look: fn(&Peer) -> Found) -> Found {
    let peer = peer.clone();
    tokio::task::spawn_blocking(move || look(&peer)).await.unwrap_or_default()
}

/// Submits for the program at the other end, with the processes behind it. Where it comes from is looked
/// up only when a person is asked.
///
/// # Errors
/// When it is another user's program, or as the engine says.
pub(super) async fn submit(
    shared: &Shared,
    requester: &Requester,
    submission: Submission,
) -> Result<AcceptedCall, Problem> {
    let process = requester.process().await;
    if process.is_other_user {
        return Err(Problem::new(ProblemCode::NotARequester, "This gate belongs to another user."));
    }
    let claims = Claims::of(&submission.request, &submission.requester);
    let provenance = crate::provenance::find(process.lineage, claims);
    shared.engine.submit(submission, process.tree, provenance).await
}

/// Without a token: a person's interactive terminal on the Unix socket.
async fn terminal(peer: &Peer, shared: &Shared) -> Result<Caller, Refused> {
    let unauthorized = |what: &str| Err(refuse(ProblemCode::Unauthorized, what));
    if matches!(peer, Peer::Tcp { .. }) {
        return unauthorized("Send Authorization: Bearer TOKEN with a valid token.");
    }
    let FoundApprover { process, has_terminal, .. } =
        looked_up(peer, |peer| peer.approver(ApproverKind::Terminal)).await;
    if !has_terminal {
        return unauthorized("Without a token, only a person's interactive terminal is listened to.");
    }
    let approver = Approver { name: "terminal".to_owned(), authority: Authority::Terminal, process };
    ApproverCaller::admitted(approver, shared).await
}

async fn of_credential(
    credential: Credential,
    peer: Peer,
    known: KnownProcess,
    shared: &Shared,
) -> Result<Caller, Refused> {
    match credential.role {
        Role::Requester => {
            let is_agent = handraise_agents::agent(&credential.name).is_some();
            let identity = RequesterIdentity { credential: credential.name, is_agent };
            Ok(Caller::Requester(Requester { identity, peer, known }))
        }
        Role::Approver => {
            let found = looked_up(&peer, |peer| peer.approver(ApproverKind::Program)).await;
            if found.is_other_user {
                return Err(refuse(ProblemCode::NotAnApprover, "This gate belongs to another user."));
            }
            let authority = Authority::Token;
            let approver = Approver { name: credential.name, authority, process: found.process };
            ApproverCaller::admitted(approver, shared).await
        }
    }
}
