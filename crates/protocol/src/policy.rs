//! Reading, changing and trying out the policy.

use handraise_policy as policy;
use handraise_policy::rules;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::wire_enum::wire_enum;
use crate::{Action, Breadth, DecidedBy, Diagnostic, RequestId, RuleText, Scope, Status};

wire_enum! {
    /// A starting point that rules refine.
    #[serde(rename_all = "snake_case")]
    pub enum Preset = policy::Preset {
        /// Reading passes, writing asks, destroying is refused.
        Practical,
        /// Everything asks.
        Strict,
        /// Everything passes but what leaves the project, acts later, escalates or destroys.
        Autonomous,
        /// As `practical`, and besides what lands in the project and loses nothing passes: edits of ordinary files, local
        /// work of git.
        Workspace,
    }
}

/// What a change of the policy does, for the person who confirms it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PolicyDifference {
    /// Rules that the new policy has and the old has not.
    pub added: Vec<RuleText>,
    /// Rules that the old policy has and the new has not.
    pub removed: Vec<RuleText>,
    /// Rules that both have, at another place among their neighbours.
    pub moved: Vec<RuleText>,
    /// Settings with another value.
    pub settings: Vec<SettingChange>,
    /// Something may pass now that did not pass before.
    pub loosens: bool,
}

impl From<rules::PolicyDifference> for PolicyDifference {
    fn from(difference: rules::PolicyDifference) -> Self {
        let rules::PolicyDifference { added, removed, moved, settings, loosens } = difference;
        Self {
            added: added.into_iter().map(Into::into).collect(),
            removed: removed.into_iter().map(Into::into).collect(),
            moved: moved.into_iter().map(Into::into).collect(),
            settings: settings.into_iter().map(Into::into).collect(),
            loosens,
        }
    }
}

/// A setting with another value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SettingChange {
    /// Its key in the file, as `risk.write`.
    pub key: String,
    /// Its old value; empty when it had none.
    pub old: String,
    /// Its new value; empty when it has none.
    pub new: String,
}

impl From<rules::SettingChange> for SettingChange {
    fn from(change: rules::SettingChange) -> Self {
        let rules::SettingChange { key, old, new } = change;
        Self { key, old, new }
    }
}

/// The policy: the text on the disk, what is in force, and what waits for a person's word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PolicyView {
    /// The text as it lies on the disk, to be edited.
    pub text: String,
    /// Names this text; also the `ETag` header, there in quotes.
    pub etag: String,
    /// The file.
    pub path: String,
    /// What is wrong with the text, or should be looked at.
    pub diagnostics: Vec<Diagnostic>,
    /// What is in force.
    pub in_force: PolicySummary,
    /// What the text changes, when it was changed outside Handraise and nobody has confirmed it. What
    /// it tightens is in force already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<PolicyDifference>,
}

/// A policy text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct PolicyText {
    /// The whole text of a policy file.
    pub text: String,
}

/// What is wrong with a policy text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PolicyCheck {
    /// It could be put in force.
    pub is_usable: bool,
    /// What is wrong with it, or should be looked at.
    pub diagnostics: Vec<Diagnostic>,
}

/// Which text a person has looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct PolicyEtag {
    /// [`PolicyView::etag`] of it.
    pub etag: String,
}

/// A rule to try on calls of the past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct PreviewRequest {
    /// The TOML text of one `[[rule]]`.
    pub rule: String,
    /// How many calls of the past, the latest first: 1 to 5000, default 500.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 5000))]
    pub calls: Option<u32>,
}

/// What a rule would have done to calls of the past, with files as they are now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Preview {
    /// Calls that were looked at.
    pub calls: u32,
    /// Calls among them whose answer the rule would have given, or part of it.
    pub matched: u32,
    /// Of those, calls that would have passed.
    pub would_allow: u32,
    /// Of those, calls that would have run confined.
    #[serde(default)]
    pub would_confine: u32,
    /// Of those, calls that would have been asked about.
    pub would_ask: u32,
    /// Of those, calls that would have been refused.
    pub would_deny: u32,
    /// Of those, calls that a person approved then.
    pub approved_by_person: u32,
    /// Of those, how many a person denied then.
    pub denied_by_person_count: u32,
    /// Calls that the rule would have let pass and a person denied: at most 20, the latest first.
    pub denied_by_person: Vec<PreviewCall>,
    /// Calls that the rule applies to: at most 20, the latest first.
    pub examples: Vec<PreviewCall>,
}

