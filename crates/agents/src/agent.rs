//! What every agent has in common, seen from here.

use handraise_protocol::{ApprovalRequest, ApprovalResult, InvalidRequest};
use serde_json::{Map, Value};

use crate::strict_json::StrictJsonError;
use crate::{ConnectError, ConnectOptions, Connection, ToolFacts};

/// One agent: its hook messages, its answers, its tools, its settings file.
pub trait Agent: Sync {
    /// The name in paths, tokens and policies, as `claude-code`.
    fn name(&self) -> &'static str;

    /// The name for people.
    fn display_name(&self) -> &'static str;

    /// Reads what the agent's hook sent. Unknown fields are accepted.
    ///
    /// # Errors
    /// When the message cannot be read in exactly one way, or lacks what is needed.
    fn parse(&self, bytes: &[u8]) -> Result<HookMessage, HookError>;

    /// The agent's own words for how `call` ended. Whatever is not an approval of this very call
    /// is a denial.
    fn render(&self, call: &HookCall, result: &ApprovalResult) -> HookAnswer;

    /// No decision: the agent goes on as if there were no hook.
    fn pass(&self) -> HookAnswer;

    /// The denial for a hook call that failed. `input` is what the agent sent, which may be
    /// anything; `sentence` tells the model and the person what happened and what to do.
    fn failure(&self, input: &[u8], sentence: &str) -> HookAnswer;

    /// What is known about a call of one of the agent's tools.
    fn tool_facts(&self, tool: &str, server: Option<&str>, arguments: &Map<String, Value>) -> ToolFacts;

    /// The name of the agent's own program.
    fn program(&self) -> &'static str;

    /// Whether the agent can be told to block a call when its hook fails, going by what its program
    /// prints for `--version`.
    fn can_block_on_failure(&self, version: &str) -> bool;

    /// The user's settings file, relative to the home folder.
    fn user_settings(&self) -> &'static str;

    /// The settings file of one project that is not shared, relative to the project folder.
    fn project_settings(&self) -> &'static str;

    /// `settings` (the text of the file, empty when there is none) with the hooks that ask
    /// Handraise. Everything else stays as it is, byte for byte; what an earlier call of this
    /// function added is replaced.
    ///
    /// # Errors
    /// When the file cannot be understood, or the options make a gate that does not close.
    fn connect(&self, settings: &str, options: &ConnectOptions) -> Result<String, ConnectError>;

    /// `settings` without what [`Agent::connect`] added.
    ///
    /// # Errors
    /// When the file cannot be understood.
    fn disconnect(&self, settings: &str) -> Result<String, ConnectError>;

    /// What [`Agent::connect`] has added to `settings`, if anything.
    ///
    /// # Errors
    /// When the file cannot be understood.
    fn connection(&self, settings: &str) -> Result<Option<Connection>, ConnectError>;
}

/// What a hook message wants.
#[derive(Clone, Debug, PartialEq)]
pub enum HookMessage {
    /// A decision about a tool call.
    Ask(Box<HookCall>),
    /// Nothing: the session is over, and with it everything that is remembered for it.
    SessionEnded {
        /// The agent's id of the session.
        session: String,
    },
    /// Nothing: [`Agent::pass`] is the answer.
    Nothing,
}

/// A tool call that waits for its decision.
#[derive(Clone, Debug, PartialEq)]
pub struct HookCall {
    /// The question that has to be answered.
    pub event: HookEvent,
    /// The request to decide about.
    pub request: ApprovalRequest,
    /// The agent takes changed arguments with an approval.
    pub accepts_edits: bool,
}

/// The question that a hook asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookEvent {
    /// A tool is about to run. Asked for every call.
    BeforeTool,
    /// The agent is about to ask the person itself. Asked only for those calls.
    PermissionQuestion,
}

/// How a hook program ends; for an HTTP hook `stdout` is the body of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookAnswer {
    /// For the agent.
    pub stdout: String,
    /// For the model or the person, depending on the agent.
    pub stderr: String,
    /// 0, or 2: the one exit code that blocks the call in every agent.
    pub exit_code: u8,
}

impl HookAnswer {
    /// A regular answer.
    pub(crate) fn json(value: &Value) -> Self {
        Self { stdout: value.to_string(), stderr: String::new(), exit_code: 0 }
    }
}

/// Why a hook message cannot be taken. The call is denied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HookError {
    /// Not JSON, or JSON that could be read in two ways.
    #[error("the hook message is not usable JSON: {0}")]
    Json(#[from] StrictJsonError),
    /// JSON, but no object.
    #[error("the hook message is not a JSON object")]
    NotAnObject,
    /// A field is missing.
    #[error("the hook message has no field `{0}`")]
    Missing(&'static str),
    /// A field is of another type.
    #[error("the field `{field}` of the hook message is not {expected}")]
    WrongType {
        /// The field.
        field: &'static str,
        /// What it has to be, as `a string`.
        expected: &'static str,
    },
    /// The request made from the message is not acceptable.
    #[error("the hook message cannot be taken: {0}")]
    Request(#[from] InvalidRequest),
}
