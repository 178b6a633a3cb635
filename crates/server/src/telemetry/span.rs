//! A call as a span, by the semantic conventions for generative AI of OpenTelemetry
//! (<https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/>, "Execute tool span"). They are not stable yet:
//! their names are pinned here, as [`SCHEMA`] has them. About approvals they say nothing, so that those attributes are
//! Handraise's own.

use handraise_gate::Entry;
use handraise_policy::AgentIdentity;
use handraise_protocol::{Action, ApprovalResult, Status};
use jiff::Timestamp;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::{self as trace, ResourceSpans, ScopeSpans, Span, status};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The version of the conventions.
const SCHEMA: &str = "https://opentelemetry.io/schemas/1.42.0";

/// A call that has ended, as far as a span tells of it. Nothing of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallSpan {
    pub(crate) tool: String,
    pub(crate) server: Option<String>,
    pub(crate) agent: Option<AgentIdentity>,
    pub(crate) session: Option<String>,
    /// What the rules said.
    pub(crate) action: Option<Action>,
    /// How it ended, without its secrets.
    pub(crate) result: ApprovalResult,
    /// Number and hash of the entry of the audit log that says so, where it comes from there.
    pub(crate) entry: Option<(i64, String)>,
}

impl CallSpan {
    /// The request of `entry`, which has ended as `result` says.
    pub(crate) fn of(entry: &Entry, result: &ApprovalResult) -> Self {
        let request = &entry.request;
        Self {
            tool: request.tool.clone(),
            server: request.server.clone(),
            agent: request.agent.clone(),
            session: request.session.as_ref().map(|session| session.id.clone()),
            action: Some(entry.evaluation.action.into()),
            // Of changed arguments nothing is told.
            result: ApprovalResult { arguments: None, ..result.clone() },
            entry: None,
        }
    }
}

/// `calls` as one message to a receiver. `dropped` calls were told to nobody so far.
pub(crate) fn request(calls: &[CallSpan], dropped: u64) -> ExportTraceServiceRequest {
    let service = [text("service.name", "handraise"), text("service.version", env!("CARGO_PKG_VERSION"))];
    let scope = InstrumentationScope {
        name: "handraise".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        attributes: vec![number("handraise.dropped_spans", dropped)],
        dropped_attributes_count: 0,
    };
    let spans =
        ScopeSpans { scope: Some(scope), spans: calls.iter().map(span).collect(), schema_url: SCHEMA.to_owned() };
    let resource = Resource { attributes: service.to_vec(), ..Resource::default() };
    ExportTraceServiceRequest {
        resource_spans: vec![ResourceSpans {
            resource: Some(resource),
            scope_spans: vec![spans],
            schema_url: SCHEMA.to_owned(),
        }],
    }
}

fn span(call: &CallSpan) -> Span {
    let CallSpan { tool, server, agent, session, action, result, entry } = call;
    let id = result.id.0;
    let is_approved = result.status == Status::Approved;
    // An agent's name counts only where it is proved; anything else is what the requester says.
    let agent_key = if agent.as_ref().is_some_and(|agent| agent.verified) {
        "gen_ai.agent.name"
    } else {
        "handraise.agent.claimed"
    };
    let attributes = [
        Some(text("gen_ai.operation.name", "execute_tool")),
        Some(text("gen_ai.tool.name", tool)),
        Some(text("gen_ai.tool.call.id", &id.to_string())),
        agent.as_ref().map(|agent| text(agent_key, &agent.name)),
        session.as_deref().map(|session| text("gen_ai.conversation.id", session)),
        (!is_approved).then(|| word("error.type", &result.status)),
        server.as_deref().map(|server| text("handraise.mcp.server", server)),
        Some(word("handraise.status", &result.status)),
        result.decided_by.map(|by| word("handraise.decided_by", &by)),
        action.map(|action| word("handraise.policy.action", &action)),
        result.rule.as_deref().map(|rule| text("handraise.policy.rule", rule)),
        Some(word("handraise.risk", &result.risk)),
        result.scope.map(|scope| word("handraise.scope", &scope)),
        result.reason.as_deref().map(|reason| text("handraise.reason", reason)),
        entry.as_ref().map(|(seq, hash)| text("handraise.audit.entry", &format!("{seq}:{hash}"))),
    ];
    let code = if is_approved { status::StatusCode::Unset } else { status::StatusCode::Error };
    Span {
        trace_id: trace_id(result),
        span_id: Sha256::digest(id.as_bytes()).get(..8).unwrap_or_default().to_vec(),
        name: format!("execute_tool {tool}"),
        kind: SpanKind::Internal.into(),
        start_time_unix_nano: nanoseconds(result.requested_at),
        end_time_unix_nano: nanoseconds(result.decided_at.unwrap_or(result.requested_at)),
        attributes: attributes.into_iter().flatten().collect(),
        status: Some(trace::Status { message: String::new(), code: code.into() }),
        ..Span::default()
    }
}

/// The requester's own trace, where it names one (16 bytes in hexadecimal, W3C Trace Context §3.2.2.3), else one for the
/// call.
fn trace_id(result: &ApprovalResult) -> Vec<u8> {
    let own = result.trace_id.as_deref().and_then(|id| hex::decode(id).ok());
    let is_valid = |id: &Vec<u8>| id.len() == 16 && id.iter().any(|byte| *byte != 0);
    own.filter(is_valid).unwrap_or_else(|| result.id.0.as_bytes().to_vec())
}

fn nanoseconds(at: Timestamp) -> u64 {
    u64::try_from(at.as_nanosecond()).unwrap_or_default()
}

fn text(key: &str, value: &str) -> KeyValue {
    attribute(key, any_value::Value::StringValue(value.to_owned()))
}

fn number(key: &str, value: u64) -> KeyValue {
    attribute(key, any_value::Value::IntValue(i64::try_from(value).unwrap_or(i64::MAX)))
}

/// A word of the API.
fn word(key: &str, value: &impl Serialize) -> KeyValue {
    let word = serde_json::to_value(value).ok();
    text(key, word.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default())
}

fn attribute(key: &str, value: any_value::Value) -> KeyValue {
    KeyValue { key: key.to_owned(), value: Some(AnyValue { value: Some(value) }), ..KeyValue::default() }
}
