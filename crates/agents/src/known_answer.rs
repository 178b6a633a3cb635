//! Which answers an adapter gives at all.
//!
//! A hook program hands on what it gets from the server, and agents run the tool on anything that they do not
//! understand. So what is handed on has to have the shape of something that this adapter itself would say to
//! this very message.

use handraise_policy::ArgumentsHash;
use handraise_protocol::{ApprovalResult, RequestId, RiskLevel, Status};
use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{Agent, HookCall, HookMessage, HookOutput, strict_json};

/// In the place of any words for the person or the model.
const WORDS: &str = "\u{e000}words\u{e000}";
/// An argument that marks arguments that may be any.
const ANY: &str = "\u{e000}any\u{e000}";

/// Whether `answer` is one that the adapter of `agent` gives to the message `input`: an allow or a denial of
/// the call that this asks about, no objection where it asks nothing, or the denial of a message that
/// could not be taken.
#[must_use]
pub fn is_answer(agent: &dyn Agent, input: &[u8], answer: &HookOutput) -> bool {
    let said = match agent.parse(input) {
        Ok(HookMessage::Ask(call)) => said_to(agent, &call),
        Ok(_) => vec![agent.pass()],
        Err(_) => Vec::new(),
    };
    let failure = std::iter::once(agent.failure(input, WORDS));
    said.into_iter().chain(failure).filter_map(travelled).any(|model| is_like(answer, &model))
}

/// Every kind of answer to `call`.
fn said_to(agent: &dyn Agent, call: &HookCall) -> Vec<HookOutput> {
    let changed = || {
        let mut arguments = call.request.arguments.clone();
        arguments.insert(ANY.to_owned(), Value::Null);
        arguments
    };
    let results = [
        result(call, Status::Denied, None),
        result(call, Status::Approved, None),
        call.accepts_edits.then(|| result(call, Status::Approved, Some(changed()))).flatten(),
    ];
    results.into_iter().flatten().map(|result| agent.render(call, &result)).collect()
}

fn result(call: &HookCall, status: Status, arguments: Option<Map<String, Value>>) -> Option<ApprovalResult> {
    let then = Timestamp::UNIX_EPOCH;
    Some(ApprovalResult {
        id: RequestId(Uuid::nil()),
        status,
        decided_by: None,
        scope: None,
        reason: Some(WORDS.to_owned()),
        rule: None,
        risk: RiskLevel::Write,
        arguments_hash: ArgumentsHash::of(arguments.as_ref().unwrap_or(&call.request.arguments)).ok()?.into(),
        arguments,
        confined: None,
        requested_at: then,
        decided_at: None,
        expires_at: then,
        trace_id: None,
    })
}

/// As it is on the other side of the way from the server to the hook.
fn travelled(answer: HookOutput) -> Option<HookOutput> {
    HookOutput::of_body(&answer.to_body())
}

fn is_like(answer: &HookOutput, model: &HookOutput) -> bool {
    let json = |text: &str| strict_json::from_slice(text.as_bytes()).ok();
    let stdout = match (json(&answer.stdout), json(&model.stdout)) {
        (Some(answer), Some(model)) => is_shaped(&answer, &model),
        _ => is_worded(&answer.stdout, &model.stdout),
    };
    stdout && answer.exit_code == model.exit_code && is_worded(&answer.stderr, &model.stderr)
}

fn is_worded(text: &str, model: &str) -> bool {
    text == model || (model.contains(WORDS) && !text.is_empty())
}

fn is_shaped(value: &Value, model: &Value) -> bool {
    match (value, model) {
        (Value::String(text), Value::String(model)) => is_worded(text, model),
        (Value::Object(_), Value::Object(model)) if model.contains_key(ANY) => true,
        (Value::Object(fields), Value::Object(model)) => {
            let has = |(name, value): (&String, &Value)| model.get(name).is_some_and(|model| is_shaped(value, model));
            fields.len() == model.len() && fields.iter().all(has)
        }
        (value, model) => value == model,
    }
}
