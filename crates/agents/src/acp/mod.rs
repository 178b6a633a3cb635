//! The Agent Client Protocol: the permission request that an agent sends to its client, and the
//! client's answer (schemas of `@agentclientprotocol/sdk` 2.4.0, versions 1 and 2).
//!
//! Whoever sits between agent and client follows their conversation with a [`Proxy`], lets every
//! [`PermissionRequest`] be decided as an approval request like any other, and answers in the client's place. An
//! answer can only choose one of the agent's options: there is no place for a reason, and none for
//! changed arguments. An [`Elicitation`] is put before the person as questions, here and at a client that can ask, too.

mod calls;
mod elicitation;
mod envelope;
mod field;
mod form;
mod known;
mod proxy;
mod shown;
mod terminals;
mod words;

use handraise_policy::Subject;
use handraise_protocol::{ApprovalRequest, ApprovalResult, QuestionRequest};
use serde_json::{Map, Value, json};

use crate::call::call_key;
use crate::instruction::Instruction;
use crate::message::Message;
use crate::{HookCall, HookError, HookEvent};

pub use elicitation::{Elicitation, Step, Unanswered};
pub use form::Form;
pub use proxy::{FromAgent, FromClient, Passed, Proxy};
use terminals::Terminals;

const METHOD: &str = "session/request_permission";
const ALLOW_ONCE: &str = "allow_once";
/// Most answers that a person chooses from.
const MAX_ANSWERS: usize = 25;
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
    options: Vec<AnswerOption>,
}

/// An answer that the agent offers.
#[derive(Clone, Debug, PartialEq)]
struct AnswerOption {
    kind: String,
    id: String,
    name: String,
}

impl AnswerOption {
    /// Its kind is one of those that the protocol has; version 2 lets agents have others.
    fn is_known(&self) -> bool {
        matches!(&*self.kind, "allow_once" | "allow_always" | "reject_once" | "reject_always")
    }
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
    PermissionRequest::read(&message, None, &Terminals::default(), Map::clone).map(Some)
}

