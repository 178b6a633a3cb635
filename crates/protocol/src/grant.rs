//! What is remembered of a person's answers.

use handraise_policy as policy;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire_enum::wire_enum;
use crate::{ArgumentsHash, GrantId, RequestId, Scope, SessionKey, ToolClass};

wire_enum! {
    /// What a grant does to the calls that it covers.
    #[serde(rename_all = "snake_case")]
    pub enum GrantEffect = policy::GrantEffect {
        /// They pass without asking.
        Approve,
        /// They are refused without asking.
        Deny,
    }
}

/// An entry of a session allowlist, made by a person's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Grant {
    /// Identifies it.
    pub id: GrantId,
    /// The session that it belongs to and dies with.
    pub session: SessionKey,
    /// Approve or deny.
    pub effect: GrantEffect,
    /// Which calls.
    pub matcher: Matcher,
    /// `minutes` or `session`.
    pub scope: Scope,
    /// One line for a person: what was being asked when it was made.
    pub title: String,
    /// When it was made.
    #[ts(type = "string")]
    pub created_at: Timestamp,
    /// When it ends by itself; `None`: with its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub expires_at: Option<Timestamp>,
    /// The decision that made it; the audit log must hold that decision.
    pub decided_in: RequestId,
    /// Of an approval: what the tasks of the project ran that it names. It covers them while they run that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<TaskPin>>", optional)]
    pub tasks: Vec<TaskPin>,
}

/// What a task of a project ran when a person approved it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
pub struct TaskPin {
    /// The words that name it, as `npm run test`.
    pub call: String,
    /// The file that its first step stands in; empty when the project had no such task.
    pub file: String,
    /// SHA-256 of its steps, in lower-case hexadecimal.
    pub digest: String,
    /// The beginning of its text.
    pub text: String,
}

impl From<policy::TaskPin> for TaskPin {
    fn from(pin: policy::TaskPin) -> Self {
        let policy::TaskPin { call, file, digest, text } = pin;
        Self { call, file, digest, text }
    }
}

impl From<TaskPin> for policy::TaskPin {
    fn from(pin: TaskPin) -> Self {
        let TaskPin { call, file, digest, text } = pin;
        Self { call, file, digest, text }
    }
}

impl From<policy::Grant> for Grant {
    fn from(grant: policy::Grant) -> Self {
        let policy::Grant { id, session, effect, matcher, scope, title, created_at, expires_at, decided_in, tasks } =
            grant;
        Self {
            id: id.into(),
            session: session.into(),
            effect: effect.into(),
            matcher: matcher.into(),
            scope: scope.into(),
            title,
            created_at,
            expires_at,
            decided_in: decided_in.into(),
            tasks: tasks.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Grant> for policy::Grant {
    fn from(grant: Grant) -> Self {
        let Grant { id, session, effect, matcher, scope, title, created_at, expires_at, decided_in, tasks } = grant;
        Self {
            id: id.into(),
            session: session.into(),
            effect: effect.into(),
            matcher: matcher.into(),
            scope: scope.into(),
            title,
            created_at,
            expires_at,
            decided_in: decided_in.into(),
            tasks: tasks.into_iter().map(Into::into).collect(),
        }
    }
}

/// Which calls a grant covers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Matcher {
    /// One tool with exactly these arguments, in the same working folder.
    Exact(ExactMatcher),
    /// Commands that begin with the same words, in the same project.
    Command(CommandMatcher),
    /// Files in one folder and below it.
    Folder(FolderMatcher),
    /// Every call of one tool.
    Tool(ToolMatcher),
}

impl From<policy::Matcher> for Matcher {
    fn from(matcher: policy::Matcher) -> Self {
        match matcher {
            policy::Matcher::Exact(exact) => Self::Exact(exact.into()),
            policy::Matcher::Command(commands) => Self::Command(commands.into()),
            policy::Matcher::Folder(folder) => Self::Folder(folder.into()),
            policy::Matcher::Tool(tool) => Self::Tool(tool.into()),
        }
    }
}

impl From<Matcher> for policy::Matcher {
    fn from(matcher: Matcher) -> Self {
        match matcher {
            Matcher::Exact(exact) => Self::Exact(exact.into()),
            Matcher::Command(commands) => Self::Command(commands.into()),
            Matcher::Folder(folder) => Self::Folder(folder.into()),
            Matcher::Tool(tool) => Self::Tool(tool.into()),
        }
    }
}

/// One tool with exactly these arguments, in the same working folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
pub struct ExactMatcher {
    /// Tool name.
    pub tool: String,
    /// MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub server: Option<String>,
    /// Working folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cwd: Option<String>,
    /// The arguments.
    pub arguments_hash: ArgumentsHash,
}

impl From<policy::ExactMatcher> for ExactMatcher {
    fn from(matcher: policy::ExactMatcher) -> Self {
        let policy::ExactMatcher { tool, server, cwd, arguments_hash } = matcher;
        Self { tool, server, cwd, arguments_hash: arguments_hash.into() }
    }
}

impl From<ExactMatcher> for policy::ExactMatcher {
    fn from(matcher: ExactMatcher) -> Self {
        let ExactMatcher { tool, server, cwd, arguments_hash } = matcher;
        Self { tool, server, cwd, arguments_hash: arguments_hash.into() }
    }
}

/// Commands that begin with the same words, in the same project.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
pub struct CommandMatcher {
    /// Command patterns as a rule writes them, as `git commit *`; each covers simple commands of its
    /// own, and a command line is covered when each of its simple commands is.
    pub patterns: Vec<String>,
    /// Project folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub project: Option<String>,
}

impl From<policy::CommandMatcher> for CommandMatcher {
    fn from(matcher: policy::CommandMatcher) -> Self {
        let policy::CommandMatcher { patterns, project } = matcher;
        Self { patterns, project }
    }
}

impl From<CommandMatcher> for policy::CommandMatcher {
    fn from(matcher: CommandMatcher) -> Self {
        let CommandMatcher { patterns, project } = matcher;
        Self { patterns, project }
    }
}

/// Files in one folder and below it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
pub struct FolderMatcher {
    /// Reading or writing.
    pub class: ToolClass,
    /// The folder, absolute and with symbolic links resolved.
    pub folder: String,
}

impl From<policy::FolderMatcher> for FolderMatcher {
    fn from(matcher: policy::FolderMatcher) -> Self {
        let policy::FolderMatcher { class, folder } = matcher;
        Self { class: class.into(), folder }
    }
}

impl From<FolderMatcher> for policy::FolderMatcher {
    fn from(matcher: FolderMatcher) -> Self {
        let FolderMatcher { class, folder } = matcher;
        Self { class: class.into(), folder }
    }
}

/// Every call of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
pub struct ToolMatcher {
    /// Tool name.
    pub tool: String,
    /// MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub server: Option<String>,
}

impl From<policy::ToolMatcher> for ToolMatcher {
    fn from(matcher: policy::ToolMatcher) -> Self {
        let policy::ToolMatcher { tool, server } = matcher;
        Self { tool, server }
    }
}

impl From<ToolMatcher> for policy::ToolMatcher {
    fn from(matcher: ToolMatcher) -> Self {
        let ToolMatcher { tool, server } = matcher;
        Self { tool, server }
    }
}
