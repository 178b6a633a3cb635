//! A request as it came over the wire, made into one that the gate decides about.

use handraise_agents::ToolFacts;
use handraise_locations::DEFAULT_REQUESTER;
use handraise_policy::{
    AgentIdentity, Annotations, ArgumentsHash, CheckoutFacts, Confinable, HookPhase, PathFacts, ProcessTree,
    ProjectFacts, Provenance, Request, RequestId, ScriptFacts, SessionKey, Subject, TaskFacts, ToolClass,
};
use handraise_protocol::{ApprovalRequest, InvalidRequest, Problem, ProblemCode};
use handraise_shell::{CommandLine, Obstacle};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Who asks, as far as a credential proves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RequesterIdentity {
    /// Name of the requester credential.
    #[serde(rename = "requester")]
    pub(crate) credential: String,
    /// The credential belongs to an agent that Handraise hooks up, whose name it has.
    pub(crate) is_agent: bool,
}

impl RequesterIdentity {
    /// The agent of a request that says that it comes from `claimed`. A credential that was made for a name proves
    /// that name, and no other; the one that every program may use proves nothing.
    pub(crate) fn agent(&self, claimed: Option<&str>) -> Option<AgentIdentity> {
        // The credential of an agent that Handraise hooks up stands for that agent, whatever the message claims.
        Self::name_of(&self.credential, claimed.filter(|_| !self.is_agent))
    }

    /// The same for the credential called `requester`.
    pub(crate) fn name_of(requester: &str, claimed: Option<&str>) -> Option<AgentIdentity> {
        let is_own = requester != DEFAULT_REQUESTER;
        if is_own && claimed.is_none_or(|name| name == requester) {
            return Some(AgentIdentity { name: requester.to_owned(), verified: true });
        }
        claimed.map(|name| AgentIdentity { name: name.to_owned(), verified: false })
    }

    /// Whether what the request itself says about its risk counts. The code of a program declares it, and a person
    /// runs that program; what an agent's own hook hands in is the model's and the agent's word.
    fn may_declare(&self) -> bool {
        !self.is_agent
    }
}

/// A request with what its transport adds. Stored without its secrets, so that an open request survives
/// a restart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Submission {
    pub(crate) request: ApprovalRequest,
    /// Who asks. In stored requests it is called `asker`, as it was from the first version on.
    #[serde(rename = "asker")]
    pub(crate) requester: RequesterIdentity,
    /// The agent takes changed arguments with an approval.
    pub(crate) accepts_edits: bool,
    /// It is only tried out: what would happen if the hook of the agent asked.
    #[serde(skip)]
    pub(crate) is_trial: bool,
    /// The phase of a call in which a hook asks. Hooks do not outlive the server.
    #[serde(skip)]
    pub(crate) hook_phase: Option<HookPhase>,
    /// Seconds that the transport can wait.
    pub(crate) longest_wait_seconds: Option<u32>,
    /// Its requester was told to come back for the answer, or will be.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) comes_back: bool,
    /// The hash of the arguments as they were asked. Absent in what has just come in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) arguments_hash: Option<handraise_protocol::ArgumentsHash>,
    /// Something of the arguments was left out when they were stored. In stored requests it is called `redacted`.
    #[serde(default, rename = "redacted", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_redacted: bool,
    /// Where it comes from, as far as the system told when it came in.
    #[serde(default, rename = "origin", skip_serializing_if = "Option::is_none")]
    pub(crate) provenance: Option<Provenance>,
}

impl Submission {
    /// A call that a program submits itself: it waits as long as it takes, and gets changed arguments
    /// with the result.
    pub(crate) fn of_program(request: ApprovalRequest, requester: RequesterIdentity) -> Self {
        Self::new(request, requester, true, None)
    }

    /// A call that is only tried out. Of an agent it is one that its hook asks about.
    pub(crate) fn of_trial(request: ApprovalRequest, requester: RequesterIdentity) -> Self {
        let agent = requester.agent(request.agent.as_deref()).filter(|agent| agent.verified);
        let known = agent.and_then(|agent| handraise_agents::agent(&agent.name));
        let accepts_edits = known.is_none_or(handraise_agents::takes_edits);
        Self { is_trial: known.is_some(), ..Self::new(request, requester, accepts_edits, None) }
    }

