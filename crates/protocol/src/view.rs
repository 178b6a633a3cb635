//! A request as it is put before a person. Everything that an agent wrote is divided into pieces
//! that can be drawn and characters that must be labelled.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    Action, ApprovalResult, ArgumentsHash, Breadth, Confinement, Effect, FindingKind, PartKind, Piece, Provenance,
    RequestId, Risk, RiskLevel, Scope, SessionKey, ToolClass,
};

/// A request with all that a surface needs to show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Approval {
    /// Identifies the request.
    pub id: RequestId,
    /// Where it stands.
    pub result: ApprovalResult,
    /// Name of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What to call the agent before a person, safe for any surface: `Claude Code` for one that has proved its name, the
    /// name in quotation marks for one that only claims it. Absent when it gave no name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_title: Option<String>,
    /// The agent's name is proved by its credential and not only claimed.
    pub agent_verified: bool,
    /// The session; absent when nothing can be remembered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionKey>,
    /// The sub-agent of the session that asks; absent: the agent itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub_agent: Option<SubAgent>,
    /// The same for calls of one parallel batch of one session, and different for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// Tool name as the agent calls it.
    pub tool: String,
    /// MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Kind of tool.
    pub class: ToolClass,
    /// How dangerous, and how that is known.
    pub risk: Risk,
    /// What it changes, and whether that can be undone.
    pub effect: Effect,
    /// One plain line that says what the call does, safe for any surface.
    pub title: String,
    /// What the call is about.
    pub subject: SubjectView,
    /// The tasks of the project that its commands run, and what those run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<TaskView>>", optional)]
    pub tasks: Vec<TaskView>,
    /// What it would do to what is there now, as far as that is known for certain. Not all of it is there at once: what
    /// takes longer comes with `approval_changed`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Consequence>>", optional)]
    pub consequences: Vec<Consequence>,
    /// Every argument.
    pub arguments: Vec<ArgumentRow>,
    /// All arguments as indented JSON, for editing; only where the agent takes changed arguments and
    /// nothing is redacted: otherwise they come with what is revealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editable_arguments: Option<String>,
    /// Secrets in the arguments are redacted. While the request is open they can be revealed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub redacted: bool,
    /// What a decision is bound to.
    pub arguments_hash: ArgumentsHash,
    /// The requester's words for why. A claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Piece>>", optional)]
    pub intent: Vec<Piece>,
    /// The requester's summary. A claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Piece>>", optional)]
    pub summary: Vec<Piece>,
    /// The requester's description. A claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Piece>>", optional)]
    pub description: Vec<Piece>,
    /// Working folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Piece>>", optional)]
    pub cwd: Vec<Piece>,
    /// Last part of the working folder, one plain line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The rule that made it ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// One sentence: why a person is asked.
    pub explanation: String,
    /// What a person can choose besides approving or denying once, the narrowest first.
    pub scopes: Vec<ScopeChoice>,
    /// The walls that a person can have it run inside of, this once; absent where it cannot run confined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confinement: Option<Confinement>,
    /// What its walls have denied it, or the same call in this session before, each as one clause: "write /srv/x".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub denied_by_walls: Vec<String>,
    /// What is odd about its texts, in the order in which they are shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FindingView>>", optional)]
    pub findings: Vec<FindingView>,
    /// Where it comes from, as the system tells; absent when that is not known. On the wire it is called `origin`, as
    /// it was from the first version on.
    #[serde(default, rename = "origin", skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// One of the findings is about characters that would be invisible.
    pub has_hidden_characters: bool,
    /// When it was asked.
    #[ts(type = "string")]
    pub requested_at: Timestamp,
    /// When nobody can answer any more.
    #[ts(type = "string")]
    pub expires_at: Timestamp,
}

/// What a call, or one command of it, would do to what is there on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Consequence {
    /// The command that does it, as one plain line; empty: the whole call.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(as = "Option<String>", optional)]
    pub command: String,
    /// One sentence, safe for any surface: "Deletes 18 files, 2.3 MB; git does not have 3 of them: .env, a.md, b.db."
    pub sentence: String,
    /// Something is lost that git does not have, or that no branch leads to any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub loses: bool,
    /// The files, commits or scripts that the sentence is about, safe for any surface; empty where it names all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub names: Vec<String>,
    /// How many there are besides `names`.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[ts(as = "Option<u32>", optional)]
    pub more: u32,
}

/// Something odd about a text of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FindingView {
    /// What.
    pub kind: FindingKind,
    /// One sentence for a person, safe for any surface.
    pub sentence: String,
    /// The field of the request, as `tool` or `arguments.command`, safe for any surface.
    pub field: String,
    /// What is drawn may be taken for something else: nothing should be approved at a glance.
    pub misleads: bool,
}

/// What a call is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SubjectView {
    /// A command line.
    Command(CommandSubject),
    /// A change within a file.
    Edit(EditSubject),
    /// A whole file.
    Write(WriteSubject),
    /// A file or folder to read.
    Read(ReadSubject),
    /// An address to fetch.
    Fetch(FetchSubject),
    /// Nothing more specific than the arguments.
    Arguments,
}

/// A command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CommandSubject {
    /// The text that the shell gets.
    pub line: Vec<Piece>,
    /// What would run and what would be written, one by one; empty when that is the line itself.
    pub parts: Vec<CommandPart>,
    /// Why the line was not understood, as a clause; its parts are then only what could be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub obstacle: Option<String>,
}

