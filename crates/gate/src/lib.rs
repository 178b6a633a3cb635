//! The domain of Handraise: what a request is, what the policy says about it, what a person has
//! granted, and who wins when several things happen at once.
//!
//! Architecture invariant: nothing here performs I/O, reads a clock, or waits. [`Gate::handle`] is
//! told what happened and what time it is, and answers with the effects that its owner has to carry
//! out. Every race (timeout against click, hang-up against click, two approvers) is therefore an
//! ordinary function call, and is tested as one.

mod canonical;
mod control_files;
mod decision;
mod grant;
mod hook;
mod lifecycle;
mod machine;
mod origin;
pub mod path;
pub mod policy;
mod process;
pub mod project_code;
mod question;
mod reach;
mod request;
pub mod risk;
mod script;
pub mod shell;
mod subject;

pub use handraise_display as display;
pub use handraise_redaction as redact;

pub use canonical::{ArgumentsHash, Unhashable};
pub use decision::{DecidedBy, Decision, Outcome, Scope, Status, Verdict};
pub use grant::{
    Breadth, CommandMatcher, ExactMatcher, FolderMatcher, Grant, GrantChoice, GrantEffect, GrantId, Matcher, RuleDraft,
    ToolMatcher, choices, rule_draft,
};
pub use hook::{CallKey, HookPhase, PhaseOrder};
pub use lifecycle::{Asked, Attendance, BookLimits, Departure, End, Life};
pub use machine::{
    Acknowledgement, Act, Approver, Authority, DecidedOutside, Effect, Entry, Evaluation, Gate, Input, Lasting, Limits,
    Mode, Reaction, Record, Refusal, SessionState, arguments_size,
};
pub use origin::{Contradiction, Origin, OriginContainer, OriginProgram, OriginRepository, OriginSsh, OriginTerminal};
pub use path::{PathCandidate, PathFacts, ResolvedPath};
pub use policy::{Action, Policy, PolicyInForce, Preset};
pub use process::{ApproverProcess, Askers, Doubt, ProcessId, ProcessTree};
pub use project_code::ProjectFacts;
pub use question::{
    Question, QuestionChoice, QuestionEffect, QuestionEntry, QuestionId, QuestionInput, QuestionOutcome,
    QuestionReaction, QuestionRecord, QuestionRefusal, QuestionStatus, Questions, Reply,
};
pub use reach::reach;
pub use request::{AgentIdentity, Request, RequestId, SessionKey};
pub use risk::{Annotations, AssessedRisk, Risk, RiskBasis, RiskLevel, Sources, assess};
pub use script::{MOST_SCRIPTS, ScriptFacts, ScriptState};
pub use subject::{Subject, ToolClass};
