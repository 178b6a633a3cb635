//! One tool call that an agent wants decided.

use std::fmt;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::facts::{CheckoutFacts, Confinable, DecisionPointResult, PathFacts, ProjectFacts, ScriptFacts, TaskFacts};
use crate::{Annotations, ArgumentsHash, HookPhase, ProcessTree, Provenance, RiskLevel, Subject, ToolClass};
use handraise_shell::CommandLine;

/// Identifies one approval request under all its names. A UUID version 7, so that ids sort by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub Uuid);

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// One conversation of one agent; everything remembered belongs to exactly one of these.
///
/// Its three parts are compared one by one and never joined into one string, so that no choice of
/// names makes two sessions meet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionKey {
    /// Name of the requester credential that the session was seen under.
    pub requester: String,
    /// The agent, when it gave its name.
    pub agent: Option<String>,
    /// `session ?? conversation_id ?? user` of the request.
    pub id: String,
}

/// Which agent asks, and whether that is known or only claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentIdentity {
    /// The agent's name, as `claude-code`.
    pub name: String,
    /// The requester credential belongs to this agent. Otherwise the name is a claim, and a policy
    /// table for that agent may make the answer stricter but not laxer.
    pub verified: bool,
}

/// One tool call that an agent wants decided, with everything that bears on the decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Given by the owner of the gate.
    pub id: RequestId,
    /// Name of the requester credential.
    pub requester: String,
    /// The agent, when it gave its name.
    pub agent: Option<AgentIdentity>,
    /// `None`: the call is asked for and nothing about it is remembered.
    pub session: Option<SessionKey>,
    /// The user that the requester names.
    pub user: Option<String>,
    /// Tool name as the agent calls it.
    pub tool: String,
    /// MCP server; a field of its own, never a part of the tool name.
    pub server: Option<String>,
    /// The arguments as they will be used.
    pub arguments: Map<String, Value>,
    /// What the decision is bound to.
    pub arguments_hash: ArgumentsHash,
    /// Kind of tool.
    pub class: ToolClass,
    /// What the call is about.
    pub subject: Subject,
    /// For [`ToolClass::Shell`]: what the command line would run. `None` there: not understood.
    pub command: Option<CommandLine>,
    /// Files that the call changes besides its subject, as those of a patch.
    pub files: Vec<String>,
    /// Where the paths of [`Request::path_candidates`] lead.
    pub paths: PathFacts,
    /// What the projects in which its commands run make them run: [`Request::project_questions`].
    pub project_code: ProjectFacts,
    /// What the tasks of the project run that it names: [`Request::task_questions`].
    pub tasks: TaskFacts,
    /// What its commands of git would check out: [`Request::checkout_questions`].
    pub checkouts: CheckoutFacts,
    /// What the files that it runs hold, as it is put before a person: [`Request::script_candidates`].
    pub scripts: ScriptFacts,
    /// The project folder that the working folder belongs to, absolute and without symbolic links.
    pub project: Option<String>,
    /// The user's home folder, absolute and without symbolic links.
    pub home: Option<String>,
    /// Level declared by the requester.
    pub declared_risk: Option<RiskLevel>,
    /// Level from the table of the agents' known tools.
    pub table_risk: Option<RiskLevel>,
    /// MCP tool annotations.
    pub annotations: Annotations,
    /// The requester wants a person to be asked, whatever would allow the call.
    pub require_approval: bool,
    /// The requester's words for why. A claim.
    pub intent: Option<String>,
    /// The requester's one-line summary. A claim.
    pub summary: Option<String>,
    /// The requester's longer description. A claim.
    pub description: Option<String>,
    /// The requester's tags.
    pub tags: Vec<String>,
    /// Working folder of the call.
    pub cwd: Option<String>,
    /// Calls of one parallel batch share this.
    pub batch: Option<String>,
    /// The requester's own trace id.
    pub trace_id: Option<String>,
    /// Joins retries of one call to one request.
    pub idempotency_key: Option<String>,
    /// How long to wait for a person, in seconds; `None`: as the policy says.
    pub timeout_seconds: Option<u32>,
    /// Longest time that the transport can wait, in seconds; shortens the time-out above.
    pub longest_wait_seconds: Option<u32>,
    /// The agent takes changed arguments with an approval.
    pub accepts_edits: bool,
    /// Whether walls can be put around it here.
    pub confinable: Confinable,
    /// The files that it names in the project are kept before it runs, as far as they can be.
    pub is_kept: bool,
    /// The arguments lack what they were stored without, as secrets: nothing but a person decides, and
    /// the hash is that of the original.
    pub is_redacted: bool,
    /// Why nobody could look at the files that it names, as "its files could not be looked at within 2 seconds":
    /// nothing but a person approves it then.
    pub unseen: Option<String>,
    /// What the external decision point has said about it that the policy names; `None`: it was not asked.
    pub decision_point: Option<DecisionPointResult>,
    /// The phase of a call in which an agent's hook asks.
    pub hook_phase: Option<HookPhase>,
    /// The processes behind the request, as far as they could be found out.
    pub processes: ProcessTree,
    /// Where it comes from, as far as the system told. Shown to a person; decides nothing.
    pub provenance: Option<Provenance>,
}