/// One simple command of a command line, or one file that it writes or reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct CommandPart {
    /// What was judged.
    pub kind: PartKind,
    /// Of a simple command: its position in the line, from 0, as an answer names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub command: Option<u32>,
    /// The simple command or the path.
    pub text: Vec<Piece>,
    /// What the policy says about it.
    pub action: Action,
    /// How dangerous it is.
    pub risk: RiskLevel,
    /// What it changes, and whether that can be undone.
    pub effect: Effect,
    /// The rule that said so, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// One sentence: why.
    pub why: String,
    /// Files that it names, as the file system resolves them.
    pub paths: Vec<PartPath>,
}

/// A sub-agent, as the agent that started it says. A claim: nothing is decided by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SubAgent {
    /// The same for all calls of one sub-agent.
    pub id: String,
    /// What to call it before a person: its kind, or else its id, in quotation marks.
    pub title: String,
}

/// A task of the project, and what it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct TaskView {
    /// The words that name it, as `npm run test`, safe for any surface.
    pub call: String,
    /// The texts that it runs, and those that say how. The programs that they start, and the files that those run, are
    /// not among them.
    pub steps: Vec<TaskStepView>,
    /// One sentence: why it cannot be told what it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// Commands among the steps that run further tasks which could not be followed, each as one plain line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub unfollowed: Vec<String>,
    /// What has changed since a person approved it for longer, line by line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<DiffLine>>", optional)]
    pub changes: Vec<DiffLine>,
}

/// One text that a task runs, or that says how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TaskStepView {
    /// What it is called, as `pretest`, safe for any surface.
    pub name: String,
    /// The file that it stands in, from the project where it lies there.
    pub file: Vec<Piece>,
    /// Its text.
    pub text: Vec<Piece>,
}

/// A file that a command names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PartPath {
    /// Absolute, symbolic links resolved, one plain line.
    pub path: String,
    /// Outside the project folder.
    pub outside_project: bool,
}

/// A change within a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EditSubject {
    /// The file.
    pub path: Vec<Piece>,
    /// The change, line by line.
    pub diff: Vec<DiffLine>,
    /// The line of the file in which the change begins, from 1. Absent when the text that is replaced is not in the file
    /// exactly once, or the file was not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub first_line: Option<u32>,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WriteSubject {
    /// The file.
    pub path: Vec<Piece>,
    /// Its new content.
    pub content: Vec<Piece>,
    /// Number of lines of the new content.
    pub lines: u32,
    /// What the file held when this was asked. Absent when there was none, or it was not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub replaces: Option<ReplacedFile>,
}

/// A file that is there already, and would be written anew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ReplacedFile {
    /// It holds text.
    Text {
        /// What changes, in order, with a few lines around each place; empty: nothing does.
        hunks: Vec<DiffHunk>,
    },
    /// It holds no text.
    Binary {
        /// Its size.
        bytes: u32,
    },
    /// It could not be compared.
    Unseen {
        /// Why, as a clause, safe for any surface.
        why: String,
    },
}

/// One place where a file changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct DiffHunk {
    /// The first of its lines in the file as it is, from 1.
    pub before: u32,
    /// The first of its lines in the new content, from 1.
    pub after: u32,
    /// Its lines.
    pub lines: Vec<DiffLine>,
}

/// A file or folder to read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ReadSubject {
    /// The file or folder.
    pub path: Vec<Piece>,
}

/// An address to fetch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FetchSubject {
    /// The address.
    pub url: Vec<Piece>,
}

/// One line of a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct DiffLine {
    /// Kept, added or removed.
    pub sign: DiffSign,
    /// The line without its line break.
    pub text: Vec<Piece>,
}

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum DiffSign {
    /// Stays.
    Keep,
    /// Is new.
    Add,
    /// Goes away.
    Remove,
}

/// One argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ArgumentRow {
    /// Its name.
    pub name: Vec<Piece>,
    /// Its value: the text of a string, indented JSON of anything else.
    pub value: Vec<Piece>,
    /// The value is JSON, and not the text of a string.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub json: bool,
    /// Number of lines of the value.
    pub lines: u32,
    /// Number of characters of the value.
    pub length: u32,
}

/// A scope beyond this one call, with the very words of what would be remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScopeChoice {
    /// How long.
    pub scope: Scope,
    /// How much.
    pub breadth: Breadth,
    /// What would be remembered, verbatim and safe for any surface.
    pub remembers: String,
    /// The rule that would be written into `policy.toml`, for the scopes `project` and `always`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rule: Option<String>,
    /// The text with which a person begins to change that rule. Absent: there are several, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub editable_rule: Option<String>,
    /// The simple commands that it can cover without the others, where there are several. An answer names those that it
    /// covers in its `commands`. Where they are fewer than what is asked about, it has to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ScopeCommands>>", optional)]
    pub commands: Vec<ScopeCommands>,
}

/// Simple commands of a line that an answer can cover without the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ScopeCommands {
    /// Their positions in the line: one pattern covers them all.
    pub commands: Vec<u32>,
    /// What would be remembered of them, safe for any surface.
    pub remembers: String,
    /// The rule that would be written for them alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rule: Option<String>,
    /// The text with which a person begins to change that rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub editable_rule: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
