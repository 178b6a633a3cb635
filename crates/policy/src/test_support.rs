//! Requests and times for tests, of this crate and of those above it.

#![expect(clippy::unwrap_used, reason = "only tests call it: a test fails by panicking")]

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::facts::CheckoutFacts;
use crate::{
    Annotations, ArgumentsHash, Confinable, PathFacts, ProcessTree, ProjectFacts, Request, RequestId, ScriptFacts,
    SessionKey, Subject, TaskFacts, ToolClass,
};

/// `seconds` after the beginning of time.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds)
}

/// The request of this number.
pub fn id(number: u128) -> RequestId {
    RequestId(Uuid::from_u128(number))
}

/// A request of the requester `default` without a session.
pub fn request(tool: &str, arguments: &str) -> Request {
    let arguments: Map<String, Value> = serde_json::from_str(arguments).unwrap();
    Request {
        id: id(1),
        requester: "default".into(),
        agent: None,
        session: None,
        user: None,
        tool: tool.into(),
        server: None,
        arguments_hash: ArgumentsHash::of(&arguments).unwrap(),
        arguments,
        class: ToolClass::Other,
        subject: Subject::Arguments,
        command: None,
        files: Vec::new(),
        paths: PathFacts::default(),
        project_code: ProjectFacts::default(),
        tasks: TaskFacts::default(),
        scripts: ScriptFacts::default(),
        project: None,
        home: None,
        declared_risk: None,
        table_risk: None,
        annotations: Annotations::default(),
        intent: None,
        summary: None,
        description: None,
        tags: Vec::new(),
        cwd: None,
        batch: None,
        trace_id: None,
        idempotency_key: None,
        timeout_seconds: None,
        longest_wait_seconds: None,
        accepts_edits: true,
        checkouts: CheckoutFacts::default(),
        confinable: Confinable::default(),
        is_kept: true,
        is_redacted: false,
        unseen: None,
        decision_point: None,
        require_approval: false,
        hook_phase: None,
        processes: ProcessTree::default(),
        provenance: None,
    }
}

/// The same in the session called `session`.
pub fn in_session(number: u128, session: &str, tool: &str, arguments: &str) -> Request {
    Request { id: id(number), session: Some(session_key(session)), ..request(tool, arguments) }
}

/// The session called `session` of the requester `default`.
pub fn session_key(session: &str) -> SessionKey {
    SessionKey { requester: "default".into(), agent: None, id: session.into() }
}