    /// Whether an agent's own hook asks, which gets what is to run in the place of the call.
    pub(crate) fn is_of_hook(&self) -> bool {
        self.is_trial || self.hook_phase.is_some()
    }

    /// Whether what it gets back in the place of its command line is what runs: an agent's own hook sees to that, a
    /// program says so itself.
    pub(crate) fn runs_changed_command(&self) -> bool {
        self.is_of_hook() || self.request.runs_changed_command && self.requester.may_declare()
    }

    /// The same of a stored request: what an agent asked with its credential, its hook has asked.
    pub(crate) fn ran_changed_command(&self) -> bool {
        self.requester.is_agent || self.runs_changed_command()
    }

    /// Bytes that its arguments take.
    pub(crate) fn size(&self) -> usize {
        handraise_gate::arguments_size(&self.request.arguments)
    }

    /// A call that has just come in.
    pub(crate) fn new(
        request: ApprovalRequest,
        requester: RequesterIdentity,
        accepts_edits: bool,
        longest_wait_seconds: Option<u32>,
    ) -> Self {
        Self {
            request,
            requester,
            accepts_edits,
            is_trial: false,
            hook_phase: None,
            longest_wait_seconds,
            comes_back: false,
            arguments_hash: None,
            is_redacted: false,
            provenance: None,
        }
    }
}

/// Checks a submission and makes it a request of the gate. Where its paths lead is not known yet.
pub(crate) fn intake(submission: &Submission, id: RequestId, processes: ProcessTree) -> Result<Request, Problem> {
    let Submission {
        request,
        requester,
        accepts_edits,
        hook_phase,
        longest_wait_seconds,
        arguments_hash,
        is_redacted,
        provenance,
        is_trial: _,
        comes_back: _,
    } = submission;
    request.check().map_err(|error: InvalidRequest| invalid(error.to_string()))?;
    let agent = requester.agent(request.agent.as_deref());
    // Only a proved agent's own tool table counts: a claimed name must not make a call look harmless.
    let proved = agent.as_ref().filter(|agent| agent.verified).map(|agent| agent.name.as_str());
    let facts = handraise_agents::tool_facts(proved, &request.tool, request.server.as_deref(), &request.arguments);
    let command = command_line(proved, &facts, &request.tool, request.cwd.as_deref());
    let session = request.session_id().map(|id| SessionKey {
        requester: requester.credential.clone(),
        agent: agent.as_ref().map(|agent| agent.name.clone()),
        id: id.to_owned(),
    });
    let arguments_hash = match arguments_hash {
        // The stored arguments may lack what the hash was made from.
        Some(original) => original.clone().into(),
        None => ArgumentsHash::of(&request.arguments).map_err(|error| invalid(error.to_string()))?,
    };
    Ok(Request {
        id,
        requester: requester.credential.clone(),
        agent,
        session,
        user: request.user.clone(),
        tool: request.tool.clone(),
        server: request.server.clone(),
        arguments_hash,
        arguments: request.arguments.clone(),
        cwd: request.cwd.clone().or_else(|| facts.shell.folder_from(None)),
        command,
        files: facts.files,
        class: facts.class,
        subject: facts.subject,
        paths: PathFacts::default(),
        project_code: ProjectFacts::default(),
        tasks: TaskFacts::default(),
        scripts: ScriptFacts::default(),
        project: None,
        home: None,
        declared_risk: request.risk.map(Into::into).filter(|_| requester.may_declare()),
        table_risk: facts.risk,
        annotations: hints(request.annotations.unwrap_or_default().into(), requester),
        require_approval: request.require_approval,
        intent: request.intent.clone(),
        summary: request.summary.clone(),
        description: request.description.clone(),
        tags: request.tags.clone(),
        batch: request.batch.clone(),
        trace_id: request.trace_id.clone(),
        idempotency_key: request.idempotency_key.clone(),
        timeout_seconds: request.timeout_seconds,
        longest_wait_seconds: *longest_wait_seconds,
        // Changed arguments would have to be made from what was left out.
        accepts_edits: *accepts_edits && !is_redacted,
        checkouts: CheckoutFacts::default(),
        confinable: Confinable::default(),
        is_kept: false,
        is_redacted: *is_redacted,
        unseen: None,
        decision_point: None,
        hook_phase: hook_phase.clone(),
        processes,
        provenance: provenance.clone(),
    })
}

