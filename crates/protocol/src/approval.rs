//! Asking, and how it ends.

use std::sync::{Arc, LazyLock};

use handraise_policy::rules::MAX_TIMEOUT_SECONDS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::{
    Action, Annotations, Approval, ApprovalResult, ArgumentsHash, Breadth, DecidedBy, Decision, Diagnostic,
    Explanation, Risk, RiskLevel, Scope, ToolClass,
};

/// Longest name (tool, agent, session, user, server, tag, key), in bytes.
const MAX_NAME: usize = 512;
/// Most tags of one call.
const MAX_TAGS: usize = 200;
/// Longest free text (intent, summary, description), in bytes.
const MAX_TEXT: usize = 16 * 1024;

/// One tool call that is to be decided.
///
/// Unknown fields are refused with their name, so that a typo never weakens a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct ApprovalRequest {
    /// Tool name, as the agent calls it.
    pub tool: String,
    /// The tool's arguments; at most 2 000 values.
    #[serde(default)]
    #[ts(as = "Option<Map<String, Value>>", optional)]
    pub arguments: Map<String, Value>,
    /// Name of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The conversation that the call belongs to. Without `session`, `conversation_id` and `user`
    /// nothing is remembered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Used as the session when `session` is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// Used as the session when `session` and `conversation_id` are absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The requester's words for why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// One human-readable line; made from the tool and its arguments when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What the tool is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Free tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub tags: Vec<String>,
    /// Declared risk level. Absent means unknown, which counts as `write`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<RiskLevel>,
    /// MCP tool annotations. They can raise the risk, never lower it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// A person is asked even where the policy or a grant would allow the call. A denial stays one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub require_approval: bool,
    /// Who asks runs the command line that it gets back in the place of its own, on this machine and in `cwd`, and not its
    /// own. Only then can the call run confined. It counts for a program with a credential of its own, not for an agent's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub runs_changed_command: bool,
    /// MCP server that offers the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Working folder of the call, an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Calls of one parallel batch share this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// The requester's own trace id, handed back in the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// The same key with the same call joins the request that is known by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// How long a person has to answer, in seconds: 1 to 86 400. Default: as the policy says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 86_400))]
    pub timeout_seconds: Option<u32>,
}

/// Takes the fields of a stored [`ApprovalRequest`] away that this version does not know, and says how many these
/// were. What a later version has stored can then be shown; it is not fully understood.
pub fn drop_unknown_fields(request: &mut Map<String, Value>) -> usize {
    static SCHEMA: LazyLock<schemars::Schema> = LazyLock::new(|| schemars::schema_for!(ApprovalRequest));
    let known = SCHEMA.get("properties").and_then(Value::as_object);
    let before = request.len();
    request.retain(|field, _| known.is_some_and(|known| known.contains_key(field)));
    before - request.len()
}

/// Most values that the arguments of a call hold: every text, number, list and object in them counts.
pub const MAX_ARGUMENTS: usize = 2_000;

/// Most calls of one batch.
pub const MAX_BATCH: usize = 64;

/// The calls of one parallel batch. They are evaluated in order and shown together; when one of them
/// cannot be taken, none is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct BatchRequest {
    /// The id of the batch, put into each of its requests. Absent: one is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// The calls, in the order in which they are to run: 1 to 64.
    #[schemars(length(min = 1, max = 64))]
    pub requests: Vec<ApprovalRequest>,
}

/// How the calls of a batch stand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BatchResult {
    /// One result for each request, in the same order.
    pub results: Vec<ApprovalResult>,
}

