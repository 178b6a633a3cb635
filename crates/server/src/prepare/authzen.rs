//! The AuthZEN Authorization API 1.0 (<https://openid.net/specs/authorization-api-1_0.html>): what a decision point is asked
//! about a call, and what its answer means.

use handraise_agents::strict_json;
use handraise_display::line;
use handraise_gate::Evaluation;
use handraise_policy::{DecisionPointAnswer, Request};
use handraise_protocol::{self as protocol, CanBeUndone, Reach, RiskLevel};
use serde_json::{Map, Value, json};

use crate::redacted::RequestRedactor;

/// Longest reason that is shown, in characters; the rest is counted.
const MAX_REASON: usize = 300;

/// What is asked about `asked`, a call without its secrets, with `arguments` as they are stored. `evaluation` is what the
/// rules say, as "ask".
pub(super) fn question(asked: &Request, arguments: &Map<String, Value>, evaluation: &Evaluation) -> Value {
    let agent = asked.agent.as_ref();
    let policy = &evaluation.policy;
    json!({
        "subject": {
            "type": "agent",
            "id": asked.agent_name().unwrap_or(&asked.requester),
            "properties": {
                "requester": asked.requester,
                "verified": agent.is_some_and(|agent| agent.verified),
                "user": asked.user,
                // Cerbos takes no subject without roles.
                "cerbos.roles": ["agent"],
            },
        },
        "action": { "name": "call" },
        "resource": {
            "type": "tool",
            "id": asked.tool,
            "properties": {
                "server": asked.server,
                "class": protocol::ToolClass::from(asked.class),
                "title": asked.title(),
                "arguments": arguments,
                "cwd": asked.cwd,
                "project": asked.project,
                "risk": RiskLevel::from(policy.risk.level),
                "reach": Reach::from(policy.effect().reach()),
                "can_be_undone": CanBeUndone::from(policy.effect().can_be_undone()),
            },
        },
        "context": {
            "session": asked.session.as_ref().map(|session| &session.id),
            "rules_say": protocol::Action::from(evaluation.action),
        },
    })
}

/// What the answer `body` means.
pub(super) fn read_answer(body: &[u8], redactor: &RequestRedactor) -> DecisionPointAnswer {
    let no_decision = || DecisionPointAnswer::Failed("its answer holds no decision".to_owned());
    let Ok(Value::Object(answer)) = strict_json::from_slice(body) else {
        return no_decision();
    };
    match answer.get("decision") {
        Some(Value::Bool(true)) => DecisionPointAnswer::Permits,
        Some(Value::Bool(false)) => {
            let words =
                answer.get("context").and_then(words).map(|words| line(&redactor.text(words.trim()), MAX_REASON));
            DecisionPointAnswer::Denies(words.filter(|words| !words.is_empty()))
        }
        _ => no_decision(),
    }
}

/// The reason that is meant for users, in English where there are several.
fn words(context: &Value) -> Option<&str> {
    let reason = context.get("reason_user").or_else(|| context.get("reason"))?;
    match reason {
        Value::String(text) => Some(text),
        Value::Object(texts) => {
            let english = texts.iter().find(|(language, _)| language.starts_with("en")).map(|(_, text)| text);
            english.or_else(|| texts.values().next())?.as_str()
        }
        _ => None,
    }
}