/// A rule that a person is changing, for an answer to an open request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RuleCheckRequest {
    /// The TOML text of one `[[rule]]`.
    pub rule: String,
    /// `project` or `always`.
    pub scope: Scope,
    /// What the rule covered before it was changed.
    pub breadth: Breadth,
    /// Which simple commands, as in a decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub commands: Option<Vec<u32>>,
}

/// Whether a person can approve with a rule.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct RuleCheck {
    /// Why not, and what to do, in one sentence. Absent: one can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// What it would have done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<RuleEffect>,
}

/// What a rule would have done to calls of the past, beside the one that it was made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RuleEffect {
    /// All of it.
    pub preview: Preview,
    /// Calls that it would have let pass, and the rule before the change would not.
    pub more: u32,
    /// Calls that the rule before the change would have let pass, and it would not.
    pub fewer: u32,
    /// Calls that it would have let pass: at most 5, the latest first, those of `more` before others.
    pub passes: Vec<PreviewCall>,
    /// Calls of the same tool that would still have been asked about: at most 5, the latest first, those of `fewer` before
    /// others.
    pub asked: Vec<PreviewCall>,
}

/// One call of the past.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PreviewCall {
    /// Identifies it.
    pub id: RequestId,
    /// One plain line that says what it did, safe for any surface.
    pub title: String,
    /// What the policy would say now.
    pub action: Action,
    /// How it ended.
    pub status: Status,
    /// Who ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<DecidedBy>,
    /// When it was asked.
    #[ts(type = "string")]
    pub requested_at: Timestamp,
}

/// Rules that would have spared a person some questions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Suggestions {
    /// The most useful first.
    pub suggestions: Vec<Suggestion>,
    /// What to open to the walls of a project, what was denied most often first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<WideningSuggestion>>", optional)]
    pub widenings: Vec<WideningSuggestion>,
}

/// A place that the walls of one project have denied to several calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WideningSuggestion {
    /// The place, one plain line: "~/out", "the cache of npm".
    pub opens: String,
    /// The TOML text of the table `[[confine.project]]`, as it would be added.
    pub rule: String,
    /// Calls that were denied it.
    pub calls: u32,
    /// What one of them does, one plain line.
    pub example: String,
}

/// A rule made from what a person has approved again and again, and never denied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Suggestion {
    /// The TOML text of the rule, as it would be added.
    pub rule: String,
    /// What it would have done.
    pub preview: Preview,
}

/// A call to try the policy on, by what it does or by its tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[ts(optional_fields)]
pub enum TriedCall {
    /// A command line is run.
    Command {
        /// The line.
        line: String,
    },
    /// A file is read.
    Read {
        /// The file.
        path: String,
    },
    /// Text in a file is replaced.
    Edit {
        /// The file.
        path: String,
    },
    /// A file is written whole.
    Write {
        /// The file.
        path: String,
    },
    /// A page is fetched.
    Fetch {
        /// Its address.
        url: String,
    },
    /// Any tool is called.
    Tool {
        /// Its name.
        tool: String,
        /// The MCP server that it belongs to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<String>,
        /// What it is given.
        #[ts(type = "{ [key in string]: JsonValue }")]
        arguments: Map<String, Value>,
    },
}

/// The policy in force, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PolicySummary {
    /// The starting point.
    pub preset: Preset,
    /// Seconds that a person has to answer.
    pub timeout_seconds: u32,
    /// Number of rules, those of agents included.
    pub rules: u32,
    /// The file.
    pub path: String,
    /// Why the file on disk is not in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}