/// A field of a request that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRequest {
    /// Nothing in it.
    #[error("`{0}` must not be empty")]
    Empty(&'static str),
    /// Too long.
    #[error("`{0}` is longer than {1} bytes")]
    TooLong(&'static str, usize),
    /// Out of its range.
    #[error("`timeout_seconds` must be between 1 and {MAX_TIMEOUT_SECONDS}")]
    Timeout,
    /// A name with characters that cannot be seen.
    #[error("`{0}` contains control or invisible characters; names must be plain text")]
    HiddenCharacters(&'static str),
    /// Too long, counted in characters.
    #[error("`{0}` is longer than {1} characters")]
    TooManyCharacters(&'static str, usize),
    /// Too many choices.
    #[error("`choices` has more than {0} entries")]
    TooManyChoices(usize),
    /// Two choices that cannot be told apart.
    #[error("two of the `choices` have the same `label`; each needs one of its own")]
    SameLabel,
    /// Neither choices nor free text.
    #[error("`custom` must be true when there are no `choices`; otherwise nothing can be answered")]
    NothingToAnswer,
    /// Too many values.
    #[error("`arguments` hold more than {MAX_ARGUMENTS} values; ask about fewer at once, or hand them over in a file")]
    TooManyValues,
    /// An answer and a refusal at once.
    #[error("send either `selected` and `custom`, or `decline` with an optional `reason`")]
    AnswerAndDecline,
}

impl ApprovalRequest {
    /// The session that the call belongs to: `session ?? conversation_id ?? user`.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.session.as_deref().or(self.conversation_id.as_deref()).or(self.user.as_deref())
    }

    /// Checks what the types do not.
    ///
    /// # Errors
    /// Names the field and says what is wrong with it.
    pub fn check(&self) -> Result<(), InvalidRequest> {
        check_name("tool", &self.tool)?;
        let names = [
            ("agent", &self.agent),
            ("session", &self.session),
            ("conversation_id", &self.conversation_id),
            ("user", &self.user),
            ("server", &self.server),
            ("batch", &self.batch),
            ("trace_id", &self.trace_id),
            ("idempotency_key", &self.idempotency_key),
        ];
        for (field, name) in names {
            if let Some(name) = name {
                check_name(field, name)?;
            }
        }
        for tag in &self.tags {
            check_name("tags", tag)?;
        }
        let texts = [
            ("intent", &self.intent),
            ("summary", &self.summary),
            ("description", &self.description),
            ("cwd", &self.cwd),
        ];
        for (field, text) in texts {
            if text.as_ref().is_some_and(|text| text.len() > MAX_TEXT) {
                return Err(InvalidRequest::TooLong(field, MAX_TEXT));
            }
        }
        if count(self.arguments.values(), MAX_ARGUMENTS) > MAX_ARGUMENTS || self.tags.len() > MAX_TAGS {
            return Err(InvalidRequest::TooManyValues);
        }
        match self.timeout_seconds {
            Some(0) => Err(InvalidRequest::Timeout),
            Some(seconds) if seconds > MAX_TIMEOUT_SECONDS => Err(InvalidRequest::Timeout),
            _ => Ok(()),
        }
    }
}

/// How many values there are in `values`; more than `enough` are not counted on.
fn count<'a>(values: impl Iterator<Item = &'a Value>, enough: usize) -> usize {
    let mut counted = 0;
    for value in values {
        counted += 1 + match value {
            Value::Array(items) => count(items.iter(), enough),
            Value::Object(fields) => count(fields.values(), enough),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        };
        if counted > enough {
            break;
        }
    }
    counted
}

pub(crate) fn check_name(field: &'static str, name: &str) -> Result<(), InvalidRequest> {
    if name.trim().is_empty() {
        return Err(InvalidRequest::Empty(field));
    }
    if name.len() > MAX_NAME {
        return Err(InvalidRequest::TooLong(field, MAX_NAME));
    }
    if handraise_display::has_hidden(name) || name.contains(['\n', '\t']) {
        return Err(InvalidRequest::HiddenCharacters(field));
    }
    Ok(())
}

/// An approver's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct DecisionRequest {
    /// Approve or deny.
    pub decision: Decision,
    /// How far it reaches; default `once`.
    #[serde(default)]
    #[ts(as = "Option<Scope>", optional)]
    pub scope: Scope,
    /// With a scope beyond `once`: how much the answer covers.
    #[serde(default)]
    #[ts(as = "Option<Breadth>", optional)]
    pub breadth: Breadth,
    /// With a scope beyond `once` and the breadth `prefix`: positions of the simple commands that the answer covers, of
    /// those that are asked about; the others are asked about again. Absent: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commands: Option<Vec<u32>>,
    /// With the scope `project` or `always`: the TOML text of one `[[rule]]`, written in the place of the `rule` of the
    /// choice that the approver was shown. It begins with its `editable_rule`. It has to allow, to cover this very call,
    /// and to leave out what destroys; else the decision is refused, with what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Words for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Arguments to run instead of the requested ones, where the agent takes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Map<String, Value>>,
    /// The hash of what the approver was shown; the decision is refused when it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments_hash: Option<ArgumentsHash>,
    /// Let it run only inside of these walls, for this call alone: the `hash` of the `confinement` that the approver was
    /// shown, or of one of its `widenings`. Where the walls are others by now, the decision is refused, and the call is put
    /// before a person again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confined: Option<String>,
    /// Approve the next identical retry of a request that has timed out.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub late: bool,
}

/// What a decision led to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct DecisionResponse {
    /// The request as it now stands.
    pub result: ApprovalResult,
    /// The decision came late and became a ticket for the agent's next identical call.
    pub ticket: bool,
}

/// A person denies everything that waits from one agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct DenyAllRequest {
    /// The agent as it is shown (`agent` of a request), or the name of the credential that it asks with.
    pub agent: String,
    /// Words for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What was denied at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct DenyAllResponse {
    /// How many requests.
    pub denied: u32,
}

/// What the policy would do, and why. Nothing was changed or recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct EvaluationResult {
    /// What would happen.
    pub action: Action,
    /// `policy` or `grant`.
    pub decided_by: DecidedBy,
    /// The risk and where it comes from.
    pub risk: Risk,
    /// The kind of tool.
    pub class: ToolClass,
    /// The rule that matched, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// One sentence for a person.
    pub explanation: String,
    /// The policy's answer taken apart: every part, and every rule that was looked at.
    pub policy: Explanation,
    /// The same for a change of the policy that nobody has confirmed; the stricter of both counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unconfirmed: Option<Explanation>,
    /// What should be looked at in the policy itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Diagnostic>>", optional)]
    pub diagnostics: Vec<Diagnostic>,
}

/// A page of requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ApprovalPage {
    /// The requests.
    pub approvals: Vec<Arc<Approval>>,
    /// Hand this back as `cursor` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