/// The hints of a tool's server, as far as whoever hands them in is believed: a hint that the tool only looks is the
/// server's, and an agent could have made it up.
fn hints(given: Annotations, requester: &RequesterIdentity) -> Annotations {
    if requester.may_declare() { given } else { Annotations { read_only_hint: None, ..given } }
}

/// `request` with other arguments, and with what follows from them read anew. Where its paths lead is not
/// known then.
pub(crate) fn reread(request: &Request, arguments: Map<String, Value>) -> Request {
    let proved = request.agent.as_ref().filter(|agent| agent.verified).map(|agent| agent.name.as_str());
    let facts = handraise_agents::tool_facts(proved, &request.tool, request.server.as_deref(), &arguments);
    let before = handraise_agents::tool_facts(proved, &request.tool, request.server.as_deref(), &request.arguments);
    // The folder of a call without one of its own is the one in its arguments.
    let is_own = before.shell.folder.is_none() || request.cwd != before.shell.folder_from(None);
    let cwd = if is_own { request.cwd.clone() } else { facts.shell.folder_from(None) };
    Request {
        command: command_line(proved, &facts, &request.tool, request.cwd.as_deref().filter(|_| is_own)),
        cwd,
        files: facts.files,
        class: facts.class,
        subject: facts.subject,
        table_risk: facts.risk,
        arguments_hash: ArgumentsHash::of(&arguments).unwrap_or_else(|_| request.arguments_hash.clone()),
        arguments,
        paths: PathFacts::default(),
        project_code: ProjectFacts::default(),
        tasks: TaskFacts::default(),
        decision_point: None,
        ..request.clone()
    }
}

/// The command line of a call by the `proved` agent, with what its other arguments make of it. A call in
/// the folder `cwd` goes from there to the one in its arguments.
fn command_line(proved: Option<&str>, facts: &ToolFacts, tool: &str, cwd: Option<&str>) -> Option<CommandLine> {
    let (ToolClass::Shell, Subject::Command { line }) = (facts.class, &facts.subject) else { return None };
    let line = CommandLine::analyse(line, handraise_agents::shell_of(proved, tool, facts.shell.shell.as_deref()));
    let line = match &facts.shell.obstacle {
        Some(obstacle) => line.held_up(obstacle.clone()),
        None => line,
    };
    let line = match facts.shell.folder.as_deref().zip(cwd).and_then(|(folder, cwd)| folder_from(cwd, folder)) {
        Some(folder) => line.in_folder(folder),
        None => line,
    };
    let types = proved.and_then(handraise_agents::agent).is_none_or(handraise_agents::Agent::types_unasked);
    match types.then(|| line.interactive_program()).flatten() {
        Some(program) => Some(line.held_up(Obstacle::Opens(program))),
        None => Some(line),
    }
}

/// `folder` as a `cd` in `cwd` would name it; `None`: it is `cwd` itself.
fn folder_from<'a>(cwd: &str, folder: &'a str) -> Option<&'a str> {
    let below = folder.strip_prefix(cwd.trim_end_matches('/')).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    match below.map(|rest| rest.trim_matches('/')) {
        Some("") => None,
        Some(below) if !below.split('/').any(|name| name == "..") => Some(below),
        _ => Some(folder),
    }
}

fn invalid(detail: String) -> Problem {
    Problem::new(ProblemCode::InvalidRequest, detail)
}

#[cfg(test)]
mod tests {
    use super::folder_from;

    #[test]
    fn a_folder_in_the_arguments_is_where_a_cd_would_go() {
        for (folder, wanted) in [
            ("/home/ana/shop", None),
            ("/home/ana/shop/", None),
            ("/home/ana/shop/web", Some("web")),
            ("/home/ana/shop/../other", Some("/home/ana/shop/../other")),
            ("/home/ana/shopping", Some("/home/ana/shopping")),
            ("/tmp/evil", Some("/tmp/evil")),
            ("web", Some("web")),
            ("../other", Some("../other")),
        ] {
            assert_eq!(folder_from("/home/ana/shop", folder), wanted, "{folder}");
        }
    }
}