impl Request {
    /// The command line, when it is one and all of it was understood.
    #[must_use]
    pub fn understood_command(&self) -> Option<&CommandLine> {
        self.command.as_ref().filter(|command| command.obstacle.is_none())
    }

    /// The agent's name, known or claimed.
    #[must_use]
    pub fn agent_name(&self) -> Option<&str> {
        self.agent.as_ref().map(|agent| agent.name.as_str())
    }

    /// Same call by the same requester: what a retry or a ticket has to match.
    pub fn is_same_call(&self, other: &Self) -> bool {
        self.requester == other.requester
            && self.agent == other.agent
            && self.session == other.session
            && self.tool == other.tool
            && self.server == other.server
            && self.arguments_hash == other.arguments_hash
            && self.cwd == other.cwd
    }

    /// The same, and the files that it runs hold the same.
    pub fn is_same_run(&self, later: &Self) -> bool {
        self.is_same_call(later) && self.has_same_files(later)
    }

    /// Whether the files that it runs hold the same in `later`, which was looked at when this one was.
    pub fn has_same_files(&self, later: &Self) -> bool {
        self.scripts.first_change(&later.scripts).is_none() && !self.is_less_seen(later)
    }

    /// Nobody could look at the files of `later`, and somebody could at those of this one.
    pub fn is_less_seen(&self, later: &Self) -> bool {
        self.unseen.is_none() && later.unseen.is_some()
    }
}

impl Request {
    /// Lets go of what nobody needs once the request is over: what it is about, and what was found out about it.
    pub fn let_go(&mut self) {
        self.arguments = Map::new();
        self.subject = Subject::default();
        self.command = None;
        self.files = Vec::new();
        self.paths = PathFacts::default();
        self.project_code = ProjectFacts::default();
        self.tasks = TaskFacts::default();
        self.confinable = Confinable::default();
        (self.intent, self.summary, self.description, self.provenance) = (None, None, None, None);
        self.tags = Vec::new();
    }

    /// One line that says what the call does, made only from what is decided.
    #[must_use]
    pub fn title(&self) -> String {
        match &self.subject {
            Subject::Command { line } => line.clone(),
            Subject::Edit { path, .. } => format!("Edit {path}"),
            Subject::Write { path, .. } => format!("Write {path}"),
            Subject::Read { path } => format!("Read {path}"),
            Subject::Fetch { url } => format!("Fetch {url}"),
            Subject::Arguments => match &self.server {
                Some(server) => format!("{server}: {}", self.tool),
                None => self.tool.clone(),
            },
        }
    }
}
