//! A conversation of a client and an agent, as whoever sits between them sees it: which lines are
//! permission requests, and which permission requests are taken back.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::calls::ToolCalls;
use super::envelope::Envelope;
use super::{METHOD, PermissionRequest, cancelled, session_of};
use crate::HookError;
use crate::message::Message;

/// The version of the protocol in which `null` clears a field.
const VERSION_2: u64 = 2;
/// Requests of the client that begin a conversation and whose answers are awaited, at most.
const MAX_STARTS: usize = 1024;
/// Methods with which a client ends all work in a session.
const ENDS_WORK: &[&str] = &["session/cancel", "session/close", "session/delete"];

/// What is known of the conversation.
#[derive(Debug, Default)]
pub struct Proxy {
    version: Option<u64>,
    calls: ToolCalls,
    /// Working folders of the sessions.
    folders: HashMap<String, String>,
    /// Working folders of sessions that have no id yet, with the ids of the requests for them.
    starts: Vec<(Value, String)>,
    /// The permission requests without an answer, with their sessions.
    open: Vec<(Value, String)>,
}

/// What to do with a line of the agent.
#[derive(Debug)]
pub enum FromAgent {
    /// Hand it on as it is.
    Pass,
    /// Do not hand it on: have it decided, and answer the agent.
    Ask {
        /// The permission request.
        permission: Box<PermissionRequest>,
        /// A line that tells the client of the tool call, which the permission request would have done.
        told: Option<String>,
    },
    /// Do not hand it on: it takes back the permission request with this [`PermissionRequest::id`], whose answer is now
    /// [`cancelled`].
    Withdraw(Value),
    /// Do not hand it on: it is, or could be taken for, a permission request that cannot be decided.
    Refuse {
        /// The answer to the agent; there is none when the line has no id.
        answer: Option<String>,
        /// Why.
        why: HookError,
    },
}

impl Proxy {
    /// Looks at one line of the agent, with or without its line feed.
    pub fn from_agent(&mut self, line: &[u8]) -> FromAgent {
        let Some(envelope) = Envelope::read(line) else { return without_envelope(line) };
        if envelope.may_be(METHOD) {
            return match self.permission(line) {
                Ok(ask) => ask,
                Err(why) => FromAgent::Refuse { answer: envelope.id.as_ref().map(cancelled), why },
            };
        }
        match envelope.method() {
            Some("session/update") => self.update(line),
            Some("$/cancel_request") => {
                if let Some(id) = field(line, "requestId").filter(|id| self.is_open(id)) {
                    return FromAgent::Withdraw(id);
                }
            }
            None if envelope.is_response() => self.response(line),
            _ => {}
        }
        FromAgent::Pass
    }

    /// Looks at one line of the client; it is handed on in any case. Gives the ids of the permission requests
    /// that it takes back.
    pub fn from_client(&mut self, line: &[u8]) -> Vec<Value> {
        let Some(envelope) = Envelope::read(line) else { return Vec::new() };
        let Some(method) = envelope.method() else { return Vec::new() };
        if ENDS_WORK.contains(&method) {
            let Some(Value::String(session)) = field(line, "sessionId") else { return Vec::new() };
            return self.open.iter().filter(|(_, other)| *other == session).map(|(id, _)| id.clone()).collect();
        }
        if method.starts_with("session/")
            && let Some(Value::String(folder)) = field(line, "cwd")
        {
            match field(line, "sessionId") {
                // The session that it is made from keeps its own.
                Some(Value::String(session)) if method != "session/fork" => {
                    self.folders.insert(session, folder);
                }
                _ => {
                    let Some(id) = envelope.id else { return Vec::new() };
                    if self.starts.len() < MAX_STARTS {
                        self.starts.push((id, folder));
                    }
                }
            }
        }
        Vec::new()
    }

    /// Forgets a permission request that has its answer.
    pub fn answered(&mut self, id: &Value) {
        self.open.retain(|(open, _)| open != id);
    }

    /// The ids of all permission requests without an answer.
    #[must_use]
    pub fn open(&self) -> Vec<Value> {
        self.open.iter().map(|(id, _)| id.clone()).collect()
    }

    fn is_open(&self, id: &Value) -> bool {
        self.open.iter().any(|(open, _)| open == id)
    }

    fn permission(&mut self, line: &[u8]) -> Result<FromAgent, HookError> {
        let null_clears = self.version == Some(VERSION_2);
        let message = Message::read(line)?;
        let params = message.required_nested("params")?;
        let session = session_of(&params)?.to_owned();
        let folder = self.folders.get(&session).cloned();
        let mut told = None;
        let permission = PermissionRequest::read(&message, folder, |call| {
            told = self.told(&session, call, params.has("subject"));
            self.calls.apply(&session, call, line.len(), null_clears)
        })?;
        if self.is_open(permission.id()) {
            return Err(HookError::Contradiction("id", "id"));
        }
        self.open.push((permission.id().clone(), session));
        Ok(FromAgent::Ask { permission: Box::new(permission), told })
    }

    /// What tells the client of the call. In version 2 a change of a call that is not known makes it.
    fn told(&self, session: &str, call: &Map<String, Value>, is_version_2: bool) -> Option<String> {
        let id = call.get("toolCallId")?.as_str()?;
        let is_new = !is_version_2 && !self.calls.has(session, id);
        if is_new && !call.get("title").is_some_and(Value::is_string) {
            return None;
        }
        let mut update = call.clone();
        let kind = if is_new { "tool_call" } else { "tool_call_update" };
        update.insert("sessionUpdate".to_owned(), kind.into());
        let params = json!({ "sessionId": session, "update": update });
        Some(json!({ "jsonrpc": "2.0", "method": "session/update", "params": params }).to_string())
    }

    /// Lines that cannot be understood tell nothing.
    fn update(&mut self, line: &[u8]) {
        let Ok(Some(params)) = Message::read(line).and_then(|message| message.nested("params")) else { return };
        let (Ok(session), Ok(update)) = (session_of(&params), params.object("update")) else { return };
        if matches!(update.get("sessionUpdate").and_then(Value::as_str), Some("tool_call" | "tool_call_update")) {
            self.calls.apply(session, &update, line.len(), self.version == Some(VERSION_2));
        }
    }

    fn response(&mut self, line: &[u8]) {
        if self.version.is_some() && self.starts.is_empty() {
            return;
        }
        let Ok(message) = Message::read(line) else { return };
        let result = message.nested("result").ok().flatten();
        let value = |field| result.as_ref().and_then(|result: &Message| result.value(field));
        if self.version.is_none() {
            self.version = value("protocolVersion").and_then(Value::as_u64);
        }
        let answered = self.starts.iter().position(|(id, _)| message.value("id") == Some(id));
        if let Some(position) = answered {
            let (_, folder) = self.starts.swap_remove(position);
            if let Some(session) = value("sessionId").and_then(Value::as_str) {
                self.folders.insert(session.to_owned(), folder);
            }
        }
    }
}

/// A line that is no JSON is no permission request to any reader of JSON. One that names the method may be one to
/// a reader that is not strict.
fn without_envelope(line: &[u8]) -> FromAgent {
    let name = b"request_permission";
    if !line.windows(name.len()).any(|window| window == name) {
        return FromAgent::Pass;
    }
    let why = Message::read(line).err().unwrap_or(HookError::NotAnObject);
    FromAgent::Refuse { answer: None, why }
}

/// A field of the parameters, of a line that can be read in one way.
fn field(line: &[u8], name: &str) -> Option<Value> {
    Message::read(line).ok()?.nested("params").ok()??.value(name).cloned()
}
