//! The Agent Client Protocol: the permission request that an agent sends to its client, and the
//! client's answer (schemas of `@agentclientprotocol/sdk` 2.4.0, versions 1 and 2).
//!
//! Whoever sits between agent and client follows their conversation with a [`Proxy`], lets every
//! [`PermissionRequest`] be decided as an approval request like any other, and answers in the client's place. An
//! answer can only choose one of the agent's options: there is no place for a reason, and none for
//! changed arguments.

mod calls;
mod envelope;
mod proxy;

use handraise_protocol::{ApprovalRequest, ApprovalResult};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::instruction::Instruction;
use crate::message::Message;
use crate::{HookCall, HookError, HookEvent};

pub use proxy::{FromAgent, Proxy};

const METHOD: &str = "session/request_permission";
/// Kinds of tools, and a name that says the same to a policy. The name is believed only together with
/// the argument that matters.
const NAMES: &[(&str, &str)] = &[("execute", "shell"), ("edit", "edit"), ("read", "read"), ("fetch", "fetch")];

/// A permission request of an agent that waits for its client.
#[derive(Clone, Debug, PartialEq)]
pub struct PermissionRequest {
    /// The call to decide about.
    pub call: HookCall,
    /// JSON-RPC id of the permission request.
    id: Value,
    /// The options: their kinds and ids.
    options: Vec<(String, String)>,
}

/// Reads one message. `None`: it is no permission request, and none of our business.
///
/// # Errors
/// When it is one that cannot be read in exactly one way, or lacks what is needed. It must not reach
/// the client then; [`cancelled`] is the answer.
pub fn read(line: &[u8]) -> Result<Option<PermissionRequest>, HookError> {
    let message = Message::read(line)?;
    if message.value("method").and_then(Value::as_str) != Some(METHOD) {
        return Ok(None);
    }
    PermissionRequest::read(&message, None, Map::clone).map(Some)
}

impl PermissionRequest {
    /// Reads a permission request. `folder` is the working folder of its session; `whole` gives all
    /// that is known of the tool call that it speaks of.
    pub(super) fn read(
        message: &Message,
        folder: Option<String>,
        whole: impl FnOnce(&Map<String, Value>) -> Map<String, Value>,
    ) -> Result<Self, HookError> {
        let id = message.value("id").cloned().ok_or(HookError::Missing("id"))?;
        let params = message.required_nested("params")?;
        // Version 2 has a subject, of which a tool call is one kind, or none but the words.
        let subject = params.nested("subject")?;
        let call = match &subject {
            Some(subject) if subject.has("toolCall") => Message::of(whole(&subject.object("toolCall")?)),
            Some(_) => params.required_nested("subject")?,
            None if params.has("title") && !params.has("toolCall") => Message::of(params.only(&["title"])),
            None => Message::of(whole(&params.object("toolCall")?)),
        };
        let mut request = request(&params, &call)?;
        request.cwd = call.text("cwd")?.or(folder);
        request.check()?;
        let class = crate::tool::common(&request.tool, None, &request.arguments).class;
        let key = call_key(&request, class, request.trace_id.clone());
        let (event, event_name) = (HookEvent::PermissionRequest, METHOD);
        let call = HookCall { event, event_name, request, accepts_edits: false, key };
        Ok(Self { call, id, options: options(&params)? })
    }

    /// Its JSON-RPC id.
    #[must_use]
    pub fn id(&self) -> &Value {
        &self.id
    }

    /// Whether an approval of one call can be told to the agent at all.
    #[must_use]
    pub fn can_be_allowed(&self) -> bool {
        self.options.iter().any(|(kind, _)| kind == "allow_once")
    }

    /// The answer for `result`: the option that allows once, or the one that rejects once. Never one
    /// that the agent would remember, which Handraise could not take back.
    #[must_use]
    pub fn answer(&self, result: &ApprovalResult) -> String {
        let kind = match Instruction::of(&self.call, result) {
            Instruction::Allow { .. } => "allow_once",
            Instruction::Deny { .. } => "reject_once",
        };
        match self.options.iter().find(|(option, _)| option == kind) {
            Some((_, id)) => respond(&self.id, &json!({ "outcome": "selected", "optionId": id })),
            None => self.cancelled(),
        }
    }

    /// The answer when nobody decides: without a chosen option nothing is approved.
    #[must_use]
    pub fn cancelled(&self) -> String {
        cancelled(&self.id)
    }
}

/// The answer to the permission request with the JSON-RPC id `id` when nobody decides.
#[must_use]
pub fn cancelled(id: &Value) -> String {
    respond(id, &json!({ "outcome": "cancelled" }))
}

fn respond(id: &Value, outcome: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "result": { "outcome": outcome } }).to_string()
}

/// The session that `params` speak of.
fn session_of(params: &Message) -> Result<&str, HookError> {
    params.required("sessionId")
}

fn request(params: &Message, call: &Message) -> Result<ApprovalRequest, HookError> {
    // A subject of version 2 that is a command and nothing else.
    let is_command = call.optional("type")? == Some("command");
    let kind = if is_command { "execute" } else { call.optional("kind")?.unwrap_or("other") };
    let raw = match call.optional("type")? {
        Some("command") => Some(call.only(&["command"])),
        // A kind of subject that is not known is shown whole.
        Some(_) => Some(call.fields().clone()),
        // An input that the agent has not said yet is shown as what else there is.
        None => call.value("rawInput").and_then(Value::as_object).cloned().filter(|raw| !raw.is_empty()),
    };
    let (tool, arguments) = match raw {
        Some(raw) => (NAMES.iter().find(|(known, _)| *known == kind).map_or(kind, |(_, name)| name), raw),
        // Then what the client would show is all there is.
        None => (kind, shown(call)),
    };
    Ok(ApprovalRequest {
        tool: tool.to_owned(),
        arguments,
        session: Some(session_of(params)?.to_owned()),
        // The agent's words, which name no tool.
        intent: call.text("title")?.or(params.text("title")?).filter(|title| !title.trim().is_empty()),
        description: params.text("description")?.filter(|text| !text.trim().is_empty()),
        trace_id: call.text("toolCallId")?,
        ..ApprovalRequest::default()
    })
}

fn shown(call: &Message) -> Map<String, Value> {
    call.only(&["title", "command", "rawInput", "locations", "content"])
}

fn options(params: &Message) -> Result<Vec<(String, String)>, HookError> {
    let wrong = HookError::WrongType { field: "options", expected: "a list of options" };
    let Some(Value::Array(options)) = params.value("options") else { return Err(wrong) };
    let text = |option: &Value, field: &str| Some(option.get(field)?.as_str()?.to_owned());
    let option = |option: &Value| Some((text(option, "kind")?, text(option, "optionId")?));
    options.iter().map(option).collect::<Option<_>>().ok_or(wrong)
}
