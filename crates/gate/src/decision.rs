//! How a request ends.

use jiff::Timestamp;
use serde_json::{Map, Value};

use handraise_policy::{
    ArgumentsHash, Breadth, Coverage, Request, RiskLevel, Scope, ScriptFacts, TaskFacts, Walls, WallsHash,
};

/// Where a request stands. Clients treat any status they do not know as denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The call may run.
    Approved,
    /// The call must not run.
    Denied,
    /// No person answered in time; has the effect of a denial.
    Timeout,
    /// The requester withdrew it or went away.
    Cancelled,
    /// A person is being asked.
    Pending,
}

/// Who or what ended a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    /// A policy rule or default.
    Policy,
    /// An entry of the session's list.
    Grant,
    /// A person.
    Person,
    /// Nobody, in time.
    Timeout,
    /// The one who asked.
    Requester,
    /// Handraise was shut down.
    Shutdown,
}

/// A person's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Let the call run.
    Approve,
    /// Do not let it run.
    Deny,
}

/// What a person decides about a request: the answer, how far it reaches, and what it was given about.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonsDecision {
    /// Approve or deny.
    pub decision: Decision,
    /// How far it reaches.
    pub scope: Scope,
    /// How much it covers; matters only with a scope beyond once.
    pub breadth: Breadth,
    /// With the breadth prefix: positions of the simple commands that it covers; `None`: each that was asked about.
    pub commands: Option<Vec<usize>>,
    /// The rule that is to stand in the policy, as the approver has changed it; `None`: as it was shown.
    pub rule: Option<Box<str>>,
    /// Words for the model; empty means none.
    pub reason: Option<String>,
    /// Arguments to run instead of the requested ones.
    pub arguments: Option<Map<String, Value>>,
    /// The request with [`PersonsDecision::arguments`] in it, as its owner reads it anew: class, subject,
    /// command line, paths. Without it nothing is known about the changed call but its arguments.
    pub edited: Option<Box<Request>>,
    /// What the files that the call runs hold now; `None`: nobody has looked.
    pub scripts: Option<Box<ScriptFacts>>,
    /// What the tasks run now that the call names; `None`: nobody has looked.
    pub tasks: Option<TaskFacts>,
    /// The hash of what the approver was shown; must be that of the request when given.
    pub arguments_hash: Option<ArgumentsHash>,
    /// Let it run only inside of these walls, which the approver was shown.
    pub confined: Option<Box<WallsHash>>,
    /// The approver knows that the request has timed out, and approves its next identical retry.
    pub late: bool,
}

impl PersonsDecision {
    /// Approve, this call only.
    #[must_use]
    pub fn approve() -> Self {
        Self {
            decision: Decision::Approve,
            scope: Scope::Once,
            breadth: Breadth::Exact,
            commands: None,
            rule: None,
            reason: None,
            arguments: None,
            edited: None,
            scripts: None,
            tasks: None,
            arguments_hash: None,
            confined: None,
            late: false,
        }
    }

    /// Deny, this call only.
    #[must_use]
    pub fn deny(reason: Option<String>) -> Self {
        Self { decision: Decision::Deny, reason, ..Self::approve() }
    }

    /// How much it covers.
    #[must_use]
    pub fn coverage(&self) -> Coverage<'_> {
        Coverage { breadth: self.breadth, commands: self.commands.as_deref() }
    }

    /// It lets a call run.
    #[must_use]
    pub fn approves(&self) -> bool {
        self.decision == Decision::Approve
    }

    /// The same with another scope.
    #[must_use]
    pub fn with_scope(self, scope: Scope) -> Self {
        Self { scope, ..self }
    }
}

/// The end of a request. Never [`Status::Pending`].
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Who ended it.
    pub decided_by: DecidedBy,
    /// How far a person's answer reaches.
    pub scope: Option<Scope>,
    /// Words for the model, never empty.
    pub reason: String,
    /// The rule that matched, as it is written.
    pub rule: Option<String>,
    /// The risk that the request was decided with.
    pub risk: RiskLevel,
    /// The arguments to run, only when a person changed them or it runs inside walls.
    pub arguments: Option<Map<String, Value>>,
    /// The walls that it runs inside of.
    pub walls: Option<Walls>,
    /// Hash of the arguments that were decided.
    pub arguments_hash: ArgumentsHash,
    /// When it ended.
    pub decided_at: Timestamp,
}