impl PermissionRequest {
    /// Reads a permission request. `folder` is the working folder of its session; `whole` gives all
    /// that is known of the tool call that it speaks of.
    fn read(
        message: &Message,
        folder: Option<String>,
        terminals: &Terminals,
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
        let mut request = request(&params, &call, terminals)?;
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

    /// What to ask the person once the call is approved, where the agent offers several answers for that, or only such of
    /// its own. `None`: there is one that allows the call once, or none at all.
    #[must_use]
    pub fn which_answer(&self) -> Option<QuestionRequest> {
        let options = self.open_options();
        let is_plain = matches!(&*options, [] | [AnswerOption { .. }]) && options.iter().all(|one| one.is_known());
        if is_plain {
            return None;
        }
        let labels = labels(&options);
        let choice = |(label, option): (&String, &&AnswerOption)| {
            words::choice(label, (!option.is_known()).then_some(&*option.kind))
        };
        let choices = labels.iter().zip(&options).map(choice).collect();
        let words = self.call.request.intent.as_deref().unwrap_or(&self.call.request.tool);
        let text = format!("You have approved this:\n{}\n\nWhich answer does the agent get?", words::cut(words, 500));
        Some(QuestionRequest {
            session: self.call.request.session.clone(),
            cwd: self.call.request.cwd.clone(),
            ..words::asking(text, choices, false, false)
        })
    }

    /// The answer that was chosen for [`PermissionRequest::which_answer`]; "cancelled" where it is none of them.
    #[must_use]
    pub fn chosen(&self, selected: &[String]) -> String {
        let options = self.open_options();
        let labels = labels(&options);
        let [chosen] = selected else { return self.cancelled() };
        let option = labels.iter().zip(&options).find(|(label, _)| *label == chosen);
        option.map_or_else(|| self.cancelled(), |(_, option)| self.select(option))
    }

    /// The options that allow the call once; without one, those of kinds that the protocol does not have. At most as many
    /// as a question has choices.
    fn open_options(&self) -> Vec<&AnswerOption> {
        let of = |is: fn(&AnswerOption) -> bool| self.options.iter().filter(move |one| is(one)).take(MAX_ANSWERS);
        let once: Vec<_> = of(|option| option.kind == ALLOW_ONCE).collect();
        if once.is_empty() { of(|option| !option.is_known()).collect() } else { once }
    }

    /// Whether an approval of one call can be told to the agent at all.
    #[must_use]
    pub fn can_be_allowed(&self) -> bool {
        !self.open_options().is_empty()
    }

    /// The answer for `result`: the option that allows once, or the one that rejects once. Never one
    /// that the agent would remember, which Handraise could not take back.
    #[must_use]
    pub fn answer(&self, result: &ApprovalResult) -> String {
        let kind = match Instruction::of(&self.call, result) {
            Instruction::Allow { .. } => ALLOW_ONCE,
            Instruction::Deny { .. } => "reject_once",
        };
        let option = self.options.iter().find(|option| option.kind == kind);
        option.map_or_else(|| self.cancelled(), |option| self.select(option))
    }

    /// Whether `result` lets the call run. An approval with changed arguments does not: there is no place for them.
    #[must_use]
    pub fn is_allowed(&self, result: &ApprovalResult) -> bool {
        matches!(Instruction::of(&self.call, result), Instruction::Allow { .. })
    }

    fn select(&self, option: &AnswerOption) -> String {
        respond(&self.id, &json!({ "outcome": "selected", "optionId": option.id }))
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

fn request(params: &Message, call: &Message, terminals: &Terminals) -> Result<ApprovalRequest, HookError> {
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
    let name = |kind: &str| NAMES.iter().find(|(known, _)| *known == kind).map_or(kind, |(_, name)| name).to_owned();
    let (tool, arguments, has_content) = match (raw, shown::changes(kind, call)) {
        (Some(raw), changes) => {
            let tool = name(kind);
            let is_understood = crate::tool::common(&tool, None, &raw).subject != Subject::Arguments;
            match changes.filter(|_| !is_understood) {
                Some(changes) => (tool, with_changes(changes, Some(raw)), false),
                None => (tool, raw, false),
            }
        }
        (None, Some(changes)) => (name(kind), with_changes(changes, None), false),
        // Then what the client would show is all there is.
        (None, None) => (kind.to_owned(), shown(call), true),
    };
    Ok(ApprovalRequest {
        tool,
        arguments,
        session: Some(session_of(params)?.to_owned()),
        // The agent's words, which name no tool.
        intent: call.text("title")?.or(params.text("title")?).filter(|title| !title.trim().is_empty()),
        description: shown::beside(params, call, terminals, has_content),
        trace_id: call.text("toolCallId")?,
        ..ApprovalRequest::default()
    })
}

fn shown(call: &Message) -> Map<String, Value> {
    call.only(&["title", "command", "rawInput", "locations", "content"])
}

/// What the agent tells of changed files, beside an input whose meaning is its own.
fn with_changes(changes: String, raw: Option<Map<String, Value>>) -> Map<String, Value> {
    let raw = raw.map(|raw| ("rawInput".to_owned(), Value::Object(raw)));
    [("patch".to_owned(), changes.into())].into_iter().chain(raw).collect()
}

fn options(params: &Message) -> Result<Vec<AnswerOption>, HookError> {
    let wrong = HookError::WrongType { field: "options", expected: "a list of options" };
    let Some(Value::Array(options)) = params.value("options") else { return Err(wrong) };
    let text = |option: &Value, field: &str| Some(option.get(field)?.as_str()?.to_owned());
    let option = |option: &Value| {
        let (kind, id) = (text(option, "kind")?, text(option, "optionId")?);
        let name = text(option, "name").filter(|name| !name.trim().is_empty()).unwrap_or_else(|| id.clone());
        Some(AnswerOption { kind, id, name })
    };
    options.iter().map(option).collect::<Option<_>>().ok_or(wrong)
}

/// What each of `options` is called before a person, no two alike.
fn labels(options: &[&AnswerOption]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for option in options {
        let name = words::cut(option.name.trim(), 150);
        let mut label = if name.is_empty() { "(no name)".to_owned() } else { name.clone() };
        let mut count = 1;
        while labels.contains(&label) {
            count += 1;
            label = format!("{name} ({count})");
        }
        labels.push(label);
    }
    labels
}
