//! The wire types of the local API, version 1: one definition from which serde, JSON Schema (and so
//! the OpenAPI document) and TypeScript are derived.
//!
//! Architecture invariant: no I/O and no behaviour beyond checking that a message is well formed and making it what
//! the domain decides about. A conversion takes its struct apart field by field, and matches every variant, so that
//! what only one side has does not compile.

mod activity;
mod agent;
mod approval;
mod approval_result;
mod credential;
mod decision;
mod diagnostic;
mod effect;
mod event;
mod explanation;
mod grant;
mod identity;
mod mode;
mod openapi;
mod own_rules;
mod policy;
mod problem;
mod proof;
mod provenance;
mod question;
mod replay;
mod reveal;
mod risk;
mod route;
mod secret_names;
mod session;
mod settings;
mod text;
mod typescript;
mod undo;
mod view;
mod walls;
mod wire_enum;

pub use activity::{
    ActivityAnswers, ActivityChoices, ActivityDay, ActivityFigures, ActivitySearch, AskedOften, ExportFormat, Exported,
};
pub use agent::{
    AgentChange, AgentConnection, AgentFileChange, AgentOverview, CheckState, ConnectionLevel, ConnectionState,
    DoctorCheck,
};
pub use approval::{
    ApprovalPage, ApprovalRequest, BatchRequest, BatchResult, DecisionRequest, DecisionResponse, DenyAllRequest,
    DenyAllResponse, EvaluationResult, InvalidRequest, MAX_ARGUMENTS, MAX_BATCH, drop_unknown_fields,
};
pub use approval_result::ApprovalResult;
pub use credential::{Challenge, ChallengeProof, Credential, NewCredential, NewCredentialRequest, Role};
pub use decision::{Breadth, DecidedBy, Decision, Mode, QuestionStatus, Scope, Status};
pub use diagnostic::{Diagnostic, Severity, TextSpan};
pub use effect::{CanBeUndone, Effect, Reach};
pub use event::{
    ApprovalChanged, ApprovalRequested, ApprovalResolved, Event, GrantAdded, GrantRevoked, ModeChanged, PolicyChanged,
    QuestionAsked, QuestionResolved,
};
pub use explanation::{Action, ConsideredRule, Explanation, PartExplanation, PartKind, Protection, RuleText};
pub use grant::{CommandMatcher, ExactMatcher, FolderMatcher, Grant, GrantEffect, Matcher, TaskPin, ToolMatcher};
pub use identity::{ArgumentsHash, GrantId, QuestionId, RequestId, SessionKey};
pub use mode::{MAX_PAUSE, ModeRequest, ModeState, SurfaceKind, SurfaceList, SurfaceState};
pub use openapi::openapi;
pub use own_rules::{AgentRules, OwnRule};
pub use policy::{
    PolicyCheck, PolicyDifference, PolicyEtag, PolicySummary, PolicyText, PolicyView, Preset, Preview, PreviewCall,
    PreviewRequest, RuleCheck, RuleCheckRequest, RuleEffect, SettingChange, Suggestion, Suggestions, TriedCall,
    WideningSuggestion,
};
pub use problem::{Problem, ProblemCode};
pub use proof::TokenHash;
pub use provenance::{Provenance, ProvenanceProgram, ProvenanceRepository};
pub use question::{
    AnswerRequest, ChoiceView, Question, QuestionChoice, QuestionList, QuestionRequest, QuestionResult,
};
pub use replay::{
    PresetComparison, ReplayCounts, ReplayProgress, ReplayedAgent, ReplayedCalls, ReplayedPreset, ReplayedRow,
};
pub use reveal::Revealed;
pub use risk::{Annotations, Risk, RiskBasis, RiskLevel, ToolClass};
pub use route::{Access, Method, ROUTES, Route};
pub use secret_names::{secret_names_python, secret_names_typescript};
pub use session::{Health, HealthStatus, Session, SessionList};
pub use settings::{
    Appearance, DesktopState, Endpoint, KeepPromptReady, Locale, Notice, PromptStage, PromptWindow, QuietHours,
    Settings, SettingsView, ShortcutState, UndoSettings, Wanted,
};
pub use text::{Finding, FindingKind, HiddenPiece, Piece, TextPiece, content_pieces, pieces};
pub use typescript::typescript;
pub use undo::{FileChange, KeptCall, KeptCalls, KeptFile, PutBackRequest, PutBackResult, UndoOutcome, Undoable};
pub use view::{
    Approval, ArgumentRow, CommandPart, CommandSubject, Consequence, DiffHunk, DiffLine, DiffSign, EditSubject,
    FetchSubject, FindingView, PartPath, ReadSubject, ReplacedFile, ScopeChoice, ScopeCommands, SubAgent, SubjectView,
    TaskStepView, TaskView, WriteSubject,
};
pub use walls::{ConfinedCommand, Confinement, WallLimits, Walls, WallsReport, Widening};

/// The version of what a hook program and the server say to each other about an agent's own messages. It counts
/// up when an answer of the one would mean something else to the other.
pub const HOOK_PROTOCOL: u32 = 1;
/// The header in which each of them says its version.
pub const PROTOCOL_HEADER: &str = "handraise-protocol";

/// Whether the other side, which says `version`, and this one understand each other. Version 1 says nothing,
/// and neither does an agent that posts its messages itself.
#[must_use]
pub fn speaks_with_us(version: Option<&str>) -> bool {
    version.is_none_or(|version| version.trim().parse() == Ok(HOOK_PROTOCOL))
}

/// The port that is tried first.
pub const DEFAULT_PORT: u16 = 4733;
/// The largest body that is read, in bytes.
pub const MAX_BODY: usize = 1024 * 1024;
