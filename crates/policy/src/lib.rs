//! What a request is, how dangerous it is, and what the rules and the grants say about it.
//!
//! Architecture invariant: nothing here performs I/O, reads a clock, or waits. Facts about files,
//! projects and processes are handed in with the request; times are arguments.

mod brought;
mod canonical;
mod checkout;
mod consequence;
mod control_files;
mod effect;
mod facts;
mod filled_anew;
pub mod grant;
mod hook;
pub mod path;
mod process;
pub mod project_code;
pub mod project_task;
mod provenance;
mod request;
pub mod risk;
pub mod rules;
mod scratch_files;
mod script;
mod subject;
mod temporary_files;
#[cfg(any(test, feature = "test-support"))]
pub mod test_support;
mod unseen;
mod written;
mod written_findings;

pub use canonical::{ArgumentsHash, NoCanonicalForm};
pub use consequence::{Act, ConsequenceQuestion, GitAct, Target};
pub use control_files::{is_control, is_reference_of_skill};
pub use effect::{CanBeUndone, Effect, Reach};
pub use facts::{
    CheckoutAnswer, CheckoutFacts, CheckoutQuestion, CheckoutSource, Confinable, ConfinedCall, DecisionPointAnswer,
    DecisionPointResult, PathFacts, ProjectFacts, ResolvedPath, ScriptFacts, ScriptState, TaskFacts, TaskState,
};
pub use filled_anew::is_filled_anew;
pub use grant::{
    Breadth, CommandChoice, CommandMatcher, Coverage, ExactMatcher, FolderMatcher, Grant, GrantChoice, GrantEffect,
    GrantId, Matcher, Scope, ToolMatcher, choices, choices_of_commands, may_be_suggested, rule_from_approval,
};
pub use hook::{CallKey, HookPhase, PhaseOrder};
pub use path::PathCandidate;
pub use process::{ApproverProcess, Doubt, ProcessId, ProcessTree, Requesters};
pub use project_task::{ChangedTask, TaskPin};
pub use provenance::{
    Contradiction, Provenance, ProvenanceContainer, ProvenanceProgram, ProvenanceRepository, ProvenanceSsh,
    ProvenanceTerminal,
};
pub use request::{AgentIdentity, Request, RequestId, SessionKey};
pub use risk::{Annotations, AssessedRisk, Risk, RiskBasis, RiskLevel, Sources, assess};
pub use rules::{
    Action, DecisionPoint, EditedRuleError, Policy, PolicyInForce, Preset, RuleDraft, RuleOccasion, WallLimits, Walls,
    WallsDenial, WallsHash, WallsOpening, Widening,
};
pub use script::MAX_SCRIPTS;
pub use subject::{Subject, ToolClass};
pub use temporary_files::{TemporaryFiles, surely_made};
pub use written::{WrittenPath, written_paths};
pub use written_findings::written_findings;
