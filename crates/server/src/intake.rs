//! A request as it came over the wire, made into one that the gate decides about.

use handraise_gate::{AgentIdentity, PathFacts, ProcessTree, Request, SessionKey};
use handraise_protocol::{ApprovalRequest, ArgumentsHash, InvalidRequest, Problem, ProblemCode, RequestId};
use serde::{Deserialize, Serialize};

/// Who asks, as far as a credential proves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asker {
    /// Name of the requester credential.
    pub(crate) requester: String,
    /// The credential belongs to the agent of that name.
    pub(crate) is_agent: bool,
}

/// A request with what its transport adds. Stored as it is, so that an open request survives a restart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Submission {
    pub(crate) request: ApprovalRequest,
    pub(crate) asker: Asker,
    /// The agent takes changed arguments with an approval.
    pub(crate) accepts_edits: bool,
    /// Seconds that the transport can wait.
    pub(crate) longest_wait_seconds: Option<u32>,
}

impl Submission {
    /// A call that a program submits itself: it waits as long as it takes, and gets changed arguments
    /// with the result.
    pub(crate) fn of_program(request: ApprovalRequest, asker: Asker) -> Self {
        Self { request, asker, accepts_edits: true, longest_wait_seconds: None }
    }
}

/// Checks a submission and makes it a request of the gate.
pub(crate) fn intake(submission: &Submission, id: RequestId, processes: ProcessTree) -> Result<Request, Problem> {
    let Submission { request, asker, accepts_edits, longest_wait_seconds } = submission;
    request.check().map_err(|error: InvalidRequest| invalid(error.to_string()))?;
    let agent = if asker.is_agent {
        Some(AgentIdentity { name: asker.requester.clone(), verified: true })
    } else {
        request.agent.clone().map(|name| AgentIdentity { name, verified: false })
    };
    // Only a proved agent's own tool table counts: a claimed name must not make a call look harmless.
    let proved = agent.as_ref().filter(|agent| agent.verified).map(|agent| agent.name.as_str());
    let facts = handraise_agents::tool_facts(proved, &request.tool, request.server.as_deref(), &request.arguments);
    let session = request.session_id().map(|id| SessionKey {
        requester: asker.requester.clone(),
        agent: agent.as_ref().map(|agent| agent.name.clone()),
        id: id.to_owned(),
    });
    Ok(Request {
        id,
        requester: asker.requester.clone(),
        agent,
        session,
        user: request.user.clone(),
        tool: request.tool.clone(),
        server: request.server.clone(),
        arguments_hash: ArgumentsHash::of(&request.arguments).map_err(|error| invalid(error.to_string()))?,
        arguments: request.arguments.clone(),
        class: facts.class,
        subject: facts.subject,
        command: None,
        paths: PathFacts::default(),
        project: None,
        home: None,
        declared_risk: request.risk,
        table_risk: facts.risk,
        annotations: request.annotations.unwrap_or_default(),
        intent: request.intent.clone(),
        summary: request.summary.clone(),
        description: request.description.clone(),
        tags: request.tags.clone(),
        cwd: request.cwd.clone(),
        batch: request.batch.clone(),
        trace_id: request.trace_id.clone(),
        idempotency_key: request.idempotency_key.clone(),
        timeout_seconds: request.timeout_seconds,
        longest_wait_seconds: *longest_wait_seconds,
        accepts_edits: *accepts_edits,
        processes,
    })
}

fn invalid(detail: String) -> Problem {
    Problem::new(ProblemCode::InvalidRequest, detail)
}
